//! The notations of positions and moves. Every game has its own; [`GameNotation::write_as`] tells which of
//! the others it supports.

use std::fmt;

use super::game::legal_hint;
use super::{Game, Move, MoveError};

/// How the moves of a game are read, and the notations it can be converted to. The defaults read and write
/// a move as its `Display` does.
pub trait GameNotation: Game {
    /// Parses a move in any notation of the game; it need not be legal.
    ///
    /// # Errors
    /// Fails if the text is not a move of this game.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError> {
        let moves = || {
            let moves = (0..Self::MOVE_CODES).filter_map(Self::Move::from_code);
            moves.map(|mv| (mv, mv.to_string()))
        };
        // Names that differ only in case are told apart.
        let exact = moves().find(|(_, name)| name == text);
        let found = exact.or_else(|| moves().find(|(_, name)| name.eq_ignore_ascii_case(text)));
        found
            .map(|(mv, _)| mv)
            .ok_or_else(|| MoveError::Illegal { found: text.to_owned(), hint: legal_hint(self) })
    }

    /// Parses a move as people type it: in any notation of the game, or abbreviated where the
    /// position determines the rest.
    ///
    /// # Errors
    /// Fails if the text is not a move of this game, or abbreviates several moves.
    fn parse_user_move(&self, text: &str) -> Result<Self::Move, MoveError> {
        self.parse_move(text)
    }

    /// Writes the position in a notation that `FromStr` reads back as an equal position. `None` if
    /// the game does not have the notation or the notation cannot express the position. A game that
    /// has a notation can write its start position in it.
    fn write_as(&self, notation: Notation) -> Option<String> {
        (notation == Notation::Own).then(|| self.to_string())
    }

    /// Writes a move in a notation that [`GameNotation::parse_move`] reads back; `None` if the game
    /// does not have the notation.
    fn write_move_as(mv: Self::Move, notation: Notation) -> Option<String> {
        (notation == Notation::Own).then(|| mv.to_string())
    }
}

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
