//! What a match plays, from the command line and the settings file.

use std::ops::RangeInclusive;
use std::path::Path;

use super::Arguments;
use crate::arena::engines::setup::EngineSetup;
use crate::arena::games::rules::Rules;
use crate::arena::tournament::journal;
use crate::arena::tournament::settings::{MatchSettings, SettingsError};
use crate::arena::tournament::setup::{OpeningSetup, TournamentSetup};
use crate::cli::error::CliError;
use crate::cli::{check_writable, is_same_file, require_distinct};
use crate::engine::open_for_append;

pub(super) struct MatchSetup {
    pub(super) setup: TournamentSetup,
    pub(super) rules: Rules,
    /// The settings, of which a match needs the output files.
    pub(super) settings: MatchSettings,
    /// The games to play, if not all.
    pub(super) only: Option<RangeInclusive<u32>>,
    /// Whether a failed engine fails the run.
    pub(super) is_strict: bool,
    /// Whether the openings were chosen by default.
    pub(super) has_default_openings: bool,
    /// Whether only the result of a ladder is printed, as JSON.
    pub(super) prints_json: bool,
}

impl MatchSetup {
    /// All games of a setup.
    pub(super) fn new(setup: TournamentSetup, rules: Rules, settings: MatchSettings) -> Self {
        Self {
            setup,
            rules,
            settings,
            only: None,
            is_strict: false,
            has_default_openings: false,
            prints_json: false,
        }
    }
}

/// Finds the setup and the output files, and checks both. Nothing is written.
pub(super) fn resolve(
    game: Option<Rules>,
    arguments: &Arguments,
    log: Option<&str>,
) -> Result<MatchSetup, CliError> {
    let settings = arguments.settings()?;
    // A pipe or a device cannot be resumed from.
    let earlier = settings.journal().filter(|(path, _)| path.is_file());
    let earlier = earlier.and_then(|(path, _)| journal::read_setup(path).ok());
    let (setup, rules) = settings.tournament(game, earlier.as_ref())?;
    check_files(&setup, &settings, arguments.config.as_deref(), log)?;
    let has_default_openings = settings.openings.is_none();
    let (only, is_strict) = (arguments.only.clone(), arguments.strict);
    let setup = MatchSetup::new(setup, rules, settings);
    Ok(MatchSetup { only, is_strict, has_default_openings, ..setup })
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
    if let (Some(_), Some(json)) = (record, json) {
        // Replaced at the end, unless it is something else.
        check_writable(json)?;
        if json.exists() {
            journal::read_setup(json)?;
        }
    }
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
