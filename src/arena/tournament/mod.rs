//! Tournaments: what is played, in which order, from which openings, and the files that hold it.

pub(crate) mod book;
mod dispatcher;
pub(crate) mod error;
pub(crate) mod evidence;
pub mod in_progress;
pub mod journal;
pub(crate) mod ladder_rating;
pub(crate) mod merge;
pub mod replay;
pub(crate) mod schedule;
pub mod scoreboard;
pub mod sprt_progress;
pub mod tournament_setup;
pub(crate) mod workers;
