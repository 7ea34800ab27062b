//! `zermelo exam`: how well an engine chooses where the exact value of every move is known.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::json;

use super::review::read_games;
use crate::arena::engines::codingame;
use crate::arena::engines::driver::EngineConditions;
use crate::arena::engines::engine_setup::{EngineSetup, Protocol, Timeouts};
use crate::arena::engines::start_check::start_engines;
use crate::arena::games::game_choice::GameChoice;
use crate::cli::engine_settings::{check_stderr, read_engine};
use crate::cli::error::{CliError, INTERRUPTED};
use crate::cli::file_error;
use crate::cli::progress::ProgressLine;
use crate::cli::signals::StopSignal;
use crate::exam::candidate::Candidate;
use crate::exam::exam_report::{ExamReport, ExamTaker};
use crate::exam::score::{ExamAnswer, is_mistake};
use crate::exam::suite::{Suite, VERSION};
use crate::files::read_input;
use crate::printing::plural;
use crate::records::ReadGame;
use crate::thinking::registry;

/// Test an engine's moves where the exact value of every move is known
///
/// The positions are frozen, from games of strong and weak players, and in each the choice matters.
/// Prints the share of right moves, those that keep the value, and the mean loss of value, in all and
/// by ply, number of right moves and motif.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group(clap::ArgGroup::new("subject").required(true)))]
pub(in crate::cli) struct Arguments {
    /// Engine to examine
    #[arg(long, value_name = "KEY=VALUE", num_args = 0.., group = "subject")]
    engine: Option<Vec<String>>,

    /// More settings of the engine, such as its limit
    #[arg(long, value_name = "KEY=VALUE", num_args = 0.., requires = "engine")]
    each: Vec<String>,

    /// Print the positions and the values of their moves as JSON lines
    #[arg(long, group = "subject", conflicts_with_all = ["json", "report", "record"])]
    export: bool,

    /// Read the positions from this file [default: those of the game]
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,

    /// Number of positions at a time
    #[arg(long, value_name = "N", default_value_t = 1, requires = "engine",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,

    /// Print JSON, with every answer
    #[arg(long)]
    json: bool,

