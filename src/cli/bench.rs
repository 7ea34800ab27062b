//! `zermelo bench`: the signature of the search, and its speed.

use std::io::{self, Write};

use super::CliError;
use crate::engine::bench::BenchStep;
use crate::engine::registry;
use crate::protocol::reply;
use crate::search::SearchControl;

pub(super) fn run(game: &registry::GameEntry) -> Result<(), CliError> {
    let mut stdout = io::stdout().lock();
    let mut written = Ok(());
    let mut each = |step: &BenchStep| {
        if written.is_ok() {
            written = writeln!(stdout, "{:>10} nodes  {}", step.nodes, step.fen);
        }
    };
    let total = game.bench(&SearchControl::default(), &mut each);
    written?;
    match total? {
        Some((nodes, time)) => writeln!(stdout, "{}", reply::speed_line(nodes, time))?,
        None => return Err(CliError::Failed("the bench was stopped".to_owned())),
    }
    Ok(())
}
