//! `zermelo bench`: a fixed search whose node count is the signature of the search.

use std::io::{self, Write};

use crate::cli::error::CliError;
use crate::protocol::reply;
use crate::search::SearchControl;
use crate::thinking::{GameSpec, bench};

pub(super) fn run(game: &GameSpec) -> Result<(), CliError> {
    let mut stdout = io::stdout().lock();
    let mut written = Ok(());
    let mut print_step = |fen: &str, nodes: u64| {
        if written.is_ok() {
            written = writeln!(stdout, "{nodes:>10} nodes  {fen}");
        }
    };
    let total = bench::run(game, &SearchControl::default(), &mut print_step);
    written?;
    match total.map_err(|error| CliError::from_position(game.id, error))? {
        Some((nodes, time)) => writeln!(stdout, "{}", reply::speed_line(nodes, time))?,
        None => return Err(CliError::Failed("bench was interrupted".to_owned())),
    }
    Ok(())
}
