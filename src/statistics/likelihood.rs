//! Maximum likelihood distributions with a given mean or a given normalized Elo.
//!
//! The method is Michel Van den Bergh's: "The Generalized Maximum Likelihood Ratio for the
//! Expectation Value of a Distribution"
//! (<https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf>), proposition 1.1, and section
//! 4.1 of <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>.
//!
//! To maximize Σ qᵢ ln pᵢ, where qᵢ are the observed shares, subject to Σ pᵢ = 1 and Σ pᵢ aᵢ = 0,
//! set the derivatives of the Lagrangian to 0: pᵢ = qᵢ / (1 + x aᵢ), where x solves the secular
//! equation Σ qᵢ aᵢ / (1 + x aᵢ) = 0. All pᵢ are positive for x between −1 / max a and −1 / min a,
//! where the left side falls from +∞ to −∞, so there is exactly one solution.

use super::sample::{ScoreDistribution, ScoreShare};
use arrayvec::ArrayVec;

/// The probabilities of a fitted distribution, in the order of the scores.
pub(super) type Probabilities = ArrayVec<f64, 5>;

/// Fits a distribution with this mean score; `None` if no distribution on these scores has it.
pub(super) fn fit_mean(sample: &ScoreDistribution, mean: f64) -> Option<Probabilities> {
    fit(sample, &sample.iter().map(|entry| entry.score - mean).collect())
}

/// The maximum number of iterations. A handful is typical; far from the hypothesis it can take
/// hundreds.
const MAX_ITERATIONS: usize = 5000;

/// Fits a distribution with this t = (mean − 1/2) / σ; `None` if the iteration does not converge,
/// which does not happen for |t| below 0.82.
///
/// If nearly all games are drawn, the likelihood can have two local maxima: the shift can come
/// from the extreme scores or from those next to 1/2. Starting once from the uniform distribution
/// and once from a mixture of 1/2 and its neighbour finds the global one.
pub(super) fn fit_t(sample: &ScoreDistribution, t: f64) -> Option<Probabilities> {
    let uniform = sample.iter().map(|_| 1.0 / sample.len() as f64).collect();
    let starts = [Some(uniform), mixture_next_to_even(sample, t)];
    let fits = starts.into_iter().flatten().filter_map(|start| fit_t_from(sample, t, start));
    let likelihood = |fit: &Probabilities| -> f64 {
        sample.iter().zip(fit).map(|(entry, share)| entry.share * share.ln()).sum()
    };
    fits.max_by(|one, other| likelihood(one).total_cmp(&likelihood(other)))
}

/// The distribution with this t on the scores 1/2 and its neighbour; `None` for t = 0, which leaves
/// 1/2 alone.
fn mixture_next_to_even(sample: &ScoreDistribution, t: f64) -> Option<Probabilities> {
    let middle = sample.len() / 2;
    let neighbour = if t > 0.0 { middle + 1 } else { middle - 1 };
    let mut shares: Probabilities = sample.iter().map(|_| 0.0).collect();
    shares[middle] = 1.0 / (1.0 + t * t);
    shares[neighbour] = t * t / (1.0 + t * t);
    (t != 0.0).then_some(shares)
}

/// Finds a local maximum of the likelihood with this t, starting from `shares`.
///
/// The constraint mean − 1/2 − t σ = 0 is not linear in the shares. Each iteration replaces it by
/// its tangent at the current distribution and solves the linear problem, until the distribution
/// is stationary. With the current μ and σ, the tangent is
/// aᵢ = sᵢ − 1/2 − t σ (1 + ((sᵢ − μ) / σ)²) / 2.
fn fit_t_from(
    sample: &ScoreDistribution,
    t: f64,
    mut shares: Probabilities,
) -> Option<Probabilities> {
    for _ in 0..MAX_ITERATIONS {
        let expectation = |function: &dyn Fn(f64) -> f64| -> f64 {
            sample.iter().zip(&shares).map(|(entry, share)| share * function(entry.score)).sum()
        };
        let mean = expectation(&|score| score);
        let variance = expectation(&|score| (score - mean).powi(2));
        let tangent = |score: f64| {
            score - 0.5 - t * (variance + (score - mean).powi(2)) / (2.0 * variance.sqrt())
        };
        let next = fit(sample, &sample.iter().map(|entry| tangent(entry.score)).collect())?;
        let difference = |(old, new): (&f64, &f64)| (old - new).abs();
        let change = shares.iter().zip(&next).map(difference).fold(0.0, f64::max);
        shares = next;
        if change < 1e-12 {
            return Some(shares);
        }
    }
    None
}

/// Fits a distribution under which the mean of `slopes` is 0; `None` if there is none.
///
/// An observed share of almost 0 moves x so close to an end of its interval that floats cannot
/// distinguish them. Therefore the unknown is the distance u from that end: with b the slope whose
/// pole is there, x = u − 1 / b and 1 + x aᵢ = (1 − aᵢ / b) + u aᵢ, without cancellation.
fn fit(sample: &ScoreDistribution, slopes: &Probabilities) -> Option<Probabilities> {
    let smallest = slopes.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(smallest < 0.0 && largest > 0.0) {
        return None;
    }
    let average: f64 = sample.iter().zip(slopes).map(|(entry, slope)| entry.share * slope).sum();
    let nearest = if average > 0.0 { smallest } else { largest };
    let distance = solve_secular(sample, slopes, nearest);
    let share = |(entry, slope): (&ScoreShare, &f64)| {
        entry.share / ((1.0 - slope / nearest) + distance * slope)
    };
    Some(sample.iter().zip(slopes).map(share).collect())
}

