//! Pairings that depend on results: Swiss system and knockout.

use std::collections::{HashMap, HashSet};

use super::{Pairing, Schedule};

/// The number of tie-break batches in a knockout before the seeding decides.
pub(super) const TIE_BREAKS: usize = 3;

/// Swiss pairing.
impl Schedule {
    /// Pairs players with similar points, avoiding rematches if possible. With an odd number of
    /// players the lowest-ranked one without a bye gets a bye, which counts as a win.
    pub(super) fn swiss(&self, round: u32) -> Vec<Pairing> {
        let mut points = vec![0; self.players];
        let mut met = HashSet::new();
        let mut had_bye = HashSet::new();
        for (batch, pairings) in self.batches.iter().enumerate() {
            let mut playing = HashSet::new();
            for (index, pairing) in pairings.iter().enumerate() {
                for (player, gained) in pairing.players.iter().zip(self.half_points(batch, index)) {
                    points[*player] += gained;
                    playing.insert(*player);
                }
                let [first, second] = pairing.players;
                met.extend([(first, second), (second, first)]);
            }
            for player in (0..self.players).filter(|player| !playing.contains(player)) {
                points[player] += 2 * self.games;
                had_bye.insert(player);
            }
        }
        let mut order: Vec<usize> = (0..self.players).collect();
        order.sort_by_key(|player| (std::cmp::Reverse(points[*player]), *player));
        if order.len() % 2 == 1 {
            let may_have_bye = |player: &usize| !had_bye.contains(player);
            let bye = order.iter().rposition(may_have_bye).unwrap_or(order.len() - 1);
            order.remove(bye);
        }
        // Enough for any real tournament; beyond that, allow rematches of neighbours.
        let mut tries = 100_000;
        let pairs = pair_up(&order, &met, &mut tries)
            .unwrap_or_else(|| order.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect());
        pairs.into_iter().map(|players| Pairing { round, players }).collect()
    }
}

/// Pairs the first player with the nearest one it has not met, then the rest, with backtracking.
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
    /// The next batch of a knockout. Each stage has `rounds` batches and, for tied pairings, up to
    /// [`TIE_BREAKS`] more; if still tied, the better seed advances.
    pub(super) fn knockout(&self) -> Option<Vec<Pairing>> {
        let mut remaining = bracket(self.players);
        let mut batch = 0;
        let mut round = 0;
        while remaining.len() > 1 {
            round += 1;
            let slots: Vec<[Option<usize>; 2]> =
                remaining.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
            let both_present =
                |pair: &[Option<usize>; 2]| pair[0].zip(pair[1]).map(|(a, b)| [a, b]);
            let pairs: Vec<[usize; 2]> = slots.iter().filter_map(both_present).collect();
            let pairings = |players: &[[usize; 2]]| {
                players.iter().map(|players| Pairing { round, players: *players }).collect()
            };
            for _ in 0..self.rounds {
                if batch == self.batches.len() {
                    return Some(pairings(&pairs));
                }
                batch += 1;
            }
            if !self.running.is_empty() && batch == self.batches.len() {
                return None;
            }
            let first = batch - self.rounds as usize;
            let mut lead = self.leads(first..batch, &pairs);
            for _ in 0..TIE_BREAKS {
                let tied: Vec<[usize; 2]> =
                    pairs.iter().copied().filter(|pair| lead.get(pair) == Some(&0)).collect();
                if tied.is_empty() {
                    break;
                }
                if batch == self.batches.len() {
                    return Some(pairings(&tied));
                }
                batch += 1;
                if !self.running.is_empty() && batch == self.batches.len() {
                    return None;
                }
                lead.extend(self.leads(batch - 1..batch, &tied));
            }
            let winner = |pair: [Option<usize>; 2]| match pair {
                [Some(first), Some(second)] => match lead.get(&[first, second]) {
                    Some(0) | None => Some(first.min(second)),
                    Some(lead) => Some(if *lead > 0 { first } else { second }),
                },
                [one, other] => one.or(other),
            };
            remaining = slots.into_iter().map(winner).collect();
        }
        None
    }

    /// The lead in half points of the first player of each pair over some batches.
    fn leads(
        &self,
        batches: std::ops::Range<usize>,
        pairs: &[[usize; 2]],
    ) -> HashMap<[usize; 2], i64> {
        let mut leads: HashMap<_, _> = pairs.iter().map(|pair| (*pair, 0)).collect();
        for batch in batches {
            for (index, pairing) in self.batches[batch].iter().enumerate() {
                let [first, second] = self.half_points(batch, index).map(i64::from);
                if let Some(lead) = leads.get_mut(&pairing.players) {
                    *lead += first - second;
                }
            }
        }
        leads
    }
}

/// Seeding order of a knockout bracket: the top two seeds can only meet in the final, and the byes
/// go to the top seeds.
fn bracket(players: usize) -> Vec<Option<usize>> {
    let mut seeds = vec![0];
    while seeds.len() < players {
        let size = 2 * seeds.len();
        seeds = seeds.into_iter().flat_map(|seed| [seed, size - 1 - seed]).collect();
    }
    seeds.into_iter().map(|seed| (seed < players).then_some(seed)).collect()
}
