//! The texts of a review, in each language.

use super::{Language, Message};
use crate::analysis::reasons::{Reason, phrases};
use crate::records::{Glyph, ValueKeepingMoves};
use crate::search::{PlyCount, ProvenValue, Score};
use crate::thinking::registry;

/// The headings and fixed sentences of a review in one language.
#[derive(Debug, Clone, Copy)]
pub struct ReviewText {
    /// Heading: the number of the ply.
    pub ply: &'static str,
    /// Heading: the player.
    pub player: &'static str,
    /// Heading: the move.
    pub mv: &'static str,
    /// Heading: the value before the move, for the player.
    pub before: &'static str,
    /// Heading: the value after the move, for the player.
    pub after: &'static str,
    /// Heading: how many moves keep the value.
    pub keep: &'static str,
    /// Heading: the best line, if it is better than the move.
    pub better: &'static str,
    /// Heading: accuracy in per cent.
    pub accuracy: &'static str,
    /// Heading: the mean loss of expected score.
    pub mean_loss: &'static str,
    /// Heading: how many of the moves have a proven loss.
    pub proven: &'static str,
    /// Heading: the turning points.
    pub turning_points: &'static str,
    /// Heading: the number of the game.
    pub game: &'static str,
    /// Heading: the result.
    pub result: &'static str,
    /// The players, if they have no names.
    pub players: [&'static str; 2],
    /// Explains the notation of the tables.
    pub legend: &'static str,
    /// Stands for the mark of a move that the match runner chose.
    pub book: &'static str,
    /// Explains `book`.
    pub book_legend: &'static str,
    /// No turning point.
    pub steady: &'static str,
    /// Heading: the move that cost the loser most, if no move turned the game.
    pub costliest: &'static str,
}

const ENGLISH: ReviewText = ReviewText {
    ply: "ply",
    player: "player",
    mv: "move",
    before: "before",
    after: "after",
    keep: "keep",
    better: "better line",
    accuracy: "accuracy",
    mean_loss: "mean loss",
    proven: "proven",
    turning_points: "Turning points",
    game: "game",
    result: "result",
    players: ["first", "second"],
    legend: "win, draw and loss are proven, with the moves of both sides to the end; ~ marks \
        estimates of the expected score. keep: moves that keep the value / legal moves. Marks are \
        counted as proven + estimated.",
    book: "book",
    book_legend: "book: chosen by the match runner, not graded.",
    steady: "No turning point.",
    costliest: "Costliest move of the loser",
};

const CHINESE: ReviewText = ReviewText {
    ply: "步",
    player: "棋手",
    mv: "着法",
    before: "走前",
    after: "走后",
    keep: "保值",
    better: "更好的变化",
    accuracy: "准确率",
    mean_loss: "平均损失",
    proven: "已证明",
    turning_points: "转折点",
    game: "局",
    result: "结果",
    players: ["先手", "后手"],
    legend: "必胜、和棋、必败为已证明的结果，数字是到终局的步数（双方合计）；~ 表示估计的预期得分。\
        保值：保持结果的着法数/合法着法数。标记数为“已证明 + 估计”。",
    book: "预设",
    book_legend: "预设：由比赛程序选定的着法，不评分。",
    steady: "没有转折点。",
    costliest: "负方损失最大的一步",
};

impl Language {
    /// The fixed texts of a review.
    #[must_use]
    pub fn review_text(self) -> &'static ReviewText {
        match self {
            Self::English => &ENGLISH,
            Self::Chinese => &CHINESE,
        }
    }

    /// The name of a game, by its id; the id itself if it is not registered.
    #[must_use]
    pub fn game_title(self, game: &str) -> String {
        match registry::find(game) {
            Ok(entry) => self.render(&Message::Title(entry.id)),
            Err(_) => game.to_owned(),
        }
    }

    /// The reasons for and against a move in words; empty if there are none.
    #[must_use]
    pub fn reasons(self, reasons: &[Reason]) -> String {
        phrases::join(reasons, self)
    }

