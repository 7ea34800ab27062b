//! The command line: one file a command.
//!
//! Parses the arguments, sets up the log, runs a command and turns its result into an exit code:
//! 0 done, 1 a run failed, 2 bad usage or bad input. A closed pipe is a quiet end.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod analyze;
mod annotate;
mod bench;
mod completions;
mod compliance;
mod convert;
mod datagen;
mod logging;
mod manual;
mod r#match;
mod openings;
mod perft;
mod play;
mod progress;
mod protocol;
mod solve;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Parser, Subcommand};

use crate::arena::book::BookError;
use crate::arena::journal::JournalError;
use crate::arena::merge::MergeError;
use crate::arena::referee::Rules;
use crate::arena::settings::SettingsError;
use crate::arena::tournament::TournamentError;
use crate::engine::registry;
use crate::engine::{EngineError, LogFile};
use crate::eval::EvalFileError;
use crate::eval::training_data::TrainingDataError;
use crate::search::{OutOfMemory, SearchControl};
use crate::solve::CheckpointError;

/// Version and commit.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("ZERMELO_COMMIT"), ")");

/// Plays and solves tic-tac-toe, Pong Hau K'i, ultimate tic-tac-toe and a Nim on the board.
///
/// Without a command it speaks UCI and UGI over stdin and stdout; `help` lists the protocol's
/// commands, protocol.md describes them.
#[derive(Debug, Parser)]
#[command(name = "zermelo", version = VERSION, after_help = EXAMPLES)]
struct Arguments {
    #[arg(long, help = game_help(), value_name = "ID", value_parser = GameParser, hide_possible_values = true, global = true)]
    game: Option<Rules>,

    /// Write the log to this file (RUST_LOG filters it)
    #[arg(long, value_name = "FILE", global = true)]
    log: Option<String>,

    #[command(subcommand)]
    command: Option<CliCommand>,

    /// Protocol lines to run one after the other, each search to its end, then quit
    #[arg(last = true, value_name = "LINE")]
    lines: Vec<String>,
}

/// Reads the name of a game; shells complete it.
#[derive(Clone)]
struct GameParser;

impl TypedValueParser for GameParser {
    type Value = Rules;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Rules, clap::Error> {
        let read = |text: &str| Rules::find(text);
        read.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(registry::GAMES.iter().map(|entry| PossibleValue::new(entry.id))))
    }
}

/// What `--game` may be.
fn game_help() -> String {
    let names: Vec<&str> = registry::GAMES.iter().map(|entry| entry.id).collect();
    format!("The game: {} [default: {}]", names.join(", "), names[0])
}

const EXAMPLES: &str = "\
Examples:
  zermelo -- \"position startpos moves e5\" \"go movetime 1000\"
  zermelo --game nim -- \"position random 7\" d go
  printf 'position startpos\\ngo depth 9\\n' | zermelo
  zermelo perft 6 --threads 2

Exit codes: 0 done, 1 a run failed, 2 bad usage or bad input.";

