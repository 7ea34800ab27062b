//! What a match plays, from the command line, the settings file and the record to resume.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use super::Arguments;
use crate::arena::engines::setup::EngineSetup;
use crate::arena::games::rules::Rules;
use crate::arena::tournament::error::JournalError;
use crate::arena::tournament::journal;
use crate::arena::tournament::settings::{MatchSettings, SettingsError};
use crate::arena::tournament::setup::{OpeningSetup, TournamentSetup};
use crate::cli::error::CliError;
use crate::cli::terminal::stderr;
use crate::cli::{check_writable, is_same_file, require_distinct};
use crate::engine::open_for_append;
use crate::printing::{printable, printable_path};

/// The setup of a match.
pub(super) struct MatchSetup {
    pub(super) setup: TournamentSetup,
    pub(super) rules: Rules,
    /// The settings, of which a match needs the output files.
    pub(super) settings: MatchSettings,
    /// Whether the openings were chosen by default.
    pub(super) has_default_openings: bool,
    /// Whether only the result of a ladder is printed, as JSON.
    pub(super) prints_json: bool,
}

/// Finds the setup and the output files, and checks both. Nothing is written. A record that names
/// engines to run needs to be trusted, unless `--plan` runs none.
pub(super) fn resolve(
    game: Option<Rules>,
    arguments: &Arguments,
    log: Option<&str>,
) -> Result<MatchSetup, CliError> {
    let settings = arguments.settings()?;
    let recorded = settings.record.as_ref().or(settings.json.as_ref());
    let from_record = arguments.resume && settings.engines.is_empty();
    let (setup, rules) = match recorded {
        None if arguments.resume => {
            return Err(invalid("--resume needs --record FILE or --json FILE".to_owned()));
        }
        Some(path) if from_record => {
            let setup = settings.resume(&journal::read_setup(path)?, game)?;
            let rules = Rules::find(&setup.game)?;
            (setup, rules)
        }
        recorded => {
            // A pipe or a device cannot be resumed from.
            let existing = recorded.filter(|path| path.is_file());
            let earlier = existing.and_then(|path| journal::read_setup(path).ok());
            settings.tournament(game, earlier.as_ref())?
        }
    };
    check_files(&setup, &settings, arguments.config.as_deref(), log)?;
    let exists = [&settings.record, &settings.json].into_iter().flatten().any(|path| path.exists());
    if arguments.resume && !exists {
        return Err(JournalError::not_found(recorded.map_or(Path::new(""), |path| path)).into());
    }
    if let Some(record) = recorded.filter(|_| from_record)
        && !arguments.trust_record
        && !arguments.plan
    {
        confirm_engines(&setup, record)?;
    }
    let has_default_openings = settings.openings.is_none() && !settings.engines.is_empty();
    Ok(MatchSetup { setup, rules, settings, has_default_openings, prints_json: false })
}

fn invalid(reason: String) -> CliError {
    SettingsError::Invalid(reason).into()
}

/// Checks that no two outputs are the same file, that no output overwrites an input and that
/// folders exist.
pub(super) fn check_files(
    setup: &TournamentSetup,
    settings: &MatchSettings,
    config: Option<&Path>,
    log: Option<&str>,
) -> Result<(), CliError> {
    let MatchSettings { record, json, report, .. } = settings;
    let openings = match &setup.openings {
        OpeningSetup::File { path, .. } => Some(Path::new(path)),
        _ => None,
    };
    let files = [
        ("--record", record.as_deref()),
        ("--json", json.as_deref()),
        ("--report", report.as_deref()),
        ("--config", config),
        ("--openings", openings),
        ("--log", log.filter(|log| !log.is_empty()).map(Path::new)),
    ];
    let files: Vec<(&str, &Path)> =
        files.into_iter().filter_map(|(flag, path)| Some((flag, path?))).collect();
    for engine in &setup.engines {
        check_folder(engine)?;
        let Some(log) = &engine.stderr else { continue };
        if let Some((flag, _)) = files.iter().find(|(_, path)| is_same_file(path, Path::new(log))) {
            return Err(invalid(format!("{flag} and stderr={log} are the same file")));
        }
    }
    report.as_deref().map_or(Ok(()), check_writable)?;
    require_distinct(&files)
}

/// Checks that the working directory of an engine exists.
pub(in crate::cli) fn check_folder(engine: &EngineSetup) -> Result<(), SettingsError> {
    match &engine.dir {
        Some(dir) if !Path::new(dir).is_dir() => {
            let reason = format!("dir={dir} of {} is not a folder", engine.name);
            Err(SettingsError::Invalid(reason))
        }
        _ => Ok(()),
    }
}

/// Checks that the files for the engines' standard error can be written, creating missing ones.
pub(super) fn check_engine_logs(setup: &TournamentSetup) -> Result<(), SettingsError> {
    for engine in &setup.engines {
        if let Some(log) = &engine.stderr
            && let Err(error) = open_for_append(log)
        {
            let reason = format!("stderr={log} of {}: {error}", engine.name);
            return Err(SettingsError::Invalid(reason));
        }
    }
    Ok(())
}

/// Asks for confirmation to run the engines of a record, which may come from anyone, if there is a
/// terminal. None is needed if every engine is this program and is given no files.
fn confirm_engines(setup: &TournamentSetup, record: &Path) -> Result<(), CliError> {
    let foreign = setup.engines.iter().filter(|engine| !engine.is_harmless());
    let foreign: String = foreign.map(describe_engine).collect();
    if foreign.is_empty() {
        return Ok(());
    }
    let intro = format!("{} names these commands to run:\n{foreign}", printable_path(record));
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(invalid(format!(
            "{intro}expected the engines on the command line, or --trust-record to run them"
        )));
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
        _ => {
            let reason = "the commands of the record were not confirmed, nothing was run";
            Err(invalid(reason.to_owned()))
        }
    }
}

/// Describes what an engine runs and which files it is given, on one line.
fn describe_engine(engine: &EngineSetup) -> String {
    let options = engine.options.iter().map(|(name, value)| format!("option.{name}={value}"));
    let stderr = engine.stderr.iter().map(|file| format!("stderr={file}"));
    let settings: String =
        options.chain(stderr).map(|setting| format!("  {}", printable(&setting))).collect();
    let name = printable(&engine.name);
    format!("    {name}: {}{settings}\n", printable(&engine.command_line()))
}
