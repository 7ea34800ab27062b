//! Counts of the results of one player, against one opponent or all of them.

use super::{ObservationUnit, ScoreSample};
use crate::rules::Value;

/// The results of one player, counted by game and by pair.
///
/// Whether the statistics use pairs or single games is fixed when the tally is created, by the
/// format of the match rather than by the results so far: a switch in the middle of a match would
/// make the numbers jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreTally {
    unit: ObservationUnit,
    wins: u64,
    draws: u64,
    losses: u64,
    pairs: [u64; 5],
}

impl ScoreTally {
    /// A tally for games played in pairs. A game whose partner is missing counts as a win, draw or
    /// loss, but enters the statistics only with its partner.
    #[must_use]
    pub const fn for_pairs() -> Self {
        Self::new(ObservationUnit::Pairs)
    }

    /// A tally for independent games.
    #[must_use]
    pub const fn for_games() -> Self {
        Self::new(ObservationUnit::Games)
    }

    const fn new(unit: ObservationUnit) -> Self {
        Self { unit, wins: 0, draws: 0, losses: 0, pairs: [0; 5] }
    }

    /// Counts a game without a partner so far.
    pub fn add_game(&mut self, result: Value) {
        match result {
            Value::Win => self.wins += 1,
            Value::Draw => self.draws += 1,
            Value::Loss => self.losses += 1,
        }
    }

    /// Counts both games of a pair, neither of which was counted before.
    pub fn add_pair(&mut self, earlier: Value, later: Value) {
        self.add_game(earlier);
        self.complete_pair(earlier, later);
    }

    /// Counts the second game of a pair whose first game, with the result `earlier`, was counted
    /// by [`ScoreTally::add_game`].
    pub fn complete_pair(&mut self, earlier: Value, later: Value) {
        self.add_game(later);
        self.pairs[half_points(earlier) + half_points(later)] += 1;
    }

    /// Games won.
    #[must_use]
    pub fn wins(&self) -> u64 {
        self.wins
    }

    /// Games drawn.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// Games lost.
    #[must_use]
    pub fn losses(&self) -> u64 {
        self.losses
    }

    /// All games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: 1 for a win, 1/2 for a draw.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The complete pairs by points: 0, 1/2, 1, 3/2 and 2.
    #[must_use]
    pub fn pairs(&self) -> [u64; 5] {
        self.pairs
    }

    /// The number of games outside complete pairs.
    #[must_use]
    pub fn unpaired_games(&self) -> u64 {
        self.games() - 2 * self.pairs.iter().sum::<u64>()
    }

    /// The same games from the opponent's point of view.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let mut pairs = self.pairs;
        pairs.reverse();
        Self { wins: self.losses, losses: self.wins, pairs, ..*self }
    }

    /// The sample for the statistics: complete pairs or single games.
    #[must_use]
    pub fn sample(&self) -> ScoreSample {
        match self.unit {
            ObservationUnit::Pairs => ScoreSample::from_pairs(self.pairs),
            ObservationUnit::Games => self.game_sample(),
        }
    }

    /// The sample of all single games, paired or not.
    pub(super) fn game_sample(&self) -> ScoreSample {
        ScoreSample::from_games(self.losses, self.draws, self.wins)
    }

    /// The share of draws among the games; `None` without games.
    #[must_use]
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }

    /// The ratio of won pairs to lost pairs, infinite if none was lost; `None` if none was won
    /// either.
    #[must_use]
    pub fn pairs_ratio(&self) -> Option<f64> {
        let [lost_both, lost, _, won, won_both] = self.pairs;
        let (won, lost) = (won + won_both, lost + lost_both);
        (won + lost > 0).then(|| won as f64 / lost as f64)
    }
}

fn half_points(result: Value) -> usize {
    match result {
        Value::Loss => 0,
        Value::Draw => 1,
        Value::Win => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_pairs_are_counted() {
        let mut tally = ScoreTally::for_pairs();
        assert_eq!((tally.draw_ratio(), tally.pairs_ratio()), (None, None));
        tally.add_pair(Value::Win, Value::Loss);
        tally.add_pair(Value::Draw, Value::Win);
        tally.add_game(Value::Win);
        assert_eq!((tally.wins(), tally.draws(), tally.losses()), (3, 1, 1));
        assert_eq!(tally.pairs(), [0, 0, 1, 1, 0]);
        assert_eq!((tally.games(), tally.unpaired_games()), (5, 1));
        assert_eq!(tally.draw_ratio(), Some(0.2));
        assert_eq!(tally.pairs_ratio(), Some(f64::INFINITY));

        tally.complete_pair(Value::Win, Value::Win);
        assert_eq!((tally.pairs(), tally.unpaired_games()), ([0, 0, 1, 1, 1], 0));
        assert_eq!(tally.flipped().pairs(), [1, 1, 1, 0, 0]);
        assert_eq!(tally.flipped().flipped(), tally);
        assert_eq!(tally.flipped().pairs_ratio(), Some(0.0));
        tally.add_pair(Value::Loss, Value::Loss);
        assert_eq!(tally.pairs_ratio(), Some(2.0));
        tally.add_pair(Value::Loss, Value::Draw);
        assert_eq!(tally.pairs_ratio(), Some(1.0));
    }

    #[test]
    fn the_sample_follows_the_format_of_the_match() {
        let fill = |mut tally: ScoreTally| {
            tally.add_pair(Value::Win, Value::Loss);
            tally.add_game(Value::Win);
            tally.sample()
        };
        assert_eq!(fill(ScoreTally::for_pairs()), ScoreSample::from_pairs([0, 0, 1, 0, 0]));
        assert_eq!(fill(ScoreTally::for_games()), ScoreSample::from_games(1, 0, 2));
    }
}
