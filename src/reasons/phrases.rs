//! The phrases for reasons and for illegal moves. A phrase has the move as its subject: "wins board 3
//! (top right)".

use std::fmt;

use super::{BrokenRule, PointPair, Reason};
use crate::language::{Language, Values};
use crate::rules::Value;

/// The phrases of several reasons; empty if there is none.
#[must_use]
pub fn join(reasons: &[Reason], language: Language) -> String {
    let mut text = String::new();
    let mut previous: Option<&Reason> = None;
    for reason in reasons {
        text += match previous {
            None => "",
            Some(_) if *reason == Reason::NoOtherMove => "",
            Some(last) if reason.is_drawback() && !last.is_drawback() => {
                language.text("reason.but")
            }
            Some(_) => language.text("reason.and"),
        };
        text += &phrase(reason, language);
        previous = Some(reason);
    }
    text
}

fn phrase(reason: &Reason, language: Language) -> String {
    let with_board = |key, number| language.fill(key, &[("board", &board(number, language))]);
    let with_cells = |key, cells: &[String]| {
        language.fill(key, &[("cells", &cells.join(language.text("reason.cellAnd")))])
    };
    let with_count = |key, own, other| language.fill(key, &[("own", own), ("other", other)]);
    let key = match reason {
        Reason::Wins => "reason.wins",
        Reason::OnlyLegalMove => "reason.onlyLegal",
        Reason::OnlyMoveFor { value: Value::Win } => "reason.onlyWinning",
        Reason::OnlyMoveFor { .. } => "reason.onlyHolding",
        Reason::LastsLongest => "reason.lastsLongest",
        Reason::Blocks => "reason.blocks",
        Reason::MakesFork { cells } => return with_cells("reason.fork", cells),
        Reason::BlocksFork => "reason.blocksFork",
        Reason::Threatens { cells } => return with_cells("reason.threatens", cells),
        Reason::TakesCentre => "reason.centre",
        Reason::TakesCorner => "reason.corner",
        Reason::ZeroesNimSum { nim_sum, file, from, to } => {
            let values: &Values<'_> =
                &[("sum", nim_sum), ("file", file), ("from", from), ("to", to)];
            return language.fill("reason.zeroesNimSum", values);
        }
        Reason::LeavesNimSum { nim_sum } => {
            return language.fill("reason.leavesNimSum", &[("sum", nim_sum)]);
        }
        Reason::PairsOff { file } => return language.fill("reason.pairsOff", &[("file", file)]),
        Reason::LeavesPairs => "reason.leavesPairs",
        Reason::Traps => "reason.traps",
        Reason::AvoidsTrap => "reason.avoidsTrap",
        Reason::LeavesPair { pair: PointPair::Upper } => "reason.leavesUpper",
        Reason::LeavesPair { pair: PointPair::Lower } => "reason.leavesLower",
        Reason::AvoidsPair { pair: PointPair::Upper } => "reason.avoidsUpper",
        Reason::AvoidsPair { pair: PointPair::Lower } => "reason.avoidsLower",
        Reason::WinsBoard { board } => return with_board("reason.winsBoard", *board),
        Reason::MakesTwoInLine { missing } => {
            let missing: Vec<String> =
                missing.iter().map(|number| board(*number, language)).collect();
            let boards = missing.join(language.text("reason.boardOr"));
            return language.fill("reason.twoInLine", &[("boards", &boards)]);
        }
        Reason::BlocksLine { .. } => "reason.blocksLine",
        Reason::BlocksBoard { board, is_decisive } => {
            let key = if *is_decisive { "reason.blocksWin" } else { "reason.blocksBoard" };
            return with_board(key, *board);
        }
        Reason::ThreatensBoard { board, is_decisive } => {
            let key = if *is_decisive { "reason.threatensWin" } else { "reason.threatensBoard" };
            return with_board(key, *board);
        }
        Reason::ClosesLastLine => "reason.closesLastLine",
        Reason::SecuresCount { own, other } => {
            return with_count("reason.securesCount", own, other);
        }
        Reason::TakesLead { own, other } => return with_count("reason.leads", own, other),
        Reason::SendsToDeadBoard { board } => return with_board("reason.deadBoard", *board),
        Reason::SpoilsBoard { board } => return with_board("reason.spoilsBoard", *board),
        Reason::WinsNext => "reason.winsNext",
        Reason::ForcesReply { reply } => {
            return language.fill("reason.forcesReply", &[("reply", reply)]);
        }
        Reason::WinsBoardNext => "reason.winsBoardNext",
        Reason::KeepsGame => "reason.keepsGame",
        Reason::DeniesBoards => "reason.deniesBoards",
        Reason::NoOtherMove => "reason.noOtherMove",
        Reason::LetsWinGame => "reason.letsWinGame",
        Reason::LetsWinBoard { board } => return with_board("reason.letsWinBoard", *board),
        Reason::GivesFreeChoice => "reason.freeChoice",
    };
    language.text(key).to_owned()
}

/// A small board of ultimate tic-tac-toe with its place, such as `the centre board`.
#[must_use]
pub fn board(number: usize, language: Language) -> String {
    language.fill("board.place", &[("place", &language.text(&format!("place.{number}")))])
}

/// Why the person's move is illegal.
#[must_use]
pub fn broken_rule(reason: &BrokenRule, language: Language) -> String {
    let with_square = |key, square: &String| language.fill(key, &[("square", square)]);
    let with_board = |key, number| language.fill(key, &[("board", &board(number, language))]);
    match reason {
        BrokenRule::Occupied { square } => with_square("illegal.occupied", square),
        BrokenRule::NotOwnPiece { square } => with_square("illegal.notOwn", square),
        BrokenRule::SentTo { board } => with_board("illegal.sentTo", *board),
        BrokenRule::BoardClosed { board, is_won: true } => with_board("illegal.boardWon", *board),
        BrokenRule::BoardClosed { board, is_won: false } => with_board("illegal.boardFull", *board),
        BrokenRule::NoLine { from, to } => {
            language.fill("illegal.noLine", &[("from", from), ("to", to)])
        }
        BrokenRule::FirstMove { piece } => language.fill("illegal.firstMove", &[("piece", piece)]),
        BrokenRule::NoStep => language.text("illegal.noStep").to_owned(),
        BrokenRule::Backwards => language.text("illegal.backwards").to_owned(),
        BrokenRule::InTheWay { square } => with_square("illegal.inTheWay", square),
    }
}

/// For error messages, which speak of the mover: `the mover was sent to the centre board`.
impl fmt::Display for BrokenRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOwnPiece { square } => write!(f, "the mover has no piece on {square}"),
            Self::SentTo { board: number } => {
                write!(f, "the mover was sent to {}", board(*number, Language::English))
            }
            reason => f.write_str(&broken_rule(reason, Language::English)),
        }
    }
}
