//! The loss of a prediction: cross entropy of the expected score plus a quarter of that of the draws.

use crate::data::Position;

/// The weight of the draws.
const DRAWS: f32 = 0.25;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Loss {
    /// Replaces the cross entropy of the expected score by this power of its error.
    pub(crate) power: Option<f32>,
}

impl Loss {
    /// Returns the loss and its gradient. The outputs are the log-odds of the expected score, and those of
    /// the share of draws relative to the largest one that this score allows.
    pub(crate) fn of(self, [odds, draws]: [f32; 2], position: &Position) -> (f32, [f32; 2]) {
        let target = position.expected;
        let mean = sigmoid(odds);
        let (of_score, slope) = match self.power {
            None => (odds.max(0.0) - odds * target + (-odds.abs()).exp().ln_1p(), mean - target),
            Some(power) => {
                let error = mean - target;
                let size = error.abs();
                let slope = power * size.powf(power - 1.0) * mean * (1.0 - mean);
                (size.powf(power), slope.copysign(error))
            }
        };
        // The gradient of the draws leaves the expected score alone.
        let largest = 2.0 * mean.min(1.0 - mean);
        let share = sigmoid(draws);
        let (drawn, chance) = (position.drawn, largest * share);
        let clipped = chance.clamp(1e-4, 1.0 - 1e-4);
        let of_draws = -(drawn * clipped.ln() + (1.0 - drawn) * (1.0 - clipped).ln());
        let slope_of_draws = if clipped == chance {
            (chance - drawn) / (chance * (1.0 - chance)) * largest * share * (1.0 - share)
        } else {
            0.0
        };
        (of_score + DRAWS * of_draws, [slope, DRAWS * slope_of_draws])
    }
}

pub(crate) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

#[cfg(test)]
mod tests {
    use zermelo::eval::training_data::TrainingSample;
    use zermelo::games::TixTax;
    use zermelo::rules::Game;

    use super::*;

    #[test]
    fn slopes_are_those_of_the_loss() {
        let sample = TrainingSample::new(&TixTax::start(), 0);
        for power in [None, Some(2.5)] {
            let loss = Loss { power };
            for (expected, drawn) in [(0.0, 0.0), (0.3, 0.0), (0.5, 1.0), (0.9, 0.25)] {
                let position = Position::new(&sample, expected, drawn);
                for odds in [-3.0, -0.4, 0.2, 2.0] {
                    // The slope of the odds leaves out the draws, which are constant if they are clipped.
                    let of_odds = |by: f32| loss.of([odds + by, -100.0], &position);
                    let of_draws = |by: f32| loss.of([odds, 0.3 + by], &position);
                    let found = [of_odds(1e-2), of_odds(-1e-2), of_draws(1e-2), of_draws(-1e-2)];
                    let [one, two, three, four] = found.map(|(value, _)| value);
                    let found = [(one - two) / 2e-2, (three - four) / 2e-2];
                    for (found, expected) in found.into_iter().zip(of_draws(0.0).1) {
                        assert!((found - expected).abs() < 1e-3, "{found} {expected}");
                    }
                }
            }
        }
    }
}
