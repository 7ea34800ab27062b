//! FENs, moves and the diagram of ultimate tic-tac-toe.
//!
//! `FromStr` reads the FEN `9/9/… x 1 -` (see `protocol.md`), which `Display` writes, and the compact
//! notation `X;@........;........./…` with moves of two letters.

use std::fmt;
use std::str::FromStr;

use nom::IResult;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::{char, one_of, space0};
use nom::combinator::{all_consuming, map_opt, opt, value, verify};
use nom::multi::{count, separated_list1};
use nom::sequence::separated_pair;

use super::{FREE, Rule, TixTaxMove, Ultimate};
use crate::games::grid::{FULL, HAS_LINE};
use crate::games::notation::{self, Square};
use crate::rules::{FenError, Game, MoveError, Side};

pub(super) const LETTERS: [char; 2] = ['x', 'o'];
const OWNER_LETTERS: [char; 2] = ['X', 'O'];
const CELL_FORM: &str = "a cell a1 to i9 (or two letters a to i, board then cell)";

impl TixTaxMove {
    pub(super) fn at(file: usize, rank: usize) -> Self {
        let row = 8 - rank;
        Self::new(3 * (row / 3) + file / 3, 3 * (row % 3) + file % 3)
    }

    /// File and rank, counted from 0.
    fn coordinates(self) -> (usize, usize) {
        let (board, square) = (self.board(), self.square());
        (3 * (board % 3) + square % 3, 8 - (3 * (board / 3) + square / 3))
    }
}

impl fmt::Display for TixTaxMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, rank) = self.coordinates();
        f.write_str(&notation::square_name(file, rank))
    }
}

pub(super) fn parse_cell(text: &str) -> Result<TixTaxMove, MoveError> {
    let named = notation::square(9, 9).map(|(file, rank)| TixTaxMove::at(file, rank));
    let index = || map_opt(one_of("abcdefghi"), |letter| "abcdefghi".find(letter));
    let compact = (index(), index()).map(|(board, square)| TixTaxMove::new(board, square));
    all_consuming(alt((named, compact)))
        .parse(text)
        .map(|(_, cell)| cell)
        .map_err(|_| MoveError::Unreadable { found: text.to_owned(), expected: CELL_FORM })
}

