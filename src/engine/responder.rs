//! Sends the answers of a session's work to the client, in its dialect.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::output::ClientOutput;
use crate::protocol::reply::{self, Dialect, InfoLine, ScoreField};
use crate::search::{Score, SearchControl};
use crate::thinking::{PreparedSearch, Report};

pub(super) struct Responder {
    pub(super) output: ClientOutput,
    pub(super) control: Arc<SearchControl>,
    pub(super) dialect: Dialect,
    pub(super) show_wdl: bool,
    /// Set when the answer is sent and the session accepts all commands again.
    pub(super) answered: Arc<AtomicBool>,
}

impl Responder {
    /// Sends the last lines. The work is marked as answered just before, so that a client that has
    /// read them never has its next command refused.
    pub(super) fn finish(&self, lines: &str) {
        self.output.send_with(lines, || self.answered.store(true, Ordering::Release));
    }

    /// Answers `go`: `info` lines during the search, then the best move.
    pub(super) fn answer_go(&self, search: PreparedSearch) {
        let mut rate_limit = InfoRateLimit::default();
        let mut progress = |report: &Report| {
            if rate_limit.allows(report) {
                self.output.send(&self.info_lines(report));
            }
        };
        match search.run(&self.control, &mut progress) {
            Ok(report) if report.lines.is_empty() => self.send_game_over(&report),
            Ok(report) => self.send_best_move(&report),
            Err(error) => self.finish(&format!("{}\nbestmove (none)", reply::error_line(&error))),
        }
    }

    /// Answers `values`: the value of each move.
    pub(super) fn answer_values(&self, search: PreparedSearch) {
        let lines = match search.run(&self.control, &mut |_| {}) {
            Ok(report) => report.lines,
            Err(error) => return self.finish(&reply::error_line(&error)),
        };
        let mut text = String::new();
        for line in &lines {
            let _ = writeln!(text, "{} {}", line.mv(), line.score);
        }
        if lines.is_empty() {
            text.push_str("info string no legal moves, the game is over\n");
        }
        self.finish(&(text + &reply::move_count_line(lines.len())));
    }

    /// Sends the result of a search: the proven value, the `info` lines and `bestmove`. In infinite
    /// and ponder searches `bestmove` waits for `stop` or `ponderhit`.
    fn send_best_move(&self, report: &Report) {
        let info_lines = self.info_lines(report);
        if self.control.is_gated() {
            self.output.send(&info_lines);
        }
        self.control.wait_until_released();
        let (best, reply) = (report.best_move(), report.ponder_move());
        let mut text =
            report.proven.map_or_else(String::new, |_| reply::proven_line(report.score()));
        text += &info_lines;
        text += &reply::best_move_line(best.as_deref(), reply.as_deref(), self.dialect);
        self.finish(&text);
    }

    /// Answers `go` in a finished game: no move.
    fn send_game_over(&self, report: &Report) {
        let score = self.score_field(report.score(), 0.0);
        self.output.send(&format!("info depth 0 score {score}"));
        self.control.wait_until_released();
        self.finish(&reply::best_move_line(None, None, self.dialect));
    }

    fn score_field(&self, score: Score, draw_share: f32) -> ScoreField {
        let wdl = self.show_wdl.then(|| score.win_draw_loss(draw_share));
        ScoreField { score, dialect: self.dialect, wdl }
    }

    fn info_lines(&self, report: &Report) -> String {
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
                moves: line.moves.clone(),
            };
            let _ = writeln!(text, "{info}");
        }
        text
    }
}

/// Limits how often a running search sends `info` lines.
#[derive(Default)]
struct InfoRateLimit {
    last: Duration,
    sent: u32,
}

impl InfoRateLimit {
    /// Whether a report may be sent now: the first reports always, then ten lines a second.
    fn allows(&mut self, report: &Report) -> bool {
        const UNLIMITED_REPORTS: u32 = 32;
        const TIME_PER_LINE: Duration = Duration::from_millis(100);
        let interval = TIME_PER_LINE * u32::try_from(report.lines.len()).unwrap_or(u32::MAX);
        let is_due = report.time.saturating_sub(self.last) >= interval;
        let is_allowed = self.sent < UNLIMITED_REPORTS || is_due;
        if is_allowed {
            self.last = report.time;
            self.sent += 1;
        }
        is_allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::PvLine;

    #[test]
    fn first_reports_are_always_sent_and_later_ones_are_limited() {
        let mut limit = InfoRateLimit::default();
        let line = PvLine::new(Score::Estimate(0), vec!["e5".to_owned()]);
        let late = |ms| Report {
            lines: vec![line.clone(); 2],
            time: Duration::from_secs(90) + Duration::from_millis(ms),
            ..Report::default()
        };
        assert!((0..32).all(|_| limit.allows(&late(0))));
        let sent = (0..1000).filter(|ms| limit.allows(&late(*ms))).count();
        assert_eq!(sent, 4, "two lines each, ten lines a second");
    }
}
