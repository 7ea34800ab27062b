//! The notations that positions and moves are translated between.
//!
//! A game always has its own; it says itself which of the others it can write, by
//! [`Game::write_as`](super::Game::write_as).

use std::fmt;

/// A way to write positions and moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Notation {
    /// The game's own: its FEN, and moves as `Display` writes them.
    Own,
    /// `X;@........;........./…` with moves of two letters, board then cell.
    Compact,
    /// The FEN and the moves of referees that know the game as a drop variant: `P@b2`.
    Drops,
}

impl Notation {
    /// All notations, the one that every game has first.
    pub const ALL: [Self; 3] = [Self::Own, Self::Compact, Self::Drops];

    /// The name in commands.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "fen",
            Self::Compact => "compact",
            Self::Drops => "drops",
        }
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
