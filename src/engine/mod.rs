//! The engine behind the protocol: sessions, options and the input loop.
//!
//! [`run()`] reads commands from any reader and answers on any writer. A [`Session`] holds the
//! options and the current game. Searches, perft and bench run on their own thread, so that
//! the loop keeps accepting `stop` and the other commands of a running search.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod codingame;
pub mod convert;
mod log;
mod options;
mod run;
mod session;

pub use crate::thinking::output::ClientOutput;
pub use log::{LogFile, open_for_append};
pub use options::OptionPolicy;
pub use run::{LineStatus, SessionConfig, run};
pub use session::Session;
