//! `zermelo annotate`: adds the value of each move to a record.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::CliError;
use crate::arena::annotate::{annotate, first_blunder};
use crate::arena::journal::{self, GameIterator, RecordFormat};
use crate::arena::record::{GameNumbers, GameRecord, MoveValue, UnknownGame};
use crate::arena::referee::Rules;
use crate::printing::printable;
use crate::search::SearchControl;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The record of a match
    #[arg(value_name = "RECORD")]
    record: PathBuf,

    /// Seconds per position that is not solved instantly
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = super::parse_seconds)]
    time: Duration,

    /// Annotate only the game with this number (its place in a file of unnumbered games)
    #[arg(long = "only", value_name = "NUMBER")]
    number: Option<u32>,

    /// Write to this file, which may be the record itself [default: stdout]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write JSON lines, even if the record is text
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Returns the files that are read and written, by flag.
    pub(super) fn output_files(&self) -> Vec<(&'static str, Option<&Path>)> {
        vec![("RECORD", Some(&self.record)), ("--output", self.output.as_deref())]
    }
}

pub(super) fn run(game: Option<Rules>, arguments: &Arguments) -> Result<(), CliError> {
    super::refuse_game_flag(game, "a record names its games")?;
    let path = &arguments.record;
    let (format, games) = journal::read_games(path)?;
    let numbers = journal::read_numbers(path)?;
    let unknown = |error: UnknownGame| super::file_error(path, &error);
    let only = arguments.number.map(|number| numbers.find(number)).transpose().map_err(unknown)?;
    let format = if arguments.json { RecordFormat::Json } else { format };
    // The header is copied, so that the tournament can still be resumed.
    let setup = journal::read_setup(path).ok();
    let header = setup.map(|setup| format.header(&setup)).unwrap_or_default();
    // Signals stop the work in order, so that no temporary file is left behind.
    let control = Arc::new(SearchControl::default());
    super::stop_on_signals(&control)?;
    let in_place =
        arguments.output.as_ref().is_some_and(|output| super::is_same_file(output, path));
    let selection = Selection { numbers, only, in_place };
    let mut summaries = Ok(());
    let write = |output: &mut dyn Write| {
        output.write_all(header.as_bytes())?;
        write_games(arguments, format, games, &selection, &control, output, &mut summaries)
    };
    match &arguments.output {
        None => write(&mut super::terminal::file_stdout()),
        Some(target) if in_place => {
            let _lock = journal::lock_for_replacement(target)?;
            super::replace_file(target, write)
        }
        Some(target) => super::replace_file(target, write),
    }?;
    Ok(summaries?)
}

/// The games to annotate and to write.
struct Selection {
    numbers: GameNumbers,
    /// The place of the only game to annotate, from 0.
    only: Option<usize>,
    /// Whether the record itself is replaced, so that all games are written.
    in_place: bool,
}

/// Annotates the selected games and writes them. With an output file, prints a summary of each; an
/// error in doing so goes to `summaries`, so that the file is complete even if stdout is closed.
fn write_games(
    arguments: &Arguments,
    format: RecordFormat,
    games: GameIterator,
    selection: &Selection,
    control: &SearchControl,
    output: &mut dyn Write,
    summaries: &mut io::Result<()>,
) -> Result<(), CliError> {
    let numbers = selection.numbers.as_slice();
    let mut failed = 0;
    for (place, game) in games.enumerate() {
        let mut game = game?;
        let number = numbers.get(place).copied().unwrap_or(game.number);
        let is_selected = selection.only.is_none_or(|only| only == place);
        if is_selected && let Err(error) = annotate(&mut game, arguments.time, control) {
            super::print_error(&format_args!("game {number}: {error}"));
            failed += 1;
        }
        if control.is_stopped() {
            return Err(CliError::Failed("interrupted".to_owned()));
        }
        if is_selected || selection.in_place {
            output.write_all(format.game(&game).as_bytes())?;
        }
        if is_selected && arguments.output.is_some() && summaries.is_ok() {
            *summaries = writeln!(super::terminal::stdout(), "{}", summarize(number, &game));
        }
    }
    match failed {
        0 if numbers.is_empty() => Err(super::file_error(&arguments.record, &UnknownGame::Empty)),
        0 => Ok(()),
        failed => Err(CliError::Failed(format!("cannot annotate {failed} game(s)"))),
    }
}

/// Returns a line about the first blunder of a game.
fn summarize(number: u32, game: &GameRecord) -> String {
    match first_blunder(game).map(|index| (index + 1, &game.moves[index])) {
        Some((ply, mv)) => {
            let text = |value: Option<MoveValue>| value.map_or(String::new(), |v| v.to_string());
            let (value, best) = (text(mv.value), text(mv.best));
            let mv = printable(&mv.mv);
            format!("game {number}: blunder at ply {ply}: {mv}, {value} instead of {best}")
        }
        None => format!("game {number}: no blunder"),
    }
}
