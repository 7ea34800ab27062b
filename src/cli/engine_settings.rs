//! The engines of a command: the `KEY=VALUE` words behind `--engine` and `--each`.

use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, FromArgMatches};

use super::error::CliError;
use super::is_same_file;
use crate::arena::engines::engine_setup::{EngineSetup, Protocol};
use crate::arena::engines::key_values::KeyValues;

const ENGINE: &str = "engine";

/// The words behind each `--engine`. Read by hand, because no type that clap derives keeps the words of
/// each use apart.
#[derive(Debug, Default)]
pub(super) struct EngineGroups(pub(super) Vec<Vec<String>>);

impl clap::Args for EngineGroups {
    fn augment_args(command: clap::Command) -> clap::Command {
        let engine = Arg::new(ENGINE).long(ENGINE).num_args(0..).value_name("KEY=VALUE");
        command.arg(engine.help("Add an engine; repeat it for more").action(ArgAction::Append))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for EngineGroups {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let groups = matches.get_occurrences::<String>(ENGINE).into_iter().flatten();
        let groups: Vec<Vec<String>> = groups.map(|group| group.cloned().collect()).collect();
        // clap does not list a single use without words.
        let is_empty = groups.is_empty() && matches.value_source(ENGINE).is_some();
        Ok(Self(if is_empty { vec![Vec::new()] } else { groups }))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Reads the only engine of a command from the words behind `--each` and `--engine`.
pub(super) fn read_engine(each: &[String], own: &[String]) -> Result<EngineSetup, CliError> {
    let (at_each, at_engine) = (CliError::at_flag("--each"), CliError::at_flag("--engine"));
    let each = KeyValues::from_arguments("--each", each).map_err(&at_each)?;
    EngineSetup::check_each(&each, Protocol::Uci).map_err(at_each)?;
    let own = KeyValues::from_arguments("--engine", own).map_err(&at_engine)?;
    let mut engine = EngineSetup::from_key_values(&each, &own, Protocol::Uci).map_err(at_engine)?;
    if engine.name.is_empty() {
        engine.name = engine.default_name();
    }
    check_folder(&engine)?;
    Ok(engine)
}

/// Checks that the standard error of an engine does not go into a file of the command; `files` have their flags.
pub(super) fn check_stderr(engine: &EngineSetup, files: &[(&str, &Path)]) -> Result<(), CliError> {
    let Some(log) = &engine.stderr else { return Ok(()) };
    match files.iter().find(|(_, path)| is_same_file(path, Path::new(log))) {
        Some((flag, _)) => {
            Err(CliError::Usage(format!("{flag} and stderr={log} are the same file")))
        }
        None => Ok(()),
    }
}

/// Checks that the working directory of an engine exists.
pub(super) fn check_folder(engine: &EngineSetup) -> Result<(), CliError> {
    match &engine.dir {
        Some(dir) if !Path::new(dir).is_dir() => {
            Err(CliError::Usage(format!("dir={dir} of {} is not a folder", engine.name)))
        }
        _ => Ok(()),
    }
}
