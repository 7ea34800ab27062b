//! The references of `zermelo rate`: this program at fixed strengths, limited by nodes and not by time, so
//! that they are as strong on every machine.

use super::Ladder;
use crate::statistics::Reference;
use crate::thinking::registry;

/// Returns the names of the references of a game, and the ladder that they make; `None` if the game has no
/// scale.
pub fn ladder(game: &str, precision: f64) -> Option<(Vec<&'static str>, Ladder)> {
    let measured =
        registry::find(game).ok()?.references.lines().map(read_line).collect::<Option<Vec<_>>>()?;
    let (names, references): (Vec<_>, Vec<_>) = measured.into_iter().unzip();
    (!names.is_empty()).then_some((names, Ladder { precision, references }))
}

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
