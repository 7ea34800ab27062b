//! Plain negamax: no table, no pruning, no ordering. Slow and obviously right, the measure of
//! every other searcher in the tests.

use crate::rules::{ExactValue, Game};

/// The exact value of a position, by looking at every line of play. A position that comes back on
/// the line counts as a draw.
#[must_use]
pub fn negamax<G: Game>(pos: &G) -> ExactValue {
    value(pos, &mut Vec::new())
}

fn value<G: Game>(pos: &G, path: &mut Vec<u64>) -> ExactValue {
    if let Some(outcome) = pos.outcome() {
        return ExactValue::finished(outcome, pos.side());
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
