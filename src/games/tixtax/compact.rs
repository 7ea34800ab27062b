//! The compact notation of ultimate tic-tac-toe: positions as `X;@........;........./…`, moves as two
//! letters.

use nom::character::complete::{char, one_of};
use nom::combinator::verify;
use nom::multi::{count, separated_list1};

use super::setup::{LETTERS, OWNER_LETTERS, owned_boards, parse_states, validated};
use super::{Rule, TixTaxMove, Ultimate};
use crate::games::grid::{FULL, HAS_LINE};
use crate::games::notation::{self, Square};
use crate::rules::FenError;

/// Parses `X;@........;........./…`: the side to move, the states of the boards (`@` for the forced
/// board), and nine boards of nine cells.
pub(super) fn parse<R: Rule>(fen: &str) -> Result<Ultimate<R>, FenError> {
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

/// Writes the form that [`parse`] reads. `None` if `@` would hide the owner of the forced
/// board: under the open rule, when both sides have a line there. The opponent always has a stone
/// that sends to the forced board, since its last move did.
pub(super) fn write<R: Rule>(pos: &Ultimate<R>) -> Option<String> {
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
pub(super) fn write_cell(cell: TixTaxMove) -> String {
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

#[cfg(test)]
mod tests {
    use super::super::cell;
    use super::*;
    use crate::games::{TixTax, TixTaxOpen};
    use crate::rules::{GameNotation, Notation, Side};

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
        let [first, last] = ["a9", "i1"].map(|text| cell::parse(text).unwrap());
        assert_eq!((write_cell(first), write_cell(last)), ("aa".into(), "ii".into()));
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
}
