//! `zermelo review`: grades every move of recorded games.

mod effort;
mod json;
mod summary;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::arena::games::game_choice::GameChoice;
use crate::cli::commands::play::{language_codes, select_language};
use crate::cli::error::CliError;
use crate::cli::progress::ProgressLine;
use crate::cli::terminal::{file_stdout, stdout};
use crate::interact::review::review_lines;
use crate::interact::review_page::{ReviewedGame, review_page};
use crate::language::Language;
use crate::printing::{plural, printable, printable_path};
use crate::records::{
    ReadGame, RecordFormat, UnknownGame, number_games, read_damaged_file, result_text,
};
use crate::search::SearchControl;
use crate::teaching::annotate::{review_record, stored_review};
use crate::thinking::registry;

pub(super) use effort::ReviewEffort;

/// Grade every move of a recorded game: what it lost, what was better, where the game turned
///
/// Values are exact in the solved games and wherever a proof succeeds; the others are estimates and
/// shown with ~. Of a record with several games, N selects one; without it, a table sums them up.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    /// The record of a match or of `play`
    #[arg(value_name = "FILE")]
    record: PathBuf,

    /// Review only the game with this number (its position in a file of unnumbered games)
    #[arg(value_name = "N")]
    number: Option<u32>,

    #[command(flatten)]
    effort: ReviewEffort,

    /// Write a line of JSON per game
    #[arg(long)]
    json: bool,

    /// Also write a page with boards, graphs and marked moves to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Language [default: from the locale]
    #[arg(long, value_name = "LANGUAGE", value_parser = language_codes())]
    lang: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  zermelo review game.pgn
  zermelo review match.pgn 17 --time 1
  zermelo review match.pgn --nodes 100000 --json";

impl Arguments {
    /// Returns the files that are read and written, by flag.
    pub(super) fn output_files(&self) -> Vec<(&'static str, Option<&Path>)> {
        vec![("FILE", Some(&self.record)), ("--html", self.html.as_deref())]
    }
}

/// The time between two reports on the progress through many games, if stderr is not a terminal.
const LOG_INTERVAL: Duration = Duration::from_secs(5);

pub(super) fn run(game: Option<GameChoice>, arguments: &Arguments) -> Result<(), CliError> {
    crate::cli::refuse_game_flag(game, "a record names its games")?;
    let path = &arguments.record;
    if let Some(html) = &arguments.html {
        crate::cli::require_distinct(&[("FILE", path), ("--html", html)])?;
        crate::cli::check_writable(html)?;
    }
    let (_, games) = read_games(path)?;
    let numbers = number_games(&games);
    let unknown = |error: UnknownGame| crate::cli::file_error(path, &error);
    let only = arguments.number.map(|number| numbers.find(number)).transpose().map_err(unknown)?;
    if games.is_empty() {
        return Err(crate::cli::file_error(path, &UnknownGame::Empty));
    }
    let (mut reviewed, mut failed, mut is_damaged) = (Vec::new(), 0, false);
    let mut selected = Vec::new();
    for ((place, read), number) in games.into_iter().enumerate().zip(numbers.as_slice()) {
        if only.is_none_or(|only| only == place) {
            selected.push((*number, read));
        } else if let Some(error) = read.error {
            crate::cli::print_error(&ReadGame::describe_error(*number, &error));
            failed += 1;
            is_damaged = true;
        }
    }
    let control = Arc::new(SearchControl::default());
    crate::cli::stop_on_signals(&control)?;
    let language = select_language(arguments.lang.as_deref());
    let (is_single, count) = (selected.len() == 1, selected.len());
    let progress = ProgressLine::new((!is_single).then_some(LOG_INTERVAL)).delayed();
    for (done, (number, read)) in selected.into_iter().enumerate() {
        if control.is_stopped() {
            break;
        }
        let label =
            if is_single { String::new() } else { format!("game {} of {count}, ", done + 1) };
        is_damaged |= read.error.is_some();
        let result = review(number, read, arguments, &control, &progress, &label);
        progress.clear();
        let error = match result {
            Ok(game) => {
                let error = game.error.clone();
                if arguments.json {
                    writeln!(file_stdout(), "{}", json::to_line(&game).map_err(io::Error::from)?)?;
                } else if is_single {
                    print_game(&game, language)?;
                }
                reviewed.push(game);
                error
            }
            Err(error) => Some(error),
        };
        if let Some(error) = error {
            crate::cli::print_error(&ReadGame::describe_error(number, &error));
            failed += 1;
        }
    }
    if !is_single && !arguments.json {
        let lines = summary::summary_lines(&reviewed, language);
        lines.iter().try_for_each(|line| writeln!(stdout(), "{line}"))?;
    }
    let is_interrupted = control.is_stopped();
    if let Some(target) = arguments.html.as_ref().filter(|_| !is_interrupted) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let page = review_page(&name, &reviewed, language, false);
        crate::cli::replace_file(target, |output| Ok(output.write_all(page.as_bytes())?))?;
        crate::cli::print_error(&format_args!("page written: {}", printable_path(target)));
    }
    match failed {
        _ if is_interrupted => {
            let page = if arguments.html.is_some() { ", and no page was written" } else { "" };
            Err(CliError::Failed(format!("interrupted: the review is not complete{page}")))
        }
        0 => Ok(()),
        failed => {
            let reason = format!("cannot review {} completely", plural(failed, "game"));
            Err(if is_damaged {
                crate::cli::file_error(path, &reason)
            } else {
                CliError::Failed(reason)
            })
        }
    }
}

