//! A sequential test in progress: who is tested against whom, and the decision once it has fallen.
//!
//! Games that were still being played when it fell count in the tables, but do not take it back: the
//! error rates of the test hold for the first time a bound is crossed. Imports the scoreboard, the
//! setup and the statistics.

use super::scoreboard::Scoreboard;
use super::setup::TournamentSetup;
use super::statistics::{Sprt, SprtVerdict};

/// A test of the first engine of a tournament against the second.
#[derive(Debug, Clone)]
pub struct SprtProgress {
    /// The test.
    pub test: Sprt,
    /// Who may be stronger.
    pub player: String,
    /// Than whom.
    pub opponent: String,
    /// What was decided, as soon as it was.
    pub decision: Option<SprtDecision>,
}

/// A decision, and when it fell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SprtDecision {
    /// Never [`SprtVerdict::Continue`].
    pub verdict: SprtVerdict,
    /// After so many games.
    pub games: u64,
    /// At this log-likelihood ratio.
    pub llr: f64,
}

impl SprtProgress {
    /// The test that a tournament asks for, if it does.
    #[must_use]
    pub fn from_setup(setup: &TournamentSetup) -> Option<Self> {
        let [first, second] = setup.engines.as_slice() else { return None };
        let test = setup.sprt?;
        let (player, opponent) = (first.name.clone(), second.name.clone());
        Some(Self { test, player, opponent, decision: None })
    }

    /// The log-likelihood ratio: as it was when the test decided; while it has not, as it is.
    #[must_use]
    pub fn llr(&self, scoreboard: &Scoreboard) -> f64 {
        let now = || {
            let tally = scoreboard.tally(&self.player, &self.opponent);
            self.test.log_likelihood_ratio(&tally)
        };
        self.decision.map_or_else(now, |decision| decision.llr)
    }

    /// Looks at the board after a game; whether the test has decided.
    pub fn update(&mut self, scoreboard: &Scoreboard) -> bool {
        if self.decision.is_none() {
            let tally = scoreboard.tally(&self.player, &self.opponent);
            let verdict = self.test.verdict(&tally);
            self.decision = (verdict != SprtVerdict::Continue).then(|| SprtDecision {
                verdict,
                games: tally.games(),
                llr: self.test.log_likelihood_ratio(&tally),
            });
        }
        self.decision.is_some()
    }
}
