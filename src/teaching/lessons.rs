//! Lessons: positions with a task, the moves that do it, and what is said about each move.
//!
//! Each game has a file of lessons. A variant names lessons of the game it shares them with, which are
//! read under its own rules.

use std::collections::HashSet;

use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;

use crate::language::Language;
use crate::rules::{Notation, StartPosition};
use crate::thinking::{AnyGame, GameSpec, registry};

/// A lesson: one idea in a few steps.
#[derive(Debug, Clone)]
pub struct Lesson {
    /// Its name in addresses and on the command line.
    pub id: String,
    pub title: Text,
    pub steps: Vec<Step>,
}

/// A step of a lesson: a task at the board.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The start position as a FEN; absent for the game's own.
    #[serde(default)]
    pub start: Option<String>,
    /// The moves that lead from there to the position.
    #[serde(default, deserialize_with = "words")]
    pub moves: Vec<String>,
    /// What an accepted move has to do, all of it.
    pub goals: Vec<Goal>,
    /// The moves that do it.
    #[serde(deserialize_with = "words")]
    pub accepted: Vec<String>,
    pub task: Text,
    /// What is said about an accepted move.
    pub right: Answer,
    /// What is said about other moves: the first answer that names the move or none.
    #[serde(default)]
    pub wrong: Vec<Answer>,
}

/// What a move has to do. A test recomputes which moves do it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// Nothing but be legal.
    Any,
    /// Use one of these squares.
    To(Vec<String>),
    /// Win the game at once.
    Win,
    /// Leave the opponent no move that wins the game at once.
    Stop,
    /// Keep a proven win.
    Force,
    /// Not lose.
    Hold,
    /// Make two threats to win the game in tic-tac-toe.
    Fork,
    /// Leave every gap of Nim, except 0, an even number of times.
    Pair,
    /// Leave the nim-sum 0.
    Zero,
    /// Leave one's pieces neither both on the top nor both on the bottom of Pong Hau K'i.
    Apart,
    /// Send the opponent to this small board, numbered from 1 at the top left.
    Send(usize),
    /// Send the opponent to one small board.
    Bound,
    /// Leave the opponent a free choice.
    Free,
    /// Win a small board.
    Board,
    /// Take the cell with which the opponent would win this small board.
    Block,
    /// Leave the opponent no small board to win at once.
    Deny,
    /// Leave the opponent no small board to win at once that would make two in an open line of the big board.
    Harmless,
    /// Be able to win a small board next, whatever the opponent does.
    Next,
    /// Win a small board that makes two in an open line of the big board.
    Line,
    /// Win a small board that makes two in two open lines of the big board or more.
    Double,
    /// Win a small board with which the opponent would have three in a line of the big board.
    Cut,
}

/// A text in every language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    en: String,
    zh: String,
}

impl Text {
    pub fn get(&self, language: Language) -> &str {
        language.pick(&[&self.en, &self.zh])
    }
}

/// What is said about moves, and how the opponent replies.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The moves; none for all others.
    #[serde(default, deserialize_with = "words")]
    pub moves: Vec<String>,
    /// The opponent's reply to be shown.
    #[serde(default)]
    pub reply: Option<String>,
    pub text: Text,
}

impl Step {
    /// What is said about a legal move, and whether it is accepted.
    pub fn answer(&self, mv: &str) -> (&Answer, bool) {
        let is = |own: &String| own == mv;
        let of_wrong = |answer: &&Answer| answer.moves.is_empty() || answer.moves.iter().any(is);
        match self.wrong.iter().find(of_wrong) {
            Some(answer) if !self.accepted.iter().any(is) => (answer, false),
            _ => (&self.right, true),
        }
    }

    /// Sets the position of the step up. Fails if the position or a move is invalid.
    pub fn open(&self, spec: &GameSpec) -> Result<Box<dyn AnyGame>, String> {
        let mut game = spec.open();
        let start = self.start.as_deref().map_or(StartPosition::Initial, StartPosition::from_text);
        let moves: Vec<&str> = self.moves.iter().map(String::as_str).collect();
        game.set_position(&start, &moves).map_err(|error| error.to_string())?;
        Ok(game)
    }

