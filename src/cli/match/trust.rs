//! Confirmation of the commands that resuming from a record alone would run, since a record may come
//! from anyone.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use crate::arena::engines::setup::EngineSetup;
use crate::arena::tournament::settings::SettingsError;
use crate::arena::tournament::setup::TournamentSetup;
use crate::cli::CliError;
use crate::cli::terminal::stderr;
use crate::printing::{printable, printable_path};

/// Asks for confirmation to run the engines of a record, if there is a terminal. None is needed if
/// every engine is this program and is given no files.
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
    if !answer.ends_with('\n') {
        // Ctrl-D leaves the cursor after the question.
        writeln!(stderr())?;
    }
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
