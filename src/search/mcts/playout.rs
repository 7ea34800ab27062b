//! Playouts: random moves to the end of the game.

use crate::rules::{Game, Outcome, SplitMix};

/// A playout of a game that may never end is a draw after this many plies.
const MAX_PLIES: u32 = 10_000;

/// Plays random moves to the end of the game. In cyclic games `path` contains the keys up to and
/// including this position; a repetition ends the playout as a draw.
#[inline]
pub(super) fn playout<G: Game>(
    mut pos: G,
    path: &mut Vec<u64>,
    twice_seen: &[u64],
    random: &mut SplitMix,
) -> Outcome {
    for _ in 0..MAX_PLIES {
        if let Some(outcome) = pos.outcome() {
            return outcome;
        }
        pos.play_unchecked(pos.random_move(random));
        if G::CYCLIC && is_repetition(&pos, path, twice_seen) {
            return Outcome::Draw;
        }
    }
    Outcome::Draw
}

/// Whether a position repeats one on the path or would occur for the third time in the game;
/// otherwise adds it to the path.
pub(super) fn is_repetition<G: Game>(pos: &G, path: &mut Vec<u64>, twice_seen: &[u64]) -> bool {
    let key = pos.key();
    if path.contains(&key) || twice_seen.contains(&pos.repetition_key()) {
        return true;
    }
    path.push(key);
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{PongHauKi, TixTax};
    use crate::rules::Side;

    #[test]
    fn random_tixtax_slightly_favours_the_first_player() {
        let mut random = SplitMix::new(5);
        let mut wins = [0, 0];
        for _ in 0..20_000 {
            if let Outcome::Win(side) = playout(TixTax::start(), &mut Vec::new(), &[], &mut random)
            {
                wins[side.index()] += 1;
            }
        }
        assert!(wins[Side::P1.index()] > wins[Side::P2.index()]);
        assert!(wins[Side::P2.index()] > 6_000);
    }

    #[test]
    fn playouts_of_cyclic_games_end() {
        let mut random = SplitMix::new(6);
        for _ in 0..1000 {
            let start = PongHauKi::start();
            playout(start, &mut vec![start.key()], &[], &mut random);
        }
    }
}
