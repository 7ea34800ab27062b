//! Why a move is good or bad, in the terms of its game, and why a move is illegal.
//!
//! Reasons are data computed from a position; front ends phrase them in each language. Each game has
//! its [`Reasons`] in its own file; [`DefaultReasons`] serves games without any. A reason is given
//! only if its definition, documented at its [`Reason`], holds in the position; `tests/reasons`
//! recomputes each one from the rules.

mod broken_rule;
mod nim;
#[cfg(feature = "interface")]
pub mod phrases;
mod ponghauki;
pub(crate) mod tictactoe;
mod tixtax;

#[cfg(feature = "interface")]
use serde::Serialize;

pub use broken_rule::BrokenRule;
pub use nim::NimReasons;
pub use ponghauki::PongHauKiReasons;
pub use tictactoe::TicTacToeReasons;
pub use tixtax::TixTaxReasons;

use crate::rules::{ExactValue, Game, Outcome, Value};

/// A reason for or against a move. Squares are named as in moves; boards are numbered 1 to 9 from the
/// top left.
///
/// A move that wins at once has the reason [`Wins`](Self::Wins) or [`Traps`](Self::Traps) and no
/// other. A quiet move has none.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "interface", derive(Serialize))]
#[cfg_attr(feature = "interface", serde(tag = "kind", rename_all = "snake_case"))]
pub enum Reason {
    /// The move wins the game at once.
    Wins,
    /// There is no other legal move.
    OnlyLegalMove,
    /// The move has this value, a win or a draw, and every other legal move has a lower one.
    OnlyMoveFor {
        #[cfg_attr(feature = "interface", serde(serialize_with = "serialize_value"))]
        value: Value,
    },
    /// Every legal move loses, and none loses later. Not given for the only legal move.
    LastsLongest,

    /// Tic-tac-toe: the opponent could complete a line on the cell of the move.
    Blocks,
    /// Tic-tac-toe: the mover now threatens two or more lines, and the opponent none.
    MakesFork {
        /// The cells that complete a line.
        cells: Vec<String>,
    },
    /// Tic-tac-toe: if the opponent were to move instead, it could make a fork but not win at once;
    /// after the move it can do neither. Not given if the move makes a fork itself.
    BlocksFork,
    /// Tic-tac-toe: the mover can now complete a line on these cells, but could not before the move.
    /// Not given if the move makes a fork.
    Threatens { cells: Vec<String> },
    /// Tic-tac-toe: the cell is the centre. Given if no other reason of the game holds.
    TakesCentre,
    /// Tic-tac-toe: the cell is a corner. Given if no other reason of the game holds.
    TakesCorner,

    /// Nim: the nim-sum was not 0 and becomes 0.
    ZeroesNimSum {
        /// The nim-sum before the move.
        nim_sum: u8,
        file: char,
        /// The size of the heap before the move.
        from: u8,
        /// Its size after the move.
        to: u8,
    },
    /// Nim: the nim-sum after the move is not 0.
    LeavesNimSum {
        /// The nim-sum after the move.
        nim_sum: u8,
    },
    /// Nim: all non-empty heaps pair off with heaps of the same size, and the reduced heap does so
    /// with the heap of this file, the first of its size.
    PairsOff {
        /// The file of the other heap.
        file: char,
    },
    /// Nim: the move empties a heap, and the others pair off with heaps of the same size.
    LeavesPairs,

    /// Pong Hau K'i: the opponent cannot move, which wins the game.
    Traps,
    /// Pong Hau K'i: another legal move lets the opponent trap the mover's pieces at once; this one
    /// does not.
    AvoidsTrap,
    /// Pong Hau K'i: both pieces of the mover are now on the upper or on the lower pair of points,
    /// which the rule of thumb forbids.
    LeavesPair { pair: PointPair },
    /// Pong Hau K'i: another legal move leaves both pieces of the mover on this pair of points; this
    /// one leaves them on neither pair.
    AvoidsPair { pair: PointPair },

