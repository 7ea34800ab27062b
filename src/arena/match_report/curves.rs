//! The charts of the report: Elo and SPRT over the games, time and depth over the plies.

use std::ops::Range;

use serde::Serialize;

use crate::arena::tournament::scoreboard::Scoreboard;
use crate::arena::tournament::sprt_progress::SprtProgress;
use crate::printing::without_negative_zero;
use crate::records::replay::first_mover;
use crate::records::{GameRecord, MoveRecord};
use crate::statistics::{EloEstimate, ScoreTally, logistic_elo};

/// The maximum number of points of a curve over the games.
const MAX_POINTS: usize = 240;
/// The last ply of curves over the plies.
const MAX_PLIES: usize = 400;

/// A line, optionally with a confidence band.
#[derive(Debug, Serialize)]
pub(super) struct Curve {
    /// The index of the player in the standings.
    player: usize,
    /// Points of x and y; with a band, x, y, low and high.
    points: Vec<Vec<f64>>,
}

/// The Elo of each of `players` against the field, by the number of games.
pub(super) fn elo_curves(
    games: &[GameRecord],
    board: &Scoreboard,
    names: &[&str],
    players: Range<usize>,
) -> Vec<Curve> {
    let mut curves: Vec<Curve> =
        players.map(|player| Curve { player, points: Vec::new() }).collect();
    replay_scoreboard(games, board, |count, board| {
        for curve in &mut curves {
            let tally = board.field_tally(names[curve.player]);
            let Some(estimate) = logistic_elo(&tally.sample()) else { continue };
            curve.points.push([&[count][..], &to_finite(estimate)].concat());
        }
    });
    curves
}

/// The log-likelihood ratio of a test by the number of games.
pub(super) fn llr_curve(games: &[GameRecord], board: &Scoreboard, sprt: &SprtProgress) -> Curve {
    let mut points = Vec::new();
    replay_scoreboard(games, board, |count, board| {
        let tally: ScoreTally = board.tally(&sprt.player, &sprt.opponent);
        points.push(vec![count, sprt.test.log_likelihood_ratio(&tally)]);
    });
    Curve { player: 0, points }
}

/// Counts the games again and calls `sample` with the intermediate totals.
fn replay_scoreboard(
    games: &[GameRecord],
    finished: &Scoreboard,
    mut sample: impl FnMut(f64, &Scoreboard),
) {
    let mut board = Scoreboard::new(finished.names(), finished.unit);
    let step = games.len().div_ceil(MAX_POINTS).max(1);
    for (number, game) in (1..).zip(games) {
        board.add(game);
        if number % step == 0 || number == games.len() {
            sample(number as f64, &board);
        }
    }
}

/// The mean time of each player at each ply, in seconds.
pub(super) fn time_by_ply(games: &[GameRecord], names: &[&str]) -> Vec<Curve> {
    by_ply(games, names, |mv| (!mv.is_book).then(|| mv.time.as_f64()))
}

pub(super) fn depth_by_ply(games: &[GameRecord], names: &[&str]) -> Vec<Curve> {
    by_ply(games, names, |mv| mv.info.depth.map(f64::from))
}

fn by_ply(
    games: &[GameRecord],
    names: &[&str],
    number: impl Fn(&MoveRecord) -> Option<f64>,
) -> Vec<Curve> {
    let mut sums: Vec<Vec<(f64, f64)>> = vec![Vec::new(); names.len()];
    for game in games {
        let players = [0, 1].map(|side| names.iter().position(|name| *name == game.players[side]));
        let first = first_mover(game).index();
        for (ply, mv) in game.moves.iter().enumerate().take(MAX_PLIES) {
            let Some((player, number)) = players[(first + ply) % 2].zip(number(mv)) else {
                continue;
            };
            let sums = &mut sums[player];
            if sums.len() <= ply {
                sums.resize(ply + 1, (0.0, 0.0));
            }
            sums[ply].0 += number;
            sums[ply].1 += 1.0;
        }
    }
    let mean = |(ply, (sum, count)): (usize, &(f64, f64))| {
        (*count > 0.0).then(|| vec![ply as f64 + 1.0, sum / count])
    };
    let curve = |(player, sums): (usize, &Vec<(f64, f64)>)| Curve {
        player,
        points: sums.iter().enumerate().filter_map(mean).collect(),
    };
    sums.iter().enumerate().map(curve).filter(|curve| !curve.points.is_empty()).collect()
}

/// Stands for infinity, which JSON cannot represent.
const INFINITE: f64 = 1e9;

/// Returns value, low and high, with infinities replaced by [`INFINITE`].
pub(super) fn to_finite(estimate: EloEstimate) -> [f64; 3] {
    [estimate.value, estimate.low, estimate.high]
        .map(|number| without_negative_zero(number.clamp(-INFINITE, INFINITE)))
}
