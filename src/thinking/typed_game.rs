//! [`TypedGame`]: the implementation of [`AnyGame`] over any [`Game`], with its oracle and evaluation.

use std::marker::PhantomData;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use super::EngineError;
use super::any_game::{AnyGame, Assessment, MissingPlies, NotatedGame, ThinkOptions};
use super::bench;
use super::error::parse_fen;
use super::jobs::{self, EngineJob, PlannedJob, SearchSummary, SharedSearcher};
use super::move_assessment::{
    AssessedMove, AssessmentLimits, MoveAssessment, MoveAssessor, assess_exactly,
};
use super::responder::move_name;
use super::settings::{EngineEvaluator, SearcherChoice, Settings};
use crate::analysis::reasons::{BrokenRule, Reason, Reasons, value_reason};
use crate::protocol::reply::Dialect;
use crate::protocol::{GoOptions, PerftOptions, PositionSetup};
use crate::rules::drawing::{BoardLayout, Label, SpotContent};
use crate::rules::{ExactValue, Game, MoveError, Notation, Outcome, Record, Side, perft};
use crate::search::{
    AlphaBeta, Limits, Mcts, PvLine, RandomMover, Score, SearchControl, SearchReport, SearchTask,
    Searcher, TimeBudget,
};
use crate::solve::{Oracle, RankedMove, rank_moves};

/// A game in progress, its oracle, and the searcher kept between searches.
pub(crate) struct TypedGame<G: Game, O, E, R> {
    record: Record<G>,
    oracle: O,
    searcher: Option<SharedSearcher<G>>,
    reasons: PhantomData<fn() -> R>,
    /// Assesses the moves of a review.
    assessor: Option<MoveAssessor<G, E>>,
}

impl<G: Game, O: Oracle<G>, E: EngineEvaluator<G>, R: Reasons<G>> TypedGame<G, O, E, R> {
    pub(crate) fn new() -> Self {
        Self {
            record: Record::new(G::start()),
            oracle: O::default(),
            searcher: None,
            reasons: PhantomData,
            assessor: None,
        }
    }

    /// Whether the oracle answers instead of a searcher.
    fn uses_oracle(settings: &Settings) -> bool {
        O::IS_SOLVED && settings.searcher == SearcherChoice::Auto
    }

    /// Returns the searcher, building it if necessary.
    fn searcher(&mut self, settings: &Settings) -> Result<SharedSearcher<G>, EngineError> {
        if let Some(searcher) = &self.searcher {
            return Ok(Arc::clone(searcher));
        }
        let searcher: Box<dyn Searcher<G>> = match settings.searcher {
            SearcherChoice::Auto | SearcherChoice::AlphaBeta => {
                Box::new(AlphaBeta::<G, E>::new(E::from_settings(settings)?, settings.hash)?)
            }
            SearcherChoice::Mcts => Box::new(Mcts::new(settings.hash)),
            SearcherChoice::Random => Box::new(RandomMover),
        };
        let shared = Arc::new(Mutex::new(searcher));
        self.searcher = Some(Arc::clone(&shared));
        Ok(shared)
    }

    /// Resolves `searchmoves`; without any, all legal moves are candidates.
    fn candidate_moves(&self, requested: &[&str]) -> Result<Vec<G::Move>, EngineError> {
        let pos = self.record.position();
        let legal = self.record.legal_moves();
        if requested.is_empty() {
            return Ok(legal);
        }
        let mut candidates = Vec::new();
        for text in requested {
            let mv = pos.parse_move(text)?;
            if !legal.contains(&mv) {
                return Err(explain_refusal::<G, R>(&self.record, self.record.illegal(text)));
            }
            if !candidates.contains(&mv) {
                candidates.push(mv);
            }
        }
        Ok(candidates)
    }

    fn task(&self, moves: Vec<G::Move>, limits: Limits, settings: &Settings) -> SearchTask<G> {
        SearchTask {
            record: self.record.clone(),
            moves,
            limits,
            multi_pv: settings.multi_pv,
            threads: settings.threads,
            seed: settings.seed,
        }
    }

    /// Builds a report on `moves` from the oracle, with the move to play first.
    fn oracle_report(&mut self, moves: &[G::Move], settings: &Settings) -> SearchReport<G::Move> {
        let ranked = self.ranked_moves(moves);
        let seed = self.task(moves.to_vec(), Limits::default(), settings).position_seed();
        let (multi_pv, handicap) = (settings.multi_pv, settings.handicap());
        jobs::build_exact_report(&mut self.oracle, &self.record, &ranked, multi_pv, handicap, seed)
    }

