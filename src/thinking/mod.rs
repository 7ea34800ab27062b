//! A game whose type is chosen at run time, the list of games, and everything that can be asked about a
//! position.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod analyzer;
#[cfg(feature = "interface")]
pub mod analyzing;
mod any_game;
// Not on the page, where it would only be downloaded.
#[cfg(not(target_family = "wasm"))]
pub mod batch;
pub mod bench;
mod codingame_board;
mod error;
mod game_spec;
mod known_game;
pub mod openings;
pub mod puzzles;
pub mod registry;
mod request;
pub mod selfplay;
pub(crate) mod settings;
mod skill_level;
pub mod solving;
mod typed_game;

pub(crate) use analyzer::Analyzer;
pub use any_game::{AnyGame, NotatedGame};
pub use codingame_board::CodingameBoard;
pub use error::EngineError;
pub use game_spec::{CountPositions, GameSpec, SpecBuilder};
pub use request::{PreparedSearch, Report, SearchRequest, Task};
pub use settings::{EngineEvaluator, SEARCHERS, SearcherChoice, Settings};
pub use skill_level::{LevelScale, SkillLevel};
