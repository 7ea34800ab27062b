//! Solves sums of heaps: Sprague–Grundy theory gives the winner, a table over sorted heaps the
//! distance.
//!
//! The Grundy value of a heap is the least number that is not the Grundy value of one of its
//! options; the side to move loses exactly when the values of all heaps xor to 0. The theory gives
//! no distances, so those are computed by minimax over multisets of heaps, which are few.

use std::collections::HashMap;

use arrayvec::ArrayVec;

use super::Oracle;
use crate::rules::{ExactValue, HeapSum};

/// Sorted sizes of the non-empty heaps.
type Multiset = ArrayVec<u8, 16>;

/// Solves sums of at most 16 heaps.
#[derive(Debug, Default)]
pub struct SpragueGrundy {
    /// Grundy values indexed by heap size, extended on demand.
    grundy: Vec<u8>,
    /// Plies to the end when the winner plays fast and the loser delays.
    distances: HashMap<Multiset, u16>,
}

impl<G: HeapSum> Oracle<G> for SpragueGrundy {
    const HAS_DRAWS: bool = false;

    fn exact(&mut self, pos: &G) -> ExactValue {
        let heaps = sorted(pos.heaps());
        self.extend_grundy::<G>(heaps.iter().copied().max().unwrap_or(0));
        self.value::<G>(heaps)
    }

    fn position_count(&self) -> usize {
        self.distances.len()
    }
}

impl SpragueGrundy {
    /// Computes the Grundy values of all heap sizes up to `size`.
    fn extend_grundy<G: HeapSum>(&mut self, size: u8) {
        for size in self.grundy.len()..=usize::from(size) {
            let options: Vec<u8> = G::heap_options(size as u8)
                .map(|option| self.grundy[usize::from(option)])
                .collect();
            let least_missing = (0..=u8::MAX).find(|value| !options.contains(value));
            self.grundy.push(least_missing.unwrap_or(u8::MAX));
        }
    }

    fn is_lost(&self, heaps: &[u8]) -> bool {
        heaps.iter().fold(0, |sum, heap| sum ^ self.grundy[usize::from(*heap)]) == 0
    }

    fn value<G: HeapSum>(&mut self, heaps: Multiset) -> ExactValue {
        let lost = self.is_lost(&heaps);
        let plies = self.distance::<G>(heaps);
        if lost { ExactValue::Loss(plies) } else { ExactValue::Win(plies) }
    }

    fn distance<G: HeapSum>(&mut self, heaps: Multiset) -> u16 {
        if let Some(plies) = self.distances.get(&heaps) {
            return *plies;
        }
        let best = moves::<G>(&heaps).map(|child| self.value::<G>(child).before_move()).max();
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
fn moves<G: HeapSum>(heaps: &[u8]) -> impl Iterator<Item = Multiset> {
    let distinct =
        (0..heaps.len()).filter(|index| *index == 0 || heaps[*index] != heaps[index - 1]);
    distinct.flat_map(move |index| {
        G::heap_options(heaps[index]).map(move |option| {
            let changed = |(at, size): (usize, &u8)| if at == index { option } else { *size };
            sorted(heaps.iter().enumerate().map(changed))
        })
    })
}
