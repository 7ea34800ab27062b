//! A search under limits, with progress reports. `cargo run --release --example search`

use std::error::Error;
use std::time::Duration;

use zermelo::eval::Net;
use zermelo::games::TixTax;
use zermelo::rules::{Game, Record};
use zermelo::search::{AlphaBeta, Limits, SearchControl, SearchTask, Searcher, TimeBudget};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut record = Record::new(TixTax::start());
    for text in ["e5", "d6", "a9"] {
        record.push_text(text)?;
    }
    let budget = TimeBudget::fixed(Duration::from_millis(200));
    let limits = Limits { depth: Some(9), budget, ..Limits::default() };
    let task = SearchTask { limits, ..SearchTask::new(record) };

    // The evaluation is the embedded network; 16 MiB are for the transposition table.
    let mut searcher = AlphaBeta::new(Net::embedded()?, 16)?;
    let report = searcher.search(&task, &SearchControl::default(), &mut |progress| {
        println!("depth {}: {} nodes", progress.depth, progress.nodes);
    });
    let line = &report.lines[0];
    let moves: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
    println!("{:?}: {}", line.score, moves.join(" "));
    Ok(())
}
