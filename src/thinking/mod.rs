//! A game whose type is chosen at run time, the list of games, and everything that can be asked about a
//! position.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod any_game;
pub mod bench;
mod error;
mod mind;
mod move_assessment;
pub mod openings;
mod question;
pub mod registry;
pub mod selfplay;
pub(crate) mod settings;
pub mod solving;
mod typed_game;

pub use any_game::{AnyGame, NotatedGame};
pub use error::EngineError;
pub(crate) use error::parse_position;
pub(crate) use mind::Mind;
pub use question::{Question, Report};
pub use settings::{SEARCHERS, SearcherChoice, Settings};
