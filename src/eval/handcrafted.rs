//! A handcrafted evaluation: won boards, open lines and the board the mover is sent to.
//!
//! A move changes one small board, so the sum over the small boards is updated incrementally on a
//! stack, by one table lookup; the rest is computed when a position is evaluated.

use std::sync::Arc;

use super::TIXTAX_CALIBRATION;
use super::board_code::{BOARD_CODES, board_code};
use crate::games::grid::{COUNT, LINES};
use crate::games::tixtax::{Rule, TixTaxMove, Ultimate};
use crate::rules::{Game, Side};
use crate::search::{Calibration, Evaluator, Points};

/// The weights, in hundredths of a small board unless the name says percent.
#[derive(Debug, Clone, Copy)]
struct Weights {
    /// A small line with one own stone and no other.
    one_in_line: Points,
    /// A small line with two own stones and no other.
    two_in_line: Points,
    /// A won small board.
    board_won: Points,
    /// The value of the centre board.
    centre_percent: Points,
    /// The value of a corner board.
    corner_percent: Points,
    /// The value of an edge board.
    edge_percent: Points,
    /// A big line with one own board that can still be completed.
    one_board_in_line: Points,
    /// A big line with two own boards that can still be completed.
    two_boards_in_line: Points,
    /// The mover may choose the board.
    free_choice: Points,
    /// The mover can win the board it is sent to.
    board_to_take: Points,
}

const WEIGHTS: Weights = Weights {
    one_in_line: 4,
    two_in_line: 16,
    board_won: 100,
    centre_percent: 140,
    corner_percent: 110,
    edge_percent: 90,
    one_board_in_line: 12,
    two_boards_in_line: 110,
    free_choice: 30,
    board_to_take: 35,
};

#[derive(Debug, Clone)]
pub struct HandcraftedEval {
    tables: Arc<HandcraftedTables>,
    /// The sum over the small boards for the first player, after each move from the root.
    sums: Vec<Points>,
}

/// Tables derived from the weights.
#[derive(Debug)]
struct HandcraftedTables {
    /// The value of the open lines, by the code of an open board.
    open_lines: Vec<Points>,
    /// The weight of each board in percent, by its position.
    board_percent: [Points; 9],
}

impl Default for HandcraftedEval {
    fn default() -> Self {
        let mut open_lines = vec![0; BOARD_CODES];
        for first in 0..512_u16 {
            for second in (0..512_u16).filter(|second| first & second == 0) {
                open_lines[usize::from(board_code(first, second))] =
                    open_line_points(first, second) - open_line_points(second, first);
            }
        }
        let board_percent = std::array::from_fn(|board| match board {
            4 => WEIGHTS.centre_percent,
            board if board % 2 == 0 => WEIGHTS.corner_percent,
            _ => WEIGHTS.edge_percent,
        });
        Self { tables: Arc::new(HandcraftedTables { open_lines, board_percent }), sums: Vec::new() }
    }
}

impl HandcraftedEval {
    fn board<R: Rule>(&self, pos: &Ultimate<R>, board: usize) -> Points {
        let won = WEIGHTS.board_won;
        let points = if pos.owned(Side::P1) >> board & 1 == 1 {
            won
        } else if pos.owned(Side::P2) >> board & 1 == 1 {
            -won
        } else if pos.closed() >> board & 1 == 1 {
            0
        } else {
            let code = board_code(pos.stones(Side::P1, board), pos.stones(Side::P2, board));
            self.tables.open_lines[usize::from(code)]
        };
        points * self.tables.board_percent[board] / 100
    }

    /// Returns the value of the big lines that contain `owned` boards and can still be completed.
    fn big_line_points(owned: u16, lost: u16) -> Points {
        LINES
            .iter()
            .filter(|line| *line & lost == 0)
            .map(|line| match COUNT[usize::from(line & owned)] {
                1 => WEIGHTS.one_board_in_line,
                2 => WEIGHTS.two_boards_in_line,
                _ => 0,
            })
            .sum()
    }

