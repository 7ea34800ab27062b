//! Who meets whom where that depends on results: Swiss pairing and knockout. Imports the schedule
//! that it belongs to.

use std::collections::{HashMap, HashSet};

use super::{Pairing, Schedule};

/// So often a tied encounter of a knockout is continued before the seeding decides.
pub(super) const TIE_BREAKS: usize = 3;

/// Swiss pairing.
impl Schedule {
    /// Those with about as many points meet, nobody twice while it can be helped. With an odd
    /// number of players the lowest who has not rested rests, and is counted as having won.
    pub(super) fn swiss(&self, round: u32) -> Vec<Pairing> {
        let mut points = vec![0; self.players];
        let mut met = HashSet::new();
        let mut rested = HashSet::new();
        for (sheet, encounters) in self.sheets.iter().enumerate() {
            let mut playing = HashSet::new();
            for (index, encounter) in encounters.iter().enumerate() {
                for (player, gained) in encounter.players.iter().zip(self.points(sheet, index)) {
                    points[*player] += gained;
                    playing.insert(*player);
                }
                let [first, second] = encounter.players;
                met.extend([(first, second), (second, first)]);
            }
            for player in (0..self.players).filter(|player| !playing.contains(player)) {
                points[player] += 2 * self.games;
                rested.insert(player);
            }
        }
        let mut order: Vec<usize> = (0..self.players).collect();
        order.sort_by_key(|player| (std::cmp::Reverse(points[*player]), *player));
        if order.len() % 2 == 1 {
            let is_fresh = |player: &usize| !rested.contains(player);
            let resting = order.iter().rposition(is_fresh).unwrap_or(order.len() - 1);
            order.remove(resting);
        }
        // So many tries are enough for any real tournament; beyond, neighbours may meet again.
        let mut tries = 100_000;
        let pairs = pair_up(&order, &met, &mut tries)
            .unwrap_or_else(|| order.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect());
        pairs.into_iter().map(|players| Pairing { round, players }).collect()
    }
}

/// Pairs the first with the nearest it has not met, then the rest.
fn pair_up(
    order: &[usize],
    met: &HashSet<(usize, usize)>,
    tries: &mut u32,
) -> Option<Vec<[usize; 2]>> {
    let Some((first, rest)) = order.split_first() else { return Some(Vec::new()) };
    for (index, other) in rest.iter().enumerate() {
        if met.contains(&(*first, *other)) {
            continue;
        }
        *tries = tries.checked_sub(1)?;
        let others: Vec<usize> = [&rest[..index], &rest[index + 1..]].concat();
        if let Some(mut pairs) = pair_up(&others, met, tries) {
            pairs.insert(0, [*first, *other]);
            return Some(pairs);
        }
    }
    None
}

/// Knockout.
impl Schedule {
    /// The next sheet of a knockout. A level has `rounds` sheets and, for those who are level, up
    /// to [`TIE_BREAKS`] more; the better seed passes if that does not decide.
    pub(super) fn knockout(&self) -> Option<Vec<Pairing>> {
        let mut alive = bracket(self.players);
        let mut sheet = 0;
        let mut round = 0;
        while alive.len() > 1 {
            round += 1;
            let matches: Vec<[Option<usize>; 2]> =
                alive.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
            let meeting = |pair: &[Option<usize>; 2]| pair[0].zip(pair[1]).map(|(a, b)| [a, b]);
            let real: Vec<[usize; 2]> = matches.iter().filter_map(meeting).collect();
            let encounters = |players: &[[usize; 2]]| {
                players.iter().map(|players| Pairing { round, players: *players }).collect()
            };
            for _ in 0..self.rounds {
                if sheet == self.sheets.len() {
                    return Some(encounters(&real));
                }
                sheet += 1;
            }
            if !self.results.places.is_empty() && sheet == self.sheets.len() {
                return None;
            }
            let first = sheet - self.rounds as usize;
            let mut lead = self.leads(first..sheet, &real);
            for _ in 0..TIE_BREAKS {
                let tied: Vec<[usize; 2]> =
                    real.iter().copied().filter(|pair| lead.get(pair) == Some(&0)).collect();
                if tied.is_empty() {
                    break;
                }
                if sheet == self.sheets.len() {
                    return Some(encounters(&tied));
                }
                sheet += 1;
                if !self.results.places.is_empty() && sheet == self.sheets.len() {
                    return None;
                }
                lead.extend(self.leads(sheet - 1..sheet, &tied));
            }
            let winner = |pair: [Option<usize>; 2]| match pair {
                [Some(first), Some(second)] => match lead.get(&[first, second]) {
                    Some(0) | None => Some(first.min(second)),
                    Some(lead) => Some(if *lead > 0 { first } else { second }),
                },
                [one, other] => one.or(other),
            };
            alive = matches.into_iter().map(winner).collect();
        }
        None
    }

    /// By how many half points the first of each pair leads in some sheets.
    fn leads(
        &self,
        sheets: std::ops::Range<usize>,
        pairs: &[[usize; 2]],
    ) -> HashMap<[usize; 2], i64> {
        let mut leads: HashMap<_, _> = pairs.iter().map(|pair| (*pair, 0)).collect();
        for sheet in sheets {
            for (index, encounter) in self.sheets[sheet].iter().enumerate() {
                let [first, second] = self.points(sheet, index).map(i64::from);
                if let Some(lead) = leads.get_mut(&encounter.players) {
                    *lead += first - second;
                }
            }
        }
        leads
    }
}

/// The seeds in the order of a bracket: the best two can meet only at the end. Free places fall to
/// the best seeds' opponents.
fn bracket(players: usize) -> Vec<Option<usize>> {
    let mut seeds = vec![0];
    while seeds.len() < players {
        let size = 2 * seeds.len();
        seeds = seeds.into_iter().flat_map(|seed| [seed, size - 1 - seed]).collect();
    }
    seeds.into_iter().map(|seed| (seed < players).then_some(seed)).collect()
}
