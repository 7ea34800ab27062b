//! From values to moves: which move to choose when many keep the value.
//!
//! Values are those of positions; of the history, only a third occurrence on the very next move is
//! seen. That is enough where, as in Pong Hau K'i, no forced win is longer than a move.
//!
//! Fast wins and slow losses come first. Among equals, the move that leaves the opponent the most
//! ways to go wrong: a perfect opponent will not mind, a human one will.

use super::Oracle;
use crate::rules::{ExactValue, Game, Outcome, Record};

/// A legal move and what it is worth.
#[derive(Debug, Clone, Copy)]
pub struct RankedMove<M> {
    /// The move.
    pub mv: M,
    /// Its value for the player who makes it, counted from before the move.
    pub exact: ExactValue,
    /// How many replies are worse than the opponent's best.
    pub traps: usize,
}

/// All legal moves of a record, the best first; equally good ones in the order of the move list.
pub fn rank_moves<G: Game>(
    oracle: &mut impl Oracle<G>,
    record: &Record<G>,
) -> Vec<RankedMove<G::Move>> {
    let mut advice: Vec<_> = record
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let child = record.position().after(mv);
            let exact = value_after(oracle, record, mv).before_move();
            RankedMove { mv, exact, traps: traps(oracle, &child) }
        })
        .collect();
    advice.sort_by_key(|advice| std::cmp::Reverse((advice.exact, advice.traps)));
    advice
}

/// The value for the opponent after a move; the third occurrence of a position is a draw.
fn value_after<G: Game>(
    oracle: &mut impl Oracle<G>,
    record: &Record<G>,
    mv: G::Move,
) -> ExactValue {
    if G::CYCLIC {
        let mut next = record.clone();
        if next.push(mv).is_ok() && next.outcome() == Some(Outcome::Draw) {
            return ExactValue::Draw;
        }
    }
    oracle.exact(&record.position().after(mv))
}

fn traps<G: Game>(oracle: &mut impl Oracle<G>, pos: &G) -> usize {
    let mut values = Vec::with_capacity(pos.move_count());
    for reply in pos.legal_moves() {
        values.push(oracle.exact(&pos.after(reply)).before_move());
    }
    let best = values.iter().copied().max();
    values.iter().filter(|value| Some(**value) < best).count()
}

/// The line that follows a move when both sides play the best values; it ends with the game or
/// where a position comes back.
pub fn principal_variation<G: Game>(
    oracle: &mut impl Oracle<G>,
    record: &Record<G>,
    first: G::Move,
) -> Vec<G::Move> {
    let mut line = Vec::new();
    let mut record = record.clone();
    let mut next = Some(first);
    while let Some(mv) = next {
        if record.push(mv).is_err() {
            break;
        }
        line.push(mv);
        let repeated = record.keys().split_last().is_some_and(|(last, rest)| rest.contains(last));
        if repeated || record.outcome().is_some() {
            break;
        }
        // `max_by_key` keeps the last of equals; reversed, the first of the move list.
        next = record
            .legal_moves()
            .into_iter()
            .rev()
            .max_by_key(|mv| value_after(oracle, &record, *mv).before_move());
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::TicTacToe;
    use crate::rules::SplitMix;
    use crate::solve::{Minimax, reference::negamax};

    /// The best come first, and of these whatever leaves the most replies that are worse than another.
    #[test]
    fn the_best_moves_come_first_and_of_these_the_trickiest() {
        let mut random = SplitMix::new(2);
        let mut oracle = Minimax::<TicTacToe>::default();
        let mut tricky = 0;
        for _ in 0..200 {
            let mut record = Record::new(TicTacToe::start());
            for _ in 0..2 + random.below(4) {
                record.push(record.position().random_move(&mut random)).unwrap();
            }
            let advice = rank_moves(&mut oracle, &record);
            for RankedMove { mv, exact, traps } in &advice {
                let next = record.position().after(*mv);
                let replies: Vec<ExactValue> = next
                    .legal_moves()
                    .into_iter()
                    .map(|reply| negamax(&next.after(reply)))
                    .collect();
                // What is best for who replies is worst for who moves then.
                let best = replies.iter().min();
                let worse = replies.iter().filter(|value| Some(*value) != best).count();
                assert_eq!((*exact, *traps), (negamax(&next).before_move(), worse), "{next}");
                tricky += usize::from(worse > 1);
            }
            let order: Vec<_> = advice.iter().map(|advice| (advice.exact, advice.traps)).collect();
            assert!(order.is_sorted_by(|one, next| one >= next), "{order:?}");
        }
        assert!(tricky > 100);
    }
}
