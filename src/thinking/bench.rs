//! `bench`: searches fixed positions to a fixed depth on one thread.
//!
//! The number of nodes is the signature of the search: the same on every machine, and changed only
//! by changes of the search.

use std::time::Duration;

use super::settings::{SearcherChoice, Settings};
use super::{EngineError, GameSpec, SearchRequest};
use crate::rules::StartPosition;
use crate::search::{Limits, SearchControl};

const POSITIONS: u32 = 12;

/// Runs the benchmark of a game, calling `each` after each position with its FEN and nodes; returns
/// the total nodes and time, or `None` if stopped.
///
/// # Errors
/// Fails if the search cannot allocate its memory.
pub fn run(
    spec: &GameSpec,
    control: &SearchControl,
    each: &mut dyn FnMut(&str, u64),
) -> Result<Option<(u64, Duration)>, EngineError> {
    let request = SearchRequest {
        limits: Limits { depth: Some(spec.bench_depth), ..Limits::default() },
        searcher: SearcherChoice::AlphaBeta,
        ..Settings::default().request()
    };
    let mut game = spec.open();
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for number in 0..POSITIONS {
        let setup = StartPosition::Random { seed: number.into(), plies: Some(4 * number) };
        game.set_position(&setup, &[])?;
        let report = game.prepare(&request)?.run(&control.child(), &mut |_| {})?;
        if control.is_stopped() {
            return Ok(None);
        }
        nodes += report.nodes;
        time += report.time;
        each(&game.fen(), report.nodes);
    }
    Ok(Some((nodes, time)))
}
