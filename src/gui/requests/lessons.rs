//! `lessons`: the lessons of a game.

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::RequestError;
use crate::language::Language;
use crate::teaching::lessons::{self, Answer, Goal, Lesson, Step};
use crate::thinking::registry;

/// Asks for the lessons of a game.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LessonsRequest {
    game: String,
}

impl LessonsRequest {
    pub(super) fn answer(&self, language: Language) -> Result<Json, RequestError> {
        let lessons = lessons::lessons(registry::find(&self.game)?);
        let lessons = lessons.map_err(|error| RequestError::new(error.to_string()))?;
        let describe = |lesson: &Lesson| describe_lesson(lesson, language);
        Ok(json!({ "lessons": lessons.iter().map(describe).collect::<Vec<_>>() }))
    }
}

fn describe_lesson(lesson: &Lesson, language: Language) -> Json {
    let answer = |answer: &Answer| {
        let text = answer.text.get(language);
        json!({ "moves": answer.moves, "reply": answer.reply, "text": text })
    };
    let step = |step: &Step| {
        json!({
            "start": step.start,
            "moves": step.moves,
            "task": step.task.get(language),
            "accepted": step.accepted,
            "is_win": step.goals.contains(&Goal::Force),
            "right": answer(&step.right),
            "wrong": step.wrong.iter().map(answer).collect::<Vec<_>>(),
        })
    };
    json!({
        "id": lesson.id,
        "title": lesson.title.get(language),
        "steps": lesson.steps.iter().map(step).collect::<Vec<_>>(),
    })
}