    /// Returns the bonus of the side to move for the board it is sent to.
    fn forced_board_bonus<R: Rule>(&self, pos: &Ultimate<R>) -> Points {
        let Some(board) = pos.forced() else { return WEIGHTS.free_choice };
        let is_won = (pos.owned(Side::P1) | pos.owned(Side::P2)) >> board & 1 == 1;
        let own = pos.stones(pos.side(), board);
        let other = pos.stones(pos.side().other(), board);
        let completes = |line: &u16| COUNT[usize::from(line & own)] == 2 && line & other == 0;
        if !is_won && LINES.iter().any(completes) {
            return WEIGHTS.board_to_take * self.tables.board_percent[board] / 100;
        }
        0
    }
}

fn open_line_points(own: u16, other: u16) -> Points {
    let points = |line: &u16| match COUNT[usize::from(line & own)] {
        1 => WEIGHTS.one_in_line,
        2 => WEIGHTS.two_in_line,
        _ => 0,
    };
    LINES.iter().filter(|line| *line & other == 0).map(points).sum()
}

impl<R: Rule> Evaluator<Ultimate<R>> for HandcraftedEval {
    const CALIBRATION: Calibration = TIXTAX_CALIBRATION;

    fn reset(&mut self, pos: &Ultimate<R>) {
        self.sums.clear();
        self.sums.push((0..9).map(|board| self.board(pos, board)).sum());
    }

    #[inline]
    fn make_move(&mut self, before: &Ultimate<R>, mv: TixTaxMove, after: &Ultimate<R>) {
        let sum = self.sums.last().copied().unwrap_or_default();
        let board = mv.board();
        self.sums.push(sum + self.board(after, board) - self.board(before, board));
    }

    #[inline]
    fn undo_move(&mut self) {
        self.sums.pop();
    }

    #[inline]
    fn evaluate(&mut self, pos: &Ultimate<R>) -> Points {
        let [first, second] = [pos.owned(Side::P1), pos.owned(Side::P2)];
        let drawn = pos.closed() & !(first | second);
        let boards = self.sums.last().copied().unwrap_or_default();
        let lines = Self::big_line_points(first, second | drawn)
            - Self::big_line_points(second, first | drawn);
        let points = match pos.side() {
            Side::P1 => boards + lines,
            Side::P2 => -boards - lines,
        };
        points + self.forced_board_bonus(pos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{TixTax, TixTaxOpen};
    use crate::rules::SplitMix;

    fn assert_incremental_equals_fresh<R: Rule>(seed: u64) {
        let mut random = SplitMix::new(seed);
        let (mut incremental, mut pos) = (HandcraftedEval::default(), Ultimate::<R>::start());
        incremental.reset(&pos);
        while pos.outcome().is_none() {
            let mv = pos.random_move(&mut random);
            let next = pos.after(mv);
            incremental.make_move(&pos, mv, &next);
            let mut fresh = incremental.clone();
            fresh.reset(&next);
            assert_eq!(incremental.evaluate(&next), fresh.evaluate(&next), "{next}");
            pos = next;
        }
    }

    #[test]
    fn incremental_update_equals_fresh_evaluation() {
        for seed in 0..20 {
            assert_incremental_equals_fresh::<crate::games::tixtax::ClosedRule>(seed);
            assert_incremental_equals_fresh::<crate::games::tixtax::OpenRule>(seed);
        }
    }

    #[test]
    fn symmetric_positions_have_equal_scores() {
        let mut pos = TixTax::start();
        let mut random = SplitMix::new(8);
        let mut eval = HandcraftedEval::default();
        while pos.outcome().is_none() {
            eval.reset(&pos);
            let score = eval.evaluate(&pos);
            for symmetry in 0..TixTax::SYMMETRIES {
                let image = pos.image(symmetry);
                eval.reset(&image);
                assert_eq!(eval.evaluate(&image), score);
            }
            pos.play_unchecked(pos.random_move(&mut random));
        }
    }

    #[test]
    fn a_won_board_is_an_advantage() {
        let mut eval = HandcraftedEval::default();
        let won: TixTaxOpen = "xxx6/9/9/9/oo7/9/9/9/9 o 3 - X........".parse().unwrap();
        eval.reset(&won);
        assert!(eval.evaluate(&won) < -50);
    }
}
