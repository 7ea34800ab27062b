//! The UCI and UGI protocols: parsing commands and formatting replies. [`codingame`] is the protocol
//! of CodinGame's bots.
//!
//! [`parse`](parse()) turns a line into a [`ProtocolCommand`] without side effects and without
//! knowledge of any game. [`LineReader`] splits the input into lines of bounded length; [`reply`]
//! formats the answers.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod codingame;
mod command;
mod error;
mod go;
mod lines;
mod parse;
pub mod reply;
mod tokens;

pub use command::{GoOptions, PerftOptions, PositionLine, ProtocolCommand, Query};
pub use error::ProtocolError;
pub use lines::{LineReader, RawLine};
pub use parse::{parse, parse_position_line};
