//! Exhaustive alpha-beta search for exact values and distances of positions near the end of a game.

use super::ExactSolver;
use crate::rules::{ExactValue, Game, Value};

const TABLE_ENTRIES: usize = 1 << 18;

/// Finds the exact value of positions near the end of a finite game without cycles. The time grows
/// exponentially with the number of plies left.
#[derive(Debug)]
pub struct ExactSearch<G> {
    /// Indexed by the value key; allocated on first use.
    table: Vec<SearchedPosition>,
    game: std::marker::PhantomData<fn(G)>,
}

/// A position whose score has been bounded.
#[derive(Debug, Clone, Copy)]
struct SearchedPosition {
    key: u64,
    lower: i16,
    upper: i16,
}

/// A win in n plies scores `WIN - n`, a draw 0, a loss in n plies `n - WIN`.
const WIN: i16 = 10_000;

/// The score of the move that led to a position with this score.
fn before_move(score: i16) -> i16 {
    -score - (-score).signum()
}

/// The inverse of [`before_move`]. A draw stays a draw, so that a drawing move cuts off whatever draws, too.
fn after_move(score: i16) -> i16 {
    -score - score.signum()
}

impl<G> Default for ExactSearch<G> {
    fn default() -> Self {
        Self { table: Vec::new(), game: std::marker::PhantomData }
    }
}

impl<G: Game> ExactSearch<G> {
    /// Returns the value of a position without its distance, which is faster.
    pub fn value(&mut self, pos: &G) -> Value {
        match self.search(pos, -1, 1) {
            ..0 => Value::Loss,
            0 => Value::Draw,
            1.. => Value::Win,
        }
    }

    /// Fail-soft alpha-beta.
    fn search(&mut self, pos: &G, alpha: i16, beta: i16) -> i16 {
        if let Some(outcome) = pos.outcome() {
            return match outcome.value_for(pos.side()) {
                Value::Win => WIN,
                Value::Draw => 0,
                Value::Loss => -WIN,
            };
        }
        if pos.wins_at_once() {
            return WIN - 1;
        }
        let (mut lower, mut upper) = self.bounds(pos);
        if lower >= beta || lower == upper {
            return lower;
        }
        if upper <= alpha {
            return upper;
        }
        let (low, high) = (alpha.max(lower), beta.min(upper));
        let mut best = -WIN;
        for mv in pos.legal_moves() {
            let (alpha, beta) = (after_move(high), after_move(low.max(best)));
            best = best.max(before_move(self.search(&pos.after(mv), alpha, beta)));
            if best >= high {
                break;
            }
        }
        if best > low {
            lower = lower.max(best);
        }
        if best < high {
            upper = upper.min(best);
        }
        self.store(pos.value_key(), lower, upper);
        best
    }

    /// Bounds of the score from the table and the rules.
    fn bounds(&mut self, pos: &G) -> (i16, i16) {
        if self.table.is_empty() {
            self.table = vec![SearchedPosition { key: 0, lower: -WIN, upper: WIN }; TABLE_ENTRIES];
        }
        let key = pos.value_key();
        let entry = self.table[key as usize % TABLE_ENTRIES];
        let (lower, upper) =
            if entry.key == key { (entry.lower, entry.upper) } else { (-WIN, WIN) };
        let (us, them) = (pos.side(), !pos.side());
        // A secured win may still take until the last ply.
        let late_win = WIN - pos.max_plies_left().map_or(WIN - 1, |left| left as i16);
        let rules_lower = if pos.can_still_win(them) {
            -WIN
        } else if pos.has_secured_win(us) {
            late_win
        } else {
            0
        };
        let rules_upper = if pos.can_still_win(us) {
            WIN
        } else if pos.has_secured_win(them) {
            -late_win
        } else {
            0
        };
        (lower.max(rules_lower), upper.min(rules_upper))
    }

    fn store(&mut self, key: u64, lower: i16, upper: i16) {
        self.table[key as usize % TABLE_ENTRIES] = SearchedPosition { key, lower, upper };
    }
}

impl<G: Game> ExactSolver<G> for ExactSearch<G> {
    const IS_INSTANT: bool = false;

    fn exact(&mut self, pos: &G) -> ExactValue {
        let score = self.search(pos, -WIN, WIN);
        let plies = WIN.unsigned_abs() - score.unsigned_abs();
        match score {
            ..0 => ExactValue::Loss(plies),
            0 => ExactValue::Draw,
            1.. => ExactValue::Win(plies),
        }
    }

    /// A search has nothing to build: it would be the answer itself.
    fn build(&mut self, _: &G) {}

    fn position_count(&self) -> usize {
        self.table.iter().filter(|entry| entry.key != 0).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{TicTacToe, TixTax, TixTaxCount, TixTaxOpen};
    use crate::rules::SplitMix;
    use crate::rules::random_positions::random_late_position;
    use crate::solve::reference::negamax;

    fn agrees_with_negamax<G: Game>(plies: u32) {
        let mut random = SplitMix::new(5);
        let (mut values, mut distances) = (ExactSearch::default(), ExactSearch::default());
        for _ in 0..150 {
            let pos = random_late_position(G::start(), plies, &mut random);
            let exact = negamax(&pos);
            assert_eq!(values.value(&pos), exact.value(), "{pos}");
            assert_eq!(values.exact(&pos), exact, "{pos}");
            assert_eq!(distances.exact(&pos), exact, "{pos}");
        }
    }

    #[test]
    fn values_and_distances_agree_with_negamax() {
        agrees_with_negamax::<TicTacToe>(7);
        agrees_with_negamax::<TixTax>(8);
        agrees_with_negamax::<TixTaxOpen>(8);
        agrees_with_negamax::<TixTaxCount>(8);
    }
}
