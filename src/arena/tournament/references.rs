//! The references of `zermelo rate`: this program at fixed strengths, limited by nodes and not by time, so
//! that they are as strong on every machine.

use super::ladder::Ladder;
use crate::arena::engines::key_values::{KeyValueError, KeyValues};
use crate::arena::engines::setup::{EngineSetup, Protocol};
use crate::arena::statistics::Reference;

/// The games with a scale, in the order of the measured ratings.
pub(crate) const RATED_GAMES: [&str; 2] = ["tixtax", "tixtax-count"];

/// A reference: its name, the seconds of a game, and in each rated game its Elo and half the width of
/// the 95 % interval.
type Measured = (&'static str, f64, [[u16; 2]; 2]);

/// As `research/references.py` measured them.
const MEASURED: [Measured; 27] = [
    ("random", 0.0, [[632, 121], [574, 139]]),
    ("level-0", 0.0, [[1000, 66], [1000, 56]]),
    ("level-1", 0.0, [[1101, 47], [1074, 58]]),
    ("level-2", 0.0, [[1220, 56], [1269, 51]]),
    ("level-3", 0.0, [[1286, 46], [1313, 56]]),
    ("level-4", 0.0, [[1368, 47], [1458, 42]]),
    ("level-5", 0.0, [[1400, 54], [1576, 57]]),
    ("level-6", 0.0, [[1438, 56], [1688, 55]]),
    ("level-7", 0.0, [[1588, 54], [1749, 76]]),
    ("level-8", 0.1, [[1666, 49], [1893, 64]]),
    ("level-9", 0.1, [[1728, 56], [1994, 58]]),
    ("level-10", 0.1, [[1784, 59], [2065, 65]]),
    ("level-11", 0.2, [[1898, 67], [2225, 68]]),
    ("level-12", 0.3, [[1929, 102], [2290, 98]]),
    ("level-13", 0.4, [[2007, 120], [2364, 114]]),
    ("level-14", 0.6, [[2132, 118], [2388, 131]]),
    ("level-15", 0.9, [[2306, 189], [2550, 172]]),
    ("level-16", 1.4, [[2457, 199], [2411, 183]]),
    ("level-17", 2.1, [[2545, 165], [2830, 235]]),
    ("level-18", 3.2, [[2598, 236], [2795, 180]]),
    ("level-19", 4.8, [[2688, 239], [2797, 231]]),
    ("level-20", 2.2, [[2697, 205], [3080, 293]]),
    ("mcts-100", 0.0, [[1356, 44], [1248, 49]]),
    ("mcts-1000", 0.0, [[1651, 45], [1845, 46]]),
    ("mcts-10000", 0.4, [[1865, 99], [2183, 99]]),
    ("mcts-100000", 3.6, [[2057, 200], [2328, 220]]),
    ("mcts-1000000", 36.0, [[2322, 282], [2772, 313]]),
];

/// The node limit of the levels: that of level 20, which the levels below it do not reach.
const LEVEL_NODES: u32 = 64 << 12;

/// The playouts from which on MCTS needs more than the default memory.
const MANY_PLAYOUTS: usize = 1_000_000;

/// Returns the references of a game as engines, and the ladder that they make; `None` if the game has no
/// scale.
pub(crate) fn ladder(
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
