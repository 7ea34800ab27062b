//! `zermelo annotate`: adds the review of each move to a record.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::review::{ReviewEffort, read_games};
use crate::arena::engines::key_values::join_words;
use crate::arena::games::game_choice::GameChoice;
use crate::arena::tournament::journal;
use crate::cli::error::CliError;
use crate::cli::progress::ProgressLine;
use crate::printing::{plural, printable, printable_path};
use crate::records::{
    GameNumbers, GameRecord, Glyph, MoveRecord, ReadGame, RecordFormat, UnknownGame, number_games,
    worth_text,
};
use crate::search::SearchControl;
use crate::teaching::annotate::{annotate, review_record, stored_review};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Arguments {
    /// The record of a match or of `play`
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

    /// Skip games in which every move is annotated already, as after an interrupted run
    #[arg(long)]
    resume: bool,
}

impl Arguments {
    /// Returns the files that are read and written, by flag.
    pub(super) fn output_files(&self) -> Vec<(&'static str, Option<&Path>)> {
        vec![("RECORD", Some(&self.record)), ("--output", self.output.as_deref())]
    }
}

pub(super) fn run(game: Option<GameChoice>, arguments: &Arguments) -> Result<(), CliError> {
    crate::cli::refuse_game_flag(game, "a record names its games")?;
    let path = &arguments.record;
    let (format, games) = read_games(path)?;
    let numbers = number_games(&games);
    let unknown = |error: UnknownGame| crate::cli::file_error(path, &error);
    let only = arguments.number.map(|number| numbers.find(number)).transpose().map_err(unknown)?;
    let format = if arguments.json { RecordFormat::Json } else { format };
    // The header is copied, so that the tournament can still be resumed.
    let setup = journal::read_setup(path).ok();
    let header = setup.map(|setup| format.header(&setup)).unwrap_or_default();
    // Signals stop the work cleanly, so that no temporary file is left behind.
    let control = Arc::new(SearchControl::default());
    crate::cli::stop_on_signals(&control)?;
    let in_place =
        arguments.output.as_ref().is_some_and(|output| crate::cli::is_same_file(output, path));
    let selection = Selection { numbers, only, in_place };
    let mut run = AnnotationRun { control: &control, summaries: Ok(()), interruption: None };
    let write = |output: &mut dyn Write| {
        output.write_all(header.as_bytes())?;
        write_games(arguments, format, games, &selection, &mut run, output)
    };
    match &arguments.output {
        None => write(&mut crate::cli::terminal::file_stdout()),
        Some(target) if in_place => {
            let _lock = journal::lock_for_replacement(target)?;
            crate::cli::replace_file(target, write)
        }
        Some(target) => crate::cli::replace_file(target, write),
    }?;
    run.summaries?;
    run.interruption.map_or(Ok(()), |message| Err(CliError::Failed(message)))
}

