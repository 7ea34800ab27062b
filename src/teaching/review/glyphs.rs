//! When a move gets a glyph.

use crate::records::Glyph;
use crate::rules::Value;
use crate::search::Score;

/// Tolerance of comparisons, so that rounding cannot hide a loss of exactly 0.3.
const EPSILON: f64 = 1e-9;
/// The loss of an inaccuracy; a move that loses less keeps the value, where it is only estimated.
pub(crate) const INACCURACY_LOSS: f64 = 0.1 - EPSILON;
const MISTAKE_LOSS: f64 = 0.2 - EPSILON;
const BLUNDER_LOSS: f64 = 0.3 - EPSILON;
/// A move is the only one if every other move loses at least this much.
const ONLY_MOVE_MARGIN: f64 = MISTAKE_LOSS;

/// Returns the mark of a move with the score `value`, where the best move scores `best` and
/// `least_other_loss` is the smallest loss of any other legal move (`None` if there is no other, or if the
/// move is too obvious for praise).
/// Where the value of the position is proven, only a proof marks a move as a mistake, since an
/// estimate may be wrong about a move that keeps the value. `upper` is the best that the move may still be
/// worth.
pub(crate) fn glyph(
    value: Score,
    upper: Value,
    best: Score,
    least_other_loss: Option<f64>,
) -> Option<Glyph> {
    let loss = best.expected() - value.expected();
    let may_keep = best.proven().is_some_and(|best| upper >= best.value());
    match loss {
        _ if may_keep && value.proven().is_none() => None,
        _ if loss >= BLUNDER_LOSS => Some(Glyph::Blunder),
        _ if loss >= MISTAKE_LOSS => Some(Glyph::Mistake),
        _ if loss >= INACCURACY_LOSS => Some(Glyph::Inaccuracy),
        _ => (loss < EPSILON && least_other_loss? >= ONLY_MOVE_MARGIN).then_some(Glyph::OnlyMove),
    }
}
