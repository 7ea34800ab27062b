//! Merges the records of shards of a tournament into what a single run would have written.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use super::error::JournalError;
use super::journal;
use super::replay;
use super::tournament_setup::TournamentSetup;
use crate::printing::printable_path;
use crate::records::GameRecord;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Merged {
    pub setup: TournamentSetup,
    /// The games in the order of their numbers.
    pub games: Vec<GameRecord>,
    /// Files without a complete header.
    pub empty: Vec<PathBuf>,
}

/// Merges records of one tournament, text or JSON lines. A game in several files is taken from the
/// first of them.
/// Fails if a file cannot be read, or if files belong to different tournaments or contradict each
/// other.
pub(crate) fn merge(paths: &[PathBuf]) -> Result<Merged, JournalError> {
    let mut merged: Option<(&Path, TournamentSetup)> = None;
    let mut games: BTreeMap<u32, (&Path, GameRecord)> = BTreeMap::new();
    let mut empty = Vec::new();
    for path in paths {
        let mut conflict = None;
        let setup = journal::read(path, &mut |game| match games.entry(game.number) {
            Entry::Vacant(place) => {
                place.insert((path, game.clone()));
            }
            Entry::Occupied(place) => {
                let (first, known) = place.get();
                if let Some(what) = find_conflict(known, game) {
                    conflict.get_or_insert((game.number, what, *first));
                }
            }
        })?;
        let Some(setup) = setup else {
            empty.push(path.clone());
            continue;
        };
        merged = Some(match merged {
            None => (path, setup),
            Some((first, earlier)) => match earlier.merge_with(&setup) {
                Ok(setup) => (first, setup),
                Err(difference) => {
                    let difference =
                        difference.swapped().describe("in the former", "in the latter");
                    return Err(JournalError::Unusable(format!(
                        "{} and {} are records of different tournaments ({difference})",
                        printable_path(path),
                        printable_path(first)
                    )));
                }
            },
        });
        if let Some((number, what, first)) = conflict {
            return Err(JournalError::Unusable(format!(
                "game {number} differs between {} and {}: not the same {what}; leave out one of the \
                 two",
                printable_path(first),
                printable_path(path)
            )));
        }
    }
    let (_, setup) = merged.ok_or_else(|| {
        let reason = "no file has a complete header, expected records of shards of a tournament";
        JournalError::Unusable(reason.to_owned())
    })?;
    let games: Vec<GameRecord> = games.into_values().map(|(_, game)| game).collect();
    games.iter().try_for_each(replay::check).map_err(JournalError::Unusable)?;
    journal::check_games(&setup, &games).map_err(JournalError::Unusable)?;
    Ok(Merged { setup, games, empty })
}

/// Returns what differs between two records of a game, if anything. Times and search information
/// may differ, since the game may have been played twice.
fn find_conflict(known: &GameRecord, other: &GameRecord) -> Option<&'static str> {
    let start = |game: &GameRecord| (game.fen.clone(), game.second_begins);
    let moves = |game: &GameRecord| game.moves.iter().map(|mv| mv.mv.clone()).collect::<Vec<_>>();
    if known.players != other.players {
        Some("players")
    } else if start(known) != start(other) {
        Some("start position")
    } else if moves(known) != moves(other) {
        Some("moves")
    } else if known.result != other.result {
        Some("result")
    } else {
        None
    }
}

impl Merged {
    /// Returns the missing numbers below the greatest one.
    pub(crate) fn missing(&self) -> Vec<RangeInclusive<u32>> {
        let mut missing = Vec::new();
        let mut next = 1;
        for game in &self.games {
            if game.number > next {
                missing.push(next..=game.number - 1);
            }
            next = game.number.saturating_add(1);
        }
        missing
    }
}
