//! [`TypedGame`]: the implementation of [`AnyGame`] over any [`Game`], with its exact solver and evaluation.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::EngineError;
use super::analyzer::Analyzer;
use super::any_game::{AnyGame, NotatedGame};
use super::error::parse_fen;
use super::request::{PreparedSearch, Report, SearchRequest};
use super::settings::{EngineEvaluator, Settings};
use crate::reasons::{BrokenRule, Reason, Reasons};
use crate::rules::StartPosition;
use crate::rules::drawing::{BoardLayout, Label, SpotContent};
use crate::rules::random_positions::random_unfinished;
use crate::rules::{
    ExactValue, Game, GameEncoding, GameNotation, MoveError, Notation, Outcome, Record, Side, perft,
};
use crate::search::{Score, SearchControl, SearchReport};
use crate::solve::ExactSolver;

/// A game in progress and the analyzer that answers requests about it.
pub(super) struct TypedGame<G: Game, O, E, R> {
    record: Record<G>,
    analyzer: Arc<Mutex<Analyzer<G, O, E>>>,
    reasons: PhantomData<fn() -> R>,
}

impl<G: GameNotation, O: ExactSolver<G>, E: EngineEvaluator<G>, R: Reasons<G>>
    TypedGame<G, O, E, R>
{
    pub(super) fn new(record: Record<G>) -> Self {
        let analyzer = Analyzer::new(O::default(), Settings::default(), None);
        Self { record, analyzer: Arc::new(Mutex::new(analyzer)), reasons: PhantomData }
    }

    fn analyzer(&self) -> MutexGuard<'_, Analyzer<G, O, E>> {
        self.analyzer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The legal moves; an error if the rules contradict themselves.
    fn legal_moves(&self) -> Result<Vec<G::Move>, EngineError> {
        let legal = self.record.legal_moves();
        if legal.is_empty() && self.record.outcome().is_none() {
            let fen = self.record.position().to_string();
            return Err(EngineError::NoMoves { game: G::ID, fen });
        }
        Ok(legal)
    }

    fn legal_move(&self, text: &str) -> Result<G::Move, EngineError> {
        let mv = self.record.position().parse_move(text)?;
        if self.record.legal_moves().contains(&mv) {
            return Ok(mv);
        }
        Err(explain_refusal::<G, R>(&self.record, self.record.illegal(text)))
    }
}

impl<G: Game, O, E, R> Clone for TypedGame<G, O, E, R> {
    /// The same position, and the same analyzer.
    fn clone(&self) -> Self {
        let (record, analyzer) = (self.record.clone(), Arc::clone(&self.analyzer));
        Self { record, analyzer, reasons: PhantomData }
    }
}

/// The start and the moves of [`StartPosition::Random`].
fn random_moves<G: Game>(seed: u64, plies: Option<u32>) -> (G, Vec<G::Move>) {
    random_unfinished(seed, plies.map_or(G::OPENING_PLIES, |plies| plies as usize))
}

/// Writes a move in `notation`, or in the game's own if it does not support that one.
fn move_name<G: GameNotation>(mv: &G::Move, notation: Notation) -> String {
    G::write_move_as(*mv, notation).unwrap_or_else(|| mv.to_string())
}

/// Plays moves; an error says which rule an illegal one breaks.
fn push_moves<G: GameNotation, R: Reasons<G>>(
    record: &mut Record<G>,
    moves: &[&str],
) -> Result<(), EngineError> {
    moves.iter().try_for_each(|text| {
        record.push_text(text).map_err(|error| explain_refusal::<G, R>(record, error))
    })
}

/// Adds to the refusal of a move the rule that it breaks, if the game names one.
fn explain_refusal<G: GameNotation, R: Reasons<G>>(
    record: &Record<G>,
    error: MoveError,
) -> EngineError {
    match error {
        MoveError::Illegal { found, hint } => match broken_rule::<G, R>(record, &found) {
            Some(reason) => EngineError::Illegal { found, reason: Box::new(reason), hint },
            None => MoveError::Illegal { found, hint }.into(),
        },
        error => error.into(),
    }
}

/// Why a move is illegal; `None` if it is legal, the game is over or the text is not a move.
fn broken_rule<G: GameNotation, R: Reasons<G>>(
    record: &Record<G>,
    text: &str,
) -> Option<BrokenRule> {
    let parsed = record.position().parse_move(text).ok().filter(|_| record.outcome().is_none());
    parsed.and_then(|mv| R::broken_rule(record.position(), mv))
}

