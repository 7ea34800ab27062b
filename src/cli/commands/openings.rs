//! `zermelo openings`: generates opening positions for matches.

use std::io::{self, BufWriter, Write};

use crate::cli::error::CliError;
use crate::search::SearchControl;
use crate::thinking::GameSpec;
use crate::thinking::openings::{MAX_FRUITLESS_GAMES, OpeningRequest, OpeningSupply};

/// The whole list is kept in memory.
const MAX_COUNT: u64 = 1_000_000;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Arguments {
    /// Number of positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_COUNT))]
    count: u64,

    /// Plies from the start of the game [default: depends on the game]
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u16).range(0..=1000))]
    plies: Option<u16>,

    /// Random seed; the same seed gives the same list
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Only balanced positions: drawn ones; in games without draws, half won and half lost; in
    /// unsolved games, those that a short search scores near zero
    #[arg(long)]
    balanced: bool,
}

pub(super) fn run(game: &GameSpec, arguments: &Arguments) -> Result<(), CliError> {
    let request = OpeningRequest {
        count: usize::try_from(arguments.count).unwrap_or(usize::MAX),
        plies: arguments.plies.map(usize::from),
        seed: arguments.seed,
        balanced: arguments.balanced,
    };
    let openings = game.openings(&request, &SearchControl::default());
    let openings = openings.map_err(|error| CliError::from_position(game.id, error))?;
    let mut stdout = BufWriter::new(io::stdout().lock());
    for fen in &openings.fens {
        writeln!(stdout, "{fen}")?;
    }
    stdout.flush()?;
    let (found, wanted) = (openings.fens.len(), arguments.count);
    match openings.supply {
        OpeningSupply::Enough => Ok(()),
        OpeningSupply::Exhausted => Err(CliError::Failed(format!(
            "found {found} of {wanted} openings: no more such openings exist"
        ))),
        OpeningSupply::GaveUp => Err(CliError::Failed(format!(
            "found {found} of {wanted} openings: {MAX_FRUITLESS_GAMES} random games in a row gave no \
             new one"
        ))),
    }
}
