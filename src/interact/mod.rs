//! What terminal and page share: a game between people and engines, advice, levels, texts for people.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod advice;
pub(crate) mod game;
pub mod levels;
pub mod review;
pub mod review_page;
pub mod situation;
mod wording;

pub use game::{IllegalInput, KeptSearcher, PlayGame, PlayerKind};
pub use wording::PlayerLabel;
