//! Which games are evidence: copies of earlier games are recognized, and games form a pair only if
//! they start from the same position.
//!
//! All statistics assume independent games. A game that repeats an earlier one move by move, because
//! both engines are deterministic, shows nothing new. Such games cannot be left out of the counts,
//! since independent games may be equal by chance, too, and leaving those out would distort the
//! score; so their share decides whether the statistics can be trusted.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::printing::plural;
use crate::records::GameRecord;
use crate::thinking::{GameSpec, registry};

/// Below this share of distinct games, in percent, a warning is given.
pub(crate) const WARNING_PERCENT: u64 = 90;

/// Below this share of distinct games, in percent, an SPRT has no verdict.
pub(crate) const VERDICT_PERCENT: u64 = 50;

/// From this many games on, an SPRT with too few distinct ones stops without a verdict; before, this is
/// checked only when the test would decide.
pub(crate) const GAMES_TO_JUDGE: u64 = 20;

/// If the two games are equal in this share of pairs, in percent, or more, a note is given.
pub(crate) const NOTE_PERCENT: u64 = 90;

/// With fewer pairs than this, no note is given.
pub(crate) const PAIRS_TO_JUDGE: u64 = 10;

/// Counts the distinct games of an encounter.
#[derive(Debug, Clone, Default)]
pub(crate) struct EvidenceCounter {
    /// Hashes of start, players and moves.
    seen: HashSet<u64>,
    starts: HashSet<u64>,
    /// The counts, without the players and the number of starts.
    counts: Evidence,
    /// By pair number and start: the place of the first player and a hash of the moves of a game
    /// whose pair is incomplete.
    incomplete: HashMap<(u32, u64), (usize, u64)>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    pub players: [String; 2],
    /// The number of games with a result.
    pub games: u64,
    /// The number of games that are not copies.
    pub distinct: u64,
    pub starts: u64,
    /// The number of pairs in which both games have moves.
    pub pairs: u64,
    /// The number of pairs whose two games have the same moves.
    pub equal_pairs: u64,
    /// Whether all openings of the game are soon played, so that more of them do not help.
    pub has_few_openings: bool,
}

impl EvidenceCounter {
    /// Counts a game with a result. `sides` are the places of its first and second player in the
    /// encounter, 0 or 1.
    pub(crate) fn add(&mut self, game: &GameRecord, sides: [usize; 2]) {
        if self.counts.games == 0 {
            self.counts.has_few_openings =
                registry::find(&game.game).is_ok_and(GameSpec::has_few_openings);
        }
        self.counts.games += 1;
        self.counts.distinct += 1;
        self.starts.insert(hash_of(&game.fen));
        // A game without moves was lost by a fault, for which the engines' choices do not matter.
        if !game.moves.is_empty() {
            let moves: Vec<&str> = game.moves.iter().map(|mv| mv.mv.as_str()).collect();
            let is_new = self.seen.insert(hash_of(&(&game.fen, sides, &moves)));
            self.counts.distinct -= u64::from(!is_new);
            if game.pair != 0 {
                self.count_pair((game.pair, start_hash(game)), sides[0], hash_of(&moves));
            }
        }
    }

    /// Completes a pair, or stores the game until the other one of its pair is added.
    fn count_pair(&mut self, pair: (u32, u64), first_player: usize, moves: u64) {
        match self.incomplete.remove(&pair) {
            Some((other, other_moves)) if other != first_player => {
                self.counts.pairs += 1;
                self.counts.equal_pairs += u64::from(other_moves == moves);
            }
            _ => {
                self.incomplete.insert(pair, (first_player, moves));
            }
        }
    }

    pub(crate) fn evidence(&self, players: [String; 2]) -> Evidence {
        Evidence { players, starts: self.starts.len() as u64, ..self.counts.clone() }
    }
}

