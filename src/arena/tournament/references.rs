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
    ("random", 0.0, [[672, 56], [628, 62]]),
    ("level-0", 0.0, [[1000, 28], [1000, 31]]),
    ("level-1", 0.0, [[1102, 27], [1096, 29]]),
    ("level-2", 0.0, [[1216, 26], [1226, 27]]),
    ("level-3", 0.0, [[1263, 32], [1302, 29]]),
    ("level-4", 0.0, [[1376, 34], [1428, 32]]),
    ("level-5", 0.0, [[1430, 30], [1486, 29]]),
    ("level-6", 0.0, [[1469, 31], [1608, 29]]),
    ("level-7", 0.0, [[1609, 37], [1659, 30]]),
    ("level-8", 0.1, [[1694, 36], [1722, 31]]),
    ("level-9", 0.1, [[1732, 34], [1789, 31]]),
    ("level-10", 0.1, [[1794, 41], [1876, 39]]),
    ("level-11", 0.2, [[1904, 46], [1996, 49]]),
    ("level-12", 0.3, [[1969, 54], [2098, 55]]),
    ("level-13", 0.4, [[2076, 53], [2244, 62]]),
    ("level-14", 0.6, [[2222, 74], [2234, 71]]),
    ("level-15", 0.9, [[2376, 85], [2372, 89]]),
    ("level-16", 1.4, [[2475, 93], [2357, 91]]),
    ("level-17", 2.1, [[2534, 91], [2653, 102]]),
    ("level-18", 3.2, [[2614, 96], [2797, 106]]),
    ("level-19", 4.8, [[2698, 112], [2806, 110]]),
    ("level-20", 2.2, [[2722, 110], [3080, 162]]),
    ("mcts-100", 0.0, [[1352, 28], [1262, 33]]),
    ("mcts-1000", 0.0, [[1688, 34], [1694, 32]]),
    ("mcts-10000", 0.4, [[1987, 55], [1958, 68]]),
    ("mcts-100000", 3.6, [[2073, 107], [2188, 113]]),
    ("mcts-1000000", 36.0, [[2416, 215], [2556, 192]]),
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
