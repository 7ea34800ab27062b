//! The schedule of a tournament.
//!
//! A schedule is a function of the setup and the results so far, so an interrupted tournament
//! resumes from the recorded results. Pairings come in batches that share their openings; in a ladder
//! a batch depends on the results of those before it.

mod ladder;

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use super::tournament_setup::{TournamentFormat, TournamentSetup};
use crate::arena::games::match_game::GamePlan;
use crate::rules::Outcome;
use crate::scale::Ladder;

/// Two players who meet, as indices into the list of engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Pairing {
    round: u32,
    players: [usize; 2],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NextGame {
    Game(GamePlan),
    /// The next pairing depends on results that are still missing.
    Wait,
    Done,
}

pub(crate) struct Schedule {
    format: TournamentFormat,
    players: usize,
    ladder: Option<Ladder>,
    /// The number of rounds; in a ladder, of pairs.
    rounds: u32,
    /// The number of games per pairing and round.
    games: u32,
    repeat: bool,
    batches: Vec<Vec<Pairing>>,
    /// The next game: batch, pairing in the batch, game in the pairing.
    position: (usize, usize, u32),
    /// The number of the latest game.
    number: u32,
    /// The number of the latest pair.
    pair: u32,
    /// The numbers of the games to play.
    numbers: RangeInclusive<u32>,
    /// The numbers of games that were played in an earlier run.
    played: HashSet<u32>,
    /// Half points of the first and the second player, by batch and pairing, if later pairings depend
    /// on them.
    half_points: HashMap<(usize, usize), [u32; 2]>,
    /// Running games: batch, pairing, and whether sides are swapped.
    running: HashMap<u32, (usize, usize, bool)>,
}

impl Schedule {
    /// Creates a schedule. With `repeat`, each opening is played twice in a row.
    pub(crate) fn new(
        format: TournamentFormat,
        players: usize,
        rounds: u32,
        games: u32,
        repeat: bool,
    ) -> Self {
        Self {
            format,
            players,
            ladder: None,
            rounds,
            games,
            repeat,
            batches: Vec::new(),
            position: (0, 0, 0),
            number: 0,
            pair: 0,
            numbers: 1..=u32::MAX,
            played: HashSet::new(),
            half_points: HashMap::new(),
            running: HashMap::new(),
        }
    }

    pub(crate) fn from_setup(setup: &TournamentSetup) -> Self {
        let TournamentSetup { tournament, engines, ladder, rounds, games, repeat, .. } = setup;
        let schedule = Self::new(*tournament, engines.len(), *rounds, *games, *repeat);
        Self { ladder: ladder.clone(), ..schedule }
    }

    /// A ladder that goes on however precise the rating is; any other schedule is unchanged.
    pub(crate) fn without_precision(mut self) -> Self {
        if let Some(ladder) = &mut self.ladder {
            ladder.precision = 0.0;
            self.rounds = u32::MAX;
        }
        self
    }

    /// Restricts the schedule to the games with these numbers, which are unchanged otherwise. For
    /// formats whose pairings do not depend on results.
    pub(crate) fn restrict_to(self, numbers: RangeInclusive<u32>) -> Self {
        Self { numbers, ..self }
    }

    /// The number of games to play, unless it depends on results. Games beyond the largest number
    /// are not played.
    pub(crate) fn total(&self) -> Option<u64> {
        let last = self.all_games()?.min(u64::from(*self.numbers.end()));
        Some((last + 1).saturating_sub(u64::from(*self.numbers.start())))
    }

    /// Returns the number of games of all rounds if it is beyond the largest number of a game.
    pub(crate) fn games_before_cap(&self) -> Option<u64> {
        self.all_games().filter(|games| *games > u64::from(u32::MAX))
    }

    /// The number of games of all rounds, unless it depends on results.
    fn all_games(&self) -> Option<u64> {
        let pairings = match self.format {
            TournamentFormat::RoundRobin => self.players * (self.players - 1) / 2,
            TournamentFormat::Gauntlet => self.players - 1,
            TournamentFormat::Ladder => return None,
        };
        Some((pairings as u64).saturating_mul(u64::from(self.rounds) * u64::from(self.games)))
    }

    /// Whether pairings depend on results.
    fn is_ladder(&self) -> bool {
        self.format == TournamentFormat::Ladder
    }

    fn openings_per_pairing(&self) -> u32 {
        if self.repeat { self.games.div_ceil(2) } else { self.games }
    }

    /// Marks a game as played in an earlier run. [`Self::next_game`] still returns it, so that its
    /// result can be recorded in order.
    pub(crate) fn mark_played(&mut self, number: u32) {
        self.played.insert(number);
    }

