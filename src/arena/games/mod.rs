//! One game between two engines: referee, clock and adjudication.

pub mod adjudication;
pub(crate) mod book_moves;
pub(crate) mod clock;
pub(crate) mod game_choice;
pub(crate) mod match_game;
pub(crate) mod referee;
