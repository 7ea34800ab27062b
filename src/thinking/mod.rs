//! A game whose type is chosen at run time, the list of games, and everything that can be asked about a
//! position.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod analyzing;
mod any_game;
pub mod bench;
mod error;
pub(crate) mod jobs;
mod move_assessment;
pub mod openings;
pub(crate) mod output;
pub mod registry;
pub(crate) mod responder;
pub(crate) mod settings;
pub mod solving;
mod typed_game;

pub use any_game::{AnyGame, Assessment, MissingPlies, NotatedGame, ThinkOptions};
pub use error::EngineError;
pub use move_assessment::{AssessmentLimits, MoveAssessment};
