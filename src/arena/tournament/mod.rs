//! Tournaments: what is played, in which order, from which openings, and the files that hold it.

pub mod book;
mod dispatcher;
pub mod error;
pub mod evidence;
pub mod in_progress;
pub mod journal;
pub mod merge;
pub mod rescore;
pub mod run;
pub mod schedule;
pub mod scoreboard;
#[cfg(feature = "cli")]
pub mod settings;
pub mod setup;
pub mod sprt_progress;
