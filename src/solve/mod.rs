//! Solvers: exact values of positions.
//!
//! Each solver is for a class of games: [`Minimax`] for finite games without cycles,
//! [`Retrograde`] for games whose positions can repeat, [`SpragueGrundy`] for sums of heaps. They
//! implement [`ExactSolver`], and [`rank_moves`] orders moves by an exact solver. [`ExactSearch`] implements
//! it too, for positions near the end of games too large to tabulate; [`Prover`], a proof-number
//! search, proves values further from the end. [`mod@reference`] is the plain search that tests compare
//! all others with.

mod exact_search;
pub(crate) mod first_player_wins;
mod minimax;
mod move_ranking;
mod proof;
pub mod reference;
mod retrograde;
mod sprague_grundy;

pub use exact_search::ExactSearch;
pub use first_player_wins::FirstPlayerWins;
pub use minimax::Minimax;
pub use move_ranking::{count_traps, principal_variation, rank_moves};
pub(crate) use proof::STOP_CHECK_NODES;
pub use proof::{
    CertificateError, CertificateSize, CheckpointEntries, CheckpointError, GoalProgress, ProofNode,
    ProofNumberHeuristic, Prover, UniformHeuristic, ValueBounds, Verification, Verifier,
    line_length,
};
pub use retrograde::Retrograde;
pub use sprague_grundy::SpragueGrundy;

use crate::rules::{ExactValue, Game};

/// The memory for a table could not be allocated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cannot allocate {mebibytes} MiB")]
pub struct OutOfMemory {
    pub mebibytes: usize,
}

/// Gives the exact value of any position of a solved game.
///
/// Tables are built on first use and kept. [`ExactSolver::IS_SOLVED`] must be checked before an exact solver is
/// used.
pub trait ExactSolver<G: Game>: Default + Send + 'static {
    const IS_SOLVED: bool = true;
    /// Whether answers take milliseconds. One that takes longer is not limited by a clock either.
    const IS_INSTANT: bool = Self::IS_SOLVED;

    /// The value of a position, regardless of its history.
    fn exact(&mut self, pos: &G) -> ExactValue;

    /// Builds the tables, so that the first answer comes without delay.
    fn build(&mut self, pos: &G) {
        self.exact(pos);
    }

    /// The number of positions in the table.
    fn position_count(&self) -> usize;

    /// Proves positions whose proof is known from theory, so that the prover finds their values in its
    /// table.
    fn prove_known<H: ProofNumberHeuristic<G>>(
        prover: &mut Prover<G, H>,
        pos: &G,
        stop: &mut dyn FnMut() -> bool,
    ) {
        let _ = (prover, pos, stop);
    }
}

#[derive(Debug, Default)]
pub struct Unsolved;

impl<G: Game> ExactSolver<G> for Unsolved {
    const IS_SOLVED: bool = false;

    /// Falls back to the plain search. Callers check [`ExactSolver::IS_SOLVED`] first.
    fn exact(&mut self, pos: &G) -> ExactValue {
        reference::negamax(pos)
    }

    fn position_count(&self) -> usize {
        0
    }
}
