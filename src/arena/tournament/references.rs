//! The references of `zermelo rate`: this program at fixed strengths, limited by nodes and not by time, so
//! that they are as strong on every machine.

use super::ladder::Ladder;
use crate::arena::engines::key_values::{KeyValueError, KeyValues};
use crate::arena::engines::setup::{EngineSetup, Protocol};
use crate::arena::statistics::Reference;

/// The games with a scale, in the order of the measured ratings.
pub const RATED_GAMES: [&str; 2] = ["tixtax", "tixtax-count"];

/// A reference: its name, the seconds of a game, and in each rated game its Elo and half the width of
/// the 95 % interval.
type Measured = (&'static str, f64, [[u16; 2]; 2]);

/// As `research/references.py` measured them.
const MEASURED: [Measured; 27] = [
    ("random", 0.0, [[691, 44], [625, 51]]),
    ("level-0", 0.0, [[1000, 24], [1000, 25]]),
    ("level-1", 0.0, [[1105, 27], [1123, 22]]),
    ("level-2", 0.0, [[1184, 24], [1247, 21]]),
    ("level-3", 0.0, [[1267, 21], [1334, 23]]),
    ("level-4", 0.0, [[1352, 21], [1445, 21]]),
    ("level-5", 0.0, [[1438, 23], [1511, 23]]),
    ("level-6", 0.0, [[1508, 24], [1584, 26]]),
    ("level-7", 0.0, [[1582, 27], [1676, 25]]),
    ("level-8", 0.1, [[1645, 26], [1751, 28]]),
    ("level-9", 0.1, [[1739, 33], [1744, 33]]),
    ("level-10", 0.1, [[1803, 33], [1826, 33]]),
    ("level-11", 0.2, [[1910, 38], [1949, 42]]),
    ("level-12", 0.3, [[1988, 41], [2073, 48]]),
    ("level-13", 0.4, [[2063, 50], [2143, 51]]),
    ("level-14", 0.6, [[2120, 56], [2314, 63]]),
    ("level-15", 0.9, [[2233, 68], [2404, 70]]),
    ("level-16", 1.4, [[2314, 73], [2531, 75]]),
    ("level-17", 2.1, [[2329, 86], [2622, 86]]),
    ("level-18", 3.2, [[2470, 93], [2669, 94]]),
    ("level-19", 4.8, [[2522, 111], [2740, 109]]),
    ("level-20", 2.2, [[2666, 117], [2902, 122]]),
    ("mcts-100", 0.0, [[1334, 20], [1286, 24]]),
    ("mcts-1000", 0.0, [[1649, 24], [1662, 26]]),
    ("mcts-10000", 0.4, [[1909, 49], [1897, 48]]),
    ("mcts-100000", 3.6, [[2118, 100], [2173, 97]]),
    ("mcts-1000000", 36.0, [[2326, 165], [2332, 174]]),
];

/// The node limit of the levels: that of level 20, which the levels below it do not reach.
const LEVEL_NODES: u32 = 64 << 12;

/// The playouts from which on MCTS needs more than the default memory.
const MANY_PLAYOUTS: usize = 1_000_000;

/// Returns the references of a game as engines, and the ladder that they make; `None` if the game has no
/// scale.
pub fn ladder(
    game: &str,
    precision: f64,
) -> Option<Result<(Vec<EngineSetup>, Ladder), KeyValueError>> {
    let place = RATED_GAMES.iter().position(|rated| *rated == game)?;
    let engines = MEASURED.iter().map(|(name, ..)| engine(name)).collect::<Result<_, _>>();
    let references = MEASURED.iter().map(|(_, seconds, ratings)| {
        let [elo, margin] = ratings[place].map(f64::from);
        Reference { elo, margin, seconds: *seconds }
    });
    let ladder = Ladder { precision, references: references.collect() };
    Some(engines.map(|engines| (engines, ladder)))
}

fn engine(name: &str) -> Result<EngineSetup, KeyValueError> {
    let mut settings = vec![format!("name={name}")];
    match name.split_once('-') {
        Some(("level", level)) => {
            settings
                .extend([format!("option.Skill Level={level}"), format!("nodes={LEVEL_NODES}")]);
        }
        Some((_, playouts)) => {
            settings.extend(["option.Searcher=mcts".to_owned(), format!("nodes={playouts}")]);
            if playouts.parse().is_ok_and(|playouts: usize| playouts >= MANY_PLAYOUTS) {
                settings.push("option.Hash=128".to_owned());
            }
        }
        None => settings.extend(["option.Searcher=random", "nodes=1"].map(str::to_owned)),
    }
    let settings = KeyValues::from_arguments("--engine", &settings)?;
    EngineSetup::from_key_values(&KeyValues::default(), &settings, Protocol::Uci)
}
