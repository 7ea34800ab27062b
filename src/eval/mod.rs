//! Evaluations of tixtax, plugged into the search through its `Evaluator` hook, and their training
//! data.
//!
//! [`Net`] is the learned evaluation for the closed rules, [`EvalFile`] its weights file, and
//! [`EmbeddedNet`] says which file belongs to which rule.
//! [`HandcraftedEval`] evaluates the open rule and played the first generation of training games.
//! [`training_data`] stores the games that [`selfplay`](crate::thinking::selfplay) plays; the training
//! itself is in `scripts/train`.

pub mod architecture;
pub mod board_code;
mod embedded;
mod file;
mod handcrafted;
mod layers;
mod net;
pub mod training_data;

pub use embedded::EmbeddedNet;
#[cfg(not(feature = "weights"))]
pub use embedded::{WeightsReader, set_weights_reader};
pub use file::{EvalFile, EvalFileError, HeadWeights};
pub use handcrafted::HandcraftedEval;
pub use net::Net;

use crate::search::Calibration;

/// The evaluations are fitted to imperfect play. Under perfect play advantages are larger and fewer
/// games are drawn; scaling both makes proofs faster.
const TIXTAX_CALIBRATION: Calibration =
    Calibration { draw_share: 0.4, perfect_play_scale: 1.2, perfect_play_draws: 0.9 };
