//! Positions after random moves.

use super::{Game, SplitMix};

/// Plays random moves from `start` until at most `plies` plies are left or the game is over, which
/// gives positions that an exhaustive search can solve.
#[must_use]
pub fn random_late_position<G: Game>(start: G, plies: u32, random: &mut SplitMix) -> G {
    let mut pos = start;
    while pos.outcome().is_none() && pos.max_plies_left().is_some_and(|left| left > plies) {
        pos.play_unchecked(pos.random_move(random));
    }
    pos
}

/// Plays `plies` random moves from `start`; `None` if the game is over then or earlier.
#[must_use]
pub fn after_random_moves<G: Game>(start: G, plies: usize, random: &mut SplitMix) -> Option<G> {
    let mut pos = start;
    for _ in 0..plies {
        if pos.outcome().is_some() {
            return None;
        }
        pos.play_unchecked(pos.random_move(random));
    }
    pos.outcome().is_none().then_some(pos)
}
