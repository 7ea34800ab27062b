//! The progress of an SPRT during a match.
//!
//! Games still running when the test decides count in the tables but do not revoke the decision:
//! the error rates hold for the first crossing of a bound.

use super::scoreboard::Scoreboard;
use super::setup::TournamentSetup;
use super::statistics::{Sprt, SprtVerdict};

/// A test of whether the first engine of a match is stronger than the second.
#[derive(Debug, Clone)]
pub struct SprtProgress {
    /// The test.
    pub test: Sprt,
    /// The first engine.
    pub player: String,
    /// The second engine.
    pub opponent: String,
    /// The decision, once made.
    pub decision: Option<SprtDecision>,
}

/// The decision of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SprtDecision {
    /// Never [`SprtVerdict::Continue`].
    pub verdict: SprtVerdict,
    /// The number of games at the decision.
    pub games: u64,
    /// The log-likelihood ratio at the decision.
    pub llr: f64,
}

impl SprtProgress {
    /// The test configured for a match, if any.
    #[must_use]
    pub fn from_setup(setup: &TournamentSetup) -> Option<Self> {
        let [first, second] = setup.engines.as_slice() else { return None };
        let test = setup.sprt?;
        let (player, opponent) = (first.name.clone(), second.name.clone());
        Some(Self { test, player, opponent, decision: None })
    }

    /// The log-likelihood ratio at the decision, or the current one while undecided.
    #[must_use]
    pub fn llr(&self, scoreboard: &Scoreboard) -> f64 {
        let current = || {
            let tally = scoreboard.tally(&self.player, &self.opponent);
            self.test.log_likelihood_ratio(&tally)
        };
        self.decision.map_or_else(current, |decision| decision.llr)
    }

    /// Updates the test after a game; returns whether it has decided.
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
