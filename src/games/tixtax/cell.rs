//! Moves: cells of the whole board, and their names.

use std::fmt;

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::one_of;
use nom::combinator::{all_consuming, map_opt};

use crate::games::notation;
use crate::rules::{Move, MoveError};

const CELL_FORM: &str = "a cell a1 to i9 (or two letters a to i, board then cell)";

/// The cell of the new stone: the small board in the upper four bits, the square on it in the lower
/// four, both numbered row by row from the top left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TixTaxMove(u8);

impl TixTaxMove {
    pub(super) const CODE_COUNT: usize = 9 << 4;

    pub(super) fn new(board: usize, square: usize) -> Self {
        Self((board << 4 | square) as u8)
    }

    /// The cell on a file and a rank of the whole board, counted from 0.
    pub(super) fn at(file: usize, rank: usize) -> Self {
        let row = 8 - rank;
        Self::new(3 * (row / 3) + file / 3, 3 * (row % 3) + file % 3)
    }

    /// File and rank, counted from 0.
    pub(super) fn coordinates(self) -> (usize, usize) {
        let (board, square) = (self.board(), self.square());
        (3 * (board % 3) + square % 3, 8 - (3 * (board / 3) + square / 3))
    }

    /// The small board, 0 to 8.
    #[inline]
    #[must_use]
    pub fn board(self) -> usize {
        usize::from(self.0 >> 4)
    }

    /// The square on its board, 0 to 8, which is also the board to which the opponent is sent.
    #[inline]
    #[must_use]
    pub fn square(self) -> usize {
        usize::from(self.0 & 15)
    }
}

impl Move for TixTaxMove {
    #[inline]
    fn code(self) -> usize {
        self.0.into()
    }

    #[inline]
    fn from_code(code: usize) -> Option<Self> {
        let (board, square) = (code >> 4, code & 15);
        (board < 9 && square < 9).then(|| Self::new(board, square))
    }
}

impl fmt::Display for TixTaxMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, rank) = self.coordinates();
        f.write_str(&notation::square_name(file, rank))
    }
}

/// Parses a file and a rank, or the two letters of the compact notation.
pub(super) fn parse(text: &str) -> Result<TixTaxMove, MoveError> {
    let named = notation::square(9, 9).map(|(file, rank)| TixTaxMove::at(file, rank));
    let index = || map_opt(one_of("abcdefghi"), |letter| "abcdefghi".find(letter));
    let compact = (index(), index()).map(|(board, square)| TixTaxMove::new(board, square));
    all_consuming(alt((named, compact)))
        .parse(text)
        .map(|(_, cell)| cell)
        .map_err(|_| MoveError::Unreadable { found: text.to_owned(), expected: CELL_FORM })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_by_file_and_rank() {
        for (text, board, square) in [("a9", 0, 0), ("i1", 8, 8), ("e5", 4, 4), ("d3", 7, 0)] {
            let cell = parse(text).unwrap();
            assert_eq!((cell.board(), cell.square()), (board, square));
            assert_eq!(cell.to_string(), text);
        }
        assert_eq!(parse("ha").unwrap().to_string(), "d3");
        for text in ["", "a", "a0", "j1", "a10", "aj", "é5"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
