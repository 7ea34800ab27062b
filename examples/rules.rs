//! The rules: positions, moves, FENs and perft. `cargo run --example rules`

use std::error::Error;

use zermelo::games::{Nim, TixTax};
use zermelo::rules::{Game, GameNotation, perft};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // Positions are small values; moves are checked when they are parsed and played.
    let mut pos = TixTax::start();
    for text in ["e5", "d6", "a9"] {
        let mv = pos.parse_move(text)?;
        pos.play(mv)?;
    }
    println!("{pos}: {} legal moves", pos.legal_moves().len());
    let illegal = pos.parse_move("e5").and_then(|mv| pos.play(mv));
    println!("e5: {}", illegal.expect_err("the cell is taken"));

    // Every game implements the same trait, and every FEN is checked.
    let pos: Nim = "8/8/2r5/8/1r6/r7/3rrrrr/bbbbbbbb b".parse()?;
    println!("{pos}: {:?}, {} nodes at depth 3", pos.outcome(), perft(&pos, 3));
    let refused = "9/9/9/9/9/9/9/9/9 o 1 -".parse::<TixTax>();
    println!("{}", refused.expect_err("x moves first"));
    Ok(())
}
