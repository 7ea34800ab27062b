//! The scale of ratings, and the ladder of `zermelo rate`: which references a player meets next, and when
//! its rating is precise enough.

pub mod references;

use serde::{Deserialize, Serialize};

use crate::statistics::{EloEstimate, Reference, rate_on_scale};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ladder {
    /// The ladder ends when the 95 % interval of the rating is at most ± this.
    pub precision: f64,
    /// The references, in the order of their names.
    pub references: Vec<Reference>,
}

/// The number of pairs that are chosen together and share an opening, each against another reference: a
/// wrong one, or one with a style that suits the engine, is outvoted by the others.
pub(crate) const PAIRS_PER_BATCH: usize = 3;

/// No ladder ends before this many pairs. If they are all lost or all won, there is no more to learn.
const MIN_PAIRS: u64 = 20;

/// The seconds that the engine itself thinks in a game, about.
const OWN_SECONDS: f64 = 3.0;

impl Ladder {
    /// Returns the references to play next: those whose result says most for the time it takes. A
    /// reference whose own rating is uncertain says less with each pair. None if the rating is known;
    /// `pairs` counts the pairs with each reference by points.
    pub fn next_references(&self, pairs: &[[u64; 5]]) -> Vec<usize> {
        let estimate = rate_on_scale(&self.references, pairs);
        let played = |pairs: &[u64; 5]| pairs.iter().sum::<u64>();
        let total: u64 = pairs.iter().map(played).sum();
        if total >= MIN_PAIRS && (self.is_precise(estimate) || is_one_sided(pairs)) {
            return Vec::new();
        }
        let worth = |index: usize| {
            let reference = self.references[index];
            let information = reference.information(estimate.value);
            let known = played(&pairs[index]) as f64 * information * reference.variance();
            information / (1.0 + known).powi(2) / (OWN_SECONDS + reference.seconds)
        };
        let mut order: Vec<usize> = (0..self.references.len()).collect();
        order.sort_by(|one, other| worth(*other).total_cmp(&worth(*one)));
        order.truncate(PAIRS_PER_BATCH);
        order
    }

    /// Whether the interval of a rating is as narrow as requested.
    pub fn is_precise(&self, estimate: EloEstimate) -> bool {
        estimate.high - estimate.value <= self.precision
    }
}

/// Whether all points were lost or all were won, of at least one pair.
pub fn is_one_sided(pairs: &[[u64; 5]]) -> bool {
    let without = |score: std::ops::Range<usize>| {
        pairs.iter().all(|pairs| pairs[score.clone()].iter().all(|count| *count == 0))
    };
    without(0..4) != without(1..5)
}
