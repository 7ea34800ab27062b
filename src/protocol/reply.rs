//! Formatting the replies.

use std::fmt;
use std::time::Duration;

use crate::printing::printable;
use crate::rules::{ExactValue, Outcome, Side};
use crate::search::{Score, WinDrawLoss};

/// The protocol chosen by the handshake. The formats of scores and `bestmove` differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// Mate scores count moves; `bestmove` may include a ponder move.
    #[default]
    Uci,
    /// Mate scores count plies; `bestmove` has no ponder move.
    Ugi,
}

impl Dialect {
    #[must_use]
    pub fn handshake_command(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Ugi => "ugi",
        }
    }

    /// Returns the line that ends the handshake.
    #[must_use]
    pub fn handshake_answer(self) -> &'static str {
        match self {
            Self::Uci => "uciok",
            Self::Ugi => "ugiok",
        }
    }

    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Uci => Self::Ugi,
            Self::Ugi => Self::Uci,
        }
    }

    /// Converts the `N` of `go mate N` to plies.
    #[must_use]
    pub fn mate_plies(self, count: u32) -> u32 {
        match self {
            Self::Uci => count.saturating_mul(2),
            Self::Ugi => count,
        }
    }
}

/// The score part of an `info` line.
#[derive(Debug, Clone, Copy)]
pub struct ScoreField {
    pub score: Score,
    /// The dialect, which determines the unit of mate scores.
    pub dialect: Dialect,
    /// The `wdl` values, if they are enabled.
    pub wdl: Option<WinDrawLoss>,
}

impl fmt::Display for ScoreField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The winner need not make the last move, and may even have won already.
        let win_count = |plies: u16| match self.dialect {
            Dialect::Uci => plies / 2 + 1,
            Dialect::Ugi => plies.max(1),
        };
        let loss_count = |plies: u16| match self.dialect {
            Dialect::Uci => plies.div_ceil(2),
            Dialect::Ugi => plies,
        };
        match self.score {
            Score::Estimate(points) => write!(f, "cp {points}")?,
            Score::Exact(value) | Score::ByLine(value) => match value {
                ExactValue::Draw => f.write_str("cp 0")?,
                ExactValue::Win(plies) => write!(f, "mate {}", win_count(plies))?,
                ExactValue::Loss(0) => f.write_str("mate 0")?,
                ExactValue::Loss(plies) => write!(f, "mate -{}", loss_count(plies))?,
            },
        }
        if let Some(WinDrawLoss { win, draw, loss }) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        Ok(())
    }
}

/// An `info` line with one principal variation.
#[derive(Debug, Clone)]
pub struct InfoLine {
    /// The search depth in plies.
    pub depth: u32,
    /// The maximum depth reached in plies.
    pub selective_depth: u32,
    /// The rank of the variation, from 1.
    pub rank: usize,
    pub score: ScoreField,
    pub nodes: u64,
    /// The hash table usage in per mille.
    pub hash_full: u16,
    pub time: Duration,
    pub moves: Vec<String>,
}

impl fmt::Display for InfoLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, selective_depth, rank, score, nodes, hash_full, .. } = self;
        let (speed, time) = (per_second(*nodes, self.time), self.time.as_millis());
        write!(
            f,
            "info depth {depth} seldepth {selective_depth} multipv {rank} score {score} \
             nodes {nodes} nps {speed} hashfull {hash_full} time {time} pv {}",
            self.moves.join(" ")
        )
    }
}

/// Returns a rate. A time below one microsecond counts as one microsecond.
#[must_use]
pub fn per_second(count: u64, time: Duration) -> u64 {
    (u128::from(count) * 1_000_000 / time.as_micros().max(1)) as u64
}

/// The line that reports a proven root value; empty for an estimate.
#[must_use]
pub fn proven_line(score: Score) -> String {
    let Some(proven) = score.proven() else { return String::new() };
    let note = if matches!(score, Score::ByLine(_)) { " (line length)" } else { "" };
    let plies = proven.plies().map_or_else(String::new, |plies| format!(" in {plies}"));
    format!("info string proven {}{plies}{note}\n", proven.value())
}

