//! A sober evaluation by hand: boards won, lines under way, and where the mover is sent.
//!
//! A move changes one small board, so the sum over the small boards is kept on a stack and changed
//! by one table look-up; the rest is counted when asked.

use std::sync::Arc;

use super::Weights;
use crate::games::grid::{COUNT, LINES};
use crate::games::tixtax::{Cell, Rule, Ultimate};
use crate::rules::{Game, Side};
use crate::search::{Evaluator, Points};

const CONTENTS: usize = 3usize.pow(9);

/// The number of a set of cells in base three: what it adds to the number of a board's contents.
const TERNARY: [u16; 512] = {
    let mut table = [0; 512];
    let mut cells = 0;
    while cells < 512 {
        let (mut cell, mut power) = (0, 1);
        while cell < 9 {
            if cells >> cell & 1 == 1 {
                table[cells] += power;
            }
            power *= 3;
            cell += 1;
        }
        cells += 1;
    }
    table
};

/// The sober evaluation.
#[derive(Debug, Clone)]
pub struct Sober {
    tables: Arc<Tables>,
    /// The small boards' sum for the first player, after each move on the way here.
    sums: Vec<Points>,
}

/// What follows from the weights alone.
#[derive(Debug)]
struct Tables {
    weights: Weights,
    /// Lines under way, for every content of a small board that nobody has won.
    under_way: Vec<Points>,
    /// Percent, by the place of the board.
    place: [Points; 9],
}

impl Sober {
    /// The evaluation with the weights that come with the program.
    #[must_use]
    pub fn embedded() -> Self {
        Self::new(&Weights::embedded())
    }

    /// The evaluation with these weights.
    #[must_use]
    pub fn new(weights: &Weights) -> Self {
        let mut under_way = vec![0; CONTENTS];
        for first in 0..512_u16 {
            for second in (0..512_u16).filter(|second| first & second == 0) {
                under_way[contents(first, second)] = lines_under_way(weights, first, second)
                    - lines_under_way(weights, second, first);
            }
        }
        let place = std::array::from_fn(|board| match board {
            4 => weights.centre_percent.into(),
            board if board % 2 == 0 => weights.corner_percent.into(),
            _ => weights.edge_percent.into(),
        });
        let tables = Tables { weights: weights.clone(), under_way, place };
        Self { tables: Arc::new(tables), sums: Vec::new() }
    }

    fn board<R: Rule>(&self, pos: &Ultimate<R>, board: usize) -> Points {
        let won = Points::from(self.tables.weights.board_won);
        let points = if pos.owned(Side::P1) >> board & 1 == 1 {
            won
        } else if pos.owned(Side::P2) >> board & 1 == 1 {
            -won
        } else if pos.closed() >> board & 1 == 1 {
            0
        } else {
            let contents = contents(pos.stones(Side::P1, board), pos.stones(Side::P2, board));
            self.tables.under_way[contents]
        };
        points * self.tables.place[board] / 100
    }

    /// Lines of the big board that `side` has begun and can still complete.
    fn big_lines(&self, owned: u16, lost: u16) -> Points {
        let weights = &self.tables.weights;
        LINES
            .iter()
            .filter(|line| *line & lost == 0)
            .map(|line| match COUNT[usize::from(line & owned)] {
                1 => weights.one_board_in_line.into(),
                2 => weights.two_boards_in_line.into(),
                _ => 0,
            })
            .sum()
    }

    /// What the mover gets from being to move here.
    fn turn<R: Rule>(&self, pos: &Ultimate<R>) -> Points {
        let Some(board) = pos.forced() else { return self.tables.weights.free_choice.into() };
        let taken = (pos.owned(Side::P1) | pos.owned(Side::P2)) >> board & 1 == 1;
        let own = pos.stones(pos.side(), board);
        let other = pos.stones(pos.side().other(), board);
        let completes = |line: &u16| COUNT[usize::from(line & own)] == 2 && line & other == 0;
        if !taken && LINES.iter().any(completes) {
            let worth = Points::from(self.tables.weights.board_to_take);
            return worth * self.tables.place[board] / 100;
        }
        0
    }
}

