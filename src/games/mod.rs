//! The games: one module each, with its rules, notation and symmetries. `grid` and `notation` are
//! shared. A new game is a module here and an entry in the engine's registry.

pub(crate) mod grid;
pub mod nim;
pub(crate) mod notation;
pub mod ponghauki;
pub mod tictactoe;
pub mod tixtax;

pub use nim::Nim;
pub use ponghauki::PongHauKi;
pub use tictactoe::TicTacToe;
pub use tixtax::{TixTax, TixTaxCount, TixTaxOpen};
