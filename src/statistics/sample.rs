//! Samples of scores: how often each possible score was observed.

use arrayvec::ArrayVec;

/// What counts as one observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObservationUnit {
    /// Two games from the same opening with sides swapped.
    Pairs,
    Games,
}

/// The number of observations of each score: five scores for pairs (half the points of the pair),
/// three for single games.
///
/// Observations must be independent, which is why the two games of a pair form one observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreSample {
    unit: ObservationUnit,
    /// Indexed by quarters of the score; single games leave 1/4 and 3/4 empty.
    counts: [u64; 5],
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ScoreShare {
    pub(super) score: f64,
    pub(super) share: f64,
}

/// All possible scores in ascending order; the shares add up to 1.
pub(super) type ScoreDistribution = ArrayVec<ScoreShare, 5>;

/// The weight of an unobserved score in [`ScoreSample::smoothed`], as in Fishtest.
const EMPTY_WEIGHT: f64 = 1e-3;

impl ScoreSample {
    /// Counts of pairs by points: 0, 1/2, 1, 3/2 and 2.
    pub(crate) const fn from_pairs(counts: [u64; 5]) -> Self {
        Self { unit: ObservationUnit::Pairs, counts }
    }

    pub(crate) const fn from_games(losses: u64, draws: u64, wins: u64) -> Self {
        Self { unit: ObservationUnit::Games, counts: [losses, 0, draws, 0, wins] }
    }

    pub(crate) fn games_per_observation(&self) -> u64 {
        match self.unit {
            ObservationUnit::Pairs => 2,
            ObservationUnit::Games => 1,
        }
    }

    pub(crate) fn observations(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Iterates over the possible scores and their counts, in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (f64, u64)> {
        let stride = match self.unit {
            ObservationUnit::Pairs => 1,
            ObservationUnit::Games => 2,
        };
        self.counts.into_iter().enumerate().step_by(stride).map(|(quarters, count)| {
            let score = quarters as f64 / 4.0;
            (score, count)
        })
    }

    pub(crate) fn mean(&self) -> Option<f64> {
        self.average(|score| score)
    }

    /// The variance of an observation, without Bessel's correction as is usual for these
    /// estimators; `None` without observations.
    pub(crate) fn variance(&self) -> Option<f64> {
        let mean = self.mean()?;
        self.average(|score| (score - mean).powi(2))
    }

    /// The mean of a function of the score; `None` without observations.
    pub(super) fn average(&self, function: impl Fn(f64) -> f64) -> Option<f64> {
        let observations = self.observations();
        let sum: f64 = self.iter().map(|(score, count)| count as f64 * function(score)).sum();
        (observations > 0).then(|| sum / observations as f64)
    }

    /// The score shared by all observations, if there is one.
    pub(super) fn only_score(&self) -> Option<f64> {
        let mut seen = self.iter().filter(|(_, count)| *count > 0);
        let (score, _) = seen.next()?;
        seen.next().is_none().then_some(score)
    }

    /// The total weight and the shares of the scores, where an unobserved score counts as a
    /// thousandth of an observation so that no share is 0.
    pub(super) fn smoothed(&self) -> (f64, ScoreDistribution) {
        let weight = |count: u64| if count == 0 { EMPTY_WEIGHT } else { count as f64 };
        let total: f64 = self.iter().map(|(_, count)| weight(count)).sum();
        let share_of = |(score, count)| ScoreShare { score, share: weight(count) / total };
        (total, self.iter().map(share_of).collect())
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
        assert_eq!((sample.observations(), sample.games_per_observation()), (4, 2));

        // 1 loss, 3 wins: the mean is 3/4 and the variance 3/4 * 1/4.
        let sample = ScoreSample::from_games(1, 0, 3);
        assert_eq!((sample.mean(), sample.variance()), (Some(0.75), Some(0.1875)));
        assert_eq!(sample.observations(), 4);
    }

    #[test]
    fn empty_samples_have_no_moments() {
        let empty = ScoreSample::from_games(0, 0, 0);
        assert_eq!((empty.mean(), empty.variance(), empty.only_score()), (None, None, None));
        assert_eq!(ScoreSample::from_pairs([0, 0, 0, 3, 0]).only_score(), Some(0.75));
        assert_eq!(ScoreSample::from_pairs([0, 1, 0, 3, 0]).only_score(), None);
    }

    #[test]
    fn smoothing_covers_exactly_the_possible_scores() {
        let (total, shares) = ScoreSample::from_games(0, 2, 0).smoothed();
        assert_eq!(shares.iter().map(|share| share.score).collect::<Vec<_>>(), [0.0, 0.5, 1.0]);
        assert!((total - 2.002).abs() < 1e-12);
        assert!((shares[0].share - 0.001 / 2.002).abs() < 1e-15);
        assert_eq!(ScoreSample::from_pairs([1; 5]).smoothed().1.len(), 5);
    }
}
