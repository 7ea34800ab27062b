//! FENs, typed moves and the diagram of ultimate tic-tac-toe.
//!
//! `FromStr` reads the FEN `9/9/… x 1 -` (see `protocol.md`), which `Display` writes, and the
//! [`compact`] notation.

use std::fmt;
use std::str::FromStr;

use nom::IResult;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::{one_of, space0};
use nom::combinator::{all_consuming, opt, value, verify};
use nom::sequence::separated_pair;

use super::setup::{LETTERS, OWNER_LETTERS, owned_boards, parse_states, validated};
use super::{FREE, Rule, TixTaxMove, Ultimate, cell, compact};
use crate::games::notation::{self, Square};
use crate::rules::{FenError, Game, GameNotation, MoveError, Notation, Side};

impl<R: Rule> GameNotation for Ultimate<R> {
    fn parse_move(&self, text: &str) -> Result<TixTaxMove, MoveError> {
        cell::parse(text)
    }

    /// Parses board and cell by number, from 1 at the top left (`5 3`), or the cell alone if the board is
    /// forced.
    fn parse_user_move(&self, text: &str) -> Result<TixTaxMove, MoveError> {
        fn number(input: &str) -> IResult<&str, usize> {
            one_of("123456789").map(|digit| digit as usize - '1' as usize).parse(input)
        }
        let between = (space0, opt(one_of(",.-")), space0);
        let both = separated_pair(number, between, number).map(|(board, cell)| (Some(board), cell));
        let typed = all_consuming(alt((both, number.map(|cell| (None, cell))))).parse(text);
        match typed {
            Ok((_, (board, cell))) => match board.or(self.forced()) {
                Some(board) => Ok(TixTaxMove::new(board, cell)),
                None => {
                    let moves = (0..9).map(|board| TixTaxMove::new(board, cell));
                    let legal = moves.filter(|mv| self.is_legal(*mv)).map(|mv| mv.to_string());
                    let moves = legal.collect::<Vec<_>>().join(" ");
                    Err(MoveError::Ambiguous { found: text.to_owned(), moves })
                }
            },
            Err(_) => cell::parse(text),
        }
    }

    fn write_as(&self, notation: Notation) -> Option<String> {
        match notation {
            Notation::Own => Some(self.to_string()),
            Notation::Compact => compact::write(self),
            Notation::Drops => None,
        }
    }

    fn write_move_as(mv: TixTaxMove, notation: Notation) -> Option<String> {
        match notation {
            Notation::Own => Some(mv.to_string()),
            Notation::Compact => Some(compact::write_cell(mv)),
            Notation::Drops => None,
        }
    }
}

impl<R: Rule> fmt::Display for Ultimate<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranks: Vec<[Square; 9]> = (0..9)
            .rev()
            .map(|rank| std::array::from_fn(|file| self.square(TixTaxMove::at(file, rank))))
            .collect();
        let board = notation::write_board(ranks.iter().map(|rank| &rank[..]), LETTERS);
        let second: u32 = self.stones[1].iter().map(|cells| cells.count_ones()).sum();
        write!(f, "{board} {} {} ", LETTERS[self.side.index()], second + 1)?;
        match self.last {
            Some(cell) if self.forced != FREE => write!(f, "{cell}")?,
            _ => f.write_str("-")?,
        }
        if !R::WON_CLOSES {
            let owners: String = (0..9).map(|board| self.owner_letter(board)).collect();
            write!(f, " {owners}")?;
        }
        Ok(())
    }
}

impl<R: Rule> Ultimate<R> {
    pub(super) fn square(&self, cell: TixTaxMove) -> Square {
        Square::from_stones(|side| self.stones(side, cell.board()) >> cell.square() & 1 == 1)
    }

    pub(super) fn owner_letter(&self, board: usize) -> char {
        let owner =
            [Side::P1, Side::P2].into_iter().find(|side| self.owned(*side) >> board & 1 == 1);
        match owner {
            Some(side) => OWNER_LETTERS[side.index()],
            None if self.closed >> board & 1 == 1 => '#',
            None => '.',
        }
    }
}

