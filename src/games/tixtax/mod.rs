//! Ultimate tic-tac-toe under three rules: `tixtax` closes a small board once it is won or full,
//! `tixtax-open` only once it is full, and `tixtax-count` closes boards as `tixtax` but counts them
//! when nobody has three in a line.
//!
//! A position is two sets of nine 9-bit boards, with incrementally updated state: owned and closed
//! boards, the number of playable cells and a hash.

mod boards;
mod cell;
mod compact;
mod drawing;
mod keys;
mod notation;
mod planes;
mod setup;
mod symmetry;
#[cfg(test)]
mod tests;
mod variants;

pub use cell::TixTaxMove;
pub use variants::{ClosedRule, CountRule, OpenRule, Rule, TixTax, TixTaxCount, TixTaxOpen};

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use arrayvec::ArrayVec;

use self::keys::{closing_key, owner_key, stone_key, turn_key};
use super::grid::{self, COMPLETES, COUNT, FULL, HAS_LINE, HAS_OPEN_LINE, NTH_CELL};
use super::notation::bits;
use crate::rules::{Game, Outcome, QuietMove, Side, SplitMix};

/// In place of a board number: the choice of board is free.
const FREE: u8 = 9;

/// A position of ultimate tic-tac-toe.
#[derive(Clone, Copy, Debug)]
pub struct Ultimate<R: Rule> {
    stones: [[u16; 9]; 2],
    owned: [u16; 2],
    /// The boards on which the opponent's stones block every line of a side.
    blocked: [u16; 2],
    closed: u16,
    /// Empty cells on boards that are not closed.
    open_cells: u8,
    /// The same for each board, one byte per board; the last board is implied by the sum.
    open_counts: u64,
    /// The board the side to move must play on, or [`FREE`].
    forced: u8,
    side: Side,
    outcome: Option<Outcome>,
    /// The last move, needed only for the FEN.
    last: Option<TixTaxMove>,
    /// The hash of owners, closed boards and the stones on open ones; [`Game::search_key`] adds side to
    /// move and forced board.
    stone_key: u64,
    rule: PhantomData<R>,
}

/// The lowest bit of the byte of each board in `open_counts`; the last board has none.
const LANES: [u64; 9] = [1, 1 << 8, 1 << 16, 1 << 24, 1 << 32, 1 << 40, 1 << 48, 1 << 56, 0];
const EVERY_LANE: u64 = 0x0101_0101_0101_0101;

impl<R: Rule> Ultimate<R> {
    #[inline]
    fn empty(&self, board: usize) -> u16 {
        FULL & !(self.stones[0][board] | self.stones[1][board])
    }

    /// The number of empty cells of a board.
    #[inline]
    fn empty_count(&self, board: usize) -> u8 {
        COUNT[usize::from(self.empty(board))]
    }

    #[inline]
    fn nth_empty(&self, board: usize, n: usize) -> TixTaxMove {
        TixTaxMove::new(board, NTH_CELL[usize::from(self.empty(board))][n].into())
    }

    /// The empty cells of a board that complete a line of `side`.
    #[inline]
    fn completable(&self, side: usize, board: usize) -> u16 {
        COMPLETES[usize::from(self.stones[side][board])] & self.empty(board)
    }

    /// Computes the full state from the fields of a FEN; nothing is validated.
    fn assemble(
        stones: [[u16; 9]; 2],
        owned: [u16; 2],
        side: Side,
        last: Option<TixTaxMove>,
    ) -> Self {
        let mut pos = Self {
            stones,
            owned,
            blocked: [0; 2],
            closed: 0,
            open_cells: 0,
            open_counts: 0,
            forced: FREE,
            side,
            outcome: None,
            last,
            stone_key: 0,
            rule: PhantomData,
        };
        for (board, lane) in LANES.into_iter().enumerate() {
            let won = (owned[0] | owned[1]) >> board & 1 == 1;
            if won && R::WON_CLOSES || pos.empty(board) == 0 {
                pos.closed |= 1 << board;
            } else {
                pos.open_cells += pos.empty_count(board);
                pos.open_counts += u64::from(pos.empty_count(board)) * lane;
            }
            for side in [Side::P1, Side::P2] {
                let own = usize::from(pos.stones(side, board));
                pos.blocked[side.other().index()] |= u16::from(!HAS_OPEN_LINE[own]) << board;
                for square in bits(pos.stones(side, board).into()) {
                    pos.stone_key ^= stone_key(side, TixTaxMove::new(board, square));
                }
                if pos.owned(side) >> board & 1 == 1 {
                    pos.stone_key ^= owner_key(side, board);
                }
            }
            if pos.closed >> board & 1 == 1 {
                pos.stone_key ^= closing_key(&pos, board);
            }
        }
        if let Some(cell) = last {
            pos.forced = pos.sends_to(cell);
        }
        pos.outcome = [Side::P1, Side::P2]
            .into_iter()
            .find(|side| HAS_LINE[usize::from(pos.owned(*side))])
            .map(Outcome::Win)
            .or_else(|| (pos.closed == FULL).then(|| pos.outcome_without_line()));
        pos
    }

