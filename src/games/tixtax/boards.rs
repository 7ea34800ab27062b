//! What the small boards say about the large one: who has won them, and who can still win what.

use super::{FREE, Rule, TixTaxMove, Ultimate};
use crate::games::grid::{COMPLETES, COUNT, FULL, HAS_LINE};
use crate::games::notation::bits;
use crate::rules::{Game, Side};

impl<R: Rule> Ultimate<R> {
    /// The stones of `side` on a small board, as a 9-bit set.
    #[inline]
    #[must_use]
    pub fn stones(&self, side: Side, board: usize) -> u16 {
        self.stones[side.index()][board]
    }

    /// The boards that `side` has won, as a 9-bit set.
    #[inline]
    #[must_use]
    pub fn owned(&self, side: Side) -> u16 {
        self.owned[side.index()]
    }

    /// The boards that are closed, as a 9-bit set.
    #[inline]
    #[must_use]
    pub fn closed(&self) -> u16 {
        self.closed
    }

    /// The board the side to move must play on; `None` if the choice is free.
    #[inline]
    #[must_use]
    pub fn forced(&self) -> Option<usize> {
        (self.forced != FREE).then_some(usize::from(self.forced))
    }

    /// The boards that are open and have no owner, as a 9-bit set.
    #[inline]
    pub(super) fn undecided_boards(&self) -> u16 {
        FULL & !(self.closed | self.owned[0] | self.owned[1])
    }

    /// The boards `side` owns or can still win, as a 9-bit set.
    #[inline]
    #[must_use]
    pub fn winnable_boards(&self, side: Side) -> u16 {
        self.owned(side) | self.undecided_boards() & !self.blocked[side.index()]
    }

    /// The boards that would win the game for `side` if it won one of them, as a 9-bit set.
    #[inline]
    #[must_use]
    pub fn deciding_boards(&self, side: Side) -> u16 {
        COMPLETES[usize::from(self.owned(side))] & self.winnable_boards(side) & !self.owned(side)
    }

    /// The cells that would win an undecided board for `side`.
    pub fn winning_cells(&self, side: Side, board: usize) -> impl Iterator<Item = TixTaxMove> {
        let is_undecided = self.undecided_boards() >> board & 1 == 1;
        let squares = if is_undecided { self.completable(side.index(), board) } else { 0 };
        bits(squares.into()).map(move |square| TixTaxMove::new(board, square))
    }

    pub fn open_boards(&self) -> impl Iterator<Item = usize> {
        bits((FULL & !self.closed).into())
    }

    /// Whether the side to move can win a small board with its next stone.
    #[must_use]
    pub fn can_win_board(&self) -> bool {
        let wins_on = |board: usize| self.winning_cells(self.side(), board).next().is_some();
        let chooses = || self.open_boards().any(wins_on);
        self.outcome().is_none() && self.forced().map_or_else(chooses, wins_on)
    }

    /// Whether `side` can still own three boards in a line.
    #[inline]
    #[must_use]
    pub fn can_align(&self, side: Side) -> bool {
        HAS_LINE[usize::from(self.winnable_boards(side))]
    }

    /// The number of boards that `side` owns.
    #[inline]
    #[must_use]
    pub fn owned_count(&self, side: Side) -> u8 {
        COUNT[usize::from(self.owned(side))]
    }

    /// The number of boards that `side` owns or can still win.
    #[inline]
    #[must_use]
    pub fn winnable_count(&self, side: Side) -> u8 {
        COUNT[usize::from(self.winnable_boards(side))]
    }
}
