//! The data of the report, serialized for its script. The field names are the keys that the
//! script uses.

use std::collections::BTreeMap;

use serde::Serialize;

use super::HtmlReport;
use super::curves::{self, Curve};
use crate::arena::tournament::scoreboard::{PlayerTotals, Scoreboard};
use crate::arena::tournament::sprt_progress::SprtProgress;
use crate::records::Seconds;
use crate::statistics::{
    EloModel, ScoreTally, SprtVerdict, likelihood_of_superiority, logistic_elo,
};
use crate::viewer::ViewerData;

#[derive(Debug, Serialize)]
pub(super) struct PageData<'a> {
    title: &'a str,
    #[serde(flatten)]
    viewer: ViewerData,
    setup: &'a [(String, String)],
    counted: u64,
    /// The number of games that do not repeat an earlier one.
    distinct: u64,
    /// Notes on players that play identically, and warnings about copies with their causes and
    /// remedies, a paragraph for each line.
    warnings: Vec<Vec<String>>,
    uncounted: u64,
    broken_claims: u64,
    /// The players, best first; other fields refer to them by index.
    standings: Vec<StandingData>,
    /// The first of two players as they were given, whose point of view a match has; else the leader.
    first: usize,
    regularized: bool,
    crosstable: Vec<Vec<Results>>,
    terminations: Vec<(&'static str, u64)>,
    sprt: Option<SprtData>,
    elo: Vec<Curve>,
    time: Vec<Curve>,
    depth: Vec<Curve>,
}

#[derive(Debug, Serialize)]
struct StandingData {
    name: String,
    #[serde(flatten)]
    results: Results,
    pairs: [u64; 5],
    share: Option<f64>,
    rating: Option<[f64; 3]>,
    superiority: f64,
    faults: BTreeMap<&'static str, u64>,
    broken_claims: u64,
    moves: u64,
    mean_time: Option<f64>,
    greatest_over: Option<f64>,
    mean_depth: Option<f64>,
}

/// The results of a player against an opponent or against all.
#[derive(Debug, Serialize)]
struct Results {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    elo: Option<[f64; 3]>,
}

#[derive(Debug, Serialize)]
struct SprtData {
    player: String,
    opponent: String,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: EloModel,
    bounds: (f64, f64),
    ratio: f64,
    decided_after: Option<u64>,
    verdict: &'static str,
    /// The verdict in words, once there is one: a text and the values of its placeholders.
    conclusion: Option<(String, BTreeMap<&'static str, String>)>,
    pairs: [u64; 5],
    curve: Curve,
}

pub(super) fn page_data<'a>(report: &'a HtmlReport<'_>) -> PageData<'a> {
    let board = report.scoreboard;
    let standings = board.standings();
    let names: Vec<&str> = standings.rows.iter().map(|row| &row.name[..]).collect();
    let crosstable = board.crosstable(&names);
    // The Elo curve of the second of two players is the mirror image of that of the first.
    let (first, drawn) = match board.names().collect::<Vec<_>>()[..] {
        [first, _] => {
            let first = usize::from(names[0] != first);
            (first, first..first + 1)
        }
        _ => (0, 0..names.len()),
    };
    PageData {
        title: &report.title,
        viewer: ViewerData::of_tournament(report.games, &names),
        setup: &report.setup,
        counted: board.games,
        distinct: board.distinct_games(),
        warnings: board.evidence().flat_map(|evidence| evidence.remarks()).collect(),
        uncounted: board.uncounted,
        broken_claims: board.broken_claims,
        crosstable: crosstable.iter().map(|row| row.iter().map(results).collect()).collect(),
        terminations: board.terminations().map(|(end, count)| (end.as_str(), count)).collect(),
        sprt: report.sprt.map(|sprt| sprt_data(sprt, report, board)),
        first,
        elo: curves::elo_curves(report.games, board, &names, drawn),
        time: curves::time_by_ply(report.games, &names),
        depth: curves::depth_by_ply(report.games, &names),
        regularized: standings.regularized,
        standings: standings.rows.iter().map(standing_data).collect(),
    }
}

fn standing_data(totals: &PlayerTotals) -> StandingData {
    let faults = totals.faults.iter().map(|(fault, count)| (fault.as_str(), *count));
    StandingData {
        name: totals.name.clone(),
        results: results(&totals.tally),
        pairs: totals.tally.pairs,
        share: totals.share(),
        rating: totals.rating.map(curves::to_finite),
        superiority: likelihood_of_superiority(&totals.tally.sample()),
        faults: faults.collect(),
        broken_claims: totals.broken_claims,
        moves: totals.moves,
        mean_time: totals.mean_time(),
        greatest_over: totals.greatest_over.map(Seconds::as_f64),
        mean_depth: totals.mean_depth(),
    }
}

fn results(tally: &ScoreTally) -> Results {
    Results {
        games: tally.games(),
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        points: tally.points(),
        elo: logistic_elo(&tally.sample()).map(curves::to_finite),
    }
}

fn sprt_data(sprt: &SprtProgress, report: &HtmlReport<'_>, board: &Scoreboard) -> SprtData {
    let SprtProgress { test, player, opponent, decision, stopped } = sprt;
    let tally = board.tally(player, opponent);
    SprtData {
        player: player.clone(),
        opponent: opponent.clone(),
        elo0: test.elo0,
        elo1: test.elo1,
        alpha: test.alpha,
        beta: test.beta,
        model: test.model,
        bounds: test.bounds(),
        ratio: sprt.llr(board),
        decided_after: decision.map(|decision| decision.games),
        verdict: match decision.map(|decision| decision.verdict) {
            None if stopped.is_some() => "copies",
            None | Some(SprtVerdict::Continue) => "continue",
            Some(SprtVerdict::AcceptH0) => "h0",
            Some(SprtVerdict::AcceptH1) => "h1",
        },
        conclusion: sprt
            .conclusion_parts(board)
            .map(|(text, values)| (format!("{text}."), values.into_iter().collect())),
        pairs: tally.pairs,
        curve: curves::llr_curve(report.games, board, sprt),
    }
}
