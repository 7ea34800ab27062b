//! Commands, as they stand in a line: nothing is resolved against a position yet.

/// A line from the client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProtocolCommand<'a> {
    /// `uci`
    Uci,
    /// `ugi`
    Ugi,
    /// `ucinewgame`, `uginewgame`
    NewGame,
    /// `isready`
    IsReady,
    /// `setoption name N [value V]`
    SetOption {
        /// The option's name as it was written.
        name: &'a str,
        /// The text behind `value`; empty when there is none.
        value: &'a str,
    },
    /// `position … [moves …]`
    Position {
        /// Where the game begins.
        setup: PositionSetup<'a>,
        /// What was played since.
        moves: Vec<&'a str>,
    },
    /// `moves M…`
    Moves(Vec<&'a str>),
    /// `query …`
    Query(Query),
    /// `go …`
    Go(GoOptions<'a>),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `perft N [divide]`
    Perft(PerftOptions),
    /// `d`
    Show,
    /// `fen`
    Fen,
    /// `legal`
    Legal,
    /// `values`
    Values,
    /// `eval`
    Eval,
    /// `bench`
    Bench,
    /// `help`
    Help,
    /// `debug on|off`
    Debug(bool),
    /// `quit`
    Quit,
}

/// The first part of a `position` command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PositionSetup<'a> {
    /// The game's start.
    Start,
    /// A FEN, as it was written.
    Fen(&'a str),
    /// A start made from a seed.
    Random {
        /// The seed.
        seed: u64,
        /// Random plies to play; the game's own number when not given.
        plies: Option<u32>,
    },
}

impl<'a> PositionSetup<'a> {
    /// The position of a text that is a FEN or `startpos`.
    #[must_use]
    pub fn from_text(text: &'a str) -> Self {
        if text == "startpos" { Self::Start } else { Self::Fen(text) }
    }
}

/// A line of a list of positions and games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PositionLine<'a> {
    /// With a word that says what it is, as in the command `position`.
    Explicit {
        /// Where the game begins.
        setup: PositionSetup<'a>,
        /// What was played since.
        moves: Vec<&'a str>,
    },
    /// No word says what it is: a FEN, or moves from the start. Only a game can tell.
    Bare {
        /// What stands before the word `moves`, or the whole line.
        text: &'a str,
        /// What stands behind the word `moves`, if that is there.
        moves: Option<Vec<&'a str>>,
    },
}

/// What a match runner may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Query {
    /// Whether the game is over.
    GameOver,
    /// Whether the first player is to move.
    P1Turn,
    /// Who won.
    Result,
}

/// A count of leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PerftOptions {
    /// Plies.
    pub depth: u32,
    /// Whether to tell the count behind each move.
    pub divide: bool,
}

/// The arguments of `go`. Times are in milliseconds and may be negative: a flag that has fallen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GoOptions<'a> {
    /// `depth N`
    pub depth: Option<u32>,
    /// `nodes N`
    pub nodes: Option<u64>,
    /// `movetime T`
    pub move_time: Option<i64>,
    /// `wtime`/`p1time` and `btime`/`p2time`
    pub time: [Option<i64>; 2],
    /// `winc`/`p1inc` and `binc`/`p2inc`
    pub increment: [Option<i64>; 2],
    /// `movestogo N`
    pub moves_to_go: Option<u32>,
    /// `mate N`
    pub mate: Option<u32>,
    /// `infinite`
    pub infinite: bool,
    /// `ponder`
    pub ponder: bool,
    /// `searchmoves M…`
    pub search_moves: Vec<&'a str>,
    /// `perft N`
    pub perft: Option<u32>,
}

impl GoOptions<'_> {
    /// Whether the search ends without `stop`, once it does not ponder any more.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        let clock = self.time.iter().any(Option::is_some) || self.move_time.is_some();
        let count = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some();
        !self.infinite && (clock || count)
    }
}