/// Returns the distance of the solution from the pole of the slope `nearest`, by Newton's method
/// safeguarded by bisection. The solution lies between that pole and x = 0.
fn solve_secular(sample: &ScoreDistribution, slopes: &Probabilities, nearest: f64) -> f64 {
    let mut distance = 1.0 / nearest;
    let (mut low, mut high) = (distance.min(0.0), distance.max(0.0));
    for _ in 0..MAX_ITERATIONS {
        let (mut value, mut descent) = (0.0, 0.0);
        for (entry, slope) in sample.iter().zip(slopes) {
            let ratio = slope / ((1.0 - slope / nearest) + distance * slope);
            value += entry.share * ratio;
            descent += entry.share * ratio * ratio;
        }
        if value > 0.0 {
            low = distance;
        } else {
            high = distance;
        }
        let newton = distance + value / descent;
        if (newton - distance).abs() <= 1e-14 * distance.abs() {
            break;
        }
        distance = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
    }
    distance
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::SplitMix;
    use crate::statistics::ScoreSample;

    fn moments(sample: &ScoreDistribution, shares: &Probabilities) -> (f64, f64, f64) {
        let expectation = |function: &dyn Fn(f64) -> f64| -> f64 {
            sample.iter().zip(shares).map(|(entry, share)| share * function(entry.score)).sum()
        };
        let mean = expectation(&|score| score);
        (expectation(&|_| 1.0), mean, expectation(&|score| (score - mean).powi(2)))
    }

    /// Random samples, from a handful to a million observations, with many unobserved scores.
    fn samples(count: usize) -> impl Iterator<Item = ScoreSample> {
        let mut random = SplitMix::new(11);
        (0..count).map(move |number| {
            let mut draw = || {
                let digits = random.below(6) as u32;
                let count = 1 + random.below(4 * 10_usize.pow(digits)) as u64;
                if random.below(3) == 0 { 0 } else { count }
            };
            if number % 3 == 0 {
                ScoreSample::from_games(draw(), draw(), draw())
            } else {
                ScoreSample::from_pairs([0; 5].map(|_| draw()))
            }
        })
    }

    #[test]
    fn fits_satisfy_their_constraint_for_random_samples() {
        for sample in samples(3000) {
            let (_, shares) = sample.smoothed();
            for t in [-0.82, -0.3, -0.01, 0.0, 0.02, 0.1, 0.5, 0.82] {
                let fit = fit_t(&shares, t).unwrap_or_else(|| panic!("{t} {sample:?}"));
                let (total, mean, variance) = moments(&shares, &fit);
                assert!(fit.iter().all(|share| *share > 0.0), "{t} {sample:?}");
                assert!((total - 1.0).abs() < 1e-7, "{t} {sample:?} {total}");
                assert!(((mean - 0.5) / variance.sqrt() - t).abs() < 1e-7, "{t} {sample:?}");
            }
            for mean in [0.01, 0.3, 0.5, 0.501, 0.76, 0.99] {
                let (total, found, _) = moments(&shares, &fit_mean(&shares, mean).unwrap());
                assert!((total - 1.0).abs() < 1e-7 && (found - mean).abs() < 1e-7, "{sample:?}");
            }
        }
    }

    #[test]
    fn fit_of_two_scores_by_hand() {
        // With practically no draws, the mean determines the shares: 0.6 and 0.4.
        let (_, sample) = ScoreSample::from_games(500_000, 0, 500_000).smoothed();
        let fit = fit_mean(&sample, 0.6).unwrap();
        assert!((fit[0] - 0.4).abs() < 1e-8 && (fit[2] - 0.6).abs() < 1e-8, "{fit:?}");
        // And t = (m - 1/2) / sqrt(m (1 - m)) at m = 0.8 is 0.3 / 0.4 = 0.75.
        let fit = fit_t(&sample, 0.75).unwrap();
        assert!((fit[0] - 0.2).abs() < 1e-8 && (fit[2] - 0.8).abs() < 1e-8, "{fit:?}");
    }

    #[test]
    fn the_global_maximum_is_found() {
        // Mean log-likelihoods from a search over all means. Starting from the uniform distribution
        // alone yields -0.089221 in the first case.
        let cases = [
            ([0, 4, 9744, 0, 0], -0.3, -0.087_171_401),
            ([2, 0, 126_868, 5374, 2597], 0.5, -0.365_419_093),
        ];
        for (counts, t, expected) in cases {
            let mut reverse = counts;
            reverse.reverse();
            for (counts, t) in [(counts, t), (reverse, -t)] {
                let (_, sample) = ScoreSample::from_pairs(counts).smoothed();
                let fit = fit_t(&sample, t).unwrap();
                let found: f64 =
                    sample.iter().zip(fit).map(|(entry, share)| entry.share * share.ln()).sum();
                assert!((found - expected).abs() < 1e-8, "{counts:?} {found}");
            }
        }
    }

    #[test]
    fn means_outside_the_scores_have_no_fit() {
        let (_, sample) = ScoreSample::from_games(1, 2, 3).smoothed();
        assert_eq!(fit_mean(&sample, 1.0), None);
        assert_eq!(fit_mean(&sample, -0.1), None);
    }
}
