//! Match statistics checked against simulated matches of known strength.

use zermelo::rules::{SplitMix, Value};
use zermelo::statistics::{
    EloModel, Observation, ObservationUnit, ScoreTally, Sprt, SprtVerdict, expected_score,
    likelihood_of_superiority, logistic_elo, normalized_elo, rate_players,
};

use crate::common::number_from_env;

/// A uniform random number in [0, 1).
fn uniform(random: &mut SplitMix) -> f64 {
    (random.bits() >> 11) as f64 / (1_u64 << 53) as f64
}

/// The probabilities of 0, 1/2, 1, 3/2 and 2 points: a symmetric distribution, exponentially
/// tilted by a factor of `tilt` per score.
fn tilted(tilt: f64) -> [f64; 5] {
    let mut weights = [0.04, 0.2, 0.52, 0.2, 0.04];
    let mut factor = 1.0;
    for weight in &mut weights {
        *weight *= factor;
        factor *= tilt;
    }
    let total: f64 = weights.iter().sum();
    weights.map(|weight| weight / total)
}

fn mean_and_deviation(probabilities: &[f64; 5]) -> (f64, f64) {
    let scores = || probabilities.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]);
    let mean: f64 = scores().map(|(probability, score)| probability * score).sum();
    let square = |(probability, score): (&f64, f64)| probability * (score - mean).powi(2);
    (mean, scores().map(square).sum::<f64>().sqrt())
}

/// The tilted distribution with this Elo, found by bisection.
fn pairs_with_elo(model: EloModel, elo: f64) -> [f64; 5] {
    let is_weaker = |probabilities: &[f64; 5]| {
        let (mean, deviation) = mean_and_deviation(probabilities);
        match model {
            EloModel::Normalized => {
                let per_game = 2_f64.sqrt() * deviation;
                (mean - 0.5) / per_game * 800.0 / 10_f64.ln() < elo
            }
            _ => mean < expected_score(elo),
        }
    };
    let (mut low, mut high) = (0.1, 10.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if is_weaker(&tilted(middle)) { low = middle } else { high = middle }
    }
    tilted(low)
}

fn add_simulated_pair(tally: &mut ScoreTally, probabilities: &[f64; 5], random: &mut SplitMix) {
    let mut rest = uniform(random);
    let mut points = 0;
    while points < 4 && rest >= probabilities[points] {
        rest -= probabilities[points];
        points += 1;
    }
    let (earlier, later) = [
        (Value::Loss, Value::Loss),
        (Value::Draw, Value::Loss),
        (Value::Win, Value::Loss),
        (Value::Win, Value::Draw),
        (Value::Win, Value::Win),
    ][points];
    tally.add_pair(earlier, later);
}

/// Runs tests on matches simulated by `play`; returns the number of tests that accept H0 and H1
/// and the mean number of games.
fn simulate(
    sprt: &Sprt,
    runs: u64,
    play: impl Fn(&mut ScoreTally, &mut SplitMix),
) -> ([u64; 2], f64) {
    let (mut accepted, mut games) = ([0, 0], 0);
    for run in 0..runs {
        let mut random = SplitMix::new(run << 32);
        let mut tally = ScoreTally::new(ObservationUnit::Pairs);
        loop {
            play(&mut tally, &mut random);
            match sprt.verdict(&tally) {
                SprtVerdict::Continue => continue,
                SprtVerdict::AcceptH0 => accepted[0] += 1,
                SprtVerdict::AcceptH1 => accepted[1] += 1,
            }
            break;
        }
        games += tally.games();
    }
    (accepted, games as f64 / runs as f64)
}

/// The error rate must not exceed the nominal 5 % by more than three standard deviations. It may be
/// lower, because the ratio overshoots the bound, but not by half: that would waste games.
fn check_error_rate(wrong: u64, runs: u64, label: &str) {
    let rate = wrong as f64 / runs as f64;
    let tolerance = 3.0 * (0.05 * 0.95 / runs as f64).sqrt();
    println!("{label}: {rate}");
    assert!(rate <= 0.05 + tolerance, "{label}: {rate}");
    assert!(rate >= 0.025, "{label}: {rate}");
}

fn check_sprt_of_pairs(model: EloModel, elo1: f64) {
    let runs = number_from_env("SPRT_RUNS", 2_000);
    let sprt = Sprt::new(model, 0.0, elo1, 0.05, 0.05).unwrap();
    for (truth, elo) in [0.0, elo1].into_iter().enumerate() {
        let probabilities = pairs_with_elo(model, elo);
        let (accepted, games) = simulate(&sprt, runs, |tally, random| {
            add_simulated_pair(tally, &probabilities, random);
        });
        let label = format!("{model:?}, {elo} Elo, {games} games");
        check_error_rate(accepted[1 - truth], runs, &label);
    }
}

