//! The flag `--game`, and the same names as arguments of commands.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};

use super::error::CliError;
use crate::arena::games::game_choice::GameChoice;
use crate::thinking::{GameSpec, registry};

/// The name of the contest's rule.
pub(super) const CONTEST_GAME: &str = "codingame";

/// Parses the name of a game, and lists the games for shell completion.
#[derive(Clone)]
pub(super) struct GameParser;

impl TypedValueParser for GameParser {
    type Value = GameChoice;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<GameChoice, clap::Error> {
        let read = |text: &str| GameChoice::find(text);
        read.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(registry::games().iter().map(|spec| PossibleValue::new(spec.id))))
    }
}

pub(super) fn game_flag_help() -> String {
    let help = game_help();
    let contest = registry::find(CONTEST_GAME).map_or("", |spec| spec.id);
    format!(
        "{}, in codingame {contest}]; may also be the first argument",
        help.trim_end_matches(']')
    )
}

/// The help text of a game as an argument of a command.
pub(super) fn game_help() -> String {
    let names: Vec<&str> = registry::games().iter().map(|spec| spec.id).collect();
    format!("Game: {} [default: {}]", names.join(", "), names[0])
}

/// The game named by `--game` or by the command's own argument; the default if neither is given.
pub(super) fn resolve_game(
    flagged: Option<GameChoice>,
    named: Option<GameChoice>,
) -> Result<&'static GameSpec, CliError> {
    let built_in = |game: Option<GameChoice>| match game {
        Some(GameChoice::EngineDefined) => {
            let reason =
                "--game ugi is only supported by match and compliance; name a built-in game";
            Err(CliError::Usage(reason.to_owned()))
        }
        Some(GameChoice::Known(spec)) => Ok(Some(spec)),
        None => Ok(None),
    };
    match (built_in(flagged)?, built_in(named)?) {
        (Some(flagged), Some(named)) if flagged.id != named.id => {
            let both = format!("both {} and --game {} are given", named.id, flagged.id);
            Err(CliError::Usage(format!("{both}; name one game")))
        }
        (flagged, named) => Ok(named.or(flagged).unwrap_or(registry::default_game())),
    }
}

/// Refuses `--game` for commands that get the game from elsewhere; `reason` says from where.
pub(super) fn refuse_game_flag(flagged: Option<GameChoice>, reason: &str) -> Result<(), CliError> {
    if flagged.is_some() {
        return Err(CliError::Usage(format!("--game cannot be used here: {reason}")));
    }
    Ok(())
}
