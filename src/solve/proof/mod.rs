//! Proof-number search: what can be proven of positions that are too many to list.
//!
//! [`Prover`] settles yes-or-no questions, "does the first player win?" and "does the first player
//! hold?", each by depth-first proof-number search (df-pn: Nagai 2002). The tree is grown where the
//! fewest open positions stand between here and an answer, whichever answer that is. In [`table`]
//! is what it remembers, in [`tail`] how the last few plies are searched through, and [`Guide`]
//! brings in a judgement that tells likely answers from unlikely ones before anything is known.
//!
//! For games in which no position comes back; of others nothing is proven.

mod checkpoint;
mod endgame;
mod expansion;
mod proof_numbers;
mod prover;
mod table;
mod verify;
mod worker;

pub use checkpoint::CheckpointError;
pub use expansion::ProofNode;
pub use prover::Prover;
pub use verify::{Verification, Verifier};

use crate::rules::{Game, Side, Value};

/// Judges positions that nothing is known about yet; it may keep its own state up to date move by
/// move.
pub trait Guide<G: Game>: Clone + Send + 'static {
    /// Starts from this position.
    fn reset(&mut self, pos: &G);

    /// A move was played that led from one position to another.
    fn played(&mut self, before: &G, mv: G::Move, after: &G);

    /// The last move that was played was taken back.
    fn undone(&mut self);

    /// The odds, as it looks, that the mover gets this much or more, a win or at least a draw: how
    /// many times likelier that is than that it does not.
    fn odds(&mut self, pos: &G, aim: Value) -> f32;
}

/// Holds all positions for equally promising.
#[derive(Debug, Clone, Copy, Default)]
pub struct UniformGuide;

impl<G: Game> Guide<G> for UniformGuide {
    fn reset(&mut self, _: &G) {}

    fn played(&mut self, _: &G, _: G::Move, _: &G) {}

    fn undone(&mut self) {}

    fn odds(&mut self, _: &G, _: Value) -> f32 {
        1.0
    }
}

/// What is proven of a value: it lies between these, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueBounds {
    /// The value is at least this.
    pub least: Value,
    /// The value is at most this.
    pub most: Value,
}

impl ValueBounds {
    /// Nothing is proven.
    pub const OPEN: Self = Self { least: Value::Loss, most: Value::Win };

    /// The value is known to be this.
    #[must_use]
    pub fn exactly(value: Value) -> Self {
        Self { least: value, most: value }
    }

    /// The value, once there is only one left.
    #[must_use]
    pub fn value(self) -> Option<Value> {
        (self.least == self.most).then_some(self.least)
    }

    /// As the other side sees them.
    #[must_use]
    pub fn flip(self) -> Self {
        Self { least: self.most.flip(), most: self.least.flip() }
    }

    /// As `side` sees the bounds of the first player, or the first player those of `side`.
    fn turned(self, side: Side) -> Self {
        if side == Side::P1 { self } else { self.flip() }
    }
}

/// What is asked of a position. Its answers are "yes" and "no", whoever is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProofGoal {
    /// Does the first player win?
    Wins,
    /// Does the first player at least draw?
    Holds,
}

impl ProofGoal {
    /// What the first player's value must at least be for a "yes".
    fn threshold(self) -> Value {
        match self {
            Self::Wins => Value::Win,
            Self::Holds => Value::Draw,
        }
    }

    /// What `side` has to get for its wish.
    fn aim(self, side: Side) -> Value {
        match (self, side) {
            (Self::Wins, Side::P1) | (Self::Holds, Side::P2) => Value::Win,
            (Self::Wins, Side::P2) | (Self::Holds, Side::P1) => Value::Draw,
        }
    }

    /// The answer, if bounds of the first player's value give it.
    fn answer(self, bounds: ValueBounds) -> Option<bool> {
        match self.threshold() {
            threshold if bounds.least >= threshold => Some(true),
            threshold if bounds.most < threshold => Some(false),
            _ => None,
        }
    }

    /// Bounds of the first player's value with an answer taken in.
    fn narrow(self, bounds: ValueBounds, answer: bool) -> ValueBounds {
        let ValueBounds { least, most } = bounds;
        match (self, answer) {
            (_, true) => ValueBounds { least: least.max(self.threshold()), most },
            (Self::Wins, false) => ValueBounds { least, most: most.min(Value::Draw) },
            (Self::Holds, false) => ValueBounds { least, most: Value::Loss },
        }
    }

    /// The answer where the rules give it without search.
    fn known<G: Game>(self, pos: &G) -> Option<bool> {
        if let Some(outcome) = pos.outcome() {
            return Some(outcome.value_for(Side::P1) >= self.threshold());
        }
        let (seeker, success) = match self {
            Self::Wins => (Side::P1, true),
            Self::Holds => (Side::P2, false),
        };
        if !pos.can_still_win(seeker) {
            return Some(!success);
        }
        pos.wins_at_once().then(|| wishes_for_yes(pos))
    }
}

/// Whether the mover wishes for a "yes": the questions are about the first player.
fn wishes_for_yes<G: Game>(pos: &G) -> bool {
    pos.side() == Side::P1
}
