//! Scores between 0 and 1 and how often each was observed.

use arrayvec::ArrayVec;

/// What counts as one observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObservationUnit {
    /// Two games from one opening, with the sides exchanged.
    Pairs,
    /// A game.
    Games,
}

/// How often each score was observed: of pairs (five scores; a pair's points divided by two) or of
/// games (three scores).
///
/// Observations must not hang together; that is why the two games of a pair make one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreSample {
    unit: ObservationUnit,
    /// By quarter points of the score; games leave those for 1/4 and 3/4 empty.
    counts: [u64; 5],
}

/// A score that can occur, and its share of all observations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ScoreShare {
    pub(super) score: f64,
    pub(super) share: f64,
}

/// All scores that can occur, in rising order; the shares add up to 1.
pub(super) type ScoreDistribution = ArrayVec<ScoreShare, 5>;

/// What an empty cell counts when every score must have a share; as small as Fishtest has it.
const EMPTY_CELL: f64 = 1e-3;

impl ScoreSample {
    /// Pairs by their points: 0, 1/2, 1, 1 1/2 and 2.
    #[must_use]
    pub const fn from_pairs(counts: [u64; 5]) -> Self {
        Self { unit: ObservationUnit::Pairs, counts }
    }

    /// Single games.
    #[must_use]
    pub const fn from_games(losses: u64, draws: u64, wins: u64) -> Self {
        Self { unit: ObservationUnit::Games, counts: [losses, 0, draws, 0, wins] }
    }

    /// What an observation is.
    #[must_use]
    pub fn unit(&self) -> ObservationUnit {
        self.unit
    }

    /// How many games make an observation.
    #[must_use]
    pub fn games_per_observation(&self) -> u64 {
        match self.unit {
            ObservationUnit::Pairs => 2,
            ObservationUnit::Games => 1,
        }
    }

    /// How many observations there are.
    #[must_use]
    pub fn observations(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The games in these observations.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.observations() * self.games_per_observation()
    }

    /// The scores that can occur and how often each did, in rising order.
    pub fn iter(&self) -> impl Iterator<Item = (f64, u64)> {
        let stride = match self.unit {
            ObservationUnit::Pairs => 1,
            ObservationUnit::Games => 2,
        };
        self.counts.into_iter().enumerate().step_by(stride).map(|(quarters, count)| {
            let score = quarters as f64 / 4.0;
            (score, count)
        })
    }

    /// The mean score; `None` without observations.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        self.average(|score| score)
    }

    /// The variance of an observation, divided by the number of observations and not by one less,
    /// as is the custom in these formulae; `None` without observations.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        let mean = self.mean()?;
        self.average(|score| (score - mean).powi(2))
    }

    /// The variance a game would have if the games of a pair did not hang together and yet the mean
    /// were as sure as it is: twice that of a pair, for a pair's score is the average of two games.
    #[must_use]
    pub fn variance_per_game(&self) -> Option<f64> {
        self.variance().map(|variance| variance * self.games_per_observation() as f64)
    }

    /// The average of a function of the score; `None` without observations.
    pub(super) fn average(&self, function: impl Fn(f64) -> f64) -> Option<f64> {
        let observations = self.observations();
        let sum: f64 = self.iter().map(|(score, count)| count as f64 * function(score)).sum();
        (observations > 0).then(|| sum / observations as f64)
    }

    /// The score, if all observations have the same.
    pub(super) fn only_score(&self) -> Option<f64> {
        let mut seen = self.iter().filter(|(_, count)| *count > 0);
        let (score, _) = seen.next()?;
        seen.next().is_none().then_some(score)
    }

    /// The number of observations and the shares of the scores, no share being 0: an empty cell
    /// counts for a thousandth of an observation.
    pub(super) fn regularised(&self) -> (f64, ScoreDistribution) {
        let weight = |count: u64| if count == 0 { EMPTY_CELL } else { count as f64 };
        let total: f64 = self.iter().map(|(_, count)| weight(count)).sum();
        let cell = |(score, count)| ScoreShare { score, share: weight(count) / total };
        (total, self.iter().map(cell).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_variance_by_hand() {
        // (0*1 + 1/4*1 + 3/4*2) / 4 = 7/16; the squares of the deviations are 49/256, 9/256 and
        // twice 25/256: (49 + 9 + 50) / 256 / 4 = 27/256.
        let sample = ScoreSample::from_pairs([1, 1, 0, 2, 0]);
        assert_eq!(sample.mean(), Some(7.0 / 16.0));
        assert_eq!(sample.variance(), Some(27.0 / 256.0));
        assert_eq!(sample.variance_per_game(), Some(27.0 / 128.0));
        assert_eq!((sample.observations(), sample.games()), (4, 8));

        // 1 loss, 3 wins: the mean is 3/4 and the variance 3/4 * 1/4.
        let sample = ScoreSample::from_games(1, 0, 3);
        assert_eq!((sample.mean(), sample.variance()), (Some(0.75), Some(0.1875)));
        assert_eq!((sample.games(), sample.variance_per_game()), (4, Some(0.1875)));
    }

    #[test]
    fn knows_nothing_without_observations() {
        let empty = ScoreSample::from_games(0, 0, 0);
        assert_eq!((empty.mean(), empty.variance(), empty.only_score()), (None, None, None));
        assert_eq!(ScoreSample::from_pairs([0, 0, 0, 3, 0]).only_score(), Some(0.75));
        assert_eq!(ScoreSample::from_pairs([0, 1, 0, 3, 0]).only_score(), None);
    }

    #[test]
    fn only_scores_that_can_occur_are_regularised() {
        let (total, cells) = ScoreSample::from_games(0, 2, 0).regularised();
        assert_eq!(cells.iter().map(|cell| cell.score).collect::<Vec<_>>(), [0.0, 0.5, 1.0]);
        assert!((total - 2.002).abs() < 1e-12);
        assert!((cells[0].share - 0.001 / 2.002).abs() < 1e-15);
        assert_eq!(ScoreSample::from_pairs([1; 5]).regularised().1.len(), 5);
    }
}
