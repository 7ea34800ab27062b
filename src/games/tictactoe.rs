//! Tic-tac-toe, as two 9-bit masks.
//!
//! Besides its own FEN (`3/3/3 x`) it reads the FEN and moves of runners that treat the game as a
//! drop variant (`3/3/3[PPPPPpppp] w - - 0 1`, `P@b2`), and digits for the cells.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag_no_case;
use nom::character::complete::{char, one_of};
use nom::combinator::{all_consuming, map_opt};
use nom::multi::many0_count;
use nom::sequence::{delimited, preceded};

use super::grid::{self, FULL, HAS_LINE, HAS_OPEN_LINE};
use super::notation::{self, Square};
use crate::rules::drawing::SpotContent;
use crate::rules::random::mix64;
use crate::rules::{
    FenError, Game, GameDrawing, GameEncoding, GameNotation, Move, MoveError, Notation, Outcome,
    Side,
};

const LETTERS: [char; 2] = ['x', 'o'];
const DROP_LETTERS: [char; 2] = ['P', 'p'];
const DROP_SIDES: [char; 2] = ['w', 'b'];
const EXPECTED_FIELDS: &str = "2: board, mover (as in '3/3/3 x')";
const EXPECTED_DROP_FIELDS: &str = "6, as in '3/3/3[PPPPPpppp] w - - 0 1'";

/// The cell of the new stone, 0 to 8, row by row from the top left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TicTacToeMove(u8);

impl TicTacToeMove {
    pub(crate) fn at(cell: usize) -> Self {
        Self(cell as u8)
    }
}

impl Move for TicTacToeMove {
    fn code(self) -> usize {
        self.0.into()
    }

    fn from_code(code: usize) -> Option<Self> {
        (code < 9).then(|| Self::at(code))
    }
}

impl fmt::Display for TicTacToeMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = usize::from(self.0);
        f.write_str(&notation::square_name(cell % 3, 2 - cell / 3))
    }
}

/// A position of tic-tac-toe.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TicTacToe {
    stones: [u16; 2],
}

impl TicTacToe {
    /// The stones of a side as a 9-bit set, cells numbered row by row from the top left.
    #[must_use]
    pub fn stones(&self, side: Side) -> u16 {
        self.stones[side.index()]
    }

    fn empty(&self) -> u16 {
        FULL & !(self.stones[0] | self.stones[1])
    }

    fn has_line(&self, side: Side) -> bool {
        HAS_LINE[usize::from(self.stones[side.index()])]
    }

    fn square(&self, cell: usize) -> Square {
        Square::from_stones(|side| self.stones[side.index()] >> cell & 1 == 1)
    }

    fn board(&self, letters: [char; 2]) -> String {
        let squares: [Square; 9] = std::array::from_fn(|cell| self.square(cell));
        notation::write_board(squares.chunks(3), letters)
    }

    /// Checks a parsed position: stone counts that fit the mover, at most one winner, no stone played
    /// after the end.
    fn validated(stones: [u16; 2], mover: Side) -> Result<Self, FenError> {
        let pos = Self { stones };
        notation::check_stone_counts(stones.map(u16::count_ones), mover)?;
        if pos.has_line(Side::P1) && pos.has_line(Side::P2) {
            return Err(FenError::impossible("board", "two winners"));
        }
        if pos.has_line(mover) {
            return Err(FenError::impossible(
                "board",
                "stones were played after the end of the game",
            ));
        }
        Ok(pos)
    }

    /// Parses `3/3/3[PPPPPpppp] w - - 0 1`; `P` is the first player, the brackets contain the stones
    /// in hand.
    fn from_drop_fen(fen: &str) -> Result<Self, FenError> {
        const EXPECTED: &str = "three ranks and the pieces in hand, as in '3/3/3[PPPPPpppp]'";
        let [board, mover, castling, passant, half_moves, moves] =
            notation::split_fields(fen, EXPECTED_DROP_FIELDS)?;
        for (field, text) in [("castling", castling), ("en passant", passant)] {
            notation::parse_field(field, text, "-", char('-'))?;
        }
        for (field, text) in [("halfmove clock", half_moves), ("fullmove number", moves)] {
            notation::parse_field(field, text, "a number", notation::saturating_count)?;
        }
        let (ranks, hand) = board.split_at(board.find('[').unwrap_or(board.len()));
        let ranks = notation::parse_board(ranks, &[3; 3], DROP_LETTERS, EXPECTED)?;
        let stones = notation::stone_sets(&ranks).map(|set| set as u16);
        let pieces = (many0_count(char(DROP_LETTERS[0])), many0_count(char(DROP_LETTERS[1])));
        let hand_parser = delimited(char('['), pieces, char(']'));
        let (first, second) =
            notation::parse_field("hand", hand, "P and p in brackets", hand_parser)?;
        let [ours, theirs] = stones.map(|cells| cells.count_ones() as usize);
        if (first + ours, second + theirs) != (5, 4) {
            let reason = format!(
                "{} P and {} p on the board and in the brackets, expected 5 and 4",
                first + ours,
                second + theirs
            );
            return Err(FenError::impossible("hand", reason));
        }
        let mover = notation::parse_field("mover", mover, "w or b", notation::side(DROP_SIDES))?;
        Self::validated(stones, mover)
    }

