//! Jobs: the work behind `go`, `perft`, `values` and `bench`, runnable on a background thread.

use std::fmt::{self, Display, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::bench;
use super::registry::GameEntry;
use super::responder::{InfoRateLimit, Responder};
use super::settings::Settings;
use crate::printing::plural;
use crate::protocol::reply::{self, Dialect};
use crate::protocol::{GoOptions, PerftOptions};
use crate::rules::{Game, Record, Side, perft};
use crate::search::{
    Handicap, Limits, PlayerClock, PvLine, Score, SearchControl, SearchReport, SearchTask,
    Searcher, TimeBudget,
};
use crate::solve::{Oracle, RankedMove, principal_variation};

/// Work that ends by answering the client.
pub(crate) type EngineJob = Box<dyn FnOnce(&Responder) + Send>;

/// A searcher kept from one search to the next.
pub(crate) type SharedSearcher<G> = Arc<Mutex<Box<dyn Searcher<G>>>>;

/// A job, and how it should be run.
pub struct PlannedJob {
    pub(crate) job: EngineJob,
    /// Whether the job is fast enough to run on the input loop.
    pub(crate) is_instant: bool,
}

/// Searches with a shorter time limit run on the input loop: waking another thread could take longer
/// than the search.
const MAX_INSTANT_TIME: Duration = Duration::from_millis(2);

impl PlannedJob {
    pub(crate) fn instant(job: EngineJob) -> Self {
        Self { job, is_instant: true }
    }

    pub(crate) fn background(job: EngineJob) -> Self {
        Self { job, is_instant: false }
    }

    /// A search within these limits.
    pub(crate) fn search(job: EngineJob, limits: &Limits) -> Self {
        let is_instant = limits.budget.hard.is_some_and(|hard| hard < MAX_INSTANT_TIME);
        Self { job, is_instant }
    }
}

/// How `go` was understood; shown to clients that switched debugging on.
pub enum SearchSummary {
    /// The game is over, so there is nothing to search.
    GameOver,
    /// A search.
    Search {
        /// The number of candidate moves.
        candidates: usize,
        /// The limits.
        limits: Limits,
    },
}

impl Display for SearchSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Search { candidates, limits } = self else {
            return f.write_str("the game is over");
        };
        let Limits { depth, nodes, win_within, budget } = limits;
        f.write_str(&plural(*candidates, "candidate move"))?;
        if let Some(depth) = depth {
            write!(f, ", depth {depth}")?;
        }
        if let Some(nodes) = nodes {
            write!(f, ", nodes {nodes}")?;
        }
        if let Some(plies) = win_within {
            write!(f, ", win within {}", plural(*plies, "ply"))?;
        }
        if let Some(time) = budget.soft {
            write!(f, ", soft time limit {} ms", time.as_millis())?;
        }
        if let Some(time) = budget.hard {
            write!(f, ", hard time limit {} ms", time.as_millis())?;
        }
        Ok(())
    }
}

/// Converts the arguments of `go` to search limits.
pub(crate) fn search_limits(
    go: &GoOptions<'_>,
    side: Side,
    max_plies_left: Option<u32>,
    settings: &Settings,
    dialect: Dialect,
) -> Limits {
    Limits {
        depth: go.depth,
        nodes: go.nodes,
        win_within: go.mate.map(|count| dialect.mate_plies(count)),
        budget: time_budget(go, side, max_plies_left, settings),
    }
}

