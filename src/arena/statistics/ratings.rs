//! Several players on one Elo scale.
//!
//! The ratings are those under which the results are most likely, if the stronger player scores as
//! [`expected_score`](super::expected_score) says and a draw counts as half a win and half a loss
//! (the model of Bradley and Terry). Ratings are relative; their average is set to 0.

use super::EloEstimate;
use super::elo::NORMAL_95;
use super::linear::{Matrix, inverse};
use std::f64::consts::LN_10;

/// Games between two players whose results may hang together: a pair, or a single game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Encounter {
    /// The number of a player, from 0 up.
    pub first: usize,
    /// The number of another player.
    pub second: usize,
    /// The points the first player took, from 0 up to `games`.
    pub score_of_first: f64,
    /// How many games were played, 1 or 2.
    pub games: u8,
}

/// Why an encounter cannot be rated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EncounterError {
    /// A player is not among those to be rated, or meets himself.
    #[error("encounter {0} is not between two of the players")]
    Players(usize),
    /// The score does not fit the number of games, or there are no games.
    #[error("encounter {0} has an impossible score")]
    Score(usize),
}

/// The ratings of all players.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// By player; `None` for one who met nobody.
    ///
    /// The intervals are those of the sandwich estimator, clustered by encounter, and so hold
    /// however the two games of a pair hang together. It measures how far results lie from what
    /// the ratings predict. Where that says too little (results that the ratings explain without
    /// rest, or `regularised`), the curvature of the likelihood, which takes all games for
    /// independent and decisive, widens them.
    pub players: Vec<Option<EloEstimate>>,
    /// Whether a draw against a fictitious player, rated 0, was added for each player. That is done
    /// when the results alone have no best ratings: a player, or a group, took no points from the
    /// others or lost none to them, or did not meet them.
    pub regularised: bool,
}

/// Rates players by what they scored against each other.
///
/// # Errors
///
/// If an encounter names a player not below `players` or the same one twice, or has a score that
/// its games cannot give. The number in the error counts from 0.
pub fn rate_players(players: usize, encounters: &[Encounter]) -> Result<Ratings, EncounterError> {
    for (number, encounter) in encounters.iter().enumerate() {
        encounter.check(number, players)?;
    }
    let mut seats = vec![None; players];
    for encounter in encounters {
        for player in [encounter.first, encounter.second] {
            seats[player] = Some(0);
        }
    }
    let seated = seats.iter_mut().flatten().zip(0..).map(|(seat, number)| *seat = number).count();
    let bouts = encounters.iter().filter_map(|encounter| encounter.seat(&seats)).collect();

    let mut field = RatingProblem { seats: seated, bouts, regularised: false };
    let plain = if field.is_connected() { field.estimates() } else { None };
    let estimates = plain.or_else(|| {
        field.regularised = true;
        field.estimates()
    });
    let of_seat = |seat: Option<usize>| estimates.as_ref()?.get(seat?).copied();
    let players = seats.into_iter().map(of_seat).collect();
    Ok(Ratings { players, regularised: seated > 0 && field.regularised })
}

impl Encounter {
    fn check(&self, number: usize, players: usize) -> Result<(), EncounterError> {
        if self.first == self.second || self.first.max(self.second) >= players {
            return Err(EncounterError::Players(number));
        }
        let possible = (0.0..=f64::from(self.games)).contains(&self.score_of_first);
        if possible && self.games > 0 { Ok(()) } else { Err(EncounterError::Score(number)) }
    }

    fn seat(&self, seats: &[Option<usize>]) -> Option<RatedEncounter> {
        let (first, second) = (seats[self.first]?, seats[self.second]?);
        Some(RatedEncounter {
            first,
            second,
            score: self.score_of_first,
            games: f64::from(self.games),
        })
    }
}

/// An encounter between players that are numbered without gaps.
#[derive(Debug, Clone, Copy)]
struct RatedEncounter {
    first: usize,
    second: usize,
    score: f64,
    games: f64,
}

impl RatedEncounter {
    /// What the first player scores in a game, by the ratings.
    fn expected(&self, ratings: &[f64]) -> f64 {
        logistic(ratings[self.first] - ratings[self.second])
    }

