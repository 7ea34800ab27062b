//! How work that runs beside the loop speaks to the client.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::Output;
use super::settings::Settings;
use crate::protocol::reply::{self, Dialect, Info, ShownScore};
use crate::rules::{ExactValue, Game, Notation};
use crate::search::{Score, SearchControl, SearchReport};

/// The output as one piece of work may use it.
pub(super) struct Voice {
    output: Output,
    control: Arc<SearchControl>,
    dialect: Dialect,
    chances: bool,
    notation: Notation,
    /// Whether the work has given its answer; the loop takes commands again.
    answered: Arc<AtomicBool>,
}

impl Voice {
    pub(super) fn new(
        output: Output,
        control: Arc<SearchControl>,
        dialect: Dialect,
        settings: &Settings,
    ) -> Self {
        let (chances, notation) = (settings.chances, settings.notation());
        Self { output, control, dialect, chances, notation, answered: Arc::default() }
    }

    pub(super) fn control(&self) -> &SearchControl {
        &self.control
    }

    pub(super) fn answered(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.answered)
    }

    pub(super) fn name<G: Game>(&self, mv: G::Move) -> String {
        move_name::<G>(mv, self.notation)
    }

    /// Says lines while the work goes on.
    pub(super) fn say(&self, lines: &str) {
        self.output.say(lines);
    }

    /// Says the last lines. The loop is told just before they go out, so that a client who has
    /// read them is not refused its next command.
    pub(super) fn conclude(&self, lines: &str) {
        self.output.say_after(lines, || self.answered.store(true, Ordering::Release));
    }

    /// Tells how a search stands.
    pub(super) fn progress<G: Game>(&self, report: &SearchReport<G::Move>) {
        self.output.say(&self.infos::<G>(report));
    }

    /// Gives the result of a search: what is proven, the lines, the move. Held answers wait.
    pub(super) fn answer<G: Game>(&self, report: &SearchReport<G::Move>) {
        let infos = self.infos::<G>(report);
        if self.control.is_gated() {
            self.output.say(&infos);
        }
        self.control.wait_until_released();
        let [best, reply] =
            [report.best_move(), report.ponder_move()].map(|mv| mv.map(|mv| self.name::<G>(mv)));
        let mut text =
            report.proven.map(|exact| reply::proven_line(exact) + "\n").unwrap_or_default();
        text += &infos;
        text += &reply::best_move_line(best.as_deref(), reply.as_deref(), self.dialect);
        self.conclude(&text);
    }

    /// Answers where the game is over: no move.
    pub(super) fn answer_over(&self, exact: ExactValue) {
        self.output.say(&format!("info depth 0 score {}", self.score(Score::Proven(exact), None)));
        self.control.wait_until_released();
        self.conclude(&reply::best_move_line(None, None, self.dialect));
    }

    fn score(&self, score: Score, draw_share: Option<f32>) -> ShownScore {
        let chances = self.chances.then(|| score.chances(draw_share));
        ShownScore { score, dialect: self.dialect, chances }
    }

    fn infos<G: Game>(&self, report: &SearchReport<G::Move>) -> String {
        let mut text = String::new();
        for (index, line) in report.lines.iter().enumerate() {
            let info = Info {
                depth: report.depth,
                selective_depth: report.selective_depth,
                number: index + 1,
                score: self.score(line.score, line.draw_share),
                nodes: report.nodes,
                hash_full: report.hash_full,
                time: report.time,
                moves: line.moves.iter().map(|mv| self.name::<G>(*mv)).collect(),
            };
            let _ = writeln!(text, "{info}");
        }
        text
    }
}

/// A move as the client wants it; in the game's own notation where it has no other.
pub(super) fn move_name<G: Game>(mv: G::Move, notation: Notation) -> String {
    G::write_move_as(mv, notation).unwrap_or_else(|| mv.to_string())
}

/// Keeps progress reports at a rate that a client can read.
pub(super) struct Pace {
    last: Duration,
    lines: u32,
    made: u32,
}

impl Pace {
    /// For reports of this many lines.
    pub(super) fn new(lines: usize) -> Self {
        Self { last: Duration::ZERO, lines: lines.try_into().unwrap_or(u32::MAX), made: 0 }
    }

    /// Whether a report may be made now: the first ones always, however late the search began, then
    /// ten lines a second.
    pub(super) fn allows(&mut self, now: Duration) -> bool {
        const FREE: u32 = 32;
        const PER_LINE: Duration = Duration::from_millis(100);
        let allowed = self.made < FREE || now.saturating_sub(self.last) >= PER_LINE * self.lines;
        if allowed {
            self.last = now;
            self.made += 1;
        }
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_start_costs_no_report_and_a_flood_is_held_back() {
        let mut pace = Pace::new(2);
        let late = Duration::from_secs(90);
        assert!((0..32).all(|_| pace.allows(late)));
        let told = (0..1000).filter(|ms| pace.allows(late + Duration::from_millis(*ms))).count();
        assert_eq!(told, 4, "two lines each, ten lines a second");
    }
}