    /// Also write a page with pictures to this file
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Write the hundred costliest moves to this file, as a record for `review`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Keys of --engine and --each are those of match; the limit is st=SECONDS, nodes=N, depth=N or tc=TIME.
An engine's fault costs it the position, as if it had lost the game; the run goes on. A CodinGame
bot is led along the line of play: until the position is reached, one move is listed in each turn.

Examples:
  zermelo exam --engine cmd=./my-engine --each st=0.05 --concurrency 2
  zermelo exam --game tixtax-count --engine cmd=./bot proto=codingame --report exam.html
  zermelo exam --engine nodes=1000 --record worst.pgn && zermelo review worst.pgn
  zermelo exam --export > positions.jsonl

Exit codes: 0 finished, 1 the run failed, 2 bad usage or an engine that does not start, 3 interrupted.";

/// The number of games in the record.
const RECORDED: usize = 100;

impl Arguments {
    /// The files that the command reads and writes.
    pub(super) fn files(&self) -> Vec<(&'static str, Option<&Path>)> {
        let files =
            [("--suite", &self.suite), ("--report", &self.report), ("--record", &self.record)];
        files.map(|(flag, file)| (flag, file.as_deref())).to_vec()
    }
}

pub(super) fn run(game: Option<GameChoice>, arguments: &Arguments) -> Result<(), CliError> {
    let files: Vec<_> =
        arguments.files().into_iter().filter_map(|(flag, file)| Some((flag, file?))).collect();
    crate::cli::require_distinct(&files)?;
    let written = [&arguments.report, &arguments.record];
    written.into_iter().flatten().try_for_each(|file| crate::cli::check_writable(file))?;
    arguments.record.as_deref().map_or(Ok(()), check_replaceable)?;
    let suite = read_suite(game, arguments)?;
    if arguments.export {
        return export(&suite);
    }
    let own = arguments.engine.as_deref().unwrap_or_default();
    let setup = read_engine(&arguments.each, own)?;
    check_stderr(&setup, &files)?;
    let (answers, taker) = examine(&suite, setup, arguments)?;
    show(&suite, &answers, taker, arguments)?;
    if answers.len() < suite.positions.len() {
        let (answered, all) = (answers.len(), suite.positions.len());
        return Err(CliError::Interrupted(format!(
            "interrupted after {answered} of {all} positions"
        )));
    }
    Ok(())
}

/// The suite of `--suite`, or of the game.
fn read_suite(game: Option<GameChoice>, arguments: &Arguments) -> Result<Suite, CliError> {
    let Some(path) = &arguments.suite else {
        let spec = crate::cli::resolve_game(game, None)?;
        return Suite::of_game(spec).map_err(|error| CliError::Usage(error.to_string()));
    };
    let refuse = |reason: &dyn std::fmt::Display| crate::cli::file_error(path, reason);
    let text = read_input(path).map_err(|error| refuse(&error))?;
    let suite = Suite::parse(&text).map_err(|error| refuse(&error))?;
    match game {
        Some(rules) if rules.name() != suite.game => {
            Err(refuse(&format!("a suite of {}, but --game says {}", suite.game, rules.name())))
        }
        _ => Ok(suite),
    }
}

fn export(suite: &Suite) -> Result<(), CliError> {
    let mut output = crate::cli::terminal::file_stdout();
    for position in &suite.positions {
        let mut line = serde_json::to_value(position).map_err(io::Error::from)?;
        line["game"] = json!(suite.game);
        line["version"] = json!(VERSION);
        line["value"] = json!(position.best().to_string());
        line["right"] = json!(position.right_moves().collect::<Vec<_>>());
        writeln!(output, "{line}")?;
    }
    Ok(output.flush()?)
}

/// Fails if a file is neither empty nor the record of an exam, which alone is replaced.
fn check_replaceable(path: &Path) -> Result<(), CliError> {
    let is_empty = path.metadata().map_or(true, |data| data.len() == 0);
    if is_empty {
        return Ok(());
    }
    let (_, games) = read_games(path)?;
    let is_own = |read: &ReadGame| read.game.as_ref().is_some_and(is_mistake);
    if games.is_empty() || !games.iter().all(is_own) {
        return Err(file_error(path, &"not the record of an exam; name another file"));
    }
    Ok(())
}

/// Asks the engine for a move in each position.
fn examine(
    suite: &Suite,
    setup: EngineSetup,
    arguments: &Arguments,
) -> Result<(Vec<ExamAnswer>, ExamTaker), CliError> {
    let game = registry::find(suite.game)?;
    if setup.proto == Protocol::Codingame {
        codingame::check_settings(&setup, Some(game)).map_err(CliError::Usage)?;
    }
    let stop = StopSignal::install(i32::from(INTERRUPTED))?.shut_down_cleanly();
    let (timeouts, stop_flag) = (Timeouts::default(), Arc::clone(&stop));
    let conditions = EngineConditions { game: Some(game), timeouts, stop: stop_flag };
    let started = start_engines(std::slice::from_ref(&setup), &conditions)?;
    for (_, warning) in &started.warnings {
        crate::cli::print_error(&format_args!("{} {warning}", setup.name));
    }
    let (name, command) = (setup.name.clone(), setup.command_line());
    let taker = ExamTaker { name, engine: Some((command, setup.limits.to_string())) };
    let setup = Arc::new(setup);
    let concurrency = usize::from(arguments.concurrency);
    let candidate = Candidate { suite, setup, conditions, concurrency };
    let progress = ProgressLine::new(None);
    let all = plural(suite.positions.len(), "position");
    let answers =
        candidate.choose_all(started, &|done| progress.update(|| format!("{done} of {all}")));
    progress.clear();
    let answers = answers
        .map_err(|error| CliError::Failed(format!("cannot start any more engines: {error}")))?;
    if answers.is_empty() && stop.load(Ordering::Relaxed) {
        return Err(CliError::Interrupted("interrupted before the first answer".to_owned()));
    }
    Ok((answers, taker))
}

/// Prints the result and writes the files.
fn show(
    suite: &Suite,
    answers: &[ExamAnswer],
    taker: ExamTaker,
    arguments: &Arguments,
) -> Result<(), CliError> {
    let name = taker.name.clone();
    let report = ExamReport::new(suite, answers, taker);
    let mut output = crate::cli::terminal::file_stdout();
    if arguments.json {
        writeln!(output, "{}", report.json())?;
    } else {
        let width = crate::cli::terminal::columns().unwrap_or(usize::MAX);
        write!(output, "{}", report.text(width))?;
    }
    output.flush()?;
    if let Some(path) = &arguments.report {
        write_file(path, &report.html())?;
    }
    if let Some(path) = &arguments.record {
        let worst = (1..).zip(report.mistakes.iter().take(RECORDED));
        let games = worst.map(|(number, mistake)| mistake.record(number, suite, &name));
        write_file(path, &games.map(|game| game.to_pgn()).collect::<String>())?;
    }
    Ok(())
}

fn write_file(path: &Path, text: &str) -> Result<(), CliError> {
    crate::cli::replace_file(path, |output| Ok(output.write_all(text.as_bytes())?))
}
