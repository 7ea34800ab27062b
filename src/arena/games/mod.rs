//! One game between two engines: referee, clock and adjudication.

pub mod adjudication;
pub(crate) mod book_moves;
pub(crate) mod clock;
pub mod match_game;
pub mod referee;
pub mod rules;
