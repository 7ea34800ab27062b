//! The command line: `commands`, and what they share.
//!
//! Exit codes: 0 is success, 1 a run that failed, 2 bad usage or bad input, 3 an interrupted match.
//! A closed pipe is success.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod commands;
mod engine_settings;
mod error;
mod game_flag;
mod logging;
mod output_files;
mod progress;
mod protocol;
mod raw_arguments;
mod signals;
mod terminal;

use std::error::Error as _;
use std::ffi::OsString;
use std::io::Write;
use std::num::ParseIntError;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser};

use self::commands::CliCommand;
use self::error::CliError;
use self::game_flag::{GameParser, game_flag_help, game_help, refuse_game_flag, resolve_game};
use self::output_files::{
    check_writable, file_error, io_failure, is_same_file, replace_file, require_distinct,
};
use self::signals::stop_on_signals;
use crate::arena::games::game_choice::GameChoice;
use crate::engine::LogFile;
use crate::printing::{expected_names, printable, printable_path, quote};
use crate::thinking::GameSpec;
use crate::thinking::registry::{self, BUILT_IN_GAMES};

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("ZERMELO_COMMIT"), ")");

/// Plays, analyses and proves positions of ultimate tic-tac-toe; solves tic-tac-toe, Pong Hau K'i and Board Nim.
///
/// `zermelo play` starts a game at the terminal, `zermelo gui` one in the browser. Without a command the program is a
/// UCI and UGI engine on stdin and stdout: type `help` there for its commands; protocol.md documents them.
#[derive(Debug, Parser)]
#[command(name = "zermelo", version = VERSION, after_help = EXAMPLES)]
struct Arguments {
    #[arg(long, help = game_flag_help(), value_name = "ID", value_parser = GameParser, hide_possible_values = true, global = true, help_heading = GLOBAL)]
    game: Option<GameChoice>,

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
  zermelo play
  zermelo gui
  zermelo rate --engine cmd=./bot --precision 100
  zermelo solve tictactoe
  zermelo -- \"position startpos moves e5\" \"go movetime 1000\"
  printf 'position startpos\\ngo depth 9\\n' | zermelo

Exit codes: 0 success, 1 a run failed, 2 bad usage or bad input, 3 a match was interrupted.";

/// Runs the program for these games with the arguments of the process: the engine, or a command. The first game is
/// the default.
#[must_use]
pub fn program(games: impl IntoIterator<Item = GameSpec>) -> ExitCode {
    if let Err(error) = registry::set_games(games.into_iter().collect()) {
        print_error(&error);
        return ExitCode::from(2);
    }
    #[cfg(unix)]
    signals::survive_size_limit();
    let words = raw_arguments::prepare(std::env::args_os().collect());
    let result = words.and_then(|words| match parse(words.clone()) {
        // The rules of a game may be another crate's.
        Ok(arguments) => catch_unwind(AssertUnwindSafe(|| run(arguments))).unwrap_or_else(|_| {
            Err(CliError::Failed("internal error: the message above says where".to_owned()))
        }),
        Err(error) if error.use_stderr() => {
            // clap quotes arguments as they are, so it is given escaped ones.
            let escaped = words.iter().map(|word| printable(&word.to_string_lossy()).to_string());
            let error = parse(escaped.map(OsString::from)).err().unwrap_or(error);
            Err(CliError::Usage(usage_text(&error)))
        }
        // `--help` and `--version` also end here.
        Err(help) => Ok(help.print()?),
    });
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

/// Parses the arguments of the process. A negative number is a value, not a flag.
fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    let mut program = Arguments::command();
    if registry::games() != BUILT_IN_GAMES {
        let about = format!("Plays and solves {}", registry::ids(|_| true).join(", "));
        program = program.about(about.clone()).long_about(about);
    }
    let program = program.mut_subcommands(|command| {
        command.mut_args(|argument| {
            let takes_values = argument.get_action().takes_values()
                && argument.get_num_args().is_none_or(|range| range.takes_values());
            argument.allow_negative_numbers(takes_values)
        })
    });
    Arguments::from_arg_matches(&program.try_get_matches_from(words)?)
}

/// The text of an error in the arguments: clap's, but for a value, which is described as in all other
/// errors.
fn usage_text(error: &clap::Error) -> String {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) if !text.is_empty() => Some(text.as_str()),
        _ => None,
    };
    if let (ErrorKind::UnknownArgument, Some(game)) = (error.kind(), text(ContextKind::InvalidArg))
        && GameChoice::find(game).is_ok()
    {
        return format!("the game {} stands first, or after --game", quote(game));
    }
    let (ErrorKind::InvalidValue | ErrorKind::ValueValidation, Some(argument), Some(value)) =
        (error.kind(), text(ContextKind::InvalidArg), text(ContextKind::InvalidValue))
    else {
        return error.to_string().trim_start_matches("error: ").trim_end().to_owned();
    };
    let reason = match (error.get(ContextKind::ValidValue), error.source()) {
        (Some(ContextValue::Strings(names)), _) => expected_names(value, &names.join(", "), ", "),
        (_, Some(source)) if source.is::<ParseIntError>() => {
            ", expected a whole number that is not negative or too large".to_owned()
        }
        (_, Some(source)) => {
            let reason = source.to_string();
            // Parsers of names quote the value themselves.
            if reason.contains(&quote(value)) {
                return reason;
            }
            let range = reason.strip_prefix(&format!("{value} is not in "));
            range.map_or(format!(", {reason}"), |range| format!(", expected a number in {range}"))
        }
        _ => String::new(),
    };
    let flag = argument.split(' ').next().unwrap_or(argument);
    format!("{} for {flag}{reason}", quote(value))
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    crate::arena::engines::time_control::parse_positive_seconds(text)
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
        log.open(path).map_err(|error| {
            CliError::Usage(format!("--log {}: {error}", printable_path(Path::new(path))))
        })?;
    }
    logging::install(&log);
    let result = match arguments.command {
        None => {
            let game = resolve_game(arguments.game, None)?;
            protocol::run(game, log.clone(), arguments.locked, &arguments.lines)
        }
        Some(command) => command.run(arguments.game, arguments.log.as_deref()),
    };
    match arguments.log {
        Some(path) if result.is_ok() && log.is_incomplete() => {
            let path = printable_path(Path::new(&path));
            Err(CliError::Failed(format!("--log {path}: the log is incomplete")))
        }
        _ => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_errors_say_what_is_wrong_and_what_would_be_right() {
        for (line, parts) in [
            ("bench --gmae nim", ["'--gmae'", "'--game'"]),
            ("bench extra", ["'extra'", "Usage: zermelo bench [OPTIONS]"]),
            ("solve --json nim", ["the game \"nim\" stands first", "or after --game"]),
            ("perft", ["<DEPTH>", "Usage: zermelo perft <DEPTH>"]),
            ("perft x", ["\"x\" for <DEPTH>", "expected a whole number"]),
            ("perft -3", ["-3", "1..=64"]),
            ("openings --count", ["'--count <N>'", "a value is required"]),
            ("openings --count 1e9", ["\"1e9\" for --count", "expected a whole number"]),
            ("openings --count 1 --seed 99999999999999999999", ["for --seed", "too large"]),
            ("puzzles --count 0", ["\"0\" for --count", "1..=1000000"]),
            ("play --opponent bob", ["\"bob\" for --opponent", "engine, human"]),
            ("convert --to fan", ["\"fan\" for --to", "\"fen\""]),
            ("perft 3 --game chess", ["unknown game \"chess\"", "expected one of: tixtax, "]),
            ("match --game-range two", ["\"two\" for --game-range", "expected FROM-TO or FROM"]),
            ("match --dry-run --game-range 1", ["'--dry-run'", "'--game-range <FROM-TO>'"]),
            ("bench --game nim --game nim", ["'--game <ID>'", "multiple times"]),
        ] {
            let words = ["zermelo"].into_iter().chain(line.split(' ')).map(OsString::from);
            let error = parse(words).unwrap_err();
            assert_eq!(error.exit_code(), 2);
            let text = usage_text(&error);
            assert!(parts.iter().all(|part| text.contains(part)), "{line}: {text}");
        }
    }
}
