//! The last plies: plain search to the end of the game.
//!
//! Where few plies are left it takes less time to search them through than to keep books about
//! them.

use super::Question;
use crate::rules::{Game, Side};

/// With so many plies left or fewer, a position is searched through.
pub(super) const PLIES: u32 = 14;

/// Whether the mover gets what it wishes; `None` when `count` said no to one more node. Moves that
/// leave the opponent the least choice come first.
pub(super) fn search<G: Game>(
    pos: &G,
    question: Question,
    count: &mut impl FnMut() -> bool,
) -> Option<bool> {
    if !count() {
        return None;
    }
    if let Some(answer) = question.known(pos) {
        return Some(answer == (pos.side() == Side::P1));
    }
    let mut moves = pos.legal_moves();
    moves.sort_by_key(|mv| pos.reply_count(*mv));
    for mv in moves {
        if !search(&pos.after(mv), question, count)? {
            return Some(true);
        }
    }
    Some(false)
}