    /// The outcome when all boards are closed and nobody has a line.
    fn outcome_without_line(&self) -> Outcome {
        let [first, second] = self.owned.map(|owned| COUNT[usize::from(owned)]);
        match first.cmp(&second) {
            Ordering::Greater if R::COUNT_DECIDES => Outcome::Win(Side::P1),
            Ordering::Less if R::COUNT_DECIDES => Outcome::Win(Side::P2),
            _ => Outcome::Draw,
        }
    }

    /// Whether `side` can complete a line of three boards with a stone on board `forced`, or on any board
    /// if that is [`FREE`]. The opponent has taken the cell `taken` beforehand.
    #[inline]
    fn can_complete_line(&self, side: Side, forced: u8, taken: Option<TixTaxMove>) -> bool {
        let reachable = if forced == FREE { FULL } else { 1 << forced };
        bits((self.deciding_boards(side) & reachable).into()).any(|board| {
            let on_board = taken.filter(|cell| cell.board() == board);
            let cell = on_board.map_or(0, |cell| 1 << cell.square());
            self.completable(side.index(), board) & !cell != 0
        })
    }

    /// Whether the next stone of the side to move can close the last open board and win on count.
    fn wins_count_at_once(&self) -> bool {
        let last = FULL & !self.closed;
        if !R::COUNT_DECIDES || COUNT[usize::from(last)] != 1 || self.outcome.is_some() {
            return false;
        }
        let (us, board) = (self.side, last.trailing_zeros() as usize);
        let (ours, theirs) = (self.owned_count(us), self.owned_count(!us));
        let wins_board = self.completable(us.index(), board) != 0;
        let fills_board = self.empty_count(board) == 1;
        wins_board && ours + 1 > theirs || fills_board && ours > theirs
    }

    /// The board to which a stone on `cell` sends the opponent, or [`FREE`].
    #[inline]
    fn sends_to(&self, cell: TixTaxMove) -> u8 {
        let square = cell.square();
        if self.closed >> square & 1 == 1 { FREE } else { square as u8 }
    }

    /// The boards on which `side` would win the game at once if it were sent there. If there are any,
    /// closed boards count too, since they let `side` choose.
    #[inline]
    fn winning_destinations(&self, side: Side) -> u16 {
        let wins_on = |board: &usize| self.completable(side.index(), *board) != 0;
        let deciding = bits(self.deciding_boards(side).into());
        match deciding.filter(wins_on).fold(0, |boards, board| boards | 1 << board) {
            0 => 0,
            boards => boards | self.closed,
        }
    }

    /// Updates the state after the last stone completed a line on `board` or filled it.
    #[inline]
    fn decide_board(&mut self, board: usize, has_line: bool, empty: u16) {
        let wins = has_line && !self.is_owned(board);
        if wins {
            let owned = &mut self.owned[self.side.index()];
            *owned |= 1 << board;
            if HAS_LINE[usize::from(*owned)] {
                self.outcome = Some(Outcome::Win(self.side));
            }
            self.stone_key ^= owner_key(self.side, board);
        }
        if wins && R::WON_CLOSES || empty == 0 {
            self.closed |= 1 << board;
            self.stone_key ^= closing_key(self, board);
            self.open_cells -= COUNT[usize::from(empty)];
            self.open_counts -= u64::from(COUNT[usize::from(empty)]) * LANES[board];
            if self.closed == FULL && self.outcome.is_none() {
                self.outcome = Some(self.outcome_without_line());
            }
        }
    }

    /// Whether an open board already has an owner, which only the open rule allows.
    #[inline]
    fn is_owned(&self, board: usize) -> bool {
        !R::WON_CLOSES && (self.owned[0] | self.owned[1]) >> board & 1 == 1
    }
}

/// The last move does not matter, only the forced board.
impl<R: Rule> PartialEq for Ultimate<R> {
    fn eq(&self, other: &Self) -> bool {
        (self.stones, self.owned, self.forced, self.side)
            == (other.stones, other.owned, other.forced, other.side)
    }
}

