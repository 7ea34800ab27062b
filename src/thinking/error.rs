//! The errors of commands.

use crate::eval::EvalFileError;
use crate::printing::{expected_names, quote};
use crate::protocol::ProtocolError;
use crate::reasons::BrokenRule;
use crate::rules::{FenError, Game, MoveError, Notation, StartPosition};
use crate::search::OutOfMemory;

/// Why a command was refused. A refused command changes nothing.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The line is not a valid command.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    #[error("invalid FEN {}: {source}", quote(fen))]
    Fen {
        fen: String,
        /// What is wrong with it.
        source: FenError,
    },
    /// The move is invalid or illegal.
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error("illegal move {}: {reason}; {hint}", quote(found))]
    Illegal {
        /// The move.
        found: String,
        reason: Box<BrokenRule>,
        /// Some legal moves.
        hint: String,
    },
    #[error("{} is not accepted while searching, expected one of: isready stop ponderhit quit debug query d fen legal", quote(.0))]
    Searching(String),
    #[error("unknown option {}{}", quote(found), expected_names(found, expected, ", "))]
    UnknownOption {
        /// The name given.
        found: String,
        /// The names of all options.
        expected: String,
    },
    #[error("option {0} is disabled by --locked: clients must not choose files on this machine")]
    LockedOption(&'static str),
    #[error("invalid value {} for option {option}, expected {expected}", quote(found))]
    Value {
        option: &'static str,
        /// The value given.
        found: String,
        /// The valid values.
        expected: String,
    },
    #[error(
        "{wanted} MiB requested for option Hash, expected at most {available} MiB (available memory)"
    )]
    Memory {
        /// The requested size in MiB.
        wanted: usize,
        /// The available memory in MiB.
        available: usize,
    },
    #[error(
        "{game} has neither a legal move nor a result at {}: `outcome` must be `Some` if `legal_moves` is empty",
        quote(fen)
    )]
    NoMoves {
        game: &'static str,
        /// The position.
        fen: String,
    },
    /// A command failed by a panic.
    #[error("internal error: the message on stderr says where")]
    Panic,
    /// An allocation failed.
    #[error("{0}, reduce Hash or free memory")]
    NoMemory(#[from] OutOfMemory),
    #[error("invalid value {} for option EvalFile: {source}", quote(path))]
    Weights {
        path: String,
        /// The cause.
        source: EvalFileError,
    },
    #[error("invalid value {} for option Log File: {source}", quote(path))]
    Log {
        path: String,
        /// The cause.
        source: std::io::Error,
    },
    #[error("unknown game {}{}", quote(found), expected_names(found, expected, ", "))]
    UnknownGame {
        /// The name given.
        found: String,
        /// The names of all games.
        expected: String,
    },
    #[error(
        "{game} cannot be played in CodinGame's protocol, which needs a board of 9×9 squares; \
         expected one of: {supported}"
    )]
    NoCodingame {
        game: &'static str,
        /// The games that can.
        supported: String,
    },
    #[error("{game} does not support notation {found}, expected one of: {expected}")]
    UnknownNotation {
        game: &'static str,
        found: Notation,
        /// The notations the game supports.
        expected: String,
    },
    #[error("notation {notation} cannot express the position {fen}")]
    Inexpressible {
        /// The position.
        fen: String,
        notation: Notation,
    },
    /// Serializing to JSON failed.
    #[cfg(feature = "interface")]
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("cannot start a search thread: {0}")]
    Thread(std::io::Error),
}

/// Parses a FEN, or `startpos`.
pub(crate) fn parse_position<G: Game>(text: &str) -> Result<G, EngineError> {
    match StartPosition::from_text(text) {
        StartPosition::Initial => Ok(G::start()),
        _ => parse_fen(text),
    }
}

pub(super) fn parse_fen<G: Game>(fen: &str) -> Result<G, EngineError> {
    fen.parse().map_err(|source| EngineError::Fen { fen: fen.to_owned(), source })
}