/// Parses board and cell by number, from 1 at the top left (`5 3`), or the cell alone if the board is
/// forced.
pub(super) fn parse_user_move<R: Rule>(
    pos: &Ultimate<R>,
    text: &str,
) -> Result<TixTaxMove, MoveError> {
    fn number(input: &str) -> IResult<&str, usize> {
        one_of("123456789").map(|digit| digit as usize - '1' as usize).parse(input)
    }
    let between = (space0, opt(one_of(",.-")), space0);
    let both = separated_pair(number, between, number).map(|(board, cell)| (Some(board), cell));
    let typed = all_consuming(alt((both, number.map(|cell| (None, cell))))).parse(text);
    match typed {
        Ok((_, (board, cell))) => match board.or(pos.forced()) {
            Some(board) => Ok(TixTaxMove::new(board, cell)),
            None => {
                let moves = (0..9).map(|board| TixTaxMove::new(board, cell));
                let legal = moves.filter(|mv| pos.is_legal(*mv)).map(|mv| mv.to_string());
                let moves = legal.collect::<Vec<_>>().join(" ");
                Err(MoveError::Ambiguous { found: text.to_owned(), moves })
            }
        },
        Err(_) => parse_cell(text),
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
            return from_compact(fen);
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

/// Parses nine letters, one for each small board, row by row from the top left.
fn parse_states(
    field: &'static str,
    text: &str,
    letters: &'static str,
) -> Result<Vec<char>, FenError> {
    notation::parse_field(field, text, "nine of the letters . X O #", count(one_of(letters), 9))
}

/// The boards owned by each side: determined by the stones, or by `states` where both sides have a
/// line.
fn owned_boards<R: Rule>(
    stones: &[[u16; 9]; 2],
    states: Option<&[char]>,
    field: &'static str,
) -> Result<[u16; 2], FenError> {
    let mut owned = [0; 2];
    for board in 0..9 {
        let lines = [0, 1].map(|side: usize| HAS_LINE[usize::from(stones[side][board])]);
        let full = stones[0][board] | stones[1][board] == FULL;
        let number = board + 1;
        if R::WON_CLOSES && lines == [true; 2] {
            let reason = format!("two winners on small board {number}");
            return Err(FenError::impossible("board", reason));
        }
        let fitting: &[char] = match (lines, full) {
            ([true, true], _) => &['X', 'O'],
            ([true, false], _) => &['X'],
            ([false, true], _) => &['O'],
            ([false, false], true) => &['#'],
            ([false, false], false) => &['.'],
        };
        let state = match states {
            Some(states) => states[board],
            None if fitting.len() == 1 => fitting[0],
            None => {
                let reason =
                    format!("both sides have a line on small board {number}, expected its owner");
                return Err(FenError::impossible(field, reason));
            }
        };
        if !fitting.contains(&state) {
            let fitting: Vec<String> = fitting.iter().map(|letter| format!("'{letter}'")).collect();
            let expected = fitting.join(" or ");
            let reason =
                format!("'{state}' for small board {number}, expected {expected} by its stones");
            return Err(FenError::impossible(field, reason));
        }
        if let Some(side) = OWNER_LETTERS.iter().position(|letter| *letter == state) {
            owned[side] |= 1 << board;
        }
    }
    Ok(owned)
}

/// Checks a parsed position: stone counts that fit the side to move, at most one winner, no stone
/// played after the end, a last move that the opponent can have made.
fn validated<R: Rule>(
    stones: [[u16; 9]; 2],
    owned: [u16; 2],
    mover: Side,
    last: Option<TixTaxMove>,
) -> Result<Ultimate<R>, FenError> {
    let [first, second] =
        stones.map(|boards| boards.iter().map(|cells| cells.count_ones()).sum::<u32>());
    notation::check_stone_counts([first, second], mover)?;
    let lines = owned.map(|boards| HAS_LINE[usize::from(boards)]);
    if lines == [true; 2] {
        return Err(FenError::impossible("board", "two winners"));
    }
    if lines[mover.index()] {
        return Err(FenError::impossible("board", "stones were played after the end of the game"));
    }
    if let Some(cell) = last {
        let opponent = stones[mover.other().index()][cell.board()];
        if opponent >> cell.square() & 1 == 0 {
            let own = stones[mover.index()][cell.board()] >> cell.square() & 1 == 1;
            let what = if own { "a stone of the mover" } else { "empty" };
            let reason = format!("{cell} is {what}, expected a stone of the opponent");
            return Err(FenError::impossible("last move", reason));
        }
    }
    Ok(Ultimate::assemble(stones, owned, mover, last))
}

/// Parses `X;@........;........./…`: the side to move, the states of the boards (`@` for the forced
/// board), and nine boards of nine cells.
fn from_compact<R: Rule>(fen: &str) -> Result<Ultimate<R>, FenError> {
    let parts: Vec<&str> = fen.trim().split(';').collect();
    let [mover, states, boards] = parts[..] else {
        let expected = "3 separated by ';': mover, board states, boards";
        return Err(FenError::Fields { found: parts.len(), expected });
    };
    let mover = notation::parse_field("mover", mover, "X or O", notation::side(LETTERS))?;
    let mut states = parse_states("board states", states, ".XO#@")?;
    let form = "nine boards of nine letters . X O, separated by slashes";
    let row = count(one_of(".XO"), 9);
    let rows = verify(separated_list1(char('/'), row), |rows: &Vec<Vec<char>>| rows.len() == 9);
    let rows = notation::parse_field("boards", boards, form, rows)?;
    let stones = OWNER_LETTERS.map(|letter| {
        let set = |row: &Vec<char>| {
            (0..9).filter(|square| row[*square] == letter).fold(0, |set, square| set | 1 << square)
        };
        std::array::from_fn(|board| set(&rows[board]))
    });
    let forced: Vec<usize> = (0..9).filter(|board| states[*board] == '@').collect();
    for board in &forced {
        states[*board] = state_of_forced::<R>(&stones, *board);
    }
    let owned = owned_boards::<R>(&stones, Some(&states), "board states")?;
    let last = match forced[..] {
        [] => None,
        [board] => Some(guess_last_move(&stones[mover.other().index()], board)?),
        _ => return Err(FenError::impossible("board states", "more than one forced board '@'")),
    };
    validated(stones, owned, mover, last)
}

/// Writes the form that [`from_compact`] reads. `None` if `@` would hide the owner of the forced
/// board: under the open rule, when both sides have a line there. The opponent always has a stone
/// that sends to the forced board, since its last move did.
pub(super) fn compact<R: Rule>(pos: &Ultimate<R>) -> Option<String> {
    let states = (0..9).map(|board| {
        let owner = pos.owner_letter(board);
        if pos.forced() != Some(board) {
            return Some(owner);
        }
        (state_of_forced::<R>(&pos.stones, board) == owner).then_some('@')
    });
    let states: String = states.collect::<Option<_>>()?;
    let row = |board| {
        let letter = |square| match pos.square(TixTaxMove::new(board, square)) {
            Square::Empty => '.',
            Square::Stone(side) => OWNER_LETTERS[side.index()],
        };
        (0..9).map(letter).collect::<String>()
    };
    let rows: Vec<String> = (0..9).map(row).collect();
    Some(format!("{};{states};{}", OWNER_LETTERS[pos.side.index()], rows.join("/")))
}

/// Writes a move as two letters: board, then cell.
pub(super) fn compact_cell(cell: TixTaxMove) -> String {
    [cell.board(), cell.square()].map(|index| char::from(b'a' + index as u8)).iter().collect()
}

/// The state behind `@`. The forced board is open; under the open rule it may still have an owner,
/// which its stones determine unless both sides have a line. `@` if no state fits.
fn state_of_forced<R: Rule>(stones: &[[u16; 9]; 2], board: usize) -> char {
    let lines = [0, 1].map(|side: usize| HAS_LINE[usize::from(stones[side][board])]);
    let full = stones[0][board] | stones[1][board] == FULL;
    match lines {
        [false, false] => '.',
        [true, false] if !R::WON_CLOSES && !full => 'X',
        [false, true] if !R::WON_CLOSES && !full => 'O',
        _ => '@',
    }
}

/// Guesses the last move, which the compact notation does not contain: of the opponent's stones that
/// send to the forced board, the first one by file and then rank.
fn guess_last_move(opponent: &[u16; 9], board: usize) -> Result<TixTaxMove, FenError> {
    (0..9)
        .filter(|from| opponent[*from] >> board & 1 == 1)
        .map(|from| TixTaxMove::new(from, board))
        .min_by_key(|cell| cell.coordinates())
        .ok_or_else(|| {
            let reason =
                format!("no stone of the opponent sends to the forced board {}", board + 1);
            FenError::impossible("board states", reason)
        })
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
    use crate::rules::Notation;

    #[test]
    fn cells_are_named_by_file_and_rank() {
        for (text, board, square) in [("a9", 0, 0), ("i1", 8, 8), ("e5", 4, 4), ("d3", 7, 0)] {
            let cell = parse_cell(text).unwrap();
            assert_eq!((cell.board(), cell.square()), (board, square));
            assert_eq!(cell.to_string(), text);
        }
        assert_eq!(parse_cell("ha").unwrap().to_string(), "d3");
        for text in ["", "a", "a0", "j1", "a10", "aj", "é5"] {
            assert!(parse_cell(text).is_err(), "{text}");
        }
    }

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
    fn the_last_move_is_inferred_in_compact_notation() {
        let boards = "O......../........./........./........./O......../........./........./........./XX.......";
        let pos: TixTax = format!("X;@........;{boards}").parse().unwrap();
        assert_eq!(pos.to_string(), "o8/9/9/3o5/9/9/6xx1/9/9 x 3 a9");
        let error = format!("X;.@.......;{boards}").parse::<TixTax>().unwrap_err().to_string();
        assert!(error.contains("sends to the forced board 2"), "{error}");
        let error = format!("X;X........;{boards}").parse::<TixTax>().unwrap_err().to_string();
        assert!(error.contains("'X' for small board 1"), "{error}");
        assert!(format!("X;@@.......;{boards}").parse::<TixTax>().is_err());
        let boards = "....O..../........./........./........./OOO....../........./........./........./XXX.X....";
        let text = format!("X;....@...X;{boards}");
        assert!(text.parse::<TixTax>().is_err(), "a won board is closed");
        let open: TixTaxOpen = text.parse().unwrap();
        assert_eq!((open.forced(), open.owned(Side::P2)), (Some(4), 1 << 4));
    }

    #[test]
    fn the_compact_notation_is_written() {
        let written = |fen: &str| fen.parse::<TixTax>().unwrap().write_as(Notation::Compact);
        let empty = ["........."; 8].join("/");
        for (fen, compact) in [
            ("9/9/9/9/9/9/9/9/9 x 1 -", format!("X;.........;........./{empty}")),
            ("x8/9/9/9/9/9/9/9/9 o 1 a9", format!("O;@........;X......../{empty}")),
            ("9/9/9/9/9/9/9/9/8x o 1 i1", format!("O;........@;{empty}/........X")),
        ] {
            assert_eq!(written(fen), Some(compact));
        }
        let [first, last] = ["a9", "i1"].map(|text| parse_cell(text).unwrap());
        assert_eq!((compact_cell(first), compact_cell(last)), ("aa".into(), "ii".into()));
    }

    /// Under the open rule a board with two lines has an owner that `@` would hide.
    #[test]
    fn the_compact_notation_never_hides_an_owner() {
        let two_lines = "xxx6/ooo6/9/9/9/9/9/9/9";
        let pos: TixTaxOpen = format!("{two_lines} x 4 - O........").parse().unwrap();
        assert!(pos.write_as(Notation::Compact).is_some_and(|text| text.starts_with("X;O")));
        let pos: TixTaxOpen = "xxx6/ooo6/9/3o5/9/9/3x5/9/9 x 5 d6 O........".parse().unwrap();
        assert_eq!((pos.forced(), pos.write_as(Notation::Compact)), (Some(0), None));
        let pos: TixTaxOpen = "xxx6/oo7/9/3o5/9/9/9/9/9 x 4 d6 X........".parse().unwrap();
        assert!(pos.write_as(Notation::Compact).is_some_and(|text| text.starts_with("X;@")));
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
