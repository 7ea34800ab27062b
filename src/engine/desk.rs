//! The desk: one game in play, with all that is needed to play it.
//!
//! [`Desk`] is what the session sees, whatever the game; [`Table`] is the one implementation, over
//! any [`Game`] with its oracle and its evaluation.

use std::marker::PhantomData;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::EngineError;
use super::bench::{self, BenchStep};
use super::openings::{self, OpeningRequest, Openings};
use super::settings::{Choice, Judge, SKILL_MAX, Settings};
use super::voice::move_name;
use super::work::{self, Job, Plan, SharedSearcher};
use crate::protocol::reply::{self, Dialect};
use crate::protocol::{Go, Perft, Setup};
use crate::rules::drawing::{BoardLayout, Label, SpotContent};
use crate::rules::{ExactValue, Game, Notation, Outcome, Record, Side, perft};
use crate::search::{
    AlphaBeta, Limits, Mcts, OutOfMemory, PvLine, RandomMover, Score, SearchControl, SearchReport,
    SearchTask, Searcher, TimeBudget,
};
use crate::solve::{Oracle, RankedMove, rank_moves};

/// A game in play.
pub trait Desk: Send {
    /// Puts up a position and plays moves; all or nothing.
    ///
    /// # Errors
    /// When the position or a move is refused.
    fn set_up(&mut self, setup: &Setup<'_>, moves: &[&str]) -> Result<(), EngineError>;

    /// Plays moves from where the game stands; all or nothing.
    ///
    /// # Errors
    /// When a move is refused.
    fn append(&mut self, moves: &[&str]) -> Result<(), EngineError>;

    /// Whether games between people begin in a random position.
    fn begins_at_random(&self) -> bool;

    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// Who is to move.
    fn side(&self) -> Side;

    /// The FEN.
    fn fen(&self) -> String;

    /// The board for people.
    fn diagram(&self) -> String;

    /// The empty board as a picture, where the game has one.
    fn layout(&self) -> Option<BoardLayout>;

    /// What each spot of [`Desk::layout`] shows.
    fn spot_contents(&self) -> Vec<SpotContent>;

    /// What is written beside the board in this position.
    fn extra_labels(&self) -> Vec<Label>;

    /// The legal moves, sorted, in a notation; in the game's own where it has no such notation.
    fn legal(&self, notation: Notation) -> Vec<String>;

    /// The notations of the game; its own is the first.
    fn notations(&self) -> Vec<Notation>;

    /// The game's own name of the move that a person means who types this; whether it is legal is
    /// another question.
    ///
    /// # Errors
    /// When it is no move.
    fn parse_typed_move(&self, text: &str) -> Result<String, EngineError>;

    /// The game's own name of a move, in whatever notation it is given.
    ///
    /// # Errors
    /// When it is no move; whether it is legal is another question.
    fn move_name(&self, text: &str) -> Result<String, EngineError>;

    /// The game so far in a notation.
    ///
    /// # Errors
    /// When the notation cannot tell the position that was set.
    fn transcript(&self, notation: Notation) -> Result<Transcript, EngineError>;

    /// Positions of this game to begin matches from; what is on the desk does not matter.
    ///
    /// # Errors
    /// When there is no memory for the search that looks for balance.
    fn openings(&self, request: &OpeningRequest) -> Result<Openings, EngineError>;

    /// What the position is worth to the mover, and each move as far as that is known: exact where
    /// the game is solved or it can be proven under the terms, else what a search under them says.
    ///
    /// # Errors
    /// When there is no memory for the search.
    fn appraise(
        &mut self,
        terms: &Terms,
        control: &SearchControl,
    ) -> Result<Appraisal, EngineError>;

    /// Leaf counts behind each move; `None` if stopped.
    fn perft(&self, depth: u32, threads: usize, stop: &AtomicBool) -> Option<Vec<(String, u64)>>;

    /// Runs the game's bench; `None` if stopped.
    ///
    /// # Errors
    /// When there is no memory for it.
    fn bench(
        &self,
        control: &SearchControl,
        each: &mut dyn FnMut(&BenchStep),
    ) -> Result<Option<(u64, Duration)>, OutOfMemory>;
}

/// A game as it is handed on: the position that was set and the moves since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// The position that was set.
    pub position: String,
    /// The moves since, in the same notation.
    pub moves: Vec<String>,
}

/// How long and how well a position is thought about.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    /// The time for a search.
    pub time: Duration,
    /// The level of `Skill Level`.
    pub level: u32,
    /// The seed of what chance decides at a weak level.
    pub seed: u64,
}

