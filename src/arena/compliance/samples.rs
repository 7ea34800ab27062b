//! What several steps try an engine with.

use crate::arena::referee::{RefereeBoard, Rules};
use crate::rules::SplitMix;

/// A search of one ply.
pub(super) const SHORTEST: &str = "go depth 1";

/// No game is followed further.
pub(super) const LONGEST_GAME: usize = 1000;

/// The moves of a random game, to its end.
pub(super) fn random_game(rules: Rules, seed: u64) -> Vec<String> {
    let mut random = SplitMix::new(seed);
    let mut board = RefereeBoard::at_start(rules);
    loop {
        let mut legal = board.legal().unwrap_or_default();
        if legal.is_empty() || board.moves().len() >= LONGEST_GAME {
            return board.moves().to_vec();
        }
        let mv = legal.swap_remove(random.below(legal.len()));
        if board.play(&mv).is_err() {
            return board.moves().to_vec();
        }
    }
}
