//! `zermelo completions`: shell completions, generated from the argument definitions.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::error::CliError;

/// Generate shell completions
///
/// Prints a completion script; save it where the shell looks for completions.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    /// Shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  zermelo completions bash > ~/.local/share/bash-completion/completions/zermelo
  zermelo completions zsh > ~/.zfunc/_zermelo
  zermelo completions fish > ~/.config/fish/completions/zermelo.fish";

pub(super) fn run(arguments: &Arguments) -> Result<(), CliError> {
    let mut text = Vec::new();
    let mut command = crate::cli::Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "zermelo", &mut text);
    Ok(io::stdout().lock().write_all(&text)?)
}