    /// Ultimate tic-tac-toe: the mover wins this small board.
    WinsBoard { board: usize },
    /// Ultimate tic-tac-toe: with the board just won, the mover owns two boards of a line whose third
    /// is undecided and can still be won by the mover.
    MakesTwoInLine {
        /// The third board of each such line.
        missing: Vec<usize>,
    },
    /// Ultimate tic-tac-toe: the mover wins a board with which the opponent would have completed a
    /// line of boards, and which it could still have won.
    BlocksLine { board: usize },
    /// Ultimate tic-tac-toe: a stone of the opponent on this cell would win its board. Unless it is decisive,
    /// not given together with `WinsBoard` or `SpoilsBoard`.
    BlocksBoard {
        board: usize,
        /// Whether that would also complete a line of boards, which wins the game.
        is_decisive: bool,
    },
    /// Ultimate tic-tac-toe: before the move every line of this small board needed two or more stones
    /// of the mover; now one more stone wins the board, and that would also win the game if
    /// `is_decisive`. Not given together with `LetsWinBoard` for the same board.
    ThreatensBoard {
        board: usize,
        /// Whether that would also complete a line of boards, which wins the game.
        is_decisive: bool,
    },
    /// Ultimate tic-tac-toe: the opponent could still own three boards in a line, and now cannot: each
    /// line has a board that is closed or owned by the mover, or on which the mover has a stone in
    /// every line.
    ClosesLastLine,
    /// `tixtax-count`: after the move the mover owns more boards than the opponent can still get, and
    /// the opponent can make no line; before, one of the two did not hold.
    SecuresCount {
        /// The boards the mover owns.
        own: u8,
        /// The boards the opponent owns or can still win.
        other: u8,
    },
    /// `tixtax-count`: the mover now owns more boards than the opponent, and did not before. Not given
    /// together with `SecuresCount`.
    TakesLead {
        /// The boards the mover owns.
        own: u8,
        /// The boards the opponent owns.
        other: u8,
    },
    /// Ultimate tic-tac-toe: the opponent has to play on a board that neither side can still win.
    SendsToDeadBoard { board: usize },
    /// Ultimate tic-tac-toe: after the move the opponent can no longer win this small board, and could
    /// before. Not given if the mover wins it.
    SpoilsBoard { board: usize },
    /// Ultimate tic-tac-toe: every answer lets the mover win the game at once. Given together with what
    /// the move does on its board, and with nothing else.
    WinsNext,
    /// Ultimate tic-tac-toe: every answer but this one lets the mover win the game at once. Not given if
    /// the opponent has no other answer.
    ForcesReply {
        /// The answer.
        reply: String,
    },
    /// Ultimate tic-tac-toe: every answer lets the mover win a small board at once. Not given together
    /// with `WinsNext`.
    WinsBoardNext,
    /// Ultimate tic-tac-toe: the opponent cannot win the game at once, but could after more than half of
    /// the other legal moves.
    KeepsGame,
    /// Ultimate tic-tac-toe: the opponent cannot win a small board at once, but could after any other legal
    /// move.
    DeniesBoards,
    /// Ultimate tic-tac-toe: what the last reason says holds for no other legal move.
    NoOtherMove,
    /// Ultimate tic-tac-toe: the opponent can win the game at once.
    LetsWinGame,
    /// Ultimate tic-tac-toe: the opponent has to play on this board and can win it at once, but not the
    /// game. Not given if the best reply is known and does not win the board.
    LetsWinBoard { board: usize },
    /// Ultimate tic-tac-toe: the opponent may choose between two or more boards.
    GivesFreeChoice,
}

/// A pair of adjacent corner points of Pong Hau K'i, on which a side starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "interface", derive(Serialize))]
#[cfg_attr(feature = "interface", serde(rename_all = "snake_case"))]
pub enum PointPair {
    /// a3 and c3.
    Upper,
    /// a1 and c1.
    Lower,
}

impl Reason {
    /// The squares and boards that the reason names, as the spots of the layout are called.
    #[must_use]
    pub fn places(&self) -> Vec<String> {
        let spot = |number: &usize| format!("board {number}");
        match self {
            Self::MakesFork { cells } | Self::Threatens { cells } => cells.clone(),
            Self::ForcesReply { reply } => vec![reply.clone()],
            Self::MakesTwoInLine { missing } => missing.iter().map(spot).collect(),
            Self::WinsBoard { board }
            | Self::BlocksLine { board }
            | Self::BlocksBoard { board, .. }
            | Self::ThreatensBoard { board, .. }
            | Self::SendsToDeadBoard { board }
            | Self::SpoilsBoard { board }
            | Self::LetsWinBoard { board } => vec![spot(board)],
            _ => Vec::new(),
        }
    }

    /// Whether the reason speaks against the move.
    #[must_use]
    pub fn is_drawback(&self) -> bool {
        matches!(
            self,
            Self::LeavesNimSum { .. }
                | Self::LeavesPair { .. }
                | Self::LetsWinGame
                | Self::LetsWinBoard { .. }
                | Self::GivesFreeChoice
        )
    }
}

#[cfg(feature = "interface")]
fn serialize_value<S: serde::Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Explains the moves of a game.
pub trait Reasons<G: Game> {
    /// The reasons that hold for a legal move, the most important first. What a move allows is no reason
    /// against it if `reply`, the opponent's best answer, makes no use of it.
    fn reasons(pos: &G, mv: G::Move, reply: Option<G::Move>) -> Vec<Reason> {
        let _ = reply;
        if wins(&pos.after(mv), pos) { vec![Reason::Wins] } else { Vec::new() }
    }

    /// Why a move is illegal in a position that is not final; `None` if it is legal or the game does
    /// not say.
    fn broken_rule(pos: &G, mv: G::Move) -> Option<BrokenRule> {
        let _ = (pos, mv);
        None
    }
}

/// The reasons of any game: only that a move wins.
#[derive(Debug)]
pub struct DefaultReasons;

impl<G: Game> Reasons<G> for DefaultReasons {}

/// Whether the game is won for the side that moved from `pos` to `next`.
fn wins<G: Game>(next: &G, pos: &G) -> bool {
    next.outcome() == Some(Outcome::Win(pos.side()))
}

/// The reason given by the number of legal moves and their exact values, if any. `ranked` contains
/// every legal move, or is empty if the values are not known.
pub fn value_reason<M: Copy + PartialEq>(
    ranked: &[(M, ExactValue)],
    legal: &[M],
    mv: M,
) -> Option<Reason> {
    let own = ranked.iter().find(|(own, _)| *own == mv).map(|(_, exact)| *exact);
    if own == Some(ExactValue::Win(1)) {
        return None;
    }
    if legal.len() == 1 {
        return Some(Reason::OnlyLegalMove);
    }
    let mut others = ranked.iter().filter(|(own, _)| *own != mv).map(|(_, exact)| *exact);
    match own?.value() {
        Value::Loss => others.all(|other| Some(other) <= own).then_some(Reason::LastsLongest),
        value => others.all(|other| other.value() < value).then_some(Reason::OnlyMoveFor { value }),
    }
}
