//! `bench`: searches fixed positions to a fixed depth on one thread.
//!
//! The number of nodes is the signature of the search: the same on every machine, and changed only
//! by changes of the search.

use std::time::Duration;

use super::registry::{GameEntry, GameVisitor, RegisteredGame};
use super::settings::{EngineEvaluator, Settings};
use crate::rules::random_positions::random_unfinished;
use crate::rules::{Game, Record};
use crate::search::{Limits, OutOfMemory, SearchControl, SearchTask, Searcher};

const POSITIONS: u64 = 12;

/// The result of one bench position.
#[derive(Debug, Clone)]
pub struct BenchPosition {
    /// The position.
    pub fen: String,
    /// Nodes searched.
    pub nodes: u64,
}

/// Runs the benchmark of a game, calling `each` after each position; returns the total nodes and time,
/// or `None` if stopped.
///
/// # Errors
/// Fails if the search cannot allocate its memory.
pub fn run(
    entry: &GameEntry,
    control: &SearchControl,
    each: &mut dyn FnMut(&BenchPosition),
) -> Result<Option<(u64, Duration)>, OutOfMemory> {
    entry.visit(Bench { control, each })
}

/// The benchmark of one game.
struct Bench<'a> {
    control: &'a SearchControl,
    each: &'a mut dyn FnMut(&BenchPosition),
}

impl GameVisitor for Bench<'_> {
    type Output = Result<Option<(u64, Duration)>, OutOfMemory>;

    fn visit<R: RegisteredGame>(self) -> Self::Output {
        search_positions::<R::Game, R::Evaluation>(R::BENCH_DEPTH, self.control, self.each)
    }
}

fn search_positions<G: Game, E: EngineEvaluator<G>>(
    depth: u32,
    control: &SearchControl,
    each: &mut dyn FnMut(&BenchPosition),
) -> Result<Option<(u64, Duration)>, OutOfMemory> {
    let settings = Settings::default();
    let mut searcher = settings.alpha_beta::<G, E>()?;
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for number in 0..POSITIONS {
        let (pos, _) = random_unfinished::<G>(number, 4 * number as usize);
        let task = SearchTask {
            limits: Limits { depth: Some(depth), ..Limits::default() },
            ..SearchTask::new(Record::new(pos))
        };
        let report = searcher.search(&task, &control.child(), &mut |_| {});
        if control.is_stopped() {
            return Ok(None);
        }
        nodes += report.nodes;
        time += report.time;
        each(&BenchPosition { fen: pos.to_string(), nodes: report.nodes });
    }
    Ok(Some((nodes, time)))
}
