//! Distributions that fit a sample best among those with a given mean or a given normalized Elo.
//!
//! The method is Michel Van den Bergh's: "The Generalized Maximum Likelihood Ratio for the
//! Expectation Value of a Distribution"
//! (<https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf>), proposition 1.1, and section
//! 4.1 of <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>.
//!
//! To maximise Σ qᵢ ln pᵢ, where qᵢ are the observed shares, under Σ pᵢ = 1 and Σ pᵢ aᵢ = 0, set
//! the derivatives of the Lagrangian to 0: pᵢ = qᵢ / (1 + x aᵢ), and x solves the secular equation
//! Σ qᵢ aᵢ / (1 + x aᵢ) = 0. All pᵢ are positive where x lies between −1 / max a and −1 / min a;
//! there the left side falls from +∞ to −∞, so that there is exactly one solution.

use super::sample::{ScoreDistribution, ScoreShare};
use arrayvec::ArrayVec;

/// The shares of a fitted distribution, in the order of the cells.
pub(super) type Probabilities = ArrayVec<f64, 5>;

/// The best fit with this mean score; `None` if no distribution on these scores has it.
pub(super) fn fit_mean(cells: &ScoreDistribution, mean: f64) -> Option<Probabilities> {
    fit(cells, &cells.iter().map(|cell| cell.score - mean).collect())
}

/// Rounds of either iteration. A handful is usual; far off the hypothesis it may be hundreds.
const ROUNDS: usize = 5000;

/// The best fit with this t = (mean − 1/2) / σ; `None` if none was found, which does not happen
/// while |t| is below 0.82.
///
/// If nearly all games are drawn, the likelihood may have two peaks: what is missing to t may be
/// had from the outermost scores or from those next to the middle. One climb from even shares and
/// one from the mixture of the middle and its neighbour that has this t find the higher one.
pub(super) fn fit_t(cells: &ScoreDistribution, t: f64) -> Option<Probabilities> {
    let even = cells.iter().map(|_| 1.0 / cells.len() as f64).collect();
    let starts = [Some(even), two_scores(cells, t)];
    let fits = starts.into_iter().flatten().filter_map(|start| climb(cells, t, start));
    let likelihood = |fit: &Probabilities| -> f64 {
        cells.iter().zip(fit).map(|(cell, share)| cell.share * share.ln()).sum()
    };
    fits.max_by(|one, other| likelihood(one).total_cmp(&likelihood(other)))
}

/// The distribution with this t on the middle score and the one next to it; `None` at 0, where it
/// would be the middle alone.
fn two_scores(cells: &ScoreDistribution, t: f64) -> Option<Probabilities> {
    let middle = cells.len() / 2;
    let neighbour = if t > 0.0 { middle + 1 } else { middle - 1 };
    let mut shares: Probabilities = cells.iter().map(|_| 0.0).collect();
    shares[middle] = 1.0 / (1.0 + t * t);
    shares[neighbour] = t * t / (1.0 + t * t);
    (t != 0.0).then_some(shares)
}

/// A fit with this t that is better than those around it, sought from `shares`.
///
/// The constraint mean − 1/2 − t σ = 0 is not linear in the shares. It is replaced by its tangent
/// at a distribution, whose best fit is the next distribution, until nothing moves. With μ and σ
/// those of the distribution the tangent has aᵢ = sᵢ − 1/2 − t σ (1 + ((sᵢ − μ) / σ)²) / 2.
fn climb(cells: &ScoreDistribution, t: f64, mut shares: Probabilities) -> Option<Probabilities> {
    for _ in 0..ROUNDS {
        let with = |function: &dyn Fn(f64) -> f64| -> f64 {
            cells.iter().zip(&shares).map(|(cell, share)| share * function(cell.score)).sum()
        };
        let mean = with(&|score| score);
        let variance = with(&|score| (score - mean).powi(2));
        let tangent = |score: f64| {
            score - 0.5 - t * (variance + (score - mean).powi(2)) / (2.0 * variance.sqrt())
        };
        let next = fit(cells, &cells.iter().map(|cell| tangent(cell.score)).collect())?;
        let moved = |(old, new): (&f64, &f64)| (old - new).abs();
        let change = shares.iter().zip(&next).map(moved).fold(0.0, f64::max);
        shares = next;
        if change < 1e-12 {
            return Some(shares);
        }
    }
    None
}

/// The best fit whose average of `slopes` is 0; `None` if none has it.
///
/// An observed share of almost 0 moves x so close to an end of its interval that a float cannot
/// tell them apart. So the distance from that end is what is solved for: with b the slope that has
/// its pole there, x = u − 1 / b and 1 + x aᵢ = (1 − aᵢ / b) + u aᵢ, exact where it matters.
fn fit(cells: &ScoreDistribution, slopes: &Probabilities) -> Option<Probabilities> {
    let smallest = slopes.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(smallest < 0.0 && largest > 0.0) {
        return None;
    }
    let average: f64 = cells.iter().zip(slopes).map(|(cell, slope)| cell.share * slope).sum();
    let nearest = if average > 0.0 { smallest } else { largest };
    let distance = solve_secular(cells, slopes, nearest);
    let share = |(cell, slope): (&ScoreShare, &f64)| {
        cell.share / ((1.0 - slope / nearest) + distance * slope)
    };
    Some(cells.iter().zip(slopes).map(share).collect())
}

