//! Maximum likelihood ratings of several players on one Elo scale.
//!
//! The model is that of Bradley and Terry, with the logistic
//! [`expected_score`](super::expected_score) and a draw as half a win and half a loss. Ratings are
//! relative; the average is set to 0.

use super::EloEstimate;
use super::elo::NORMAL_95;
use super::linear::{Matrix, inverse};
use std::f64::consts::LN_10;

/// A pair of games or a single game between two players; results within it may be correlated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observation {
    /// The index of a player.
    pub first: usize,
    /// The index of another player.
    pub second: usize,
    /// The points of the first player, from 0 to `games`.
    pub score: f64,
    /// The number of games, 1 or 2.
    pub games: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// By player; `None` for a player without games.
    ///
    /// The intervals come from the sandwich estimator clustered by observation, which measures the
    /// deviation of the results from the prediction and is therefore valid for any correlation
    /// within pairs. It underestimates the variance if the ratings predict every result exactly or
    /// are `regularized`; then the inverse of the Fisher information, which treats all games as
    /// independent and decisive, is a lower bound.
    pub players: Vec<Option<EloEstimate>>,
    /// Whether a virtual draw against an anchor rated 0 was added for each player, because the
    /// likelihood has no maximum: a player or a group of players won or lost all points against
    /// the others, or did not meet them.
    pub regularized: bool,
}

/// Rates players by their results against each other. Each observation is between two different
/// players with an index below `players`.
pub fn rate_players(players: usize, observations: &[Observation]) -> Ratings {
    // Players without games are left out of the problem, which needs contiguous indices.
    let mut indices = vec![None; players];
    for observation in observations {
        for player in [observation.first, observation.second] {
            indices[player] = Some(0);
        }
    }
    let active =
        indices.iter_mut().flatten().zip(0..).map(|(index, number)| *index = number).count();
    let renumbered = |observation: &Observation| {
        let (first, second) = (indices[observation.first]?, indices[observation.second]?);
        Some(Observation { first, second, ..*observation })
    };
    let observations = observations.iter().filter_map(renumbered).collect();

    let mut problem = RatingProblem { players: active, observations, regularized: false };
    let plain = if problem.is_strongly_connected() { problem.estimates() } else { None };
    let estimates = plain.or_else(|| {
        problem.regularized = true;
        problem.estimates()
    });
    let estimate_of = |index: Option<usize>| estimates.as_ref()?.get(index?).copied();
    let players = indices.into_iter().map(estimate_of).collect();
    Ratings { players, regularized: active > 0 && problem.regularized }
}

impl Observation {
    /// The expected score of the first player in one game.
    fn expected(&self, ratings: &[f64]) -> f64 {
        logistic(ratings[self.first] - ratings[self.second])
    }

    /// The residual: the score of the first player less its expectation.
    fn residual(&self, ratings: &[f64]) -> f64 {
        self.score - self.games * self.expected(ratings)
    }
}

/// The maximum likelihood problem of all players with games. Ratings are in natural units; one Elo
/// is ln 10 / 400 of them.
struct RatingProblem {
    players: usize,
    observations: Vec<Observation>,
    regularized: bool,
}

/// The maximum number of Newton steps; ten are usually enough.
const MAX_STEPS: usize = 200;

impl RatingProblem {
    /// Whether every player scored against every other, directly or through a chain of players.
    /// This is necessary and sufficient for the likelihood to have a maximum (L. R. Ford, 1957).
    fn is_strongly_connected(&self) -> bool {
        self.reaches_all(false) && self.reaches_all(true)
    }

    /// Whether all players can be reached from the first one along edges from the player who scored
    /// to the opponent, or along reversed edges.
    fn reaches_all(&self, backwards: bool) -> bool {
        let mut reached = vec![false; self.players];
        reached[..self.players.min(1)].fill(true);
        let mut growing = true;
        while growing {
            growing = false;
            for observation in &self.observations {
                let scored = [observation.score > 0.0, observation.score < observation.games];
                let edges = [
                    (observation.first, observation.second),
                    (observation.second, observation.first),
                ];
                for (scored, (winner, loser)) in scored.into_iter().zip(edges) {
                    let (from, to) = if backwards { (loser, winner) } else { (winner, loser) };
                    if scored && reached[from] && !reached[to] {
                        reached[to] = true;
                        growing = true;
                    }
                }
            }
        }
        reached.into_iter().all(|reached| reached)
    }

    fn log_likelihood(&self, ratings: &[f64]) -> f64 {
        let log_likelihood = |observation: &Observation| {
            let difference = ratings[observation.first] - ratings[observation.second];
            observation.score * ln_logistic(difference)
                + (observation.games - observation.score) * ln_logistic(-difference)
        };
        let draw = |rating: &f64| (ln_logistic(*rating) + ln_logistic(-rating)) / 2.0;
        let virtual_draws = if self.regularized { ratings.iter().map(draw).sum() } else { 0.0 };
        self.observations.iter().map(log_likelihood).sum::<f64>() + virtual_draws
    }

