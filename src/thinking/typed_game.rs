//! [`TypedGame`]: the implementation of [`AnyGame`] over any [`Game`], with its oracle and evaluation.

use std::marker::PhantomData;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::EngineError;
use super::any_game::{AnyGame, GameInProgress, NotatedGame};
use super::error::parse_fen;
use super::move_assessment::{MoveAssessor, assess_exactly};
use super::question::{Question, Report};
use super::settings::{EngineEvaluator, SearcherChoice, Settings};
use crate::analysis::reasons::{BrokenRule, Reason, Reasons, value_reason};
use crate::protocol::PositionSetup;
use crate::rules::drawing::{BoardLayout, Label, SpotContent};
use crate::rules::random_positions::random_unfinished;
use crate::rules::{ExactValue, Game, MoveError, Notation, Outcome, Record, Side, perft};
use crate::search::{
    Mcts, PvLine, RandomMover, Score, SearchControl, SearchReport, SearchTask, Searcher,
};
use crate::solve::{Oracle, RankedMove, principal_variation, rank_moves};

/// A game in progress and what thinks about it.
pub(super) struct TypedGame<G: Game, O, E, R> {
    record: Record<G>,
    mind: Arc<Mutex<Mind<G, O, E>>>,
    reasons: PhantomData<fn() -> R>,
}

/// The oracle of a game, and the searcher and the proofs kept from one question to the next.
struct Mind<G: Game, O, E> {
    oracle: O,
    searcher: Option<Box<dyn Searcher<G>>>,
    assessor: Option<MoveAssessor<G, E>>,
}

impl<G: Game, O: Oracle<G>, E: EngineEvaluator<G>> Mind<G, O, E> {
    /// Returns the searcher, building it if necessary.
    fn searcher(
        &mut self,
        choice: SearcherChoice,
        settings: &Settings,
    ) -> Result<&mut Box<dyn Searcher<G>>, EngineError> {
        let searcher: Box<dyn Searcher<G>> = match self.searcher.take() {
            Some(searcher) => searcher,
            None => match choice {
                SearcherChoice::Auto | SearcherChoice::AlphaBeta => {
                    Box::new(settings.alpha_beta::<G, E>()?)
                }
                SearcherChoice::Mcts => Box::new(Mcts::new(settings.hash)),
                SearcherChoice::Random => Box::new(RandomMover),
            },
        };
        Ok(self.searcher.insert(searcher))
    }

    /// Ranks the candidate moves by their exact values, best first.
    fn rank(&mut self, task: &SearchTask<G>) -> Vec<RankedMove<G::Move>> {
        let mut ranked = rank_moves(&mut self.oracle, &task.record);
        ranked.retain(|ranked| task.moves.contains(&ranked.mv));
        ranked
    }

    /// Answers from the oracle. The chosen move comes first.
    fn look_up(&mut self, task: &SearchTask<G>, question: &Question) -> SearchReport<G::Move> {
        let ranked = self.rank(task);
        let shown = if question.handicap.is_some() { ranked.len() } else { task.line_count() };
        let oracle = &mut self.oracle;
        let lines: Vec<_> = ranked[..shown]
            .iter()
            .map(|ranked| {
                let moves = principal_variation(oracle, &task.record, ranked.mv);
                PvLine::proven(ranked.exact.into(), moves)
            })
            .collect();
        let depth = lines.first().map_or(0, |line| line.moves.len() as u32);
        let mut report = SearchReport {
            depth,
            selective_depth: depth,
            proven: lines.first().and_then(|line| line.score.proven()),
            lines,
            nodes: oracle.position_count() as u64,
            ..SearchReport::default()
        };
        if let Some(handicap) = question.handicap {
            handicap.choose_line(&mut report, task.position_seed());
        }
        report
    }

