//! How players, scores and reasons are called in texts for people.

use crate::language::{Language, Values};
use crate::reasons::{Reason, phrases};
use crate::records::Glyph;
use crate::rules::drawing::{Piece, PieceColour};
use crate::rules::{ExactValue, MoveError};
use crate::search::Score;
use crate::thinking::{EngineError, registry};

/// How texts refer to a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayerLabel {
    /// The user, playing against the engine.
    You,
    Engine,
    /// The first of two human players.
    First,
    /// The second of two human players.
    Second,
    /// The player of these pieces.
    Piece(Piece),
}

impl Language {
    /// The name of a player in a sentence.
    pub fn player(self, player: PlayerLabel) -> String {
        let key = match player {
            PlayerLabel::You => "who.you",
            PlayerLabel::Engine => "who.engine",
            PlayerLabel::First => "who.first",
            PlayerLabel::Second => "who.second",
            PlayerLabel::Piece(Piece { colour: PieceColour::Black, .. }) => "who.black",
            PlayerLabel::Piece(Piece { colour: PieceColour::Red, .. }) => "who.red",
            PlayerLabel::Piece(piece) => {
                return self.fill("who.piece", &[("letter", &piece.letter.to_uppercase())]);
            }
        };
        self.text(key).to_owned()
    }

    /// A text about a player, in the form that addresses the user if the player is the user.
    pub(crate) fn about(self, player: PlayerLabel, key: &str, values: &Values<'_>) -> String {
        if player == PlayerLabel::You {
            self.fill(&format!("{key}.you"), values)
        } else {
            self.fill(key, values)
        }
    }

    /// The name of a game, by its id; the id itself if it is not registered.
    pub fn game_title(self, game: &str) -> String {
        let id = registry::find(game).map_or(game, |spec| spec.id);
        match self.game_text(id, "title") {
            "" => id.to_owned(),
            title => title.to_owned(),
        }
    }

