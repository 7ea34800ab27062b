//! The command line: one file per command.
//!
//! Exit codes: 0 is success, 1 a run that failed, 2 bad usage or bad input, 3 an interrupted match.
//! A closed pipe is success.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod analyze;
mod annotate;
mod bench;
mod codingame;
mod completions;
mod compliance;
mod convert;
mod datagen;
mod game_flag;
#[cfg(feature = "gui")]
mod gui;
mod logging;
mod manual;
mod r#match;
mod openings;
mod output_files;
mod perft;
mod play;
mod progress;
mod protocol;
mod puzzles;
mod raw_arguments;
mod review;
mod signals;
mod solve;
mod terminal;
mod usage_error;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Parser, Subcommand};

use self::game_flag::{GameParser, game_flag_help, game_help, refuse_game_flag, resolve_game};
use self::output_files::{
    check_writable, file_error, is_same_file, replace_file, require_distinct,
};
use crate::arena::engines::start_check::StartCheckError;
use crate::arena::games::rules::Rules;
use crate::arena::tournament::book::BookError;
use crate::arena::tournament::journal::JournalError;
use crate::arena::tournament::merge::MergeError;
use crate::arena::tournament::run::TournamentError;
use crate::arena::tournament::settings::SettingsError;
use crate::engine::LogFile;
use crate::engine::codingame::BotError;
use crate::eval::EvalFileError;
use crate::eval::training_data::TrainingDataError;
use crate::printing::{expected_names, plural, printable_path, quote};
use crate::search::{OutOfMemory, SearchControl};
use crate::solve::CheckpointError;
use crate::thinking::EngineError;

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("ZERMELO_COMMIT"), ")");

/// Plays and solves tic-tac-toe, Pong Hau K'i, ultimate tic-tac-toe and Nim on a board.
///
/// Without a subcommand it is a UCI and UGI engine on stdin and stdout. Type `help` there for a list
/// of its commands; protocol.md documents them.
#[derive(Debug, Parser)]
#[command(name = "zermelo", version = VERSION, after_help = EXAMPLES)]
struct Arguments {
    #[arg(long, help = game_flag_help(), value_name = "ID", value_parser = GameParser, hide_possible_values = true, global = true, help_heading = GLOBAL)]
    game: Option<Rules>,

    /// Write the log to this file (RUST_LOG filters it)
    #[arg(long, value_name = "FILE", global = true, help_heading = GLOBAL)]
    log: Option<String>,

    /// Disable the options EvalFile and Log File, so that clients cannot choose files on this machine
    #[arg(long)]
    locked: bool,

    #[command(subcommand)]
    command: Option<CliCommand>,

    /// Protocol commands to run in order, each search to completion, before exiting
    #[arg(last = true, value_name = "LINE")]
    lines: Vec<String>,
}

/// The heading of the options that all commands have.
const GLOBAL: &str = "Global options";

const EXAMPLES: &str = "\
Examples:
  zermelo -- \"position startpos moves e5\" \"go movetime 1000\"
  zermelo --game nim -- \"position random 7\" d go
  printf 'position startpos\\ngo depth 9\\n' | zermelo
  zermelo perft 6 --threads 2

Exit codes: 0 success, 1 a run failed, 2 bad usage or bad input, 3 a match was interrupted.";

