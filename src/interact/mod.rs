//! What terminal and page share: a game between people and engines, advice, levels, texts for people.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod advice;
pub mod files;
pub(crate) mod game;
pub(crate) mod game_texts;
pub mod levels;
mod options;
pub mod review;
pub mod situation;
mod wording;

pub use game::{IllegalInput, PlayGame, PlayerKind};
pub use options::{PlayOptions, StartPosition};
pub use wording::PlayerLabel;