struct AnnotationRun<'a> {
    control: &'a SearchControl,
    /// An error in printing a summary; the file is complete even if stdout is closed.
    summaries: io::Result<()>,
    /// After an interruption: what the file contains and how to continue.
    interruption: Option<String>,
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
/// summary of each game, and an interruption leaves the games that are not annotated yet as they are.
fn write_games(
    arguments: &Arguments,
    format: RecordFormat,
    games: Vec<ReadGame>,
    selection: &Selection,
    run: &mut AnnotationRun<'_>,
    output: &mut dyn Write,
) -> Result<(), CliError> {
    let numbers = selection.numbers.as_slice();
    let is_selected = |place: usize| selection.only.is_none_or(|only| only == place);
    let wanted = (0..games.len()).filter(|place| is_selected(*place)).count();
    let (mut done, mut failed, mut is_damaged) = (0, 0, false);
    for ((place, read), number) in games.into_iter().enumerate().zip(numbers) {
        let mut error = read.error;
        is_damaged |= error.is_some();
        if !is_selected(place) && !selection.in_place {
            if let Some(error) = error {
                crate::cli::print_error(&ReadGame::describe_error(*number, &error));
                failed += 1;
            }
            continue;
        }
        let Some(mut game) = read.game else {
            crate::cli::print_error(&ReadGame::describe_error(*number, &error.unwrap_or_default()));
            failed += 1;
            continue;
        };
        let mut is_reviewed = false;
        let is_kept = arguments.resume && matches!(stored_review(&game), Ok(Some(_)));
        if is_selected(place) && is_kept {
            done += 1;
        } else if is_selected(place) && !run.control.is_stopped() {
            let annotated = annotate_game(arguments, *number, &mut game, run.control);
            is_reviewed = annotated.is_ok() && !run.control.is_stopped();
            done += usize::from(is_reviewed);
            error = error.or(annotated.err());
        }
        if run.control.is_stopped() && (arguments.output.is_none() || done == 0) {
            let reason = match done {
                0 => "interrupted: nothing was written".to_owned(),
                done => format!("interrupted after {done} of {wanted} games"),
            };
            return Err(CliError::Failed(reason));
        }
        if let Some(error) = error {
            crate::cli::print_error(&ReadGame::describe_error(*number, &error));
            failed += 1;
        }
        output.write_all(format.game(&game).as_bytes())?;
        if is_reviewed && arguments.output.is_some() && run.summaries.is_ok() {
            run.summaries =
                writeln!(crate::cli::terminal::stdout(), "{}", summarize(*number, &game));
        }
    }
    if let Some(target) = arguments.output.as_deref().filter(|_| done < wanted && failed == 0) {
        let target = printable_path(target).to_string();
        let typed = join_words(&[&target]);
        run.interruption = Some(format!(
            "interrupted: {target} has the annotations of {done} of {wanted} games, the others are \
             unchanged; to continue: zermelo annotate {typed} --output {typed} --resume{}",
            arguments.effort.typed()
        ));
    }
    match failed {
        0 if numbers.is_empty() => {
            Err(crate::cli::file_error(&arguments.record, &UnknownGame::Empty))
        }
        0 => Ok(()),
        failed => Err(refuse_damaged(arguments, failed, is_damaged)),
    }
}

/// Adds the review of a game to it, unless the work is stopped before the review is complete. Returns
/// what is wrong with the game after its reviewed moves.
fn annotate_game(
    arguments: &Arguments,
    number: u32,
    game: &mut GameRecord,
    control: &SearchControl,
) -> Result<(), String> {
    let progress = ProgressLine::new(None);
    let mut report = |done: usize, all: usize| {
        progress.update(|| format!("game {number}: {done} of {all} moves"));
    };
    let review = review_record(game, &arguments.effort.options(), control, &mut report);
    progress.clear();
    let review = review.map_err(|error| error.to_string())?;
    if !control.is_stopped() {
        annotate(game, &review);
    }
    review.illegal.map_or(Ok(()), |illegal| Err(illegal.to_string()))
}

fn refuse_damaged(arguments: &Arguments, failed: usize, is_damaged: bool) -> CliError {
    let written = match &arguments.output {
        Some(target) => format!("; {} is not written", printable_path(target)),
        None => String::new(),
    };
    let reason = format!("cannot annotate {} completely{written}", plural(failed, "game"));
    if is_damaged {
        crate::cli::file_error(&arguments.record, &reason)
    } else {
        CliError::Failed(reason)
    }
}

/// Returns a line about the first mistake of a game.
fn summarize(number: u32, game: &GameRecord) -> String {
    let is_mistake = |mv: &&MoveRecord| mv.mark.is_some_and(Glyph::is_serious);
    match (1..).zip(&game.moves).find(|(_, mv)| is_mistake(mv)) {
        Some((ply, mv)) => {
            let [value, best] =
                [mv.value, mv.best].map(|score| score.map_or(String::new(), worth_text));
            let better = mv.best_line.first().map_or("", String::as_str);
            let (mark, mv) = (mv.mark.map_or("", Glyph::symbol), printable(&mv.mv));
            format!(
                "game {number}: first mistake at ply {ply}: {mv}{mark}, {value}; better: {better}, {best}"
            )
        }
        None => format!("game {number}: no mistake"),
    }
}