#[derive(Debug, Subcommand)]
enum CliCommand {
    /// Search fixed positions to fixed depths; prints node counts and speed
    Bench,
    /// Count the leaf nodes of the game tree
    Perft(perft::Arguments),
    Solve(solve::Arguments),
    Analyze(analyze::Arguments),
    /// Generate opening positions for matches
    Openings(openings::Arguments),
    Puzzles(puzzles::Arguments),
    /// Convert positions and move lists between notations, line by line
    Convert(convert::Arguments),
    Match(Box<r#match::Arguments>),
    Play(play::Arguments),
    Codingame(codingame::Arguments),
    #[cfg(feature = "gui")]
    Gui(gui::Arguments),
    /// Add the value of each move and the best line to a record, and report mistakes
    Annotate(annotate::Arguments),
    Review(review::Arguments),
    Compliance(compliance::Arguments),
    Completions(completions::Arguments),
    Man(manual::Arguments),
    /// Generate training data for the TixTax evaluation by self-play
    Datagen(datagen::Arguments),
}

impl CliCommand {
    /// The flags and paths of the files that a command writes; the log must not overwrite them.
    /// `match` checks its own files, because some are named in its settings file.
    fn output_files(&self) -> Vec<(&'static str, Option<&Path>)> {
        match self {
            Self::Solve(solve) => solve.output_files(),
            Self::Analyze(analyze) => analyze.output_files(),
            Self::Annotate(annotate) => annotate.output_files(),
            Self::Review(review) => review.output_files(),
            Self::Datagen(datagen) => datagen.output_files(),
            _ => Vec::new(),
        }
    }
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
enum CliError {
    /// The engine refused the input.
    #[error(transparent)]
    Input(#[from] EngineError),
    /// A FEN is not a position of the game.
    #[error("{source} (game: {game}; select another with --game)")]
    Position {
        /// The game.
        game: &'static str,
        /// The reason.
        source: EngineError,
    },
    /// Out of memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The settings of a match or an engine are invalid.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The openings of a match cannot be read.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The engines of a match cannot play.
    #[error(transparent)]
    StartCheck(#[from] StartCheckError),
    /// A tournament cannot be run.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// A record cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Records cannot be merged.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// A training data file cannot be read or resumed.
    #[error("{}: {source}", printable_path(path))]
    TrainingData {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: TrainingDataError,
    },
    /// A weights file cannot be used.
    #[error("{}: {source}", printable_path(path))]
    Weights {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: EvalFileError,
    },
    /// A checkpoint cannot be resumed.
    #[error("{}: {source}", printable_path(path))]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: CheckpointError,
    },
    /// The game needs no checkpoints.
    #[error("--checkpoint is not supported for {game}: it is solved instantly")]
    CheckpointUnsupported {
        /// The game.
        game: &'static str,
    },
    /// The positions of the game cannot be drawn as a graph.
    #[error("{game} has no graph of all positions; games that have one: {drawn}")]
    NoGraph {
        /// The game.
        game: &'static str,
        /// The games that have a graph.
        drawn: String,
    },
    /// There is no picture of the game.
    #[error("there is no picture of {game}; with --fen FEN, --svg draws a position")]
    NoPicture {
        /// The game.
        game: &'static str,
    },
    /// `--first` without an engine to play against.
    #[error("--first cannot be used with --opponent human: it selects between you and the engine")]
    FirstWithoutEngine,
    /// The arguments are invalid.
    #[error("{0}")]
    Usage(String),
    /// There is no such subcommand.
    #[error("unknown command {}{}", quote(found), expected_names(found, expected, ", "))]
    UnknownCommand {
        /// The name.
        found: String,
        /// The commands.
        expected: String,
    },
    /// The rules of `ugi` games are known to the engines only.
    #[error("--game ugi is only supported by match and compliance; name a built-in game")]
    UgiOnlyForMatches,
    /// Two different games are named.
    #[error("both {named} and --game {flagged} are given; name one game")]
    ConflictingGames {
        /// The positional argument.
        named: &'static str,
        /// The value of `--game`.
        flagged: &'static str,
    },
    /// A file cannot be read or created.
    #[error("{}: {reason}", printable_path(file))]
    File {
        /// The file.
        file: PathBuf,
        /// The reason.
        reason: String,
    },
    /// A game in CodinGame's protocol cannot continue.
    #[error(transparent)]
    Bot(#[from] BotError),
    /// Some input lines were invalid; each has its own error message.
    #[error("{} refused", plural(*.0, "line"))]
    Refused(usize),
    /// The run failed.
    #[error("{0}")]
    Failed(String),
    /// A match was interrupted by a signal.
    #[error("{0}")]
    Interrupted(String),
    /// Input or output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The exit code of an interrupted match.
const INTERRUPTED: u8 = 3;

impl CliError {
    /// Why a position of a game cannot be used: lack of memory, or what is wrong with it.
    fn from_position(game: &'static str, error: EngineError) -> Self {
        match error {
            EngineError::NoMemory(source) => Self::Memory(source),
            source => Self::Position { game, source },
        }
    }

    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Journal(JournalError::Io { .. })
            | Self::Merge(MergeError::Journal(JournalError::Io { .. }))
            | Self::TrainingData { source: TrainingDataError::Io(_), .. }
            | Self::Checkpoint { source: CheckpointError::Io(_), .. }
            | Self::StartCheck(StartCheckError::OutOfResources(_))
            | Self::Tournament(TournamentError::Engine(_) | TournamentError::OutOfResources(_)) => {
                ExitCode::FAILURE
            }
            Self::Interrupted(_) | Self::StartCheck(StartCheckError::Interrupted) => {
                ExitCode::from(INTERRUPTED)
            }
            Self::Input(_)
            | Self::Position { .. }
            | Self::Settings(_)
            | Self::Book(_)
            | Self::Journal(_)
            | Self::StartCheck(StartCheckError::Failed(_))
            | Self::Merge(_)
            | Self::TrainingData { .. }
            | Self::Weights { .. }
            | Self::Checkpoint { .. }
            | Self::Tournament(
                TournamentError::RecordMismatch { .. } | TournamentError::UnequalPair(_),
            )
            | Self::CheckpointUnsupported { .. }
            | Self::NoGraph { .. }
            | Self::NoPicture { .. }
            | Self::UgiOnlyForMatches
            | Self::FirstWithoutEngine
            | Self::ConflictingGames { .. }
            | Self::File { .. }
            | Self::Usage(_)
            | Self::UnknownCommand { .. }
            | Self::Bot(_)
            | Self::Refused(_) => ExitCode::from(2),
            Self::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Failed(_) | Self::Memory(_) | Self::Io(_) => ExitCode::FAILURE,
        }
    }
}

/// Runs the program with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    let prepared = raw_arguments::prepare(std::env::args_os().collect());
    let result = match prepared.map(Arguments::try_parse_from) {
        Err(error) => Err(error),
        Ok(Ok(arguments)) => run(arguments),
        // `--help` and `--version` also end here.
        Ok(Err(usage)) => match usage_error::describe(&usage) {
            Some(description) => Err(CliError::Usage(description)),
            None => usage.print().map_err(CliError::from),
        },
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let code = error.exit_code();
            if code != ExitCode::SUCCESS {
                print_error(&error);
            }
            code
        }
    }
}

/// Stops the search on SIGINT, SIGTERM and SIGHUP.
fn stop_on_signals(control: &Arc<SearchControl>) -> Result<(), CliError> {
    let control = Arc::clone(control);
    ctrlc::set_handler(move || control.stop())
        .map_err(|error| CliError::Failed(format!("cannot handle signals: {error}")))
}

/// Parses a positive number of seconds.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    crate::arena::engines::limits::parse_positive_seconds(text)
}

