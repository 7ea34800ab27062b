//! Running totals of a tournament: points, ratings, faults and time use of every player.
//!
//! A [`Scoreboard`] keeps sums, and a hash of each game to recognize copies.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};

use super::evidence::{Evidence, EvidenceCounter, start_hash};
use crate::records::replay::first_mover;
use crate::records::{GameRecord, Seconds, Termination};
use crate::rules::{Side, Value};
use crate::statistics::{
    EloEstimate, Observation, ObservationUnit, Ratings, ScoreTally, logistic_elo, rate_players,
};

/// The totals of a tournament. Players are numbered in the order of their first appearance.
#[derive(Debug, Clone)]
pub struct Scoreboard {
    pub(crate) unit: ObservationUnit,
    players: Vec<PlayerTotals>,
    /// By the numbers of both players, the lower first, from the point of view of that player.
    head_to_heads: BTreeMap<(usize, usize), HeadToHead>,
    terminations: BTreeMap<Termination, u64>,
    /// The number of scored games.
    pub(crate) games: u64,
    /// The number of games that did not score.
    pub(crate) uncounted: u64,
    /// The number of broken claims, including those of unknown players.
    pub(crate) broken_claims: u64,
}

#[derive(Debug, Clone)]
pub(crate) struct PlayerTotals {
    pub(crate) name: String,
    /// The results against all opponents.
    pub(crate) tally: ScoreTally,
    /// The rating on a common scale with average 0, in standings; `None` without games.
    pub(crate) rating: Option<EloEstimate>,
    /// The number of games lost by each fault.
    pub(crate) faults: BTreeMap<Termination, u64>,
    /// Claims of a proven win that did not come true.
    pub(crate) broken_claims: u64,
    pub(crate) moves: u64,
    seconds: f64,
    /// The largest excess of a move over its time limit.
    pub(crate) greatest_over: Option<Seconds>,
    depths: u64,
    moves_with_depth: u64,
}

/// The results of two players against each other.
#[derive(Debug, Clone)]
struct HeadToHead {
    tally: ScoreTally,
    /// Results whose pair is incomplete, by pair number, start and first player: two games are a pair
    /// if they have the same start and opposite sides.
    unpaired: HashMap<(u32, u64, usize), Vec<Value>>,
    evidence: EvidenceCounter,
}

/// All players, best first.
#[derive(Debug, Clone)]
pub(crate) struct Standings {
    /// The players, sorted by points, then rating, then order of appearance.
    pub(crate) rows: Vec<PlayerTotals>,
    /// Whether the ratings are [`Ratings::regularized`].
    pub(crate) regularized: bool,
}

impl Scoreboard {
    /// An empty scoreboard for these players; `unit` states whether games are played in pairs with
    /// sides swapped.
    pub fn new<S: Into<String>>(names: impl IntoIterator<Item = S>, unit: ObservationUnit) -> Self {
        let mut scoreboard = Self {
            unit,
            players: Vec::new(),
            head_to_heads: BTreeMap::new(),
            terminations: BTreeMap::new(),
            games: 0,
            uncounted: 0,
            broken_claims: 0,
        };
        for name in names {
            scoreboard.number(&name.into());
        }
        scoreboard
    }

    /// Counts a game, adding unknown players. A game without a result, or of a player against
    /// itself, does not score, but its termination and time use count.
    pub fn add(&mut self, game: &GameRecord) {
        let numbers = [0, 1].map(|side| self.number(&game.players[side]));
        *self.terminations.entry(game.termination).or_default() += 1;
        self.count_moves(game, numbers);
        self.count_claims(game, numbers);
        let [first, second] = numbers;
        let Some(outcome) = game.result.filter(|_| first != second) else {
            self.uncounted += 1;
            return;
        };
        self.games += 1;
        if let Some(culprit) = game.player_at_fault().and_then(|name| game.side_of(name)) {
            let totals = &mut self.players[numbers[culprit.index()]];
            *totals.faults.entry(game.termination).or_default() += 1;
        }
        self.count_result(numbers, game, outcome.value_for(Side::P1));
    }