    /// Answers by a search. With a handicap it covers all moves, the one to play first.
    fn search(
        &mut self,
        mut task: SearchTask<G>,
        question: &Question,
        control: &SearchControl,
        progress: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> Result<SearchReport<G::Move>, EngineError> {
        if let Some(handicap) = question.handicap {
            task.multi_pv = task.moves.len();
            task.limits = handicap.weaken(task.limits);
        }
        let searcher = self.searcher(question.searcher, &Settings::default())?;
        let mut report = searcher.search(&task, control, progress);
        if let Some(handicap) = question.handicap {
            handicap.choose_line(&mut report, task.position_seed());
        }
        Ok(report)
    }

    /// Assesses every legal move, best first.
    fn assess(
        &mut self,
        task: &SearchTask<G>,
        played: Option<G::Move>,
        control: &SearchControl,
    ) -> Result<SearchReport<G::Move>, EngineError> {
        let lines = if O::IS_SOLVED {
            assess_exactly(&mut self.oracle, &task.record, played)
        } else {
            let assessor = match self.assessor.take() {
                Some(assessor) => assessor,
                None => MoveAssessor::new(task.threads)?,
            };
            self.assessor.insert(assessor).assess(task, played, control)
        };
        Ok(SearchReport { lines, ..SearchReport::default() })
    }
}

impl<G: Game, O: Oracle<G>, E: EngineEvaluator<G>, R: Reasons<G>> TypedGame<G, O, E, R> {
    pub(super) fn new() -> Self {
        let mind = Mind { oracle: O::default(), searcher: None, assessor: None };
        let record = Record::new(G::start());
        Self { record, mind: Arc::new(Mutex::new(mind)), reasons: PhantomData }
    }

    fn mind(&self) -> MutexGuard<'_, Mind<G, O, E>> {
        self.mind.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value of a finished game for the side that would be to move.
    fn final_value(&self) -> Option<ExactValue> {
        Some(ExactValue::from_outcome(self.record.outcome()?, self.side()))
    }

    /// Resolves candidate moves; without any, all legal moves are candidates.
    fn candidate_moves<T: AsRef<str>>(&self, requested: &[T]) -> Result<Vec<G::Move>, EngineError> {
        let pos = self.record.position();
        let legal = self.record.legal_moves();
        if requested.is_empty() {
            return Ok(legal);
        }
        let mut candidates = Vec::new();
        for text in requested {
            let mv = pos.parse_move(text.as_ref())?;
            if !legal.contains(&mv) {
                let refused = self.record.illegal(text.as_ref());
                return Err(explain_refusal::<G, R>(&self.record, refused));
            }
            if !candidates.contains(&mv) {
                candidates.push(mv);
            }
        }
        Ok(candidates)
    }

