//! A difference of strength in Elo, and how sure it is.
//!
//! All intervals hold the truth with a probability of 95 %, if there are many observations.

use super::ScoreSample;
use std::f64::consts::{LN_10, SQRT_2};

/// A number worked out from results, with its 95 % interval. Any of the three may be infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EloEstimate {
    /// The best single guess.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// The standard normal variable stays within this of 0 with a probability of 95 %.
pub(super) const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The Elo in which a mean score one standard deviation of a game above 1/2 is written: near
/// equality, and without draws, normalized Elo then is logistic Elo.
pub(super) const NORMALIZED_UNIT: f64 = 800.0 / LN_10;

/// The score that a player this much stronger can expect.
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The reverse of [`expected_score`]: infinite at 0 and 1, and outside of them.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    // `+ 0.0` turns the negative zero of an even score into zero.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// The difference of strength in logistic Elo; `None` without observations.
///
/// The interval is that of the mean score, mean ± 1.96 √(variance / observations), carried over to
/// Elo. Where all observations have one score there is no variance to go by. The interval then
/// goes from the lowest to the highest mean that is possible if that score has the smallest share
/// with which 5 of 100 such samples would show no other.
#[must_use]
pub fn logistic_elo(sample: &ScoreSample) -> Option<EloEstimate> {
    let mean = sample.mean()?;
    let (low, high) = if let Some(score) = sample.only_score() {
        let share = alike(sample);
        (score * share, 1.0 - (1.0 - score) * share)
    } else {
        let margin = NORMAL_95 * (sample.variance()? / sample.observations() as f64).sqrt();
        (mean - margin, mean + margin)
    };
    let [value, low, high] = [mean, low, high].map(elo_of_score);
    Some(EloEstimate { value, low, high })
}

/// The difference of strength in normalized Elo; `None` without observations.
///
/// It is (mean − 1/2) / σ · 800 / ln 10, with σ the standard deviation of a game: for pairs √2
/// times that of a pair's score. See Michel Van den Bergh, "Normalized Elo"
/// (<https://www.cantate.be/Fishtest/normalized_elo.pdf>). One needs as many games to tell two
/// equally distant normalized Elos apart, whatever the share of draws and the openings.
///
/// The interval takes into account that σ is estimated too: t = (mean − 1/2) / σ moves with an
/// observation z standard deviations from the mean by z − t (z² − 1) / 2, and the variance of that
/// is the variance of t. Where all observations have one score, the interval is made as for
/// [`logistic_elo`].
#[must_use]
pub fn normalized_elo(sample: &ScoreSample) -> Option<EloEstimate> {
    let mean = sample.mean()?;
    let (value, low, high) = if let Some(score) = sample.only_score() {
        normalized_if_alike(score, alike(sample))
    } else {
        let deviation = sample.variance()?.sqrt();
        let value = (mean - 0.5) / deviation;
        let pull = |score: f64| {
            let distance = (score - mean) / deviation;
            distance - value * (distance * distance - 1.0) / 2.0
        };
        let variance = sample.average(|score| pull(score).powi(2))?;
        let margin = NORMAL_95 * (variance / sample.observations() as f64).sqrt();
        (value, value - margin, value + margin)
    };
    let scale = NORMALIZED_UNIT / (sample.games_per_observation() as f64).sqrt();
    Some(EloEstimate { value: value * scale, low: low * scale, high: high * scale })
}

