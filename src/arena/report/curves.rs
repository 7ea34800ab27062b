//! The curves of the page: how a tournament went, and how the players used their time.

use serde::Serialize;

use crate::arena::record::{GameRecord, MoveRecord};
use crate::arena::replay::first_mover;
use crate::arena::scoreboard::Scoreboard;
use crate::arena::sprt_progress::SprtProgress;
use crate::arena::statistics::{EloEstimate, ScoreTally, logistic_elo};

/// No curve over the games has more points.
const SAMPLES: usize = 240;
/// Curves over the plies end here.
const MAX_PLIES: usize = 400;

/// A line through points, or a line with a band around it.
#[derive(Debug, Serialize)]
pub(super) struct Curve {
    /// The player, by its place in the standings.
    player: usize,
    /// x and y; with a band x, y, low and high.
    points: Vec<Vec<f64>>,
}

/// The Elo of each player after so many games, against the field. Of two players the lower is left
/// out: it is the other's reflection.
pub(super) fn elo(games: &[GameRecord], board: &Scoreboard, names: &[&str]) -> Vec<Curve> {
    let shown = if names.len() == 2 { 1 } else { names.len() };
    let mut curves: Vec<Curve> =
        (0..shown).map(|player| Curve { player, points: Vec::new() }).collect();
    sampled(games, board, |count, board| {
        for curve in &mut curves {
            let tally = board.field_tally(names[curve.player]);
            let Some(estimate) = logistic_elo(&tally.sample()) else { continue };
            curve.points.push([&[count][..], &finite(estimate)].concat());
        }
    });
    curves
}

/// The log-likelihood ratio of a test after so many games.
pub(super) fn ratio(games: &[GameRecord], board: &Scoreboard, of: &SprtProgress) -> Curve {
    let mut points = Vec::new();
    sampled(games, board, |count, board| {
        let tally: ScoreTally = board.tally(&of.player, &of.opponent);
        points.push(vec![count, of.test.log_likelihood_ratio(&tally)]);
    });
    Curve { player: 0, points }
}

/// Counts the games once more and looks at the sums in between.
fn sampled(games: &[GameRecord], like: &Scoreboard, mut look: impl FnMut(f64, &Scoreboard)) {
    let mut board = Scoreboard::new(like.names(), like.unit());
    let step = games.len().div_ceil(SAMPLES).max(1);
    for (number, game) in (1..).zip(games) {
        board.add(game);
        if number % step == 0 || number == games.len() {
            look(number as f64, &board);
        }
    }
}

/// The mean seconds of each player at each ply.
pub(super) fn time_by_ply(games: &[GameRecord], names: &[&str]) -> Vec<Curve> {
    by_ply(games, names, |mv| Some(mv.time.get()))
}

/// The mean depth of each player at each ply.
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
        let begins = first_mover(game).index();
        for (ply, mv) in game.moves.iter().enumerate().take(MAX_PLIES) {
            let Some((player, number)) = players[(begins + ply) % 2].zip(number(mv)) else {
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

/// Numbers beyond this are shown as infinite: JSON has no word for that.
const INFINITE: f64 = 1e9;

/// Value, low and high.
pub(super) fn finite(estimate: EloEstimate) -> [f64; 3] {
    [estimate.value, estimate.low, estimate.high].map(|number| number.clamp(-INFINITE, INFINITE))
}
