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
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    /// The complete pairs by points: 0, 1/2, 1, 3/2 and 2.
    pub(crate) pairs: [u64; 5],
}

impl ScoreTally {
    /// A tally of games that are played in pairs or alone. In pairs, a game whose partner is missing
    /// counts as a win, draw or loss, but enters the statistics only with its partner.
    pub const fn new(unit: ObservationUnit) -> Self {
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
    pub(crate) fn complete_pair(&mut self, earlier: Value, later: Value) {
        self.add_game(later);
        self.pairs[earlier.half_points() + later.half_points()] += 1;
    }

    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: 1 for a win, 1/2 for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The same games from the opponent's point of view.
    pub fn flipped(&self) -> Self {
        let mut pairs = self.pairs;
        pairs.reverse();
        Self { wins: self.losses, losses: self.wins, pairs, ..*self }
    }

    /// The sample for the statistics: complete pairs or single games.
    pub fn sample(&self) -> ScoreSample {
        match self.unit {
            ObservationUnit::Pairs => ScoreSample::from_pairs(self.pairs),
            ObservationUnit::Games => ScoreSample::from_games(self.losses, self.draws, self.wins),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_pairs_are_counted() {
        let mut tally = ScoreTally::new(ObservationUnit::Pairs);
        tally.add_pair(Value::Win, Value::Loss);
        tally.add_pair(Value::Draw, Value::Win);
        tally.add_game(Value::Win);
        assert_eq!((tally.wins, tally.draws, tally.losses), (3, 1, 1));
        assert_eq!((tally.games(), tally.pairs), (5, [0, 0, 1, 1, 0]));
        tally.complete_pair(Value::Win, Value::Win);
        assert_eq!(tally.pairs, [0, 0, 1, 1, 1]);
        assert_eq!(tally.flipped().pairs, [1, 1, 1, 0, 0]);
        assert_eq!(tally.flipped().flipped(), tally);
    }

    #[test]
    fn the_sample_follows_the_format_of_the_match() {
        let fill = |mut tally: ScoreTally| {
            tally.add_pair(Value::Win, Value::Loss);
            tally.add_game(Value::Win);
            tally.sample()
        };
        assert_eq!(
            fill(ScoreTally::new(ObservationUnit::Pairs)),
            ScoreSample::from_pairs([0, 0, 1, 0, 0])
        );
        assert_eq!(fill(ScoreTally::new(ObservationUnit::Games)), ScoreSample::from_games(1, 0, 2));
    }
}
