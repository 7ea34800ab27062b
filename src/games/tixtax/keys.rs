//! Hash keys of ultimate tic-tac-toe: of a position, of its images, and the value key.

use super::{FREE, Rule, TixTaxMove, Ultimate};
use crate::games::grid::{FULL, IMAGE, OPEN_LINES};
use crate::games::notation::bits;
use crate::rules::random::mix64;
use crate::rules::{Move, Side};

/// A random number for each stone on each cell.
const STONE_KEYS: [[u64; 256]; 2] = {
    let mut keys = [[0; 256]; 2];
    let mut cell = 0;
    while cell < 256 {
        keys[0][cell] = mix64(0x1000 + cell as u64);
        keys[1][cell] = mix64(0x2000 + cell as u64);
        cell += 1;
    }
    keys
};

/// A random number for each side to move and forced board, or [`FREE`].
const TURN_KEYS: [[u64; 10]; 2] = {
    let mut keys = [[0; 10]; 2];
    let mut board = 0;
    while board < 10 {
        keys[0][board] = mix64(0x4000 + board as u64);
        keys[1][board] = mix64(0x5000 + board as u64);
        board += 1;
    }
    keys
};

#[inline(always)]
pub(super) fn stone_key(side: Side, cell: TixTaxMove) -> u64 {
    STONE_KEYS[side.index()][cell.code()]
}

pub(super) fn owner_key(side: Side, board: usize) -> u64 {
    mix64(0x3000 + 16 * side as u64 + board as u64)
}

/// What closing a board changes in the search key: the board's stones leave it.
pub(super) fn closing_key<R: Rule>(pos: &Ultimate<R>, board: usize) -> u64 {
    let mut key = mix64(0x3020 + board as u64);
    for side in [Side::P1, Side::P2] {
        for square in bits(pos.stones(side, board).into()) {
            key ^= stone_key(side, TixTaxMove::new(board, square));
        }
    }
    key
}

/// The key of the side to move and its forced board, or [`FREE`].
#[inline(always)]
pub(super) fn turn_key(side: Side, forced: u8) -> u64 {
    TURN_KEYS[side.index()][usize::from(forced)]
}

/// The key of the position's image under a symmetry, computed without the image itself.
pub(super) fn image_key<R: Rule>(pos: &Ultimate<R>, symmetry: usize) -> u64 {
    let turn = |index: usize| usize::from(IMAGE[symmetry][index]);
    let forced = if pos.forced == FREE { FREE } else { IMAGE[symmetry][usize::from(pos.forced)] };
    let mut key = turn_key(pos.side, forced);
    for side in [Side::P1, Side::P2] {
        for board in 0..9 {
            for square in bits(pos.stones(side, board).into()) {
                key ^= stone_key(side, TixTaxMove::new(turn(board), turn(square)));
            }
        }
        for board in bits(pos.owned(side).into()) {
            key ^= owner_key(side, turn(board));
        }
    }
    key
}

/// A stone is dead if its side can no longer complete a line through it. It only blocks lines, so
/// the key leaves out its owner. The same holds for owned boards on the large board, apart from
/// their number where it decides.
pub(super) fn value_key<R: Rule>(pos: &Ultimate<R>) -> u64 {
    let [ours, theirs] = pos.owned;
    let live_boards = |side: Side| {
        let winnable = pos.winnable_boards(side);
        pos.owned(side) & OPEN_LINES[usize::from(FULL & !winnable)]
    };
    // Under the open rule, boards that already have an owner are still played on.
    let decided = (ours | theirs) & !pos.closed;
    let [first, second] = [live_boards(Side::P1), live_boards(Side::P2)];
    let mut key = mix64(word([first, second, pos.closed, decided]) | 1 << 62);
    for board in bits((FULL & !pos.closed).into()) {
        let stones = pos.stones.map(|stones| stones[board]);
        key ^= board_value_key(board, stones, pos.is_owned(board));
    }
    if R::COUNT_DECIDES {
        let lead = pos.owned_count(Side::P1) + 9 - pos.owned_count(Side::P2);
        key ^= mix64(0x6000 + u64::from(lead));
    }
    key ^ turn_key(pos.side, pos.forced)
}

/// The part of an open board in the value key.
#[inline]
fn board_value_key(board: usize, [ours, theirs]: [u16; 2], is_owned: bool) -> u64 {
    let live = if is_owned {
        [0; 2]
    } else {
        [(ours, theirs), (theirs, ours)].map(|(own, other)| own & OPEN_LINES[usize::from(other)])
    };
    // Different top bits keep small boards apart from the large board.
    mix64(word([board as u16, live[0], live[1], ours | theirs]) | 1 << 63)
}

/// The value keys before and after a quiet move, xored. The move only changes one small board, the
/// side to move and the forced board.
#[inline]
pub(super) fn value_key_xor<R: Rule>(pos: &Ultimate<R>, mv: TixTaxMove) -> u64 {
    let board = mv.board();
    let before = pos.stones.map(|stones| stones[board]);
    let mut after = before;
    after[pos.side.index()] |= 1 << mv.square();
    let [before, after] =
        [before, after].map(|stones| board_value_key(board, stones, pos.is_owned(board)));
    let turn_after = turn_key(pos.side.other(), pos.sends_to(mv));
    before ^ after ^ turn_key(pos.side, pos.forced) ^ turn_after
}

/// Joins four 9-bit sets.
#[inline]
fn word(sets: [u16; 4]) -> u64 {
    sets.iter().fold(0, |word, set| word << 9 | u64::from(*set))
}