    pub(crate) fn evidence(&self) -> impl Iterator<Item = Evidence> {
        self.head_to_heads.iter().map(|((first, second), head_to_head)| {
            let players = [first, second].map(|number| self.players[*number].name.clone());
            head_to_head.evidence.evidence(players)
        })
    }

    /// The evidence of the encounter of two players; `None` if they have not finished a game.
    pub(crate) fn evidence_between(&self, player: &str, opponent: &str) -> Option<Evidence> {
        let both = [player, opponent];
        self.evidence()
            .find(|evidence| both.iter().all(|name| evidence.players.iter().any(|own| own == name)))
    }

    /// The number of scored games that do not repeat an earlier one of the same encounter.
    pub(crate) fn distinct_games(&self) -> u64 {
        self.evidence().map(|evidence| evidence.distinct).sum()
    }

    /// The number of games per termination, including games that did not score.
    pub(crate) fn terminations(&self) -> impl Iterator<Item = (Termination, u64)> {
        self.terminations.iter().map(|(termination, count)| (*termination, *count))
    }

    /// The totals of all players, in order of appearance and without ratings.
    pub(crate) fn players(&self) -> &[PlayerTotals] {
        &self.players
    }

    /// The players in order of appearance.
    pub(crate) fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.players.iter().map(|totals| &totals.name[..])
    }

    /// The results of a player against an opponent; empty if they did not meet.
    pub(crate) fn tally(&self, player: &str, opponent: &str) -> ScoreTally {
        let number = |name| self.players.iter().position(|totals| totals.name == name);
        let both = number(player).zip(number(opponent));
        let found = both.and_then(|(player, opponent)| {
            let key = (player.min(opponent), player.max(opponent));
            Some((self.head_to_heads.get(&key)?.tally, player < opponent))
        });
        found.map_or(
            ScoreTally::new(self.unit),
            |(tally, is_lower)| {
                if is_lower { tally } else { tally.flipped() }
            },
        )
    }

    /// The results of a player against all opponents.
    pub(crate) fn field_tally(&self, player: &str) -> ScoreTally {
        let totals = self.players.iter().find(|totals| totals.name == player);
        totals.map_or_else(|| ScoreTally::new(self.unit), |totals| totals.tally)
    }

    pub(crate) fn standings(&self) -> Standings {
        let ratings = self.ratings();
        let mut rows = self.players.clone();
        for (row, rating) in rows.iter_mut().zip(ratings.players) {
            row.rating = rating;
        }
        let value =
            |row: &PlayerTotals| row.rating.map_or(f64::NEG_INFINITY, |rating| rating.value);
        rows.sort_by(|one, other| {
            let points = other.tally.points().total_cmp(&one.tally.points());
            points.then_with(|| value(other).total_cmp(&value(one)))
        });
        Standings { rows, regularized: ratings.regularized }
    }

    /// The results of each of these players (rows) against each of them (columns).
    pub(crate) fn crosstable(&self, names: &[&str]) -> Vec<Vec<ScoreTally>> {
        let row = |player: &&str| names.iter().map(|other| self.tally(player, other)).collect();
        names.iter().map(row).collect()
    }

    fn ratings(&self) -> Ratings {
        let mut observations = Vec::new();
        for ((first, second), head_to_head) in &self.head_to_heads {
            let mut push = |half_points: usize, games, count: u64| {
                let score = half_points as f64 / 2.0;
                let one = Observation { first: *first, second: *second, score, games };
                observations.extend((0..count).map(|_| one));
            };
            for (half_points, count) in head_to_head.tally.pairs.into_iter().enumerate() {
                push(half_points, 2.0, count);
            }
            for (half_points, count) in head_to_head.single_games().into_iter().enumerate() {
                push(half_points, 1.0, count);
            }
        }
        rate_players(self.players.len(), &observations)
    }

    fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.players.iter().position(|totals| totals.name == name) {
            return number;
        }
        self.players.push(PlayerTotals::new(name, self.unit));
        self.players.len() - 1
    }

    /// Counts a result from the first player's point of view, completing its pair if possible.
    fn count_result(&mut self, [first, second]: [usize; 2], game: &GameRecord, result: Value) {
        let unit = self.unit;
        let pair = |first_player: usize| (game.pair, start_hash(game), first_player);
        let head_to_head = self
            .head_to_heads
            .entry((first.min(second), first.max(second)))
            .or_insert_with(|| HeadToHead::new(unit));
        let sides = if first < second { [0, 1] } else { [1, 0] };
        head_to_head.evidence.add(game, sides);
        let of_lower = if first < second { result } else { result.flip() };
        let earlier = match unit {
            ObservationUnit::Pairs if game.pair != 0 => {
                head_to_head.unpaired.get_mut(&pair(second)).and_then(Vec::pop)
            }
            _ => None,
        };
        if earlier.is_none() && unit == ObservationUnit::Pairs {
            head_to_head.unpaired.entry(pair(first)).or_default().push(of_lower);
        }
        let count = |tally: &mut ScoreTally, earlier: Option<Value>, result| match earlier {
            Some(earlier) => tally.complete_pair(earlier, result),
            None => tally.add_game(result),
        };
        count(&mut head_to_head.tally, earlier, of_lower);
        let lower = &mut self.players[first.min(second)];
        count(&mut lower.tally, earlier, of_lower);
        let upper = &mut self.players[first.max(second)];
        count(&mut upper.tally, earlier.map(Value::flip), of_lower.flip());
    }

    /// Adds up times and depths. The opening may leave the second player to move first.
    fn count_moves(&mut self, game: &GameRecord, numbers: [usize; 2]) {
        let first = first_mover(game);
        for (ply, mv) in game.moves.iter().enumerate().filter(|(_, mv)| !mv.is_book) {
            let totals = &mut self.players[numbers[(first.index() + ply) % 2]];
            totals.moves += 1;
            totals.seconds += mv.time.as_f64();
            if mv.over > totals.greatest_over {
                totals.greatest_over = mv.over;
            }
            if let Some(depth) = mv.info.depth {
                totals.depths += u64::from(depth);
                totals.moves_with_depth += 1;
            }
        }
    }

    /// Attributes broken claims, whose text begins with the name of the player.
    fn count_claims(&mut self, game: &GameRecord, [first, second]: [usize; 2]) {
        for claim in &game.broken_claims {
            self.broken_claims += 1;
            let claims = |number: &usize| claim.starts_with(&self.players[*number].name);
            let length = |number: &usize| self.players[*number].name.len();
            if let Some(number) = [first, second].into_iter().filter(claims).max_by_key(length) {
                self.players[number].broken_claims += 1;
            }
        }
    }
}