/// The distance of the solution from the pole of the slope `nearest`, beyond which it lies on the
/// side of x = 0. Newton's method; where that leaves the interval that holds the solution, halving.
fn solve_secular(cells: &ScoreDistribution, slopes: &Probabilities, nearest: f64) -> f64 {
    let mut distance = 1.0 / nearest;
    let (mut low, mut high) = (distance.min(0.0), distance.max(0.0));
    for _ in 0..ROUNDS {
        let (mut value, mut descent) = (0.0, 0.0);
        for (cell, slope) in cells.iter().zip(slopes) {
            let ratio = slope / ((1.0 - slope / nearest) + distance * slope);
            value += cell.share * ratio;
            descent += cell.share * ratio * ratio;
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
    use crate::arena::statistics::ScoreSample;
    use crate::rules::SplitMix;

    fn moments(cells: &ScoreDistribution, shares: &Probabilities) -> (f64, f64, f64) {
        let with = |function: &dyn Fn(f64) -> f64| -> f64 {
            cells.iter().zip(shares).map(|(cell, share)| share * function(cell.score)).sum()
        };
        let mean = with(&|score| score);
        (with(&|_| 1.0), mean, with(&|score| (score - mean).powi(2)))
    }

    /// Samples of all shapes: from a handful to a million observations, many cells empty.
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
    fn fits_obey_their_constraint_whatever_the_sample() {
        for sample in samples(3000) {
            let (_, cells) = sample.regularised();
            for t in [-0.82, -0.3, -0.01, 0.0, 0.02, 0.1, 0.5, 0.82] {
                let fit = fit_t(&cells, t).unwrap_or_else(|| panic!("{t} {sample:?}"));
                let (total, mean, variance) = moments(&cells, &fit);
                assert!(fit.iter().all(|share| *share > 0.0), "{t} {sample:?}");
                assert!((total - 1.0).abs() < 1e-7, "{t} {sample:?} {total}");
                assert!(((mean - 0.5) / variance.sqrt() - t).abs() < 1e-7, "{t} {sample:?}");
            }
            for mean in [0.01, 0.3, 0.5, 0.501, 0.76, 0.99] {
                let (total, found, _) = moments(&cells, &fit_mean(&cells, mean).unwrap());
                assert!((total - 1.0).abs() < 1e-7 && (found - mean).abs() < 1e-7, "{sample:?}");
            }
        }
    }

    #[test]
    fn the_fit_of_two_cells_by_hand() {
        // With next to no draws, the mean alone settles the shares: 0.6 and 0.4.
        let (_, cells) = ScoreSample::from_games(500_000, 0, 500_000).regularised();
        let fit = fit_mean(&cells, 0.6).unwrap();
        assert!((fit[0] - 0.4).abs() < 1e-8 && (fit[2] - 0.6).abs() < 1e-8, "{fit:?}");
        // And t = (m - 1/2) / sqrt(m (1 - m)) at m = 0.8 is 0.3 / 0.4 = 0.75.
        let fit = fit_t(&cells, 0.75).unwrap();
        assert!((fit[0] - 0.2).abs() < 1e-8 && (fit[2] - 0.8).abs() < 1e-8, "{fit:?}");
    }

    #[test]
    fn the_higher_of_two_peaks_is_found() {
        // Mean likelihoods from a search over all means. Even shares alone lead to -0.089221 in
        // the first case.
        let cases = [
            ([0, 4, 9744, 0, 0], -0.3, -0.087_171_401),
            ([2, 0, 126_868, 5374, 2597], 0.5, -0.365_419_093),
        ];
        for (counts, t, expected) in cases {
            let mut reverse = counts;
            reverse.reverse();
            for (counts, t) in [(counts, t), (reverse, -t)] {
                let (_, cells) = ScoreSample::from_pairs(counts).regularised();
                let fit = fit_t(&cells, t).unwrap();
                let found: f64 =
                    cells.iter().zip(fit).map(|(cell, share)| cell.share * share.ln()).sum();
                assert!((found - expected).abs() < 1e-8, "{counts:?} {found}");
            }
        }
    }

    #[test]
    fn no_fit_outside_the_scores() {
        let (_, cells) = ScoreSample::from_games(1, 2, 3).regularised();
        assert_eq!(fit_mean(&cells, 1.0), None);
        assert_eq!(fit_mean(&cells, -0.1), None);
    }
}
