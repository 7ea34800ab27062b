//! What terminal and page share: a game between people and engines, advice, levels, texts for people.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod advice;
pub mod files;
pub(crate) mod game;
pub mod levels;
pub mod messages;
mod options;
pub mod review;
pub mod situation;
pub mod text;

pub use game::PlayGame;
pub use options::{PlayOptions, PlayerKind, StartPosition};