#[derive(Debug, Subcommand)]
enum CliCommand {
    /// Search fixed positions to fixed depths: the signature and the speed of the search
    Bench,
    /// Count the leaves of the game tree
    Perft(perft::Arguments),
    Solve(solve::Arguments),
    Analyze(analyze::Arguments),
    /// Make positions to begin matches from
    Openings(openings::Arguments),
    /// Translate positions and move lists between notations, line by line
    Convert(convert::Arguments),
    Match(Box<r#match::Arguments>),
    Play(play::Arguments),
    /// Add to each move of a record what it was worth, and where the value was thrown away
    Annotate(annotate::Arguments),
    Compliance(compliance::Arguments),
    Completions(completions::Arguments),
    Man(manual::Arguments),
    /// Play games against itself, as data for training the evaluation of tixtax
    Datagen(datagen::Arguments),
}

impl CliCommand {
    /// The files that a command writes, which no log may stand in. A match has settings from
    /// elsewhere, too, and sees to it itself.
    fn files(&self) -> Vec<(&'static str, Option<&Path>)> {
        match self {
            Self::Solve(solve) => solve.files(),
            Self::Analyze(analyze) => analyze.files(),
            Self::Annotate(annotate) => annotate.files(),
            Self::Datagen(datagen) => datagen.files(),
            _ => Vec::new(),
        }
    }
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
enum CliError {
    /// What was asked for makes no sense.
    #[error(transparent)]
    Input(#[from] EngineError),
    /// A FEN is no position of the game.
    #[error("{source} (the game is {game}, --game chooses another)")]
    Position {
        /// The game.
        game: &'static str,
        /// What is wrong.
        source: EngineError,
    },
    /// The system gives no memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// Settings of a match or of an engine make no sense.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A match has no openings.
    #[error(transparent)]
    Book(#[from] BookError),
    /// A tournament cannot be played.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// A record cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Records cannot be joined.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// A file of training data cannot be gone on with.
    #[error("{path}: {source}")]
    TrainingData {
        /// The file.
        path: String,
        /// Why not.
        source: TrainingDataError,
    },
    /// A weights file was refused.
    #[error("{path}: {source}")]
    Weights {
        /// The file.
        path: String,
        /// Why.
        source: EvalFileError,
    },
    /// A proof cannot be gone on with.
    #[error("{path}: {source}")]
    Checkpoint {
        /// The file.
        path: String,
        /// Why not.
        source: CheckpointError,
    },
    /// A checkpoint is asked for where answers come at once.
    #[error("{game} is solved at once, --checkpoint has nothing to save: leave it out")]
    CheckpointUnsupported {
        /// The game.
        game: &'static str,
    },
    /// There is no picture of a game's positions.
    #[error(
        "the positions of {game} are too many to be drawn, of these games they can be: {drawn}"
    )]
    NoChart {
        /// The game.
        game: &'static str,
        /// What could be drawn.
        drawn: String,
    },
    /// Nobody can begin but the two who take turns.
    #[error("--first is about you and the engine, leave it out with --opponent human")]
    FirstWithoutEngine,
    /// There is no such command.
    #[error("there is no command {found:?}, expected one of: {expected}")]
    UnknownCommand {
        /// The name.
        found: String,
        /// All commands.
        expected: String,
    },
    /// A game that only engines know is for them.
    #[error("\"ugi\" is a game for match and compliance alone, --game wants one of our games here")]
    UgiOnlyForMatches,
    /// Two games are named where one is meant.
    #[error("{named} and --game {flagged} are two games, leave one of them out")]
    ConflictingGames {
        /// The one that stands alone.
        named: &'static str,
        /// The one of the flag.
        flagged: &'static str,
    },
    /// A file cannot be read, or nothing can be put there.
    #[error("{file}: {reason}", file = shown(.file))]
    File {
        /// The file.
        file: PathBuf,
        /// Why not.
        reason: String,
    },
    /// Some lines were refused; each has its own error line.
    #[error("{0} line(s) refused")]
    Refused(usize),
    /// It could not be done.
    #[error("{0}")]
    Failed(String),
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl CliError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Journal(JournalError::Io { .. })
            | Self::Merge(MergeError::Journal(JournalError::Io { .. }))
            | Self::TrainingData { source: TrainingDataError::Io(_), .. }
            | Self::Checkpoint { source: CheckpointError::Io(_), .. }
            | Self::Tournament(TournamentError::Engine(_) | TournamentError::OutOfResources(_)) => {
                ExitCode::FAILURE
            }
            Self::Input(_)
            | Self::Position { .. }
            | Self::Settings(_)
            | Self::Book(_)
            | Self::Journal(_)
            | Self::Merge(_)
            | Self::TrainingData { .. }
            | Self::Weights { .. }
            | Self::Checkpoint { .. }
            | Self::Tournament(TournamentError::RecordMismatch { .. })
            | Self::CheckpointUnsupported { .. }
            | Self::NoChart { .. }
            | Self::UgiOnlyForMatches
            | Self::FirstWithoutEngine
            | Self::ConflictingGames { .. }
            | Self::File { .. }
            | Self::UnknownCommand { .. }
            | Self::Refused(_) => ExitCode::from(2),
            Self::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Failed(_) | Self::Memory(_) | Self::Io(_) => ExitCode::FAILURE,
        }
    }
}

