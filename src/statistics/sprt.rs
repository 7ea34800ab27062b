//! The generalized sequential probability ratio test (GSPRT).
//!
//! H0 states that the Elo difference of the players is `elo0`, H1 that it is `elo1`. After every game
//! or pair the log-likelihood ratio is compared with Wald's bounds. The effect of draws and
//! openings is a nuisance parameter, so each hypothesis is represented by the distribution with
//! its Elo that fits the sample best.

use super::elo::NORMALIZED_SCALE;
use super::likelihood::{Probabilities, fit_mean, fit_t};
use super::sample::ScoreDistribution;
use super::{ScoreSample, ScoreTally, expected_score};
use crate::printing::without_negative_zero;
use serde::{Deserialize, Serialize};

/// The Elo scale of the hypotheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Normalized Elo, see [`normalized_elo`](super::normalized_elo). The expected length of a test
    /// does not depend on the draw ratio and the openings.
    #[default]
    Normalized,
    /// Logistic Elo, the usual rating scale.
    Logistic,
}

impl EloModel {
    pub const NAMES: [(&'static str, Self); 2] =
        [("normalized", Self::Normalized), ("logistic", Self::Logistic)];

    pub fn name(self) -> &'static str {
        Self::NAMES.into_iter().find(|(_, model)| *model == self).map_or("", |(name, _)| name)
    }
}

/// The state of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SprtVerdict {
    Continue,
    /// H0 is accepted: the difference is below `elo1`.
    AcceptH0,
    /// H1 is accepted: the difference is above `elo0`.
    AcceptH1,
}

/// A test of two hypotheses about an Elo difference.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedSprt")]
pub struct Sprt {
    pub(crate) elo0: f64,
    pub(crate) elo1: f64,
    /// The probability of accepting H1 if H0 is true.
    pub(crate) alpha: f64,
    /// The probability of accepting H0 if H1 is true.
    pub(crate) beta: f64,
    pub(crate) model: EloModel,
}

/// Unvalidated parameters from a file.
#[derive(Deserialize)]
#[serde(rename = "Sprt", deny_unknown_fields)]
struct UncheckedSprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    #[serde(default)]
    model: EloModel,
}

impl TryFrom<UncheckedSprt> for Sprt {
    type Error = String;

    fn try_from(unchecked: UncheckedSprt) -> Result<Self, String> {
        let UncheckedSprt { elo0, elo1, alpha, beta, model } = unchecked;
        Self::new(model, elo0, elo1, alpha, beta)
    }
}

impl Sprt {
    /// The largest absolute Elo of a hypothesis; within it every fit is known to converge.
    pub const ELO_LIMIT: f64 = 200.0;

