//! Solves Nim: Sprague–Grundy theory gives the winner, a table over sorted heaps the distance.
//!
//! The Grundy value of a heap is its size; the side to move loses if and only if the sizes of all heaps
//! xor to 0. The theory gives no distances, so those are computed by minimax over multisets of heaps,
//! which are few.

use std::collections::HashMap;

use arrayvec::ArrayVec;

use super::ExactSolver;
use crate::games::Nim;
use crate::rules::ExactValue;

/// Sorted sizes of the non-empty heaps.
type Multiset = ArrayVec<u8, 8>;

/// Solves [`Nim`].
#[derive(Debug, Default)]
pub struct SpragueGrundy {
    /// Plies to the end when the winner plays fast and the loser delays.
    distances: HashMap<Multiset, u16>,
}

impl ExactSolver<Nim> for SpragueGrundy {
    fn exact(&mut self, pos: &Nim) -> ExactValue {
        self.value(sorted(pos.heaps()))
    }

    fn position_count(&self) -> usize {
        self.distances.len()
    }
}

impl SpragueGrundy {
    fn value(&mut self, heaps: Multiset) -> ExactValue {
        let is_lost = heaps.iter().fold(0, |sum, heap| sum ^ heap) == 0;
        let plies = self.distance(heaps);
        if is_lost { ExactValue::Loss(plies) } else { ExactValue::Win(plies) }
    }

    fn distance(&mut self, heaps: Multiset) -> u16 {
        if let Some(plies) = self.distances.get(&heaps) {
            return *plies;
        }
        let best = moves(&heaps).map(|child| self.value(child).before_move()).max();
        let plies = best.and_then(ExactValue::plies).unwrap_or(0);
        self.distances.insert(heaps, plies);
        plies
    }
}

fn sorted(heaps: impl Iterator<Item = u8>) -> Multiset {
    let mut heaps: Multiset = heaps.filter(|size| *size > 0).collect();
    heaps.sort_unstable();
    heaps
}

/// The multisets one move away; of equal heaps only one is moved.
fn moves(heaps: &[u8]) -> impl Iterator<Item = Multiset> {
    let distinct =
        (0..heaps.len()).filter(|index| *index == 0 || heaps[*index] != heaps[index - 1]);
    distinct.flat_map(move |index| {
        (0..heaps[index]).map(move |option| {
            let changed = |(at, size): (usize, &u8)| if at == index { option } else { *size };
            sorted(heaps.iter().enumerate().map(changed))
        })
    })
}
