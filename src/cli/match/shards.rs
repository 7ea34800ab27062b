//! A tournament that is played in parts: what there is to divide, and which part is meant.

use std::io::{self, Write};
use std::ops::RangeInclusive;

use serde::Serialize;

use super::SettingsError;
use crate::arena::book::Book;
use crate::arena::journal::RecordFormat;
use crate::arena::record::SCHEMA;
use crate::arena::referee::Rules;
use crate::arena::schedule::Schedule;
use crate::arena::setup::TournamentSetup;
use crate::cli::CliError;

/// What a script has to know to divide a tournament.
#[derive(Serialize)]
struct Plan<'a> {
    schema: u32,
    /// How many games there are, where that does not depend on results.
    games: Option<u64>,
    /// Whether it may be played in parts.
    divisible: bool,
    /// The first line of its JSON lines.
    head: &'a str,
}

/// `--plan`: checks the settings and tells what would be played.
pub(super) fn plan(setup: &TournamentSetup, rules: Rules) -> Result<(), CliError> {
    Book::open(setup, rules)?;
    let head = RecordFormat::Json.head(setup);
    let plan = Plan {
        schema: SCHEMA,
        games: Schedule::from_setup(setup).total(),
        divisible: !setup.tournament.needs_results(),
        head: head.trim_end(),
    };
    let line = serde_json::to_string(&plan).map_err(io::Error::from)?;
    Ok(writeln!(io::stdout(), "{line}")?)
}

/// Reads `FROM-TO` or `FROM`, numbers of games.
pub(super) fn read(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.parse().ok().filter(|number| *number > 0);
    match (number(first), number(last)) {
        (Some(first), Some(last)) => Ok(first..=last),
        _ => Err("expected FROM-TO or FROM, numbers of games from 1".to_owned()),
    }
}

/// `--only`: the games that are to be played, no further than to the last.
pub(super) fn part(
    setup: &TournamentSetup,
    only: &RangeInclusive<u32>,
) -> Result<RangeInclusive<u32>, SettingsError> {
    if setup.tournament.needs_results() {
        return Err(SettingsError::Together(format!(
            "--only does not go with --tournament {}, where who meets whom depends on results, \
             expected roundrobin or gauntlet",
            setup.tournament.name()
        )));
    }
    let total = Schedule::from_setup(setup).total().unwrap_or_default();
    let (first, last) = (*only.start(), *only.end());
    if first > last || u64::from(first) > total {
        let given = if first == last { first.to_string() } else { format!("{first}-{last}") };
        return Err(SettingsError::Together(format!(
            "\"{given}\" for --only, expected FROM-TO within the {total} games of the \
             tournament, 1-{total}"
        )));
    }
    Ok(first..=u32::try_from(total).map_or(last, |total| last.min(total)))
}
