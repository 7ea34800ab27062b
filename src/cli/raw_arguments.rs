//! What is done with the arguments before clap sees them: an unknown command is refused, and a game named first
//! becomes `--game`.

use std::ffi::OsString;

use clap::CommandFactory;

use super::Arguments;
use super::error::CliError;
use crate::arena::games::game_choice::GameChoice;
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

/// Returns the arguments of the process for clap. Fails if the command does not exist.
pub(super) fn prepare(mut arguments: Vec<OsString>) -> Result<Vec<OsString>, CliError> {
    let Some(place) = command_place(&arguments) else { return Ok(arguments) };
    let mut program = Arguments::command();
    program.build();
    let name = arguments[place].to_string_lossy();
    if program.find_subcommand(&*name).is_none() {
        return Err(unknown_command(&program, &name));
    }
    let is_game =
        |word: &OsString| word.to_str().is_some_and(|word| GameChoice::find(word).is_ok());
    let names_game =
        GAME_COMMANDS.contains(&&*name) && arguments.get(place + 1).is_some_and(is_game);
    if names_game {
        arguments.insert(place + 1, "--game".into());
    }
    Ok(arguments)
}

pub(super) fn unknown_command(program: &clap::Command, found: &str) -> CliError {
    let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
    let expected = expected_names(found, &names.join(", "), ", ");
    CliError::Usage(format!("unknown command {}{expected}", quote(found)))
}

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
    fn a_game_named_first_becomes_a_flag() {
        for (typed, expected) in [
            ("zermelo match nim --rounds 2", "zermelo match --game nim --rounds 2"),
            ("zermelo perft tictactoe 3", "zermelo perft --game tictactoe 3"),
            ("zermelo perft 3 nim", "zermelo perft 3 nim"),
            ("zermelo review nim", "zermelo review nim"),
            ("zermelo --game match -- --rounds", "zermelo --game match -- --rounds"),
            ("zermelo help", "zermelo help"),
            ("zermelo", "zermelo"),
        ] {
            assert_eq!(prepared(typed).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn a_mistyped_command_suggests_the_right_one() {
        for typed in ["zermelo mtach", "zermelo --game nim Match --rounds 3"] {
            let error = prepared(typed).unwrap_err();
            assert!(error.contains("; did you mean \"match\"? expected one of: play, "), "{error}");
        }
        let error = prepared("zermelo chess").unwrap_err();
        assert!(error.starts_with("unknown command \"chess\", expected one of: play"), "{error}");
    }
}