    /// How much more the first player scored than the ratings say.
    fn surplus(&self, ratings: &[f64]) -> f64 {
        self.score - self.games * self.expected(ratings)
    }
}

/// Those who met somebody, and their results. Ratings in here are in the natural unit, of which an
/// Elo is ln 10 / 400.
struct RatingProblem {
    seats: usize,
    bouts: Vec<RatedEncounter>,
    regularised: bool,
}

/// Newton's steps at most; ten are many.
const STEPS: usize = 200;

impl RatingProblem {
    /// Whether points went from everybody to everybody, be it through others: then, and only then,
    /// the likelihood has a maximum (L. R. Ford, 1957).
    fn is_connected(&self) -> bool {
        self.reaches_all(false) && self.reaches_all(true)
    }

    /// Whether all can be reached from the first seat, going from the one who took points to the
    /// one who lost them, or the other way.
    fn reaches_all(&self, backwards: bool) -> bool {
        let mut reached = vec![false; self.seats];
        reached[..self.seats.min(1)].fill(true);
        let mut growing = true;
        while growing {
            growing = false;
            for bout in &self.bouts {
                let took = [bout.score > 0.0, bout.score < bout.games];
                let ways = [(bout.first, bout.second), (bout.second, bout.first)];
                for (took, (winner, loser)) in took.into_iter().zip(ways) {
                    let (from, to) = if backwards { (loser, winner) } else { (winner, loser) };
                    if took && reached[from] && !reached[to] {
                        reached[to] = true;
                        growing = true;
                    }
                }
            }
        }
        reached.into_iter().all(|reached| reached)
    }

    fn log_likelihood(&self, ratings: &[f64]) -> f64 {
        let bout = |bout: &RatedEncounter| {
            let ahead = ratings[bout.first] - ratings[bout.second];
            bout.score * ln_logistic(ahead) + (bout.games - bout.score) * ln_logistic(-ahead)
        };
        let draw = |rating: &f64| (ln_logistic(*rating) + ln_logistic(-rating)) / 2.0;
        let virtual_draws = if self.regularised { ratings.iter().map(draw).sum() } else { 0.0 };
        self.bouts.iter().map(bout).sum::<f64>() + virtual_draws
    }