pub(crate) fn start_hash(game: &GameRecord) -> u64 {
    hash_of(&game.fen)
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Evidence {
    /// Returns whether an SPRT may not decide on these games.
    pub(crate) fn is_too_thin(&self) -> bool {
        100 * self.distinct < VERDICT_PERCENT * self.games
    }

    /// Returns the note and the warning that apply, one line per part.
    pub(crate) fn remarks(&self) -> Vec<Vec<String>> {
        let note = self.note().map(|line| vec![line]);
        note.into_iter().chain(self.warning().map(Vec::from)).collect()
    }

    /// Returns a note if the two players hardly ever choose different moves.
    pub(crate) fn note(&self) -> Option<String> {
        let Self { pairs, equal_pairs, players: [first, second], .. } = self;
        let is_noted = *pairs >= PAIRS_TO_JUDGE && 100 * equal_pairs >= NOTE_PERCENT * pairs;
        is_noted.then(|| {
            format!(
                "Note: in {equal_pairs} of {pairs} pairs both games have the same moves: {first} \
                 and {second} play identically; are their commands and options the ones you meant?"
            )
        })
    }

    /// Returns a warning with the cause and the remedy if there are many copies, a line for each.
    pub(crate) fn warning(&self) -> Option<[String; 3]> {
        let Self { games, distinct, starts, players: [first, second], .. } = self;
        if 100 * distinct >= WARNING_PERCENT * games {
            return None;
        }
        let percent = (100.0 * *distinct as f64 / *games as f64).round();
        let mut remedies = Vec::new();
        if *starts <= 1 {
            let remedy = "with a CodinGame bot use a larger N in --openings random-moves=N, otherwise do not \
                          use --openings start";
            remedies.push(remedy.to_owned());
        }
        let more_openings = if self.has_few_openings {
            "this game has few openings, so compare the moves with the exact values of zermelo \
             solve, or accept that games repeat"
        } else {
            "use more openings, with more plies in --openings random=PLIES balanced=true or a \
             longer file"
        };
        remedies.push(more_openings.to_owned());
        remedies.push("leave out option.Seed, if it is set".to_owned());
        Some([
            format!(
                "Warning: only {distinct} of {games} games between {first} and {second} are \
                 distinct ({percent} %); repeated games may show nothing new, so the true errors may \
                 be larger than shown"
            ),
            format!(
                "Cause: {} for {}, and engines that repeat their moves or short games that coincide",
                plural(*starts, "start position"),
                plural(*games, "game")
            ),
            format!("Remedy: {}", remedies.join("; ")),
        ])
    }
}

/// Checks that the games of each pair start from the same position, so that the sides' advantages
/// cancel out.
#[derive(Debug, Clone, Default)]
pub struct PairStarts {
    /// By pair: the number of a game and the hash of its start.
    incomplete: HashMap<(u32, [String; 2]), (u32, u64)>,
}

impl PairStarts {
    /// Adds a game.
    /// Returns a message if the other game of its pair started from another position.
    pub(crate) fn add(&mut self, game: &GameRecord) -> Result<(), String> {
        // Games of other programs may have no pairs.
        if game.pair == 0 {
            return Ok(());
        }
        let mut players = game.players.clone();
        players.sort_unstable();
        match self.incomplete.entry((game.pair, players)) {
            Entry::Vacant(entry) => {
                entry.insert((game.number, start_hash(game)));
                Ok(())
            }
            Entry::Occupied(entry) => match entry.remove() {
                (_, start) if start == start_hash(game) => Ok(()),
                // One number twice: two records joined, and not a pair.
                (other, _) if other == game.number => Ok(()),
                (other, _) => Err(format!(
                    "games {} and {} are pair {} but start from different positions, which happens \
                     if the openings change during a tournament",
                    other.min(game.number),
                    other.max(game.number),
                    game.pair
                )),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::MoveRecord;

    fn game(number: u32, players: [&str; 2], moves: &str) -> GameRecord {
        let mv = |text: &str| MoveRecord { mv: text.to_owned(), ..MoveRecord::default() };
        GameRecord {
            number,
            pair: number.div_ceil(2),
            game: "tictactoe".to_owned(),
            players: players.map(str::to_owned),
            fen: "startpos".to_owned(),
            moves: moves.split_whitespace().map(mv).collect(),
            ..GameRecord::default()
        }
    }

    fn evidence_of(games: &[GameRecord]) -> Evidence {
        let mut counter = EvidenceCounter::default();
        for game in games {
            let sides = if game.players[0] == "a" { [0, 1] } else { [1, 0] };
            counter.add(game, sides);
        }
        counter.evidence(["a", "b"].map(str::to_owned))
    }

    #[test]
    fn copies_have_the_same_start_players_and_moves() {
        let first = game(1, ["a", "b"], "a1 b2");
        let mut other_start = first.clone();
        other_start.fen = "3/1x1/3 o".to_owned();
        let mut other_time = first.clone();
        other_time.started = 99;
        other_time.result = Some(crate::rules::Outcome::Draw);
        let faulty = game(3, ["a", "b"], "");
        for (second, distinct) in [
            (first.clone(), 1),
            (other_time, 1),
            (other_start, 2),
            (game(2, ["b", "a"], "a1 b2"), 2),
            (game(2, ["a", "b"], "a1 b2 c3"), 2),
            (game(2, ["a", "b"], "a1b2"), 2),
        ] {
            assert_eq!(
                evidence_of(&[first.clone(), second.clone()]).distinct,
                distinct,
                "{second:?}"
            );
        }
        assert_eq!(evidence_of(&[faulty.clone(), faulty.clone(), faulty]).distinct, 3);
    }

    #[test]
    fn thresholds_are_those_of_the_documentation() {
        for (distinct, games, is_warned, is_too_thin) in [
            (0, 0, false, false),
            (20, 20, false, false),
            (18, 20, false, false),
            (17, 20, true, false),
            (10, 20, true, false),
            (9, 20, true, true),
        ] {
            let evidence = Evidence { games, distinct, ..Evidence::default() };
            assert_eq!(evidence.warning().is_some(), is_warned, "{evidence:?}");
            assert_eq!(evidence.is_too_thin(), is_too_thin, "{evidence:?}");
        }
    }

    #[test]
    fn pairs_of_equal_games_are_counted() {
        let pair = |number: u32, moves: [&str; 2]| {
            let first = game(2 * number - 1, ["a", "b"], moves[0]);
            [first, game(2 * number, ["b", "a"], moves[1])]
        };
        let equal = |count: u32| (1..=count).flat_map(|number| pair(number, ["a1 b2"; 2]));
        let counts = |games: &[GameRecord]| {
            let evidence = evidence_of(games);
            (evidence.equal_pairs, evidence.pairs, evidence.note().is_some())
        };
        assert_eq!(counts(&equal(9).collect::<Vec<_>>()), (9, 9, false));
        let mut games: Vec<_> = equal(9).chain(pair(10, ["a1 b2", "a1 c3"])).collect();
        assert_eq!(counts(&games), (9, 10, true));
        games.extend(pair(11, ["a1 b2", "a1 c3"]));
        assert_eq!(counts(&games), (9, 11, false));
        // The same game twice, other starts and games without moves are not pairs.
        let [first, mut second] = pair(1, ["a1 b2"; 2]);
        assert_eq!(counts(&[first.clone(), first.clone()]), (0, 0, false));
        second.fen = "3/1x1/3 o".to_owned();
        assert_eq!(counts(&[first, second]), (0, 0, false));
        assert_eq!(counts(&pair(1, ["", ""])), (0, 0, false));
    }

    #[test]
    fn more_openings_are_recommended_only_where_there_are_more() {
        let remedy = |has_few_openings| {
            let (games, distinct, starts) = (20, 10, 5);
            let counts = Evidence { games, distinct, starts, ..Evidence::default() };
            let [_, _, remedy] = Evidence { has_few_openings, ..counts }.warning().unwrap();
            remedy
        };
        assert!(remedy(false).contains("use more openings"));
        assert!(remedy(true).contains("zermelo solve") && !remedy(true).contains("PLIES"));
    }

    #[test]
    fn pairs_must_have_one_start() {
        let first = game(1, ["a", "b"], "a1");
        let second = game(2, ["b", "a"], "a1");
        let mut other = second.clone();
        other.fen = "3/1x1/3 o".to_owned();
        let check = |games: &[&GameRecord]| {
            let mut pairs = PairStarts::default();
            games.iter().try_for_each(|game| pairs.add(game))
        };
        assert_eq!(check(&[&first, &second, &first, &second]), Ok(()));
        for games in [[&first, &other], [&other, &first]] {
            assert!(check(&games).unwrap_err().starts_with("games 1 and 2 are pair 1 but start"));
        }
        let mut elsewhere = other.clone();
        elsewhere.players = ["c", "a"].map(str::to_owned);
        let mut without_pair = other;
        without_pair.pair = 0;
        assert_eq!(check(&[&first, &elsewhere, &without_pair]), Ok(()));
    }
}
