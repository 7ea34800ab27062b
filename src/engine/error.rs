//! Everything a command can be refused for.

use crate::eval::EvalFileError;
use crate::protocol::ProtocolError;
use crate::rules::{FenError, MoveError, Notation, quote};
use crate::search::OutOfMemory;

/// Why a command was refused; nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The line is no command.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// The FEN is no position of the game.
    #[error("{source} in {}", quote(fen))]
    Fen {
        /// The FEN.
        fen: String,
        /// What is wrong with it.
        source: FenError,
    },
    /// A move cannot be played.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// Only some commands are answered during a search.
    #[error("{} while searching, expected one of: isready stop ponderhit quit debug query d fen legal", quote(.0))]
    Searching(String),
    /// There is no such option.
    #[error("unknown option {}, expected one of: {expected}", quote(found))]
    UnknownOption {
        /// The name.
        found: String,
        /// All options.
        expected: String,
    },
    /// The option cannot have that value.
    #[error("{} for option {option}, expected {expected}", quote(found))]
    Value {
        /// The option.
        option: &'static str,
        /// The value.
        found: String,
        /// What it can be.
        expected: String,
    },
    /// The table would not fit the memory.
    #[error("{wanted} MiB for option Hash, expected at most the {available} MiB that are free")]
    Memory {
        /// What was asked for.
        wanted: usize,
        /// What the machine can give.
        available: usize,
    },
    /// The system gave no memory.
    #[error("{0}, expected more, or a smaller Hash")]
    NoMemory(#[from] OutOfMemory),
    /// The file for `EvalFile` cannot be used.
    #[error("{} for option EvalFile: {source}", quote(path))]
    Weights {
        /// The file.
        path: String,
        /// Why not.
        source: EvalFileError,
    },
    /// The log file cannot be written.
    #[error("{} for option Log File: {source}", quote(path))]
    Log {
        /// The file.
        path: String,
        /// Why not.
        source: std::io::Error,
    },
    /// There is no such game.
    #[error("unknown game {}, expected one of: {expected}", quote(found))]
    UnknownGame {
        /// The name.
        found: String,
        /// All games.
        expected: String,
    },
    /// The game is not written in that notation.
    #[error("{game} has no notation {found}, expected one of: {expected}")]
    UnknownNotation {
        /// The game.
        game: &'static str,
        /// The notation.
        found: Notation,
        /// What the game can be written in.
        expected: String,
    },
    /// The notation cannot tell this position of the game.
    #[error("the notation {notation} cannot tell the position {fen}")]
    Inexpressible {
        /// The position.
        fen: String,
        /// The notation.
        notation: Notation,
    },
    /// What there is to say about a position cannot be written.
    #[error("cannot be written: {0}")]
    Json(#[from] serde_json::Error),
    /// The thread for a search could not be started.
    #[error("no thread to search on: {0}")]
    Thread(std::io::Error),
}