    fn task(&self, question: &Question) -> Result<SearchTask<G>, EngineError> {
        Ok(SearchTask {
            record: self.record.clone(),
            moves: self.candidate_moves(&question.moves)?,
            limits: question.limits,
            multi_pv: question.lines,
            threads: question.threads,
            seed: question.seed,
        })
    }
}

/// Whether the oracle answers a question instead of a searcher.
fn uses_oracle<G: Game, O: Oracle<G>>(question: &Question) -> bool {
    O::IS_SOLVED && question.searcher == SearcherChoice::Auto
}

/// Writes a move in `notation`, or in the game's own if it does not support that one.
fn move_name<G: Game>(mv: &G::Move, notation: Notation) -> String {
    G::write_move_as(*mv, notation).unwrap_or_else(|| mv.to_string())
}

/// Plays moves; an error says which rule an illegal one breaks.
fn push_moves<G: Game, R: Reasons<G>>(
    record: &mut Record<G>,
    moves: &[&str],
) -> Result<(), EngineError> {
    moves.iter().try_for_each(|text| {
        record.push_text(text).map_err(|error| explain_refusal::<G, R>(record, error))
    })
}

/// Adds to the refusal of a move the rule that it breaks, if the game names one.
fn explain_refusal<G: Game, R: Reasons<G>>(record: &Record<G>, error: MoveError) -> EngineError {
    match error {
        MoveError::Illegal { found, hint } => match broken_rule::<G, R>(record, &found) {
            Some(reason) => EngineError::Illegal { found, reason: Box::new(reason), hint },
            None => MoveError::Illegal { found, hint }.into(),
        },
        error => error.into(),
    }
}

/// Why a move is illegal; `None` if it is legal, the game is over or the text is not a move.
fn broken_rule<G: Game, R: Reasons<G>>(record: &Record<G>, text: &str) -> Option<BrokenRule> {
    let parsed = record.position().parse_move(text).ok().filter(|_| record.outcome().is_none());
    parsed.and_then(|mv| R::broken_rule(record.position(), mv))
}

impl<G, O, E, R> GameInProgress for TypedGame<G, O, E, R>
where
    G: Game,
    O: Oracle<G>,
    E: EngineEvaluator<G>,
    R: Reasons<G>,
{
    fn set_position(
        &mut self,
        setup: &PositionSetup<'_>,
        moves: &[&str],
    ) -> Result<usize, EngineError> {
        let (first, played) = match *setup {
            PositionSetup::Start => (G::start(), 0),
            PositionSetup::Fen(fen) => (parse_fen(fen)?, 0),
            PositionSetup::Random { seed, plies } => {
                let plies = plies.map_or(G::OPENING_PLIES, |plies| plies as usize);
                random_unfinished(seed, plies)
            }
        };
        let mut record = Record::new(first);
        push_moves::<G, R>(&mut record, moves)?;
        self.record = record;
        Ok(played)
    }

    fn play_moves(&mut self, moves: &[&str]) -> Result<(), EngineError> {
        let mut record = self.record.clone();
        push_moves::<G, R>(&mut record, moves)?;
        self.record = record;
        Ok(())
    }

    fn has_random_start(&self) -> bool {
        G::HAS_RANDOM_START
    }

    fn outcome(&self) -> Option<Outcome> {
        self.record.outcome()
    }

    fn final_count(&self) -> Option<[u32; 2]> {
        self.record.position().final_count()
    }

    fn side(&self) -> Side {
        self.record.position().side()
    }

    fn max_plies_left(&self) -> Option<u32> {
        self.record.position().max_plies_left()
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

    fn legal_moves(&self, notation: Notation) -> Vec<String> {
        let legal = self.record.legal_moves();
        let mut names: Vec<_> = legal.iter().map(|mv| move_name::<G>(mv, notation)).collect();
        names.sort_unstable();
        names
    }

    fn notations(&self) -> Vec<Notation> {
        let is_supported = |notation: &Notation| G::start().write_as(*notation).is_some();
        Notation::ALL.into_iter().filter(is_supported).collect()
    }

    fn extra_labels(&self) -> Vec<Label> {
        self.record.position().extra_labels()
    }

    fn normalize_user_move(&self, text: &str) -> Result<String, EngineError> {
        Ok(self.record.position().parse_user_move(text)?.to_string())
    }

    fn normalize_move(&self, text: &str) -> Result<String, EngineError> {
        Ok(self.record.position().parse_move(text)?.to_string())
    }

    fn in_notation(&self, notation: Notation) -> Result<NotatedGame, EngineError> {
        let first = self.record.first();
        let write = |mv: &G::Move| G::write_move_as(*mv, notation);
        let position = first.write_as(notation);
        let moves = self.record.moves().iter().map(write).collect::<Option<Vec<_>>>();
        match (position, moves) {
            (Some(position), Some(moves)) => Ok(NotatedGame { position, moves }),
            _ => Err(EngineError::Inexpressible { fen: first.to_string(), notation }),
        }
    }

    fn broken_rule(&self, mv: &str) -> Option<BrokenRule> {
        broken_rule::<G, R>(&self.record, mv)
    }

    fn perft(
        &self,
        depth: u32,
        threads: usize,
        notation: Notation,
        stop: &AtomicBool,
    ) -> Option<Vec<(String, u64)>> {
        let counts = perft::divide(self.record.position(), depth, threads, stop)?;
        let named = counts.into_iter().map(|(mv, leaves)| (move_name::<G>(&mv, notation), leaves));
        Some(named.collect())
    }
}

impl<G, O, E, R> AnyGame for TypedGame<G, O, E, R>
where
    G: Game,
    O: Oracle<G>,
    E: EngineEvaluator<G>,
    R: Reasons<G> + 'static,
{
    fn think(
        &mut self,
        question: &Question,
        control: &SearchControl,
        progress: &mut dyn FnMut(&Report),
    ) -> Result<Report, EngineError> {
        let task = self.task(question)?;
        if let Some(exact) = self.final_value() {
            return Ok(Report { proven: Some(exact.into()), ..Report::default() });
        }
        let (line_count, candidates) = (task.line_count(), task.moves.len());
        let name = |mv: &G::Move| move_name::<G>(mv, question.notation);
        let mut mind = self.mind();
        if question.assesses_all {
            let pos = self.record.position();
            let played = question.played.as_ref().map(|text| pos.parse_move(text)).transpose()?;
            return Ok(mind.assess(&task, played, control)?.map_moves(name));
        }
        let mut report = if uses_oracle::<G, O>(question) {
            let report = mind.look_up(&task, question);
            SearchReport { time: control.elapsed(), ..report }
        } else {
            mind.search(task, question, control, &mut |report| progress(&report.map_moves(name)))?
        };
        report.lines.truncate(line_count);
        // If moves were excluded or the best one was passed over, the root value is unknown.
        if candidates < self.record.legal_moves().len() || question.handicap.is_some() {
            report.proven = None;
        }
        Ok(report.map_moves(name))
    }

    fn prepare(&mut self, question: &Question, settings: &Settings) -> Result<usize, EngineError> {
        let candidates = self.candidate_moves(&question.moves)?.len();
        let mut mind = self.mind();
        if uses_oracle::<G, O>(question) {
            mind.oracle.exact(self.record.position());
        } else {
            mind.searcher(question.searcher, settings)?;
        }
        Ok(candidates)
    }

    fn knows(&self, question: &Question) -> bool {
        self.record.outcome().is_some() || uses_oracle::<G, O>(question)
    }

    fn share(&self) -> Box<dyn AnyGame> {
        let (record, mind) = (self.record.clone(), Arc::clone(&self.mind));
        Box::new(Self { record, mind, reasons: PhantomData })
    }

    fn evaluate(&mut self, settings: &Settings) -> Result<Score, EngineError> {
        let pos = self.record.position();
        if let Some(exact) = self.final_value() {
            return Ok(Score::Proven(exact.into()));
        }
        if O::IS_SOLVED {
            return Ok(Score::Proven(self.mind().oracle.exact(pos).into()));
        }
        let mut evaluator = E::from_settings(settings)?;
        evaluator.reset(pos);
        Ok(Score::Estimate(evaluator.evaluate(pos)))
    }

    fn reasons(&mut self, mv: &str) -> Result<Vec<Reason>, EngineError> {
        let candidates = self.candidate_moves(&[mv])?;
        let (legal, mut mind) = (self.record.legal_moves(), self.mind());
        let ranked =
            if O::IS_SOLVED { rank_moves(&mut mind.oracle, &self.record) } else { Vec::new() };
        let explain = |mv: &G::Move| {
            let mut reasons = R::reasons(self.record.position(), *mv);
            reasons.extend(value_reason(&ranked, &legal, *mv));
            reasons
        };
        Ok(candidates.iter().flat_map(explain).collect())
    }

    fn drop_searcher(&mut self) {
        self.mind().searcher = None;
    }

    fn clear_searcher(&mut self) {
        if let Some(searcher) = &mut self.mind().searcher {
            searcher.clear();
        }
    }
}
