//! A person at the board: in memory, through pipes, and in a real terminal.

#[path = "../common/mod.rs"]
mod common;

mod entries;
mod games;
mod pipes;
mod script;
#[cfg(unix)]
mod terminal;
