//! Exact values.
//!
//! Three solvers, each for a class of games rather than for a game: [`Minimax`] for finite games
//! without cycles, [`Retrograde`] for games in which positions come back, [`SpragueGrundy`] for sums of
//! heaps (Sprague–Grundy). They implement [`Oracle`]; [`rank_moves`] turns an oracle into advice on
//! moves. [`Prover`] is for games too large for tables: it proves values where it can.
//! [`mod@reference`] is the plain search that all clever ones are compared with. Imports `rules`
//! only.

mod minimax;
mod move_ranking;
mod proof;
pub mod reference;
mod retrograde;
mod sprague_grundy;

pub use minimax::Minimax;
pub use move_ranking::{RankedMove, principal_variation, rank_moves};
pub use proof::{
    CheckpointError, Guide, ProofNode, Prover, UniformGuide, ValueBounds, Verification, Verifier,
};
pub use retrograde::Retrograde;
pub use sprague_grundy::SpragueGrundy;

use crate::rules::{ExactValue, Game};

/// The memory for a table could not be allocated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no memory for {mebibytes} MiB")]
pub struct OutOfMemory {
    /// The requested size.
    pub mebibytes: usize,
}

/// Knows the exact value of every position of a game.
///
/// Answers are expected at once, so an oracle is for games whose tables are built in milliseconds.
/// They are built when first needed and kept; an oracle that does not know its game says so by
/// [`Oracle::IS_SOLVED`] and is never asked.
pub trait Oracle<G: Game>: Default + Send + 'static {
    /// Whether the game is solved.
    const IS_SOLVED: bool = true;

    /// Whether some positions of its games are drawn.
    const HAS_DRAWS: bool = true;

    /// The value of a position, whatever happened before it.
    fn exact(&mut self, pos: &G) -> ExactValue;

    /// How many positions are in the table.
    fn position_count(&self) -> usize;
}

/// The oracle of a game that is not solved.
#[derive(Debug, Default)]
pub struct Unsolved;

impl<G: Game> Oracle<G> for Unsolved {
    const IS_SOLVED: bool = false;

    /// Falls back on the plain search; callers look at [`Oracle::IS_SOLVED`] first.
    fn exact(&mut self, pos: &G) -> ExactValue {
        reference::negamax(pos)
    }

    fn position_count(&self) -> usize {
        0
    }
}