    /// Skips a game returned by [`Self::next_game`] that no earlier run finished. A ladder still waits for it.
    pub(crate) fn skip(&mut self, number: u32) {
        if !self.is_ladder() {
            self.running.remove(&number);
        }
    }

    /// Records the result of a game returned by [`Self::next_game`].
    pub(crate) fn record_result(&mut self, number: u32, result: Option<Outcome>) {
        let Some((batch, pairing, swapped)) = self.running.remove(&number) else { return };
        if !self.is_ladder() {
            return;
        }
        let total = self.half_points.entry((batch, pairing)).or_default();
        let gained = match result {
            Some(Outcome::Win(side)) => {
                let mut gained = [0; 2];
                gained[side.index()] = 2;
                gained
            }
            Some(Outcome::Draw) => [1; 2],
            None => [0; 2],
        };
        total[0] += gained[usize::from(swapped)];
        total[1] += gained[usize::from(!swapped)];
    }

    /// Returns the next game and whether it was played in an earlier run; if so, its result must be
    /// recorded before the next call.
    pub(crate) fn next_game(&mut self) -> (NextGame, bool) {
        loop {
            if self.number >= *self.numbers.end() && self.played.is_empty() {
                return (NextGame::Done, false);
            }
            let (batch, index, game) = self.position;
            if batch == self.batches.len() {
                match self.new_batch() {
                    Some(pairings) => self.batches.push(pairings),
                    None if self.running.is_empty() => return (NextGame::Done, false),
                    None if self.is_ladder() => return (NextGame::Wait, false),
                    None => return (NextGame::Done, false),
                }
                continue;
            }
            let Some(pairing) = self.batches[batch].get(index).copied() else {
                self.position = (batch + 1, 0, 0);
                if !self.is_ladder() {
                    // Finished batches are not needed any more, and there can be a million of them.
                    self.batches[batch] = Vec::new();
                }
                continue;
            };
            self.position = match game + 1 {
                next if next < self.games => (batch, index, next),
                _ => (batch, index + 1, 0),
            };
            self.number += 1;
            let is_second = self.repeat && game % 2 == 1;
            self.pair += u32::from(!is_second);
            // Sides alternate between games. With an odd number of games per pairing they also
            // alternate between pairings and batches.
            let offset = if self.games % 2 == 1 { batch + index } else { 0 };
            let swapped = (offset + game as usize) % 2 == 1;
            let [first, second] = pairing.players;
            let opening = if self.repeat { game / 2 } else { game };
            let plan = GamePlan {
                number: self.number,
                round: pairing.round,
                pair: self.pair,
                players: if swapped { [second, first] } else { [first, second] },
                opening: batch as u32 * self.openings_per_pairing() + opening,
            };
            let was_played = self.played.remove(&self.number);
            if !was_played && !self.numbers.contains(&self.number) {
                continue;
            }
            self.running.insert(self.number, (batch, index, swapped));
            return (NextGame::Game(plan), was_played);
        }
    }

    /// The next batch; `None` if there is none or it depends on missing results.
    fn new_batch(&self) -> Option<Vec<Pairing>> {
        let round = self.batches.len() as u32 + 1;
        match self.format {
            TournamentFormat::RoundRobin => (round <= self.rounds).then(|| self.round_robin(round)),
            TournamentFormat::Gauntlet => (round <= self.rounds).then(|| {
                let against = |other| Pairing { round, players: [0, other] };
                (1..self.players).map(against).collect()
            }),
            TournamentFormat::Ladder => self.ladder(round),
        }
    }

    /// Every player against every other, once.
    fn round_robin(&self, round: u32) -> Vec<Pairing> {
        let all = 0..self.players;
        all.clone()
            .flat_map(|first| all.clone().skip(first + 1).map(move |second| [first, second]))
            .map(|players| Pairing { round, players })
            .collect()
    }

