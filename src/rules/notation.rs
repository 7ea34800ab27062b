//! The notations that positions and moves can be converted between. Every game has its own;
//! [`Game::write_as`](super::Game::write_as) tells which of the others it supports.

use std::fmt;

/// A notation for positions and moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Notation {
    /// The game's own notation: its FEN, and moves as `Display` writes them.
    Own,
    /// `X;@........;........./…`, with moves of two letters: board, then cell.
    Compact,
    /// The FEN and moves of runners that treat the game as a drop variant: `P@b2`.
    Drops,
}

impl Notation {
    /// All notations; the one that every game has comes first.
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
