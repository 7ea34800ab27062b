//! `zermelo perft`: counts leaf nodes and measures the speed.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::cli::error::CliError;
use crate::cli::terminal::print_heading;
use crate::protocol::reply;
use crate::rules::{Notation, StartPosition};
use crate::thinking::GameSpec;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Arguments {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: u32,

    /// Position [default: the start of the game]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// Print the count of each move
    #[arg(long)]
    divide: bool,

    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

pub(super) fn run(spec: &GameSpec, arguments: &Arguments) -> Result<(), CliError> {
    let mut game = spec.open();
    if let Some(fen) = &arguments.fen {
        game.set_position(&StartPosition::from_text(fen), &[])
            .map_err(|error| CliError::from_position(spec.id, error))?;
    }
    let started = Instant::now();
    let (threads, never) = (arguments.threads.into(), AtomicBool::new(false));
    let counts = game.perft(arguments.depth, threads, Notation::Own, &never).unwrap_or_default();
    if arguments.divide {
        print_heading("MOVE: LEAVES")?;
    }
    let text = reply::perft_text(&counts, arguments.divide, started.elapsed());
    writeln!(io::stdout(), "{text}")?;
    Ok(())
}