    fn gradient(&self, ratings: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.players];
        for observation in &self.observations {
            let residual = observation.residual(ratings);
            gradient[observation.first] += residual;
            gradient[observation.second] -= residual;
        }
        if self.regularized {
            for (entry, rating) in gradient.iter_mut().zip(ratings) {
                *entry += 0.5 - logistic(*rating);
            }
        }
        gradient
    }

    /// The Fisher information: the negated Hessian of the log-likelihood. Without virtual draws it
    /// is singular along the common shift of all ratings; a constant makes it invertible without
    /// changing the directions that keep the average.
    fn information(&self, ratings: &[f64]) -> Matrix {
        let shift = if self.regularized { 0.0 } else { 1.0 / self.players as f64 };
        let mut information = vec![vec![shift; self.players]; self.players];
        for observation in &self.observations {
            let expected = observation.expected(ratings);
            let weight = observation.games * expected * (1.0 - expected);
            information[observation.first][observation.first] += weight;
            information[observation.second][observation.second] += weight;
            information[observation.first][observation.second] -= weight;
            information[observation.second][observation.first] -= weight;
        }
        if self.regularized {
            for (player, rating) in ratings.iter().enumerate() {
                let expected = logistic(*rating);
                information[player][player] += expected * (1.0 - expected);
            }
        }
        information
    }

    /// Maximizes the likelihood by Newton's method with step halving; `None` if the information
    /// becomes numerically singular or the iteration does not converge.
    fn maximize(&self) -> Option<Vec<f64>> {
        let mut ratings = vec![0.0; self.players];
        let mut likelihood = self.log_likelihood(&ratings);
        for _ in 0..MAX_STEPS {
            let gradient = self.gradient(&ratings);
            let inverse = inverse(&self.information(&ratings))?;
            let mut step: Vec<f64> = inverse.iter().map(|row| dot(row, &gradient)).collect();
            if step.iter().all(|entry| entry.abs() < 1e-11) {
                return Some(ratings);
            }
            let mut next = sum(&ratings, &step);
            // Near the maximum, rounding alone can decrease the likelihood.
            let tolerance = 1e-13 * likelihood.abs();
            while self.log_likelihood(&next) < likelihood - tolerance {
                step.iter_mut().for_each(|entry| *entry /= 2.0);
                next = sum(&ratings, &step);
            }
            ratings = next;
            likelihood = self.log_likelihood(&ratings);
        }
        None
    }

    /// The ratings in Elo with average 0 and their intervals.
    fn estimates(&self) -> Option<Vec<EloEstimate>> {
        let ratings = self.maximize()?;
        let average = ratings.iter().sum::<f64>() / self.players as f64;
        let variances = self.variances(&ratings)?;
        let estimate = |(rating, variance): (&f64, f64)| {
            let unit = 400.0 / LN_10;
            let value = (rating - average) * unit;
            let margin = NORMAL_95 * variance.sqrt() * unit;
            EloEstimate { value, low: value - margin, high: value + margin }
        };
        Some(ratings.iter().zip(variances).map(estimate).collect())
    }

    /// The variances of the ratings relative to their average: H⁻¹ (Σ g gᵀ) H⁻¹, with H the
    /// information and g the gradients of the observations. [`Ratings::players`] states when H⁻¹ is
    /// a lower bound.
    fn variances(&self, ratings: &[f64]) -> Option<Vec<f64>> {
        let mut response = inverse(&self.information(ratings))?;
        let players = self.players as f64;
        for column in 0..self.players {
            let average = response.iter().map(|row| row[column]).sum::<f64>() / players;
            response.iter_mut().for_each(|row| row[column] -= average);
        }
        let residuals: Vec<f64> =
            self.observations.iter().map(|observation| observation.residual(ratings)).collect();
        let is_exact = residuals.iter().all(|residual| residual.abs() < 1e-9);
        let variance = |(player, row): (usize, &Vec<f64>)| {
            let squared_shift = |(observation, residual): (&Observation, &f64)| {
                (residual * (row[observation.first] - row[observation.second])).powi(2)
            };
            let sandwich = self.observations.iter().zip(&residuals).map(squared_shift).sum::<f64>();
            let curvature = row[player] - row.iter().sum::<f64>() / players;
            if is_exact || self.regularized { sandwich.max(curvature) } else { sandwich }
        };
        Some(response.iter().enumerate().map(variance).collect())
    }
}

