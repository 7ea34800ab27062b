//! `zermelo annotate`: what the moves of a record were worth.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::CliError;
use crate::arena::annotate::{annotate, first_blunder};
use crate::arena::journal::{self, JournalError};
use crate::arena::record::GameRecord;
use crate::arena::record::pgn::Games;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The record of a match
    #[arg(value_name = "RECORD")]
    record: PathBuf,

    /// Seconds for each position that is not solved
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = super::seconds)]
    time: Duration,

    /// Only the game of this number
    #[arg(long = "only", value_name = "NUMBER")]
    number: Option<u32>,

    /// Write to this file; it may be the record itself
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write lines of JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), CliError> {
    let path = &arguments.record;
    let refuse = |error: io::Error| CliError::Failed(format!("{}: {error}", path.display()));
    let time = arguments.time;
    let mut input = BufReader::new(File::open(path).map_err(refuse)?);
    // The head of a record goes along, so that a tournament can still be resumed.
    let is_head = input.fill_buf().map_err(refuse)?.first() == Some(&b'%');
    let mut head = String::new();
    if is_head {
        input.read_line(&mut head).map_err(refuse)?;
        head.push('\n');
    }
    if arguments.json {
        head.clear();
    }
    let write =
        |output: &mut dyn Write| write_games(arguments, time, Games::new(input), &head, output);
    match &arguments.output {
        None => write(&mut io::stdout().lock()),
        Some(target) => replace(target, write),
    }
}

/// Writes a file beside its place and puts it there when it is whole.
fn replace(
    target: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let mut beside = target.as_os_str().to_owned();
    beside.push(".part");
    let refuse = |error: io::Error| CliError::Failed(format!("{}: {error}", target.display()));
    let mut output = BufWriter::new(File::create(&beside).map_err(refuse)?);
    let result = write(&mut output).and_then(|()| output.flush().map_err(refuse));
    match result {
        Ok(()) => std::fs::rename(&beside, target).map_err(refuse),
        Err(error) => {
            // What was begun is of no use to anybody.
            let _ = std::fs::remove_file(&beside);
            Err(error)
        }
    }
}

fn write_games<R: BufRead>(
    arguments: &Arguments,
    time: Duration,
    games: Games<R>,
    head: &str,
    output: &mut dyn Write,
) -> Result<(), CliError> {
    output.write_all(head.as_bytes())?;
    let mut wrong = 0;
    for game in games {
        let path = arguments.record.clone();
        let mut game = game.map_err(|source| JournalError::Record { path, source })?;
        let is_meant = arguments.number.is_none_or(|number| number == game.number);
        if is_meant && let Err(error) = annotate(&mut game, time) {
            super::complain(&format_args!("game {}: {error}", game.number));
            wrong += 1;
        }
        if is_meant || arguments.output.as_deref() == Some(&arguments.record) {
            write_game(&game, arguments.json, output)?;
        }
        if is_meant && arguments.output.is_some() {
            writeln!(io::stdout(), "{}", summary(&game))?;
        }
    }
    match wrong {
        0 => Ok(()),
        wrong => Err(CliError::Failed(format!("{wrong} game(s) could not be annotated"))),
    }
}

fn write_game(game: &GameRecord, json: bool, output: &mut dyn Write) -> io::Result<()> {
    let text = if json { journal::json_line(game) } else { game.to_pgn() };
    output.write_all(text.as_bytes())
}

/// Where a game was decided, in a line.
fn summary(game: &GameRecord) -> String {
    let head = format!("game {}", game.number);
    match first_blunder(game).map(|ply| (ply, &game.moves[ply])) {
        Some((ply, mv)) => {
            let worth = |worth: Option<_>| {
                worth.map_or(String::new(), |worth: crate::arena::record::Worth| worth.to_string())
            };
            let (worth, best) = (worth(mv.worth), worth(mv.best));
            format!(
                "{head}: ply {} {} threw the value away: {worth} instead of {best}",
                ply + 1,
                mv.mv
            )
        }
        None => format!("{head}: nobody threw a proven value away"),
    }
}
