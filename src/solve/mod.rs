//! Exact values.
//!
//! Three solvers, each for a class of games rather than for a game: [`Minimax`] for finite games
//! without cycles, [`Retrograde`] for games in which positions come back, [`Heaps`] for sums of
//! heaps (Sprague–Grundy). They implement [`Oracle`]; [`advise`] turns an oracle into advice on
//! moves. [`Prover`] is for games too large for tables: it proves values where it can.
//! [`mod@reference`] is the plain search that all clever ones are compared with. Imports `rules`
//! only.

mod advice;
mod heaps;
mod minimax;
mod proof;
pub mod reference;
mod retrograde;

pub use advice::{Advice, advise, principal_line};
pub use heaps::Heaps;
pub use minimax::Minimax;
pub use proof::{Bounds, CheckpointError, Guide, Leaf, Prover, Unguided, Verification, Verifier};
pub use retrograde::Retrograde;

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
/// [`Oracle::KNOWS`] and is never asked.
pub trait Oracle<G: Game>: Default + Send + 'static {
    /// Whether the game is solved.
    const KNOWS: bool = true;

    /// Whether some positions of its games are drawn.
    const DRAWS: bool = true;

    /// The value of a position, whatever happened before it.
    fn exact(&mut self, pos: &G) -> ExactValue;

    /// How many positions are in the table.
    fn known(&self) -> usize;
}

/// The oracle of a game that is not solved.
#[derive(Debug, Default)]
pub struct Unsolved;

impl<G: Game> Oracle<G> for Unsolved {
    const KNOWS: bool = false;

    /// Falls back on the plain search; callers look at [`Oracle::KNOWS`] first.
    fn exact(&mut self, pos: &G) -> ExactValue {
        reference::negamax(pos)
    }

    fn known(&self) -> usize {
        0
    }
}
