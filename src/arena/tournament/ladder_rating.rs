//! The rating of an engine on a ladder.

use super::scoreboard::{PlayerTotals, Scoreboard};
use crate::scale::{Ladder, is_one_sided};
use crate::statistics::{EloEstimate, Reference, ScoreTally, expected_score, rate_on_scale};

/// The rating of an engine by its games with references.
#[derive(Debug, Clone)]
pub(crate) struct LadderRating {
    pub(crate) engine: PlayerTotals,
    pub(crate) estimate: EloEstimate,
    /// Whether the interval is as narrow as requested.
    pub(crate) is_precise: bool,
    /// Whether the engine lost or won every point, so that the rating is only a bound.
    pub(crate) is_bound: bool,
    pub(crate) references: Vec<ReferenceResult>,
}

#[derive(Debug, Clone)]
pub(crate) struct ReferenceResult {
    pub(crate) name: String,
    pub(crate) reference: Reference,
    pub(crate) tally: ScoreTally,
}

impl LadderRating {
    /// Rates the first player of a scoreboard, whose others are the references.
    pub(crate) fn new(ladder: &Ladder, scoreboard: &Scoreboard) -> Self {
        let totals = scoreboard.players();
        let names = totals.iter().skip(1).map(|totals| totals.name.clone());
        let references: Vec<_> = names
            .zip(&ladder.references)
            .map(|(name, reference)| {
                let tally = scoreboard.tally(&totals[0].name, &name);
                ReferenceResult { name, reference: *reference, tally }
            })
            .collect();
        let pairs: Vec<_> = references.iter().map(|result| result.tally.pairs).collect();
        let estimate = rate_on_scale(&ladder.references, &pairs);
        Self {
            engine: totals[0].clone(),
            estimate,
            is_precise: ladder.is_precise(estimate),
            is_bound: is_one_sided(&pairs),
            references,
        }
    }

    /// The rating in words: `1850 ± 24`, or a bound.
    pub(crate) fn text(&self) -> String {
        let EloEstimate { value, low, high } = self.estimate;
        match (self.is_bound, self.engine.tally.points() > 0.0) {
            (true, true) => format!("above {low:.0}"),
            (true, false) => format!("below {high:.0}"),
            (false, _) => format!("{value:.0} ± {:.0}", (high - value).ceil()),
        }
    }

    /// The expected score of the engine against a reference.
    pub(crate) fn expected(&self, result: &ReferenceResult) -> f64 {
        expected_score(self.estimate.value - result.reference.elo)
    }
}