impl Terms {
    /// The highest level: nothing is held back.
    pub const FULL: u32 = SKILL_MAX;

    /// As well as possible in so much time.
    #[must_use]
    pub fn full(time: Duration) -> Self {
        Self { time, level: Self::FULL, seed: 0 }
    }
}

/// What a position is worth.
#[derive(Debug, Clone)]
pub struct Appraisal {
    /// The value for the mover.
    pub score: Score,
    /// Moves whose value is known, with that value for the mover.
    pub moves: Vec<(String, Score)>,
    /// The move to play, and how the game would go on; none where it is over.
    pub line: Vec<String>,
}

/// The part of a desk that makes jobs for the session.
pub(super) trait Workplace: Desk {
    /// Makes ready for a search, so that `go` need not.
    fn prepare(&mut self, settings: &Settings) -> Result<(), EngineError>;

    /// Lets go of what was made ready; settings have changed.
    fn rebuild(&mut self);

    /// Forgets what earlier searches found out.
    fn forget(&mut self);

    /// The job that answers `go`.
    fn go(
        &mut self,
        go: &Go<'_>,
        settings: &Settings,
        dialect: Dialect,
    ) -> Result<Plan, EngineError>;

    /// The job that answers `perft`.
    fn perft_job(&self, perft: Perft, threads: usize) -> Job;

    /// The job that answers `bench`.
    fn bench_job(&self) -> Job;

    /// The value of the position: exact where it is known, else the evaluation's.
    fn evaluation(&mut self, settings: &Settings) -> Result<Score, EngineError>;

    /// The job that answers `values`, and whether it is done at once.
    fn values_job(&mut self, settings: &Settings) -> Result<(Job, bool), EngineError>;
}

/// A game in play, with its oracle and its searcher.
pub(super) struct Table<G: Game, O, E> {
    record: Record<G>,
    oracle: O,
    searcher: Option<SharedSearcher<G>>,
    bench_depth: u32,
    evaluator: PhantomData<fn() -> E>,
}

impl<G: Game, O: Oracle<G>, E: Judge<G>> Table<G, O, E> {
    pub(super) fn new(bench_depth: u32) -> Self {
        Self {
            record: Record::new(G::start()),
            oracle: O::default(),
            searcher: None,
            bench_depth,
            evaluator: PhantomData,
        }
    }

    /// Whether the settings leave the game to the oracle.
    fn is_solved(settings: &Settings) -> bool {
        O::IS_SOLVED && settings.searcher == Choice::Auto
    }

    fn searcher(&mut self, settings: &Settings) -> Result<SharedSearcher<G>, EngineError> {
        if let Some(searcher) = &self.searcher {
            return Ok(Arc::clone(searcher));
        }
        let fresh: Box<dyn Searcher<G>> = match settings.searcher {
            Choice::Auto | Choice::AlphaBeta => {
                Box::new(AlphaBeta::<G, E>::new(E::from_settings(settings)?, settings.hash)?)
            }
            Choice::Mcts => Box::new(Mcts::new(settings.hash)),
            Choice::Random => Box::new(RandomMover),
        };
        let shared = Arc::new(Mutex::new(fresh));
        self.searcher = Some(Arc::clone(&shared));
        Ok(shared)
    }

    /// The moves a search may choose from.
    fn allowed(&self, wanted: &[&str]) -> Result<Vec<G::Move>, EngineError> {
        let pos = self.record.position();
        let legal = self.record.legal_moves();
        if wanted.is_empty() {
            return Ok(legal);
        }
        let mut allowed = Vec::new();
        for text in wanted {
            let mv = pos.parse_move(text)?;
            if !legal.contains(&mv) {
                return Err(self.record.illegal(text).into());
            }
            if !allowed.contains(&mv) {
                allowed.push(mv);
            }
        }
        Ok(allowed)
    }

    fn task(&self, moves: Vec<G::Move>, limits: Limits, settings: &Settings) -> SearchTask<G> {
        SearchTask {
            record: self.record.clone(),
            moves,
            limits,
            multi_pv: settings.lines,
            threads: settings.threads,
            seed: settings.seed,
        }
    }

    /// What the oracle says of these moves, the one to play first.
    fn look_up(&mut self, moves: &[G::Move], settings: &Settings) -> SearchReport<G::Move> {
        let advice = self.advice(moves);
        let seed = self.task(moves.to_vec(), Limits::default(), settings).position_seed();
        let (lines, handicap) = (settings.lines, settings.handicap());
        work::exact_report(&mut self.oracle, &self.record, &advice, lines, handicap, seed)
    }

