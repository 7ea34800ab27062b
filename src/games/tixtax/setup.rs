//! What both notations need to set up a position: the letters of stones and owners, and the checks of
//! a board that was read.

use nom::character::complete::one_of;
use nom::multi::count;

use super::{Rule, TixTaxMove, Ultimate};
use crate::games::grid::{FULL, HAS_LINE};
use crate::games::notation;
use crate::rules::{FenError, Side};

pub(super) const LETTERS: [char; 2] = ['x', 'o'];
pub(super) const OWNER_LETTERS: [char; 2] = ['X', 'O'];

/// Parses nine letters, one for each small board, row by row from the top left.
pub(super) fn parse_states(
    field: &'static str,
    text: &str,
    letters: &'static str,
) -> Result<Vec<char>, FenError> {
    notation::parse_field(field, text, "nine of the letters . X O #", count(one_of(letters), 9))
}

/// The boards owned by each side: determined by the stones, or by `states` where both sides have a
/// line.
pub(super) fn owned_boards<R: Rule>(
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

impl<R: Rule> Ultimate<R> {
    /// The position with these stones and this mover, who is sent to the board `forced` or may choose.
    pub(crate) fn from_stones(
        stones: [[u16; 9]; 2],
        mover: Side,
        forced: Option<usize>,
    ) -> Result<Self, FenError> {
        let owned = owned_boards::<R>(&stones, None, "board")?;
        // Any stone of the opponent that sends there can have been the last.
        let opponent = stones[mover.other().index()];
        let last = |square: usize| {
            let board = opponent.iter().position(|cells| cells >> square & 1 == 1);
            let reason = || format!("no stone sends to board {}", square + 1);
            let none = || FenError::impossible("last move", reason());
            board.map(|board| TixTaxMove::new(board, square)).ok_or_else(none)
        };
        validated(stones, owned, mover, forced.map(last).transpose()?)
    }
}

/// Checks a parsed position: stone counts that fit the side to move, at most one winner, no stone
/// played after the end, a last move that the opponent can have made.
pub(super) fn validated<R: Rule>(
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
