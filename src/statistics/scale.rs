//! The rating of one player from its results against references of known rating.

use std::f64::consts::LN_10;

use serde::{Deserialize, Serialize};

use super::elo::NORMAL_95;
use super::{EloEstimate, expected_score};

/// A player of known rating.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    pub elo: f64,
    /// Half the width of the 95 % interval of that rating.
    pub margin: f64,
    /// The seconds that it thinks in a game, about.
    pub seconds: f64,
}

/// What is assumed of a player before its first game: a normal distribution wide enough to lose its
/// influence within a few dozen games.
const PRIOR_MEAN: f64 = 1700.0;
const PRIOR_DEVIATION: f64 = 500.0;

/// The number of even pairs of independent, decisive games that the spread of the results is assumed
/// to begin with, so that a few equal results do not look certain.
const PRIOR_PAIRS: f64 = 10.0;

/// The natural unit of the logistic curve, per Elo.
const UNIT: f64 = LN_10 / 400.0;

impl Reference {
    /// The information in a pair of games with a player of this rating: the inverse of the variance
    /// of an estimate from it, if games are independent and decisive.
    pub(crate) fn information(&self, elo: f64) -> f64 {
        let expected = expected_score(elo - self.elo);
        2.0 * expected * (1.0 - expected) * UNIT * UNIT
    }

    pub(crate) fn variance(&self) -> f64 {
        (self.margin / NORMAL_95).powi(2)
    }
}

/// Rates a player by its pairs of games with each reference, counted by points: 0, 1/2, 1, 3/2 and 2.
///
/// The rating maximizes the likelihood of the scores, with a draw as half a win and half a loss. The
/// interval follows the spread of the pairs' results, which draws and the openings reduce, and includes
/// the uncertainty of the references' own ratings.
pub fn rate_on_scale(references: &[Reference], pairs: &[[u64; 5]]) -> EloEstimate {
    let results = || references.iter().zip(pairs).filter(|(_, pairs)| **pairs != [0; 5]);
    let count = |pairs: &[u64; 5]| pairs.iter().sum::<u64>() as f64;
    let points = |pairs: &[u64; 5]| {
        pairs
            .iter()
            .zip(0..)
            .map(|(pairs, half)| f64::from(half) / 2.0 * *pairs as f64)
            .sum::<f64>()
    };
    let prior_information = PRIOR_DEVIATION.powi(-2);
    // The slope of the log-likelihood falls with the rating.
    let slope = |elo: f64| {
        let residual = |(reference, pairs): (&Reference, &[u64; 5])| {
            points(pairs) - 2.0 * count(pairs) * expected_score(elo - reference.elo)
        };
        (PRIOR_MEAN - elo) * prior_information + UNIT * results().map(residual).sum::<f64>()
    };
    let (mut low, mut high) = (PRIOR_MEAN - 5000.0, PRIOR_MEAN + 5000.0);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        *(if slope(middle) > 0.0 { &mut low } else { &mut high }) = middle;
    }
    let value = f64::midpoint(low, high);

    let (mut observed, mut predicted) = (PRIOR_PAIRS / 2.0, PRIOR_PAIRS / 2.0);
    let mut information = prior_information;
    for (reference, pairs) in results() {
        let expected = 2.0 * expected_score(value - reference.elo);
        observed += pairs
            .iter()
            .zip(0..)
            .map(|(pairs, half)| *pairs as f64 * (f64::from(half) / 2.0 - expected).powi(2))
            .sum::<f64>();
        predicted += count(pairs) * expected * (1.0 - expected / 2.0);
        information += count(pairs) * reference.information(value);
    }
    let of_reference = |(reference, pairs): (&Reference, &[u64; 5])| {
        let share = count(pairs) * reference.information(value) / information;
        share * share * reference.variance()
    };
    let variance = observed / predicted / information + results().map(of_reference).sum::<f64>();
    let margin = NORMAL_95 * variance.sqrt();
    EloEstimate { value, low: value - margin, high: value + margin }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(elo: f64, margin: f64) -> Reference {
        Reference { elo, margin, seconds: 0.0 }
    }

    #[test]
    fn rating_by_hand() {
        // 3 points of 4 in each pair, a thousand times: 400 log10 3 = 190.85 above the reference, less
        // what the prior takes. The deviations of the pairs are 1/2, their mean square is 1/4 where
        // independent games have 2 * 3/4 * 1/4 = 3/8; ten pairs of 1/2 are added to both.
        let pairs = [0, 0, 500, 0, 500];
        let found = rate_on_scale(&[reference(1500.0, 0.0)], &[pairs]);
        assert!((found.value - 1690.85).abs() < 0.01, "{found:?}");
        let spread: f64 = (1000.0 / 4.0 + 5.0) / (1000.0 * 3.0 / 8.0 + 5.0);
        let information: f64 = 1000.0 * 3.0 / 8.0 * UNIT * UNIT + 1.0 / 250_000.0;
        let margin = NORMAL_95 * (spread / information).sqrt();
        assert!((found.high - found.value - margin).abs() < 0.01, "{found:?} {margin}");
        // A reference that is only known within 30 Elo does not get more exact by playing it.
        let vague = rate_on_scale(&[reference(1500.0, 30.0)], &[pairs]);
        let both = margin.hypot(30.0);
        assert!((vague.high - vague.value - both).abs() < 0.1, "{vague:?} {both}");
    }

    #[test]
    fn one_sided_results_have_finite_ratings() {
        let references = [reference(600.0, 10.0), reference(2400.0, 10.0)];
        let lost = rate_on_scale(&references, &[[30, 0, 0, 0, 0], [0; 5]]);
        assert!(lost.value < 400.0 && lost.low.is_finite(), "{lost:?}");
        let won = rate_on_scale(&references, &[[0; 5], [0, 0, 0, 0, 30]]);
        assert!(won.value > 2600.0 && won.high.is_finite(), "{won:?}");
        let unknown = rate_on_scale(&references, &[[0; 5]; 2]);
        assert!((unknown.value - PRIOR_MEAN).abs() < 1e-3 && unknown.high > 2600.0, "{unknown:?}");
    }
}
