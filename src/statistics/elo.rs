//! Elo differences with confidence intervals.
//!
//! All intervals have a coverage of 95 %, asymptotically in the number of observations.

use super::ScoreSample;
use std::f64::consts::{LN_10, SQRT_2};

/// A point estimate with its 95 % confidence interval. Any of the three may be infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EloEstimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// The 97.5 % quantile of the standard normal distribution: half the width of a 95 % interval, in
/// standard errors.
pub(crate) const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The normalized Elo of a mean score one standard deviation (of a game) above 1/2. With this
/// scale, normalized and logistic Elo agree near 0 in the absence of draws.
pub(super) const NORMALIZED_SCALE: f64 = 800.0 / LN_10;

/// Returns the expected score of a player with this Elo advantage.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The inverse of [`expected_score`]. Scores outside 0 to 1 are clamped, so the result is
/// infinite there.
pub(crate) fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    // `+ 0.0` turns the negative zero of an even score into zero.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// Estimates the logistic Elo difference; `None` without observations.
///
/// The interval is that of the mean score, mean ± 1.96 √(variance / observations), converted to
/// Elo. If all observations have the same score, the sample variance is 0. The interval then spans
/// the means that are possible with the lower 95 % confidence bound for the share of that score.
pub fn logistic_elo(sample: &ScoreSample) -> Option<EloEstimate> {
    let mean = sample.mean()?;
    let (low, high) = if let Some(score) = sample.only_score() {
        let share = min_share_of_only_score(sample);
        (score * share, 1.0 - (1.0 - score) * share)
    } else {
        let margin = NORMAL_95 * (sample.variance()? / sample.observations() as f64).sqrt();
        (mean - margin, mean + margin)
    };
    let [value, low, high] = [mean, low, high].map(elo_of_score);
    Some(EloEstimate { value, low, high })
}

/// Estimates the normalized Elo difference; `None` without observations.
///
/// Normalized Elo is (mean − 1/2) / σ · 800 / ln 10, where σ is the standard deviation of a game:
/// √2 times that of a pair's score. See Michel Van den Bergh, "Normalized Elo"
/// (<https://www.cantate.be/Fishtest/normalized_elo.pdf>). The number of games needed to detect a
/// difference in normalized Elo does not depend on the draw ratio and the openings.
///
/// The interval accounts for the uncertainty of σ: the influence function of t = (mean − 1/2) / σ
/// at an observation z standard deviations from the mean is z − t (z² − 1) / 2, and its variance
/// is the asymptotic variance of t. If all observations have the same score, the interval is
/// computed as for [`logistic_elo`].
pub fn normalized_elo(sample: &ScoreSample) -> Option<EloEstimate> {
    let mean = sample.mean()?;
    let (value, low, high) = if let Some(score) = sample.only_score() {
        t_if_constant(score, min_share_of_only_score(sample))
    } else {
        let deviation = sample.variance()?.sqrt();
        let value = (mean - 0.5) / deviation;
        let influence = |score: f64| {
            let distance = (score - mean) / deviation;
            distance - value * (distance * distance - 1.0) / 2.0
        };
        let variance = sample.average(|score| influence(score).powi(2))?;
        let margin = NORMAL_95 * (variance / sample.observations() as f64).sqrt();
        (value, value - margin, value + margin)
    };
    let scale = NORMALIZED_SCALE / (sample.games_per_observation() as f64).sqrt();
    Some(EloEstimate { value: value * scale, low: low * scale, high: high * scale })
}

/// Returns t = (mean − 1/2) / σ and its interval for a sample with a single score whose true share
/// is at least `share`. At the ends of the interval all other observations score 0 or all score 1.
fn t_if_constant(score: f64, share: f64) -> (f64, f64, f64) {
    let spread = (share * (1.0 - share)).sqrt();
    let low = |score: f64| (score * share - 0.5) / (score * spread);
    if score > 0.5 {
        (f64::INFINITY, low(score), f64::INFINITY)
    } else if score < 0.5 {
        (f64::NEG_INFINITY, f64::NEG_INFINITY, -low(1.0 - score))
    } else {
        (0.0, low(score), -low(score))
    }
}

/// Returns the lower 95 % confidence bound for the share of the only score in a sample: with a
/// smaller share, fewer than 5 % of such samples would contain no other score. For many
/// observations this is the rule of three, 1 − 3 / observations.
fn min_share_of_only_score(sample: &ScoreSample) -> f64 {
    0.05_f64.powf(1.0 / sample.observations() as f64)
}

/// Returns the likelihood of superiority: Φ of the distance from 1/2 to the mean score, in standard
/// errors.
///
/// The standard error is the one under the hypothesis of equal strength: deviations are taken from
/// 1/2 rather than from the mean, so that a single win is not certainty. For games this is the
/// usual Φ((wins − losses) / √(wins + losses)). Returns 1/2 without observations or if all are
/// draws.
pub fn likelihood_of_superiority(sample: &ScoreSample) -> f64 {
    let distance = sample.average(|score| score - 0.5).unwrap_or(0.0);
    let spread = sample.average(|score| (score - 0.5).powi(2)).unwrap_or(0.0);
    if spread > 0.0 {
        normal_probability(distance * (sample.observations() as f64 / spread).sqrt())
    } else {
        0.5
    }
}

