//! Self-play games for training.
//!
//! A game starts with random moves and continues with the best moves of a short search, until it is
//! over or its value is proven. A search mostly evaluates positions after mistakes, so most games are
//! branches: they leave a line of best moves by a few random ones, and only the positions after these
//! are recorded. A game depends only on the settings and its number, so an interrupted run can resume
//! anywhere.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::ScopedJoinHandle;

use super::settings::{EngineEvaluator, Settings};
use super::{Analyzer, SearchRequest};
use crate::eval::training_data::{PlayedGame, TrainingFile};
use crate::eval::{EmbeddedNet, HandcraftedEval, Net};
use crate::games::tixtax::{ClosedRule, CountRule, Rule, TixTaxMove, Ultimate};
use crate::rules::random::mix64;
use crate::rules::random_positions::after_random_moves;
use crate::rules::{Game, Outcome, Record, SplitMix};
use crate::search::{Limits, OutOfMemory, Points, SearchControl, SearchReport};
use crate::solve::Unsolved;

/// Memory of the searcher in MiB; its tables are cleared before each game.
const HASH: usize = 1;
/// The number of random moves at the start of a game. With fewer, many games would be the same.
const RANDOM_PLIES: Range<usize> = 4..16;
/// Branches for each game that is recorded from the end of its random moves.
const BRANCHES: usize = 3;
/// The number of best moves before a branch.
const LINE_PLIES: Range<usize> = 0..36;
/// These moves are searched with this fraction (1/8) of the nodes per move.
const LINE_NODES_DIVISOR: u64 = 8;
/// The number of random moves that start a branch.
const BRANCH_PLIES: Range<usize> = 1..4;
/// Openings with a score beyond this are discarded.
const MAX_OPENING_SCORE: Points = 400;
const MAX_BRANCH_SCORE: Points = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SelfPlaySettings {
    pub seed: u64,
    /// Nodes per move.
    pub nodes: u64,
}

impl std::fmt::Display for SelfPlaySettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "seed {} nodes {} branches {BRANCHES}", self.seed, self.nodes)
    }
}

/// A game that is played for training.
#[derive(Debug, Clone, Copy)]
pub struct TrainedGame {
    pub id: &'static str,
    pub embedded_net: fn() -> Result<Net, OutOfMemory>,
    /// Plays the games of a run that the file lacks. Fails if an allocation fails or a game cannot be
    /// written; the games before it are kept.
    pub play: fn(TrainingFile, &SelfPlayRun<'_>) -> Result<TrainingFile, SelfPlayError>,
}

/// The games to play and how.
pub struct SelfPlayRun<'a> {
    pub settings: SelfPlaySettings,
    /// The network that plays; without one, the handcrafted evaluation does.
    pub net: Option<&'a Net>,
    pub games: Range<u64>,
    /// The number of games to play at once.
    pub threads: usize,
    pub control: &'a SearchControl,
    /// Called after each game.
    pub progress: &'a (dyn Fn(&TrainingFile) + Sync),
}

impl TrainedGame {
    /// The games with a network of their own; the first is the default.
    pub const ALL: &[Self] = &[Self::of::<ClosedRule>(), Self::of::<CountRule>()];

    /// How games are played, as a file of them says.
    #[must_use]
    pub fn description(&self, settings: &SelfPlaySettings, net: Option<&Net>) -> String {
        let evaluation =
            net.map_or("handcrafted".to_owned(), |net| format!("{:08x}", net.fingerprint()));
        format!("game {} {settings} evaluation {evaluation}", self.id)
    }

    const fn of<R: EmbeddedNet>() -> Self {
        Self { id: R::ID, embedded_net: R::embedded_net, play: play_with::<R> }
    }
}

fn play_with<R: EmbeddedNet>(
    file: TrainingFile,
    run: &SelfPlayRun<'_>,
) -> Result<TrainingFile, SelfPlayError> {
    if run.net.is_some() {
        play_games::<R, Net>(file, run)
    } else {
        play_games::<R, HandcraftedEval>(file, run)
    }
}