/// Runs the program with the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    let done = match Arguments::try_parse() {
        Ok(arguments) => run(arguments),
        // Help is asked for, too; where it cannot be shown, the exit code tells.
        Err(refused) => match refused.print() {
            Ok(()) => return ExitCode::from(u8::try_from(refused.exit_code()).unwrap_or(2)),
            Err(error) => Err(error.into()),
        },
    };
    match done {
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

/// Ends the work at SIGINT, SIGTERM and SIGHUP.
fn stop_on_signals(control: &Arc<SearchControl>) -> Result<(), CliError> {
    let control = Arc::clone(control);
    ctrlc::set_handler(move || control.stop())
        .map_err(|error| CliError::Failed(format!("no signals can be heard: {error}")))
}

/// Reads a number of seconds.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    crate::arena::clock::parse_positive_seconds(text)
}

/// Whether two names stand for one file, which need not be there yet.
fn is_same_file(left: &Path, right: &Path) -> bool {
    let real = |path: &Path| {
        path.canonicalize().ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
            Some(folder.join(path.file_name()?))
        })
    };
    real(left).is_some_and(|left| Some(left) == real(right))
}

/// Sees that no two places are one.
fn require_distinct(places: &[(&str, &Path)]) -> Result<(), CliError> {
    for (index, (flag, path)) in places.iter().enumerate() {
        if let Some((other, _)) = places[..index].iter().find(|(_, own)| is_same_file(own, path)) {
            let reason = format!("{other} and {flag} are the same file, {}", path.display());
            return Err(SettingsError::Invalid(reason).into());
        }
    }
    Ok(())
}

/// Sees that a file can be put there: nothing is, or a plain file, and its folder exists and takes
/// files.
fn check_writable(target: &Path) -> Result<(), CliError> {
    let refuse = |reason: &str| Err(file_error(target, &reason));
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    match target.metadata() {
        Ok(data) if !data.is_file() => refuse("not a regular file"),
        Err(_) if !folder.is_none_or(Path::is_dir) => refuse("its folder does not exist"),
        _ => {
            let (_, beside) = create_temporary(&resolve_link(target))
                .map_err(|error| file_error(target, &error))?;
            std::fs::remove_file(&beside).map_err(|error| io_failure(target, &error))
        }
    }
}

fn io_failure(file: &Path, error: &io::Error) -> CliError {
    CliError::Failed(format!("{}: {error}", shown(file)))
}

fn file_error(file: &Path, reason: &dyn std::fmt::Display) -> CliError {
    CliError::File { file: file.to_owned(), reason: reason.to_string() }
}

/// A path as errors tell it; that it is empty can be seen.
fn shown(file: &Path) -> String {
    if file.as_os_str().is_empty() { "\"\"".to_owned() } else { file.display().to_string() }
}

/// Writes a file beside its place and puts it there when it is whole; a link stays a link.
fn replace_file(
    target: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), CliError>,
) -> Result<(), CliError> {
    check_writable(target)?;
    let refuse = |error: io::Error| io_failure(target, &error);
    let place = resolve_link(target);
    let (file, beside) = create_temporary(&place).map_err(refuse)?;
    let mut output = BufWriter::new(file);
    let written =
        write(&mut output).and_then(|()| Ok(output.flush()?)).map_err(|error| match error {
            CliError::Io(error) => refuse(error),
            error => error,
        });
    let result = written.and_then(|()| std::fs::rename(&beside, &place).map_err(refuse));
    if result.is_err() {
        // What was begun is of no use to anybody.
        let _ = std::fs::remove_file(&beside);
    }
    result
}

