//! What a two-player game of perfect information is, without knowing any.
//!
//! This is the lowest layer: it imports nothing from the rest of the crate. [`Game`] is what a
//! game implements, [`Record`] is a game in progress (the only place that remembers history),
//! [`perft()`] counts the leaves of a game tree, and the value types say who stands how.

pub mod drawing;
mod error;
mod game;
mod notation;
pub mod perft;
pub mod random;
mod record;
mod value;

pub use error::{FenError, MoveError, quote};
pub use game::{Game, HeapSum, Move};
pub use notation::Notation;
pub use perft::perft;
pub use random::SplitMix;
pub use record::Record;
pub use value::{ExactValue, Outcome, Side, Value};
