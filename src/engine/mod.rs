//! The engine: commands in, answers out.
//!
//! [`run()`] is the loop over any reader and writer. A [`Session`] keeps the options and the [`Desk`]
//! of the game in play; [`registry`] lists the games. Work that takes time (searches, perft, bench)
//! runs beside the loop and speaks for itself. Imports every layer above it.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod analyzing;
pub mod bench;
pub mod convert;
mod desk;
mod error;
mod log;
mod memory;
pub mod openings;
mod options;
mod output;
pub mod registry;
mod run;
mod session;
mod settings;
pub mod solving;
mod voice;
mod work;

pub use desk::{Appraisal, Desk, Terms, Transcript};
pub use error::EngineError;
pub use log::{LogFile, append_to};
pub use output::Output;
pub use run::{SessionStart, run};
pub use session::Session;
