//! Move ordering: the earlier the best move is searched, the more alpha-beta prunes.
//!
//! The TT move comes first, then killer moves (refutations found in sibling nodes), then the rest
//! by history: how often a move caused a cutoff for this side, whatever the position, and how often
//! as the answer to the opponent's last move. Unsafe moves, which let the opponent win at once, come
//! last.

use super::parameters;
use crate::rules::{Game, Move, Side};
use crate::search::points::MAX_PLY;

const TT_MOVE: i32 = i32::MAX;
const KILLERS: [i32; 2] = [i32::MAX - 1, i32::MAX - 2];
/// The score of an unsafe move, which lets the opponent win at once.
pub(super) const UNSAFE: i32 = i32::MIN;
/// History scores stay within this bound.
const HISTORY_LIMIT: i32 = 1 << 14;

pub(super) type ScoredMoves<M> = Vec<(i32, M)>;

/// The killers and the history of one search.
#[derive(Debug, Clone)]
pub(super) struct MoveOrdering<G: Game> {
    /// One move list per ply, lent to the nodes of the current line to avoid allocation.
    lists: Vec<ScoredMoves<G::Move>>,
    killers: Vec<[Option<G::Move>; 2]>,
    history: [Vec<i32>; 2],
    /// Counter-move history: a row of moves for each move of the opponent.
    answers: Vec<i32>,
}

impl<G: Game> MoveOrdering<G> {
    pub(super) fn new() -> Self {
        const { assert!(G::MOVE_CODES < u16::MAX as usize, "the table keeps codes in 16 bits") };
        let history = [(); 2].map(|()| vec![0; G::MOVE_CODES]);
        let lists = vec![ScoredMoves::new(); MAX_PLY + 1];
        let answers = vec![0; G::MOVE_CODES * G::MOVE_CODES];
        Self { lists, killers: vec![[None; 2]; MAX_PLY + 1], history, answers }
    }

    /// Returns the legal moves with their scores, to be picked by [`pick_next`] and given back by
    /// [`MoveOrdering::return_list`].
    pub(super) fn take_scored_moves(
        &mut self,
        pos: &G,
        tt_move: Option<u16>,
        last_move: u16,
        ply: usize,
    ) -> ScoredMoves<G::Move> {
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.clear();
        let history = &self.history[pos.side().index()];
        let answers = &self.answers[usize::from(last_move) * G::MOVE_CODES..];
        let killers = self.killers[ply];
        let has_unsafe = pos.safe_move_count() < pos.move_count();
        let score = |mv: G::Move| {
            let code = mv.code();
            if has_unsafe && pos.is_unsafe(mv) {
                UNSAFE
            } else if tt_move == Some(code as u16) {
                TT_MOVE
            } else if let Some(slot) = killers.iter().position(|killer| *killer == Some(mv)) {
                KILLERS[slot]
            } else {
                history[code] + answers[code]
            }
        };
        let moves = pos.legal_moves();
        list.extend(moves.iter().map(|mv| (score(*mv), *mv)));
        list
    }

    /// Returns a list for the next node at the same ply.
    pub(super) fn return_list(&mut self, list: ScoredMoves<G::Move>, ply: usize) {
        self.lists[ply] = list;
    }

    /// Records a beta cutoff: the move becomes a killer and gains history, the moves tried before
    /// it lose history.
    pub(super) fn record_cutoff(
        &mut self,
        side: Side,
        last_move: u16,
        ply: usize,
        depth: i32,
        mv: G::Move,
        tried: impl Iterator<Item = G::Move>,
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            killers[1] = killers[0].replace(mv);
        }
        let bonus = (depth * depth * parameters::history_bonus() / 1000)
            .min(parameters::history_max_bonus());
        let history = &mut self.history[side.index()];
        let answers = &mut self.answers[usize::from(last_move) * G::MOVE_CODES..];
        let mut update = |mv: G::Move, bonus| {
            update_history(&mut history[mv.code()], bonus);
            update_history(&mut answers[mv.code()], bonus);
        };
        update(mv, bonus);
        tried.for_each(|other| update(other, -bonus));
    }
}

/// Returns the share of `most` that a move's history deserves, negative for a bad one. Killers and the
/// TT move get all of it.
pub(super) fn history_share(score: i32, most: i32) -> i32 {
    most * score.clamp(-HISTORY_LIMIT, HISTORY_LIMIT) / HISTORY_LIMIT
}

/// Adds a bonus to a history score, with gravity: the nearer the score is to the limit, the less it
/// changes. Scores stay within the limit because 32 times the largest bonus does.
fn update_history(score: &mut i32, bonus: i32) {
    *score += 32 * bonus - *score * (32 * bonus).abs() / HISTORY_LIMIT;
}

/// Selection sort step: swaps the best of the moves from `index` on to `index` and returns it, if there is one.
pub(super) fn pick_next<M: Copy>(moves: &mut [(i32, M)], index: usize) -> Option<M> {
    let (mut best, mut highest) = (index, moves.get(index)?.0);
    for (other, (score, _)) in moves.iter().enumerate().skip(index + 1) {
        if *score > highest {
            (best, highest) = (other, *score);
        }
    }
    moves.swap(index, best);
    Some(moves[index].1)
}
