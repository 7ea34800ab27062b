//! `zermelo perft`: counts leaf nodes and measures the speed.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::CliError;
use crate::engine::registry;
use crate::protocol::{PositionSetup, reply};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
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

pub(super) fn run(game: &registry::GameEntry, arguments: &Arguments) -> Result<(), CliError> {
    let mut desk = game.open();
    if let Some(fen) = &arguments.fen {
        let game = game.id;
        desk.set_position(&PositionSetup::Fen(fen), &[])
            .map_err(|source| CliError::Position { game, source })?;
    }
    let started = Instant::now();
    let stop = AtomicBool::new(false);
    let counts = desk
        .perft(arguments.depth, arguments.threads.into(), &stop)
        .ok_or_else(|| CliError::Failed("perft was interrupted".to_owned()))?;
    let text = reply::perft_text(&counts, arguments.divide, started.elapsed());
    writeln!(io::stdout(), "{text}")?;
    Ok(())
}