    fn gradient(&self, ratings: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.seats];
        for bout in &self.bouts {
            let surplus = bout.surplus(ratings);
            gradient[bout.first] += surplus;
            gradient[bout.second] -= surplus;
        }
        if self.regularised {
            for (entry, rating) in gradient.iter_mut().zip(ratings) {
                *entry += 0.5 - logistic(*rating);
            }
        }
        gradient
    }

    /// The curvature of the log-likelihood, with the sign turned. Without virtual draws it is flat
    /// where all ratings move together; there a constant is added, which changes nothing for
    /// directions that keep the average.
    fn information(&self, ratings: &[f64]) -> Matrix {
        let flat = if self.regularised { 0.0 } else { 1.0 / self.seats as f64 };
        let mut information = vec![vec![flat; self.seats]; self.seats];
        for bout in &self.bouts {
            let expected = bout.expected(ratings);
            let weight = bout.games * expected * (1.0 - expected);
            information[bout.first][bout.first] += weight;
            information[bout.second][bout.second] += weight;
            information[bout.first][bout.second] -= weight;
            information[bout.second][bout.first] -= weight;
        }
        if self.regularised {
            for (seat, rating) in ratings.iter().enumerate() {
                let expected = logistic(*rating);
                information[seat][seat] += expected * (1.0 - expected);
            }
        }
        information
    }

    /// The ratings with the highest likelihood, by Newton's method; a step that leads down is
    /// shortened. `None` where numbers get too small to go on.
    fn maximise(&self) -> Option<Vec<f64>> {
        let mut ratings = vec![0.0; self.seats];
        let mut likelihood = self.log_likelihood(&ratings);
        for _ in 0..STEPS {
            let gradient = self.gradient(&ratings);
            let inverse = inverse(&self.information(&ratings))?;
            let mut step: Vec<f64> = inverse.iter().map(|row| product(row, &gradient)).collect();
            if step.iter().all(|entry| entry.abs() < 1e-11) {
                return Some(ratings);
            }
            let mut next = sum(&ratings, &step);
            // Near the top, rounding alone may make the likelihood fall.
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

    /// The ratings in Elo with their intervals, the average being 0.
    fn estimates(&self) -> Option<Vec<EloEstimate>> {
        let ratings = self.maximise()?;
        let average = ratings.iter().sum::<f64>() / self.seats as f64;
        let variances = self.variances(&ratings)?;
        let estimate = |(rating, variance): (&f64, f64)| {
            let unit = 400.0 / LN_10;
            let value = (rating - average) * unit;
            let margin = NORMAL_95 * variance.sqrt() * unit;
            EloEstimate { value, low: value - margin, high: value + margin }
        };
        Some(ratings.iter().zip(variances).map(estimate).collect())
    }

    /// The variances of the ratings less their average: H⁻¹ (Σ g gᵀ) H⁻¹ with H the information and
    /// g the gradients of the encounters; see [`Ratings::players`] for when H⁻¹ is used as well.
    fn variances(&self, ratings: &[f64]) -> Option<Vec<f64>> {
        let mut response = inverse(&self.information(ratings))?;
        let seats = self.seats as f64;
        for column in 0..self.seats {
            let average = response.iter().map(|row| row[column]).sum::<f64>() / seats;
            response.iter_mut().for_each(|row| row[column] -= average);
        }
        let surpluses: Vec<f64> = self.bouts.iter().map(|bout| bout.surplus(ratings)).collect();
        let explained = surpluses.iter().all(|surplus| surplus.abs() < 1e-9);
        let variance = |(seat, row): (usize, &Vec<f64>)| {
            let moved = |(bout, surplus): (&RatedEncounter, &f64)| {
                (surplus * (row[bout.first] - row[bout.second])).powi(2)
            };
            let sandwich = self.bouts.iter().zip(&surpluses).map(moved).sum::<f64>();
            let curvature = row[seat] - row.iter().sum::<f64>() / seats;
            if explained || self.regularised { sandwich.max(curvature) } else { sandwich }
        };
        Some(response.iter().enumerate().map(variance).collect())
    }
}

fn logistic(ahead: f64) -> f64 {
    1.0 / (1.0 + (-ahead).exp())
}

/// The logarithm of [`logistic`], without overflow far below 0.
fn ln_logistic(ahead: f64) -> f64 {
    ahead.min(0.0) - (-ahead.abs()).exp().ln_1p()
}

fn product(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

fn sum(left: &[f64], right: &[f64]) -> Vec<f64> {
    left.iter().zip(right).map(|(left, right)| left + right).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::statistics::{ScoreSample, logistic_elo};
    use crate::rules::SplitMix;

    fn meet(first: usize, second: usize, score_of_first: f64, games: u8) -> Encounter {
        Encounter { first, second, score_of_first, games }
    }

    fn pairs(first: usize, second: usize, counts: [usize; 5]) -> Vec<Encounter> {
        let of = |(half_points, count): (usize, usize)| {
            vec![meet(first, second, half_points as f64 / 2.0, 2); count]
        };
        counts.into_iter().enumerate().flat_map(of).collect()
    }

    fn values(ratings: &Ratings) -> Vec<f64> {
        ratings.players.iter().map(|player| player.unwrap().value).collect()
    }

    #[test]
    fn two_players_are_as_far_apart_as_their_elo() {
        let counts = [1, 10, 78, 48, 13];
        let ratings = rate_players(2, &pairs(0, 1, counts)).unwrap();
        let elo = logistic_elo(&ScoreSample::from_pairs(counts.map(|count| count as u64))).unwrap();
        let [first, second] = [0, 1].map(|player: usize| ratings.players[player].unwrap());
        assert!((first.value - second.value - elo.value).abs() < 1e-9, "{ratings:?}");
        assert!((first.value + second.value).abs() < 1e-9);
        // Each carries half of the difference, and so half of its margin; that of the Elo is bent
        // a little by the logistic curve.
        let margin = (elo.high - elo.low) / 2.0;
        assert!((first.high - first.low - margin).abs() < 0.01 * margin, "{first:?} {elo:?}");
        assert!(!ratings.regularised);
    }

    #[test]
    fn two_players_by_hand() {
        // 3 points of 4: 400 log10 3 = 190.8485, half of it each. The two pairs differ by 1/2 and
        // -1/2 from the 3/2 expected, M = 1/2; H = 4 * 3/4 * 1/4 = 3/4 for the difference, whose
        // deviation is sqrt(1/2) / (3/4) = 0.942809, that of a rating 0.471405. Times 400 / ln 10
        // and 1.96 that is 160.5039.
        let ratings = rate_players(2, &[meet(0, 1, 2.0, 2), meet(1, 0, 1.0, 2)]).unwrap();
        let first = ratings.players[0].unwrap();
        assert!((first.value - 95.424_250_943_9).abs() < 1e-6, "{first:?}");
        assert!((first.high - first.value - 160.503_9).abs() < 1e-3, "{first:?}");
    }

    #[test]
    fn a_chain_adds_up() {
        // 0 beats 1 with 3 of 4, and 1 beats 2 with 3 of 4: steps of 190.8485.
        let games = [pairs(0, 1, [0, 0, 1, 0, 1]), pairs(1, 2, [0, 0, 1, 0, 1])].concat();
        let ratings = rate_players(3, &games).unwrap();
        for (found, expected) in values(&ratings).into_iter().zip([190.848_5, 0.0, -190.848_5]) {
            assert!((found - expected).abs() < 1e-4, "{ratings:?}");
        }
        assert!(!ratings.regularised);
    }

    /// Ratings are where the likelihood is highest: its slope, taken as a difference, is what is solved for,
    /// and it falls on all sides.
    #[test]
    fn the_slope_is_that_of_the_likelihood() {
        let mut random = SplitMix::new(4);
        for regularised in [false, true] {
            for _ in 0..50 {
                let bouts = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)].map(|(first, second)| {
                    let games = 2 + random.below(40);
                    let score = (1 + random.below(2 * games - 1)) as f64 / 2.0;
                    RatedEncounter { first, second, score, games: games as f64 }
                });
                let field = RatingProblem { seats: 4, bouts: bouts.into(), regularised };
                let ratings: Vec<f64> = (0..4).map(|_| random.below(600) as f64 / 100.0).collect();
                let gradient = field.gradient(&ratings);
                let top = field.maximise().unwrap();
                for seat in 0..4 {
                    let moved = |from: &[f64], by: f64| {
                        let mut ratings = from.to_vec();
                        ratings[seat] += by;
                        field.log_likelihood(&ratings)
                    };
                    let slope = (moved(&ratings, 1e-5) - moved(&ratings, -1e-5)) / 2e-5;
                    assert!((slope - gradient[seat]).abs() < 1e-4, "{slope} {gradient:?}");
                    assert!(moved(&top, 0.0) > moved(&top, 0.01).max(moved(&top, -0.01)));
                }
            }
        }
    }

    /// Won games alone say little of who won them; how little is told by the curvature of the likelihood.
    /// With C its inverse, the variance of a rating less the average of all is Cᵢᵢ less twice the average of
    /// its row, plus the average of all of C.
    #[test]
    fn margins_are_of_ratings_less_their_average() {
        let bout = |first, second, games| RatedEncounter { first, second, score: games, games };
        let bouts = vec![bout(0, 1, 12.0), bout(1, 2, 2.0), bout(0, 3, 1.0)];
        let field = RatingProblem { seats: 4, bouts, regularised: true };
        let ratings = field.maximise().unwrap();
        let all = inverse(&field.information(&ratings)).unwrap();
        let mean = |row: &[f64]| row.iter().sum::<f64>() / 4.0;
        let total = mean(&all.iter().map(|row| mean(row)).collect::<Vec<_>>());
        for (seat, variance) in field.variances(&ratings).unwrap().into_iter().enumerate() {
            let expected = all[seat][seat] - 2.0 * mean(&all[seat]) + total;
            assert!((variance - expected).abs() < 1e-9, "{seat}: {variance} {expected}");
        }
    }

    #[test]
    fn who_met_nobody_has_no_rating() {
        let nobody = Ratings { players: vec![None; 3], regularised: false };
        assert_eq!(rate_players(3, &[]).unwrap(), nobody);
        assert_eq!(rate_players(0, &[]).unwrap(), Ratings { players: vec![], regularised: false });
        let ratings = rate_players(4, &pairs(3, 1, [1, 1, 1, 1, 2])).unwrap();
        assert_eq!((ratings.players[0], ratings.players[2]), (None, None));
        let [one, three] = [1, 3].map(|player: usize| ratings.players[player].unwrap().value);
        assert!(three > 0.0 && (one + three).abs() < 1e-9, "{ratings:?}");
    }

    #[test]
    fn winning_all_is_regularised() {
        // With r and -r, a game expects 1 / (1 + e^-2r) and the virtual draw 1 / (1 + e^-r): ten
        // games won leave 10 / (1 + e^2r) = 1 / (1 + e^-r) - 1/2, solved by r = 1.670839 or 290.254
        // Elo. With p = 0.965831 and q = 0.841688 for the two, the information in that direction is
        // 10 * 2 p (1 - p) + q (1 - q) = 0.793275, of which half the inverse is the variance: a
        // deviation of 0.793914, and a margin of 270.312.
        let ratings = rate_players(2, &pairs(0, 1, [0, 0, 0, 0, 5])).unwrap();
        assert!(ratings.regularised);
        let first = ratings.players[0].unwrap();
        assert!((first.value - 290.254).abs() < 0.001, "{first:?}");
        assert!((first.high - first.value - 270.312).abs() < 0.001, "{first:?}");

        // Two groups, one of which won all: three and four still are ordered by their own games.
        let across = [(0, 2), (0, 3), (1, 2), (1, 3)];
        let mut games: Vec<_> = across.map(|(one, other)| meet(one, other, 2.0, 2)).into();
        games.extend(pairs(0, 1, [0, 1, 1, 2, 0]));
        games.extend(pairs(2, 3, [0, 1, 1, 2, 0]));
        let ratings = rate_players(4, &games).unwrap();
        assert!(ratings.regularised);
        assert!(values(&ratings).is_sorted_by(|a, b| a > b), "{ratings:?}");
        assert!(values(&ratings).iter().sum::<f64>().abs() < 1e-6);

        // Two groups that never met.
        let apart = [pairs(0, 1, [0, 1, 1, 2, 0]), pairs(2, 3, [0, 1, 1, 2, 0])].concat();
        assert!(rate_players(4, &apart).unwrap().regularised);
    }

    #[test]
    fn draws_alone_do_not_feign_certainty() {
        let ratings = rate_players(2, &pairs(0, 1, [0, 0, 50, 0, 0])).unwrap();
        assert!(!ratings.regularised);
        let first = ratings.players[0].unwrap();
        // As if 100 games were decided: H = 100 / 4, a deviation of 1/5 for the difference.
        let margin = NORMAL_95 * 0.1 * 400.0 / LN_10;
        assert!(first.value.abs() < 1e-9 && (first.high - margin).abs() < 1e-6, "{first:?}");
    }

    #[test]
    fn extreme_results_still_converge() {
        // 100 000 points of 100 000.5.
        let mut games = vec![meet(0, 1, 2.0, 2); 50_000];
        games.push(meet(0, 1, 0.5, 1));
        let ratings = rate_players(2, &games).unwrap();
        let elo = 400.0 * (100_000.5_f64 / 0.5).log10();
        let [first, second] = [0, 1].map(|player: usize| ratings.players[player].unwrap().value);
        assert!((first - second - elo).abs() < 1e-4, "{ratings:?} {elo}");
    }

    #[test]
    fn impossible_encounters_are_refused() {
        let players = Err(EncounterError::Players(1));
        let fine = meet(0, 1, 1.5, 2);
        assert_eq!(rate_players(2, &[fine, meet(0, 0, 1.0, 2)]), players);
        assert_eq!(rate_players(2, &[fine, meet(0, 2, 1.0, 2)]), players);
        for wrong in [meet(0, 1, 2.5, 2), meet(0, 1, -0.5, 1), meet(0, 1, f64::NAN, 1)] {
            assert_eq!(rate_players(2, &[fine, wrong]), Err(EncounterError::Score(1)));
        }
        assert_eq!(rate_players(2, &[meet(0, 1, 0.0, 0)]), Err(EncounterError::Score(0)));
    }
}
