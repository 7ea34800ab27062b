//! One game between two engines: referee, clock and adjudication.

pub(crate) mod adjudication;
pub mod clock;
pub mod match_game;
pub mod referee;
