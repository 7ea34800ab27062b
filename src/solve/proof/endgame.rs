//! The last plies: plain search to the end of the game.
//!
//! Where few plies are left it takes less time to search them through than to keep books about
//! them; only a small part of what was found is kept, where it is soon to be had.

use super::{ProofGoal, wishes_for_yes};
use crate::rules::Game;
use crate::rules::random::mix64;

/// With so many plies left or fewer, a position is searched through.
pub(super) const PLIES: u32 = 14;
/// What has fewer plies left is searched again sooner than it is looked up.
const WORTH_KEEPING: u32 = 4;
/// How many positions are kept: 256 KiB of them stay close to the processor.
const KEPT: usize = 1 << 15;

/// Searches positions through.
#[derive(Debug)]
pub(super) struct EndgameSearch<M> {
    /// With so many plies left or fewer.
    pub plies: u32,
    /// The moves of the positions on the way, each position's behind those of the one before it,
    /// with how much choice they leave the opponent.
    moves: Vec<(usize, M)>,
    /// Positions that were searched through, each in the place that its key gives it. The last bit
    /// of the key makes room for whether the mover gets what it wishes.
    kept: Box<[u64]>,
}

impl<M: Copy> EndgameSearch<M> {
    pub(super) fn new() -> Self {
        Self { plies: PLIES, moves: Vec::new(), kept: vec![0; KEPT].into() }
    }

    pub(super) fn clear(&mut self) {
        self.kept.fill(0);
    }

    /// Whether the mover gets what it wishes; `None` when `count` said no to one more node.
    pub(super) fn search<G: Game<Move = M>>(
        &mut self,
        pos: &G,
        question: ProofGoal,
        count: &mut impl FnMut() -> bool,
    ) -> Option<bool> {
        if !count() {
            return None;
        }
        match question.known(pos) {
            Some(answer) => Some(answer == wishes_for_yes(pos)),
            None => self.search_open(pos, question, count),
        }
    }

    /// The same where the rules alone do not tell.
    fn search_open<G: Game<Move = M>>(
        &mut self,
        pos: &G,
        question: ProofGoal,
        count: &mut impl FnMut() -> bool,
    ) -> Option<bool> {
        let key = (pos.key() ^ mix64(question as u64)) & !1;
        let keep = pos.max_plies_left().is_some_and(|left| left >= WORTH_KEEPING);
        let place = (key >> 1) as usize % KEPT;
        if keep && self.kept[place] & !1 == key {
            return Some(self.kept[place] & 1 == 1);
        }
        let first = self.moves.len();
        let wish = self.try_moves(pos, question, count);
        self.moves.truncate(first);
        if keep && let Some(wish) = wish {
            self.kept[place] = key | u64::from(wish);
        }
        wish
    }

    /// First what the rules decide at once, of all moves; then one move after the other, beginning
    /// with those that leave the opponent the least choice.
    fn try_moves<G: Game<Move = M>>(
        &mut self,
        pos: &G,
        question: ProofGoal,
        count: &mut impl FnMut() -> bool,
    ) -> Option<bool> {
        let first = self.moves.len();
        for mv in pos.legal_moves() {
            if !count() {
                return None;
            }
            let child = pos.after(mv);
            match question.known(&child) {
                Some(answer) if answer == wishes_for_yes(pos) => return Some(true),
                Some(_) => {}
                None => self.moves.push((child.move_count(), mv)),
            }
        }
        self.moves[first..].sort_by_key(|(replies, _)| *replies);
        for index in first..self.moves.len() {
            let child = pos.after(self.moves[index].1);
            if !self.search_open(&child, question, count)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::super::prover::tests::late;
    use super::*;
    use crate::games::{TixTax, TixTaxOpen};
    use crate::solve::reference::negamax;

    fn finds_what_is_true<G: Game>() {
        let mut tail = EndgameSearch::new();
        let search = |pos: &G, question, tail: &mut EndgameSearch<G::Move>| {
            let mut nodes = 0;
            let mut count = || {
                nodes += 1;
                true
            };
            (tail.search(pos, question, &mut count), nodes)
        };
        for pos in late::<G>(60, 10) {
            let value = negamax(&pos).value();
            for question in [ProofGoal::Wins, ProofGoal::Holds] {
                let wish = Some(value >= question.aim(pos.side()));
                let (found, nodes) = search(&pos, question, &mut tail);
                assert_eq!(found, wish, "{pos} {question:?}");
                // Once it is known it is known at once, until it is forgotten.
                let again = search(&pos, question, &mut tail);
                assert_eq!(again, (wish, 1), "{pos} {question:?}");
                tail.clear();
                assert!(search(&pos, question, &mut tail).1 >= nodes);
            }
        }
    }

    #[test]
    fn all_is_searched_through_once() {
        finds_what_is_true::<TixTax>();
        finds_what_is_true::<TixTaxOpen>();
    }

    #[test]
    fn who_is_told_to_stop_finds_nothing_and_keeps_nothing_wrong() {
        let mut tail = EndgameSearch::new();
        for pos in late::<TixTax>(20, 10) {
            let question = ProofGoal::Wins;
            let mut left = 10;
            let mut count = || {
                left -= 1;
                left >= 0
            };
            if tail.search(&pos, question, &mut count).is_none() {
                let wish = negamax(&pos).value() >= question.aim(pos.side());
                assert_eq!(tail.search(&pos, question, &mut || true), Some(wish), "{pos}");
            }
        }
    }
}
