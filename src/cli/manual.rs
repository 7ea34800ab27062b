//! `zermelo man`: manual pages, generated from the argument definitions.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_mangen::Man;

use super::CliError;

/// Generate the manual page of the program or of a command
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Command; the whole program if omitted
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  zermelo man > ~/.local/share/man/man1/zermelo.1
  zermelo man play | man -l -";

pub(super) fn run(arguments: &Arguments) -> Result<(), CliError> {
    let mut program = super::Arguments::command();
    program.build();
    let command = match &arguments.command {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                let names: Vec<&str> =
                    program.get_subcommands().map(clap::Command::get_name).collect();
                let expected = names.join(", ");
                return Err(CliError::UnknownCommand { found: name.clone(), expected });
            }
        },
    };
    let mut text = Vec::new();
    Man::new(command).render(&mut text)?;
    Ok(io::stdout().lock().write_all(&text)?)
}
