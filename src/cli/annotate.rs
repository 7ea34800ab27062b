//! `zermelo annotate`: what the moves of a record were worth.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::CliError;
use crate::arena::annotate::{annotate, first_blunder};
use crate::arena::journal::{self, GameIterator, RecordFormat};
use crate::arena::record::GameRecord;
use crate::arena::referee::Rules;
use crate::search::SearchControl;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The record of a match
    #[arg(value_name = "RECORD")]
    record: PathBuf,

    /// Seconds for each position that is not solved
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = super::parse_seconds)]
    time: Duration,

    /// Only the game of this number
    #[arg(long = "only", value_name = "NUMBER")]
    number: Option<u32>,

    /// Write to this file; it may be the record itself
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write lines of JSON, also where the record is text
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// The files that are written.
    pub(super) fn files(&self) -> Vec<(&'static str, Option<&Path>)> {
        vec![("RECORD", Some(&self.record)), ("--output", self.output.as_deref())]
    }
}

pub(super) fn run(game: Option<Rules>, arguments: &Arguments) -> Result<(), CliError> {
    super::refuse_game_flag(game, "a record names its games")?;
    let path = &arguments.record;
    let (form, games) = journal::read_games(path)?;
    let form = if arguments.json { RecordFormat::Json } else { form };
    // The head of a record goes along, so that a tournament can still be resumed.
    let setup = journal::read_setup(path).ok();
    let head = setup.map(|setup| form.header(&setup)).unwrap_or_default();
    // A file that is half written would be left behind by whoever is ended at once.
    let control = Arc::new(SearchControl::default());
    super::stop_on_signals(&control)?;
    let in_place =
        arguments.output.as_ref().is_some_and(|output| super::is_same_file(output, path));
    let mut told = Ok(());
    let write = |output: &mut dyn Write| {
        output.write_all(head.as_bytes())?;
        write_games(arguments, form, games, in_place, &control, output, &mut told)
    };
    match &arguments.output {
        None => write(&mut io::stdout().lock()),
        Some(target) if in_place => {
            let _held = journal::lock_for_replacement(target)?;
            super::replace_file(target, write)
        }
        Some(target) => super::replace_file(target, write),
    }?;
    Ok(told?)
}

fn write_games(
    arguments: &Arguments,
    form: RecordFormat,
    games: GameIterator,
    in_place: bool,
    control: &SearchControl,
    output: &mut dyn Write,
    told: &mut io::Result<()>,
) -> Result<(), CliError> {
    let (mut wrong, mut meant) = (0, 0);
    for game in games {
        let mut game = game?;
        let is_meant = arguments.number.is_none_or(|number| number == game.number);
        meant += usize::from(is_meant);
        if is_meant && let Err(error) = annotate(&mut game, arguments.time, control) {
            super::print_error(&format_args!("game {}: {error}", game.number));
            wrong += 1;
        }
        if control.is_stopped() {
            return Err(CliError::Failed("interrupted".to_owned()));
        }
        if is_meant || in_place {
            output.write_all(form.game(&game).as_bytes())?;
        }
        // The file does not depend on who listens.
        if is_meant && arguments.output.is_some() && told.is_ok() {
            *told = writeln!(io::stdout(), "{}", summary(&game));
        }
    }
    match wrong {
        _ if meant == 0 => {
            let which = arguments.number.map_or(String::new(), |number| format!(" {number}"));
            let reason = format!("it holds no game{which}");
            Err(super::file_error(&arguments.record, &reason))
        }
        0 => Ok(()),
        wrong => Err(CliError::Failed(format!("{wrong} game(s) could not be annotated"))),
    }
}

/// Where a game was decided, in a line.
fn summary(game: &GameRecord) -> String {
    let head = format!("game {}", game.number);
    match first_blunder(game).map(|ply| (ply, &game.moves[ply])) {
        Some((ply, mv)) => {
            let worth = |worth: Option<_>| {
                worth.map_or(String::new(), |worth: crate::arena::record::MoveValue| {
                    worth.to_string()
                })
            };
            let (worth, best) = (worth(mv.value), worth(mv.best));
            format!(
                "{head}: ply {} {} threw the value away: {worth} instead of {best}",
                ply + 1,
                mv.mv
            )
        }
        None => format!("{head}: nobody threw a proven value away"),
    }
}
