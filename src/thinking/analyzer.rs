//! [`Analyzer`]: answers requests about a game of one type.

mod assessments;
mod move_assessment;

use super::request::{SearchRequest, Task};
use super::settings::{EngineEvaluator, SearcherChoice, Settings};
use crate::reasons::{Reason, Reasons, value_reason};
use crate::rules::{ExactValue, Game, Record};
use crate::search::{
    AlphaBeta, EvalHeuristic, Mcts, OutOfMemory, PvLine, RandomMover, Score, SearchControl,
    SearchReport, SearchTask, Searcher,
};
use crate::solve::{ExactSolver, Prover, principal_variation, rank_moves};
use assessments::{Assessments, Effort};
use move_assessment::{MoveAssessor, PositionWork, assess_exactly};

/// The exact solver of a game, and what is kept from one request to the next: searcher, proofs and
/// assessments.
pub(crate) struct Analyzer<G: Game, O, E> {
    pub(crate) exact_solver: O,
    /// What the searcher is built from.
    pub(super) settings: Settings,
    searcher: Option<(SearcherChoice, Box<dyn Searcher<G>>)>,
    prover: Option<Prover<G, EvalHeuristic<E>>>,
    assessments: Assessments<G>,
}

impl<G: Game, O: ExactSolver<G>, E: EngineEvaluator<G>> Analyzer<G, O, E> {
    /// Builds nothing before the first request. The prover, if there is one, contributes its proofs.
    pub(crate) fn new(
        exact_solver: O,
        settings: Settings,
        prover: Option<Prover<G, EvalHeuristic<E>>>,
    ) -> Self {
        let assessments = Assessments::default();
        Self { exact_solver, settings, searcher: None, prover, assessments }
    }

    /// Sets what the searcher is built from, and drops the one there is if that has changed.
    pub(super) fn configure(&mut self, settings: &Settings) {
        if settings.build_key() != self.settings.build_key() {
            self.searcher = None;
            self.assessments.clear();
        }
        self.settings = settings.clone();
    }

    /// Clears the searcher's tables and forgets the assessments.
    pub(super) fn clear_searcher(&mut self) {
        self.assessments.clear();
        if let Some((_, searcher)) = &mut self.searcher {
            searcher.clear();
        }
    }

    /// Returns the searcher, building it if necessary.
    fn searcher(&mut self, choice: SearcherChoice) -> Result<&mut dyn Searcher<G>, OutOfMemory> {
        let choice = match choice {
            SearcherChoice::Auto if E::IS_INFORMED => SearcherChoice::AlphaBeta,
            SearcherChoice::Auto => SearcherChoice::Mcts,
            choice => choice,
        };
        self.searcher.take_if(|(kept, _)| *kept != choice);
        let searcher: Box<dyn Searcher<G>> = match self.searcher.take() {
            Some((_, searcher)) => searcher,
            None => match choice {
                SearcherChoice::Auto | SearcherChoice::AlphaBeta => {
                    let evaluator = E::from_settings(&self.settings)?;
                    Box::new(AlphaBeta::new(evaluator, self.settings.hash)?)
                }
                SearcherChoice::Mcts => Box::new(Mcts::new(self.settings.hash)),
                SearcherChoice::Random => Box::new(RandomMover),
            },
        };
        Ok(&mut *self.searcher.insert((choice, searcher)).1)
    }

    /// Whether the exact solver answers instead of a searcher.
    pub(super) fn uses_exact_solver(searcher: SearcherChoice) -> bool {
        O::IS_SOLVED && searcher == SearcherChoice::Auto
    }

    /// Builds the exact solver's tables or the searcher, so that the answer starts without delay.
    pub(super) fn build(&mut self, pos: &G, searcher: SearcherChoice) -> Result<(), OutOfMemory> {
        if Self::uses_exact_solver(searcher) {
            self.exact_solver.build(pos);
        } else {
            self.searcher(searcher)?;
        }
        Ok(())
    }

