//! The engine behind the protocol: sessions, options, and the registry of games.
//!
//! [`run()`] reads commands from any reader and answers on any writer. A [`Session`] holds the
//! options and the current [`AnyGame`]. Searches, perft and bench run on their own thread, so that
//! the loop keeps accepting `stop` and the other commands of a running search.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod analyzing;
mod any_game;
pub mod bench;
pub mod codingame;
pub mod convert;
mod error;
mod jobs;
mod log;
mod move_assessment;
pub mod openings;
mod options;
mod output;
pub mod puzzles;
pub mod registry;
mod responder;
mod run;
mod session;
mod settings;
pub mod solving;
mod typed_game;

pub use any_game::{AnyGame, Assessment, MissingPlies, NotatedGame, ThinkOptions};
pub use error::EngineError;
pub use log::{LogFile, open_for_append};
pub use move_assessment::{AssessmentLimits, MoveAssessment};
pub use options::OptionPolicy;
pub use output::ClientOutput;
pub use run::{LineOutcome, SessionConfig, run};
pub use session::Session;