#[test]
fn normalized_sprt_keeps_its_error_rates() {
    check_sprt_of_pairs(EloModel::Normalized, 80.0);
}

#[test]
fn logistic_sprt_keeps_its_error_rates() {
    check_sprt_of_pairs(EloModel::Logistic, 42.0);
}

/// Coverage of the intervals in 2000 matches of 200 pairs, and calibration of the likelihood of
/// superiority between equal players.
#[test]
fn intervals_have_their_nominal_coverage() {
    const RUNS: u64 = 2_000;
    let probabilities = pairs_with_elo(EloModel::Normalized, 40.0);
    let (mean, _) = mean_and_deviation(&probabilities);
    let logistic = 400.0 * (mean / (1.0 - mean)).log10();
    let (mut covered, mut superior) = ([0, 0], 0);
    for run in 0..RUNS {
        let mut random = SplitMix::new(run << 32);
        let (mut unequal, mut equal) =
            (ScoreTally::new(ObservationUnit::Pairs), ScoreTally::new(ObservationUnit::Pairs));
        for _ in 0..200 {
            add_simulated_pair(&mut unequal, &probabilities, &mut random);
            add_simulated_pair(&mut equal, &tilted(1.0), &mut random);
        }
        let sample = unequal.sample();
        let found = [(logistic_elo(&sample), logistic), (normalized_elo(&sample), 40.0)];
        for (covered, (found, truth)) in covered.iter_mut().zip(found) {
            let found = found.unwrap();
            *covered += u64::from(found.low <= truth && truth <= found.high);
        }
        superior += u64::from(likelihood_of_superiority(&equal.sample()) > 0.95);
    }
    println!("covered {covered:?}, superior {superior} of {RUNS}");
    // Three standard deviations: 0.015.
    for covered in covered {
        assert!((covered as f64 / RUNS as f64 - 0.95).abs() < 0.015, "{covered}");
    }
    assert!((superior as f64 / RUNS as f64 - 0.05).abs() < 0.015, "{superior}");
}

/// Simulates a pair of games with this expected score per game and returns the points of the first
/// player. With probability `dependence` the same random number decides both games: reflected if
/// `opening_bias`, as when the opening favours one side, or as it is.
fn simulate_pair(expected: f64, dependence: f64, opening_bias: bool, random: &mut SplitMix) -> f64 {
    let draws = 0.6 * expected.min(1.0 - expected);
    let score = |number: f64| {
        if number < expected - draws {
            1.0
        } else if number < expected + draws {
            0.5
        } else {
            0.0
        }
    };
    let first = uniform(random);
    let other = uniform(random);
    let same = if opening_bias { 1.0 - first } else { first };
    let second = if uniform(random) < dependence { same } else { other };
    score(first) + score(second)
}

/// Simulates 400 round robins; returns the coverage of the rating intervals and the mean ratings.
fn simulate_tournaments(truth: &[f64], dependence: f64, opening_bias: bool) -> (f64, Vec<f64>) {
    const RUNS: u64 = 400;
    let mut covered = 0;
    let mut means = vec![0.0; truth.len()];
    for run in 0..RUNS {
        let mut random = SplitMix::new(run << 32);
        let mut observations = Vec::new();
        for first in 0..truth.len() {
            for second in first + 1..truth.len() {
                let expected = expected_score(truth[first] - truth[second]);
                for _ in 0..40 {
                    let score = simulate_pair(expected, dependence, opening_bias, &mut random);
                    observations.push(Observation { first, second, score, games: 2.0 });
                }
            }
        }
        let ratings = rate_players(truth.len(), &observations);
        assert!(!ratings.regularized);
        for ((found, truth), mean) in ratings.players.iter().zip(truth).zip(&mut means) {
            let found = found.unwrap();
            covered += u32::from(found.low <= *truth && *truth <= found.high);
            *mean += found.value / RUNS as f64;
        }
    }
    (f64::from(covered) / (RUNS * truth.len() as u64) as f64, means)
}

#[test]
fn ratings_are_unbiased_with_correct_coverage() {
    let truth = [150.0, 40.0, 0.0, -60.0, -130.0];
    // Independent games, negatively correlated pairs (opening bias), positively correlated pairs
    // (form of the day). Treating games as independent would make the intervals of the second case
    // too wide and those of the third too narrow.
    for (dependence, opening_bias) in [(0.0, false), (0.7, true), (0.7, false)] {
        let (covered, means) = simulate_tournaments(&truth, dependence, opening_bias);
        println!("dependence {dependence}, opening_bias {opening_bias}: {covered}, {means:?}");
        assert!(
            (0.92..=0.98).contains(&covered),
            "dependence {dependence}, opening_bias {opening_bias}: {covered}"
        );
        for (mean, truth) in means.iter().zip(truth) {
            assert!((mean - truth).abs() < 3.0, "{means:?}");
        }
    }
}
