//! `zermelo openings`: positions to begin matches from.

use std::io::{self, BufWriter, Write};

use super::CliError;
use crate::engine::openings::{MAX_FRUITLESS_GAMES, OpeningRequest, OpeningSupply};
use crate::engine::registry;

/// More would be a book, and would have to be held in memory.
const MOST: u64 = 1_000_000;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// How many positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST))]
    count: u64,

    /// Plies from the start of the game; the game's own number when not given
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u16).range(0..=1000))]
    plies: Option<u16>,

    /// Where the random choices begin: the same seed, the same list
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Only positions with even chances: drawn, or half won and half lost where there are no draws,
    /// or near zero by a short search where the game is not solved
    #[arg(long)]
    balanced: bool,
}

pub(super) fn run(game: &registry::GameEntry, arguments: &Arguments) -> Result<(), CliError> {
    let request = OpeningRequest {
        count: usize::try_from(arguments.count).unwrap_or(usize::MAX),
        plies: arguments.plies.map(usize::from),
        seed: arguments.seed,
        balanced: arguments.balanced,
    };
    let openings = game.openings(&request)?;
    let mut stdout = BufWriter::new(io::stdout().lock());
    for fen in &openings.fens {
        writeln!(stdout, "{fen}")?;
    }
    stdout.flush()?;
    let (found, wanted) = (openings.fens.len(), arguments.count);
    match openings.supply {
        OpeningSupply::Enough => Ok(()),
        OpeningSupply::Exhausted => {
            Err(CliError::Failed(format!("{found} such openings exist, {wanted} were asked for")))
        }
        OpeningSupply::GaveUp => Err(CliError::Failed(format!(
            "{found} openings found, {wanted} were asked for: {MAX_FRUITLESS_GAMES} random games in a row \
             brought no further one"
        ))),
    }
}
