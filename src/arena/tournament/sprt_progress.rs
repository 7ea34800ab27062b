//! The progress of an SPRT during a match.
//!
//! Games still running when the test decides count in the tables but do not revoke the decision:
//! the error rates hold for the first crossing of a bound.

use std::fmt::Display;

use super::evidence::{Evidence, GAMES_TO_JUDGE};
use super::scoreboard::Scoreboard;
use crate::language;
use crate::statistics::{Sprt, SprtVerdict, logistic_elo};

/// A test of the Elo difference between the first engine of a match and the second.
#[derive(Debug, Clone)]
pub struct SprtProgress {
    pub test: Sprt,
    /// The first engine.
    pub player: String,
    /// The second engine.
    pub opponent: String,
    pub decision: Option<SprtDecision>,
    /// The evidence with which the test stopped without a verdict, if it did.
    pub stopped: Option<Evidence>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SprtDecision {
    /// Never [`SprtVerdict::Continue`].
    pub verdict: SprtVerdict,
    pub games: u64,
    /// The log-likelihood ratio at the decision.
    pub llr: f64,
}

impl SprtProgress {
    /// Begins a test of the first player against the second; `None` unless there are two.
    pub fn new(test: Sprt, names: &[&str]) -> Option<Self> {
        let [player, opponent] = *<&[&str; 2]>::try_from(names).ok()?;
        let (player, opponent) = (player.to_owned(), opponent.to_owned());
        Some(Self { test, player, opponent, decision: None, stopped: None })
    }

    /// The log-likelihood ratio at the decision, or the current one while undecided.
    pub(crate) fn llr(&self, scoreboard: &Scoreboard) -> f64 {
        let current = || {
            let tally = scoreboard.tally(&self.player, &self.opponent);
            self.test.log_likelihood_ratio(&tally)
        };
        self.decision.map_or_else(current, |decision| decision.llr)
    }

    /// States the decision, once made, and what it says about the player: accepting H1 rejects
    /// differences up to `elo0`, accepting H0 those from `elo1` on.
    pub(crate) fn conclusion(&self, scoreboard: &Scoreboard) -> Option<String> {
        let (text, values) = self.conclusion_parts(scoreboard)?;
        let values: Vec<(&str, &dyn Display)> =
            values.iter().map(|(name, value)| (*name, value as &dyn Display)).collect();
        Some(language::fill(text, &values))
    }

    /// The parts of the conclusion, for translation: a text and the values of its placeholders. Where
    /// the score shows much more than the accepted hypothesis, the text says so.
    pub(crate) fn conclusion_parts(
        &self,
        scoreboard: &Scoreboard,
    ) -> Option<(&'static str, Vec<(&'static str, String)>)> {
        let Self { player, opponent, test, .. } = self;
        let is_h1 = self.decision?.verdict == SprtVerdict::AcceptH1;
        let elo = logistic_elo(&scoreboard.tally(player, opponent).sample());
        let is_weaker = elo.is_some_and(|elo| elo.high < 0.0);
        let is_stronger = elo.is_some_and(|elo| elo.low > 0.0);
        let bound = if is_h1 { test.elo0 } else { test.elo1 };
        let text = match (is_h1, bound) {
            (true, 0.0) => "H1 accepted: {player} is stronger than {opponent}",
            (false, 0.0) => "H0 accepted: {player} is weaker than {opponent}",
            (true, 0.0..) => "H1 accepted: {player} is stronger by more than {bound} {model} Elo",
            (true, _) if is_stronger => {
                "H1 accepted: {player} is not weaker by {bound} {model} Elo or more; by its score it is stronger \
                 than {opponent}"
            }
            (true, _) => "H1 accepted: {player} is not weaker by {bound} {model} Elo or more",
            (false, 0.0..) if is_weaker => {
                "H0 accepted: {player} is not stronger by {bound} {model} Elo or more; by its score it is weaker \
                 than {opponent}"
            }
            (false, 0.0..) => {
                "H0 accepted: {player} is not stronger by {bound} {model} Elo or more"
            }
            (false, _) => "H0 accepted: {player} is weaker by more than {bound} {model} Elo",
        };
        let values = vec![
            ("player", player.clone()),
            ("opponent", opponent.clone()),
            ("bound", bound.abs().to_string()),
            ("model", test.model.name().to_owned()),
        ];
        Some((text, values))
    }

    /// Returns whether the test has ended, with or without a verdict.
    pub(crate) fn has_ended(&self) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{EloModel, ObservationUnit};

    #[test]
    fn conclusion_excludes_only_what_the_rejected_hypothesis_states() {
        let level = Scoreboard::new(["a", "b"], ObservationUnit::Games);
        let conclusion = |elo0, elo1, verdict| {
            let test = Sprt::new(EloModel::Normalized, elo0, elo1, 0.05, 0.05).unwrap();
            let [player, opponent] = ["a", "b"].map(str::to_owned);
            let decision = Some(SprtDecision { verdict, games: 100, llr: 3.0 });
            let progress = SprtProgress { test, player, opponent, decision, stopped: None };
            progress.conclusion(&level).unwrap()
        };
        for (elo0, elo1, of_h1, of_h0) in [
            (0.0, 10.0, "stronger than b", "not stronger by 10 Elo or more"),
            (2.5, 10.0, "stronger by more than 2.5 Elo", "not stronger by 10 Elo or more"),
            (-60.0, 0.0, "not weaker by 60 Elo or more", "weaker than b"),
            (-5.0, 5.0, "not weaker by 5 Elo or more", "not stronger by 5 Elo or more"),
            (-10.0, -5.0, "not weaker by 10 Elo or more", "weaker by more than 5 Elo"),
        ] {
            let [of_h1, of_h0] = [of_h1, of_h0].map(|text| text.replace("Elo", "normalized Elo"));
            let h1 = conclusion(elo0, elo1, SprtVerdict::AcceptH1);
            assert_eq!(h1, format!("H1 accepted: a is {of_h1}"));
            let h0 = conclusion(elo0, elo1, SprtVerdict::AcceptH0);
            assert_eq!(h0, format!("H0 accepted: a is {of_h0}"));
        }
    }
}
