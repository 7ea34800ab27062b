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
    ("random", 0.0, [[672, 56], [629, 62]]),
    ("level-0", 0.0, [[1000, 35], [1000, 37]]),
    ("level-1", 0.0, [[1098, 47], [1116, 34]]),
    ("level-2", 0.0, [[1218, 26], [1253, 33]]),
    ("level-3", 0.0, [[1279, 33], [1311, 38]]),
    ("level-4", 0.0, [[1380, 34], [1444, 41]]),
    ("level-5", 0.0, [[1430, 30], [1511, 29]]),
    ("level-6", 0.0, [[1473, 37], [1629, 56]]),
    ("level-7", 0.0, [[1594, 36], [1694, 31]]),
    ("level-8", 0.1, [[1668, 49], [1774, 37]]),
    ("level-9", 0.1, [[1692, 33], [1908, 58]]),
    ("level-10", 0.1, [[1771, 61], [1980, 52]]),
    ("level-11", 0.2, [[1908, 68], [2103, 59]]),
    ("level-12", 0.3, [[1956, 70], [2174, 70]]),
    ("level-13", 0.4, [[2031, 79], [2326, 72]]),
    ("level-14", 0.6, [[2168, 97], [2358, 98]]),
    ("level-15", 0.9, [[2312, 96], [2545, 122]]),
    ("level-16", 1.4, [[2384, 124], [2370, 135]]),
    ("level-17", 2.1, [[2475, 149], [2788, 169]]),
    ("level-18", 3.2, [[2418, 158], [2850, 158]]),
    ("level-19", 4.8, [[2670, 183], [2889, 184]]),
    ("level-20", 2.2, [[2637, 165], [3138, 225]]),
    ("mcts-100", 0.0, [[1379, 32], [1285, 32]]),
    ("mcts-1000", 0.0, [[1647, 44], [1758, 46]]),
    ("mcts-10000", 0.4, [[1919, 70], [2058, 68]]),
    ("mcts-100000", 3.6, [[2048, 152], [2250, 142]]),
    ("mcts-1000000", 36.0, [[2285, 270], [2671, 265]]),
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
