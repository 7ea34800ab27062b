//! Endgame search: plain depth-first search of positions close to the end of the game.
//!
//! With few plies left, searching to the end is faster than keeping proof numbers. A small cache of
//! results avoids repeated work.

use super::{ProofGoal, mover_pursues_goal};
use crate::rules::Game;
use crate::rules::random::mix64;

/// Positions with at most this many plies left are searched to the end.
pub(super) const PLIES: u32 = 14;
/// Positions with fewer plies left are searched again faster than looked up.
const MIN_CACHED_PLIES: u32 = 6;
/// The number of cached results; 256 KiB fit into the processor's second-level cache.
const CACHE_SIZE: usize = 1 << 15;

/// Whether the cache keeps the results of positions with this many plies left.
fn is_cached(plies_left: Option<u32>) -> bool {
    plies_left.is_some_and(|left| left >= MIN_CACHED_PLIES)
}

/// Searches positions to the end of the game.
#[derive(Debug)]
pub(super) struct EndgameSearch<M> {
    /// Positions with at most this many plies left are searched to the end.
    pub plies: u32,
    /// A stack of the moves to try at each node of the path.
    moves: Vec<EndgameMove<M>>,
    /// Results of searched positions, a direct-mapped cache. The lowest bit of each key is replaced by
    /// the result.
    cache: Box<[u64]>,
}

#[derive(Debug, Clone, Copy)]
struct EndgameMove<M> {
    mv: M,
    /// The estimated number of safe replies; moves with the fewest are searched first.
    safe_replies: usize,
    is_quiet: bool,
}

impl<M: Copy> EndgameSearch<M> {
    /// Fails if the cache cannot be allocated.
    pub(super) fn new() -> Result<Self, ()> {
        let cache = bytemuck::allocation::try_zeroed_slice_box(CACHE_SIZE)?;
        Ok(Self { plies: PLIES, moves: Vec::new(), cache })
    }

    pub(super) fn clear(&mut self) {
        self.cache.fill(0);
    }

    /// Returns whether the side to move reaches its target, or `None` if `count_node` returned `false`
    /// and the search was aborted.
    pub(super) fn search<G: Game<Move = M>>(
        &mut self,
        pos: &G,
        goal: ProofGoal,
        count_node: &mut impl FnMut() -> bool,
    ) -> Option<bool> {
        if !count_node() {
            return None;
        }
        match goal.result_by_rules(pos) {
            Some(achieved) => Some(achieved == mover_pursues_goal(pos)),
            None => {
                let value_key = is_cached(pos.max_plies_left()).then(|| pos.value_key());
                self.search_undecided(pos, value_key, goal, count_node)
            }
        }
    }

    /// Searches a position that the rules alone do not decide. `value_key` is its key if its result is
    /// cached.
    fn search_undecided<G: Game<Move = M>>(
        &mut self,
        pos: &G,
        value_key: Option<u64>,
        goal: ProofGoal,
        count_node: &mut impl FnMut() -> bool,
    ) -> Option<bool> {
        let key = value_key.map(|key| (key ^ mix64(goal as u64)) & !1);
        let slot = |key: u64| (key >> 1) as usize % CACHE_SIZE;
        if let Some(key) = key
            && let cached = self.cache[slot(key)]
            && cached & !1 == key
        {
            return Some(cached & 1 == 1);
        }
        let first = self.moves.len();
        let result = self.try_moves(pos, value_key, goal, count_node);
        self.moves.truncate(first);
        if let (Some(key), Some(proven)) = (key, result) {
            self.cache[slot(key)] = key | u64::from(proven);
        }
        result
    }

    /// Checks all moves for positions that the rules decide, then searches the others, those with the
    /// fewest safe replies first.
    fn try_moves<G: Game<Move = M>>(
        &mut self,
        pos: &G,
        value_key: Option<u64>,
        goal: ProofGoal,
        count_node: &mut impl FnMut() -> bool,
    ) -> Option<bool> {
        let first = self.moves.len();
        for mv in pos.legal_moves() {
            if !count_node() {
                return None;
            }
            let quiet = pos.quiet_move(mv);
            match goal.result_after(pos, mv, quiet) {
                Some(achieved) if achieved == mover_pursues_goal(pos) => return Some(true),
                Some(_) => {}
                None => {
                    let safe_replies = pos.after(mv).safe_move_count();
                    self.moves.push(EndgameMove { mv, safe_replies, is_quiet: quiet.is_some() });
                }
            }
        }
        self.moves[first..].sort_by_key(|entry| entry.safe_replies);
        for index in first..self.moves.len() {
            let EndgameMove { mv, is_quiet, .. } = self.moves[index];
            let mut child = *pos;
            child.play_unchecked(mv);
            let child_key = match value_key {
                Some(key) if is_cached(child.max_plies_left()) => {
                    Some(if is_quiet { key ^ pos.value_key_xor(mv) } else { child.value_key() })
                }
                _ => None,
            };
            if !self.search_undecided(&child, child_key, goal, count_node)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::super::prover::tests::late_positions;
    use super::*;
    use crate::games::{TixTax, TixTaxCount, TixTaxOpen};
    use crate::solve::reference::negamax;

    fn agrees_with_negamax<G: Game>() {
        let mut endgame = EndgameSearch::new().unwrap();
        let search = |pos: &G, goal, endgame: &mut EndgameSearch<G::Move>| {
            let mut nodes = 0;
            let mut count_node = || {
                nodes += 1;
                true
            };
            (endgame.search(pos, goal, &mut count_node), nodes)
        };
        for pos in late_positions::<G>(60, 10) {
            let value = negamax(&pos).value();
            for goal in ProofGoal::ALL {
                let expected = Some(value >= goal.target(pos.side()));
                let (result, nodes) = search(&pos, goal, &mut endgame);
                assert_eq!(result, expected, "{pos} {goal:?}");
                // The second search is a cache hit, until the cache is cleared.
                let cached = search(&pos, goal, &mut endgame);
                assert_eq!(cached, (expected, 1), "{pos} {goal:?}");
                endgame.clear();
                assert!(search(&pos, goal, &mut endgame).1 >= nodes);
            }
        }
    }

    #[test]
    fn results_agree_with_negamax_and_are_cached() {
        agrees_with_negamax::<TixTax>();
        agrees_with_negamax::<TixTaxOpen>();
        agrees_with_negamax::<TixTaxCount>();
    }

    #[test]
    fn aborted_search_returns_nothing_and_caches_nothing_wrong() {
        let mut endgame = EndgameSearch::new().unwrap();
        for pos in late_positions::<TixTax>(20, 10) {
            let goal = ProofGoal::Win;
            let mut left = 10;
            let mut count_node = || {
                left -= 1;
                left >= 0
            };
            if endgame.search(&pos, goal, &mut count_node).is_none() {
                let expected = negamax(&pos).value() >= goal.target(pos.side());
                assert_eq!(endgame.search(&pos, goal, &mut || true), Some(expected), "{pos}");
            }
        }
    }
}
