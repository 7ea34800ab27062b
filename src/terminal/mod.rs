//! Playing at a terminal.
//!
//! A [`Controller`] asks for the settings that the command line left open, then runs games until the
//! user quits. It reads and prints through a [`Console`], which is a terminal, a pipe or a test.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod board;
mod console;
mod controller;
pub mod files;
mod input;
mod options;
mod screen;
pub mod text;

pub use console::{Completions, Console, ConsoleFormat, ConsoleInput};
pub use controller::{Controller, PlayError};
pub use input::takes_file_name;
pub use options::PlayOptions;
