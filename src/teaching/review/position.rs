//! What a review knows of the positions of a game. They agree from ply to ply: the score after a move is the
//! score before the next one.

use crate::rules::{ExactValue, Side, Value};
use crate::search::{PvLine, Score};
use crate::solve::ValueBounds;

/// A position of the game and the move that was played in it.
#[derive(Debug)]
pub(super) struct ReviewedPosition {
    /// The player to move.
    pub(super) side: Side,
    /// The score of the position, for the player to move.
    pub(super) score: Score,
    /// The legal moves, best first.
    pub(super) lines: Vec<PvLine<String>>,
    /// The index of the played move in `lines`.
    played: usize,
}

impl ReviewedPosition {
    /// Takes the assessment of all legal moves, and what is known of the position after the played one;
    /// `None` if the move is not among them.
    pub(super) fn new(
        side: Side,
        mut lines: Vec<PvLine<String>>,
        mv: &str,
        next: Option<&Self>,
    ) -> Option<Self> {
        let own = lines.iter_mut().find(|own| own.mv() == mv)?;
        if let Some(next) = next {
            next.carry_back(own);
        }
        PvLine::sort_best_first(&mut lines);
        let played = lines.iter().position(|own| own.mv() == mv)?;
        let best = lines.first()?.score;
        // A proven draw is only the value of the position if no other move may win.
        let score = match best {
            Score::Exact(ExactValue::Draw) if bounds_of(&lines).value().is_none() => {
                Score::Estimate(0)
            }
            score => score,
        };
        Some(Self { side, score, lines, played })
    }

    /// The line of the played move.
    pub(super) fn played_line(&self) -> &PvLine<String> {
        &self.lines[self.played]
    }

    /// Whether a proof stops here: either the position or the one after the played move is proven.
    pub(super) fn is_edge_of_proof(&self) -> bool {
        self.score.proven().is_some() != self.played_line().score.proven().is_some()
    }

    /// Passes what is known here back to the move that leads here, unless only that move is proven.
    fn carry_back(&self, own: &mut PvLine<String>) {
        let known = bounds_of(&self.lines).flip();
        own.bounds = ValueBounds {
            lower: own.bounds.lower.max(known.lower),
            upper: own.bounds.upper.min(known.upper),
        };
        if own.score.proven().is_none() || self.score.proven().is_some() {
            let score = self.score.before_move().within(own.bounds);
            // A distance is exact only in a solved game; a record cannot tell which others are.
            let is_exact = matches!(own.score, Score::Exact(_));
            own.score = if is_exact { score } else { score.without_distance() };
            own.moves.truncate(1);
            own.moves.extend(self.lines[0].moves.iter().cloned());
        }
    }

    /// Takes the score of the move that leads here, where that is known better.
    pub(super) fn carry_forward(&mut self, before: &Self) {
        let score = before.played_line().score.after_move();
        let is_raised = score.points() > self.score.points();
        self.score = score;
        // No move is better than the position.
        let upper = score.proven().map_or(Value::Win, ExactValue::value);
        for line in &mut self.lines {
            line.bounds.upper = line.bounds.upper.min(upper);
            line.score = match (line.score, score) {
                (Score::Estimate(_), _) if upper == Value::Loss => score,
                (Score::Estimate(own), Score::Estimate(limit)) => Score::Estimate(own.min(limit)),
                (own, _) => own.within(line.bounds),
            };
        }
        if is_raised && self.played == 0 && score.proven().is_none() {
            self.lines[0].score = score;
        }
    }
}

/// The bounds of a position with these moves.
fn bounds_of(lines: &[PvLine<String>]) -> ValueBounds {
    ValueBounds::of_moves(lines.iter().map(|own| own.bounds))
}