    /// Writes the form that [`TicTacToe::from_drop_fen`] reads, with move numbers as in chess.
    fn drop_fen(&self) -> String {
        let [ours, theirs] = self.stones.map(|cells| cells.count_ones() as usize);
        let [first, second] = DROP_LETTERS.map(|letter| letter.to_string());
        let hand = first.repeat(5 - ours) + &second.repeat(4 - theirs);
        let (board, mover) = (self.board(DROP_LETTERS), DROP_SIDES[self.side().index()]);
        format!("{board}[{hand}] {mover} - - 0 {}", theirs + 1)
    }
}

impl Game for TicTacToe {
    const ID: &'static str = "tictactoe";
    const ALIASES: &'static [&'static str] = &["ttt", "tic-tac-toe"];
    const MOVE_CODES: usize = 9;
    const SYMMETRIES: usize = grid::SYMMETRIES;
    const OPENING_PLIES: usize = 2;

    type Move = TicTacToeMove;
    type Moves = ArrayVec<TicTacToeMove, 9>;

    fn start() -> Self {
        Self { stones: [0; 2] }
    }

    fn side(&self) -> Side {
        let [ours, theirs] = self.stones.map(u16::count_ones);
        if ours == theirs { Side::P1 } else { Side::P2 }
    }

    fn outcome(&self) -> Option<Outcome> {
        if let Some(winner) = [Side::P1, Side::P2].into_iter().find(|side| self.has_line(*side)) {
            return Some(Outcome::Win(winner));
        }
        (self.empty() == 0).then_some(Outcome::Draw)
    }

    fn legal_moves(&self) -> Self::Moves {
        if self.outcome().is_some() {
            return ArrayVec::new();
        }
        notation::bits(self.empty().into()).map(|cell| TicTacToeMove(cell as u8)).collect()
    }

    fn play_unchecked(&mut self, mv: TicTacToeMove) {
        self.stones[self.side().index()] |= 1 << mv.0;
    }

    fn key(&self) -> u64 {
        mix64(u64::from(self.stones[0]) << 9 | u64::from(self.stones[1]))
    }

    fn max_plies_left(&self) -> Option<u32> {
        Some(if self.outcome().is_some() { 0 } else { self.empty().count_ones() })
    }

    fn can_still_win(&self, side: Side) -> bool {
        HAS_OPEN_LINE[usize::from(self.stones[side.other().index()])]
    }

    fn image(&self, symmetry: usize) -> Self {
        Self { stones: self.stones.map(|cells| grid::image_of_set(cells, symmetry)) }
    }

    fn move_image(&self, mv: TicTacToeMove, symmetry: usize) -> TicTacToeMove {
        TicTacToeMove(grid::IMAGE[symmetry][mv.code()])
    }
}

impl GameNotation for TicTacToe {
    fn parse_move(&self, text: &str) -> Result<TicTacToeMove, MoveError> {
        let drop = tag_no_case::<_, _, nom::error::Error<&str>>("P@");
        let named =
            notation::square(3, 3).map(|(file, rank)| TicTacToeMove(((2 - rank) * 3 + file) as u8));
        let dropped = preceded(drop, notation::square(3, 3))
            .map(|(file, rank)| TicTacToeMove(((2 - rank) * 3 + file) as u8));
        let digit = map_opt(one_of("123456789"), |digit| digit.to_digit(10))
            .map(|digit| TicTacToeMove(digit as u8 - 1));
        all_consuming(alt((dropped, named, digit))).parse(text).map(|(_, cell)| cell).map_err(
            |_| {
                let expected = "a cell a1 to c3 (or P@b2, or a digit 1 to 9 from the top left)";
                MoveError::Unreadable { found: text.to_owned(), expected }
            },
        )
    }

