//! Evaluations of tixtax, plugged into the search through its `Evaluator` hook, and how they learn.
//!
//! [`Net`] is the learned one, for the closed rule; [`EvalFile`] its weights as they are stored.
//! [`HandcraftedEval`] is set by hand: it judges the open rule, and the games of the first generation that
//! the net learns from. [`selfplay`] plays such games and [`training_data`] writes them down; the training
//! itself is in `scripts/train`. Imports `rules`, `games` and `search`.

mod architecture;
pub mod board_code;
mod file;
mod handcrafted;
mod layers;
mod net;
pub mod selfplay;
pub mod training_data;

pub use file::{EvalFile, EvalFileError};
pub use handcrafted::HandcraftedEval;
pub use net::Net;
