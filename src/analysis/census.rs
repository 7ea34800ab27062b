//! How many positions there are ply by ply, how many differ by more than symmetry, and how many
//! ways lead to them.
//!
//! Only one position of each class under the symmetries is looked at: all others of the class lie
//! as many moves behind the start and have as many ways on.

use std::collections::HashMap;

use super::{Datum, Section};
use crate::rules::{Game, Outcome, Side, perft};

/// No ply is begun that could have more classes than this: more would take more than a moment.
const MOST: u64 = 1_000_000;

/// What there is so many plies from the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PlyCounts {
    /// How many plies.
    pub ply: u32,
    /// How many sequences of moves lead here.
    pub sequences: u64,
    /// How many different positions there are, where that is known; …
    pub positions: Option<u64>,
    /// … up to symmetry.
    pub classes: u64,
    /// How many of the positions are finished, where that is known, …
    pub finished: OutcomeCounts,
    /// … and how many of the sequences.
    pub games: OutcomeCounts,
}

/// How games end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OutcomeCounts {
    /// The first player has won.
    pub first: u64,
    /// The second player has.
    pub second: u64,
    /// Nobody has.
    pub drawn: u64,
}

impl OutcomeCounts {
    /// All ends.
    #[must_use]
    pub fn sum(self) -> u64 {
        self.first + self.second + self.drawn
    }

    /// Counts some more.
    pub fn add(&mut self, outcome: Outcome, count: u64) {
        *match outcome {
            Outcome::Win(Side::P1) => &mut self.first,
            Outcome::Win(Side::P2) => &mut self.second,
            Outcome::Draw => &mut self.drawn,
        } += count;
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            first: self.first + other.first,
            second: self.second + other.second,
            drawn: self.drawn + other.drawn,
        }
    }
}

/// What was counted.
pub struct Census<G> {
    /// Ply by ply, from the position itself on.
    pub levels: Vec<PlyCounts>,
    /// What the last level consists of.
    last: HashMap<u64, Class<G>>,
}

/// Counts from a position on up to `plies`, to the end of all games, or as far as can be counted in
/// a moment.
#[must_use]
pub fn census<G: Game>(start: &G, plies: u32) -> Census<G> {
    let mut levels = Vec::new();
    let mut classes = HashMap::from([(start.key(), Class { pos: *start, sequences: 1, size: 1 })]);
    // If images of the start are positions of their own, those of other positions need not be
    // within reach.
    let symmetric = orbit(start).len() == 1;
    for ply in 0..=plies {
        levels.push(level(ply, &classes, symmetric));
        let width = classes.values().map(|class| class.pos.move_count() as u64).sum::<u64>();
        if width == 0 || width > MOST || ply == plies {
            break;
        }
        classes = step(&classes);
    }
    Census { levels, last: classes }
}

impl<G: Game> Census<G> {
    /// How many sequences of moves lead so many plies beyond the last level.
    #[must_use]
    pub fn sequences_beyond(&self, plies: u32) -> u64 {
        self.last.values().map(|class| class.sequences * perft(&class.pos, plies)).sum()
    }
}

/// A position of a class, and how many ways lead to the class.
struct Class<G> {
    pos: G,
    sequences: u64,
    /// How many positions there are in the class.
    size: u64,
}

/// The keys of all images, without doubles.
fn orbit<G: Game>(pos: &G) -> Vec<u64> {
    let mut keys: Vec<u64> = (0..G::SYMMETRIES).map(|symmetry| pos.image_key(symmetry)).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The classes one ply on.
fn step<G: Game>(classes: &HashMap<u64, Class<G>>) -> HashMap<u64, Class<G>> {
    let mut next = HashMap::new();
    for class in classes.values() {
        for mv in class.pos.legal_moves() {
            let pos = class.pos.after(mv);
            let keys = orbit(&pos);
            let size = keys.len() as u64;
            let entry = next.entry(keys[0]).or_insert(Class { pos, sequences: 0, size });
            entry.sequences += class.sequences;
        }
    }
    next
}

fn level<G: Game>(ply: u32, classes: &HashMap<u64, Class<G>>, symmetric: bool) -> PlyCounts {
    let mut level = PlyCounts { ply, classes: classes.len() as u64, ..PlyCounts::default() };
    level.positions = symmetric.then_some(0);
    for class in classes.values() {
        level.sequences += class.sequences;
        if let Some(positions) = &mut level.positions {
            *positions += class.size;
        }
        if let Some(outcome) = class.pos.outcome() {
            level.games.add(outcome, class.sequences);
            if symmetric {
                level.finished.add(outcome, class.size);
            }
        }
    }
    level
}

/// The counts as a table, with those of some plies beyond, for which only sequences are counted.
#[must_use]
pub fn section<G: Game>(census: &Census<G>, beyond: u32) -> Section {
    let columns = [
        ("ply", "plies"),
        ("sequences", "sequences of moves"),
        ("positions", "positions"),
        ("classes", "up to symmetry"),
    ];
    let mut table = Section::table("plies", "Ply by ply", &columns);
    for level in &census.levels {
        let PlyCounts { ply, sequences, positions, classes, .. } = *level;
        table.row(vec![ply.into(), sequences.into(), positions.into(), classes.into()]);
    }
    let last = census.levels.last().map_or(0, |level| level.ply);
    for further in 1..=beyond {
        let sequences = census.sequences_beyond(further);
        let unknown = || Datum::Nothing;
        table.row(vec![(last + further).into(), sequences.into(), unknown(), unknown()]);
    }
    table
}
