//! Sends the answers of jobs to the client, in its dialect and notation.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::output::ClientOutput;
use super::settings::Settings;
use crate::protocol::reply::{self, Dialect, InfoLine, ScoreField};
use crate::rules::{ExactValue, Game, Notation};
use crate::search::{Score, SearchControl, SearchReport};

/// Sends the answers of one job.
pub struct Responder {
    output: ClientOutput,
    control: Arc<SearchControl>,
    dialect: Dialect,
    show_wdl: bool,
    notation: Notation,
    /// Set when the job has sent its answer and the session accepts all commands again.
    answered: Arc<AtomicBool>,
}

impl Responder {
    pub(crate) fn new(
        output: ClientOutput,
        control: Arc<SearchControl>,
        dialect: Dialect,
        settings: &Settings,
    ) -> Self {
        let (show_wdl, notation) = (settings.show_wdl, settings.notation());
        Self { output, control, dialect, show_wdl, notation, answered: Arc::default() }
    }

    pub(crate) fn control(&self) -> &SearchControl {
        &self.control
    }

    pub(crate) fn answered(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.answered)
    }

    pub(crate) fn move_name<G: Game>(&self, mv: G::Move) -> String {
        move_name::<G>(mv, self.notation)
    }

    /// Sends lines while the job is running.
    pub(crate) fn send(&self, lines: &str) {
        self.output.send(lines);
    }

    /// Sends the last lines. The job is marked as answered just before, so that a client that has
    /// read them never has its next command refused.
    pub(crate) fn finish(&self, lines: &str) {
        self.output.send_with(lines, || self.answered.store(true, Ordering::Release));
    }

    /// Sends the `info` lines of a running search.
    pub(crate) fn send_info<G: Game>(&self, report: &SearchReport<G::Move>) {
        self.output.send(&self.info_lines::<G>(report));
    }

    /// Sends the result of a search: the proven value, the `info` lines and `bestmove`. In infinite
    /// and ponder searches `bestmove` waits for `stop` or `ponderhit`.
    pub(crate) fn send_best_move<G: Game>(&self, report: &SearchReport<G::Move>) {
        let info_lines = self.info_lines::<G>(report);
        if self.control.is_gated() {
            self.output.send(&info_lines);
        }
        self.control.wait_until_released();
        let [best, reply] = [report.best_move(), report.ponder_move()]
            .map(|mv| mv.map(|mv| self.move_name::<G>(mv)));
        let mut text =
            report.proven.map(|exact| reply::proven_line(exact) + "\n").unwrap_or_default();
        text += &info_lines;
        text += &reply::best_move_line(best.as_deref(), reply.as_deref(), self.dialect);
        self.finish(&text);
    }

    /// Answers `go` in a finished game: no move.
    pub(crate) fn send_game_over(&self, exact: ExactValue) {
        let score = self.score_field(Score::Proven(exact.into()), 0.0);
        self.output.send(&format!("info depth 0 score {score}"));
        self.control.wait_until_released();
        self.finish(&reply::best_move_line(None, None, self.dialect));
    }

    fn score_field(&self, score: Score, draw_share: f32) -> ScoreField {
        let wdl = self.show_wdl.then(|| score.win_draw_loss(draw_share));
        ScoreField { score, dialect: self.dialect, wdl }
    }

    fn info_lines<G: Game>(&self, report: &SearchReport<G::Move>) -> String {
        let mut text = String::new();
        for (index, line) in report.lines.iter().enumerate() {
            let info = InfoLine {
                depth: report.depth,
                selective_depth: report.selective_depth,
                rank: index + 1,
                score: self.score_field(line.score, line.draw_share),
                nodes: report.nodes,
                hash_full: report.hash_full,
                time: report.time,
                moves: line.moves.iter().map(|mv| self.move_name::<G>(*mv)).collect(),
            };
            let _ = writeln!(text, "{info}");
        }
        text
    }
}

/// Writes a move in `notation`, or in the game's own if it does not support that one.
pub(crate) fn move_name<G: Game>(mv: G::Move, notation: Notation) -> String {
    G::write_move_as(mv, notation).unwrap_or_else(|| mv.to_string())
}

/// Limits how often a running search sends `info` lines.
pub(crate) struct InfoRateLimit {
    last: Duration,
    lines: u32,
    sent: u32,
}

impl InfoRateLimit {
    /// A limit for reports of `lines` lines each.
    pub(crate) fn new(lines: usize) -> Self {
        Self { last: Duration::ZERO, lines: lines.try_into().unwrap_or(u32::MAX), sent: 0 }
    }

    /// Whether a report may be sent at this time: the first reports always, then ten lines a second.
    pub(crate) fn allows(&mut self, now: Duration) -> bool {
        const UNLIMITED_REPORTS: u32 = 32;
        const TIME_PER_LINE: Duration = Duration::from_millis(100);
        let is_due = now.saturating_sub(self.last) >= TIME_PER_LINE * self.lines;
        let is_allowed = self.sent < UNLIMITED_REPORTS || is_due;
        if is_allowed {
            self.last = now;
            self.sent += 1;
        }
        is_allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_reports_are_always_sent_and_later_ones_are_limited() {
        let mut limit = InfoRateLimit::new(2);
        let late = Duration::from_secs(90);
        assert!((0..32).all(|_| limit.allows(late)));
        let sent = (0..1000).filter(|ms| limit.allows(late + Duration::from_millis(*ms))).count();
        assert_eq!(sent, 4, "two lines each, ten lines a second");
    }
}