    /// The name of a mark.
    #[must_use]
    pub fn mark_name(self, mark: Glyph) -> &'static str {
        match (self, mark) {
            (Self::English, Glyph::Blunder) => "blunder",
            (Self::English, Glyph::Mistake) => "mistake",
            (Self::English, Glyph::Inaccuracy) => "inaccuracy",
            (Self::English, Glyph::OnlyMove) => "only move",
            (Self::Chinese, Glyph::Blunder) => "漏着",
            (Self::Chinese, Glyph::Mistake) => "失着",
            (Self::Chinese, Glyph::Inaccuracy) => "缓着",
            (Self::Chinese, Glyph::OnlyMove) => "唯一着",
        }
    }

    /// Makes a sentence of words such as the reasons for a move.
    #[must_use]
    pub fn sentence(self, words: &str) -> String {
        match self {
            Self::English => {
                let mut letters = words.chars();
                let first = letters.next().map(char::to_uppercase);
                first.into_iter().flatten().chain(letters).chain(['.']).collect()
            }
            Self::Chinese => format!("{words}。"),
        }
    }

    /// A heading above a list.
    #[must_use]
    pub fn heading(self, text: &str) -> String {
        match self {
            Self::English => format!("{text}:"),
            Self::Chinese => format!("{text}："),
        }
    }

    /// The better move of a turning point, and the reasons for it.
    #[must_use]
    pub fn better_move(self, mv: &str, reasons: &[Reason]) -> String {
        let reasons = match &self.reasons(reasons)[..] {
            "" => String::new(),
            reasons => match self {
                Self::English => format!(" ({reasons})"),
                Self::Chinese => format!("（{reasons}）"),
            },
        };
        match self {
            Self::English => format!("better: {mv}{reasons}"),
            Self::Chinese => format!("更好的着法：{mv}{reasons}"),
        }
    }

    /// A turning point in one line: the values before and after the move, and the better one.
    #[must_use]
    pub fn turning_point(self, [before, after]: [&str; 2], better: &str) -> String {
        match self {
            Self::English => format!("{before} → {after}; {better}"),
            Self::Chinese => format!("{before} → {after}；{better}"),
        }
    }

    /// What is wrong with a game after its reviewed moves.
    #[must_use]
    pub fn review_error(self, reviewed: usize, error: &str) -> String {
        match self {
            Self::English => error.to_owned(),
            Self::Chinese => format!("只复盘了前 {reviewed} 步，之后的记录有误：{error}"),
        }
    }

    /// The moves expected after a better move.
    #[must_use]
    pub fn line_after(self, moves: &[String]) -> String {
        match self {
            Self::English => format!(", then {}", moves.join(" ")),
            Self::Chinese => format!("，后续：{}", moves.join(" ")),
        }
    }

    /// A score in a table: a word if it is proven, `~55 %` if it is estimated.
    #[must_use]
    pub fn short_score(self, score: Score) -> String {
        let words = match self {
            Self::English => ["loss", "draw", "win"],
            Self::Chinese => ["必败", "和棋", "必胜"],
        };
        let with_plies = |word: &str, count: PlyCount| match count {
            PlyCount::Distance(plies @ 1..) => format!("{word} {plies}"),
            PlyCount::Distance(0) | PlyCount::LineLength(_) => word.to_owned(),
        };
        match score {
            Score::Proven(ProvenValue::Loss(count)) => with_plies(words[0], count),
            Score::Proven(ProvenValue::Draw) => words[1].to_owned(),
            Score::Proven(ProvenValue::Win(count)) => with_plies(words[2], count),
            Score::Estimate(_) => format!("~{:.0} %", 100.0 * score.expected()),
        }
    }

    /// How many moves keep the value, `1/8`; `~1/8` if it is estimated.
    #[must_use]
    pub fn keeping(self, keeping: ValueKeepingMoves) -> String {
        let ValueKeepingMoves { count, legal, is_proven } = keeping;
        format!("{}{count}/{legal}", if is_proven { "" } else { "~" })
    }

    /// Why a review does not cover the whole game: it was stopped after the last `reviewed` of `plies`
    /// moves.
    #[must_use]
    pub fn incomplete_review(self, reviewed: usize, plies: usize) -> String {
        match self {
            Self::English => {
                format!("Stopped: only the last {reviewed} of {plies} moves are reviewed.")
            }
            Self::Chinese => format!("已中止：只复盘了 {plies} 步中的最后 {reviewed} 步。"),
        }
    }
}
