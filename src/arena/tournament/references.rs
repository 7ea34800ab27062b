//! The references of `zermelo rate`: this program at fixed strengths, limited by nodes and not by time, so
//! that they are as strong on every machine.

use super::ladder::Ladder;
use crate::arena::engines::key_values::{KeyValueError, KeyValues};
use crate::arena::engines::setup::{EngineSetup, Protocol};
use crate::arena::statistics::Reference;
use crate::thinking::registry;

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
    let measured =
        registry::find(game).ok()?.references.lines().map(read_line).collect::<Option<Vec<_>>>()?;
    let (names, references): (Vec<_>, Vec<_>) = measured.into_iter().unzip();
    if names.is_empty() {
        return None;
    }
    let engines = names.into_iter().map(engine).collect::<Result<_, _>>();
    Some(engines.map(|engines| (engines, Ladder { precision, references })))
}

/// The games with a scale.
#[must_use]
pub fn rated_games() -> Vec<&'static str> {
    registry::ids(|game| !game.references.is_empty())
}

/// Reads a line such as `level-3 0.1 1267 21`, as `research/references.py` measured it: a name, the seconds of a
/// game, the Elo and half the width of the 95 % interval.
fn read_line(line: &str) -> Option<(&str, Reference)> {
    let (name, numbers) = line.split_once(' ')?;
    let numbers = numbers.split(' ').map(|number| number.parse().ok());
    let [seconds, elo, margin] = numbers.collect::<Option<Vec<f64>>>()?.try_into().ok()?;
    Some((name, Reference { elo, margin, seconds }))
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