/// Where a file is, or where it will be when a link leads to it.
fn resolve_link(target: &Path) -> PathBuf {
    let led = || {
        let folder = target.parent().unwrap_or(Path::new(""));
        target.read_link().map(|link| folder.join(link))
    };
    target.canonicalize().or_else(|_| led()).unwrap_or_else(|_| target.to_owned())
}

/// A new file beside another, under a name that nothing has.
fn create_temporary(place: &Path) -> io::Result<(File, PathBuf)> {
    let mut number = 0;
    loop {
        let mut beside = place.as_os_str().to_owned();
        beside.push(format!(".{}-{number}.part", std::process::id()));
        match File::create_new(&beside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            created => return Ok((created?, beside.into())),
        }
    }
}

/// Says on stderr what is wrong; should nobody be able to hear it, the exit code still tells.
fn print_error(what: &dyn std::fmt::Display) {
    let _ = writeln!(io::stderr(), "zermelo: {what}");
}

/// The game that is meant: the one that `--game` names, or the command itself, or the first.
fn resolve_game(
    flagged: Option<Rules>,
    named: Option<Rules>,
) -> Result<&'static registry::GameEntry, CliError> {
    let known = |game: Option<Rules>| match game {
        Some(Rules::EngineDefined) => Err(CliError::UgiOnlyForMatches),
        Some(Rules::Known(entry)) => Ok(Some(entry)),
        None => Ok(None),
    };
    match (known(flagged)?, known(named)?) {
        (Some(flagged), Some(named)) if flagged.id != named.id => {
            Err(CliError::ConflictingGames { named: named.id, flagged: flagged.id })
        }
        (flagged, named) => Ok(named.or(flagged).unwrap_or(&registry::GAMES[0])),
    }
}

/// Refuses `--game` where what is given tells the game.
fn refuse_game_flag(flagged: Option<Rules>, given: &str) -> Result<(), CliError> {
    match flagged {
        Some(_) => {
            let reason = format!("{given}, leave --game out");
            Err(SettingsError::Invalid(reason).into())
        }
        None => Ok(()),
    }
}

fn run(arguments: Arguments) -> Result<(), CliError> {
    let log = LogFile::default();
    if let Some(path) = &arguments.log {
        let used = arguments.command.as_ref().map(CliCommand::files).unwrap_or_default();
        let places = used.into_iter().filter_map(|(flag, file)| Some((flag, file?)));
        require_distinct(
            &[("--log", Path::new(path))].into_iter().chain(places).collect::<Vec<_>>(),
        )?;
        let refuse = |source| EngineError::Log { path: path.clone(), source };
        log.open(path).map_err(refuse)?;
    }
    logging::install(&log);
    let game = || resolve_game(arguments.game, None);
    match arguments.command {
        None => protocol::run(game()?, log, &arguments.lines),
        Some(CliCommand::Bench) => bench::run(game()?),
        Some(CliCommand::Perft(perft)) => perft::run(game()?, &perft),
        Some(CliCommand::Solve(solve)) => solve::run(game()?, &solve),
        Some(CliCommand::Analyze(analyze)) => analyze::run(arguments.game, &analyze),
        Some(CliCommand::Openings(openings)) => openings::run(game()?, &openings),
        Some(CliCommand::Convert(convert)) => convert::run(game()?, &convert),
        Some(CliCommand::Annotate(annotate)) => annotate::run(arguments.game, &annotate),
        Some(CliCommand::Completions(completions)) => completions::run(&completions),
        Some(CliCommand::Man(manual)) => manual::run(&manual),
        Some(CliCommand::Play(play)) => play::run(arguments.game, &play),
        Some(CliCommand::Match(settings)) => {
            r#match::run(arguments.game, *settings, arguments.log.as_deref())
        }
        Some(CliCommand::Datagen(datagen)) => datagen::run(arguments.game, &datagen),
        Some(CliCommand::Compliance(compliance)) => compliance::run(arguments.game, &compliance),
    }
}