fn time_budget(
    go: &GoOptions<'_>,
    side: Side,
    max_plies_left: Option<u32>,
    settings: &Settings,
) -> TimeBudget {
    let milliseconds = |time: i64| Duration::from_millis(time.try_into().unwrap_or(0));
    if go.infinite {
        return TimeBudget::default();
    }
    // A client that sends only one clock means the clock of the side to move.
    let [mover, other] = [side, side.other()].map(Side::index);
    let clock = if go.time[mover].is_some() { mover } else { other };
    let by_clock = go.time[clock].map(|left| {
        let clock = PlayerClock {
            left: milliseconds(left),
            increment: go.increment[clock].map_or(Duration::ZERO, milliseconds),
            moves_to_go: go.moves_to_go.filter(|moves| *moves > 0),
        };
        TimeBudget::share(clock, settings.move_overhead, max_plies_left, settings.ponder)
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

/// Returns the job that searches and sends `bestmove`.
pub(crate) fn search_job<G: Game>(
    searcher: SharedSearcher<G>,
    task: SearchTask<G>,
    handicap: Option<Handicap>,
) -> EngineJob {
    let line_count = task.line_count();
    Box::new(move |responder| {
        let mut rate_limit = InfoRateLimit::new(line_count);
        // With a handicap the lines would reveal moves better than the one that is played.
        let mut progress = |report: &SearchReport<G::Move>| {
            if handicap.is_none() && rate_limit.allows(report.time) {
                responder.send_info::<G>(report);
            }
        };
        let mut report = run_search(&searcher, task, handicap, responder.control(), &mut progress);
        // Once the answer is out, the session may replace the searcher.
        drop(searcher);
        report.lines.truncate(line_count);
        responder.send_best_move::<G>(&report);
    })
}

/// Searches. With a handicap the report covers all moves, the one to play first.
pub(crate) fn run_search<G: Game>(
    searcher: &SharedSearcher<G>,
    mut task: SearchTask<G>,
    handicap: Option<Handicap>,
    control: &SearchControl,
    progress: &mut dyn FnMut(&SearchReport<G::Move>),
) -> SearchReport<G::Move> {
    let is_complete = task.moves.len() == task.record.legal_moves().len();
    if let Some(handicap) = handicap {
        task.multi_pv = task.moves.len();
        task.limits = handicap.weaken(task.limits);
    }
    let mut searcher = searcher.lock().unwrap_or_else(PoisonError::into_inner);
    let mut report = searcher.search(&task, control, progress);
    if let Some(handicap) = handicap {
        handicap.choose_line(&mut report, task.position_seed());
    }
    // If moves were excluded or the best one was passed over, the root value is unknown.
    report.proven = report.proven.filter(|_| is_complete && handicap.is_none());
    report
}

/// Builds a report from exact values. `ranked` holds the candidate moves, best first; the report
/// covers the first `multi_pv` of them, or all with a handicap.
pub(crate) fn build_exact_report<G: Game>(
    oracle: &mut impl Oracle<G>,
    record: &Record<G>,
    ranked: &[RankedMove<G::Move>],
    multi_pv: usize,
    handicap: Option<Handicap>,
    seed: u64,
) -> SearchReport<G::Move> {
    let is_complete = ranked.len() == record.legal_moves().len();
    let line = |oracle: &mut _, ranked: &RankedMove<G::Move>| PvLine {
        score: Score::Proven(ranked.exact.into()),
        moves: principal_variation(oracle, record, ranked.mv),
        draw_share: 0.0,
    };
    let line_count = if handicap.is_some() { ranked.len() } else { multi_pv.min(ranked.len()) };
    let lines: Vec<_> = ranked[..line_count].iter().map(|ranked| line(oracle, ranked)).collect();
    let depth = lines.first().map_or(0, |line| line.moves.len() as u32);
    let nodes = oracle.position_count() as u64;
    let time = Duration::ZERO;
    // If moves were excluded or the best one was passed over, the root value is unknown.
    let proven =
        ranked.first().map(|best| best.exact.into()).filter(|_| is_complete && handicap.is_none());
    let mut report =
        SearchReport { depth, selective_depth: depth, lines, proven, nodes, time, hash_full: 0 };
    if let Some(handicap) = handicap {
        handicap.choose_line(&mut report, seed);
    }
    report
}

/// Returns the job that sends an existing report.
pub(crate) fn report_job<G: Game>(mut report: SearchReport<G::Move>) -> EngineJob {
    Box::new(move |responder| {
        report.time = responder.control().elapsed();
        responder.send_best_move::<G>(&report);
    })
}

/// Returns the job that searches each move and sends its value.
pub(crate) fn values_job<G: Game>(searcher: SharedSearcher<G>, task: SearchTask<G>) -> EngineJob {
    Box::new(move |responder| {
        let report = run_search(&searcher, task, None, responder.control(), &mut |_| {});
        drop(searcher);
        let scores = report.lines.iter().map(|line| (line.moves[0], line.score));
        responder.finish(&value_lines::<G>(responder, scores));
    })
}

/// Returns the job that sends the exact value of each move.
pub(crate) fn exact_values_job<G: Game>(ranked: Vec<RankedMove<G::Move>>) -> EngineJob {
    Box::new(move |responder| {
        let scores = ranked.iter().map(|ranked| (ranked.mv, Score::Proven(ranked.exact.into())));
        responder.finish(&value_lines::<G>(responder, scores));
    })
}

fn value_lines<G: Game>(
    responder: &Responder,
    scores: impl Iterator<Item = (G::Move, Score)>,
) -> String {
    let (mut text, mut count) = (String::new(), 0);
    for (mv, score) in scores {
        let _ = writeln!(text, "{} {}", responder.move_name::<G>(mv), value_text(score));
        count += 1;
    }
    if count == 0 {
        text.push_str("info string no legal moves, the game is over\n");
    }
    text + &reply::move_count_line(count)
}

/// `win 3`, `draw` or `loss 2` if proven, otherwise `cp 31`.
pub(crate) fn value_text(score: Score) -> String {
    match score {
        Score::Proven(exact) => exact.to_string(),
        Score::Estimate(points) => format!("cp {points}"),
    }
}

/// Returns the job that counts leaves.
pub(crate) fn perft_job<G: Game>(pos: G, perft: PerftOptions, threads: usize) -> EngineJob {
    Box::new(move |responder| {
        let control = responder.control();
        let Some(counts) = perft::divide(&pos, perft.depth, threads, control.stop_flag()) else {
            return responder.finish("info string perft stopped before it was complete");
        };
        let named = counts.into_iter().map(|(mv, leaves)| (responder.move_name::<G>(mv), leaves));
        let counts: Vec<_> = named.collect();
        responder.finish(&reply::perft_text(&counts, perft.divide, control.elapsed()));
    })
}

/// Returns the job that runs the benchmark of a game.
pub(crate) fn bench_job(game: &'static GameEntry) -> EngineJob {
    Box::new(move |responder| {
        let result = bench::run(game, responder.control(), &mut |step| {
            responder.send(&format!("info string {} nodes in {}", step.nodes, step.fen));
        });
        responder.finish(&match result {
            Ok(Some((nodes, time))) => reply::speed_line(nodes, time),
            Ok(None) => "info string bench stopped before it was complete".to_owned(),
            Err(error) => reply::error_line(&error),
        });
    })
}