#[must_use]
pub fn best_move_line(best: Option<&str>, ponder: Option<&str>, dialect: Dialect) -> String {
    let best = best.unwrap_or("(none)");
    match ponder.filter(|_| dialect == Dialect::Uci) {
        Some(ponder) => format!("bestmove {best} ponder {ponder}"),
        None => format!("bestmove {best}"),
    }
}

#[must_use]
pub fn result_word(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        None => "none",
        Some(Outcome::Draw) => "draw",
        Some(Outcome::Win(Side::P1)) => "p1win",
        Some(Outcome::Win(Side::P2)) => "p2win",
    }
}

/// The last line of `perft` and `bench`.
#[must_use]
pub fn speed_line(nodes: u64, time: Duration) -> String {
    format!("{nodes} nodes {} nps", per_second(nodes, time))
}

/// The last line of `values`: after it the client has the value of every move.
#[must_use]
pub fn move_count_line(moves: usize) -> String {
    format!("{moves} moves")
}

/// The answer to `perft`: with `divide`, the sorted counts for each move; then the total and the
/// speed.
#[must_use]
pub fn perft_text(counts: &[(String, u64)], divide: bool, time: Duration) -> String {
    let leaves = counts.iter().map(|(_, leaves)| leaves).sum();
    let mut lines: Vec<String> = Vec::new();
    if divide {
        lines.extend(counts.iter().map(|(mv, leaves)| format!("{mv}: {leaves}\n")));
        lines.sort_unstable();
    }
    lines.concat() + &speed_line(leaves, time)
}

#[must_use]
pub fn error_line(error: &dyn fmt::Display) -> String {
    format!("info string error: {}", printable(&error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score_text(exact: ExactValue, dialect: Dialect) -> String {
        ScoreField { score: Score::Exact(exact), dialect, wdl: None }.to_string()
    }

    #[test]
    fn mates_count_moves_in_uci_and_plies_in_ugi() {
        for (exact, uci, ugi) in [
            (ExactValue::Win(1), "mate 1", "mate 1"),
            (ExactValue::Win(7), "mate 4", "mate 7"),
            (ExactValue::Win(2), "mate 2", "mate 2"),
            (ExactValue::Win(0), "mate 1", "mate 1"),
            (ExactValue::Loss(0), "mate 0", "mate 0"),
            (ExactValue::Loss(4), "mate -2", "mate -4"),
            (ExactValue::Loss(1), "mate -1", "mate -1"),
            (ExactValue::Draw, "cp 0", "cp 0"),
        ] {
            assert_eq!(score_text(exact, Dialect::Uci), uci);
            assert_eq!(score_text(exact, Dialect::Ugi), ugi);
        }
        assert_eq!(Dialect::Uci.mate_plies(4), 8);
        assert_eq!(Dialect::Ugi.mate_plies(4), 4);
    }

    #[test]
    fn a_proven_line_claims_a_distance_only_where_it_is_exact() {
        let line = |value| proven_line(Score::by_line(value)).trim_end().to_owned();
        assert_eq!(proven_line(Score::Exact(ExactValue::Win(7))), "info string proven win in 7\n");
        assert_eq!(line(ExactValue::Win(7)), "info string proven win in 7 (line length)");
        assert_eq!(line(ExactValue::Loss(4)), "info string proven loss in 4 (line length)");
        assert_eq!(line(ExactValue::Draw), "info string proven draw");
        assert_eq!(line(ExactValue::Win(1)), "info string proven win in 1");
    }

    #[test]
    fn a_rate_assumes_at_least_one_microsecond() {
        assert_eq!(per_second(3000, Duration::from_secs(2)), 1500);
        assert_eq!(per_second(7, Duration::from_millis(10)), 700);
        assert_eq!(per_second(2, Duration::ZERO), 2_000_000);
    }

    #[test]
    fn only_uci_sends_a_ponder_move() {
        assert_eq!(best_move_line(Some("a1"), Some("b2"), Dialect::Uci), "bestmove a1 ponder b2");
        assert_eq!(best_move_line(Some("a1"), Some("b2"), Dialect::Ugi), "bestmove a1");
        assert_eq!(best_move_line(None, None, Dialect::Uci), "bestmove (none)");
    }
}
