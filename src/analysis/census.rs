//! Counts positions, classes of symmetric positions and move sequences, ply by ply.
//!
//! Only one position of each class is expanded: all positions of a class occur at the same plies and
//! have equally many continuations.

use std::collections::HashMap;

use serde_json::{Value as Json, json};

use crate::rules::{Game, Outcome, Side, perft};

/// The census stops before a ply that could have more classes than this, to answer within a moment.
const MAX_CLASSES: u64 = 1_000_000;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PlyCounts {
    /// Plies from the start.
    pub ply: u32,
    /// Move sequences of this length.
    pub sequences: u64,
    /// Distinct positions, if known.
    pub positions: Option<u64>,
    /// Positions up to symmetry.
    pub classes: u64,
    pub finished: OutcomeCounts,
    /// Sequences that end the game, by outcome.
    pub games: OutcomeCounts,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OutcomeCounts {
    /// Won by the first player.
    pub first: u64,
    /// Won by the second player.
    pub second: u64,
    pub drawn: u64,
}

impl OutcomeCounts {
    pub fn sum(self) -> u64 {
        self.first + self.second + self.drawn
    }

    /// Adds to the count of an outcome.
    pub fn add(&mut self, outcome: Outcome, count: u64) {
        *match outcome {
            Outcome::Win(Side::P1) => &mut self.first,
            Outcome::Win(Side::P2) => &mut self.second,
            Outcome::Draw => &mut self.drawn,
        } += count;
    }

    pub fn plus(self, other: Self) -> Self {
        Self {
            first: self.first + other.first,
            second: self.second + other.second,
            drawn: self.drawn + other.drawn,
        }
    }
}

pub struct Census<G> {
    /// Counts from ply 0 on.
    pub plies: Vec<PlyCounts>,
    last_ply: HashMap<u64, PositionClass<G>>,
}

/// Counts the positions and move sequences after `start`, for at most `plies` plies; stops early when
/// all games have ended or the counts get too large.
pub fn census<G: Game>(start: &G, plies: u32) -> Census<G> {
    let mut counts = Vec::new();
    let mut classes =
        HashMap::from([(start.key(), PositionClass { pos: *start, sequences: 1, size: 1 })]);
    // Unless the start is symmetric, images of reachable positions need not be reachable.
    let symmetric = orbit(start).len() == 1;
    for ply in 0..=plies {
        counts.push(count_ply(ply, &classes, symmetric));
        let width = classes.values().map(|class| class.pos.move_count() as u64).sum::<u64>();
        if width == 0 || width > MAX_CLASSES || ply == plies {
            break;
        }
        classes = next_ply(&classes);
    }
    Census { plies: counts, last_ply: classes }
}

impl<G: Game> Census<G> {
    /// Counts the move sequences that go `plies` plies beyond the last ply.
    pub fn sequences_beyond(&self, plies: u32) -> u64 {
        self.last_ply.values().map(|class| class.sequences * perft(&class.pos, plies)).sum()
    }
}

struct PositionClass<G> {
    pos: G,
    sequences: u64,
    /// The number of distinct positions in the class.
    size: u64,
}

/// The distinct keys of all symmetric images.
fn orbit<G: Game>(pos: &G) -> Vec<u64> {
    let mut keys: Vec<u64> = (0..G::SYMMETRIES).map(|symmetry| pos.image_key(symmetry)).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn next_ply<G: Game>(classes: &HashMap<u64, PositionClass<G>>) -> HashMap<u64, PositionClass<G>> {
    let mut next = HashMap::new();
    for class in classes.values() {
        for mv in class.pos.legal_moves() {
            let pos = class.pos.after(mv);
            let keys = orbit(&pos);
            let size = keys.len() as u64;
            let entry = next.entry(keys[0]).or_insert(PositionClass { pos, sequences: 0, size });
            entry.sequences = entry.sequences.saturating_add(class.sequences);
        }
    }
    next
}

fn count_ply<G: Game>(
    ply: u32,
    classes: &HashMap<u64, PositionClass<G>>,
    symmetric: bool,
) -> PlyCounts {
    let mut counts = PlyCounts { ply, classes: classes.len() as u64, ..PlyCounts::default() };
    counts.positions = symmetric.then_some(0);
    for class in classes.values() {
        counts.sequences = counts.sequences.saturating_add(class.sequences);
        if let Some(positions) = &mut counts.positions {
            *positions += class.size;
        }
        if let Some(outcome) = class.pos.outcome() {
            counts.games.add(outcome, class.sequences);
            if symmetric {
                counts.finished.add(outcome, class.size);
            }
        }
    }
    counts
}

/// The counts as rows of a table, followed by `beyond` more plies with their sequences only.
pub fn ply_table<G: Game>(census: &Census<G>, beyond: u32) -> Json {
    let row = |counts: &PlyCounts| {
        let PlyCounts { ply, sequences, positions, classes, .. } = *counts;
        json!({ "ply": ply, "sequences": sequences, "positions": positions, "classes": classes })
    };
    let last = census.plies.last().map_or(0, |counts| counts.ply);
    let beyond = (1..=beyond).map(|further| {
        let sequences = census.sequences_beyond(further);
        json!({ "ply": last + further, "sequences": sequences, "positions": null, "classes": null })
    });
    census.plies.iter().map(row).chain(beyond).collect()
}
