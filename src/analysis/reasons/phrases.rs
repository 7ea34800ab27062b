//! The phrases for reasons and for illegal moves, in each language. A phrase has the move as its
//! subject: "wins board 3 (top right)".

use super::{BoardName, BrokenRule, PointPair, Reason};
use crate::language::Language;
use crate::rules::Value;

/// The phrases of several reasons; empty if there is none.
#[must_use]
pub fn join(reasons: &[Reason], language: Language) -> String {
    let (separator, contrast) = match language {
        Language::English => ("; ", ", but "),
        Language::Chinese => ("；", "，但"),
    };
    let mut text = String::new();
    let mut previous: Option<&Reason> = None;
    for reason in reasons {
        text += match previous {
            None => "",
            Some(last) if reason.is_drawback() && !last.is_drawback() => contrast,
            Some(_) => separator,
        };
        text += &match language {
            Language::English => english(reason),
            Language::Chinese => chinese(reason),
        };
        previous = Some(reason);
    }
    text
}

fn english(reason: &Reason) -> String {
    let board_name = |board: usize| BoardName(board);
    match reason {
        Reason::Wins => "wins the game".to_owned(),
        Reason::OnlyLegalMove => "the only legal move".to_owned(),
        Reason::OnlyMoveFor { value: Value::Win } => "the only winning move".to_owned(),
        Reason::OnlyMoveFor { .. } => "the only move that does not lose".to_owned(),
        Reason::LastsLongest => "every move loses, this one lasts longest".to_owned(),
        Reason::Blocks => "blocks three in a row".to_owned(),
        Reason::MakesFork { cells } => format!("makes a fork ({})", cells.join(" and ")),
        Reason::BlocksFork => "blocks a fork".to_owned(),
        Reason::Threatens { cells } => {
            format!("threatens three in a row at {}", cells.join(" and "))
        }
        Reason::TakesCentre => "takes the centre".to_owned(),
        Reason::TakesCorner => "takes a corner".to_owned(),
        Reason::ZeroesNimSum { nim_sum, file, from, to } => {
            format!(
                "reduces the gap of file {file} from {from} to {to}, which brings the nim-sum from {nim_sum} to 0"
            )
        }
        Reason::LeavesNimSum { nim_sum } => format!("leaves the nim-sum at {nim_sum}, not 0"),
        Reason::PairsOff { file } => format!("pairs off with file {file}"),
        Reason::LeavesPairs => "leaves nothing but pairs of equal gaps".to_owned(),
        Reason::Traps => "traps the opponent".to_owned(),
        Reason::AvoidsTrap => "avoids a trap".to_owned(),
        Reason::LeavesPair { pair } => format!("leaves both pieces on {}", english_pair(*pair)),
        Reason::AvoidsPair { pair } => {
            format!("does not leave both pieces on {}", english_pair(*pair))
        }
        Reason::WinsBoard { board } => format!("wins {}", board_name(*board)),
        Reason::MakesTwoInLine { missing } => {
            let missing: Vec<String> = missing.iter().map(usize::to_string).collect();
            format!("makes two in a line on the big board (missing: {})", missing.join(" or "))
        }
        Reason::BlocksLine { .. } => "blocks the opponent's line on the big board".to_owned(),
        Reason::BlocksBoard { board, is_decisive: false } => {
            format!("blocks the opponent on {}", board_name(*board))
        }
        Reason::BlocksBoard { board, is_decisive: true } => {
            format!("keeps the opponent from winning the game on {}", board_name(*board))
        }
        Reason::ThreatensBoard { board, is_decisive: false } => {
            format!("threatens to win {}", board_name(*board))
        }
        Reason::ThreatensBoard { board, is_decisive: true } => {
            format!("threatens to win the game on {}", board_name(*board))
        }
        Reason::ClosesLastLine => "closes the opponent's last line on the big board".to_owned(),
        Reason::SecuresCount { own, other } => {
            format!("secures a win on count: {own} boards, at most {other} for the opponent")
        }
        Reason::TakesLead { own, other } => format!("leads by {own} boards to {other}"),
        Reason::SendsToDeadBoard { board } => {
            format!("sends the opponent to {}, where it can do nothing", board_name(*board))
        }
        Reason::DeniesBoards => "leaves the opponent no board to win at once".to_owned(),
        Reason::GivesFreeChoice => "gives the opponent a free choice of board".to_owned(),
        Reason::SendsTo { board } => format!("sends the opponent to {}", board_name(*board)),
    }
}