/// Φ, the standard normal distribution function.
fn normal_probability(bound: f64) -> f64 {
    libm::erfc(-bound / SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_near(found: f64, expected: f64, tolerance: f64) -> bool {
        found == expected || (found - expected).abs() <= tolerance
    }

    fn assert_estimate(found: Option<EloEstimate>, [value, low, high]: [f64; 3], tolerance: f64) {
        let found = found.unwrap();
        let fits = is_near(found.value, value, tolerance)
            && is_near(found.low, low, tolerance)
            && is_near(found.high, high, tolerance);
        assert!(fits, "{found:?}");
    }

    #[test]
    fn published_matches_are_reproduced() {
        // Three matches as reported by fastchess: "Elo: 72.85 +/- 22.33, nElo: 132.30",
        // "Elo: 19.83 +/- 6.77, nElo: 24.25" and "Elo: 190.85 +/- 65.54, nElo: 549.34". Its margin
        // is half the length of the interval. The further digits come from a script that computed
        // the moments as plain sums. By hand, for the first: the points are (10 + 2 * 78 + 3 * 48
        // + 4 * 13) / 2 = 181 of 300, and 400 log10(181 / 119) = 72.85.
        let matches = [
            ([1, 10, 78, 48, 13], 72.852_645_390_66, 22.33, 132.295_399_547_39),
            ([352, 579, 1264, 743, 464], 19.834_129_379_63, 6.77, 24.250_033_130_96),
            ([0, 0, 1, 8, 1], 190.848_501_887_87, 65.54, 549.343_895_222_82),
        ];
        for (pairs, elo, margin, normalized) in matches {
            let sample = ScoreSample::from_pairs(pairs);
            let found = logistic_elo(&sample).unwrap();
            assert!(is_near(found.value, elo, 1e-9), "{found:?}");
            assert!(is_near((found.high - found.low) / 2.0, margin, 0.005), "{found:?}");
            let found = normalized_elo(&sample).unwrap();
            assert!(is_near(found.value, normalized, 1e-9), "{found:?}");
        }
        let sample = ScoreSample::from_pairs([1, 10, 78, 48, 13]);
        let expected = [72.852_645_390_66, 50.824_415_525_21, 95.474_527_341_97];
        assert_estimate(logistic_elo(&sample), expected, 1e-9);
    }

    #[test]
    fn margins_of_normalized_elo_match_numerical_derivatives() {
        // From the same script, which used numerical derivatives of the normalized Elo by each
        // count and the covariance of the counts: 40.216152, 8.307596 and 39.173768. Without the
        // uncertainty of the deviation, the first would be 1.96 / sqrt(300) * 347.44 = 39.316.
        let margins = [
            (ScoreSample::from_pairs([1, 10, 78, 48, 13]), 40.216_152_5),
            (ScoreSample::from_pairs([352, 579, 1264, 743, 464]), 8.307_596_2),
            (ScoreSample::from_games(16, 206, 78), 39.173_767_8),
        ];
        for (sample, margin) in margins {
            let found = normalized_elo(&sample).unwrap();
            assert!(is_near(found.high - found.value, margin, 1e-6), "{found:?}");
            assert!(is_near(found.value - found.low, margin, 1e-6), "{found:?}");
        }
    }

    #[test]
    fn likelihood_of_superiority_by_hand() {
        // Wins and losses only: (wins - losses) / sqrt(wins + losses) is 4 / sqrt(16) = 1, and
        // half of erfc(-1 / sqrt 2) is 0.841344746. Draws do not matter.
        for (losses, draws, wins) in [(6, 0, 10), (6, 99, 10), (0, 0, 1)] {
            let sample = ScoreSample::from_games(losses, draws, wins);
            assert!(is_near(likelihood_of_superiority(&sample), 0.841_344_746_068_543, 1e-14));
        }
        // Pairs, in quarter points from 1/2: the sum is 8 * 1 + 1 * 2 = 10 and the sum of squares
        // 8 * 1 + 1 * 4 = 12, so the distance is 10 / sqrt 12 = 2.886751.
        let pairs = ScoreSample::from_pairs([0, 0, 1, 8, 1]);
        assert!(is_near(likelihood_of_superiority(&pairs), 0.998_053_791_438_61, 1e-12));
        assert_eq!(likelihood_of_superiority(&ScoreSample::from_pairs([0; 5])), 0.5);
        assert_eq!(likelihood_of_superiority(&ScoreSample::from_games(0, 7, 0)), 0.5);
        assert_eq!(likelihood_of_superiority(&ScoreSample::from_games(3, 7, 3)), 0.5);
        assert_eq!(likelihood_of_superiority(&ScoreSample::from_games(0, 0, 1_000_000)), 1.0);
        // No underflow in the tail: Φ(-10) is 7.62e-24.
        let rare = likelihood_of_superiority(&ScoreSample::from_games(100, 0, 0));
        assert!(is_near(rare, 7.619_853_024_160_5e-24, 1e-34), "{rare}");
    }

    #[test]
    fn swapping_the_players_negates_the_estimates() {
        for pairs in [[1, 10, 78, 48, 13], [5, 0, 0, 0, 3], [0, 0, 9, 0, 0], [0, 0, 0, 7, 0]] {
            let mut mirrored = pairs;
            mirrored.reverse();
            let [sample, mirrored] = [pairs, mirrored].map(ScoreSample::from_pairs);
            for measure in [logistic_elo, normalized_elo] {
                let EloEstimate { value, low, high } = measure(&sample).unwrap();
                assert_estimate(measure(&mirrored), [-value, -high, -low], 1e-9);
            }
            let both = [sample, mirrored].map(|sample| likelihood_of_superiority(&sample));
            assert!(is_near(both[0] + both[1], 1.0, 1e-14));
        }
    }

    #[test]
    fn constant_samples_have_wide_intervals() {
        assert_eq!(logistic_elo(&ScoreSample::from_pairs([0; 5])), None);
        assert_eq!(normalized_elo(&ScoreSample::from_games(0, 0, 0)), None);
        // Won 3 of 3: a player who wins 0.05^(1/3) = 0.3684 of the games does so with a probability
        // of 5 %, and 400 log10(0.3684 / 0.6316) = -93.647.
        let won = ScoreSample::from_games(0, 0, 3);
        assert_estimate(logistic_elo(&won), [f64::INFINITY, -93.647, f64::INFINITY], 1e-3);
        // Drew 100 of 100: 0.05^(1/100) = 0.970486, a mean between 0.485243 and 0.514757.
        let drawn = ScoreSample::from_games(0, 100, 0);
        assert_estimate(logistic_elo(&drawn), [0.0, -10.257, 10.257], 1e-3);
        // The extreme t is sqrt((1 - 0.970486) / 0.970486) = 0.174387, times 347.4356.
        assert_estimate(normalized_elo(&drawn), [0.0, -60.588, 60.588], 1e-3);
        // Two points in each of 100 pairs: 0.470486 / sqrt(0.970486 * 0.029514) = 2.77998, times
        // 347.4356 / sqrt 2.
        let swept = ScoreSample::from_pairs([0, 0, 0, 0, 100]);
        assert_estimate(normalized_elo(&swept), [f64::INFINITY, 682.97, f64::INFINITY], 0.02);
    }

    #[test]
    fn estimates_rise_with_the_score_and_intervals_shrink_with_the_games() {
        let rising = (0..=20).map(|wins| ScoreSample::from_games(20 - wins, 5, wins));
        let rises = |measure: fn(&ScoreSample) -> Option<EloEstimate>| {
            rising.clone().map(|sample| measure(&sample).unwrap().value).is_sorted_by(|a, b| a < b)
        };
        assert!(rises(logistic_elo) && rises(normalized_elo));
        let likelihoods = rising.clone().map(|sample| likelihood_of_superiority(&sample));
        assert!(likelihoods.is_sorted_by(|a, b| a < b));

        let lengths = [1, 4, 16, 64].map(|times| {
            let sample = ScoreSample::from_pairs([1, 9, 20, 11, 0].map(|count| times * count));
            let found = logistic_elo(&sample).unwrap();
            found.high - found.low
        });
        for pair in lengths.windows(2) {
            assert!(is_near(pair[0] / pair[1], 2.0, 0.1), "{lengths:?}");
        }
    }

    #[test]
    fn independent_pairs_and_single_games_agree() {
        // 2 losses, 5 draws and 3 wins in ten: of 100 independent pairs, 4 score 0 points, 2 * 10
        // score 1/2, 25 + 2 * 6 score 1, 2 * 15 score 3/2 and 9 score 2.
        let pairs = ScoreSample::from_pairs([4, 20, 37, 30, 9]);
        let games = ScoreSample::from_games(40, 100, 60);
        assert!(is_near(2.0 * pairs.variance().unwrap(), games.variance().unwrap(), 1e-15));
        let same = logistic_elo(&games).unwrap();
        assert_estimate(logistic_elo(&pairs), [same.value, same.low, same.high], 1e-9);
        let same = normalized_elo(&games).unwrap();
        // Single games estimate the deviation more precisely than pairs.
        assert_estimate(normalized_elo(&pairs), [same.value, same.low, same.high], 1.0);
        assert!(is_near(normalized_elo(&pairs).unwrap().value, same.value, 1e-9));
        let both = [pairs, games].map(|sample| likelihood_of_superiority(&sample));
        assert!(is_near(both[0], both[1], 0.005));
    }

    #[test]
    fn elo_and_expected_score_are_inverse() {
        // 10^(400/400) = 10: ten points of eleven.
        assert!(is_near(expected_score(400.0), 10.0 / 11.0, 1e-15));
        assert!(is_near(elo_of_score(10.0 / 11.0), 400.0, 1e-10));
        assert_eq!((elo_of_score(0.5), elo_of_score(1.0)), (0.0, f64::INFINITY));
        assert_eq!((elo_of_score(0.0), elo_of_score(-0.1)), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        assert!(elo_of_score(0.5).is_sign_positive());
    }
}
