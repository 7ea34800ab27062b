//! Ratings by Glicko-2, as Mark Glickman describes it in "Example of the Glicko-2 system": a solver and a puzzle are
//! two players, and each first try is a game between them.

use std::f64::consts::PI;
use std::ops::RangeInclusive;

use crate::thinking::puzzles::Puzzle;

/// The rating of a new player.
const CENTRE: f64 = 1500.0;
/// Rating points per unit of the internal scale.
const SCALE: f64 = 173.7178;
/// Constrains the change of volatility over time.
const TAU: f64 = 0.5;
/// The ranges of ratings, deviations and volatilities; far beyond what games between people and puzzles lead to.
const RATINGS: RangeInclusive<f64> = 0.0..=4000.0;
const DEVIATIONS: RangeInclusive<f64> = 10.0..=500.0;
const VOLATILITIES: RangeInclusive<f64> = 0.001..=1.0;
/// The accuracy of a volatility, and a limit for the iterations that find it, of which a few are enough.
const EPSILON: f64 = 1e-6;
const MAX_ITERATIONS: usize = 100;

/// The strength of a player.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rating {
    pub rating: f64,
    pub deviation: f64,
    /// How much the rating is expected to fluctuate.
    pub volatility: f64,
}

impl Puzzle {
    /// The puzzle's rating before anyone has tried it.
    pub fn rating(&self) -> Rating {
        let difficulty = 200.0 * f64::from(self.difficulty - 1);
        let choice = 60.0 * (self.legal_moves as f64).log2();
        let length = 150.0 * (self.to_find - 1) as f64;
        Rating { rating: 700.0 + difficulty + choice + length, deviation: 200.0, volatility: 0.06 }
    }
}

impl Rating {
    /// Whether a rating from outside is in the range that [`Rating::after`] keeps to.
    pub fn is_plausible(&self) -> bool {
        RATINGS.contains(&self.rating)
            && DEVIATIONS.contains(&self.deviation)
            && VOLATILITIES.contains(&self.volatility)
    }

    /// The rating after games against opponents, with scores from 0 to 1.
    pub fn after(&self, games: &[(Self, f64)]) -> Self {
        let (mean, deviation) = ((self.rating - CENTRE) / SCALE, self.deviation / SCALE);
        // The information of all games, and by how much their scores exceed what was expected.
        let (mut information, mut surplus) = (0.0, 0.0);
        for (opponent, score) in games {
            let weight = weight(opponent.deviation / SCALE);
            let expected = 1.0 / (1.0 + (weight * (opponent.rating - self.rating) / SCALE).exp());
            information += weight * weight * expected * (1.0 - expected);
            surplus += weight * (score - expected);
        }
        let variance = 1.0 / information;
        let volatility = new_volatility(self.volatility, deviation, variance, variance * surplus);
        let widened = deviation * deviation + volatility * volatility;
        let narrowed = 1.0 / (1.0 / widened + information);
        let within =
            |range: RangeInclusive<f64>, value: f64| value.clamp(*range.start(), *range.end());
        Self {
            rating: within(RATINGS, CENTRE + SCALE * (mean + narrowed * surplus)),
            deviation: within(DEVIATIONS, SCALE * narrowed.sqrt()),
            volatility: within(VOLATILITIES, volatility),
        }
    }
}

/// How much a game counts against an opponent whose rating has this deviation.
fn weight(deviation: f64) -> f64 {
    1.0 / (1.0 + 3.0 * deviation * deviation / (PI * PI)).sqrt()
}

/// Finds the volatility by the Illinois algorithm. `change` is the change of rating that the games alone suggest.
fn new_volatility(volatility: f64, deviation: f64, variance: f64, change: f64) -> f64 {
    let start = (volatility * volatility).ln();
    let spread = deviation * deviation + variance;
    let f = |x: f64| {
        let total = spread + x.exp();
        x.exp() * (change * change - total) / (2.0 * total * total) - (x - start) / (TAU * TAU)
    };
    let mut low = start;
    let mut high = if change * change > spread {
        (change * change - spread).ln()
    } else {
        let mut below = start - TAU;
        while f(below) < 0.0 {
            below -= TAU;
        }
        below
    };
    let (mut f_low, mut f_high) = (f(low), f(high));
    for _ in 0..MAX_ITERATIONS {
        if (high - low).abs() <= EPSILON {
            break;
        }
        let middle = low + (low - high) * f_low / (f_high - f_low);
        let f_middle = f(middle);
        if f_middle * f_high <= 0.0 {
            (low, f_low) = (high, f_high);
        } else {
            f_low /= 2.0;
        }
        (high, f_high) = (middle, f_middle);
    }
    (low / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rating(rating: f64, deviation: f64) -> Rating {
        Rating { rating, deviation, volatility: 0.06 }
    }

    #[test]
    fn the_example_of_the_paper_is_reproduced() {
        let games = [
            (rating(1400.0, 30.0), 1.0),
            (rating(1550.0, 100.0), 0.0),
            (rating(1700.0, 300.0), 0.0),
        ];
        let new = rating(1500.0, 200.0).after(&games);
        assert!((new.rating - 1464.06).abs() < 0.01, "{new:?}");
        assert!((new.deviation - 151.52).abs() < 0.01, "{new:?}");
        assert!((new.volatility - 0.05999).abs() < 0.00001, "{new:?}");
    }

    #[test]
    fn a_solver_who_solves_half_of_the_puzzles_settles_at_their_rating() {
        let mut solver = rating(800.0, 350.0);
        for number in 0..400 {
            solver = solver.after(&[(rating(1600.0, 60.0), f64::from(number % 2))]);
            assert!(solver.is_plausible(), "{solver:?}");
        }
        assert!((solver.rating - 1600.0).abs() < 60.0 && solver.deviation < 80.0, "{solver:?}");
    }

    #[test]
    fn extreme_ratings_stay_plausible() {
        for deviation in [10.0, 500.0] {
            for (mine, other, score) in [(0.0, 4000.0, 1.0), (4000.0, 0.0, 0.0), (4000.0, 0.0, 1.0)]
            {
                let extreme = |rating| Rating { rating, deviation, volatility: 1.0 };
                let new = extreme(mine).after(&[(extreme(other), score)]);
                assert!(new.is_plausible(), "{new:?}");
            }
        }
    }
}