    /// Half points of the first and the second player of a pairing.
    fn half_points(&self, batch: usize, pairing: usize) -> [u32; 2] {
        self.half_points.get(&(batch, pairing)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Side;

    /// Plays a tournament in which the lower index always wins, with `parallel` games at a time.
    fn play(schedule: &mut Schedule, parallel: usize) -> Vec<GamePlan> {
        let mut running = Vec::new();
        let mut all = Vec::new();
        loop {
            match schedule.next_game() {
                (NextGame::Game(plan), _) => {
                    running.push(plan.clone());
                    all.push(plan);
                    if running.len() < parallel {
                        continue;
                    }
                }
                (NextGame::Done, _) if running.is_empty() => return all,
                _ => {}
            }
            let plan: GamePlan = running.remove(0);
            let [first, second] = plan.players;
            let winner = if first < second { Side::P1 } else { Side::P2 };
            schedule.record_result(plan.number, Some(Outcome::Win(winner)));
        }
    }

    fn schedule(format: TournamentFormat, players: usize, rounds: u32) -> Schedule {
        Schedule::new(format, players, rounds, 2, true)
    }

    #[test]
    fn round_robin_plays_every_pairing_from_both_sides() {
        let mut schedule = schedule(TournamentFormat::RoundRobin, 4, 3);
        let plans = play(&mut schedule, 3);
        assert_eq!(schedule.total(), Some(36));
        assert_eq!(plans.len(), 36);
        let mut seen = HashSet::new();
        for (index, plan) in plans.iter().enumerate() {
            assert!(seen.insert((plan.round, plan.players)), "{plan:?}");
            assert_eq!(plan.number as usize, index + 1);
            assert_eq!(plan.opening, plan.round - 1);
        }
        for pair in plans.chunks(2) {
            assert_eq!(pair[0].pair, pair[1].pair);
            let [first, second] = pair[0].players;
            assert_eq!(pair[1].players, [second, first]);
        }
    }

    #[test]
    fn without_repeat_every_game_has_a_new_opening() {
        let plans = play(&mut Schedule::new(TournamentFormat::RoundRobin, 2, 2, 2, false), 1);
        let openings: Vec<u32> = plans.iter().map(|plan| plan.opening).collect();
        assert_eq!(openings, [0, 1, 2, 3]);
        let pairs: Vec<u32> = plans.iter().map(|plan| plan.pair).collect();
        assert_eq!(pairs, [1, 2, 3, 4]);
    }

    #[test]
    fn sides_balance_with_an_odd_number_of_games_per_pairing() {
        for format in [TournamentFormat::RoundRobin, TournamentFormat::Gauntlet] {
            for games in [1, 3] {
                let plans = play(&mut Schedule::new(format, 3, 4, games, true), 1);
                for player in 0..3 {
                    let count = |side: usize| {
                        plans.iter().filter(|plan| plan.players[side] == player).count()
                    };
                    assert_eq!(count(0), count(1), "{format:?}, {games} games, player {player}");
                }
            }
        }
    }

    #[test]
    fn every_gauntlet_game_includes_the_first_player() {
        let plans = play(&mut schedule(TournamentFormat::Gauntlet, 4, 2), 2);
        assert_eq!(plans.len(), 12);
        assert!(plans.iter().all(|plan| plan.players.contains(&0)));
    }

    #[test]
    fn a_restricted_schedule_has_the_same_games_as_the_whole() {
        let whole = |format| Schedule::new(format, 4, 3, 3, true);
        for format in [TournamentFormat::RoundRobin, TournamentFormat::Gauntlet] {
            let all = play(&mut whole(format), 1);
            let count = all.len();
            for (first, last) in [(1, 1), (2, 7), (5, count), (count, count), (1, count + 9)] {
                let numbers = first as u32..=last as u32;
                let expected = &all[first - 1..last.min(count)];
                let mut schedule = whole(format).restrict_to(numbers.clone());
                assert_eq!(schedule.total(), Some(expected.len() as u64));
                assert_eq!(play(&mut schedule, 2), expected);
                let mut resumed = whole(format).restrict_to(numbers);
                (2..=count as u32).step_by(3).for_each(|number| resumed.mark_played(number));
                let mut returned = Vec::new();
                while let (NextGame::Game(plan), was_played) = resumed.next_game() {
                    assert_eq!(was_played, plan.number % 3 == 2);
                    assert!(was_played || expected.contains(&plan));
                    returned.extend(expected.contains(&plan).then_some(plan));
                }
                assert_eq!(returned, expected);
            }
        }
    }

    #[test]
    fn an_interrupted_tournament_resumes_with_the_same_games() {
        for format in [TournamentFormat::RoundRobin, TournamentFormat::Gauntlet] {
            let all = play(&mut schedule(format, 6, 2), 1);
            for cut in 0..all.len() {
                let mut resumed = schedule(format, 6, 2);
                // The games played so far need not be a prefix.
                let played: HashSet<u32> = all[..cut]
                    .iter()
                    .filter(|plan| plan.number % 5 != 3)
                    .map(|plan| plan.number)
                    .collect();
                played.iter().for_each(|number| resumed.mark_played(*number));
                let mut returned = Vec::new();
                loop {
                    let (next, was_played) = resumed.next_game();
                    let NextGame::Game(plan) = next else { break };
                    assert_eq!(was_played, played.contains(&plan.number));
                    let [first, second] = plan.players;
                    let winner = if first < second { Side::P1 } else { Side::P2 };
                    resumed.record_result(plan.number, Some(Outcome::Win(winner)));
                    returned.push(plan);
                }
                assert_eq!(returned, all);
            }
        }
    }
}