impl<G, O, E, R> AnyGame for TypedGame<G, O, E, R>
where
    G: GameNotation + GameEncoding,
    O: ExactSolver<G>,
    E: EngineEvaluator<G>,
    R: Reasons<G> + 'static,
{
    fn set_position(
        &mut self,
        setup: &StartPosition<'_>,
        moves: &[&str],
    ) -> Result<usize, EngineError> {
        let (first, played) = match *setup {
            StartPosition::Initial => (G::start(), 0),
            StartPosition::Fen(fen) => (parse_fen(fen)?, 0),
            StartPosition::Random { seed, plies } => {
                let (start, moves) = random_moves::<G>(seed, plies);
                (moves.iter().fold(start, |pos, mv| pos.after(*mv)), moves.len())
            }
        };
        let mut record = Record::new(first);
        push_moves::<G, R>(&mut record, moves)?;
        self.record = record;
        Ok(played)
    }

    fn set_random_game(&mut self, seed: u64, plies: Option<u32>) {
        let (start, moves) = random_moves::<G>(seed, plies);
        self.record = Record::new(start);
        for mv in moves {
            let _ = self.record.push(mv);
            // The third occurrence of a position.
            if self.record.outcome().is_some() {
                self.record.pop();
                break;
            }
        }
    }

    fn play_moves(&mut self, moves: &[&str]) -> Result<(), EngineError> {
        let plies = self.plies();
        push_moves::<G, R>(&mut self.record, moves).inspect_err(|_| {
            while self.plies() > plies {
                self.record.pop();
            }
        })
    }

    fn take_back(&mut self) -> Option<String> {
        self.record.pop().map(|mv| mv.to_string())
    }

    fn first_fen(&self) -> String {
        self.record.first().to_string()
    }

    fn moves(&self) -> Vec<String> {
        self.record.moves().iter().map(ToString::to_string).collect()
    }

    fn plies(&self) -> usize {
        self.record.moves().len()
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

    fn for_each_legal_action(&self, visit: &mut dyn FnMut(usize)) {
        if self.record.outcome().is_none() {
            self.record.position().legal_moves().into_iter().for_each(|mv| visit(G::action(mv)));
        }
    }

    fn action(&self, mv: &str) -> Result<usize, EngineError> {
        Ok(G::action(self.record.position().parse_move(mv)?))
    }

    fn is_legal(&self, mv: &str) -> bool {
        let parsed = self.record.position().parse_move(mv);
        parsed
            .is_ok_and(|mv| self.record.outcome().is_none() && self.record.position().is_legal(mv))
    }

    fn write_planes(&self, planes: &mut [f32]) {
        self.record.position().write_planes(planes);
    }

    fn image(&self, symmetry: usize) -> Box<dyn AnyGame> {
        Box::new(Self::new(Record::new(self.record.position().image(symmetry))))
    }

    fn key(&self) -> u64 {
        self.record.position().key()
    }

    fn has_same_position(&self, other: &dyn AnyGame) -> bool {
        let other = other.record().downcast_ref::<Record<G>>();
        other.is_some_and(|other| self.record.position() == other.position())
    }

    fn record(&self) -> &dyn Any {
        &self.record
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

    fn prepare(&mut self, request: &SearchRequest) -> Result<PreparedSearch, EngineError> {
        let request = request.try_map_moves(|text| self.legal_move(text))?;
        let mut candidates = self.legal_moves()?;
        request.retain_candidates(&mut candidates);
        self.analyzer().build(self.record.position(), request.searcher)?;
        let is_over = self.record.outcome().is_some();
        let uses_exact_solver = Analyzer::<G, O, E>::uses_exact_solver(request.searcher);
        let game = self.clone();
        let run = move |control: &SearchControl, progress: &mut dyn FnMut(&Report)| {
            let name = |mv: &G::Move| move_name::<G>(mv, request.notation);
            let mut show = |report: &SearchReport<G::Move>| progress(&report.map_moves(name));
            let report = game.analyzer().analyze(&game.record, &request, control, &mut show)?;
            Ok(report.map_moves(name))
        };
        Ok(PreparedSearch {
            candidates: candidates.len(),
            is_known: is_over || (uses_exact_solver && O::IS_INSTANT),
            run: Box::new(run),
        })
    }

    fn share(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }

    fn evaluate(&mut self) -> Result<Score, EngineError> {
        let pos = self.record.position();
        match self.record.outcome() {
            Some(outcome) => Ok(Score::Exact(ExactValue::from_outcome(outcome, pos.side()))),
            None => Ok(self.analyzer().evaluate(pos)?),
        }
    }

    fn reasons(&mut self, mv: &str, reply: Option<&str>) -> Result<Vec<Reason>, EngineError> {
        let mv = self.legal_move(mv)?;
        let next = self.record.position().after(mv);
        let reply = reply.and_then(|reply| next.parse_move(reply).ok());
        Ok(self.analyzer().reasons::<R>(&self.record, mv, reply))
    }

    fn configure(&mut self, settings: &Settings) {
        self.analyzer().configure(settings);
    }

    fn clear_searcher(&mut self) {
        self.analyzer().clear_searcher();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::games::TicTacToe;
    use crate::solve::{ExactSearch, Minimax};
    use crate::thinking::GameSpec;

    #[test]
    fn a_solver_that_takes_time_does_not_answer_at_once() {
        let spec = || GameSpec::new::<TicTacToe>();
        for (spec, is_known) in [
            (spec().exact_solver::<Minimax<TicTacToe>>().build(), true),
            (spec().exact_solver::<ExactSearch<TicTacToe>>().build(), false),
        ] {
            let request = SearchRequest::best_move(Duration::ZERO);
            assert_eq!(spec.open().prepare(&request).unwrap().is_known, is_known);
        }
    }
}
