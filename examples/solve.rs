//! Exact values: exact solvers for solved games, proofs for TixTax. `cargo run --example solve`

use std::error::Error;

use zermelo::eval::Net;
use zermelo::games::{Nim, PongHauKi, TicTacToe, TixTax};
use zermelo::rules::{GameNotation, Record};
use zermelo::search::EvalHeuristic;
use zermelo::solve::{ExactSolver, Minimax, Prover, Retrograde, SpragueGrundy, rank_moves};

/// Prints the value of the start position and the best moves after some others.
fn show<G: GameNotation>(
    mut exact_solver: impl ExactSolver<G>,
    moves: &[&str],
) -> Result<(), Box<dyn Error>> {
    println!("{}: {:?}", G::ID, exact_solver.exact(&G::start()));
    let mut record = Record::new(G::start());
    for text in moves {
        record.push_text(text)?;
    }
    for (mv, exact) in rank_moves(&mut exact_solver, &record).iter().take(3) {
        println!("    {mv}: {exact:?}");
    }
    Ok(())
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    show(Minimax::<TicTacToe>::default(), &["a3", "b3"])?;
    show(Retrograde::<PongHauKi>::default(), &["a3b2", "a1a3"])?;
    show::<Nim>(SpragueGrundy::default(), &["a1a2"])?;

    // TixTax is not solved; proof-number search proves single positions, here with a table of 64 MiB.
    let fen = "x2o4x/1x3xxox/1oxo2xxo/2ooxxooo/4ox3/9/1xo2ooo1/1x5o1/1x1o1x2x x 18 h6";
    let mut prover = Prover::new(EvalHeuristic(Net::embedded()?), 64 << 20)?;
    let bounds = prover.prove(&fen.parse::<TixTax>()?, 10_000_000, &mut || false);
    println!("{fen}: {:?}", bounds.value());
    Ok(())
}
