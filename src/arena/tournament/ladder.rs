//! The ladder of `zermelo rate`: which references the engine meets next, when its rating is precise
//! enough, and what the rating is.

use serde::{Deserialize, Serialize};

use super::scoreboard::{PlayerTotals, Scoreboard};
use crate::arena::statistics::{EloEstimate, Reference, ScoreTally, expected_score, rate_on_scale};

/// A ladder of references for the first engine of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ladder {
    /// The ladder ends when the 95 % interval of the rating is at most ± this.
    pub precision: f64,
    /// The engines after the first.
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

    fn is_precise(&self, estimate: EloEstimate) -> bool {
        estimate.high - estimate.value <= self.precision
    }

    /// Returns the rating of the first player of a scoreboard, whose others are the references.
    pub(crate) fn rating(&self, scoreboard: &Scoreboard) -> LadderRating {
        let totals = scoreboard.players();
        let names = totals.iter().skip(1).map(|totals| totals.name.clone());
        let opponents: Vec<_> = names
            .zip(&self.references)
            .map(|(name, reference)| {
                let tally = scoreboard.tally(&totals[0].name, &name);
                Opponent { name, reference: *reference, tally }
            })
            .collect();
        let pairs: Vec<_> = opponents.iter().map(|opponent| opponent.tally.pairs).collect();
        let estimate = rate_on_scale(&self.references, &pairs);
        LadderRating {
            engine: totals[0].clone(),
            estimate,
            is_precise: self.is_precise(estimate),
            is_bound: is_one_sided(&pairs),
            opponents,
        }
    }
}

/// Whether all points were lost or all were won, of at least one pair.
fn is_one_sided(pairs: &[[u64; 5]]) -> bool {
    let without = |score: std::ops::Range<usize>| {
        pairs.iter().all(|pairs| pairs[score.clone()].iter().all(|count| *count == 0))
    };
    without(0..4) != without(1..5)
}

/// The rating of an engine by its games with references.
#[derive(Debug, Clone)]
pub(crate) struct LadderRating {
    pub(crate) engine: PlayerTotals,
    pub(crate) estimate: EloEstimate,
    /// Whether the interval is as narrow as requested.
    pub(crate) is_precise: bool,
    /// Whether the engine lost or won every point, so that the rating is only a bound.
    pub(crate) is_bound: bool,
    pub(crate) opponents: Vec<Opponent>,
}

/// A reference and the results of the engine against it.
#[derive(Debug, Clone)]
pub(crate) struct Opponent {
    pub(crate) name: String,
    pub(crate) reference: Reference,
    pub(crate) tally: ScoreTally,
}

impl LadderRating {
    /// The rating in words: `1850 ± 24`, or a bound.
    pub(crate) fn text(&self) -> String {
        let EloEstimate { value, low, high } = self.estimate;
        match (self.is_bound, self.engine.tally.points() > 0.0) {
            (true, true) => format!("above {low:.0}"),
            (true, false) => format!("below {high:.0}"),
            (false, _) => format!("{value:.0} ± {:.0}", (high - value).ceil()),
        }
    }

    /// The expected score of the engine against an opponent.
    pub(crate) fn expected(&self, opponent: &Opponent) -> f64 {
        expected_score(self.estimate.value - opponent.reference.elo)
    }
}
