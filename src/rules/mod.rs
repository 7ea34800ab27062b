//! What a two-player game with perfect information is, independent of any particular game.
//!
//! A game implements [`Game`], and [`GameNotation`], [`GameDrawing`] and [`GameEncoding`], whose methods
//! all have defaults. [`Record`] is a game in progress and the only place that keeps its
//! history, [`perft()`] counts the leaves of a game tree, and [`Outcome`], [`Value`] and
//! [`ExactValue`] are the results of games and positions.

pub mod drawing;
mod encoding;
mod error;
pub mod fen;
mod game;
mod notation;
pub mod perft;
pub mod random;
pub mod random_positions;
mod record;
mod start_position;
mod value;

pub use drawing::GameDrawing;
pub use encoding::GameEncoding;
pub use error::{FenError, MoveError};
pub use game::{Game, Move, QuietMove, symmetric_key};
pub use notation::{GameNotation, Notation};
pub use perft::perft;
pub use random::SplitMix;
pub use record::Record;
pub use start_position::StartPosition;
pub use value::{ExactValue, Outcome, Side, Value};
