//! A game whose type is chosen at run time, the list of games, and everything that can be asked about a
//! position.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[cfg(feature = "interface")]
pub mod analyzing;
mod any_game;
// Not on the page, where it would only be downloaded.
#[cfg(not(target_family = "wasm"))]
pub mod batch;
pub mod bench;
mod error;
mod game_spec;
mod known_game;
mod mind;
mod move_assessment;
pub mod openings;
pub mod puzzles;
mod question;
pub mod registry;
pub mod selfplay;
pub(crate) mod settings;
pub mod solving;
mod typed_game;

pub use any_game::{AnyGame, NotatedGame};
pub use error::EngineError;
pub use game_spec::{CountPositions, GameSpec, SpecBuilder};
pub(crate) use mind::Mind;
pub use question::{Question, Report};
pub use settings::{EngineEvaluator, SEARCHERS, SearcherChoice, Settings};