impl PlayerTotals {
    fn new(name: &str, unit: ObservationUnit) -> Self {
        Self {
            name: name.to_owned(),
            tally: ScoreTally::new(unit),
            rating: None,
            faults: BTreeMap::new(),
            broken_claims: 0,
            moves: 0,
            seconds: 0.0,
            greatest_over: None,
            depths: 0,
            moves_with_depth: 0,
        }
    }

    /// The points as a share of the games; `None` without games.
    pub(crate) fn share(&self) -> Option<f64> {
        mean(self.tally.points(), self.tally.games())
    }

    /// The Elo difference to the opponents actually met; `None` without observations.
    pub(crate) fn elo(&self) -> Option<EloEstimate> {
        logistic_elo(&self.tally.sample())
    }

    /// The mean time per move in seconds; `None` without moves.
    pub(crate) fn mean_time(&self) -> Option<f64> {
        mean(self.seconds, self.moves)
    }

    /// The mean depth of the moves that reported one.
    pub(crate) fn mean_depth(&self) -> Option<f64> {
        mean(self.depths as f64, self.moves_with_depth)
    }
}

fn mean(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

impl HeadToHead {
    fn new(unit: ObservationUnit) -> Self {
        let (unpaired, evidence) = (HashMap::new(), EvidenceCounter::default());
        Self { tally: ScoreTally::new(unit), unpaired, evidence }
    }

    /// The losses, draws and wins that enter the ratings as single games.
    fn single_games(&self) -> [u64; 3] {
        if self.tally.pairs == [0; 5] {
            return [self.tally.losses, self.tally.draws, self.tally.wins];
        }
        let count = |value| {
            let unpaired = self.unpaired.values().flatten();
            unpaired.filter(|result| **result == value).count() as u64
        };
        [Value::Loss, Value::Draw, Value::Win].map(count)
    }
}
