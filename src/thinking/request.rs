//! A request to search a position, the search prepared for it, and the report that answers it.

use std::time::Duration;

use super::EngineError;
use super::settings::{SKILL_MAX, SearcherChoice, Settings};
use super::skill_level::SkillLevel;
use crate::rules::Notation;
use crate::search::{Limits, SearchControl, SearchReport, TimeBudget};

/// What to find out about a position, and with how much work. Moves are text, and typed once they are
/// resolved against a position.
#[derive(Debug, Clone)]
pub struct SearchRequest<M = String> {
    /// What to find out.
    pub task: Task<M>,
    /// The candidate moves; all legal ones if there are none. An assessment covers all moves anyway.
    pub moves: Vec<M>,
    /// When to stop.
    pub limits: Limits,
    /// How many of the best moves to report, each with its line. An assessment reports all moves.
    pub multi_pv: usize,
    /// Maximum number of threads.
    pub threads: usize,
    pub seed: u64,
    /// The limited strength of the answer; `None` for full strength.
    pub skill_level: Option<SkillLevel>,
    pub searcher: SearcherChoice,
    pub notation: Notation,
}

/// What to find out about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task<M> {
    BestMove,
    /// The value of every legal move: what can be proven is proven first, and only the rest searched.
    /// Proofs are kept for other positions of the game.
    AssessAll {
        /// A move to assess as thoroughly as the best one.
        played: Option<M>,
        /// Whether to complete the lines of all proven moves, rather than those of the best and the
        /// played one.
        completes_lines: bool,
    },
}

impl<M> SearchRequest<M> {
    /// The level of full strength.
    pub const MAX_SKILL: u32 = SKILL_MAX;

    /// Asks for the best move at full strength.
    #[must_use]
    pub fn best_move(time: Duration) -> Self {
        Self::at_level(Self::MAX_SKILL, 0, time)
    }

    /// Asks for a move at a level, as in the option `Skill Level`. The seed decides its mistakes.
    #[must_use]
    pub fn at_level(level: u32, seed: u64, time: Duration) -> Self {
        let settings = Settings { skill: level, seed, ..Settings::default() };
        let limits = Limits { budget: TimeBudget::fixed(time), ..Limits::default() };
        Self { limits, ..settings.request() }
    }

    /// Asks for an assessment of every legal move within limits of nodes and time.
    #[must_use]
    pub fn assess_all(nodes: Option<u64>, time: Option<Duration>, threads: usize) -> Self {
        let budget = time.map_or_else(TimeBudget::default, TimeBudget::fixed);
        let limits = Limits { nodes, budget, ..Limits::default() };
        let settings = Settings { threads, ..Settings::default() };
        let task = Task::AssessAll { played: None, completes_lines: false };
        Self { task, limits, ..settings.request() }
    }

    /// The request with its moves converted.
    pub(super) fn try_map_moves<N, E>(
        &self,
        convert: impl Fn(&M) -> Result<N, E>,
    ) -> Result<SearchRequest<N>, E> {
        let task = match &self.task {
            Task::BestMove => Task::BestMove,
            Task::AssessAll { played, completes_lines } => Task::AssessAll {
                played: played.as_ref().map(&convert).transpose()?,
                completes_lines: *completes_lines,
            },
        };
        Ok(SearchRequest {
            task,
            moves: self.moves.iter().map(convert).collect::<Result<_, E>>()?,
            limits: self.limits,
            multi_pv: self.multi_pv,
            threads: self.threads,
            seed: self.seed,
            skill_level: self.skill_level,
            searcher: self.searcher,
            notation: self.notation,
        })
    }
}

impl<M: PartialEq> SearchRequest<M> {
    /// Removes the moves that are no candidates from the legal ones.
    pub(super) fn retain_candidates(&self, legal: &mut Vec<M>) {
        if !self.moves.is_empty() {
            legal.retain(|mv| self.moves.contains(mv));
        }
    }
}

impl Settings {
    /// A request for the best of all legal moves, without limits.
    pub(crate) fn request<M>(&self) -> SearchRequest<M> {
        SearchRequest {
            task: Task::BestMove,
            moves: Vec::new(),
            limits: Limits::default(),
            multi_pv: self.multi_pv,
            threads: self.threads,
            seed: self.seed,
            skill_level: self.skill_level(),
            searcher: self.searcher,
            notation: self.notation(),
        }
    }
}

/// The answer to a [`SearchRequest`], with moves as text: exact if the game is solved, proven where a
/// proof was found, estimated elsewhere. Without lines the game is over.
pub type Report = SearchReport<String>;

/// A search that is ready to start, on any thread. It has a position of its own and shares with its game
/// what is built and found.
pub struct PreparedSearch {
    /// The number of candidate moves.
    pub candidates: usize,
    /// Whether the answer is known without a search.
    pub is_known: bool,
    pub(super) run: Box<RunSearch>,
}

pub(super) type RunSearch =
    dyn FnOnce(&SearchControl, &mut dyn FnMut(&Report)) -> Result<Report, EngineError> + Send;

impl PreparedSearch {
    /// Runs the search. At full strength it reports its progress on the way; below, that would reveal
    /// better moves than the one that is played.
    ///
    /// # Errors
    /// Fails if memory cannot be allocated.
    pub fn run(
        self,
        control: &SearchControl,
        progress: &mut dyn FnMut(&Report),
    ) -> Result<Report, EngineError> {
        (self.run)(control, progress)
    }
}