/// Prints an error on stderr; if that fails, the exit code still reports it.
fn print_error(error: &dyn std::fmt::Display) {
    let _ = writeln!(terminal::stderr(), "zermelo: {error}");
}

fn run(arguments: Arguments) -> Result<(), CliError> {
    if arguments.locked && arguments.command.is_some() {
        let reason = "--locked is for the engine, which runs without a command".to_owned();
        return Err(CliError::Usage(reason));
    }
    let log = LogFile::default();
    if let Some(path) = &arguments.log {
        let outputs = arguments.command.as_ref().map(CliCommand::output_files).unwrap_or_default();
        let outputs = outputs.into_iter().filter_map(|(flag, file)| Some((flag, file?)));
        require_distinct(
            &[("--log", Path::new(path))].into_iter().chain(outputs).collect::<Vec<_>>(),
        )?;
        let refuse =
            |error| CliError::Usage(format!("--log {}: {error}", printable_path(Path::new(path))));
        log.open(path).map_err(refuse)?;
    }
    logging::install(&log);
    let game = || resolve_game(arguments.game, None);
    match arguments.command {
        None => protocol::run(game()?, log, arguments.locked, &arguments.lines),
        Some(CliCommand::Bench) => bench::run(game()?),
        Some(CliCommand::Perft(perft)) => perft::run(game()?, &perft),
        Some(CliCommand::Solve(solve)) => solve::run(game()?, &solve),
        Some(CliCommand::Analyze(analyze)) => analyze::run(arguments.game, &analyze),
        Some(CliCommand::Openings(openings)) => openings::run(game()?, &openings),
        Some(CliCommand::Puzzles(puzzles)) => puzzles::run(game()?, &puzzles),
        Some(CliCommand::Convert(convert)) => convert::run(game()?, &convert),
        Some(CliCommand::Annotate(annotate)) => annotate::run(arguments.game, &annotate),
        Some(CliCommand::Review(review)) => review::run(arguments.game, &review),
        Some(CliCommand::Completions(completions)) => completions::run(&completions),
        Some(CliCommand::Man(manual)) => manual::run(&manual),
        Some(CliCommand::Play(play)) => play::run(arguments.game, &play),
        Some(CliCommand::Codingame(bot)) => codingame::run(arguments.game, &bot),
        #[cfg(feature = "gui")]
        Some(CliCommand::Gui(gui)) => gui::run(arguments.game, &gui),
        Some(CliCommand::Match(settings)) => {
            r#match::run(arguments.game, *settings, arguments.log.as_deref())
        }
        Some(CliCommand::Datagen(datagen)) => datagen::run(arguments.game, &datagen),
        Some(CliCommand::Compliance(compliance)) => compliance::run(arguments.game, &compliance),
    }
}
