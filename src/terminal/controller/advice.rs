//! The commands `hint`, `explain`, `eval` and `moves`, and the coach.

use std::sync::Arc;
use std::time::Duration;

use super::super::text::{TextLine, arrange_in_columns};
use super::{Console, Controller, NO, PlayError, Report, YES};
use crate::interact::advice::{assess, best_move, explain};
use crate::interact::{IllegalInput, PlayGame};
use crate::search::SearchControl;
use crate::thinking::EngineError;

impl<C: Console> Controller<'_, C> {
    /// Runs an analysis of the game; Ctrl-C ends it early. Reports why it failed, if it did.
    fn analyse<T: Send>(
        &mut self,
        task: impl FnOnce(&mut PlayGame, &SearchControl) -> Result<T, EngineError> + Send,
    ) -> Result<Option<T>, PlayError> {
        let control = Arc::new(SearchControl::default());
        let label = self.options.language.text("busy.analysing");
        let game = &mut self.game;
        let found = self.console.run_interruptible(label, &control, || task(game, &control))?;
        match found {
            Ok(found) => Ok(Some(found)),
            Err(error) => {
                self.say_cannot_search(&error)?;
                Ok(None)
            }
        }
    }

    /// Assesses the moves of the position.
    fn assess_position(&mut self) -> Result<Option<Report>, PlayError> {
        let time = self.advice_time();
        self.analyse(|game, control| assess(game, time, control))
    }

    /// The time for one position. A move and the reply to it take as long as the engine does.
    fn advice_time(&self) -> Duration {
        self.options.move_time / 2
    }

    pub(super) fn show_hint(&mut self) -> Result<(), PlayError> {
        const MAX_MOVES: usize = 5;
        let time = self.advice_time();
        match self.analyse(|game, control| best_move(game, time, control))? {
            Some((advice, line)) => {
                let line = &line[..line.len().min(MAX_MOVES)];
                self.print(&advice.hint(line, self.options.language))
            }
            None => Ok(()),
        }
    }

    /// Explains a move typed by the user.
    pub(super) fn show_explanation(&mut self, text: &str) -> Result<(), PlayError> {
        let Some(mv) = self.resolve_user_move(text)? else { return Ok(()) };
        let time = self.advice_time();
        match self.analyse(|game, control| explain(game, &mv, time, control))? {
            Some(explanation) => self.print(&explanation.text(self.options.language)),
            None => Ok(()),
        }
    }

    /// The value of a legal move, its reasons and the best reply in words; empty if they are not found.
    pub(super) fn judge_move(&mut self, mv: &str) -> Result<String, PlayError> {
        let time = self.advice_time();
        let found = self.analyse(|game, control| explain(game, mv, time, control))?;
        let language = self.options.language;
        Ok(found.map(|explanation| explanation.judgement(language)).unwrap_or_default())
    }

    pub(super) fn show_evaluation(&mut self) -> Result<(), PlayError> {
        match self.assess_position()? {
            Some(report) => {
                let value = self.options.language.score("full", report.score());
                let mover = self.mover_symbol();
                self.say("command.evaluation", &[("side", &mover), ("value", &value)])
            }
            None => Ok(()),
        }
    }

    /// Lists the legal moves with their values, best first.
    pub(super) fn show_moves(&mut self) -> Result<(), PlayError> {
        let report = self.assess_position()?;
        let Some(scores) = report.map(|report| report.move_scores()) else { return Ok(()) };
        let is_exact = self.game.spec.is_solved;
        let key = if is_exact { "command.exactMoves" } else { "command.moves" };
        self.say(key, &[("count", &scores.len())])?;
        let language = self.options.language;
        let spec = |(mv, score): &(String, _)| format!("{mv} {}", language.score("brief", *score));
        let entries: Vec<String> = scores.iter().map(spec).collect();
        let lines = arrange_in_columns(&entries, self.console.format().columns);
        Ok(self.console.print(&lines.into_iter().map(TextLine::plain).collect::<Vec<_>>())?)
    }

    /// Warns before a bad move. Returns whether the user takes it back, or `None` to quit. A script
    /// is only warned.
    pub(super) fn ask_to_take_back(&mut self, mv: &str) -> Result<Option<bool>, PlayError> {
        if self.game.legal_moves().len() == 1 {
            return Ok(Some(false));
        }
        let time = self.advice_time();
        let found = self.analyse(|game, control| explain(game, mv, time, control))?;
        let language = self.options.language;
        let warning = found.and_then(|explanation| explanation.warning(language));
        let Some(warning) = warning else { return Ok(Some(false)) };
        self.print(&warning)?;
        if !self.console.is_interactive() {
            return Ok(Some(false));
        }
        self.ask("ask.takeBack", &[(YES, true), (NO, false)])
    }

    /// Converts a typed move to a legal one, or explains why it is not legal.
    pub(super) fn resolve_user_move(&mut self, text: &str) -> Result<Option<String>, PlayError> {
        /// More legal moves are too many to read.
        const MAX_LISTED: usize = 18;
        let language = self.options.language;
        let illegal = match self.game.resolve(text) {
            Ok(name) => return Ok(Some(name)),
            Err(illegal) => illegal,
        };
        let legal = self.game.legal_moves();
        let example = legal.first().map_or("", String::as_str);
        if illegal == IllegalInput::Unreadable {
            let found = language.quote(text);
            self.say("move.unrecognized", &[("found", &found), ("example", &example)])?;
            return Ok(None);
        }
        let mut reason = illegal.text(text, &self.game, language);
        if matches!(illegal, IllegalInput::Illegal(_)) {
            let mut moves = legal[..legal.len().min(MAX_LISTED)].join(" ");
            if legal.len() > MAX_LISTED {
                moves += language.text("move.more");
            }
            reason += &language.fill("move.legal", &[("moves", &moves)]);
        }
        self.print(&reason)?;
        Ok(None)
    }
}
