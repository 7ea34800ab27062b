//! The games: one module each, with its rules, notation and symmetries. `grid` and `notation` are
//! shared. A new game is a module here and a `GameSpec` in `thinking/registry.rs`.

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

/// The games by type, for tests: `for_each_game!(visit arguments)` expands to `visit! { (arguments) games }`, where
/// each game is written as `name: Type`.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_game {
    ($visit:ident $($arguments:tt)*) => {
        $visit! {
            ($($arguments)*)
            tixtax: $crate::games::TixTax,
            tictactoe: $crate::games::TicTacToe,
            ponghauki: $crate::games::PongHauKi,
            nim: $crate::games::Nim,
            tixtax_open: $crate::games::TixTaxOpen,
            tixtax_count: $crate::games::TixTaxCount,
        }
    };
}