fn contents(first: u16, second: u16) -> usize {
    usize::from(TERNARY[usize::from(first)] + 2 * TERNARY[usize::from(second)])
}

fn lines_under_way(weights: &Weights, own: u16, other: u16) -> Points {
    let worth = |line: &u16| match COUNT[usize::from(line & own)] {
        1 => weights.one_in_line.into(),
        2 => weights.two_in_line.into(),
        _ => 0,
    };
    LINES.iter().filter(|line| *line & other == 0).map(worth).sum()
}

impl<R: Rule> Evaluator<Ultimate<R>> for Sober {
    fn reset(&mut self, pos: &Ultimate<R>) {
        self.sums.clear();
        self.sums.push((0..9).map(|board| self.board(pos, board)).sum());
    }

    #[inline]
    fn played(&mut self, before: &Ultimate<R>, mv: Cell, after: &Ultimate<R>) {
        let sum = self.sums.last().copied().unwrap_or_default();
        let board = mv.board();
        self.sums.push(sum + self.board(after, board) - self.board(before, board));
    }

    #[inline]
    fn undone(&mut self) {
        self.sums.pop();
    }

    #[inline]
    fn evaluate(&self, pos: &Ultimate<R>) -> Points {
        let [first, second] = [pos.owned(Side::P1), pos.owned(Side::P2)];
        let drawn = pos.closed() & !(first | second);
        let boards = self.sums.last().copied().unwrap_or_default();
        let lines = self.big_lines(first, second | drawn) - self.big_lines(second, first | drawn);
        let points = match pos.side() {
            Side::P1 => boards + lines,
            Side::P2 => -boards - lines,
        };
        points + self.turn(pos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{TixTax, TixTaxOpen};
    use crate::rules::SplitMix;

    fn kept_up_equals_fresh<R: Rule>(seed: u64) {
        let mut random = SplitMix::new(seed);
        let (mut kept_up, mut pos) = (Sober::embedded(), Ultimate::<R>::start());
        kept_up.reset(&pos);
        while pos.outcome().is_none() {
            let mv = pos.random_move(&mut random);
            let next = pos.after(mv);
            kept_up.played(&pos, mv, &next);
            let mut fresh = kept_up.clone();
            fresh.reset(&next);
            assert_eq!(kept_up.evaluate(&next), fresh.evaluate(&next), "{next}");
            pos = next;
        }
    }

    #[test]
    fn the_sum_kept_up_is_the_sum_counted() {
        for seed in 0..20 {
            kept_up_equals_fresh::<crate::games::tixtax::ClosedRule>(seed);
            kept_up_equals_fresh::<crate::games::tixtax::OpenRule>(seed);
        }
    }

    #[test]
    fn symmetric_positions_are_worth_the_same() {
        let mut pos = TixTax::start();
        let mut random = SplitMix::new(8);
        let mut sober = Sober::embedded();
        while pos.outcome().is_none() {
            sober.reset(&pos);
            let worth = sober.evaluate(&pos);
            for symmetry in 0..TixTax::SYMMETRIES {
                let image = pos.image(symmetry);
                sober.reset(&image);
                assert_eq!(sober.evaluate(&image), worth);
            }
            pos.play_unchecked(pos.random_move(&mut random));
        }
    }

    #[test]
    fn extreme_weights_do_no_harm() {
        let mut weights = Weights::embedded();
        for (one, two, won) in [(-10_000, -10_000, -10_000), (10_000, -10_000, 10_000)] {
            (weights.one_in_line, weights.two_in_line, weights.board_won) = (one, two, won);
            weights.centre_percent = 10_000;
            let mut sober = Sober::new(&weights);
            sober.reset(&"xx7/oo7/9/9/4x4/9/9/9/9 o 3 e5".parse::<TixTax>().unwrap());
        }
    }

    #[test]
    fn a_won_board_is_worth_having() {
        let mut sober = Sober::embedded();
        let won: TixTaxOpen = "xxx6/9/9/9/oo7/9/9/9/9 o 3 - X........".parse().unwrap();
        sober.reset(&won);
        assert!(sober.evaluate(&won) < -50);
    }
}
