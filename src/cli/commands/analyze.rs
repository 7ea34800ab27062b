//! `zermelo analyze`: what is known about a game or a position, as text, HTML or JSON.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::play::{language_codes, select_language};
use super::solve::progress_text;
use crate::arena::games::game_choice::GameChoice;
use crate::browser::without_variables;
use crate::cli::GameParser;
use crate::cli::error::CliError;
use crate::cli::progress::ProgressLine;
use crate::language::Language;
use crate::search::SearchControl;
use crate::thinking::GameSpec;
use crate::thinking::analyzing::AnalysisTask;
use crate::thinking::solving::{SolveError, SolveObserver, SolveProgress};

/// Explain a game: result, proof, strategy, numbers; or analyze a position
///
/// Prints an article about the game, wrapped to the terminal or to 80 columns. Most of its numbers are
/// computed on demand.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    #[arg(help = crate::cli::game_help(), value_name = "ID", value_parser = GameParser, hide_possible_values = true)]
    id: Option<GameChoice>,

    /// Analyze this position instead of the game
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// Time limit for proofs and searches, in seconds; everything else takes less than a second
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = crate::cli::parse_seconds)]
    time: Duration,

    /// Print the numbers as JSON
    #[arg(long)]
    json: bool,

    /// Also write a page that works offline to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Language [default: from the locale]
    #[arg(long, value_name = "LANGUAGE", value_parser = language_codes())]
    lang: Option<String>,

    /// Write the picture of the article, or of the position with the value of each move
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  zermelo analyze tictactoe
  zermelo analyze nim --lang zh --html nim.html
  zermelo analyze nim --fen \"rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b\"
  zermelo analyze ponghauki --svg graph.svg
  zermelo analyze tixtax --fen \"9/9/9/9/4x4/9/9/9/9 o 1 e5\" --svg board.svg
  zermelo analyze tixtax-open --time 60";

impl Arguments {
    /// The files that the command writes.
    pub(super) fn output_files(&self) -> Vec<(&'static str, Option<&Path>)> {
        let files = [("--html", &self.html), ("--svg", &self.svg)];
        files.map(|(flag, file)| (flag, file.as_deref())).to_vec()
    }
}

pub(super) fn run(flagged: Option<GameChoice>, arguments: &Arguments) -> Result<(), CliError> {
    let game = crate::cli::resolve_game(flagged, arguments.id)?;
    let files: Vec<(&str, &Path)> = arguments
        .output_files()
        .into_iter()
        .filter_map(|(flag, file)| Some((flag, file?)))
        .collect();
    crate::cli::require_distinct(&files)?;
    files.iter().try_for_each(|(_, file)| crate::cli::check_writable(file))?;
    let language = select_language(arguments.lang.as_deref());
    let control = Arc::new(SearchControl::default());
    crate::cli::stop_on_signals(&control)?;
    let mut observer = ProgressObserver(ProgressLine::new(None));
    let (fen, time) = (arguments.fen.as_deref(), arguments.time);
    let task = AnalysisTask { fen, time, control: &control, observer: &mut observer };
    let report = game.analyze(task);
    observer.0.clear();
    let report = report.map_err(|error| match error {
        SolveError::Position(error) => CliError::from_position(game.id, error),
        error => CliError::Failed(error.to_string()),
    })?;
    if let Some(path) = &arguments.svg {
        let figures = language.pick(&report.figures);
        let figure = figures.first().ok_or_else(|| {
            let reason = "with --fen FEN, --svg draws a position";
            CliError::Usage(format!("there is no picture of {}; {reason}", game.id))
        })?;
        write_file(path, &without_variables(&figure.svg))?;
    }
    let document = report.document(language, &title(game, arguments, language));
    if let Some(path) = &arguments.html {
        write_file(path, &document.html())?;
    }
    let text =
        if arguments.json { format!("{}\n", report.json()) } else { document.text(text_width()) };
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    Ok(output.flush()?)
}

fn title(game: &GameSpec, arguments: &Arguments, language: Language) -> String {
    let title = language.game_title(game.id);
    if arguments.fen.is_some() {
        language.fill("document.analysis", &[("title", &title)])
    } else {
        title
    }
}

/// The width of the terminal, but at least 40 and at most 100 columns; 80 if there is none.
fn text_width() -> usize {
    crate::cli::terminal::columns().map_or(80, |columns| columns.clamp(40, 100))
}

fn write_file(path: &Path, text: &str) -> Result<(), CliError> {
    crate::cli::replace_file(path, |output| Ok(output.write_all(text.as_bytes())?))
}

struct ProgressObserver(ProgressLine);

impl SolveObserver for ProgressObserver {
    fn progress(&mut self, progress: &SolveProgress) {
        self.0.update(|| progress_text(progress));
    }
}