impl<R: Rule> FromStr for Ultimate<R> {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        if fen.contains(';') {
            return compact::parse(fen);
        }
        let count = fen.split_ascii_whitespace().count();
        if !R::WON_CLOSES && count == 5 {
            let expected = "5: board, mover, move number, last move, owners";
            let [board, mover, number, last, owners] = notation::split_fields(fen, expected)?;
            let owners = parse_states("owners", owners, ".XO#")?;
            return from_fields([board, mover, number, last], Some(&owners));
        }
        let expected = if R::WON_CLOSES {
            "4: board, mover, move number, last move (as in '9/9/9/9/9/9/9/9/9 x 1 -')"
        } else {
            "5: board, mover, move number, last move, owners (the start's are '.........')"
        };
        from_fields(notation::split_fields(fen, expected)?, None)
    }
}

fn from_fields<R: Rule>(
    fields: [&str; 4],
    owners: Option<&[char]>,
) -> Result<Ultimate<R>, FenError> {
    let [board, mover, number, last] = fields;
    let ranks = notation::parse_board(board, &[9; 9], LETTERS, "nine ranks separated by slashes")?;
    let mover = notation::parse_field("mover", mover, "x or o", notation::side(LETTERS))?;
    let positive = verify(notation::saturating_count, |number| *number > 0);
    notation::parse_field("move number", number, "a number from 1", positive)?;
    let mut stones = [[0; 9]; 2];
    for (row, rank) in ranks.iter().enumerate() {
        for (file, square) in rank.iter().enumerate() {
            if let Square::Stone(side) = square {
                let cell = TixTaxMove::at(file, 8 - row);
                stones[side.index()][cell.board()] |= 1 << cell.square();
            }
        }
    }
    let none = value(None, alt((tag("-"), tag("0000"), tag("0"))));
    let cell = notation::square(9, 9).map(|(file, rank)| Some(TixTaxMove::at(file, rank)));
    let last =
        notation::parse_field("last move", last, "a cell a1 to i9, or '-'", alt((none, cell)))?;
    let owned = owned_boards::<R>(&stones, owners, "owners")?;
    validated(stones, owned, mover, last)
}

