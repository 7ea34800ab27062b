//! What `go` and its kin do, as jobs that can run beside the loop.

use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::settings::Settings;
use super::voice::{Pace, Voice};
use crate::protocol::reply::{self, Dialect};
use crate::protocol::{Go, Perft};
use crate::rules::{Game, Record, Side, perft};
use crate::search::{
    Handicap, Limits, PlayerClock, PvLine, Score, SearchControl, SearchReport, SearchTask,
    Searcher, TimeBudget,
};
use crate::solve::{Oracle, RankedMove, principal_variation};

/// Work that ends with an answer to the client.
pub(super) type Job = Box<dyn FnOnce(&Voice) + Send>;

/// A searcher that lives on from search to search.
pub(super) type SharedSearcher<G> = Arc<Mutex<Box<dyn Searcher<G>>>>;

/// From the arguments of `go` to the limits of a search.
pub(super) fn limits(
    go: &Go<'_>,
    side: Side,
    max_plies_left: Option<u32>,
    settings: &Settings,
    dialect: Dialect,
) -> Limits {
    Limits {
        depth: go.depth,
        nodes: go.nodes,
        win_within: go.mate.map(|count| dialect.mate_plies(count)),
        budget: budget(go, side, max_plies_left, settings),
    }
}

fn budget(go: &Go<'_>, side: Side, max_plies_left: Option<u32>, settings: &Settings) -> TimeBudget {
    let milliseconds = |time: i64| Duration::from_millis(time.try_into().unwrap_or(0));
    if go.infinite {
        return TimeBudget::default();
    }
    // A client that names one clock only means the mover's, whichever it is.
    let own = |times: [Option<i64>; 2]| times[side.index()].or(times[side.other().index()]);
    let by_clock = own(go.time).map(|left| {
        let clock = PlayerClock {
            left: milliseconds(left),
            increment: own(go.increment).map_or(Duration::ZERO, milliseconds),
            moves_to_go: go.moves_to_go.filter(|moves| *moves > 0),
        };
        TimeBudget::share(clock, settings.overhead, max_plies_left, settings.ponder)
    });
    match (by_clock, go.move_time.map(milliseconds)) {
        (Some(share), Some(fixed)) => {
            let earlier = |time: Option<Duration>| time.map(|time| time.min(fixed));
            TimeBudget { soft: earlier(share.soft), hard: earlier(share.hard) }
        }
        (Some(share), None) => share,
        (None, Some(fixed)) => TimeBudget::fixed(fixed),
        (None, None) => TimeBudget::default(),
    }
}

/// What `go` comes to.
pub(super) struct Plan {
    /// The work.
    pub job: Job,
    /// Whether it is done at once.
    pub instant: bool,
    /// What was understood, for clients that debug.
    pub note: String,
}

/// The limits in words.
pub(super) fn describe(limits: &Limits, moves: usize) -> String {
    let mut text = format!("{moves} moves to choose from");
    let Limits { depth, nodes, win_within, budget } = limits;
    let mut add = |name: &str, value: Option<String>| {
        text += &value.map(|value| format!(", {name} {value}")).unwrap_or_default();
    };
    add("depth", depth.map(|depth| depth.to_string()));
    add("nodes", nodes.map(|nodes| nodes.to_string()));
    add("win within", win_within.map(|plies| format!("{plies} plies")));
    let time = |time: Option<Duration>| time.map(|time| format!("{} ms", time.as_millis()));
    add("begin nothing after", time(budget.soft));
    add("answer at", time(budget.hard));
    text
}

/// Searches and answers.
pub(super) fn search<G: Game>(
    searcher: SharedSearcher<G>,
    task: SearchTask<G>,
    handicap: Option<Handicap>,
) -> Job {
    let shown = task.line_count();
    Box::new(move |voice| {
        let mut pace = Pace::new(shown);
        let mut progress = |report: &SearchReport<G::Move>| {
            if handicap.is_none() && pace.allows(report.time) {
                voice.progress::<G>(report);
            }
        };
        let mut report = report(&searcher, task, handicap, voice.control(), &mut progress);
        report.lines.truncate(shown);
        voice.answer::<G>(&report);
    })
}