    /// Creates a test of `elo0` against `elo1` with a type I error rate of `alpha` and a type II
    /// error rate of `beta`.
    ///
    /// Returns a message if `elo0` is not below `elo1`, a hypothesis exceeds [`Self::ELO_LIMIT`], or
    /// an error rate is not between 0 and 1/2.
    pub fn new(
        model: EloModel,
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
    ) -> Result<Self, String> {
        let limit = Self::ELO_LIMIT;
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-limit..=limit).contains(&value) {
                return Err(format!("{name} is {value}, expected -{limit} to {limit}"));
            }
        }
        if elo0 >= elo1 {
            return Err(format!("elo0 is {elo0} and elo1 is {elo1}, expected elo0 < elo1"));
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(format!("{name} is {value}, expected above 0 and below 0.5"));
            }
        }
        let [elo0, elo1] = [elo0, elo1].map(without_negative_zero);
        Ok(Self { elo0, elo1, alpha, beta, model })
    }

    /// Wald's bounds on the log-likelihood ratio: H0 is accepted at or below the first, H1 at or
    /// above the second.
    pub(crate) fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 to H0; 0 without observations. An unobserved score counts as
    /// a thousandth of an observation, which keeps the logarithms finite.
    pub(crate) fn log_likelihood_ratio(&self, tally: &ScoreTally) -> f64 {
        let sample = tally.sample();
        if sample.observations() == 0 {
            return 0.0;
        }
        let (weight, distribution) = sample.smoothed();
        let fit = |elo| self.fit(&sample, &distribution, elo);
        let Some((fit0, fit1)) = fit(self.elo0).zip(fit(self.elo1)) else { return 0.0 };
        let shares = distribution.iter().map(|score| score.share);
        let ratios = shares.zip(fit0).zip(fit1).map(|((q, p0), p1)| q * (p1 / p0).ln());
        without_negative_zero(weight * ratios.sum::<f64>())
    }

    /// Compares the log-likelihood ratio with the bounds.
    pub fn verdict(&self, tally: &ScoreTally) -> SprtVerdict {
        let (lower, upper) = self.bounds();
        let ratio = self.log_likelihood_ratio(tally);
        if ratio >= upper {
            SprtVerdict::AcceptH1
        } else if ratio <= lower {
            SprtVerdict::AcceptH0
        } else {
            SprtVerdict::Continue
        }
    }

    /// The maximum likelihood distribution with this Elo.
    fn fit(
        &self,
        sample: &ScoreSample,
        distribution: &ScoreDistribution,
        elo: f64,
    ) -> Option<Probabilities> {
        match self.model {
            EloModel::Normalized => fit_t(
                distribution,
                elo / NORMALIZED_SCALE * (sample.games_per_observation() as f64).sqrt(),
            ),
            EloModel::Logistic => fit_mean(distribution, expected_score(elo)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Value::{self, Draw, Loss, Win};
    use crate::statistics::ObservationUnit;

    fn sprt(model: EloModel, elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(model, elo0, elo1, 0.05, 0.05).unwrap()
    }

    fn pairs(counts: [u64; 5]) -> ScoreTally {
        let mut tally = ScoreTally::new(ObservationUnit::Pairs);
        let kinds = [(Loss, Loss), (Loss, Draw), (Win, Loss), (Draw, Win), (Win, Win)];
        for ((earlier, later), count) in kinds.into_iter().zip(counts) {
            (0..count).for_each(|_| tally.add_pair(earlier, later));
        }
        tally
    }

    fn games(counts: [u64; 3]) -> ScoreTally {
        let mut tally = ScoreTally::new(ObservationUnit::Games);
        for (result, count) in [Loss, Draw, Win].into_iter().zip(counts) {
            (0..count).for_each(|_| tally.add_game(result));
        }
        tally
    }

    #[test]
    fn bounds_are_walds() {
        // ln(0.95 / 0.05) = ln 19 = 2.944439, the 2.94 that Fishtest shows.
        let (lower, upper) = sprt(EloModel::Normalized, 0.0, 2.0).bounds();
        assert!((upper - 2.944_438_979_166_44).abs() < 1e-12 && (lower + upper).abs() < 1e-12);
        // ln(0.2 / 0.9) = -1.504 and ln(0.8 / 0.1) = 2.079.
        let (lower, upper) = Sprt::new(EloModel::Logistic, 0.0, 2.0, 0.1, 0.2).unwrap().bounds();
        assert!((lower + 1.504_077_396_776_27).abs() < 1e-12, "{lower}");
        assert!((upper - 2.079_441_541_679_84).abs() < 1e-12, "{upper}");
    }

    #[test]
    fn log_likelihood_ratios_match_numerical_optimizers() {
        // The normalized ratios come from a search over the mean: the mean determines the
        // deviation, and the shares with both are found by minimizing the dual function. SciPy's
        // SLSQP with the plain constraints agrees where it converges. The logistic ratios minimize
        // the dual function of the single constraint. fastchess reports "LLR: 4.60" and
        // "LLR: 1.24" for the first two.
        let found = |model, elo0, elo1, tally: &ScoreTally| {
            sprt(model, elo0, elo1).log_likelihood_ratio(tally)
        };
        let cases = [
            ([352, 579, 1264, 743, 464], 9.0, 16.0, 4.595_980_730, 4.302_170_088),
            ([0, 0, 1, 8, 1], 0.0, 50.0, 1.239_392_742, 1.335_683_019),
            ([1, 10, 78, 48, 13], 0.0, 5.0, 1.309_612_528, 1.977_127_828),
            ([0, 0, 100, 0, 0], 5.0, 20.0, -0.616_354_380, -4.471_333_861),
            ([112, 3497, 7958, 3725, 148], 0.0, 2.0, 2.827_904_828, 4.544_941_659),
        ];
        for (counts, elo0, elo1, normalized, logistic) in cases {
            let tally = pairs(counts);
            let [of_normalized, of_logistic] = [EloModel::Normalized, EloModel::Logistic]
                .map(|model| found(model, elo0, elo1, &tally));
            assert!((of_normalized - normalized).abs() < 1e-6, "{counts:?} {of_normalized}");
            assert!((of_logistic - logistic).abs() < 1e-6, "{counts:?} {of_logistic}");
        }
        // Samples far from the hypotheses.
        let lopsided = [
            ([0, 0, 0, 0, 9], 10.0, 100.0, 2.520_383_666),
            ([0, 0, 0, 7, 0], 10.0, 100.0, 1.272_582_613),
            ([30, 0, 0, 0, 70], -10.0, 50.0, 7.766_945_068),
            ([5, 1, 0, 2, 40], 100.0, 200.0, 4.155_482_405),
            ([40, 2, 0, 1, 5], 100.0, 200.0, -21.176_419_401),
        ];
        for (counts, elo0, elo1, expected) in lopsided {
            let ratio = found(EloModel::Normalized, elo0, elo1, &pairs(counts));
            assert!((ratio - expected).abs() < 1e-6, "{counts:?} {ratio}");
        }
        // By hand: the share of draws falls from 1 to 1 / (1 + t²) with t = √2 * 20 / 347.4356 =
        // 0.081409, and 100 ln(1 / 1.006627) = -0.6606; the unobserved scores add +0.007.
        let ratio = found(EloModel::Normalized, 0.0, 20.0, &pairs([0, 0, 100, 0, 0]));
        assert!((ratio + 0.6537).abs() < 0.001, "{ratio}");
        let tally = games([16, 206, 78]);
        let ratios =
            [EloModel::Normalized, EloModel::Logistic].map(|it| found(it, 0.0, 5.0, &tally));
        assert!((ratios[0] - 1.565_259_708).abs() < 1e-6, "{ratios:?}");
        assert!((ratios[1] - 2.776_741_076).abs() < 1e-6, "{ratios:?}");
    }

    #[test]
    fn swapping_the_players_negates_the_ratio() {
        for model in [EloModel::Normalized, EloModel::Logistic] {
            for counts in [[1, 10, 78, 48, 13], [0, 0, 0, 0, 9], [0, 0, 40, 0, 0], [7, 0, 0, 0, 8]]
            {
                let tally = pairs(counts);
                let ratio = sprt(model, -3.0, 20.0).log_likelihood_ratio(&tally);
                let swapped = sprt(model, -20.0, 3.0).log_likelihood_ratio(&tally.flipped());
                assert!((ratio + swapped).abs() < 1e-8, "{model:?} {counts:?} {ratio} {swapped}");
            }
        }
    }

    #[test]
    fn verdicts_follow_the_bounds() {
        for model in [EloModel::Normalized, EloModel::Logistic] {
            let sprt = sprt(model, 0.0, 40.0);
            let cases = [
                (ScoreTally::new(ObservationUnit::Pairs), SprtVerdict::Continue),
                (pairs([1, 2, 4, 3, 1]), SprtVerdict::Continue),
                (pairs([0, 20, 200, 120, 20]), SprtVerdict::AcceptH1),
                (pairs([20, 120, 200, 20, 0]), SprtVerdict::AcceptH0),
                (pairs([0, 0, 0, 0, 100]), SprtVerdict::AcceptH1),
                (pairs([100, 0, 0, 0, 0]), SprtVerdict::AcceptH0),
            ];
            for (tally, verdict) in cases {
                let ratio = sprt.log_likelihood_ratio(&tally);
                assert_eq!(sprt.verdict(&tally), verdict, "{model:?} {tally:?} {ratio}");
            }
            assert_eq!(sprt.log_likelihood_ratio(&ScoreTally::new(ObservationUnit::Games)), 0.0);
        }
        // Half a pair does not count yet.
        let mut tally = ScoreTally::new(ObservationUnit::Pairs);
        tally.add_game(Value::Win);
        assert_eq!(sprt(EloModel::Normalized, 0.0, 9.0).log_likelihood_ratio(&tally), 0.0);
    }

    #[test]
    fn the_ratio_rises_with_the_score() {
        for model in [EloModel::Normalized, EloModel::Logistic] {
            let ratio = |won| {
                sprt(model, 0.0, 10.0).log_likelihood_ratio(&pairs([5, 40 - won, 60, won, 5]))
            };
            assert!((0..=40).map(ratio).is_sorted_by(|a, b| a < b), "{model:?}");
        }
    }

    #[test]
    fn independent_pairs_and_single_games_agree() {
        for model in [EloModel::Normalized, EloModel::Logistic] {
            let ratio = |tally| sprt(model, 0.0, 20.0).log_likelihood_ratio(tally);
            let [paired, single] =
                [ratio(&pairs([4, 20, 37, 30, 9])), ratio(&games([40, 100, 60]))];
            assert!((paired / single - 1.0).abs() < 0.02, "{model:?} {paired} {single}");
        }
    }

    #[test]
    fn invalid_parameters_are_rejected() {
        let refusal = |elo0, elo1, alpha, beta| {
            Sprt::new(EloModel::Normalized, elo0, elo1, alpha, beta).unwrap_err()
        };
        let order = "elo0 is 5 and elo1 is 5, expected elo0 < elo1";
        assert_eq!(refusal(5.0, 5.0, 0.05, 0.05), order);
        assert_eq!(refusal(0.0, f64::NAN, 0.05, 0.05), "elo1 is NaN, expected -200 to 200");
        assert_eq!(refusal(-201.0, 0.0, 0.05, 0.05), "elo0 is -201, expected -200 to 200");
        for rate in [0.0, 0.5, -0.1, f64::NAN] {
            assert!(refusal(0.0, 5.0, rate, 0.05).starts_with("alpha is "));
            assert!(refusal(0.0, 5.0, 0.05, rate).starts_with("beta is "));
        }
    }

    #[test]
    fn serialization_round_trips() {
        let sprt = sprt(EloModel::Logistic, 0.0, 2.5);
        let text = serde_json::to_string(&sprt).unwrap();
        let expected = r#"{"elo0":0.0,"elo1":2.5,"alpha":0.05,"beta":0.05,"model":"logistic"}"#;
        assert_eq!(text, expected);
        let read: Sprt = serde_json::from_str(&text).unwrap();
        assert_eq!(read, sprt);
        let parameters = [read.elo0, read.elo1, read.alpha, read.beta];
        assert_eq!((parameters, read.model.name()), ([0.0, 2.5, 0.05, 0.05], "logistic"));
        let wrong = text.replace("2.5", "-2.5");
        let error = serde_json::from_str::<Sprt>(&wrong).unwrap_err().to_string();
        assert!(error.contains("expected elo0 < elo1"), "{error}");
        let short = r#"{"elo0":0,"elo1":2,"alpha":0.05,"beta":0.05}"#;
        assert_eq!(serde_json::from_str::<Sprt>(short).unwrap().model, EloModel::Normalized);
    }
}