fn play_games<R: Rule, E: EngineEvaluator<Ultimate<R>>>(
    file: TrainingFile,
    run: &SelfPlayRun<'_>,
) -> Result<TrainingFile, SelfPlayError> {
    let file = Mutex::new(file);
    let next = AtomicU64::new(run.games.start);
    let has_failed = AtomicBool::new(false);
    let run_worker = || -> Result<(), SelfPlayError> {
        let mut player = SelfPlayer::<R, E>::new(run.settings, run.net);
        while !run.control.is_stopped() && !has_failed.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= run.games.end {
                break;
            }
            if file.lock().unwrap_or_else(PoisonError::into_inner).contains(number) {
                continue;
            }
            let Some(game) = player.play(number, run.control)? else { break };
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            file.add(&game)?;
            (run.progress)(&file);
        }
        Ok(())
    };
    // If one thread fails, the others finish their current games.
    let work = || run_worker().inspect_err(|_| has_failed.store(true, Ordering::Relaxed));
    std::thread::scope(|scope| {
        // If no more threads can be started, the running ones do the work.
        let start = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..run.threads).map_while(start).collect();
        let own = work();
        let join = |handle: ScopedJoinHandle<'_, _>| {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        others.into_iter().map(join).fold(own, Result::and)
    })?;
    Ok(file.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Why self-play ended early.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// A game could not be written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The tables could not be allocated.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

/// The positions of a game with their scores.
type ScoredPositions<R> = Vec<(Ultimate<R>, Points)>;

/// `None` if the game was given up or the run was stopped.
type Played<T> = Result<Option<T>, OutOfMemory>;

struct SelfPlayer<R: Rule, E> {
    settings: SelfPlaySettings,
    analyzer: Analyzer<Ultimate<R>, Unsolved, E>,
}

impl<R: Rule, E: EngineEvaluator<Ultimate<R>>> SelfPlayer<R, E> {
    fn new(settings: SelfPlaySettings, net: Option<&Net>) -> Self {
        let engine = Settings { hash: HASH, net: net.cloned(), ..Settings::default() };
        Self { settings, analyzer: Analyzer::new(Unsolved, engine, None) }
    }

    /// Plays a game; `None` if stopped.
    fn play(&mut self, number: u64, control: &SearchControl) -> Played<PlayedGame<R>> {
        let mut random = SplitMix::new(mix64(self.settings.seed) ^ mix64(!number));
        loop {
            self.analyzer.clear_searcher();
            if let Some((opening, max_score)) = self.opening(&mut random, control)?
                && let Some((samples, outcome)) = self.play_from(opening, max_score, control)?
            {
                return Ok(Some(PlayedGame { number, samples, outcome }));
            }
            if control.is_stopped() {
                return Ok(None);
            }
        }
    }

    /// Returns a position to play from and the largest score allowed there; `None` if the game ends on
    /// the way or the run is stopped.
    fn opening(
        &mut self,
        random: &mut SplitMix,
        control: &SearchControl,
    ) -> Played<(Ultimate<R>, Points)> {
        let plies = number_in(RANDOM_PLIES, random);
        let opening = after_random_moves(Ultimate::start(), plies, random);
        let Some(mut pos) = opening else { return Ok(None) };
        if random.below(1 + BRANCHES) == 0 {
            return Ok(Some((pos, MAX_OPENING_SCORE)));
        }
        let line_nodes = (self.settings.nodes / LINE_NODES_DIVISOR).max(1);
        for _ in 0..number_in(LINE_PLIES, random) {
            let best = self.search(pos, line_nodes, control)?.best_move();
            let Some(mv) = best.filter(|_| !control.is_stopped()) else { return Ok(None) };
            pos.play_unchecked(mv);
            if pos.outcome().is_some() {
                return Ok(None);
            }
        }
        let plies = number_in(BRANCH_PLIES, random);
        let branch = after_random_moves(pos, plies, random);
        Ok(branch.map(|branch| (branch, MAX_BRANCH_SCORE)))
    }

    fn search(
        &mut self,
        pos: Ultimate<R>,
        nodes: u64,
        control: &SearchControl,
    ) -> Result<SearchReport<TixTaxMove>, OutOfMemory> {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let request = SearchRequest { limits, ..Settings::default().request() };
        self.analyzer.analyze(&Record::new(pos), &request, &control.child(), &mut |_| {})
    }

    /// Plays from a position to the end; `None` if its score is beyond `max_score` or the run is stopped.
    fn play_from(
        &mut self,
        mut pos: Ultimate<R>,
        max_score: Points,
        control: &SearchControl,
    ) -> Played<(ScoredPositions<R>, Outcome)> {
        let mut samples = Vec::with_capacity(81);
        loop {
            if let Some(outcome) = pos.outcome() {
                return Ok(Some((samples, outcome)));
            }
            let report = self.search(pos, self.settings.nodes, control)?;
            let Some(best) = report.best_move().filter(|_| !control.is_stopped()) else {
                return Ok(None);
            };
            let points = report.score().points();
            if samples.is_empty() && points.abs() > max_score {
                return Ok(None);
            }
            samples.push((pos, points));
            if let Some(proven) = report.proven {
                return Ok(Some((samples, proven.value().outcome_for(pos.side()))));
            }
            pos = pos.after(best);
        }
    }
}

/// Returns a random number from a range.
fn number_in(range: Range<usize>, random: &mut SplitMix) -> usize {
    range.start + random.below(range.len())
}