    fn write_as(&self, notation: Notation) -> Option<String> {
        match notation {
            Notation::Own => Some(self.to_string()),
            Notation::Drops => Some(self.drop_fen()),
            Notation::Compact => None,
        }
    }

    fn write_move_as(mv: TicTacToeMove, notation: Notation) -> Option<String> {
        match notation {
            Notation::Own => Some(mv.to_string()),
            Notation::Drops => Some(format!("P@{mv}")),
            Notation::Compact => None,
        }
    }
}

impl GameDrawing for TicTacToe {
    fn spot_contents(&self) -> Vec<SpotContent> {
        let lines = self.stones.map(grid::completed_lines);
        let shown = |cell: usize| SpotContent {
            mark: self.square(cell).letter(LETTERS),
            highlighted: (lines[0] | lines[1]) >> cell & 1 == 1,
        };
        (0..9).map(shown).collect()
    }
}

impl GameEncoding for TicTacToe {}

impl fmt::Display for TicTacToe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.board(LETTERS), LETTERS[self.side().index()])
    }
}

impl FromStr for TicTacToe {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        if fen.contains('[') {
            return Self::from_drop_fen(fen);
        }
        let [board, mover] = notation::split_fields(fen, EXPECTED_FIELDS)?;
        let ranks = notation::parse_board(board, &[3; 3], LETTERS, "three ranks, as in '3/3/3'")?;
        let mover = notation::parse_field("mover", mover, "x or o", notation::side(LETTERS))?;
        Self::validated(notation::stone_sets(&ranks).map(|set| set as u16), mover)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completed_lines_are_highlighted() {
        for (fen, lit) in [("xxx/oo1/3 o", 0b111), ("xo1/ox1/2x o", 0x111), ("xx1/oo1/3 x", 0)] {
            let pos: TicTacToe = fen.parse().unwrap();
            let shown = pos.spot_contents().into_iter().enumerate();
            let found =
                shown.fold(0, |all, (cell, shown)| all | u16::from(shown.highlighted) << cell);
            assert_eq!(found, lit, "{fen}");
        }
    }

    #[test]
    fn drops_and_digits_are_accepted() {
        let pos: TicTacToe = "3/3/3[PPPPPpppp] w - - 0 1".parse().unwrap();
        assert_eq!(pos, TicTacToe::start());
        let pos: TicTacToe = "P2/1p1/3[PPPPppp] w - - 0 2".parse().unwrap();
        assert_eq!(pos.to_string(), "x2/1o1/3 x");
        for text in ["b2", "B2", "P@b2", "5"] {
            assert_eq!(pos.parse_move(text).unwrap().to_string(), "b2");
        }
        assert_eq!(pos.parse_move("1").unwrap().to_string(), "a3");
        assert_eq!(pos.parse_move("9").unwrap().to_string(), "c1");
    }

    #[test]
    fn drop_fens_are_written_as_runners_do() {
        let drops = |fen: &str| fen.parse::<TicTacToe>().unwrap().write_as(Notation::Drops);
        for (own, drop) in [
            ("3/3/3 x", "3/3/3[PPPPPpppp] w - - 0 1"),
            ("x2/3/3 o", "P2/3/3[PPPPpppp] b - - 0 1"),
            ("x2/1o1/3 x", "P2/1p1/3[PPPPppp] w - - 0 2"),
            ("xox/oox/xxo o", "PpP/ppP/PPp[] b - - 0 5"),
        ] {
            assert_eq!(drops(own).as_deref(), Some(drop));
        }
    }

    #[test]
    fn invalid_fens_are_refused_by_field() {
        let refusals = [
            ("", "field count"),
            ("3/3/3", "field count"),
            ("3/3 x", "'board': 2 ranks"),
            ("3/4/3 x", "rank 2"),
            ("3/3/3 y", "'mover'"),
            ("xx1/3/3 o", "'board'"),
            ("x2/3/3 x", "'mover'"),
            ("xxx/ooo/3 x", "two winners"),
            ("xxx/oo1/o2 x", "after the end"),
            ("P2/3/3[PPPPPpppp] b - - 0 1", "'hand'"),
        ];
        for (fen, reason) in refusals {
            let error = fen.parse::<TicTacToe>().unwrap_err().to_string();
            assert!(error.contains(reason), "{fen}: {error}");
        }
    }
}
