//! Accuracy in per cent, by the formula that lichess publishes at
//! <https://lichess.org/page/accuracy>, with the constants of its source code
//! (`AccuracyPercent.scala`).
//!
//! lichess speaks of winning chances; here they are expected scores, which count a draw as one half.
//! Its bonus of one per cent for inexact analysis is left out, because many values here are exact.

use super::MoveReview;
use crate::rules::Side;
use crate::search::Score;

/// Returns the accuracy of a move that loses this much of the expected score, in per cent.
#[must_use]
pub fn move_accuracy(loss: f64) -> f64 {
    let accuracy =
        103.166_810_071_164_9 * libm::exp(-4.354_415_386_753_951 * loss) - 3.166_924_740_191_411;
    accuracy.clamp(0.0, 100.0)
}

/// Returns the accuracy of a player over a game, in per cent: the mean of the harmonic mean of the
/// move accuracies and of their mean weighted by volatility, so that moves count more where the
/// expected score changes much. Book moves count only as volatility. `None` without other moves of this
/// player.
#[must_use]
pub fn game_accuracy(moves: &[MoveReview], side: Side) -> Option<f64> {
    let weights = volatility(moves);
    let own = moves.iter().zip(weights).filter(|(mv, _)| mv.side == side && !mv.is_book);
    let own: Vec<(f64, f64)> = own
        .map(|(mv, weight)| (move_accuracy(mv.before.expected() - mv.after.expected()), weight))
        .collect();
    if own.is_empty() {
        return None;
    }
    let total: f64 = own.iter().map(|(_, weight)| weight).sum();
    let weighted = own.iter().map(|(accuracy, weight)| accuracy * weight).sum::<f64>() / total;
    // A single move of accuracy 0 must not decide the mean alone.
    let reciprocals: f64 = own.iter().map(|(accuracy, _)| accuracy.max(1.0).recip()).sum();
    let harmonic = own.len() as f64 / reciprocals;
    Some(f64::midpoint(weighted, harmonic))
}

/// Returns the weight of each move: the standard deviation of the expected score, in per cent, over
/// a sliding window of positions.
fn volatility(moves: &[MoveReview]) -> Vec<f64> {
    const MIN: f64 = 0.5;
    const MAX: f64 = 12.0;
    let percent = |side: Side, score: Score| {
        100.0 * if side == Side::P1 { score.expected() } else { 1.0 - score.expected() }
    };
    let mut scores: Vec<f64> = moves.iter().map(|mv| percent(mv.side, mv.before)).collect();
    scores.extend(moves.last().map(|mv| percent(mv.side, mv.after)));
    let size = (moves.len() / 10).clamp(2, 8);
    // The first moves share the first window.
    let window = |index: usize| {
        let begin = (index + 2).saturating_sub(size);
        &scores[begin..(begin + size).min(scores.len())]
    };
    (0..moves.len()).map(|index| standard_deviation(window(index)).clamp(MIN, MAX)).collect()
}

fn standard_deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    libm::sqrt(squares / count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::ValueKeepingMoves;
    use crate::search::Points;

    /// The points that lichess fitted its curve to, within the error it allowed.
    #[test]
    fn move_accuracies_are_those_of_lichess() {
        let published = [(0.0, 100.0), (0.05, 79.8), (0.1, 63.6), (0.2, 40.0), (0.4, 14.9)];
        for (loss, accuracy) in published {
            assert!((move_accuracy(loss) - accuracy).abs() < 0.1, "{loss} {}", move_accuracy(loss));
        }
        assert!(move_accuracy(1.0) < 0.01 && move_accuracy(-0.3) > 99.99);
    }

    /// A game with these scores of the first player before and after its moves.
    fn game(points: &[Points]) -> Vec<MoveReview> {
        let review = |(ply, pair): (usize, &[Points])| {
            let (side, sign) = if ply % 2 == 1 { (Side::P1, 1) } else { (Side::P2, -1) };
            MoveReview {
                ply,
                side,
                mv: "a1".to_owned(),
                is_book: false,
                before: Score::Estimate(sign * pair[0]),
                after: Score::Estimate(sign * pair[1]),
                best_line: Vec::new(),
                keeping: ValueKeepingMoves { count: 1, legal: 1, is_proven: false },
                mark: None,
                reasons: Vec::new(),
                best_reasons: Vec::new(),
            }
        };
        (1..).zip(points.windows(2)).map(review).collect()
    }

    #[test]
    fn game_accuracy_is_the_mean_of_two_means() {
        let moves = game(&[0, 0, 0, -241, -241, -241]);
        let loss = 0.5 - Score::Estimate(-241).expected();
        // Windows of two positions: the third move has the maximum weight, the others the minimum.
        let [full, low] = [0.0, loss].map(move_accuracy);
        let weighted = (0.5 * full + 12.0 * low + 0.5 * full) / 13.0;
        let harmonic = 3.0 / (1.0 / full + 1.0 / low + 1.0 / full);
        let expected = f64::midpoint(weighted, harmonic);
        assert!((game_accuracy(&moves, Side::P1).unwrap() - expected).abs() < 1e-9);
        assert!((game_accuracy(&moves, Side::P2).unwrap() - full).abs() < 1e-9);
    }

    #[test]
    fn accuracy_needs_a_move() {
        assert_eq!(game_accuracy(&[], Side::P1), None);
        assert_eq!(game_accuracy(&game(&[0, -70]), Side::P2), None);
        assert!(game_accuracy(&game(&[0, -70]), Side::P1).is_some());
    }
}
