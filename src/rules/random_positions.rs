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

/// Returns a random start and the random moves to an unfinished position: `plies` of them, or those before
/// the last one of a shorter game.
pub(crate) fn random_unfinished<G: Game>(seed: u64, plies: usize) -> (G, Vec<G::Move>) {
    let mut random = SplitMix::new(seed);
    loop {
        let start = G::random_start(&mut random);
        if start.outcome().is_some() {
            continue;
        }
        let (mut pos, mut moves) = (start, Vec::new());
        while moves.len() < plies {
            let mv = pos.random_move(&mut random);
            pos.play_unchecked(mv);
            if pos.outcome().is_some() {
                break;
            }
            moves.push(mv);
        }
        return (start, moves);
    }
}