    fn advice(&mut self, moves: &[G::Move]) -> Vec<RankedMove<G::Move>> {
        let mut advice = rank_moves(&mut self.oracle, &self.record);
        advice.retain(|advice| moves.contains(&advice.mv));
        advice
    }
}

impl<G: Game, O: Oracle<G>, E: Judge<G>> Desk for Table<G, O, E> {
    fn set_up(&mut self, setup: &Setup<'_>, moves: &[&str]) -> Result<(), EngineError> {
        let first = match *setup {
            Setup::Start => G::start(),
            Setup::Fen(fen) => {
                let refuse = |source| EngineError::Fen { fen: fen.to_owned(), source };
                fen.parse().map_err(refuse)?
            }
            Setup::Random { seed, plies } => {
                let plies = plies.map_or(G::OPENING_PLIES, |plies| plies as usize);
                bench::random_position(seed, plies)
            }
        };
        let mut record = Record::new(first);
        moves.iter().try_for_each(|text| record.push_text(text))?;
        self.record = record;
        Ok(())
    }

    fn append(&mut self, moves: &[&str]) -> Result<(), EngineError> {
        let mut record = self.record.clone();
        moves.iter().try_for_each(|text| record.push_text(text))?;
        self.record = record;
        Ok(())
    }

    fn begins_at_random(&self) -> bool {
        G::HAS_RANDOM_START
    }

    fn outcome(&self) -> Option<Outcome> {
        self.record.outcome()
    }

    fn side(&self) -> Side {
        self.record.position().side()
    }

    fn fen(&self) -> String {
        self.record.position().to_string()
    }

    fn diagram(&self) -> String {
        self.record.position().diagram()
    }

    fn layout(&self) -> Option<BoardLayout> {
        G::layout()
    }

    fn spot_contents(&self) -> Vec<SpotContent> {
        self.record.position().spot_contents()
    }

    fn legal(&self, notation: Notation) -> Vec<String> {
        let name = |mv: &G::Move| move_name::<G>(*mv, notation);
        let mut names: Vec<String> = self.record.legal_moves().iter().map(name).collect();
        names.sort_unstable();
        names
    }

    fn notations(&self) -> Vec<Notation> {
        let writes = |notation: &Notation| G::start().write_as(*notation).is_some();
        Notation::ALL.into_iter().filter(writes).collect()
    }

    fn extra_labels(&self) -> Vec<Label> {
        self.record.position().extra_labels()
    }

    fn parse_typed_move(&self, text: &str) -> Result<String, EngineError> {
        Ok(self.record.position().parse_typed_move(text)?.to_string())
    }

    fn move_name(&self, text: &str) -> Result<String, EngineError> {
        Ok(self.record.position().parse_move(text)?.to_string())
    }

    fn transcript(&self, notation: Notation) -> Result<Transcript, EngineError> {
        let first = self.record.first();
        let write = |mv: &G::Move| G::write_move_as(*mv, notation);
        let position = first.write_as(notation);
        let moves = self.record.moves().iter().map(write).collect::<Option<Vec<_>>>();
        match (position, moves) {
            (Some(position), Some(moves)) => Ok(Transcript { position, moves }),
            _ => Err(EngineError::Inexpressible { fen: first.to_string(), notation }),
        }
    }

    fn openings(&self, request: &OpeningRequest) -> Result<Openings, EngineError> {
        openings::make::<G, O, E>(request)
    }

    fn appraise(
        &mut self,
        terms: &Terms,
        control: &SearchControl,
    ) -> Result<Appraisal, EngineError> {
        if let Some(outcome) = self.record.outcome() {
            let score = Score::Proven(ExactValue::finished(outcome, self.side()));
            return Ok(Appraisal { score, moves: Vec::new(), line: Vec::new() });
        }
        let lines = if O::IS_SOLVED { usize::MAX } else { 1 };
        let settings =
            Settings { skill: terms.level, seed: terms.seed, lines, ..Settings::default() };
        let moves = self.record.legal_moves();
        let report = if Self::is_solved(&settings) {
            self.look_up(&moves, &settings)
        } else {
            let limits = Limits { budget: TimeBudget::fixed(terms.time), ..Limits::default() };
            let task = self.task(moves, limits, &settings);
            let searcher = self.searcher(&settings)?;
            work::report(&searcher, task, settings.handicap(), control, &mut |_| {})
        };
        let name = |mv: &G::Move| mv.to_string();
        let first = report.lines.first();
        let judged = first.map_or(Score::Estimate(0), |line| line.score);
        let score = report.proven.map_or(judged, Score::Proven);
        let of_line = |line: &PvLine<G::Move>| (name(&line.moves[0]), line.score);
        let mut moves: Vec<_> = report.lines.iter().map(of_line).collect();
        if let [(_, best)] = &mut moves[..] {
            *best = score;
        }
        let line = first.map_or_else(Vec::new, |line| line.moves.iter().map(name).collect());
        Ok(Appraisal { score, moves, line })
    }