fn chinese(reason: &Reason) -> String {
    use chinese_board as board_name;
    match reason {
        Reason::Wins => "直接获胜".to_owned(),
        Reason::OnlyLegalMove => "唯一的合法着法".to_owned(),
        Reason::OnlyMoveFor { value: Value::Win } => "唯一的制胜着法".to_owned(),
        Reason::OnlyMoveFor { .. } => "唯一不输的着法".to_owned(),
        Reason::LastsLongest => "怎么走都输，这步撑得最久".to_owned(),
        Reason::Blocks => "阻止对方三子连线".to_owned(),
        Reason::MakesFork { cells } => format!("形成双杀（{}）", cells.join("、")),
        Reason::BlocksFork => "阻止对方形成双杀".to_owned(),
        Reason::Threatens { cells } => format!("威胁在 {} 三子连线", cells.join("、")),
        Reason::TakesCentre => "占据中心".to_owned(),
        Reason::TakesCorner => "占据一角".to_owned(),
        Reason::ZeroesNimSum { nim_sum, file, from, to } => {
            format!("把 {file} 列的空格从 {from} 减到 {to}，使尼姆和从 {nim_sum} 变为 0")
        }
        Reason::LeavesNimSum { nim_sum } => format!("走后尼姆和为 {nim_sum}，不是 0"),
        Reason::PairsOff { file } => format!("与 {file} 列配成一对"),
        Reason::LeavesPairs => "其余各列空格数两两相等".to_owned(),
        Reason::Traps => "困住对方".to_owned(),
        Reason::AvoidsTrap => "避免被困".to_owned(),
        Reason::LeavesPair { pair } => format!("两子都留在{}", chinese_pair(*pair)),
        Reason::AvoidsPair { pair } => format!("不让两子都留在{}", chinese_pair(*pair)),
        Reason::WinsBoard { board } => format!("赢下{}", board_name(*board)),
        Reason::MakesTwoInLine { missing } => {
            let missing: Vec<String> = missing.iter().map(usize::to_string).collect();
            format!("在大棋盘上形成两连（还差 {}）", missing.join(" 或 "))
        }
        Reason::BlocksLine { .. } => "阻断对方在大棋盘上的连线".to_owned(),
        Reason::BlocksBoard { board, is_decisive: false } => {
            format!("阻止对方赢下{}", board_name(*board))
        }
        Reason::BlocksBoard { board, is_decisive: true } => {
            format!("阻止对方在{}获胜", board_name(*board))
        }
        Reason::ThreatensBoard { board, is_decisive: false } => {
            format!("威胁赢下{}", board_name(*board))
        }
        Reason::ThreatensBoard { board, is_decisive: true } => {
            format!("威胁在{}获胜", board_name(*board))
        }
        Reason::ClosesLastLine => "封死对方在大棋盘上的最后一条线".to_owned(),
        Reason::SecuresCount { own, other } => {
            format!("锁定胜局：已赢 {own} 个小棋盘，对方最多 {other} 个")
        }
        Reason::TakesLead { own, other } => format!("以 {own} 比 {other} 个小棋盘领先"),
        Reason::SendsToDeadBoard { board } => {
            format!("把对方送到{}，对方在那里无事可做", board_name(*board))
        }
        Reason::DeniesBoards => "不让对方马上赢下小棋盘".to_owned(),
        Reason::GivesFreeChoice => "让对方任选小棋盘".to_owned(),
        Reason::SendsTo { board } => format!("把对方送到{}", board_name(*board)),
    }
}

fn english_pair(pair: PointPair) -> &'static str {
    match pair {
        PointPair::Upper => "the top pair of points",
        PointPair::Lower => "the bottom pair of points",
    }
}

fn chinese_pair(pair: PointPair) -> &'static str {
    match pair {
        PointPair::Upper => "上面两点",
        PointPair::Lower => "下面两点",
    }
}

/// A board with its place, in Chinese.
#[must_use]
pub fn chinese_board(number: usize) -> String {
    const PLACES: [&str; 9] =
        ["左上", "中上", "右上", "左中", "正中", "右中", "左下", "中下", "右下"];
    match number.checked_sub(1).and_then(|index| PLACES.get(index)) {
        Some(place) => format!("第 {number} 个小棋盘（{place}）"),
        None => format!("第 {number} 个小棋盘"),
    }
}

/// Why the person's move is illegal, in English.
#[must_use]
pub fn english_broken_rule(reason: &BrokenRule) -> String {
    match reason {
        BrokenRule::NotOwnPiece { square } => format!("you have no piece on {square}"),
        BrokenRule::SentTo { board } => format!("you were sent to {}", BoardName(*board)),
        reason => reason.to_string(),
    }
}

/// Why a move is illegal, in Chinese.
#[must_use]
pub fn chinese_broken_rule(reason: &BrokenRule) -> String {
    match reason {
        BrokenRule::Occupied { square } => format!("{square} 已有棋子"),
        BrokenRule::NotOwnPiece { square } => format!("{square} 上没有己方棋子"),
        BrokenRule::SentTo { board } => format!("必须在{}落子", chinese_board(*board)),
        BrokenRule::BoardClosed { board, is_won } => {
            let reason = if *is_won { "已分胜负" } else { "已下满" };
            format!("{}{reason}", chinese_board(*board))
        }
        BrokenRule::NoLine { from, to } => format!("{from} 和 {to} 之间没有连线"),
        BrokenRule::FirstMove { piece } => format!("第一步必须走左边的棋子 {piece}"),
        BrokenRule::NoStep => "至少要走一格".to_owned(),
        BrokenRule::Backwards => "棋子只能前进".to_owned(),
        BrokenRule::InTheWay { square } => format!("被 {square} 的棋子挡住"),
    }
}