    /// A text about a game, by the game's id; empty if there is none. A variant such as `tixtax-open` has
    /// the texts of the game that it is named after, except for its own; a game of another crate has those of
    /// `other`.
    pub(crate) fn game_text(self, game: &str, name: &str) -> &'static str {
        // `nim-three` of another crate is no variant of nim.
        let is_own = self.has_text(&format!("game.{game}.title"));
        let original = game.split('-').next().filter(|_| is_own).unwrap_or(game);
        let keys = [game, original, "other"].map(|id| format!("game.{id}.{name}"));
        keys.iter().find(|key| self.has_text(key)).map_or("", |key| self.text(key))
    }

    /// How moves of a game are typed and who wins, by the game's id.
    pub(crate) fn how_to_play(self, game: &str) -> String {
        let texts = ["typing", "rules"].map(|name| self.game_text(game, name));
        let sentences = texts.into_iter().flat_map(str::lines).map(str::to_owned);
        self.join_sentences(&sentences.collect::<Vec<_>>())
    }

    /// The rules of a game with examples, a paragraph per line.
    pub(crate) fn rules(self, game: &str) -> String {
        [self.game_title(game), self.how_to_play(game), self.game_text(game, "examples").to_owned()]
            .join("\n")
    }

    /// A score in one of the forms of the table: `full` in a sentence, `brief` in a list of moves,
    /// `short` in a table, `noun` for what a position became. Counts of plies that are no distance are
    /// left out unless the form is `full`.
    pub(crate) fn score(self, form: &str, score: Score) -> String {
        let (kinds, plies): (&[&str], _) = match score {
            Score::Estimate(_) => (&["estimate"], 0),
            Score::Exact(ExactValue::Draw) | Score::ByLine(ExactValue::Draw) => (&["draw"], 0),
            Score::Exact(ExactValue::Win(1)) => (&["winNow", "winIn", "win"], 1),
            Score::Exact(ExactValue::Win(plies)) => (&["winIn", "win"], plies),
            Score::Exact(ExactValue::Loss(0)) => (&["lost", "loss"], 0),
            Score::Exact(ExactValue::Loss(plies)) => (&["lossIn", "loss"], plies),
            Score::ByLine(ExactValue::Win(plies)) => (&["win"], plies),
            Score::ByLine(ExactValue::Loss(plies)) => (&["loss"], plies),
        };
        let mut keys = kinds.iter().map(|kind| format!("{form}.{kind}"));
        let key = keys.find(|key| self.has_text(key)).unwrap_or_default();
        let percent = format!("{:.0}", 100.0 * score.expected());
        self.fill(&key, &[("plies", &plies), ("percent", &percent)])
    }

    /// A score in a table: a word if it is proven, `~55 %` if it is estimated.
    pub fn short_score(self, score: Score) -> String {
        self.score("short", score)
    }

    /// The reasons for and against a move in words; empty if there are none.
    pub fn reasons(self, reasons: &[Reason]) -> String {
        phrases::join(reasons, self)
    }

    /// The reasons for and against a recommended move in brackets; empty if none speaks for it.
    pub(crate) fn bracketed_reasons(self, reasons: &[Reason]) -> String {
        if reasons.iter().all(Reason::is_drawback) {
            return String::new();
        }
        self.fill("advice.brackets", &[("reasons", &self.reasons(reasons))])
    }

    /// How the opponent answers a mistake: the first move of the line, the reasons for it, and what follows;
    /// empty without a line.
    pub(crate) fn refutation(self, line: &[String], reasons: &[Reason]) -> String {
        let [reply, rest @ ..] = line else { return String::new() };
        let reasons = self.bracketed_reasons(reasons);
        let text = self.fill("advice.refutation", &[("move", reply), ("reasons", &reasons)]);
        text + &self.continuation(rest)
    }

    /// The moves expected after a reply; empty if there are none.
    pub(crate) fn continuation(self, line: &[String]) -> String {
        const MAX_MOVES: usize = 4;
        match &line[..line.len().min(MAX_MOVES)] {
            [] => String::new(),
            moves => self.fill("advice.line", &[("moves", &moves.join(" "))]),
        }
    }

    /// A line of play that starts with a move to find.
    pub(crate) fn line(self, line: &[String]) -> String {
        match line {
            [mv, rest @ ..] if !rest.is_empty() => {
                self.fill("puzzle.line", &[("move", mv), ("rest", &rest.join(" "))])
            }
            _ => line.concat(),
        }
    }

    pub fn mark_name(self, mark: Glyph) -> &'static str {
        self.text(match mark {
            Glyph::Blunder => "grades.blunder",
            Glyph::Mistake => "grades.mistake",
            Glyph::Inaccuracy => "grades.inaccuracy",
            Glyph::OnlyMove => "grades.onlyMove",
        })
    }

    /// Why the engine refused a position or a move, or cannot search.
    pub(crate) fn engine_error(self, error: &EngineError) -> String {
        let message = error.to_string();
        let quote = |text: &str| self.quote(text);
        let (key, found, reason) = match error {
            EngineError::Illegal { found, reason, .. } => {
                ("error.illegal", quote(found), phrases::broken_rule(reason, self))
            }
            EngineError::Move(MoveError::Illegal { found, .. }) => {
                ("error.afterEnd", quote(found), String::new())
            }
            EngineError::Move(MoveError::Unreadable { found, .. }) => {
                ("error.unreadable", quote(found), String::new())
            }
            EngineError::UnknownGame { found, .. } => {
                ("error.unknownGame", quote(found), String::new())
            }
            EngineError::Fen { fen, source } => ("error.fen", quote(fen), source.to_string()),
            EngineError::NoMemory(_) => ("error.memory", String::new(), String::new()),
            _ => return message,
        };
        self.fill(key, &[("error", &message), ("found", &found), ("reason", &reason)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_texts_in_every_language() {
        for spec in registry::games() {
            let has_extra_labels = !spec.open().extra_labels().is_empty();
            for (code, language) in Language::ALL {
                let text = |name| language.game_text(spec.id, name);
                assert_ne!(language.game_title(spec.id), spec.id, "{} in {code}", spec.id);
                for required in ["typing", "rules", "winReason"] {
                    let other = language.text(&format!("game.other.{required}"));
                    assert_ne!(text(required), other, "{required} of {} in {code}", spec.id);
                }
                assert!(text("examples").lines().count() > 2, "{} in {code}", spec.id);
                assert_eq!(!text("extraLabels").is_empty(), has_extra_labels, "{}", spec.id);
            }
        }
    }

    #[test]
    fn a_game_of_another_crate_takes_no_texts_by_its_name() {
        let (own, other) = (Language::English.game_text("nim-three", "rules"), "game.other.rules");
        assert_eq!(own, Language::English.text(other));
        assert_eq!(Language::English.game_title("nim-three"), "nim-three");
    }
}
