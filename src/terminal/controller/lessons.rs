//! Lessons: tasks at the board; a wrong move is explained and taken back.

use super::{Completions, Console, Controller, PlayError, find_choice, input};
use crate::interact::{PlayGame, PlayerKind};
use crate::rules::StartPosition;
use crate::teaching::lessons::{Lesson, Step};
use crate::terminal::input::{Keyword, keyword};

/// A command instead of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LessonCommand {
    Hint,
    Rules,
    Help,
    Quit,
}

const COMMANDS: &[(Keyword, LessonCommand)] = &[
    (keyword("hint", "提示", &[]), LessonCommand::Hint),
    (keyword("rules", "规则", &[]), LessonCommand::Rules),
    (keyword("help", "帮助", &["?", "？"]), LessonCommand::Help),
    (keyword("quit", "退出", &["q", "exit"]), LessonCommand::Quit),
];

impl<C: Console> Controller<'_, C> {
    /// Gives the lessons from the one with index `first` on, until the user quits.
    pub(super) fn give_lessons(
        &mut self,
        lessons: &[Lesson],
        first: usize,
    ) -> Result<(), PlayError> {
        let (language, game) = (self.options.language, self.options.game.id);
        let names = (1..).zip(lessons).map(|(number, lesson)| {
            format!("{number} {} ({})", lesson.title.get(language), lesson.id)
        });
        let names = names.collect::<Vec<_>>().join(language.text("list.separator"));
        self.say("lesson.list", &[("lessons", &names)])?;
        for (number, lesson) in (1..).zip(lessons).skip(first) {
            let title = lesson.title.get(language);
            let count = lessons.len();
            self.say("lesson.title", &[("number", &number), ("count", &count), ("title", &title)])?;
            for (number, step) in (1..).zip(&lesson.steps) {
                let values = (number, lesson.steps.len());
                if !self.give_step(step, values)? {
                    return Ok(());
                }
            }
            self.say("lesson.learnt", &[("title", &title)])?;
        }
        self.say("lesson.all", &[("game", &game)])
    }

    /// Asks for moves until one is accepted; returns `false` if the user quits.
    fn give_step(
        &mut self,
        step: &Step,
        (number, count): (usize, usize),
    ) -> Result<bool, PlayError> {
        let language = self.options.language;
        let start = step.start.as_deref().map_or(StartPosition::Initial, StartPosition::from_text);
        self.game = PlayGame::new(self.options.game, [PlayerKind::Human; 2], &start)?;
        let moves = step.moves.iter().map(|mv| (mv.as_str(), 0.0));
        self.game.play_all(moves).map_err(|(_, error)| error)?;
        let words = input::choice_words(COMMANDS, language);
        let completions = Completions { words, moves: self.game.legal_moves() };
        let task = language.fill(
            "lesson.step",
            &[("step", &number), ("count", &count), ("task", &step.task.get(language))],
        );
        self.show_board()?;
        self.print(&task)?;
        loop {
            let Some(line) = self.read_line(language.text("ask.move"), &completions)? else {
                return Ok(false);
            };
            let text = line.trim();
            if text.is_empty() {
                self.show_board()?;
                self.print(&task)?;
                continue;
            }
            match find_choice(text, COMMANDS).filter(|_| !self.is_move(text)) {
                Some(LessonCommand::Hint) => {
                    const MAX_MOVES: usize = 4;
                    let count = if step.accepted.len() > MAX_MOVES { 1 } else { MAX_MOVES };
                    let moves = &step.accepted[..step.accepted.len().min(count)];
                    self.say("lesson.hint", &[("moves", &moves.join(language.text("ask.or")))])?;
                }
                Some(LessonCommand::Rules) => self.print(&language.rules(self.game.spec.id))?,
                Some(LessonCommand::Help) => {
                    self.print_how_to_play(self.game.spec)?;
                    self.say("screen.lessonHelp", &[])?;
                }
                Some(LessonCommand::Quit) => return Ok(false),
                None => {
                    let Some(mv) = self.resolve_user_move(text)? else { continue };
                    let (answer, is_right) = step.answer(&mv);
                    let played = [Some(&mv), answer.reply.as_ref()];
                    let moves = played.into_iter().flatten().map(|mv| (mv.as_str(), 0.0));
                    self.game.play_all(moves).map_err(|(_, error)| error)?;
                    self.show_board()?;
                    let text = answer.text.get(language);
                    if is_right {
                        self.say("lesson.right", &[("text", &text)])?;
                        return Ok(true);
                    }
                    self.say("lesson.wrong", &[("text", &text)])?;
                    while self.game.plies() > step.moves.len() {
                        self.game.undo()?;
                    }
                }
            }
        }
    }
}
