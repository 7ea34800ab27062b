//! The statistics of the arena against simulated matches, in which the truth is known.

use zermelo::arena::statistics::{
    EloModel, Encounter, ScoreTally, Sprt, SprtVerdict, expected_score, likelihood_of_superiority,
    logistic_elo, normalized_elo, rate_players,
};
use zermelo::rules::{SplitMix, Value};

/// An even throw from 0 up to below 1.
fn throw(random: &mut SplitMix) -> f64 {
    (random.bits() >> 11) as f64 / (1_u64 << 53) as f64
}

/// The probabilities of 0, 1/2, 1, 1 1/2 and 2 points: an even distribution, tilted by weights that
/// grow as a power of `tilt` from score to score.
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

/// The distribution whose Elo in this model is `elo`, found by halving the interval of tilts.
fn pairs_of_strength(model: EloModel, elo: f64) -> [f64; 5] {
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
    let mut rest = throw(random);
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

/// How many of `runs` tests of matches simulated by `play` accept each hypothesis, and the mean
/// number of games.
fn simulate(
    sprt: &Sprt,
    runs: u64,
    play: impl Fn(&mut ScoreTally, &mut SplitMix),
) -> ([u64; 2], f64) {
    let (mut accepted, mut games) = ([0, 0], 0);
    for run in 0..runs {
        let mut random = SplitMix::new(run << 32);
        let mut tally = ScoreTally::for_pairs();
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

/// The rate of wrong decisions, of which 5 % are allowed, must be below that and three standard
/// deviations. It may be lower, for the last pair leads beyond the bound, but not by half: that
/// would mean games played for nothing.
fn check_error_rate(wrong: u64, runs: u64, told: &str) {
    let rate = wrong as f64 / runs as f64;
    let tolerance = 3.0 * (0.05 * 0.95 / runs as f64).sqrt();
    println!("{told}: {rate}");
    assert!(rate <= 0.05 + tolerance, "{told}: {rate}");
    assert!(rate >= 0.025, "{told}: {rate}");
}

fn check_sprt_of_pairs(model: EloModel, elo1: f64) {
    const RUNS: u64 = 10_000;
    let sprt = Sprt::new(model, 0.0, elo1, 0.05, 0.05).unwrap();
    for (truth, elo) in [0.0, elo1].into_iter().enumerate() {
        let probabilities = pairs_of_strength(model, elo);
        let (accepted, games) = simulate(&sprt, RUNS, |tally, random| {
            add_simulated_pair(tally, &probabilities, random);
        });
        let told = format!("{model:?}, {elo} Elo, {games} games");
        check_error_rate(accepted[1 - truth], RUNS, &told);
    }
}

#[test]
fn normalized_tests_err_as_rarely_as_promised() {
    check_sprt_of_pairs(EloModel::Normalized, 80.0);
}

#[test]
fn logistic_tests_err_as_rarely_as_promised() {
    check_sprt_of_pairs(EloModel::Logistic, 42.0);
}

#[test]
fn bayesian_tests_err_as_rarely_as_promised() {
    const RUNS: u64 = 2_000;
    const DRAW: f64 = 200.0;
    let sprt = Sprt::new(EloModel::Bayesian, 0.0, 60.0, 0.05, 0.05).unwrap();
    for (truth, elo) in [0.0, 60.0].into_iter().enumerate() {
        let (win, loss) = (expected_score(elo - DRAW), expected_score(-elo - DRAW));
        let (accepted, games) = simulate(&sprt, RUNS, |tally, random| {
            let value = throw(random);
            tally.add_game(if value < win {
                Value::Win
            } else if value < win + loss {
                Value::Loss
            } else {
                Value::Draw
            });
        });
        check_error_rate(accepted[1 - truth], RUNS, &format!("Bayesian, {elo}, {games} games"));
    }
}

/// The intervals of 2000 matches of 200 pairs, and the likelihood of superiority of equal players.
#[test]
fn intervals_hold_the_truth() {
    const RUNS: u64 = 2_000;
    let probabilities = pairs_of_strength(EloModel::Normalized, 40.0);
    let (mean, _) = mean_and_deviation(&probabilities);
    let logistic = 400.0 * (mean / (1.0 - mean)).log10();
    let (mut held, mut sure) = ([0, 0], 0);
    for run in 0..RUNS {
        let mut random = SplitMix::new(run << 32);
        let (mut unequal, mut equal) = (ScoreTally::for_pairs(), ScoreTally::for_pairs());
        for _ in 0..200 {
            add_simulated_pair(&mut unequal, &probabilities, &mut random);
            add_simulated_pair(&mut equal, &tilted(1.0), &mut random);
        }
        let sample = unequal.sample();
        let found = [(logistic_elo(&sample), logistic), (normalized_elo(&sample), 40.0)];
        for (held, (found, truth)) in held.iter_mut().zip(found) {
            let found = found.unwrap();
            *held += u64::from(found.low <= truth && truth <= found.high);
        }
        sure += u64::from(likelihood_of_superiority(&equal.sample()) > 0.95);
    }
    println!("held {held:?}, sure {sure} of {RUNS}");
    // Three standard deviations: 0.015.
    for held in held {
        assert!((held as f64 / RUNS as f64 - 0.95).abs() < 0.015, "{held}");
    }
    assert!((sure as f64 / RUNS as f64 - 0.05).abs() < 0.015, "{sure}");
}

/// Points of the first player in a pair of games with an expected score each. The same throw
/// decides both games in part of the cases: turned round, as an opening that is good for one side
/// would have it, or not.
fn simulate_pair(expected: f64, linked: f64, turned: bool, random: &mut SplitMix) -> f64 {
    let draws = 0.6 * expected.min(1.0 - expected);
    let score = |throw: f64| {
        if throw < expected - draws {
            1.0
        } else if throw < expected + draws {
            0.5
        } else {
            0.0
        }
    };
    let first = throw(random);
    let other = throw(random);
    let same = if turned { 1.0 - first } else { first };
    let second = if throw(random) < linked { same } else { other };
    score(first) + score(second)
}

/// Of 400 all-play-all tournaments, the share of the ratings whose interval holds the truth, and
/// the mean of the ratings found.
fn simulate_tournaments(truth: &[f64], linked: f64, turned: bool) -> (f64, Vec<f64>) {
    const RUNS: u64 = 400;
    let mut held = 0;
    let mut means = vec![0.0; truth.len()];
    for run in 0..RUNS {
        let mut random = SplitMix::new(run << 32);
        let mut encounters = Vec::new();
        for first in 0..truth.len() {
            for second in first + 1..truth.len() {
                let expected = expected_score(truth[first] - truth[second]);
                for _ in 0..40 {
                    let score = simulate_pair(expected, linked, turned, &mut random);
                    let score_of_first = score;
                    encounters.push(Encounter { first, second, score_of_first, games: 2 });
                }
            }
        }
        let ratings = rate_players(truth.len(), &encounters).unwrap();
        assert!(!ratings.regularised);
        for ((found, truth), mean) in ratings.players.iter().zip(truth).zip(&mut means) {
            let found = found.unwrap();
            held += u32::from(found.low <= *truth && *truth <= found.high);
            *mean += found.value / RUNS as f64;
        }
    }
    (f64::from(held) / (RUNS * truth.len() as u64) as f64, means)
}

#[test]
fn ratings_find_the_truth_and_know_how_well() {
    let truth = [150.0, 40.0, 0.0, -60.0, -130.0];
    // Independent games, pairs decided by the opening, pairs decided by the day's form. If games
    // were taken for independent, the second would hold the truth nearly always and the third too
    // rarely.
    for (linked, turned) in [(0.0, false), (0.7, true), (0.7, false)] {
        let (held, means) = simulate_tournaments(&truth, linked, turned);
        println!("linked {linked}, turned {turned}: {held}, {means:?}");
        assert!((0.92..=0.98).contains(&held), "linked {linked}, turned {turned}: {held}");
        for (mean, truth) in means.iter().zip(truth) {
            assert!((mean - truth).abs() < 3.0, "{means:?}");
        }
    }
}
