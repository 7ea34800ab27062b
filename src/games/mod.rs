//! The games: one module each with its rules, its notation and its symmetries.
//!
//! Imports `rules` only. A new game is a module here and a line in the engine's registry.
//! `grid` and `notation` are what the modules share.

pub(crate) mod grid;
pub mod nim;
mod notation;
pub mod ponghauki;
pub mod tictactoe;
pub mod tixtax;

pub use nim::Nim;
pub use ponghauki::PongHauKi;
pub use tictactoe::TicTacToe;
pub use tixtax::{TixTax, TixTaxOpen};
