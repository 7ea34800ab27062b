//! `zermelo annotate`: adds the review of each move to a record.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::CliError;
use super::progress::ProgressLine;
use super::review::ReviewEffort;
use crate::arena::annotate::{annotate, review_record};
use crate::arena::journal::damaged::{ReadGame, number_games, read_damaged};
use crate::arena::journal::{self, RecordFormat};
use crate::arena::record::{GameNumbers, GameRecord, MoveRecord, MoveValue, UnknownGame};
use crate::arena::referee::Rules;
use crate::printing::printable;
use crate::review::Mark;
use crate::search::SearchControl;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The record of a match
    #[arg(value_name = "RECORD")]
    record: PathBuf,

    #[command(flatten)]
    effort: ReviewEffort,

    /// Annotate only the game with this number (its position in a file of unnumbered games)
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
    let (format, games) = read_damaged(path)?;
    let numbers = number_games(&games);
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

/// Annotates the selected games and writes them. Fails at the end if a game is damaged, so that no
/// file is replaced; errors on stderr say what is wrong with each game. With an output file, prints a
/// summary of each game; an error in doing so goes to `summaries`, so that the file is complete even
/// if stdout is closed.
fn write_games(
    arguments: &Arguments,
    format: RecordFormat,
    games: Vec<ReadGame>,
    selection: &Selection,
    control: &SearchControl,
    output: &mut dyn Write,
    summaries: &mut io::Result<()>,
) -> Result<(), CliError> {
    let numbers = selection.numbers.as_slice();
    let progress = ProgressLine::new(None);
    let (mut failed, mut is_damaged) = (0, false);
    for ((place, read), number) in games.into_iter().enumerate().zip(numbers) {
        let is_selected = selection.only.is_none_or(|only| only == place);
        let mut error = read.error;
        is_damaged |= error.is_some();
        if !is_selected && !selection.in_place {
            if let Some(error) = error {
                super::print_error(&ReadGame::describe_error(*number, &error));
                failed += 1;
            }
            continue;
        }
        let Some(mut game) = read.game else {
            super::print_error(&ReadGame::describe_error(*number, &error.unwrap_or_default()));
            failed += 1;
            continue;
        };
        let mut is_reviewed = false;
        if is_selected {
            let mut report = |done: usize, all: usize| {
                progress.update(|| format!("game {number}: {done} of {all} moves"));
            };
            match review_record(&game, &arguments.effort.options(), control, &mut report) {
                Ok(review) => {
                    is_reviewed = true;
                    annotate(&mut game, &review);
                    error = error.or(review.illegal.map(|illegal| illegal.to_string()));
                }
                Err(reason) => error = error.or(Some(reason.to_string())),
            }
            progress.clear();
        }
        if control.is_stopped() {
            return Err(CliError::Failed("interrupted".to_owned()));
        }
        if let Some(error) = error {
            super::print_error(&ReadGame::describe_error(*number, &error));
            failed += 1;
        }
        output.write_all(format.game(&game).as_bytes())?;
        if is_reviewed && arguments.output.is_some() && summaries.is_ok() {
            *summaries = writeln!(super::terminal::stdout(), "{}", summarize(*number, &game));
        }
    }
    match failed {
        0 if numbers.is_empty() => Err(super::file_error(&arguments.record, &UnknownGame::Empty)),
        0 => Ok(()),
        failed => {
            let reason = format!("cannot annotate {failed} game(s) completely");
            Err(match is_damaged {
                true => super::file_error(&arguments.record, &reason),
                false => CliError::Failed(reason),
            })
        }
    }
}

/// Returns a line about the first mistake of a game.
fn summarize(number: u32, game: &GameRecord) -> String {
    let is_mistake = |mv: &&MoveRecord| mv.mark.is_some_and(Mark::is_serious);
    match (1..).zip(&game.moves).find(|(_, mv)| is_mistake(mv)) {
        Some((ply, mv)) => {
            let text = |value: Option<MoveValue>| value.map_or(String::new(), |v| v.to_string());
            let (value, best) = (text(mv.value), text(mv.best));
            let better = mv.best_line.first().map_or("", String::as_str);
            let (mark, mv) = (mv.mark.map_or("", Mark::symbol), printable(&mv.mv));
            format!(
                "game {number}: first mistake at ply {ply}: {mv}{mark}, {value}; better: {better}, {best}"
            )
        }
        None => format!("game {number}: no mistake"),
    }
}
