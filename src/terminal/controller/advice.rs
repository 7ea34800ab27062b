//! The commands `hint`, `explain`, `eval` and `moves`, and the coach.

use std::sync::Arc;

use super::{Console, Controller, Keyword, Message, PlayError, Question, keyword, quote};
use crate::interact::advice::{Explanation, MIN_LOSS_FOR_WARNING, best_move, explain};
use crate::interact::game::PlayGame;
use crate::interact::text::{TextLine, arrange_in_columns};
use crate::rules::MoveError;
use crate::search::SearchControl;
use crate::thinking::EngineError;

impl<C: Console> Controller<'_, C> {
    /// Runs an analysis of the game; Ctrl-C ends it early. Reports why it failed, if it did.
    fn analyse<T: Send>(
        &mut self,
        task: impl FnOnce(&mut PlayGame, &SearchControl) -> Result<T, EngineError> + Send,
    ) -> Result<Option<T>, PlayError> {
        let control = Arc::new(SearchControl::default());
        let label = self.options.language.render(&Message::Analysing);
        let game = &mut self.game;
        let found = self.console.run_interruptible(&label, &control, || task(game, &control))?;
        match found {
            Ok(found) => Ok(Some(found)),
            Err(error) => {
                self.print(Message::CannotSearch(&error))?;
                Ok(None)
            }
        }
    }

    pub(super) fn show_hint(&mut self) -> Result<(), PlayError> {
        const MAX_MOVES: usize = 5;
        let time = self.options.move_time;
        match self.analyse(|game, control| best_move(game, time, control))? {
            Some((advice, line)) => {
                self.print(Message::Hint(&advice, &line[..line.len().min(MAX_MOVES)]))
            }
            None => Ok(()),
        }
    }

    /// Explains a move typed by the user.
    pub(super) fn show_explanation(&mut self, text: &str) -> Result<(), PlayError> {
        let Some(mv) = self.resolve_user_move(text)? else { return Ok(()) };
        let time = self.options.move_time;
        match self.analyse(|game, control| explain(game, &mv, time, control))? {
            Some(explanation) => self.print(Message::Explanation(&explanation)),
            None => Ok(()),
        }
    }

    pub(super) fn show_evaluation(&mut self) -> Result<(), PlayError> {
        let question = Question::full_strength(self.options.move_time);
        match self.analyse(|game, control| game.position.think(&question, control, &mut |_| {}))? {
            Some(report) => {
                let mover = self.mover_symbol();
                self.print(Message::Evaluation(&mover, report.score()))
            }
            None => Ok(()),
        }
    }

    /// Lists the legal moves with their values, best first.
    pub(super) fn show_moves(&mut self) -> Result<(), PlayError> {
        let question =
            Question { lines: usize::MAX, ..Question::full_strength(self.options.move_time) };
        let report =
            self.analyse(|game, control| game.position.think(&question, control, &mut |_| {}))?;
        let Some(scores) = report.map(|report| report.move_scores()) else { return Ok(()) };
        self.print(Message::MoveCount(scores.len(), self.game.entry.is_solved))?;
        let language = self.options.language;
        let entry = |(mv, score): &(String, _)| language.render(&Message::MoveValue(mv, *score));
        let entries: Vec<String> = scores.iter().map(entry).collect();
        let lines = arrange_in_columns(&entries, self.console.format().columns);
        Ok(self.console.print(&lines.into_iter().map(TextLine::plain).collect::<Vec<_>>())?)
    }

    /// Warns before a bad move. Returns whether the user takes it back, or `None` to quit. A script
    /// is only warned.
    pub(super) fn ask_to_take_back(&mut self, mv: &str) -> Result<Option<bool>, PlayError> {
        const YES_OR_NO: &[(Keyword, bool)] =
            &[(keyword("yes", "是", &["y"]), true), (keyword("no", "否", &["n"]), false)];
        if self.game.legal_moves().len() == 1 {
            return Ok(Some(false));
        }
        let time = self.options.move_time;
        let found = self.analyse(|game, control| explain(game, mv, time, control))?;
        let is_bad = |found: &Explanation| found.loss() >= MIN_LOSS_FOR_WARNING;
        let Some(explanation) = found.filter(is_bad) else { return Ok(Some(false)) };
        self.print(Message::Warning(&explanation))?;
        if !self.console.is_interactive() {
            return Ok(Some(false));
        }
        self.ask(Message::AskTakeBack, YES_OR_NO)
    }

    /// Converts a typed move to a legal one, or explains why it is not legal.
    pub(super) fn resolve_user_move(&mut self, text: &str) -> Result<Option<String>, PlayError> {
        let (legal, quoted) = (self.game.legal_moves(), quote(text));
        match self.game.position.normalize_user_move(text) {
            Ok(name) if legal.contains(&name) => return Ok(Some(name)),
            Ok(name) => {
                let reason = self.game.position.broken_rule(&name);
                self.print(Message::IllegalMove(&quoted, reason.as_ref(), &legal))?;
            }
            Err(EngineError::Move(MoveError::Ambiguous { moves, .. })) => {
                self.print(Message::Ambiguous(&quoted, &moves))?;
            }
            Err(_) => self.print(Message::Unrecognized(&quoted, &legal[0]))?,
        }
        Ok(None)
    }
}
