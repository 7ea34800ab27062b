//! Chinese messages about files, records and searches that fail.

use crate::analysis::reasons::phrases;
use crate::interact::files::{FileProblem, LoadError};
use crate::printing::quote;
use crate::records::UnknownGame;
use crate::rules::MoveError;
use crate::thinking::EngineError;

/// Replaces the quotation marks that [`quote`](crate::printing::quote) puts around a text.
pub(super) fn quoted(text: &str) -> String {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    format!("“{}”", inner.unwrap_or(text))
}

pub(super) fn describe_file(problem: &FileProblem) -> String {
    match problem {
        FileProblem::NotFound => "文件不存在".to_owned(),
        FileProblem::NoFolder => "所在文件夹不存在".to_owned(),
        FileProblem::NotAFile => "不是普通文件".to_owned(),
        FileProblem::PermissionDenied => "没有权限".to_owned(),
        FileProblem::Other(reason) => reason.clone(),
    }
}

pub(super) fn describe_load(error: &LoadError) -> String {
    match error {
        LoadError::File(problem) => describe_file(problem),
        LoadError::Missing(UnknownGame::Empty) => "文件中没有对局".to_owned(),
        LoadError::Missing(UnknownGame::Number { number, numbers }) => {
            format!("没有第 {number} 局，现有：{numbers}")
        }
        LoadError::Damaged { number, line: Some(line), .. } => {
            format!("{}第 {line} 行无法识别", of_game(*number))
        }
        LoadError::Damaged { number, line: None, error } => {
            format!("{}已损坏：{error}", of_game(*number))
        }
        LoadError::Start { number, error } => {
            format!("{}{}", of_game(*number), describe_engine(error))
        }
        LoadError::Move { number, ply, error } => {
            format!("{}第 {ply} 步：{}", of_game(*number), describe_engine(error))
        }
    }
}

/// The game that an error is in; empty if it is the only one.
fn of_game(number: u32) -> String {
    if number > 0 { format!("第 {number} 局") } else { String::new() }
}

pub(super) fn describe_engine(error: &EngineError) -> String {
    let quoted = |text: &str| quoted(&quote(text));
    match error {
        EngineError::Illegal { found, reason, .. } => {
            format!("{}不合规则，{}", quoted(found), phrases::chinese_broken_rule(reason))
        }
        EngineError::Move(MoveError::Illegal { found, .. }) => {
            format!("对局已结束，不能再走{}", quoted(found))
        }
        EngineError::Move(MoveError::Unreadable { found, .. }) => {
            format!("{}不是着法", quoted(found))
        }
        EngineError::UnknownGame { found, .. } => format!("没有{}这种棋", quoted(found)),
        EngineError::Fen { fen, source } => format!("局面{}无效：{source}", quoted(fen)),
        EngineError::NoMemory(_) => "内存不足".to_owned(),
        error => error.to_string(),
    }
}