impl<R: Rule> Eq for Ultimate<R> {}

impl<R: Rule> Hash for Ultimate<R> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl<R: Rule> Game for Ultimate<R> {
    const ID: &'static str = R::ID;
    const ALIASES: &'static [&'static str] = R::ALIASES;
    const MOVE_CODES: usize = TixTaxMove::CODE_COUNT;
    const SYMMETRIES: usize = grid::SYMMETRIES;
    const WINNER_MOVES_LAST: bool = !R::COUNT_DECIDES;
    const OPENING_PLIES: usize = 8;

    type Move = TixTaxMove;
    type Moves = ArrayVec<TixTaxMove, 81>;

    fn start() -> Self {
        Self::assemble([[0; 9]; 2], [0; 2], Side::P1, None)
    }

    #[inline]
    fn side(&self) -> Side {
        self.side
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    #[inline]
    fn legal_moves(&self) -> Self::Moves {
        let mut moves = ArrayVec::new();
        if self.outcome.is_some() {
            return moves;
        }
        let mut list = |board: usize| {
            let mut empty = self.empty(board);
            while empty != 0 {
                moves.push(TixTaxMove::new(board, empty.trailing_zeros() as usize));
                empty &= empty - 1;
            }
        };
        match self.forced() {
            Some(board) => list(board),
            None => bits((FULL & !self.closed).into()).for_each(list),
        }
        moves
    }

    fn is_legal(&self, mv: TixTaxMove) -> bool {
        let board = mv.board();
        let reachable =
            self.forced().map_or(self.closed >> board & 1 == 0, |forced| forced == board);
        self.outcome.is_none() && reachable && self.empty(board) >> mv.square() & 1 == 1
    }

    #[inline]
    fn move_count(&self) -> usize {
        if self.outcome.is_some() {
            return 0;
        }
        match self.forced() {
            Some(board) => usize::from(self.empty_count(board)),
            None => self.open_cells.into(),
        }
    }

    #[inline]
    fn reply_count(&self, mv: TixTaxMove) -> usize {
        let (board, square, us) = (mv.board(), mv.square(), self.side.index());
        let ours = self.stones[us][board] | 1 << square;
        let empty = self.empty(board) & !(1 << square);
        let wins = HAS_LINE[usize::from(ours)] && !self.is_owned(board);
        if wins && HAS_LINE[usize::from(self.owned[us] | 1 << board)] {
            return 0;
        }
        let closes = wins && R::WON_CLOSES || empty == 0;
        let open_cells = || {
            let removed = if closes { COUNT[usize::from(empty)] + 1 } else { 1 };
            usize::from(self.open_cells - removed)
        };
        let closed = self.closed | u16::from(closes) << board;
        if closed >> square & 1 == 1 {
            open_cells()
        } else if square == board {
            usize::from(COUNT[usize::from(empty)])
        } else {
            usize::from(self.empty_count(square))
        }
    }

    /// Judges by the boards before the move, so it may be wrong about a move that takes one of the
    /// opponent's winning cells or closes a board.
    #[inline]
    fn safe_move_count(&self) -> usize {
        let unsafe_cells = self.winning_destinations(!self.side);
        if unsafe_cells == 0 {
            return self.move_count();
        }
        let boards = self.forced().map_or(FULL & !self.closed, |board| 1 << board);
        let safe_cells = |board| COUNT[usize::from(self.empty(board) & !unsafe_cells)];
        bits(boards.into()).map(|board| usize::from(safe_cells(board))).sum()
    }

    #[inline(always)]
    fn play_unchecked(&mut self, mv: TixTaxMove) {
        let (board, us) = (mv.board(), self.side.index());
        let stones = &mut self.stones[us][board];
        *stones |= 1 << mv.square();
        let has_line = HAS_LINE[usize::from(*stones & FULL)];
        let has_open_line = HAS_OPEN_LINE[usize::from(*stones & FULL)];
        self.blocked[us ^ 1] |= u16::from(!has_open_line) << board;
        self.stone_key ^= stone_key(self.side, mv);
        self.open_cells -= 1;
        self.open_counts -= LANES[board];
        let empty = self.empty(board);
        // A single branch in the usual case, where the board stays undecided.
        if has_line || empty == 0 {
            self.decide_board(board, has_line, empty);
        }
        self.forced = self.sends_to(mv);
        self.last = Some(mv);
        self.side = self.side.other();
    }

    #[inline(always)]
    fn random_move(&self, random: &mut SplitMix) -> TixTaxMove {
        let n = random.below(self.move_count());
        if let Some(board) = self.forced() {
            return self.nth_empty(board, n);
        }
        // SWAR prefix sum: after the multiplication the byte of each board is the number of open
        // cells up to and including it, at most 72. The n-th open cell is on the first board where
        // that exceeds n; one subtraction compares all bytes and leaves the results in the top bits.
        let sums = self.open_counts.wrapping_mul(EVERY_LANE);
        let at_most_n = (n as u64 | 0x80) * EVERY_LANE - sums;
        let board = (!at_most_n & (0x80 * EVERY_LANE)).trailing_zeros() as usize / 8;
        let before = (u128::from(sums) << 8 >> (8 * board)) as u8;
        self.nth_empty(board, n - usize::from(before))
    }

    fn key(&self) -> u64 {
        let closed = bits(self.closed.into());
        closed.fold(self.search_key(), |key, board| key ^ closing_key(self, board))
    }

    /// Leaves out the stones on closed boards, which nothing depends on.
    #[inline]
    fn search_key(&self) -> u64 {
        self.stone_key ^ turn_key(self.side, self.forced)
    }

    /// `None` if the move wins or fills a board, which changes more than one stone.
    #[inline]
    fn search_key_after(&self, mv: TixTaxMove) -> Option<u64> {
        let empty = self.empty(mv.board()) & !(1 << mv.square());
        let wins = self.completable(self.side.index(), mv.board()) >> mv.square() & 1 == 1;
        let turn = turn_key(self.side.other(), self.sends_to(mv));
        (empty != 0 && !wins).then_some(self.stone_key ^ stone_key(self.side, mv) ^ turn)
    }

    fn value_key(&self) -> u64 {
        keys::value_key(self)
    }

    /// Most moves neither win nor fill a board, nor block its last line.
    #[inline]
    fn quiet_move(&self, mv: TixTaxMove) -> Option<QuietMove> {
        let (board, us, cell) = (mv.board(), self.side.index(), 1 << mv.square());
        let ours = usize::from(self.stones[us][board] | cell);
        let is_blocked = self.blocked[us ^ 1] >> board & 1 == 1;
        let wins_or_blocks = HAS_LINE[ours] || !HAS_OPEN_LINE[ours] && !is_blocked;
        let is_last_board = COUNT[usize::from(FULL & !self.closed)] == 1;
        if self.empty(board) == cell
            || wins_or_blocks && !self.is_owned(board)
            || R::COUNT_DECIDES && is_last_board
        {
            return None;
        }
        let allows_win = self.can_complete_line(self.side.other(), self.sends_to(mv), Some(mv));
        Some(QuietMove { allows_win })
    }

    #[inline]
    fn value_key_xor(&self, mv: TixTaxMove) -> u64 {
        keys::value_key_xor(self, mv)
    }

    fn max_plies_left(&self) -> Option<u32> {
        Some(if self.outcome.is_some() { 0 } else { self.open_cells.into() })
    }

    #[inline]
    fn can_still_win(&self, side: Side) -> bool {
        self.can_align(side)
            || R::COUNT_DECIDES && self.winnable_count(side) > self.owned_count(!side)
    }

    fn final_count(&self) -> Option<[u32; 2]> {
        let has_line = [Side::P1, Side::P2].map(|side| HAS_LINE[usize::from(self.owned(side))]);
        let is_counted = R::COUNT_DECIDES && self.outcome.is_some() && has_line == [false; 2];
        is_counted.then(|| [Side::P1, Side::P2].map(|side| self.owned_count(side).into()))
    }

    #[inline]
    fn has_secured_win(&self, side: Side) -> bool {
        R::COUNT_DECIDES
            && self.owned_count(side) > self.winnable_count(!side)
            && !self.can_align(!side)
    }

    #[inline]
    fn wins_at_once(&self) -> bool {
        let wins_line =
            self.outcome.is_none() && self.can_complete_line(self.side, self.forced, None);
        wins_line || self.wins_count_at_once()
    }

    fn image(&self, symmetry: usize) -> Self {
        symmetry::image(self, symmetry)
    }

    fn image_key(&self, symmetry: usize) -> u64 {
        keys::image_key(self, symmetry)
    }

    fn move_image(&self, mv: TixTaxMove, symmetry: usize) -> TixTaxMove {
        symmetry::image_of_cell(mv, symmetry)
    }
}
