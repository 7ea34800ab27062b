//! Who plays whom, and when: a list of encounters that grows as a tournament goes on.
//!
//! A schedule is a function of the setup and of the results so far, so a tournament that was cut
//! off goes on by being given the results that there are. Encounters come in sheets, one opening
//! (or two sides of one) for all encounters of a sheet; in a knockout and a Swiss tournament the
//! next sheet needs the results of those before. Imports the setup, and the plan of a game that it
//! makes.

mod pairings;

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use super::match_game::GamePlan;
use super::setup::{TournamentFormat, TournamentSetup};
use crate::rules::Outcome;

/// Two players who meet, as places in the list of engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Pairing {
    round: u32,
    players: [usize; 2],
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextGame {
    /// Play this game.
    Game(GamePlan),
    /// Wait for a result: what comes next depends on it.
    Wait,
    /// Nothing: all was played, or is being played.
    Done,
}

/// The schedule of a tournament.
#[derive(Debug)]
pub struct Schedule {
    format: TournamentFormat,
    players: usize,
    rounds: u32,
    games: u32,
    repeat: bool,
    sheets: Vec<Vec<Pairing>>,
    /// Where the next game stands: sheet, encounter, game.
    place: (usize, usize, u32),
    number: u32,
    pair: u32,
    /// The games that are to be played, by number.
    part: RangeInclusive<u32>,
    /// Games that were played before, by number.
    played: HashSet<u32>,
    results: ScheduleResults,
}

/// The results of what was played, as far as the schedule needs them.
#[derive(Debug, Default)]
struct ScheduleResults {
    /// Half points of the first and the second player, by sheet and encounter.
    encounters: HashMap<(usize, usize), [u32; 2]>,
    /// Where each game stands that was given out.
    places: HashMap<u32, (usize, usize, bool)>,
}

impl Schedule {
    /// The schedule of a tournament that has not begun. With `repeat`, two games in a row have the
    /// same opening.
    #[must_use]
    pub fn new(
        format: TournamentFormat,
        players: usize,
        rounds: u32,
        games: u32,
        repeat: bool,
    ) -> Self {
        Self {
            format,
            players,
            rounds,
            games,
            repeat,
            sheets: Vec::new(),
            place: (0, 0, 0),
            number: 0,
            pair: 0,
            part: 1..=u32::MAX,
            played: HashSet::new(),
            results: ScheduleResults::default(),
        }
    }

    /// The schedule of a tournament, from its beginning.
    #[must_use]
    pub fn from_setup(setup: &TournamentSetup) -> Self {
        let TournamentSetup { tournament, engines, rounds, games, repeat, .. } = setup;
        Self::new(*tournament, engines.len(), *rounds, *games, *repeat)
    }

    /// The same schedule, of which only the games of these numbers are given out; each stays what
    /// it is. For formats whose pairings do not depend on results.
    #[must_use]
    pub fn restrict_to(self, part: RangeInclusive<u32>) -> Self {
        Self { part, ..self }
    }

