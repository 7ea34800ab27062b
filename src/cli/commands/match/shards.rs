//! Tournaments played in shards: `--dry-run` describes what can be split, `--game-range` selects games.

use std::io::{self, Write};
use std::ops::RangeInclusive;

use serde::Serialize;

use crate::arena::tournament::book::Book;
use crate::arena::tournament::schedule::Schedule;
use crate::arena::tournament::tournament_setup::TournamentSetup;
use crate::cli::error::CliError;
use crate::cli::print_error;
use crate::records::{RecordFormat, SCHEMA};

/// What a script needs to split a tournament into shards, as JSON.
#[derive(Serialize)]
struct TournamentPlan<'a> {
    schema: u32,
    games: Option<u64>,
    /// The header line of its JSON lines.
    head: &'a str,
}

/// Checks the settings and prints the plan of the tournament.
pub(super) fn print_plan(mut setup: TournamentSetup) -> Result<(), CliError> {
    Book::open(&setup)?.note_digest(&mut setup)?;
    warn_about_cap(&setup);
    let header = RecordFormat::Json.header(&setup);
    let plan = TournamentPlan {
        schema: SCHEMA,
        games: Schedule::from_setup(&setup).total(),
        head: header.trim_end(),
    };
    let line = serde_json::to_string(&plan).map_err(io::Error::from)?;
    Ok(writeln!(io::stdout(), "{line}")?)
}

/// Reports on stderr that the tournament has more games than can be numbered.
pub(super) fn warn_about_cap(setup: &TournamentSetup) {
    if let Some(games) = Schedule::from_setup(setup).games_before_cap() {
        let last = u32::MAX;
        print_error(&format_args!(
            "--rounds and --games ask for {games} games, but only the first {last} can be played"
        ));
    }
}

/// Parses `FROM-TO` or `FROM`, numbers of games.
pub(super) fn parse_range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.parse().ok().filter(|number| *number > 0);
    match (number(first), number(last)) {
        (Some(first), Some(last)) => Ok(first..=last),
        _ => Err("expected FROM-TO or FROM, numbers of games from 1".to_owned()),
    }
}

/// Writes a range of games as `--game-range` reads it.
pub(super) fn range_text(games: &RangeInclusive<u32>) -> String {
    match (games.start(), games.end()) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}-{last}"),
    }
}

/// Returns the games that `--game-range` selects, clipped to the last game of the tournament.
pub(super) fn select_games(
    setup: &TournamentSetup,
    games: &RangeInclusive<u32>,
) -> Result<RangeInclusive<u32>, CliError> {
    let total = Schedule::from_setup(setup).total().unwrap_or_default();
    let (first, last) = (*games.start(), *games.end());
    if first > last {
        return Err(CliError::Usage(format!(
            "\"{first}-{last}\" for --game-range ends before it begins, expected FROM-TO within the games \
             of the tournament, 1-{total}"
        )));
    }
    match u32::try_from(total) {
        Ok(total) if total >= first => Ok(first..=last.min(total)),
        // Beyond the last game the shard is empty.
        _ => Ok(first..=last),
    }
}
