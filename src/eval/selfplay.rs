//! Games of the engine against itself, for training.
//!
//! A game begins with some random moves and goes on with the best ones of a short search, until it
//! is over or its end is proven. It depends on the seed and its number alone, so that a run that was
//! cut off can go on anywhere.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::ScopedJoinHandle;

use super::training_data::{PlayedGame, TrainingFile};
use crate::games::TixTax;
use crate::rules::random::mix64;
use crate::rules::{Game, Outcome, Record, SplitMix, Value};
use crate::search::{
    AlphaBeta, Evaluator, Limits, OutOfMemory, Points, SearchControl, SearchTask, Searcher,
};

/// MiB of table for the short searches; it is emptied before each game.
const TABLE: usize = 1;
/// A game begins with fewer random moves than this.
const RANDOM_PLIES: usize = 16;
/// Where a search sees a side further ahead than this after the random moves, others are drawn.
const UNEVEN: Points = 400;

/// How games are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SelfPlay {
    /// Where the random choices begin.
    pub seed: u64,
    /// Positions to visit for each move.
    pub nodes: u64,
}

impl std::fmt::Display for SelfPlay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "seed {} nodes {}", self.seed, self.nodes)
    }
}

/// Plays all games of these numbers that are not in `file` yet, on so many threads.
/// `progress` is called after each game that was added.
///
/// # Errors
/// When there is no memory or a game cannot be written; the games before it are.
pub fn fill<E: Evaluator<TixTax> + Sync>(
    file: TrainingFile,
    play: SelfPlay,
    evaluator: &E,
    games: Range<u64>,
    threads: usize,
    control: &SearchControl,
    progress: &(dyn Fn(&TrainingFile) + Sync),
) -> Result<TrainingFile, FillError> {
    let file = Mutex::new(file);
    let next = AtomicU64::new(games.start);
    let has_failed = AtomicBool::new(false);
    let play_on = || -> Result<(), FillError> {
        let mut player = SelfPlayer::new(play, evaluator.clone())?;
        while !control.is_stopped() && !has_failed.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games.end {
                break;
            }
            if file.lock().unwrap_or_else(PoisonError::into_inner).has(number) {
                continue;
            }
            let Some(game) = player.play(number, control) else { break };
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            file.add(&game)?;
            progress(&file);
        }
        Ok(())
    };
    // Where one thread cannot go on, the others finish their games and leave it at that.
    let work = || play_on().inspect_err(|_| has_failed.store(true, Ordering::Relaxed));
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let join = |handle: ScopedJoinHandle<'_, _>| {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        others.into_iter().map(join).fold(own, Result::and)
    })?;
    Ok(file.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Why no more games were played.
#[derive(Debug, thiserror::Error)]
pub enum FillError {
    /// A game could not be written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// No memory for a table.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

struct SelfPlayer<E> {
    play: SelfPlay,
    searcher: AlphaBeta<TixTax, E>,
}

impl<E: Evaluator<TixTax>> SelfPlayer<E> {
    fn new(play: SelfPlay, evaluator: E) -> Result<Self, OutOfMemory> {
        Ok(Self { play, searcher: AlphaBeta::new(evaluator, TABLE)? })
    }

    /// Plays a game; `None` when stopped.
    fn play(&mut self, number: u64, control: &SearchControl) -> Option<PlayedGame> {
        let mut random = SplitMix::new(mix64(self.play.seed) ^ mix64(!number));
        loop {
            self.searcher.clear();
            let pos = random_opening(&mut random);
            if let Some((samples, outcome)) = self.play_from(pos, control) {
                return Some(PlayedGame { number, samples, outcome });
            }
            if control.is_stopped() {
                return None;
            }
        }
    }

    /// Plays from a position to the end; `None` where it is too uneven, or when stopped.
    fn play_from(
        &mut self,
        mut pos: TixTax,
        control: &SearchControl,
    ) -> Option<(Vec<(TixTax, Points)>, Outcome)> {
        let mut samples = Vec::with_capacity(81);
        loop {
            if let Some(outcome) = pos.outcome() {
                return Some((samples, outcome));
            }
            let task = SearchTask {
                limits: Limits { nodes: Some(self.play.nodes), ..Limits::default() },
                ..SearchTask::new(Record::new(pos))
            };
            let report = self.searcher.search(&task, &control.child(), &mut |_| {});
            if control.is_stopped() {
                return None;
            }
            let points = report.lines.first()?.score.points();
            if samples.is_empty() && points.abs() > UNEVEN {
                return None;
            }
            samples.push((pos, points));
            if let Some(proven) = report.proven {
                let outcome = match proven.value() {
                    Value::Win => Outcome::Win(pos.side()),
                    Value::Draw => Outcome::Draw,
                    Value::Loss => Outcome::Win(pos.side().other()),
                };
                return Some((samples, outcome));
            }
            pos = pos.after(report.best_move()?);
        }
    }
}

/// A position some random moves from the start.
fn random_opening(random: &mut SplitMix) -> TixTax {
    loop {
        let mut pos = TixTax::start();
        for _ in 0..random.below(RANDOM_PLIES) {
            if pos.outcome().is_none() {
                pos.play_unchecked(pos.random_move(random));
            }
        }
        if pos.outcome().is_none() {
            return pos;
        }
    }
}
