//! Plain negamax: no table, no pruning, no move ordering. Slow and obviously correct, it is the
//! reference that the tests compare every other search with.

use crate::rules::{ExactValue, Game};

/// Returns the exact value of a position by searching every line of play. A repetition on the line
/// counts as a draw.
#[must_use]
pub fn negamax<G: Game>(pos: &G) -> ExactValue {
    value(pos, &mut Vec::new())
}

fn value<G: Game>(pos: &G, path: &mut Vec<u64>) -> ExactValue {
    if let Some(outcome) = pos.outcome() {
        return ExactValue::from_outcome(outcome, pos.side());
    }
    if G::CYCLIC {
        if path.contains(&pos.key()) {
            return ExactValue::Draw;
        }
        path.push(pos.key());
    }
    let children = pos.legal_moves().into_iter().map(|mv| value(&pos.after(mv), path));
    let best = children.map(ExactValue::before_move).max();
    path.pop();
    best.unwrap_or(ExactValue::Draw)
}
