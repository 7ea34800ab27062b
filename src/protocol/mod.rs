//! The language that is spoken over stdin and stdout: UCI and UGI.
//!
//! [`parse`](parse()) turns a line into a [`ProtocolCommand`] without side effects and without knowing any
//! game: moves and positions stay text until the engine resolves them. [`LineReader`] cuts the
//! input into lines of bounded length; [`reply`] writes what goes back. Imports `rules` and the
//! report types of `search`.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod command;
mod error;
mod go;
mod lines;
mod parse;
pub mod reply;
mod tokens;

pub use command::{GoOptions, PerftOptions, PositionLine, PositionSetup, ProtocolCommand, Query};
pub use error::ProtocolError;
pub use lines::{LineReader, RawLine};
pub use parse::{parse, parse_position_line};
