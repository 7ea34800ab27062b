//! The text format of records: tags, then moves with comments, as in PGN.
//!
//! ```text
//! [Game "tictactoe"]
//! [White "alphabeta"]
//! [Black "random"]
//! [Result "1-0"]
//! [Termination "normal"]
//! …
//!
//! 1. a3 {+0.00/9 0.0012s, 5478 nodes} b3 $4 {0.0001s, worth loss 6, best draw, keep 1/8}
//! (1... b2 c3) 2. a2 {+M5/5 0.0002s} 1-0
//! ```
//!
//! An annotated move has its mark as a numeric annotation glyph, its value and that of the best
//! move in its comment, and the best line as a variation.
//!
//! A game ends with its result and a blank line; without them it is incomplete and not read. Lines
//! that start with `%` are directives for programs and not part of a game. Unknown fields of
//! comments, other glyphs and other variations are ignored, unknown tags are kept.

mod read;
mod write;

use std::io;

pub use read::PartialGame;
pub(super) use read::{parse_game, parse_value};

/// Why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("line {line}: {reason}")]
    Game {
        /// The line of the error or of the game's first tag, from 1.
        line: usize,
        reason: String,
    },
}