    /// Answers a request about the position of a game, reporting progress on the way.
    ///
    /// # Errors
    /// Fails if memory cannot be allocated.
    pub(crate) fn analyze(
        &mut self,
        record: &Record<G>,
        request: &SearchRequest<G::Move>,
        control: &SearchControl,
        progress: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> Result<SearchReport<G::Move>, OutOfMemory> {
        if let Some(outcome) = record.outcome() {
            let proven = Some(ExactValue::from_outcome(outcome, record.position().side()));
            return Ok(SearchReport { proven, ..SearchReport::default() });
        }
        let task = SearchTask {
            limits: request.limits,
            multi_pv: request.multi_pv,
            threads: request.threads,
            seed: request.seed,
            ..SearchTask::new(record.clone())
        };
        match request.task {
            Task::BestMove => self.find_best(task, request, control, progress),
            Task::AssessAll { played, completes_lines } => {
                self.assess_all(&task, played, completes_lines, control)
            }
        }
    }

    /// Finds the best of the candidate moves.
    fn find_best(
        &mut self,
        mut task: SearchTask<G>,
        request: &SearchRequest<G::Move>,
        control: &SearchControl,
        progress: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> Result<SearchReport<G::Move>, OutOfMemory> {
        let legal = task.moves.len();
        request.retain_candidates(&mut task.moves);
        let is_complete = task.moves.len() == legal;
        let line_count = task.line_count();
        // A limited strength chooses from all moves, the one to play first.
        if let Some(skill_level) = request.skill_level {
            task.multi_pv = task.moves.len();
            task.limits = skill_level.weaken(task.limits);
        }
        let mut show = |report: &SearchReport<G::Move>| {
            if request.skill_level.is_none() {
                progress(report);
            }
        };
        let mut report = if Self::uses_exact_solver(request.searcher) {
            SearchReport { time: control.elapsed(), ..self.look_up(&task) }
        } else {
            self.searcher(request.searcher)?.search(&task, control, &mut show)
        };
        if let Some(skill_level) = request.skill_level {
            let evaluator = &mut E::from_settings(&self.settings)?;
            skill_level.choose_line(&mut report, task.position(), evaluator, task.position_seed());
            // A level may overlook later what was proven, so it claims nothing.
            report.lines = report.lines.into_iter().map(PvLine::into_estimate).collect();
        }
        report.lines.truncate(line_count);
        // If moves were excluded or the best one was passed over, the root value is unknown.
        if !is_complete || request.skill_level.is_some() {
            report.proven = None;
        }
        Ok(report)
    }

    /// Answers from the exact solver.
    fn look_up(&mut self, task: &SearchTask<G>) -> SearchReport<G::Move> {
        let exact_solver = &mut self.exact_solver;
        let mut ranked = rank_moves(exact_solver, &task.record);
        ranked.retain(|(mv, _)| task.moves.contains(mv));
        ranked.truncate(task.line_count());
        let line = |(mv, exact): (G::Move, ExactValue)| {
            PvLine::new(Score::Exact(exact), principal_variation(exact_solver, &task.record, mv))
        };
        let lines: Vec<_> = ranked.into_iter().map(line).collect();
        let depth = lines[0].moves.len() as u32;
        SearchReport {
            depth,
            selective_depth: depth,
            proven: lines[0].score.proven(),
            lines,
            nodes: self.exact_solver.position_count() as u64,
            ..SearchReport::default()
        }
    }

    /// Assesses every legal move, best first, unless an earlier request has done so with as much work.
    fn assess_all(
        &mut self,
        task: &SearchTask<G>,
        played: Option<G::Move>,
        completes_lines: bool,
        control: &SearchControl,
    ) -> Result<SearchReport<G::Move>, OutOfMemory> {
        if O::IS_SOLVED {
            let lines =
                assess_exactly(&mut self.exact_solver, &task.record, played, completes_lines);
            let proven = lines.first().and_then(|best| best.score.proven());
            return Ok(SearchReport { lines, proven, ..SearchReport::default() });
        }
        let mut spent = Effort::default();
        if completes_lines || !self.assessments.covers(&task.record, &task.limits) {
            spent = self.assess(task, played, completes_lines, control)?;
        }
        let report = self.assessments.report(&task.record).unwrap_or_default();
        Ok(SearchReport { nodes: spent.nodes, time: spent.time, ..report })
    }

    /// Assesses every legal move, keeps the result and returns the work it took.
    fn assess(
        &mut self,
        task: &SearchTask<G>,
        played: Option<G::Move>,
        completes_lines: bool,
        control: &SearchControl,
    ) -> Result<Effort, OutOfMemory> {
        let mut prover = match self.prover.take() {
            Some(prover) => prover,
            None => {
                let heuristic = EvalHeuristic(E::from_settings(&self.settings)?);
                Prover::new(heuristic, self.settings.hash << 20)?.with_threads(task.threads)
            }
        };
        let work = PositionWork::new(task, control);
        let searcher = self.searcher(SearcherChoice::Auto)?;
        let assessor =
            MoveAssessor { work, played, completes_lines, searcher, prover: &mut prover, nodes: 0 };
        let (lines, spent) = assessor.assess();
        self.prover = Some(prover);
        let effort = if control.is_stopped() { spent } else { spent.or_asked(&task.limits) };
        if !lines.is_empty() {
            self.assessments.insert(&task.record, lines, effort);
        }
        Ok(spent)
    }

    /// The reasons for and against a legal move, most important first.
    pub(crate) fn reasons<R: Reasons<G>>(
        &mut self,
        record: &Record<G>,
        mv: G::Move,
        reply: Option<G::Move>,
    ) -> Vec<Reason> {
        let ranked =
            if O::IS_SOLVED { rank_moves(&mut self.exact_solver, record) } else { Vec::new() };
        let mut reasons = R::reasons(record.position(), mv, reply);
        reasons.extend(value_reason(&ranked, &record.legal_moves(), mv));
        reasons
    }

    /// Evaluates an unfinished position without searching.
    pub(super) fn evaluate(&mut self, pos: &G) -> Result<Score, OutOfMemory> {
        if O::IS_SOLVED {
            return Ok(Score::Exact(self.exact_solver.exact(pos)));
        }
        let mut evaluator = E::from_settings(&self.settings)?;
        evaluator.reset(pos);
        Ok(Score::Estimate(evaluator.evaluate(pos)))
    }
}