    /// Analyzes the position, which is not final, from the oracle or by a search.
    fn think(
        &mut self,
        options: &ThinkOptions,
        multi_pv: usize,
        control: &SearchControl,
    ) -> Result<SearchReport<G::Move>, EngineError> {
        let settings =
            Settings { skill: options.skill, seed: options.seed, multi_pv, ..Settings::default() };
        let moves = self.record.legal_moves();
        if Self::uses_oracle(&settings) {
            return Ok(self.oracle_report(&moves, &settings));
        }
        let limits = Limits { budget: TimeBudget::fixed(options.time), ..Limits::default() };
        let task = self.task(moves, limits, &settings);
        let searcher = self.searcher(&settings)?;
        Ok(jobs::run_search(&searcher, task, settings.handicap(), control, &mut |_| {}))
    }

    /// Ranks `moves` by their exact values, best first.
    fn ranked_moves(&mut self, moves: &[G::Move]) -> Vec<RankedMove<G::Move>> {
        let mut ranked = rank_moves(&mut self.oracle, &self.record);
        ranked.retain(|ranked| moves.contains(&ranked.mv));
        ranked
    }
}

/// Returns the number of plies of `position random`.
fn random_plies<G: Game>(plies: Option<u32>) -> usize {
    plies.map_or(G::OPENING_PLIES, |plies| plies as usize)
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

impl<G, O, E, R> AnyGame for TypedGame<G, O, E, R>
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
    ) -> Result<(), EngineError> {
        let first = match *setup {
            PositionSetup::Start => G::start(),
            PositionSetup::Fen(fen) => parse_fen(fen)?,
            PositionSetup::Random { seed, plies } => {
                bench::random_position(seed, random_plies::<G>(plies)).0
            }
        };
        let mut record = Record::new(first);
        push_moves::<G, R>(&mut record, moves)?;
        self.record = record;
        Ok(())
    }

    fn missing_random_plies(&self, setup: &PositionSetup<'_>) -> Option<MissingPlies> {
        let PositionSetup::Random { seed, plies } = *setup else { return None };
        let requested = random_plies::<G>(plies);
        let (_, played) = bench::random_position::<G>(seed, requested);
        (played < requested).then_some(MissingPlies { played, requested })
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
        let name = |mv: &G::Move| move_name::<G>(*mv, notation);
        let mut names: Vec<String> = self.record.legal_moves().iter().map(name).collect();
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

    fn assess(
        &mut self,
        options: &ThinkOptions,
        control: &SearchControl,
    ) -> Result<Assessment, EngineError> {
        if let Some(outcome) = self.record.outcome() {
            let score = Score::Proven(ExactValue::from_outcome(outcome, self.side()).into());
            return Ok(Assessment { score, moves: Vec::new(), line: Vec::new() });
        }
        let multi_pv = if O::IS_SOLVED { usize::MAX } else { 1 };
        let report = self.think(options, multi_pv, control)?;
        let name = |mv: &G::Move| mv.to_string();
        let first = report.lines.first();
        let estimated = first.map_or(Score::Estimate(0), |line| line.score);
        let score = report.proven.map_or(estimated, Score::Proven);
        let first_move = |line: &PvLine<G::Move>| (name(&line.moves[0]), line.score);
        let mut moves: Vec<_> = report.lines.iter().map(first_move).collect();
        if let [(_, best)] = &mut moves[..] {
            *best = score;
        }
        let line = first.map_or_else(Vec::new, |line| line.moves.iter().map(name).collect());
        Ok(Assessment { score, moves, line })
    }

    fn move_scores(
        &mut self,
        options: &ThinkOptions,
        control: &SearchControl,
    ) -> Result<Vec<(String, Score)>, EngineError> {
        if self.record.outcome().is_some() {
            return Ok(Vec::new());
        }
        let report = self.think(options, usize::MAX, control)?;
        let to_score = |line: &PvLine<G::Move>| (line.moves[0].to_string(), line.score);
        let mut scores: Vec<_> = report.lines.iter().map(to_score).collect();
        if let (Some((_, best)), Some(proven)) = (scores.first_mut(), report.proven) {
            *best = Score::Proven(proven);
        }
        Ok(scores)
    }

    fn reasons(&mut self, mv: &str) -> Result<Vec<Reason>, EngineError> {
        let candidates = self.candidate_moves(&[mv])?;
        let legal = self.record.legal_moves();
        let ranked = if O::IS_SOLVED { self.ranked_moves(&legal) } else { Vec::new() };
        let explain = |mv: &G::Move| {
            let mut reasons = R::reasons(self.record.position(), *mv);
            reasons.extend(value_reason(&ranked, &legal, *mv));
            reasons
        };
        Ok(candidates.iter().flat_map(explain).collect())
    }

    fn broken_rule(&self, mv: &str) -> Option<BrokenRule> {
        broken_rule::<G, R>(&self.record, mv)
    }

    fn assess_moves(
        &mut self,
        played: Option<&str>,
        limits: &AssessmentLimits,
        control: &SearchControl,
    ) -> Result<Vec<MoveAssessment>, EngineError> {
        let played = played.map(|text| self.record.position().parse_move(text)).transpose()?;
        let assessed = if O::IS_SOLVED {
            assess_exactly(&mut self.oracle, &self.record, played)
        } else {
            let mut assessor = match self.assessor.take() {
                Some(assessor) => assessor,
                None => MoveAssessor::new(limits.threads)?,
            };
            let assessed = assessor.assess(&self.record, played, limits, control);
            self.assessor = Some(assessor);
            assessed
        };
        Ok(assessed.into_iter().map(AssessedMove::into_text).collect())
    }

    fn perft(&self, depth: u32, threads: usize) -> Vec<(String, u64)> {
        let never = AtomicBool::new(false);
        let counts = perft::divide(self.record.position(), depth, threads, &never);
        counts.into_iter().flatten().map(|(mv, leaves)| (mv.to_string(), leaves)).collect()
    }

    fn prepare(&mut self, settings: &Settings) -> Result<(), EngineError> {
        if Self::uses_oracle(settings) {
            self.oracle.exact(self.record.position());
            return Ok(());
        }
        self.searcher(settings).map(|_| ())
    }

    fn drop_searcher(&mut self) {
        self.searcher = None;
    }

    fn clear_searcher(&mut self) {
        if let Some(searcher) = &self.searcher {
            searcher.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }

    fn plan_search(
        &mut self,
        go: &GoOptions<'_>,
        settings: &Settings,
        dialect: Dialect,
    ) -> Result<(PlannedJob, SearchSummary), EngineError> {
        let moves = self.candidate_moves(&go.search_moves)?;
        let pos = *self.record.position();
        if let Some(outcome) = self.record.outcome() {
            let exact = ExactValue::from_outcome(outcome, pos.side());
            let job: EngineJob = Box::new(move |responder| responder.send_game_over(exact));
            return Ok((PlannedJob::instant(job), SearchSummary::GameOver));
        }
        let limits = jobs::search_limits(go, pos.side(), pos.max_plies_left(), settings, dialect);
        let summary = SearchSummary::Search { candidates: moves.len(), limits };
        if Self::uses_oracle(settings) {
            let mut report = self.oracle_report(&moves, settings);
            report.lines.truncate(settings.multi_pv);
            return Ok((PlannedJob::instant(jobs::report_job::<G>(report)), summary));
        }
        let task = self.task(moves, limits, settings);
        let job = jobs::search_job(self.searcher(settings)?, task, settings.handicap());
        Ok((PlannedJob::search(job, &limits), summary))
    }

    fn plan_values(&mut self, settings: &Settings) -> Result<PlannedJob, EngineError> {
        /// Enough for a rough value of each move.
        const NODES: u64 = 200_000;
        let moves = self.record.legal_moves();
        if O::IS_SOLVED || moves.is_empty() {
            let ranked = self.ranked_moves(&moves);
            return Ok(PlannedJob::instant(jobs::exact_values_job::<G>(ranked)));
        }
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let task =
            SearchTask { multi_pv: moves.len(), threads: 1, ..self.task(moves, limits, settings) };
        Ok(PlannedJob::background(jobs::values_job(self.searcher(settings)?, task)))
    }

    fn perft_job(&self, perft: PerftOptions, threads: usize) -> EngineJob {
        jobs::perft_job(*self.record.position(), perft, threads)
    }

    fn evaluate(&mut self, settings: &Settings) -> Result<Score, EngineError> {
        let pos = self.record.position();
        if let Some(outcome) = self.record.outcome() {
            return Ok(Score::Proven(ExactValue::from_outcome(outcome, pos.side()).into()));
        }
        if O::IS_SOLVED {
            return Ok(Score::Proven(self.oracle.exact(pos).into()));
        }
        let mut evaluator = E::from_settings(settings)?;
        evaluator.reset(pos);
        Ok(Score::Estimate(evaluator.evaluate(pos)))
    }
}
