//! The UCI and UGI engine, which runs if no subcommand is given. It reads commands from stdin, or
//! from the arguments after `--`.

use std::io::{self, Cursor, IsTerminal, Write};

use super::error::CliError;
use crate::engine::{ClientOutput, LogFile, OptionPolicy, SessionConfig};
use crate::thinking::GameSpec;

/// How to begin, printed at a terminal.
const GREETING: &str = concat!(
    "Zermelo ",
    env!("CARGO_PKG_VERSION"),
    ": a UCI and UGI engine. Type \"help\" for its commands; \"zermelo play\" plays a game, \
     \"zermelo --help\" lists the rest."
);

pub(super) fn run(
    game: &'static GameSpec,
    log: LogFile,
    locked: bool,
    lines: &[String],
) -> Result<(), CliError> {
    // The input loop may be blocked when the reader of stdout exits, so exit right here.
    let output = ClientOutput::new(io::stdout(), |error| {
        if crate::cli::error::is_closed_pipe(error) {
            std::process::exit(0);
        }
        crate::cli::print_error(error);
        std::process::exit(1)
    });
    let policy = OptionPolicy { locked, ..OptionPolicy::default() };
    let config = SessionConfig { game, log, sequential: !lines.is_empty(), policy };
    if lines.is_empty() {
        // For a person; programs connect by pipes.
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            writeln!(io::stdout(), "{GREETING}")?;
        }
        crate::engine::run(io::stdin().lock(), &output, &config)?;
        return Ok(());
    }
    match crate::engine::run(Cursor::new(lines.join("\n")), &output, &config)? {
        0 => Ok(()),
        refused => Err(CliError::Refused(refused)),
    }
}
