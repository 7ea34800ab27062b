//! The review of the game in progress: a summary at its end, and the command `review`.

use std::sync::Arc;
use std::time::Duration;

use super::{Console, Controller, PlayError, TextLine, wrap};
use crate::interact::PlayerLabel;
use crate::interact::review::review_lines;
use crate::language::Values;
use crate::rules::{Side, StartPosition};
use crate::search::{Score, SearchControl};
use crate::teaching::review::{GameReview, MoveReview, ReviewOptions, review_game};

/// The work per move: enough for a review that does not keep the user waiting.
const NODES: u64 = 100_000;
/// The maximum time for all moves of a game.
const MAX_TIME: Duration = Duration::from_secs(5);
/// The maximum number of turning points in the summary.
const MAX_TURNING_POINTS: usize = 4;

impl<C: Console> Controller<'_, C> {
    /// Prints where the game turned, and the accuracy of both players. Ctrl-C skips it.
    pub(super) fn sum_up_game(&mut self) -> Result<(), PlayError> {
        let Some(review) = self.review()?.filter(GameReview::is_complete) else { return Ok(()) };
        let language = self.options.language;
        let early = self.early_resignation(&review);
        let costliest = review.costliest_mistake().filter(|_| early.is_none());
        if review.turning_points.is_empty() && early.is_none() {
            let is_proven = review.moves.iter().all(MoveReview::is_proven);
            let key = if is_proven { "summary.noMistake" } else { "summary.noTurningPoint" };
            self.say(key, &[])?;
        }
        let turning_points = review.turning_points.iter().take(MAX_TURNING_POINTS);
        for (number, index) in turning_points.enumerate() {
            let key = if number == 0 { "summary.firstTurn" } else { "summary.nextTurn" };
            self.say_mistake(key, &review, &review.moves[*index])?;
        }
        if let Some(mv) = costliest {
            self.say_mistake("summary.costliest", &review, mv)?;
        }
        if let Some((player, score)) = early {
            let (player, value) = (language.player(player), language.score("noun", score));
            self.say("summary.earlyResignation", &[("player", &player), ("value", &value)])?;
        }
        let accuracy = |side: Side| {
            let player = &review.players[side.index()];
            let (name, loss) = (language.player(self.game.label(side)), player.total_loss());
            Some((name, format!("{:.0}", player.accuracy?), format!("{loss:.2}")))
        };
        let accuracies = accuracy(Side::P1).zip(accuracy(Side::P2));
        if let Some(((first, one, lost), (second, other, given))) = accuracies {
            let values: &Values<'_> = &[
                ("first", &first),
                ("one", &one),
                ("lost", &lost),
                ("second", &second),
                ("other", &other),
                ("given", &given),
            ];
            self.say("summary.accuracy", values)?;
            self.say("summary.hint", &[])?;
        }
        Ok(())
    }

    /// The player who resigned without having lost, with the value of the final position.
    fn early_resignation(&self, review: &GameReview) -> Option<(PlayerLabel, Score)> {
        /// Who expects less may well resign.
        const MIN_EXPECTED: f64 = 0.4;
        let last = review.moves.last().filter(|_| self.game.is_resigned())?;
        let loser = last.side.other();
        let score = last.after.before_move();
        (score.expected() >= MIN_EXPECTED).then(|| (self.game.label(loser), score))
    }

    /// Prints what a bad move changed, and the better one.
    fn say_mistake(
        &mut self,
        key: &str,
        review: &GameReview,
        mv: &MoveReview,
    ) -> Result<(), PlayError> {
        let language = self.options.language;
        let label = self.game.label_at(mv.ply - 1);
        let player = language.player(label);
        let [before, after] = [mv.before, mv.after].map(|score| language.score("noun", score));
        let values: &Values<'_> = &[
            ("ply", &mv.ply),
            ("player", &player),
            ("move", &mv.mv),
            ("before", &before),
            ("after", &after),
        ];
        let mistake = language.about(label, "summary.move", values);
        let is_only = mv.keeping.count == 1;
        let better = if is_only { "summary.right" } else { "summary.better" };
        let reasons = language.bracketed_reasons(&mv.best_reasons);
        let better = language.fill(better, &[("move", &mv.best_move()), ("reasons", &reasons)]);
        let mut text = language.fill(key, &[("move", &mistake), ("better", &better)]);
        if let Some(next) = review.move_after(mv) {
            text += &language.refutation(&next.best_line, next.reasons_for_best());
        }
        self.print(&text)
    }

    /// Prints the review of every move so far.
    pub(super) fn show_review(&mut self) -> Result<(), PlayError> {
        if self.game.plies() == 0 {
            return self.say("command.nothingToReview", &[]);
        }
        let Some(review) = self.review()? else { return Ok(()) };
        let language = self.options.language;
        let name = |side| match self.game.label(side) {
            PlayerLabel::Engine => "zermelo".to_owned(),
            label => language.player(label),
        };
        let [first, second] = [Side::P1, Side::P2].map(name);
        let columns = self.console.format().columns;
        let options = self.review_options();
        let effort = (!self.game.spec.is_solved).then_some(&options);
        let lines = review_lines(&review, [&first, &second], effort, language, columns);
        let lines: Vec<TextLine> = lines.into_iter().map(TextLine::plain).collect();
        Ok(self.console.print(&wrap(&lines, columns))?)
    }

    fn review_options(&self) -> ReviewOptions {
        let time = MAX_TIME / self.game.plies().max(1) as u32;
        ReviewOptions { nodes: Some(NODES), time: Some(time), threads: 1 }
    }

    /// Reviews the game so far, until Ctrl-C. `None` if the search has no memory.
    fn review(&mut self) -> Result<Option<GameReview>, PlayError> {
        let mut game = self.game.position.share();
        let start = StartPosition::Fen(self.game.start_fen());
        let moves: Vec<&str> = self.game.moves().collect();
        let options = self.review_options();
        let control = Arc::new(SearchControl::default());
        let label = self.options.language.text("busy.reviewing");
        let task =
            || review_game(game.as_mut(), &start, &moves, &options, &control, &mut |_, _| {});
        let review = self.console.run_interruptible(label, &control, task)?;
        match review {
            Ok(review) => Ok(Some(review)),
            Err(error) => {
                self.say_cannot_search(&error)?;
                Ok(None)
            }
        }
    }
}
