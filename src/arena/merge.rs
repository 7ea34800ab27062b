//! Parts of one tournament that were played apart, joined to what one run would have written.
//!
//! The parts are read as the journal reads them, in either form, and left as they are. Imports the
//! journal, the record and the setup.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use super::journal::{self, JournalError};
use super::record::GameRecord;
use super::setup::{SetupDifference, TournamentSetup};

/// What the parts come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The tournament.
    pub setup: TournamentSetup,
    /// The games, in the order of their numbers.
    pub games: Vec<GameRecord>,
    /// Files in which nothing is whole, not even the head.
    pub empty: Vec<PathBuf>,
}

/// Why files cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// One cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// One is of another tournament.
    #[error(
        "{path} is no part of the tournament in {first}, {what} differs: {theirs} there, {ours} \
         in {first}"
    )]
    Different {
        /// The file.
        path: PathBuf,
        /// The first file.
        first: PathBuf,
        /// What differs.
        what: String,
        /// What stands in the file.
        theirs: String,
        /// What stands in the first.
        ours: String,
    },
    /// Two tell one game differently.
    #[error(
        "game {number} is one game in {first} and another in {second}, {what} differ; leave one \
         of the two away"
    )]
    Contradiction {
        /// The game.
        number: u32,
        /// What differs.
        what: &'static str,
        /// A file.
        first: PathBuf,
        /// A file that was read later.
        second: PathBuf,
    },
    /// There is nothing to join.
    #[error("nothing whole is in the files, expected records of parts of a tournament")]
    Nothing,
}

/// Joins the records of parts of a tournament, be they text or lines of JSON. A game that stands in
/// several of them counts once, as the first tells it.
///
/// # Errors
/// When a file cannot be read, they are not of one tournament, or two tell one game differently.
pub fn merge(paths: &[PathBuf]) -> Result<Merged, MergeError> {
    let mut whole: Option<(&Path, TournamentSetup)> = None;
    let mut games: BTreeMap<u32, (&Path, GameRecord)> = BTreeMap::new();
    let mut empty = Vec::new();
    for path in paths {
        let mut contradiction = None;
        let setup = journal::read(path, &mut |game| match games.entry(game.number) {
            Entry::Vacant(place) => {
                place.insert((path, game.clone()));
            }
            Entry::Occupied(place) => {
                let (first, known) = place.get();
                if let Some(what) = contradiction_of(known, game) {
                    contradiction.get_or_insert((game.number, what, *first));
                }
            }
        })?;
        let Some(setup) = setup else {
            empty.push(path.clone());
            continue;
        };
        whole = Some(match whole {
            None => (path, setup),
            Some((first, whole)) => match whole.join(&setup) {
                Ok(joined) => (first, joined),
                Err(SetupDifference { what, theirs: ours, ours: theirs }) => {
                    let (path, first) = (path.clone(), first.to_owned());
                    return Err(MergeError::Different { path, first, what, theirs, ours });
                }
            },
        });
        if let Some((number, what, first)) = contradiction {
            let (first, second) = (first.to_owned(), path.clone());
            return Err(MergeError::Contradiction { number, what, first, second });
        }
    }
    let (_, setup) = whole.ok_or(MergeError::Nothing)?;
    let games = games.into_values().map(|(_, game)| game).collect();
    Ok(Merged { setup, games, empty })
}

/// In what two accounts cannot be of one game. Times and thoughts may differ: it may have been
/// played twice.
fn contradiction_of(known: &GameRecord, other: &GameRecord) -> Option<&'static str> {
    let start = |game: &GameRecord| (game.fen.clone(), game.second_begins);
    let moves = |game: &GameRecord| game.moves.iter().map(|mv| mv.mv.clone()).collect::<Vec<_>>();
    if known.players != other.players {
        Some("the players")
    } else if start(known) != start(other) {
        Some("the start positions")
    } else if moves(known) != moves(other) {
        Some("the moves")
    } else if known.result != other.result {
        Some("the results")
    } else {
        None
    }
}

impl Merged {
    /// Numbers below the greatest of which there is no game.
    #[must_use]
    pub fn missing(&self) -> Vec<RangeInclusive<u32>> {
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