/// The value and the interval of (mean − 1/2) / σ when all observations have one score and the true
/// share of that score is at least `share`; the worst is that all others are 0 or all are 1.
fn normalized_if_alike(score: f64, share: f64) -> (f64, f64, f64) {
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

/// How rare a score may be that all observations have: with a smaller share than this, it would be
/// all that is seen in fewer than 5 of 100 such samples. (For many observations, the rule of
/// three: 1 − 3 / observations.)
fn alike(sample: &ScoreSample) -> f64 {
    0.05_f64.powf(1.0 / sample.observations() as f64)
}

/// The likelihood of superiority: Φ of the distance from 1/2 to the mean score, in standard errors.
///
/// The standard error is the one under the hypothesis that the players are equal: deviations are
/// taken from 1/2 and not from the mean. A single win then is no certainty, since the spread is
/// 0 only if all scores are 1/2; for games it is the usual Φ((wins − losses) / √(wins + losses)).
/// Without observations, or if all are drawn, it is 1/2.
#[must_use]
pub fn likelihood_of_superiority(sample: &ScoreSample) -> f64 {
    let distance = sample.average(|score| score - 0.5).unwrap_or(0.0);
    let spread = sample.average(|score| (score - 0.5).powi(2)).unwrap_or(0.0);
    if spread > 0.0 {
        normal_probability(distance * (sample.observations() as f64 / spread).sqrt())
    } else {
        0.5
    }
}

/// Φ: the probability that a standard normal variable is below `bound`.
fn normal_probability(bound: f64) -> f64 {
    libm::erfc(-bound / SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64, tolerance: f64) -> bool {
        found == expected || (found - expected).abs() <= tolerance
    }

    fn is(found: Option<EloEstimate>, [value, low, high]: [f64; 3], tolerance: f64) {
        let found = found.unwrap();
        let fits = near(found.value, value, tolerance)
            && near(found.low, low, tolerance)
            && near(found.high, high, tolerance);
        assert!(fits, "{found:?}");
    }

    #[test]
    fn published_matches() {
        // Three matches as fastchess told of them: "Elo: 72.85 +/- 22.33, nElo: 132.30",
        // "Elo: 19.83 +/- 6.77, nElo: 24.25" and "Elo: 190.85 +/- 65.54, nElo: 549.34". Its margin
        // is half the length of the interval. The digits beyond are those of a script that used
        // plain sums for the moments. By hand, for the first: the points are (10 + 2 * 78 + 3 * 48
        // + 4 * 13) / 2 = 181 of 300, and 400 log10(181 / 119) = 72.85.
        let matches = [
            ([1, 10, 78, 48, 13], 72.852_645_390_66, 22.33, 132.295_399_547_39),
            ([352, 579, 1264, 743, 464], 19.834_129_379_63, 6.77, 24.250_033_130_96),
            ([0, 0, 1, 8, 1], 190.848_501_887_87, 65.54, 549.343_895_222_82),
        ];
        for (pairs, elo, margin, normalized) in matches {
            let sample = ScoreSample::from_pairs(pairs);
            let found = logistic_elo(&sample).unwrap();
            assert!(near(found.value, elo, 1e-9), "{found:?}");
            assert!(near((found.high - found.low) / 2.0, margin, 0.005), "{found:?}");
            let found = normalized_elo(&sample).unwrap();
            assert!(near(found.value, normalized, 1e-9), "{found:?}");
        }
        let sample = ScoreSample::from_pairs([1, 10, 78, 48, 13]);
        is(logistic_elo(&sample), [72.852_645_390_66, 50.824_415_525_21, 95.474_527_341_97], 1e-9);
    }

    #[test]
    fn the_margin_of_normalized_elo() {
        // From the same script, which took the derivative of the normalized Elo by each count
        // numerically and the covariance of the counts: 40.216152, 8.307596 and 39.173768. Without
        // the uncertainty of the deviation it would be 1.96 / sqrt(300) * 347.44 = 39.316.
        let margins = [
            (ScoreSample::from_pairs([1, 10, 78, 48, 13]), 40.216_152_5),
            (ScoreSample::from_pairs([352, 579, 1264, 743, 464]), 8.307_596_2),
            (ScoreSample::from_games(16, 206, 78), 39.173_767_8),
        ];
        for (sample, margin) in margins {
            let found = normalized_elo(&sample).unwrap();
            assert!(near(found.high - found.value, margin, 1e-6), "{found:?}");
            assert!(near(found.value - found.low, margin, 1e-6), "{found:?}");
        }
    }

    #[test]
    fn superiority_by_hand() {
        // Wins and losses only: (wins - losses) / sqrt(wins + losses) is 4 / sqrt(16) = 1, and
        // half of erfc(-1 / sqrt 2) is 0.841344746. Draws do not matter.
        assert!(near(
            likelihood_of_superiority(&ScoreSample::from_games(6, 0, 10)),
            0.841_344_746_068_543,
            1e-14
        ));
        assert!(near(
            likelihood_of_superiority(&ScoreSample::from_games(6, 99, 10)),
            0.841_344_746_068_543,
            1e-14
        ));
        assert!(near(
            likelihood_of_superiority(&ScoreSample::from_games(0, 0, 1)),
            0.841_344_746_068_543,
            1e-14
        ));
        // Pairs, from the middle in quarter points: 8 * 1 + 1 * 2 = 10 and 8 * 1 + 1 * 4 = 12, so
        // that the distance is 10 / sqrt 12 = 2.886751.
        assert!(near(
            likelihood_of_superiority(&ScoreSample::from_pairs([0, 0, 1, 8, 1])),
            0.998_053_791_438_61,
            1e-12
        ));
        assert_eq!(likelihood_of_superiority(&ScoreSample::from_pairs([0; 5])), 0.5);
        assert_eq!(likelihood_of_superiority(&ScoreSample::from_games(0, 7, 0)), 0.5);
        assert_eq!(likelihood_of_superiority(&ScoreSample::from_games(3, 7, 3)), 0.5);
        assert_eq!(likelihood_of_superiority(&ScoreSample::from_games(0, 0, 1_000_000)), 1.0);
        // Far down there is still something left: Φ(-10) is 7.62e-24.
        let rare = likelihood_of_superiority(&ScoreSample::from_games(100, 0, 0));
        assert!(near(rare, 7.619_853_024_160_5e-24, 1e-34), "{rare}");
    }

    #[test]
    fn the_other_player_sees_the_reverse() {
        for pairs in [[1, 10, 78, 48, 13], [5, 0, 0, 0, 3], [0, 0, 9, 0, 0], [0, 0, 0, 7, 0]] {
            let mut mirrored = pairs;
            mirrored.reverse();
            let [sample, mirrored] = [pairs, mirrored].map(ScoreSample::from_pairs);
            for measure in [logistic_elo, normalized_elo] {
                let there = measure(&sample).unwrap();
                is(measure(&mirrored), [-there.value, -there.high, -there.low], 1e-9);
            }
            assert!(near(
                likelihood_of_superiority(&sample) + likelihood_of_superiority(&mirrored),
                1.0,
                1e-14
            ));
        }
    }

    #[test]
    fn alike_results_do_not_feign_certainty() {
        assert_eq!(logistic_elo(&ScoreSample::from_pairs([0; 5])), None);
        assert_eq!(normalized_elo(&ScoreSample::from_games(0, 0, 0)), None);
        // Won 3 of 3: a player who wins 0.05^(1/3) = 0.3684 of his games does so one time in
        // twenty, and 400 log10(0.3684 / 0.6316) = -93.647.
        let won = ScoreSample::from_games(0, 0, 3);
        is(logistic_elo(&won), [f64::INFINITY, -93.647, f64::INFINITY], 1e-3);
        // Drew 100 of 100: 0.05^(1/100) = 0.970486, a mean between 0.485243 and 0.514757.
        let drawn = ScoreSample::from_games(0, 100, 0);
        is(logistic_elo(&drawn), [0.0, -10.257, 10.257], 1e-3);
        // The extreme t is sqrt((1 - 0.970486) / 0.970486) = 0.174387, times 347.4356.
        is(normalized_elo(&drawn), [0.0, -60.588, 60.588], 1e-3);
        // Two points in each of 100 pairs: 0.470486 / sqrt(0.970486 * 0.029514) = 2.77998, times
        // 347.4356 / sqrt 2.
        let swept = ScoreSample::from_pairs([0, 0, 0, 0, 100]);
        is(normalized_elo(&swept), [f64::INFINITY, 682.97, f64::INFINITY], 0.02);
    }

    #[test]
    fn more_points_are_more_elo_and_more_games_are_surer() {
        let rising = (0..=20).map(|wins| ScoreSample::from_games(20 - wins, 5, wins));
        let by = |measure: fn(&ScoreSample) -> Option<EloEstimate>| {
            rising.clone().map(|sample| measure(&sample).unwrap().value).is_sorted_by(|a, b| a < b)
        };
        assert!(by(logistic_elo) && by(normalized_elo));
        assert!(
            rising
                .clone()
                .map(|sample| likelihood_of_superiority(&sample))
                .is_sorted_by(|a, b| a < b)
        );

        let lengths = [1, 4, 16, 64].map(|times| {
            let found = logistic_elo(&ScoreSample::from_pairs([
                times,
                9 * times,
                20 * times,
                11 * times,
                0,
            ]));
            found.unwrap().high - found.unwrap().low
        });
        for pair in lengths.windows(2) {
            assert!(near(pair[0] / pair[1], 2.0, 0.1), "{lengths:?}");
        }
    }

    #[test]
    fn independent_pairs_say_what_games_say() {
        // Losses 2, draws 5, wins 3 in ten: of 100 independent pairs 4 have no points, 2 * 10 one
        // half, 25 + 2 * 6 one, 2 * 15 one and a half and 9 two.
        let pairs = ScoreSample::from_pairs([4, 20, 37, 30, 9]);
        let games = ScoreSample::from_games(40, 100, 60);
        assert_eq!(pairs.games(), games.games());
        assert!(near(pairs.variance_per_game().unwrap(), games.variance().unwrap(), 1e-15));
        let same = logistic_elo(&games).unwrap();
        is(logistic_elo(&pairs), [same.value, same.low, same.high], 1e-9);
        let same = normalized_elo(&games).unwrap();
        // The deviation is surer where games are seen than where pairs are.
        is(normalized_elo(&pairs), [same.value, same.low, same.high], 1.0);
        assert!(near(normalized_elo(&pairs).unwrap().value, same.value, 1e-9));
        assert!(near(likelihood_of_superiority(&pairs), likelihood_of_superiority(&games), 0.005));
    }

    #[test]
    fn elo_and_score_belong_together() {
        // 10^(400/400) = 10: ten points of eleven.
        assert!(near(expected_score(400.0), 10.0 / 11.0, 1e-15));
        assert!(near(elo_of_score(10.0 / 11.0), 400.0, 1e-10));
        assert_eq!((elo_of_score(0.5), elo_of_score(1.0)), (0.0, f64::INFINITY));
        assert_eq!((elo_of_score(0.0), elo_of_score(-0.1)), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        assert!(elo_of_score(0.5).is_sign_positive());
    }
}
