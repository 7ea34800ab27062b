//! The engine behind the protocol: sessions, options and the input loop.
//!
//! [`run()`] reads commands from any reader and answers on any writer. A [`Session`] holds the
//! options and the current game. Searches, perft and bench run on their own thread, so that
//! the loop keeps accepting `stop` and the other commands of a running search.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod codingame;
#[cfg(feature = "interface")]
pub mod convert;
mod go;
mod log;
mod options;
mod output;
mod responder;
mod run;
mod session;

pub use log::{LogFile, open_for_append};
pub use options::OptionPolicy;
pub use output::ClientOutput;
pub use run::run;
pub use session::{LineStatus, Session, SessionConfig};
