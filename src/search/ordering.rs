//! Move ordering: the sooner the best move is tried, the less is left to search.
//!
//! First the move the table remembers, then killers (refutations found in sibling nodes),
//! then by history: how often a move caused a cutoff for this side, whatever the position.

use super::score::MAX_PLY;
use crate::rules::{Game, Move, Side};

const REMEMBERED: i32 = i32::MAX;
const KILLERS: [i32; 2] = [i32::MAX - 1, i32::MAX - 2];
/// History values stay within this.
const HISTORY_LIMIT: i32 = 1 << 14;

/// Moves with their ranks.
pub(super) type Ranked<M> = Vec<(i32, M)>;

/// What has been learned about moves during one search.
#[derive(Debug, Clone)]
pub(super) struct MoveOrdering<G: Game> {
    /// Lists lent to the nodes of the current line, one a ply, so that none is made anew.
    lists: Vec<Ranked<G::Move>>,
    killers: Vec<[Option<G::Move>; 2]>,
    history: [Vec<i32>; 2],
}

impl<G: Game> MoveOrdering<G> {
    pub(super) fn new() -> Self {
        const { assert!(G::MOVE_CODES < u16::MAX as usize, "the table keeps codes in 16 bits") };
        let history = [(); 2].map(|()| vec![0; G::MOVE_CODES]);
        let lists = vec![Ranked::new(); MAX_PLY + 1];
        Self { lists, killers: vec![[None; 2]; MAX_PLY + 1], history }
    }

    /// The legal moves of a position with their ranks, to be taken from the best down by [`next`]
    /// and to be given back.
    pub(super) fn take_ranked(
        &mut self,
        pos: &G,
        remembered: Option<u16>,
        ply: usize,
    ) -> Ranked<G::Move> {
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.clear();
        let history = &self.history[pos.side().index()];
        let killers = self.killers[ply];
        let rank = |mv: G::Move| {
            let code = mv.code();
            if remembered == Some(code as u16) {
                REMEMBERED
            } else if let Some(which) = killers.iter().position(|killer| *killer == Some(mv)) {
                KILLERS[which]
            } else {
                history[code]
            }
        };
        list.extend(pos.legal_moves().into_iter().map(|mv| (rank(mv), mv)));
        list
    }

    /// Returns a list for the next node of the same ply.
    pub(super) fn give_back(&mut self, list: Ranked<G::Move>, ply: usize) {
        self.lists[ply] = list;
    }

    /// A move refuted the line: remember it, and hold it against the moves tried before it.
    pub(super) fn cutoff(
        &mut self,
        side: Side,
        ply: usize,
        depth: i32,
        mv: G::Move,
        tried: impl Iterator<Item = G::Move>,
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            killers[1] = killers[0].replace(mv);
        }
        let bonus = (depth * depth).min(400);
        let history = &mut self.history[side.index()];
        reward(&mut history[mv.code()], bonus);
        for other in tried {
            reward(&mut history[other.code()], -bonus);
        }
    }
}

/// Moves a history value towards the bonus; the nearer the limit, the less.
fn reward(value: &mut i32, bonus: i32) {
    *value += 32 * bonus - *value * (32 * bonus).abs() / HISTORY_LIMIT;
}

/// Brings the best of the moves from `index` on to `index`.
pub(super) fn next<M: Copy>(moves: &mut [(i32, M)], index: usize) -> M {
    let mut best = index;
    for other in index + 1..moves.len() {
        if moves[other].0 > moves[best].0 {
            best = other;
        }
    }
    moves.swap(index, best);
    moves[index].1
}
