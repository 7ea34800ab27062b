//! `zermelo play`: in memory, through pipes, and in a real terminal.

#[path = "../common/illegal_moves.rs"]
mod illegal_moves;

mod acceptance;
mod advice;
mod games;
mod input;
#[cfg(unix)]
mod keys;
mod lessons;
mod pipes;
mod puzzles;
mod records;
mod script;
mod series;
#[cfg(unix)]
mod terminal;
