//! `zermelo play`: in memory, through pipes, and in a real terminal.

#[path = "../common/mod.rs"]
mod common;

mod acceptance;
mod advice;
mod games;
mod input;
#[cfg(unix)]
mod keys;
mod pipes;
mod puzzles;
mod records;
mod script;
mod series;
#[cfg(unix)]
mod terminal;