/// Reads the games of a record, which may be damaged.
pub(super) fn read_games(path: &Path) -> Result<(RecordFormat, Vec<ReadGame>), CliError> {
    read_damaged_file(path).map_err(|error| crate::cli::file_error(path, &error))
}

/// Reviews a game. The review stored in an annotated record is reused unless the options limit the
/// effort.
fn review(
    number: u32,
    read: ReadGame,
    arguments: &Arguments,
    control: &SearchControl,
    progress: &ProgressLine,
    label: &str,
) -> Result<ReviewedGame, String> {
    let Some(record) = read.game else { return Err(read.error.unwrap_or_default()) };
    let stored = if arguments.effort.is_default() { stored_review(&record) } else { Ok(None) };
    let stored = stored.map_err(|error| error.to_string())?;
    let mut report = |done: usize, all: usize| {
        progress.update(|| format!("reviewing: {label}{done} of {all} moves"));
    };
    let options = arguments.effort.options();
    let is_solved = registry::find(&record.game).is_ok_and(|game| game.is_solved);
    let effort = (stored.is_none() && !is_solved).then_some(options);
    let review = match stored {
        Some(review) => review,
        None => review_record(&record, &options, control, &mut report)
            .map_err(|error| error.to_string())?,
    };
    let illegal = review.illegal.as_ref().map(ToString::to_string);
    Ok(ReviewedGame { number, record, review, effort, error: illegal.or(read.error) })
}

fn print_game(game: &ReviewedGame, language: Language) -> io::Result<()> {
    let ReviewedGame { number, record, review, effort, .. } = game;
    let [first, second] = &record.players.each_ref().map(|name| printable(name).to_string());
    let mut output = stdout();
    let title = language.game_title(&record.game);
    let result = result_text(record.result);
    let number = if *number > 0 { format!("{number}: ") } else { String::new() };
    let players = if first.is_empty() && second.is_empty() {
        String::new()
    } else {
        format!(", {first} - {second}")
    };
    writeln!(output, "{number}{title}{players}, {result}\n")?;
    let columns = crate::cli::terminal::columns().unwrap_or(usize::MAX);
    let lines = review_lines(review, [first, second], effort.as_ref(), language, columns);
    lines.iter().try_for_each(|line| writeln!(output, "{line}"))
}
