//! Evaluations of tixtax, plugged into the search through its `Evaluator` hook, and how they learn.
//!
//! [`Net`] is the learned one, for the closed rule; [`EvalFile`] its weights as they are stored.
//! [`Sober`] is set by hand: it judges the open rule, and the games of the first generation that
//! the net learns from. [`selfplay`] plays such games and [`samples`] writes them down; the training
//! itself is in `scripts/train`. Imports `rules`, `games` and `search`.

pub mod contents;
mod file;
mod layers;
mod net;
pub mod samples;
pub mod selfplay;
mod shape;
mod sober;

pub use file::{EvalFile, EvalFileError};
pub use net::Net;
pub use sober::Sober;