fn logistic(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The logarithm of [`logistic`], without overflow for large negative differences.
fn ln_logistic(difference: f64) -> f64 {
    difference.min(0.0) - (-difference.abs()).exp().ln_1p()
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

fn sum(left: &[f64], right: &[f64]) -> Vec<f64> {
    left.iter().zip(right).map(|(left, right)| left + right).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::SplitMix;
    use crate::statistics::{ScoreSample, logistic_elo};

    fn meet(first: usize, second: usize, score: f64, games: u8) -> Observation {
        Observation { first, second, score, games: games.into() }
    }

    fn pairs(first: usize, second: usize, counts: [usize; 5]) -> Vec<Observation> {
        let repeat = |(half_points, count): (usize, usize)| {
            vec![meet(first, second, half_points as f64 / 2.0, 2); count]
        };
        counts.into_iter().enumerate().flat_map(repeat).collect()
    }

    fn values(ratings: &Ratings) -> Vec<f64> {
        ratings.players.iter().map(|player| player.unwrap().value).collect()
    }

    #[test]
    fn rating_difference_of_two_players_is_their_elo() {
        let counts = [1, 10, 78, 48, 13];
        let ratings = rate_players(2, &pairs(0, 1, counts));
        let elo = logistic_elo(&ScoreSample::from_pairs(counts.map(|count| count as u64))).unwrap();
        let [first, second] = [0, 1].map(|player: usize| ratings.players[player].unwrap());
        assert!((first.value - second.value - elo.value).abs() < 1e-9, "{ratings:?}");
        assert!((first.value + second.value).abs() < 1e-9);
        // Each rating carries half of the difference and half of its margin. The margin of the Elo
        // differs slightly because of the logistic curve.
        let margin = (elo.high - elo.low) / 2.0;
        assert!((first.high - first.low - margin).abs() < 0.01 * margin, "{first:?} {elo:?}");
        assert!(!ratings.regularized);
    }

    #[test]
    fn two_players_by_hand() {
        // 3 points of 4: 400 log10 3 = 190.8485, half of it each. The residuals of the two pairs
        // are 1/2 and -1/2 from the expected 3/2, so M = 1/2; H = 4 * 3/4 * 1/4 = 3/4 for the
        // difference, whose deviation is sqrt(1/2) / (3/4) = 0.942809; that of a rating is
        // 0.471405. Times 400 / ln 10 and 1.96 gives 160.5039.
        let ratings = rate_players(2, &[meet(0, 1, 2.0, 2), meet(1, 0, 1.0, 2)]);
        let first = ratings.players[0].unwrap();
        assert!((first.value - 95.424_250_943_9).abs() < 1e-6, "{first:?}");
        assert!((first.high - first.value - 160.503_9).abs() < 1e-3, "{first:?}");
    }

    #[test]
    fn differences_add_up_along_a_chain() {
        // 0 beats 1 with 3 of 4, and 1 beats 2 with 3 of 4: steps of 190.8485.
        let games = [pairs(0, 1, [0, 0, 1, 0, 1]), pairs(1, 2, [0, 0, 1, 0, 1])].concat();
        let ratings = rate_players(3, &games);
        for (found, expected) in values(&ratings).into_iter().zip([190.848_5, 0.0, -190.848_5]) {
            assert!((found - expected).abs() < 1e-4, "{ratings:?}");
        }
        assert!(!ratings.regularized);
    }

    /// The gradient matches the numerical derivative of the likelihood, which decreases on all
    /// sides of the solution.
    #[test]
    fn gradient_matches_the_likelihood() {
        let mut random = SplitMix::new(4);
        for regularized in [false, true] {
            for _ in 0..50 {
                let observations =
                    [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)].map(|(first, second)| {
                        let games = 2 + random.below(40);
                        let score = (1 + random.below(2 * games - 1)) as f64 / 2.0;
                        Observation { first, second, score, games: games as f64 }
                    });
                let problem =
                    RatingProblem { players: 4, observations: observations.into(), regularized };
                let ratings: Vec<f64> = (0..4).map(|_| random.below(600) as f64 / 100.0).collect();
                let gradient = problem.gradient(&ratings);
                let maximum = problem.maximize().unwrap();
                for player in 0..4 {
                    let likelihood_at = |from: &[f64], by: f64| {
                        let mut ratings = from.to_vec();
                        ratings[player] += by;
                        problem.log_likelihood(&ratings)
                    };
                    let slope =
                        (likelihood_at(&ratings, 1e-5) - likelihood_at(&ratings, -1e-5)) / 2e-5;
                    assert!((slope - gradient[player]).abs() < 1e-4, "{slope} {gradient:?}");
                    assert!(
                        likelihood_at(&maximum, 0.0)
                            > likelihood_at(&maximum, 0.01).max(likelihood_at(&maximum, -0.01))
                    );
                }
            }
        }
    }

    /// With one-sided results the variance is the inverse C of the information. The variance of a
    /// rating relative to the average is Cᵢᵢ less twice the mean of its row, plus the mean of C.
    #[test]
    fn margins_are_relative_to_the_average_rating() {
        let all_won = |first, second, games| Observation { first, second, score: games, games };
        let observations = vec![all_won(0, 1, 12.0), all_won(1, 2, 2.0), all_won(0, 3, 1.0)];
        let problem = RatingProblem { players: 4, observations, regularized: true };
        let ratings = problem.maximize().unwrap();
        let inverse = super::inverse(&problem.information(&ratings)).unwrap();
        let mean = |row: &[f64]| row.iter().sum::<f64>() / 4.0;
        let total = mean(&inverse.iter().map(|row| mean(row)).collect::<Vec<_>>());
        for (player, variance) in problem.variances(&ratings).unwrap().into_iter().enumerate() {
            let expected = inverse[player][player] - 2.0 * mean(&inverse[player]) + total;
            assert!((variance - expected).abs() < 1e-9, "{player}: {variance} {expected}");
        }
    }

    #[test]
    fn players_without_games_have_no_rating() {
        let unrated = Ratings { players: vec![None; 3], regularized: false };
        assert_eq!(rate_players(3, &[]), unrated);
        assert_eq!(rate_players(0, &[]), Ratings { players: vec![], regularized: false });
        let ratings = rate_players(4, &pairs(3, 1, [1, 1, 1, 1, 2]));
        assert_eq!((ratings.players[0], ratings.players[2]), (None, None));
        let [one, three] = [1, 3].map(|player: usize| ratings.players[player].unwrap().value);
        assert!(three > 0.0 && (one + three).abs() < 1e-9, "{ratings:?}");
    }

    #[test]
    fn one_sided_results_are_regularized() {
        // With ratings r and -r, the expected score of a game is 1 / (1 + e^-2r) and that of the
        // virtual draw 1 / (1 + e^-r). For ten wins, 10 / (1 + e^2r) = 1 / (1 + e^-r) - 1/2 has the
        // solution r = 1.670839 or 290.254 Elo. With these expectations p = 0.965831 and
        // q = 0.841688, the information in that direction is 10 * 2 p (1 - p) + q (1 - q) =
        // 0.793275; half its inverse is the variance, the deviation is 0.793914 and the margin
        // 270.312.
        let ratings = rate_players(2, &pairs(0, 1, [0, 0, 0, 0, 5]));
        assert!(ratings.regularized);
        let first = ratings.players[0].unwrap();
        assert!((first.value - 290.254).abs() < 0.001, "{first:?}");
        assert!((first.high - first.value - 270.312).abs() < 0.001, "{first:?}");

        // Two groups, one of which won every game: players are still ordered within the groups.
        let across = [(0, 2), (0, 3), (1, 2), (1, 3)];
        let mut games: Vec<_> = across.map(|(one, other)| meet(one, other, 2.0, 2)).into();
        games.extend(pairs(0, 1, [0, 1, 1, 2, 0]));
        games.extend(pairs(2, 3, [0, 1, 1, 2, 0]));
        let ratings = rate_players(4, &games);
        assert!(ratings.regularized);
        assert!(values(&ratings).is_sorted_by(|a, b| a > b), "{ratings:?}");
        assert!(values(&ratings).iter().sum::<f64>().abs() < 1e-6);

        // Two groups that did not meet.
        let apart = [pairs(0, 1, [0, 1, 1, 2, 0]), pairs(2, 3, [0, 1, 1, 2, 0])].concat();
        assert!(rate_players(4, &apart).regularized);
    }

    #[test]
    fn draws_alone_have_wide_margins() {
        let ratings = rate_players(2, &pairs(0, 1, [0, 0, 50, 0, 0]));
        assert!(!ratings.regularized);
        let first = ratings.players[0].unwrap();
        // As for 100 decisive games: H = 100 / 4, a deviation of 1/5 for the difference.
        let margin = NORMAL_95 * 0.1 * 400.0 / LN_10;
        assert!(first.value.abs() < 1e-9 && (first.high - margin).abs() < 1e-6, "{first:?}");
    }

    #[test]
    fn extreme_results_still_converge() {
        // 100 000 points of 100 000.5.
        let mut games = vec![meet(0, 1, 2.0, 2); 50_000];
        games.push(meet(0, 1, 0.5, 1));
        let ratings = rate_players(2, &games);
        let elo = 400.0 * (100_000.5_f64 / 0.5).log10();
        let [first, second] = [0, 1].map(|player: usize| ratings.players[player].unwrap().value);
        assert!((first - second - elo).abs() < 1e-4, "{ratings:?} {elo}");
    }
}