/// The whole board with gaps between the small boards, and their owners beside it.
pub(super) fn diagram<R: Rule>(pos: &Ultimate<R>) -> String {
    let letter = |cell| pos.square(cell).letter(LETTERS);
    let mut text = String::new();
    for rank in (0..9).rev() {
        let group = |board: usize| {
            (3 * board..3 * board + 3)
                .map(|file| letter(TixTaxMove::at(file, rank)).to_string())
                .collect::<Vec<_>>()
                .join(" ")
        };
        text += &format!("{}  {} | {} | {}", rank + 1, group(0), group(1), group(2));
        if rank % 3 == 1 {
            let row = 2 - rank / 3;
            let owner = |column| pos.owner_letter(3 * row + column);
            text += &format!("     {} {} {}", owner(0), owner(1), owner(2));
        }
        text.push('\n');
        if rank % 3 == 0 && rank > 0 {
            text += "   ------+-------+------\n";
        }
    }
    text += "\n   a b c   d e f   g h i\n";
    match pos.forced() {
        _ if pos.outcome().is_some() => {}
        None => text += "\nthe choice of board is free\n",
        Some(board) => {
            let corner = |square| TixTaxMove::new(board, square);
            text +=
                &format!("\nto be played in board {} ({}..{})\n", board + 1, corner(6), corner(2));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{TixTax, TixTaxOpen};

    #[test]
    fn every_accepted_form_is_written_in_one_form() {
        let same = [
            ("9/9/9/9/9/9/9/9/9 X 7 0000", "9/9/9/9/9/9/9/9/9 x 1 -"),
            ("9/9/9/9/4x4/9/9/9/9 o 1 e5", "9/9/9/9/4x4/9/9/9/9 o 1 e5"),
            ("xxx6/9/9/9/oo7/9/9/9/9 o 9 a9", "xxx6/9/9/9/oo7/9/9/9/9 o 3 -"),
            (
                "O;@........;X......../........./........./........./........./........./........./........./.........",
                "x8/9/9/9/9/9/9/9/9 o 1 a9",
            ),
        ];
        for (read, written) in same {
            assert_eq!(read.parse::<TixTax>().unwrap().to_string(), written);
        }
    }

    #[test]
    fn any_positive_move_number_is_read() {
        for number in ["1", "7", "0002", "4294967296", "99999999999999999999999999"] {
            let pos: TixTax = format!("9/9/9/9/9/9/9/9/9 x {number} -").parse().unwrap();
            assert_eq!(pos, TixTax::start());
            assert_eq!(pos.to_string(), "9/9/9/9/9/9/9/9/9 x 1 -");
        }
        for number in ["0", "000", "-1", "+1", "1.5"] {
            assert!(format!("9/9/9/9/9/9/9/9/9 x {number} -").parse::<TixTax>().is_err());
        }
    }

    #[test]
    fn invalid_fens_are_refused_by_field() {
        let refusals = [
            ("9/9/9/9/9/9/9/9/9 x 1", "field count"),
            ("9/9/9/9/9/9/9/9 x 1 -", "8 ranks"),
            ("9/9/9/9/9/9/9/9/81x x 1 -", "rank 1"),
            ("9/9/9/9/9/9/9/9/9 z 1 -", "'mover'"),
            ("9/9/9/9/9/9/9/9/9 x 0 -", "'move number'"),
            ("9/9/9/9/9/9/9/9/9 o 1 -", "'mover'"),
            ("oo7/9/9/9/9/9/9/9/9 x 1 -", "'board'"),
            ("9/9/9/9/4x4/9/9/9/9 o 1 e4", "e4 is empty"),
            ("9/9/9/9/4xo3/9/9/9/9 x 2 e5", "e5 is a stone of the mover"),
            ("9/9/9/9/4x4/9/9/9/9 o 1 k5", "'last move'"),
            ("xxx6/ooo6/9/9/9/9/9/9/9 x 4 -", "two winners on small board 1"),
            ("xxxxxxxxx/ooo6/9/9/9/9/9/9/9 x 4 -", "'board'"),
            ("9/9/9/9/9/9/9/9/9 x 1 - .........", "field count"),
        ];
        for (fen, reason) in refusals {
            let error = fen.parse::<TixTax>().unwrap_err().to_string();
            assert!(error.contains(reason), "{fen}: {error}");
        }
        let after_the_end = "xxxxxxxxx/9/9/ooo1ooo2/ooo6/9/9/9/9 x 10 -";
        let error = after_the_end.parse::<TixTax>().unwrap_err().to_string();
        assert!(error.contains("after the end"), "{error}");
    }

    #[test]
    fn the_open_variant_writes_the_owners() {
        let fen = "xxx6/ooo6/9/9/9/9/9/9/9 x 4 - O........";
        let pos: TixTaxOpen = fen.parse().unwrap();
        assert_eq!(pos.owned(Side::P2), 1);
        assert_eq!(pos.to_string(), fen);
        let error = "xxx6/ooo6/9/9/9/9/9/9/9 x 4 -".parse::<TixTaxOpen>().unwrap_err().to_string();
        assert!(error.contains("expected its owner"), "{error}");
        let pos: TixTaxOpen = "9/9/9/9/9/9/9/9/9 x 1 -".parse().unwrap();
        assert_eq!(pos.to_string(), "9/9/9/9/9/9/9/9/9 x 1 - .........");
    }

    #[test]
    fn the_last_move_does_not_take_part_in_equality() {
        let one: TixTax = "x8/9/9/3x5/9/9/9/4oo3/9 x 3 -".parse().unwrap();
        let two = one;
        assert_eq!(one, two);
        let by_a9: TixTax = "x8/9/9/3x5/9/9/9/4o4/9 o 2 a9".parse().unwrap();
        let by_d6: TixTax = "x8/9/9/3x5/9/9/9/4o4/9 o 2 d6".parse().unwrap();
        assert_eq!(by_a9, by_d6);
        assert_eq!(by_a9.key(), by_d6.key());
    }
}
