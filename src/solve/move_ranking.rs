//! Ranks moves by their exact values.
//!
//! Fast wins and slow losses come first; among equal values, the move with the most replies that are
//! worse than the opponent's best. Values ignore the game's history except for a third occurrence
//! on the very next move. That is enough where no forced win is longer than one move, as in Pong Hau
//! K'i.

use std::cmp::Reverse;

use super::ExactSolver;
use crate::rules::{ExactValue, Game, Outcome, Record};

/// Returns all legal moves with their values for the player making the move, best first; equally good
/// ones keep the order of the move list.
pub fn rank_moves<G: Game>(
    exact_solver: &mut impl ExactSolver<G>,
    record: &Record<G>,
) -> Vec<(G::Move, ExactValue)> {
    let value = |mv| (mv, value_after(exact_solver, record, mv).before_move());
    let mut ranked: Vec<_> = record.legal_moves().into_iter().map(value).collect();
    ranked.sort_by_cached_key(|(mv, exact)| {
        Reverse((*exact, count_traps(exact_solver, &record.position().after(*mv))))
    });
    ranked
}

/// Returns the opponent's value after a move; the third occurrence of a position is a draw.
fn value_after<G: Game>(
    exact_solver: &mut impl ExactSolver<G>,
    record: &Record<G>,
    mv: G::Move,
) -> ExactValue {
    if G::CYCLIC {
        let mut next = record.clone();
        if next.push(mv).is_ok() && next.outcome() == Some(Outcome::Draw) {
            return ExactValue::Draw;
        }
    }
    exact_solver.exact(&record.position().after(mv))
}

/// Counts the moves of a position that are worse than the best one.
pub fn count_traps<G: Game>(exact_solver: &mut impl ExactSolver<G>, pos: &G) -> usize {
    let mut values = Vec::with_capacity(pos.move_count());
    for reply in pos.legal_moves() {
        values.push(exact_solver.exact(&pos.after(reply)).before_move());
    }
    let best = values.iter().copied().max();
    values.iter().filter(|value| Some(**value) < best).count()
}

/// Returns the line of best play that starts with `first`; it ends with the game or at the first
/// repetition.
pub fn principal_variation<G: Game>(
    exact_solver: &mut impl ExactSolver<G>,
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
        if record.is_repetition() || record.outcome().is_some() {
            break;
        }
        // `max_by_key` returns the last maximum; reversing gives the first of the move list.
        next = record
            .legal_moves()
            .into_iter()
            .rev()
            .max_by_key(|mv| value_after(exact_solver, &record, *mv).before_move());
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::TicTacToe;
    use crate::rules::SplitMix;
    use crate::solve::{Minimax, reference::negamax};

    #[test]
    fn moves_are_ranked_by_value_then_by_traps() {
        let mut random = SplitMix::new(2);
        let mut exact_solver = Minimax::<TicTacToe>::default();
        let mut tricky = 0;
        for _ in 0..200 {
            let mut record = Record::new(TicTacToe::start());
            for _ in 0..2 + random.below(4) {
                record.push(record.position().random_move(&mut random)).unwrap();
            }
            let ranked = rank_moves(&mut exact_solver, &record);
            let mut order = Vec::new();
            for (mv, exact) in &ranked {
                let next = record.position().after(*mv);
                let replies: Vec<ExactValue> = next
                    .legal_moves()
                    .into_iter()
                    .map(|reply| negamax(&next.after(reply)))
                    .collect();
                // Values are for the side to move after the reply, so the best reply has the least.
                let best = replies.iter().min();
                let worse = replies.iter().filter(|value| Some(*value) != best).count();
                let traps = count_traps(&mut exact_solver, &next);
                assert_eq!((*exact, traps), (negamax(&next).before_move(), worse), "{next}");
                order.push((*exact, traps));
                tricky += usize::from(worse > 1);
            }
            assert!(order.is_sorted_by(|one, next| one >= next), "{order:?}");
        }
        assert!(tricky > 100);
    }
}
