//! `zermelo man`: manual pages, generated from the argument definitions.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use clap_mangen::Man;

use crate::cli::error::CliError;
use crate::cli::raw_arguments::unknown_command;

/// Generate the manual page of the program or of a command
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    /// Command; the whole program if omitted
    #[arg(value_name = "COMMAND")]
    command: Option<String>,

    /// Write the pages of the program and of all commands to this folder
    #[arg(long = "all", value_name = "DIR", conflicts_with = "command")]
    folder: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  zermelo man > ~/.local/share/man/man1/zermelo.1
  zermelo man play | man -l -
  zermelo man --all ~/.local/share/man/man1";

pub(super) fn run(arguments: &Arguments) -> Result<(), CliError> {
    let authors = concat!("The Zermelo authors ", env!("CARGO_PKG_REPOSITORY"));
    let mut program = crate::cli::Arguments::command().author(authors.trim_end());
    program.build();
    if let Some(folder) = &arguments.folder {
        return write_all(&program, folder);
    }
    let command = match &arguments.command {
        None => &program,
        Some(name) => {
            program.find_subcommand(name).ok_or_else(|| unknown_command(&program, name))?
        }
    };
    Ok(io::stdout().lock().write_all(&page(command)?)?)
}

/// Writes `zermelo.1` and `zermelo-COMMAND.1` for each command.
fn write_all(program: &clap::Command, folder: &Path) -> Result<(), CliError> {
    std::fs::create_dir_all(folder).map_err(|error| crate::cli::file_error(folder, &error))?;
    for command in program.get_subcommands().chain([program]) {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let page = page(command)?;
        crate::cli::replace_file(&folder.join(format!("{name}.1")), |output| {
            Ok(output.write_all(&page)?)
        })?;
    }
    Ok(())
}

fn page(command: &clap::Command) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    Man::new(command.clone()).render(&mut text)?;
    Ok(text)
}