    /// How many games there are in all, or in the part, where that does not depend on results.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        let encounters = match self.format {
            TournamentFormat::RoundRobin => self.players * (self.players - 1) / 2,
            TournamentFormat::Gauntlet => self.players - 1,
            TournamentFormat::Swiss => self.players / 2,
            TournamentFormat::Knockout => return None,
        };
        let total = encounters as u64 * u64::from(self.rounds) * u64::from(self.games);
        let last = total.min(u64::from(*self.part.end()));
        Some((last + 1).saturating_sub(u64::from(*self.part.start())))
    }

    fn openings_each(&self) -> u32 {
        if self.repeat { self.games.div_ceil(2) } else { self.games }
    }

    /// Says that a game was played in an earlier run, be it of this part or not; it is not given out
    /// again, and its result counts when its turn comes.
    pub fn mark_played(&mut self, number: u32) {
        self.played.insert(number);
    }

    /// Tells the result of a game that was given out.
    pub fn record_result(&mut self, number: u32, result: Option<Outcome>) {
        let Some((sheet, encounter, swapped)) = self.results.places.remove(&number) else { return };
        if !self.format.needs_results() {
            return;
        }
        let points = self.results.encounters.entry((sheet, encounter)).or_default();
        let gained = match result {
            Some(Outcome::Win(side)) => {
                let mut gained = [0; 2];
                gained[side.index()] = 2;
                gained
            }
            Some(Outcome::Draw) => [1; 2],
            None => [0; 2],
        };
        points[0] += gained[usize::from(swapped)];
        points[1] += gained[usize::from(!swapped)];
    }

    /// The next game, and whether it was played in an earlier run: then its result must be reported
    /// before the next is asked for.
    pub fn next_game(&mut self) -> (NextGame, bool) {
        loop {
            if self.number >= *self.part.end() && self.played.is_empty() {
                return (NextGame::Done, false);
            }
            let (sheet, encounter, game) = self.place;
            if sheet == self.sheets.len() {
                match self.new_sheet() {
                    Some(encounters) => self.sheets.push(encounters),
                    None if self.results.places.is_empty() => return (NextGame::Done, false),
                    None if self.format.needs_results() => return (NextGame::Wait, false),
                    None => return (NextGame::Done, false),
                }
                continue;
            }
            let Some(meeting) = self.sheets[sheet].get(encounter).copied() else {
                self.place = (sheet + 1, 0, 0);
                if !self.format.needs_results() {
                    // Nobody looks back, and there may be a million rounds.
                    self.sheets[sheet] = Vec::new();
                }
                continue;
            };
            self.place = match game + 1 {
                next if next < self.games => (sheet, encounter, next),
                _ => (sheet, encounter + 1, 0),
            };
            self.number += 1;
            let is_second = self.repeat && game % 2 == 1;
            self.pair += u32::from(!is_second);
            // Sides change from game to game; where an encounter has an odd number of them, from
            // encounter to encounter and from sheet to sheet too.
            let turn = if self.games % 2 == 1 { sheet + encounter } else { 0 };
            let swapped = (turn + game as usize) % 2 == 1;
            let [first, second] = meeting.players;
            let each = if self.repeat { game / 2 } else { game };
            let plan = GamePlan {
                number: self.number,
                round: meeting.round,
                pair: self.pair,
                players: if swapped { [second, first] } else { [first, second] },
                opening: sheet as u32 * self.openings_each() + each,
            };
            let was_played = self.played.remove(&self.number);
            if !was_played && !self.part.contains(&self.number) {
                continue;
            }
            self.results.places.insert(self.number, (sheet, encounter, swapped));
            return (NextGame::Game(plan), was_played);
        }
    }

    /// The encounters of the next sheet; `None` when there is none, or none yet.
    fn new_sheet(&self) -> Option<Vec<Pairing>> {
        let round = self.sheets.len() as u32 + 1;
        match self.format {
            TournamentFormat::RoundRobin => (round <= self.rounds).then(|| self.everyone(round)),
            TournamentFormat::Gauntlet => (round <= self.rounds).then(|| {
                let against = |other| Pairing { round, players: [0, other] };
                (1..self.players).map(against).collect()
            }),
            TournamentFormat::Swiss => {
                (round <= self.rounds && self.results.places.is_empty()).then(|| self.swiss(round))
            }
            TournamentFormat::Knockout => self.knockout(),
        }
    }

    /// Everyone against everyone, each pair once.
    fn everyone(&self, round: u32) -> Vec<Pairing> {
        let all = 0..self.players;
        all.clone()
            .flat_map(|first| all.clone().skip(first + 1).map(move |second| [first, second]))
            .map(|players| Pairing { round, players })
            .collect()
    }

    /// Half points of the first and the second player of an encounter.
    fn points(&self, sheet: usize, encounter: usize) -> [u32; 2] {
        self.results.encounters.get(&(sheet, encounter)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::pairings::TIE_BREAKS;
    use super::*;
    use crate::rules::Side;

    /// Plays a tournament in which the lower place always wins, `parallel` games at a time.
    fn play(schedule: &mut Schedule, parallel: usize) -> Vec<GamePlan> {
        let mut open = Vec::new();
        let mut all = Vec::new();
        loop {
            match schedule.next_game() {
                (NextGame::Game(plan), _) => {
                    open.push(plan.clone());
                    all.push(plan);
                    if open.len() < parallel {
                        continue;
                    }
                }
                (NextGame::Done, _) if open.is_empty() => return all,
                (NextGame::Wait, _) => assert!(!open.is_empty(), "waits for nothing"),
                (NextGame::Done, _) => {}
            }
            let plan: GamePlan = open.remove(0);
            let [first, second] = plan.players;
            let winner = if first < second { Side::P1 } else { Side::P2 };
            schedule.record_result(plan.number, Some(Outcome::Win(winner)));
        }
    }

    fn schedule(format: TournamentFormat, players: usize, rounds: u32) -> Schedule {
        Schedule::new(format, players, rounds, 2, true)
    }

    #[test]
    fn everyone_meets_everyone_from_both_sides() {
        let mut own = schedule(TournamentFormat::RoundRobin, 4, 3);
        let plans = play(&mut own, 3);
        assert_eq!(own.total(), Some(36));
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
    fn without_repeat_each_game_has_its_opening() {
        let plans = play(&mut Schedule::new(TournamentFormat::RoundRobin, 2, 2, 2, false), 1);
        let openings: Vec<u32> = plans.iter().map(|plan| plan.opening).collect();
        assert_eq!(openings, [0, 1, 2, 3]);
        let pairs: Vec<u32> = plans.iter().map(|plan| plan.pair).collect();
        assert_eq!(pairs, [1, 2, 3, 4]);
    }

    /// However many games an encounter has, everybody plays either side as often, or nearly.
    #[test]
    fn sides_change_where_encounters_have_an_odd_number_of_games() {
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
    fn a_gauntlet_is_run_by_the_first() {
        let plans = play(&mut schedule(TournamentFormat::Gauntlet, 4, 2), 2);
        assert_eq!(plans.len(), 12);
        assert!(plans.iter().all(|plan| plan.players.contains(&0)));
    }

    #[test]
    fn the_best_seed_wins_a_knockout_of_any_size() {
        for players in 2..10 {
            for parallel in [1, 3] {
                let plans = play(&mut schedule(TournamentFormat::Knockout, players, 2), parallel);
                // Each match has two rounds of two games, and each player but one loses one.
                assert_eq!(plans.len(), 4 * (players - 1), "{players}");
                let last = plans.last().unwrap().players;
                assert_eq!(last.iter().sum::<usize>(), 1, "{players}: {last:?}");
            }
        }
    }

    #[test]
    fn a_tied_knockout_match_goes_on_and_then_the_seed_decides() {
        let mut own = schedule(TournamentFormat::Knockout, 3, 1);
        let mut games = 0;
        loop {
            match own.next_game().0 {
                NextGame::Game(plan) => {
                    games += 1;
                    own.record_result(plan.number, Some(Outcome::Draw));
                }
                NextGame::Done => break,
                NextGame::Wait => panic!("nothing to wait for"),
            }
        }
        assert_eq!(games, 2 * 2 * (1 + TIE_BREAKS));
    }

    #[test]
    fn nobody_meets_twice_in_a_swiss_tournament_that_is_short_enough() {
        for players in [4, 5, 8, 9] {
            let plans = play(&mut schedule(TournamentFormat::Swiss, players, 3), 2);
            assert_eq!(plans.len(), players / 2 * 3 * 2);
            let met: HashSet<_> = plans.iter().map(|plan| plan.players).collect();
            assert_eq!(met.len(), plans.len());
        }
        assert_eq!(play(&mut schedule(TournamentFormat::Swiss, 2, 3), 1).len(), 6);
    }

    /// A part is what the whole is there, whatever was played before, of it or not.
    #[test]
    fn a_part_has_the_games_of_the_whole() {
        let whole = |format| Schedule::new(format, 4, 3, 3, true);
        for format in [TournamentFormat::RoundRobin, TournamentFormat::Gauntlet] {
            let all = play(&mut whole(format), 1);
            let count = all.len();
            for (first, last) in [(1, 1), (2, 7), (5, count), (count, count), (1, count + 9)] {
                let part = first as u32..=last as u32;
                let meant = &all[first - 1..last.min(count)];
                let mut own = whole(format).restrict_to(part.clone());
                assert_eq!(own.total(), Some(meant.len() as u64));
                assert_eq!(play(&mut own, 2), meant);
                let mut again = whole(format).restrict_to(part);
                (2..=count as u32).step_by(3).for_each(|number| again.mark_played(number));
                let mut given = Vec::new();
                while let (NextGame::Game(plan), was_played) = again.next_game() {
                    assert_eq!(was_played, plan.number % 3 == 2);
                    assert!(was_played || meant.contains(&plan));
                    given.extend(meant.contains(&plan).then_some(plan));
                }
                assert_eq!(given, meant);
            }
        }
    }

    #[test]
    fn a_tournament_that_was_cut_off_goes_on_the_same() {
        for format in TournamentFormat::NAMES.map(|(_, format)| format) {
            let all = play(&mut schedule(format, 6, 2), 1);
            for cut in 0..all.len() {
                let mut again = schedule(format, 6, 2);
                // What was played need not be the first so many games.
                let played: HashSet<u32> = all[..cut]
                    .iter()
                    .filter(|plan| plan.number % 5 != 3)
                    .map(|plan| plan.number)
                    .collect();
                played.iter().for_each(|number| again.mark_played(*number));
                let mut given = Vec::new();
                loop {
                    let (next, was_played) = again.next_game();
                    let NextGame::Game(plan) = next else { break };
                    assert_eq!(was_played, played.contains(&plan.number));
                    let [first, second] = plan.players;
                    let winner = if first < second { Side::P1 } else { Side::P2 };
                    again.record_result(plan.number, Some(Outcome::Win(winner)));
                    given.push(plan);
                }
                assert_eq!(given, all);
            }
        }
    }
}
