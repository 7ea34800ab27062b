//! The summary of a player's moves.

use super::accuracy::game_accuracy;
use super::{Glyph, MoveReview};
use crate::rules::Side;

/// How one player played.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlayerReview {
    /// The number of reviewed moves, excluding book moves.
    pub moves: usize,
    /// The number of those where another move would not have kept the value.
    pub choices: usize,
    /// The number of moves whose loss is proven rather than estimated.
    pub proven_moves: usize,
    /// The accuracy in per cent; `None` without a move that had a choice.
    pub accuracy: Option<f64>,
    /// The mean loss of expected score per move.
    pub mean_loss: f64,
    pub marks: MarkCounts,
}

/// How often a player got each mark, proven and estimated separately, in the order of [`Glyph::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MarkCounts {
    proven: [usize; 4],
    estimated: [usize; 4],
}

impl MarkCounts {
    /// The number of proven marks of a kind.
    pub fn proven(&self, mark: Glyph) -> usize {
        self.proven[mark as usize]
    }

    /// The number of estimated marks of a kind.
    pub fn estimated(&self, mark: Glyph) -> usize {
        self.estimated[mark as usize]
    }

    /// The number of marks of a kind.
    pub fn total(&self, mark: Glyph) -> usize {
        self.proven(mark) + self.estimated(mark)
    }
}

impl PlayerReview {
    pub(crate) fn new(moves: &[MoveReview], side: Side) -> Self {
        let mut review = Self { accuracy: game_accuracy(moves, side), ..Self::default() };
        let mut total_loss = 0.0;
        for mv in moves.iter().filter(|mv| mv.side == side && !mv.is_book) {
            review.moves += 1;
            review.choices += usize::from(mv.had_choice());
            review.proven_moves += usize::from(mv.is_proven());
            total_loss += mv.loss();
            if let Some(mark) = mv.mark {
                let is_proven = mv.is_mark_proven();
                let marks = &mut review.marks;
                let counts = if is_proven { &mut marks.proven } else { &mut marks.estimated };
                counts[mark as usize] += 1;
            }
        }
        review.mean_loss = total_loss / review.moves.max(1) as f64;
        review
    }

    /// The expected score that all moves together lost, in points.
    pub fn total_loss(&self) -> f64 {
        self.mean_loss * self.moves as f64
    }

    /// Sums up a player's games. The accuracy is the mean over the games that have one.
    pub fn sum_up<'a>(games: impl IntoIterator<Item = &'a Self>) -> Self {
        let (mut sum, mut total_loss, mut accuracies) = (Self::default(), 0.0, Vec::new());
        for game in games {
            sum.moves += game.moves;
            sum.choices += game.choices;
            sum.proven_moves += game.proven_moves;
            total_loss += game.total_loss();
            accuracies.extend(game.accuracy);
            for mark in Glyph::ALL {
                sum.marks.proven[mark as usize] += game.marks.proven(mark);
                sum.marks.estimated[mark as usize] += game.marks.estimated(mark);
            }
        }
        sum.mean_loss = total_loss / sum.moves.max(1) as f64;
        let mean = || accuracies.iter().sum::<f64>() / accuracies.len() as f64;
        sum.accuracy = (!accuracies.is_empty()).then(mean);
        sum
    }
}
