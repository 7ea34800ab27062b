//! Proof-number search for games too large to tabulate.
//!
//! [`Prover`] proves or refutes two goals, "the first player wins" and "the first player at least
//! draws", each by depth-first proof-number search (df-pn; Nagai 2002) with a transposition table
//! ([`table`]). Positions near the end go to a plain search ([`endgame`]), and a [`ProofNumberHeuristic`]
//! initializes the proof numbers of new positions from an evaluation.
//!
//! Only for games without repetitions; in other games nothing is proven.

mod certificate;
mod checkpoint;
mod endgame;
mod expansion;
mod proof_numbers;
mod prover;
mod table;
mod verify;
mod worker;

pub use certificate::{CertificateError, CertificateSize};
pub use checkpoint::{CheckpointEntries, CheckpointError};
pub use expansion::ProofNode;
pub use prover::{GoalProgress, Prover, line_length};
pub use verify::{Verification, Verifier};
pub(crate) use worker::STOP_CHECK_NODES;

use crate::rules::{Game, QuietMove, Side, Value};

/// Estimates positions that are not in the table yet. A heuristic may update its state incrementally,
/// move by move.
pub trait ProofNumberHeuristic<G: Game>: Clone + Send + 'static {
    fn reset(&mut self, pos: &G);

    /// Updates the state after a move from `before` to `after`.
    fn make_move(&mut self, before: &G, mv: G::Move, after: &G);

    /// Takes back the last move played.
    fn undo_move(&mut self);

    /// The estimated odds (probability for to probability against) that the side to move reaches at
    /// least `target`, a win or a draw.
    fn odds(&mut self, pos: &G, target: Value) -> f32;
}

/// A heuristic that rates all positions equally.
#[derive(Debug, Clone, Copy, Default)]
pub struct UniformHeuristic;

impl<G: Game> ProofNumberHeuristic<G> for UniformHeuristic {
    fn reset(&mut self, _: &G) {}

    fn make_move(&mut self, _: &G, _: G::Move, _: &G) {}

    fn undo_move(&mut self) {}

    fn odds(&mut self, _: &G, _: Value) -> f32 {
        1.0
    }
}

/// Proven bounds of a value, both inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueBounds {
    pub lower: Value,
    pub upper: Value,
}

impl ValueBounds {
    pub const OPEN: Self = Self { lower: Value::Loss, upper: Value::Win };

    /// The bounds of a known value.
    #[must_use]
    pub fn exactly(value: Value) -> Self {
        Self { lower: value, upper: value }
    }

    /// The bounds of a position whose moves have these bounds for the player who makes them.
    #[must_use]
    pub fn of_moves(moves: impl IntoIterator<Item = Self>) -> Self {
        let best = |best: Option<Self>, mv: Self| match best {
            None => Some(mv),
            Some(best) => {
                Some(Self { lower: best.lower.max(mv.lower), upper: best.upper.max(mv.upper) })
            }
        };
        moves.into_iter().fold(None, best).unwrap_or(Self::OPEN)
    }

    /// The bounds that follow from both.
    #[must_use]
    pub fn narrowed(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// Narrows bounds of the first player's value by what the rules decide without search.
    fn narrowed_by_rules<G: Game>(self, pos: &G) -> Self {
        ProofGoal::ALL.into_iter().fold(self, |bounds, goal| match goal.result_by_rules(pos) {
            Some(achieved) => goal.narrow(bounds, achieved),
            None => bounds,
        })
    }

    /// The value, if the bounds meet.
    #[must_use]
    pub fn value(self) -> Option<Value> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// Whether the value is known or, with a target, whether it is known to reach or to miss the target.
    #[must_use]
    pub fn is_settled(self, target: Option<Value>) -> bool {
        match target {
            Some(target) => self.lower >= target || self.upper < target,
            None => self.lower == self.upper,
        }
    }

    /// The bounds from the other side's point of view.
    #[must_use]
    pub fn flip(self) -> Self {
        Self { lower: self.upper.flip(), upper: self.lower.flip() }
    }

    /// Converts between the first player's point of view and `side`'s, in either direction.
    fn relative_to(self, side: Side) -> Self {
        if side == Side::P1 { self } else { self.flip() }
    }
}

/// A goal of the first player, to be proven or disproven. The first player pursues it, the second
/// player defends against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProofGoal {
    /// The first player wins.
    Win,
    /// The first player at least draws.
    AtLeastDraw,
}

impl ProofGoal {
    const ALL: [Self; 2] = [Self::Win, Self::AtLeastDraw];

    /// The goal that is settled by whether `side` reaches at least `target`, a win or a draw.
    fn of(side: Side, target: Value) -> Self {
        match (side, target) {
            (Side::P1, Value::Win) | (Side::P2, Value::Draw) => Self::Win,
            _ => Self::AtLeastDraw,
        }
    }

    /// The least value for the first player that achieves the goal.
    fn required_value(self) -> Value {
        match self {
            Self::Win => Value::Win,
            Self::AtLeastDraw => Value::Draw,
        }
    }

    /// The least value `side` needs, to achieve the goal or to refute it.
    fn target(self, side: Side) -> Value {
        match (self, side) {
            (Self::Win, Side::P1) | (Self::AtLeastDraw, Side::P2) => Value::Win,
            (Self::Win, Side::P2) | (Self::AtLeastDraw, Side::P1) => Value::Draw,
        }
    }

    /// Whether the goal is achieved, if the bounds of the first player's value decide it.
    fn result(self, bounds: ValueBounds) -> Option<bool> {
        match self.required_value() {
            required if bounds.lower >= required => Some(true),
            required if bounds.upper < required => Some(false),
            _ => None,
        }
    }

    /// Narrows the bounds of the first player's value by a result.
    fn narrow(self, bounds: ValueBounds, achieved: bool) -> ValueBounds {
        let ValueBounds { lower, upper } = bounds;
        match (self, achieved) {
            (_, true) => ValueBounds { lower: lower.max(self.required_value()), upper },
            (Self::Win, false) => ValueBounds { lower, upper: upper.min(Value::Draw) },
            (Self::AtLeastDraw, false) => ValueBounds { lower, upper: Value::Loss },
        }
    }

    /// Whether the goal is achieved, where the rules decide it without search.
    fn result_by_rules<G: Game>(self, pos: &G) -> Option<bool> {
        if let Some(outcome) = pos.outcome() {
            return Some(outcome.value_for(Side::P1) >= self.required_value());
        }
        // The side that needs a win to get its way, and whether the goal is achieved then.
        let (attacker, achieved) = match self {
            Self::Win => (Side::P1, true),
            Self::AtLeastDraw => (Side::P2, false),
        };
        if !pos.can_still_win(attacker) {
            return Some(!achieved);
        }
        if pos.has_secured_win(attacker) {
            return Some(achieved);
        }
        pos.wins_at_once().then(|| mover_pursues_goal(pos))
    }

    /// [`Self::result_by_rules`] for the position after a move; `pos` is undecided. A quiet move need
    /// not be played for this.
    fn result_after<G: Game>(self, pos: &G, mv: G::Move, quiet: Option<QuietMove>) -> Option<bool> {
        match quiet {
            Some(quiet) => quiet.allows_win.then(|| !mover_pursues_goal(pos)),
            None => {
                let mut child = *pos;
                child.play_unchecked(mv);
                self.result_by_rules(&child)
            }
        }
    }
}

/// Whether the side to move pursues the goal rather than defends against it.
fn mover_pursues_goal<G: Game>(pos: &G) -> bool {
    pos.side() == Side::P1
}
