//! The progress of an SPRT during a match.
//!
//! Games still running when the test decides count in the tables but do not revoke the decision:
//! the error rates hold for the first crossing of a bound.

use super::evidence::{Evidence, GAMES_TO_JUDGE};
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
    /// The evidence with which the test stopped without a verdict, if it did.
    pub stopped: Option<Evidence>,
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
        Some(Self { test, player, opponent, decision: None, stopped: None })
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

    /// Returns whether the test has ended, with or without a verdict.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.decision.is_some() || self.stopped.is_some()
    }

    /// Updates the test after a game; returns whether it has ended. Where too many games are copies
    /// of others, it ends without a verdict.
    pub fn update(&mut self, scoreboard: &Scoreboard) -> bool {
        if self.has_ended() {
            return true;
        }
        let tally = scoreboard.tally(&self.player, &self.opponent);
        let verdict = self.test.verdict(&tally);
        let is_decided = verdict != SprtVerdict::Continue;
        if is_decided || tally.games() >= GAMES_TO_JUDGE {
            let evidence = scoreboard.evidence_between(&self.player, &self.opponent);
            self.stopped = evidence.filter(Evidence::is_too_thin);
        }
        if is_decided && self.stopped.is_none() {
            let llr = self.test.log_likelihood_ratio(&tally);
            self.decision = Some(SprtDecision { verdict, games: tally.games(), llr });
        }
        self.has_ended()
    }
}
