//! The moves that the runner chooses for engines (`--openings random-moves=N`). They vary the games of
//! CodinGame bots, which cannot be given a position.

use crate::rules::random::mix64;

/// Chooses the first moves of both players of a game.
///
/// Each choice follows a random ranking of all moves and takes the first legal one. Both games of a pair use the
/// same ranking and so get the same move, unless it is illegal in one of them.
#[derive(Debug, Clone)]
pub(crate) struct BookMoves {
    /// The seed, which the two games of a pair share.
    seed: u64,
    /// The number of moves chosen so far, by player.
    chosen: [usize; 2],
    /// The number of moves to choose, by player.
    count: [usize; 2],
}

impl BookMoves {
    /// Plans the choices of `count` moves of each player, for the opening with this number.
    pub(crate) fn new(tournament_seed: u64, opening: u32, count: [usize; 2]) -> Self {
        Self { seed: mix64(tournament_seed ^ mix64(opening.into())), chosen: [0; 2], count }
    }

    /// Returns the next move of a player; `None` if the player chooses itself.
    pub(crate) fn next<'a>(&mut self, player: usize, legal: &'a [String]) -> Option<&'a str> {
        if self.chosen[player] == self.count[player] {
            return None;
        }
        let seed = mix64(self.seed.wrapping_add(self.chosen[player] as u64));
        self.chosen[player] += 1;
        let rank =
            |mv: &&String| mv.bytes().fold(seed, |hash, byte| mix64(hash ^ (u64::from(byte) + 1)));
        legal.iter().min_by_key(rank).map(String::as_str)
    }
}