    fn perft(&self, depth: u32, threads: usize, stop: &AtomicBool) -> Option<Vec<(String, u64)>> {
        let counts = perft::divide(self.record.position(), depth, threads, stop)?;
        Some(counts.into_iter().map(|(mv, leaves)| (mv.to_string(), leaves)).collect())
    }

    fn bench(
        &self,
        control: &SearchControl,
        each: &mut dyn FnMut(&BenchStep),
    ) -> Result<Option<(u64, Duration)>, OutOfMemory> {
        bench::run::<G, E>(self.bench_depth, control, each)
    }
}

impl<G: Game, O: Oracle<G>, E: Judge<G>> Workplace for Table<G, O, E> {
    fn prepare(&mut self, settings: &Settings) -> Result<(), EngineError> {
        if Self::is_solved(settings) {
            self.oracle.exact(self.record.position());
            return Ok(());
        }
        self.searcher(settings).map(|_| ())
    }

    fn rebuild(&mut self) {
        self.searcher = None;
    }

    fn forget(&mut self) {
        if let Some(searcher) = &self.searcher {
            searcher.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }

    fn go(
        &mut self,
        go: &Go<'_>,
        settings: &Settings,
        dialect: Dialect,
    ) -> Result<Plan, EngineError> {
        let moves = self.allowed(&go.search_moves)?;
        let pos = *self.record.position();
        if let Some(outcome) = self.record.outcome() {
            let exact = ExactValue::finished(outcome, pos.side());
            let note = "the game is over".to_owned();
            let job: Job = Box::new(move |voice| voice.answer_over(exact));
            return Ok(Plan { job, instant: true, note });
        }
        let limits = work::limits(go, pos.side(), pos.max_plies_left(), settings, dialect);
        let note = work::describe(&limits, moves.len());
        if Self::is_solved(settings) {
            let mut report = self.look_up(&moves, settings);
            report.lines.truncate(settings.lines);
            return Ok(Plan { job: work::told::<G>(report), instant: true, note });
        }
        let task = self.task(moves, limits, settings);
        let job = work::search(self.searcher(settings)?, task, settings.handicap());
        Ok(Plan { job, instant: false, note })
    }

    fn perft_job(&self, perft: Perft, threads: usize) -> Job {
        work::count(*self.record.position(), perft, threads)
    }

    fn bench_job(&self) -> Job {
        let depth = self.bench_depth;
        Box::new(move |voice| {
            let mut each = |step: &BenchStep| {
                voice.say(&format!("info string {} nodes in {}", step.nodes, step.fen));
            };
            let line = match bench::run::<G, E>(depth, voice.control(), &mut each) {
                Ok(Some((nodes, time))) => reply::speed_line(nodes, time),
                Ok(None) => "info string bench was stopped before its end".to_owned(),
                Err(error) => reply::error_line(&error),
            };
            voice.conclude(&line);
        })
    }

    fn evaluation(&mut self, settings: &Settings) -> Result<Score, EngineError> {
        let pos = self.record.position();
        if let Some(outcome) = self.record.outcome() {
            return Ok(Score::Proven(ExactValue::finished(outcome, pos.side())));
        }
        if O::IS_SOLVED {
            return Ok(Score::Proven(self.oracle.exact(pos)));
        }
        let mut evaluator = E::from_settings(settings)?;
        evaluator.reset(pos);
        Ok(Score::Estimate(evaluator.evaluate(pos)))
    }

    fn values_job(&mut self, settings: &Settings) -> Result<(Job, bool), EngineError> {
        /// Enough for a first impression of each move.
        const NODES: u64 = 200_000;
        let moves = self.record.legal_moves();
        if O::IS_SOLVED || moves.is_empty() {
            return Ok((work::exact_values::<G>(self.advice(&moves)), true));
        }
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let task =
            SearchTask { multi_pv: moves.len(), threads: 1, ..self.task(moves, limits, settings) };
        Ok((work::values(self.searcher(settings)?, task), false))
    }
}
