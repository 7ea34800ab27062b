//! What is done with the arguments before clap sees them: an unknown command is refused, a game named first
//! becomes `--game`, and the flags of other match runners are translated after `match`.

use std::ffi::OsString;

use clap::CommandFactory;

use super::Arguments;
use super::commands::r#match;
use super::error::CliError;
use crate::arena::games::rules::Rules;
use crate::arena::tournament::settings::SettingsError;
use crate::printing::{expected_names, quote};

/// The commands that take `--game` and have no argument of their own for it.
const GAME_COMMANDS: [&str; 12] = [
    "bench",
    "codingame",
    "compliance",
    "convert",
    "datagen",
    "exam",
    "match",
    "openings",
    "perft",
    "puzzles",
    "rate",
    "solve",
];

/// Returns the arguments of the process for clap.
///
/// # Errors
/// Fails if the command does not exist, or if a flag of another match runner has no counterpart.
pub(super) fn prepare(mut arguments: Vec<OsString>) -> Result<Vec<OsString>, CliError> {
    let Some(place) = command_place(&arguments) else { return Ok(arguments) };
    let mut program = Arguments::command();
    program.build();
    let name = arguments[place].to_string_lossy();
    let command =
        program.find_subcommand(&*name).ok_or_else(|| unknown_command(&program, &name))?;
    let is_game = |word: &OsString| word.to_str().is_some_and(|word| Rules::find(word).is_ok());
    let names_game =
        GAME_COMMANDS.contains(&&*name) && arguments.get(place + 1).is_some_and(is_game);
    if name == "match" {
        let flags = command.get_arguments().filter_map(clap::Arg::get_long);
        let flags: Vec<String> = flags.map(str::to_owned).collect();
        let rest = arguments.split_off(place + 1);
        arguments.extend(r#match::translate(rest, &flags).map_err(SettingsError::Invalid)?);
    }
    if names_game {
        arguments.insert(place + 1, "--game".into());
    }
    Ok(arguments)
}

/// The error for a command that does not exist.
pub(super) fn unknown_command(program: &clap::Command, found: &str) -> CliError {
    let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
    let expected = expected_names(found, &names.join(", "), ", ");
    CliError::Usage(format!("unknown command {}{expected}", quote(found)))
}

/// Returns the index of the command among the arguments, if there is one.
fn command_place(arguments: &[OsString]) -> Option<usize> {
    let mut words = arguments.iter().enumerate().skip(1);
    while let Some((place, word)) = words.next() {
        match word.to_string_lossy().as_ref() {
            "--" => return None,
            "--game" | "--log" => {
                words.next();
            }
            flag if flag.starts_with('-') => {}
            _ => return Some(place),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepared(line: &str) -> Result<String, String> {
        let words = line.split_whitespace().map(OsString::from).collect();
        let prepared = prepare(words).map_err(|error| error.to_string())?;
        Ok(prepared.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn flags_of_match_and_games_named_first_are_translated() {
        for (typed, expected) in [
            ("zermelo match -rounds 2", "zermelo match --rounds 2"),
            (
                "zermelo --game nim --log=x match -srand 2",
                "zermelo --game nim --log=x match --seed 2",
            ),
            (
                "zermelo match -variant nim -report r.html",
                "zermelo match --game nim --report r.html",
            ),
            ("zermelo match nim -rounds 2", "zermelo match --game nim --rounds 2"),
            ("zermelo perft tictactoe 3", "zermelo perft --game tictactoe 3"),
            ("zermelo perft 3 nim", "zermelo perft 3 nim"),
            ("zermelo review nim", "zermelo review nim"),
            ("zermelo perft -rounds 2", "zermelo perft -rounds 2"),
            ("zermelo --game match -- -rounds", "zermelo --game match -- -rounds"),
            ("zermelo help", "zermelo help"),
            ("zermelo", "zermelo"),
        ] {
            assert_eq!(prepared(typed).as_deref(), Ok(expected));
        }
        assert!(prepared("zermelo match -bookmode disk").unwrap_err().contains("--openings"));
    }

    #[test]
    fn a_mistyped_command_suggests_the_right_one() {
        for typed in ["zermelo mtach", "zermelo --game nim Match --rounds 3"] {
            let error = prepared(typed).unwrap_err();
            assert!(
                error.contains("; did you mean \"match\"? expected one of: bench, "),
                "{error}"
            );
        }
        let error = prepared("zermelo chess").unwrap_err();
        assert!(error.starts_with("unknown command \"chess\", expected one of: bench"), "{error}");
    }
}