    /// Checks that every move the step names is legal, and that it has an answer to each legal one.
    fn check(&self, spec: &GameSpec) -> Result<(), String> {
        let game = self.open(spec)?;
        let legal = game.legal_moves(Notation::Own);
        if legal.is_empty() {
            return Err("the game is over".to_owned());
        }
        if self.accepted.is_empty() || self.goals.is_empty() {
            return Err("expected a goal and a move that is accepted".to_owned());
        }
        let of_wrong = self.wrong.iter().flat_map(|answer| &answer.moves);
        for mv in self.accepted.iter().chain(of_wrong) {
            if !legal.contains(mv) {
                let expected = legal.join(", ");
                return Err(format!("illegal move {mv:?}, expected one of: {expected}"));
            }
        }
        for mv in &legal {
            let (answer, is_right) = self.answer(mv);
            if is_right != self.accepted.contains(mv) {
                return Err(format!("no answer to the wrong move {mv:?}"));
            }
            let Some(reply) = &answer.reply else { continue };
            let mut after = self.open(spec)?;
            after
                .play_moves(&[mv, reply])
                .map_err(|error| format!("the reply {reply:?} to {mv:?}: {error}"))?;
        }
        Ok(())
    }
}

/// The moves of a text, separated by spaces.
fn words<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<String>, D::Error> {
    let text = String::deserialize(source)?;
    Ok(text.split_whitespace().map(str::to_owned).collect())
}

/// A damaged file of lessons.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the lessons of {game} are damaged: {place}{reason}")]
pub struct DamagedLessons {
    game: &'static str,
    /// The lesson and the step, if they are known.
    place: String,
    reason: String,
}

/// The lessons of a game, in the order in which they are learnt. Fails if the file is damaged.
pub fn lessons(spec: &GameSpec) -> Result<Vec<Lesson>, DamagedLessons> {
    parse(spec, file(spec))
}

fn file(spec: &GameSpec) -> &'static str {
    if spec.lessons.is_empty() { "[]" } else { spec.lessons }
}

/// Parses a file of lessons: a list of lessons, or of names such as `tixtax/sent` for lessons of
/// another game. Fails if it is not such a file; the error names the lesson and the step.
pub fn parse(spec: &GameSpec, text: &str) -> Result<Vec<Lesson>, DamagedLessons> {
    let damaged = |place: &str, reason: String| DamagedLessons {
        game: spec.id,
        place: place.to_owned(),
        reason,
    };
    let items: Vec<Json> =
        serde_json::from_str(text).map_err(|error| damaged("", error.to_string()))?;
    let mut ids = HashSet::new();
    let mut lessons = Vec::new();
    for (number, item) in (1..).zip(items) {
        let shared = item.as_str().map(shared_lesson);
        let item = match shared {
            None => item,
            Some(Some(lesson)) => lesson,
            Some(None) => {
                return Err(damaged("", format!("no lesson {item}, expected GAME/LESSON")));
            }
        };
        let lesson: RawLesson = serde_json::from_value(item)
            .map_err(|error| damaged(&format!("lesson {number}: "), error.to_string()))?;
        let place = format!("lesson {:?}", lesson.id);
        if !ids.insert(lesson.id.clone()) {
            return Err(damaged(&format!("{place}: "), "two lessons have this id".to_owned()));
        }
        let mut steps = Vec::new();
        for (number, step) in (1..).zip(lesson.steps) {
            let place = format!("{place}, step {number}: ");
            let step: Step =
                serde_json::from_value(step).map_err(|error| damaged(&place, error.to_string()))?;
            step.check(spec).map_err(|reason| damaged(&place, reason))?;
            steps.push(step);
        }
        if steps.is_empty() {
            return Err(damaged(&format!("{place}: "), "no steps".to_owned()));
        }
        lessons.push(Lesson { id: lesson.id, title: lesson.title, steps });
    }
    Ok(lessons)
}

/// A lesson whose steps are not yet read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLesson {
    id: String,
    title: Text,
    steps: Vec<Json>,
}

/// The lesson with a name such as `tixtax/sent`.
fn shared_lesson(name: &str) -> Option<Json> {
    let (game, id) = name.split_once('/')?;
    let lessons: Vec<Json> = serde_json::from_str(file(registry::find(game).ok()?)).ok()?;
    lessons.into_iter().find(|lesson| lesson["id"] == id)
}
