//! Resuming from a record alone runs the commands that the record names. They are confirmed first,
//! since a record may come from anyone.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use crate::arena::settings::SettingsError;
use crate::arena::setup::{EngineSetup, TournamentSetup};
use crate::cli::CliError;
use crate::cli::terminal::stderr;
use crate::printing::{printable, printable_path};

/// Asks whether to run the engines of a record, if there is a terminal. Nothing needs to be
/// confirmed if all of them are this program without files of its own.
pub(super) fn confirm_engines(setup: &TournamentSetup, record: &Path) -> Result<(), CliError> {
    let is_foreign = |engine: &&EngineSetup| !engine.is_harmless();
    let foreign: Vec<String> =
        setup.engines.iter().filter(is_foreign).map(describe_engine).collect();
    if foreign.is_empty() {
        return Ok(());
    }
    let intro =
        format!("{} names these commands to run:\n{}", printable_path(record), foreign.concat());
    let refuse = |reason: String| Err(SettingsError::Invalid(reason).into());
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return refuse(format!(
            "{intro}expected the engines on the command line, or --trust-record to run them"
        ));
    }
    write!(stderr(), "{intro}Run them? [y/N] ")?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    match answer.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => refuse("the commands of the record were not confirmed, nothing was run".to_owned()),
    }
}

/// Describes what an engine runs and which files it is given, on one line.
fn describe_engine(engine: &EngineSetup) -> String {
    let options = engine.options.iter().map(|(name, value)| format!("option.{name}={value}"));
    let stderr = engine.stderr.iter().map(|file| format!("stderr={file}"));
    let settings: Vec<String> =
        options.chain(stderr).map(|setting| format!("  {}", printable(&setting))).collect();
    format!(
        "    {}: {}{}\n",
        printable(&engine.name),
        printable(&engine.command_line()),
        settings.concat()
    )
}
