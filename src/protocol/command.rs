//! Parsed commands. Moves and positions are still text, not resolved against a position.

use crate::rules::StartPosition;

/// A command from the client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProtocolCommand<'a> {
    Uci,
    Ugi,
    /// `ucinewgame`, `uginewgame`
    NewGame,
    IsReady,
    /// `setoption name N [value V]`
    SetOption {
        /// The option's name, as written.
        name: &'a str,
        /// The text after `value`; empty without `value`.
        value: &'a str,
    },
    /// `position … [moves …]`
    Position {
        setup: StartPosition<'a>,
        /// The moves played from it.
        moves: Vec<&'a str>,
    },
    /// `moves M…`
    Moves(Vec<&'a str>),
    /// `query …`
    Query(Query),
    /// `go …`
    Go(GoOptions<'a>),
    Stop,
    PonderHit,
    /// `perft N [divide]`, `go perft N`
    Perft(PerftOptions),
    /// `d`
    Show,
    Fen,
    Legal,
    Values,
    Eval,
    Bench,
    Help,
    /// `debug on|off`
    Debug(bool),
    Quit,
}

/// A line in a list of positions and games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PositionLine<'a> {
    /// A line with `startpos`, `fen` or `random`, as in the command `position`.
    Explicit {
        setup: StartPosition<'a>,
        /// The moves played from it.
        moves: Vec<&'a str>,
    },
    /// A line without a keyword: a FEN, or moves from the start. Only the game can tell which.
    Bare {
        /// The text before the word `moves`, or the whole line.
        text: &'a str,
        /// The words after `moves`, if that word is present.
        moves: Option<Vec<&'a str>>,
    },
}

/// The subject of a `query` command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Query {
    GameOver,
    /// Whether the first player is to move.
    P1Turn,
    Result,
}

/// The arguments of `perft`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PerftOptions {
    pub depth: u32,
    /// Whether to list the count for each move.
    pub divide: bool,
}

/// The arguments of `go`. Times are in milliseconds; a negative time means that the flag has fallen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GoOptions<'a> {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub move_time: Option<i64>,
    /// `wtime`/`p1time` and `btime`/`p2time`
    pub time: [Option<i64>; 2],
    /// `winc`/`p1inc` and `binc`/`p2inc`
    pub increment: [Option<i64>; 2],
    pub moves_to_go: Option<u32>,
    pub mate: Option<u32>,
    pub infinite: bool,
    pub ponder: bool,
    /// `searchmoves M…`
    pub search_moves: Vec<&'a str>,
}

impl GoOptions<'_> {
    /// Whether the search ends without `stop` once it is no longer pondering.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        let has_time = self.time.iter().any(Option::is_some) || self.move_time.is_some();
        let has_limit = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some();
        !self.infinite && (has_time || has_limit)
    }
}
