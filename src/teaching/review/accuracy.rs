//! Accuracy in per cent. That of a move follows the formula that lichess publishes at
//! <https://lichess.org/page/accuracy>, with the constants of its source code
//! (`AccuracyPercent.scala`).
//!
//! lichess speaks of winning chances; here they are expected scores, which count a draw as one half.
//! Its bonus of one per cent for inexact analysis is left out, because many values here are exact. So is
//! its weighting of moves by volatility: these games are short, and a single slip would decide alone.

use super::MoveReview;
use crate::rules::Side;

/// Returns the accuracy of a move that loses this much of the expected score, in per cent.
pub fn move_accuracy(loss: f64) -> f64 {
    let accuracy =
        103.166_810_071_164_9 * libm::exp(-4.354_415_386_753_951 * loss) - 3.166_924_740_191_411;
    accuracy.clamp(0.0, 100.0)
}

/// Returns the accuracy of a player over a game, in per cent: the mean over the player's moves. `None` if
/// none of them had a choice.
///
/// Moves without a choice count, too. They lose nothing, but after a decisive mistake there is no choice
/// left: if only moves with a choice counted, an opponent who gives the game back would add good moves to
/// the mean, and two blunders could read better than one.
pub fn game_accuracy(moves: &[MoveReview], side: Side) -> Option<f64> {
    let own: Vec<_> = moves.iter().filter(|mv| mv.side == side && !mv.is_book).collect();
    let sum: f64 = own.iter().map(|mv| move_accuracy(mv.loss())).sum();
    own.iter().any(|mv| mv.had_choice()).then(|| sum / own.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::ValueKeepingMoves;
    use crate::rules::ExactValue;
    use crate::search::Score;

    /// The points that lichess fitted its curve to, within the error it allowed.
    #[test]
    fn move_accuracies_are_those_of_lichess() {
        let published = [(0.0, 100.0), (0.05, 79.8), (0.1, 63.6), (0.2, 40.0), (0.4, 14.9)];
        for (loss, accuracy) in published {
            assert!((move_accuracy(loss) - accuracy).abs() < 0.1, "{loss} {}", move_accuracy(loss));
        }
        assert!(move_accuracy(1.0) < 0.01 && move_accuracy(-0.3) > 99.99);
    }

    /// The moves of the first player, each with its loss from a drawn position and the number of moves
    /// that keep the value, of three.
    fn game(moves: &[(Score, usize)]) -> Vec<MoveReview> {
        let review = |(index, (after, count)): (usize, &(Score, usize))| MoveReview {
            ply: 2 * index + 1,
            side: Side::P1,
            mv: "a1".to_owned(),
            is_book: false,
            before: Score::Exact(ExactValue::Draw),
            after: *after,
            best_line: Vec::new(),
            keeping: ValueKeepingMoves { count: *count, legal: 3, is_proven: true },
            mark: None,
            reasons: Vec::new(),
            best_reasons: Vec::new(),
        };
        moves.iter().enumerate().map(review).collect()
    }

    #[test]
    fn game_accuracy_is_the_mean_over_the_moves_of_a_player() {
        let [drawn, lost] = [ExactValue::Draw, ExactValue::Loss(2)].map(Score::Exact);
        let moves = game(&[(drawn, 3), (drawn, 1), (drawn, 2), (drawn, 1), (lost, 2)]);
        let expected = (4.0 * move_accuracy(0.0) + move_accuracy(0.5)) / 5.0;
        assert!((game_accuracy(&moves, Side::P1).unwrap() - expected).abs() < 1e-9);
        assert!((80.0..85.0).contains(&expected), "{expected}");
        assert_eq!(game_accuracy(&moves, Side::P2), None);
        assert_eq!(game_accuracy(&game(&[(drawn, 3)]), Side::P1), None, "no choice");
    }

    /// One blunder that leaves no choice afterwards, and two between which the opponent gave the game back.
    #[test]
    fn two_blunders_do_not_read_better_than_one() {
        let [drawn, lost] = [ExactValue::Draw, ExactValue::Loss(2)].map(Score::Exact);
        let one = game(&[(drawn, 1), (lost, 1), (drawn, 3), (drawn, 3), (drawn, 3), (drawn, 3)]);
        let two = game(&[(drawn, 1), (lost, 1), (drawn, 1), (drawn, 1), (drawn, 1), (lost, 1)]);
        let [one, two] = [one, two].map(|moves| game_accuracy(&moves, Side::P1).unwrap());
        assert!(two < one, "{two} {one}");
        // Nor do any two in place of any one, however much they lose.
        let losses = || (30..=100).map(|percent| f64::from(percent) / 100.0);
        let dearest = losses().map(|loss| 100.0 - move_accuracy(loss)).fold(0.0, f64::max);
        let cheapest = losses().map(|loss| 100.0 - move_accuracy(loss)).fold(100.0, f64::min);
        assert!(2.0 * cheapest > dearest, "{cheapest} {dearest}");
    }
}
