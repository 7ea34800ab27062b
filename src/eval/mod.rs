//! Evaluations of tixtax, plugged into the search through its `Evaluator` hook.
//!
//! Imports `rules`, `games` and the hook of `search`. [`Sober`] is the first one: hand-set values
//! of boards, threats and the forced board, read from a small file that can be replaced.

mod sober;
mod weights;

pub use sober::Sober;
pub use weights::{Weights, WeightsError};
