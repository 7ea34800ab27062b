//! What the review of a game adds to its moves: glyphs and the number of moves that keep the value.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The mark of a move, from worst to best; `teaching/review/glyphs.rs` says when a move gets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Glyph {
    /// A large loss of expected score.
    #[serde(rename = "??")]
    Blunder,
    /// A medium one.
    #[serde(rename = "?")]
    Mistake,
    /// A small one.
    #[serde(rename = "?!")]
    Inaccuracy,
    /// The only move that keeps the value.
    #[serde(rename = "!")]
    OnlyMove,
}

impl Glyph {
    /// All marks, worst first.
    pub const ALL: [Self; 4] = [Self::Blunder, Self::Mistake, Self::Inaccuracy, Self::OnlyMove];

    /// The symbol used in chess notation.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Blunder => "??",
            Self::Mistake => "?",
            Self::Inaccuracy => "?!",
            Self::OnlyMove => "!",
        }
    }

    /// Its numeric annotation glyph in PGN.
    pub fn nag(self) -> u32 {
        match self {
            Self::OnlyMove => 1,
            Self::Mistake => 2,
            Self::Blunder => 4,
            Self::Inaccuracy => 6,
        }
    }

    /// The mark of a numeric annotation glyph, if it has one.
    pub fn from_nag(nag: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|mark| mark.nag() == nag)
    }

    /// Whether the move is at least a mistake.
    pub fn is_serious(self) -> bool {
        matches!(self, Self::Blunder | Self::Mistake)
    }
}

impl fmt::Display for Glyph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

/// How many moves keep the value of a position: where it is proven, those whose value is proven to
/// be the same, however long they take; elsewhere those that lose less than 0.10.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueKeepingMoves {
    /// The number of moves that keep the value.
    pub count: usize,
    pub legal: usize,
    /// Whether it is proven for every legal move whether it keeps the value.
    #[serde(rename = "proven")]
    pub is_proven: bool,
}
