//! A person at the board.
//!
//! A [`Host`] receives a person, asks what is to be played and against whom, and keeps the game
//! going until the person leaves. It speaks through a [`Console`], which is a terminal, a pipe or a
//! test; the words are those of [`messages`], the board is drawn by [`board`] from the layout of any
//! game. Imports the desks of the engine, and the records of the arena.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod board;
mod console;
mod entry;
mod host;
pub mod messages;
mod review;
mod screen;
mod sitting;
pub mod text;
mod wishes;

pub use console::{Console, Heard, Look};
pub use entry::wants_file;
pub use host::{Host, PlayError};
pub use wishes::{First, Start, Wishes};
