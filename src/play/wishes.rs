//! What is to be played, against whom, and from where.

use std::time::Duration;

use super::messages::Language;
use super::sitting::{Seat, Sitting};
use crate::engine::{EngineError, registry};
use crate::protocol::PositionSetup;
use crate::rules::Side;

/// Who makes the first move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// The person.
    Me,
    /// The engine.
    Engine,
}

/// Where games begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// In the game's start; at random where the game is played so.
    Usual,
    /// In a position, or `startpos`.
    Fen(String),
    /// In one made from the seed.
    Random,
}

/// What is known before anything is asked.
#[derive(Debug, Clone)]
pub struct Wishes {
    /// The game.
    pub game: &'static registry::GameEntry,
    /// Whether another person is the opponent.
    pub against_person: Option<bool>,
    /// Who makes the first move.
    pub first: Option<First>,
    /// The level of the engine.
    pub level: u32,
    /// Its time for a move.
    pub time: Duration,
    /// Where games begin.
    pub start: Start,
    /// The seed of all that is left to chance.
    pub seed: u64,
    /// The language.
    pub language: Language,
}

impl Wishes {
    /// A new game as it is wished; with its seed, where it begins at random.
    pub(super) fn deal(
        &self,
        game: &'static registry::GameEntry,
        seed: u64,
    ) -> Result<(Sitting, Option<u64>), EngineError> {
        let (setup, random) = match &self.start {
            // A game that was loaded may be another than the one the position is of.
            Start::Fen(fen) if game == self.game => (PositionSetup::from_text(fen), None),
            Start::Usual | Start::Fen(_) if !game.open().has_random_start() => {
                (PositionSetup::Start, None)
            }
            _ => (PositionSetup::Random { seed, plies: None }, Some(seed)),
        };
        let mut sitting = Sitting::new(game, [Seat::Person; 2], &setup)?;
        if self.against_person == Some(false) {
            let first = if self.first == Some(First::Engine) { Seat::Engine } else { Seat::Person };
            let mover = sitting.desk.side();
            sitting.seats =
                [Side::P1, Side::P2].map(|side| if side == mover { first } else { first.other() });
        }
        Ok((sitting, random))
    }
}