/// Searches; with a handicap the report is of all moves, and the move to play comes first.
pub(super) fn report<G: Game>(
    searcher: &SharedSearcher<G>,
    mut task: SearchTask<G>,
    handicap: Option<Handicap>,
    control: &SearchControl,
    progress: &mut dyn FnMut(&SearchReport<G::Move>),
) -> SearchReport<G::Move> {
    let complete = task.moves.len() == task.record.legal_moves().len();
    if let Some(handicap) = handicap {
        task.multi_pv = task.moves.len();
        task.limits = handicap.weaken(task.limits);
    }
    let mut searcher = searcher.lock().unwrap_or_else(PoisonError::into_inner);
    let mut report = searcher.search(&task, control, progress);
    if let Some(handicap) = handicap {
        handicap.choose_line(&mut report, task.position_seed());
    }
    // With some moves left out, or the best passed over, nothing is said of the root.
    report.proven = report.proven.filter(|_| complete && handicap.is_none());
    report
}

/// A report from exact values, with so many lines, or of all moves where there is a handicap;
/// `advice` holds the moves to choose from, the best first.
pub(super) fn exact_report<G: Game>(
    oracle: &mut impl Oracle<G>,
    record: &Record<G>,
    advice: &[RankedMove<G::Move>],
    lines: usize,
    handicap: Option<Handicap>,
    seed: u64,
) -> SearchReport<G::Move> {
    let complete = advice.len() == record.legal_moves().len();
    let line = |oracle: &mut _, advice: &RankedMove<G::Move>| PvLine {
        score: Score::Proven(advice.exact),
        moves: principal_variation(oracle, record, advice.mv),
        draw_share: None,
    };
    let shown = if handicap.is_some() { advice.len() } else { lines.min(advice.len()) };
    let lines: Vec<_> = advice[..shown].iter().map(|advice| line(oracle, advice)).collect();
    let depth = lines.first().map_or(0, |line| line.moves.len() as u32);
    let nodes = oracle.position_count() as u64;
    let time = Duration::ZERO;
    // With some moves left out, or the best passed over, nothing is said of the root.
    let proven = advice.first().map(|best| best.exact).filter(|_| complete && handicap.is_none());
    let mut report =
        SearchReport { depth, selective_depth: depth, lines, proven, nodes, time, hash_full: 0 };
    if let Some(handicap) = handicap {
        handicap.choose_line(&mut report, seed);
    }
    report
}

/// Answers with a report that is there already.
pub(super) fn told<G: Game>(mut report: SearchReport<G::Move>) -> Job {
    Box::new(move |voice| {
        report.time = voice.control().elapsed();
        voice.answer::<G>(&report);
    })
}

/// Tells the value of each move: exact ones as they are, others after a short search of each.
pub(super) fn values<G: Game>(searcher: SharedSearcher<G>, task: SearchTask<G>) -> Job {
    Box::new(move |voice| {
        let mut searcher = searcher.lock().unwrap_or_else(PoisonError::into_inner);
        let report = searcher.search(&task, voice.control(), &mut |_| {});
        let lines = report.lines.iter().map(|line| (line.moves[0], line.score));
        voice.conclude(&value_lines::<G>(voice, lines));
    })
}

/// As [`values`], where they are known.
pub(super) fn exact_values<G: Game>(advice: Vec<RankedMove<G::Move>>) -> Job {
    Box::new(move |voice| {
        let lines = advice.iter().map(|advice| (advice.mv, Score::Proven(advice.exact)));
        voice.conclude(&value_lines::<G>(voice, lines));
    })
}

fn value_lines<G: Game>(voice: &Voice, moves: impl Iterator<Item = (G::Move, Score)>) -> String {
    let mut text = String::new();
    for (mv, score) in moves {
        let _ = writeln!(text, "{} {}", voice.name::<G>(mv), value_text(score));
    }
    if text.is_empty() { "info string no legal moves, the game is over".to_owned() } else { text }
}

/// `win 3`, `draw`, `loss 2`, or `cp 31` where nothing is proven.
pub(super) fn value_text(score: Score) -> String {
    match score {
        Score::Proven(exact) => exact.to_string(),
        Score::Estimate(points) => format!("cp {points}"),
    }
}

/// Counts leaves.
pub(super) fn count<G: Game>(pos: G, perft: Perft, threads: usize) -> Job {
    Box::new(move |voice| {
        let control = voice.control();
        let Some(counts) = perft::divide(&pos, perft.depth, threads, control.stop_flag()) else {
            return voice.conclude("info string perft was stopped before its end");
        };
        let named = counts.into_iter().map(|(mv, leaves)| (voice.name::<G>(mv), leaves));
        let counts: Vec<_> = named.collect();
        voice.conclude(&reply::perft_text(&counts, perft.divide, control.elapsed()));
    })
}
