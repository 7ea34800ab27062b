//! A game in progress: a start position, the moves since, and threefold repetition. Positions carry
//! no history, so it is kept here.

use super::game::legal_hint;
use super::{Game, GameNotation, MoveError, Outcome};

/// A start position and the legal moves played from it.
#[derive(Debug, Clone)]
pub struct Record<G: Game> {
    first: G,
    current: G,
    moves: Vec<G::Move>,
    /// The repetition keys from `first` to `current`; empty unless the game is cyclic.
    keys: Vec<u64>,
}

impl<G: Game> Record<G> {
    #[must_use]
    pub fn new(first: G) -> Self {
        let keys = if G::CYCLIC { vec![first.repetition_key()] } else { Vec::new() };
        Self { first, current: first, moves: Vec::new(), keys }
    }

    /// The start position.
    #[must_use]
    pub fn first(&self) -> &G {
        &self.first
    }

    #[must_use]
    pub fn position(&self) -> &G {
        &self.current
    }

    /// The moves since the start position.
    #[must_use]
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// The repetition keys since the start position, the current one last; empty unless the game is
    /// cyclic.
    #[must_use]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The result: by the rules of the game, or a draw by threefold repetition.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.current.outcome().or_else(|| self.is_threefold().then_some(Outcome::Draw))
    }

    /// The legal moves; empty if the game is over.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<G::Move> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        self.current.legal_moves().into_iter().collect()
    }

    /// The error for a move that is illegal here, with a hint of what is legal.
    #[must_use]
    pub fn illegal(&self, found: &str) -> MoveError {
        let over = || "the game is over".to_owned();
        let hint = self.outcome().map_or_else(|| legal_hint(&self.current), |_| over());
        MoveError::Illegal { found: found.to_owned(), hint }
    }

    /// Plays one move.
    ///
    /// # Errors
    /// Fails if the move is illegal or the game is over; the record is unchanged.
    pub fn push(&mut self, mv: G::Move) -> Result<(), MoveError> {
        if self.is_threefold() {
            let hint = "the game is drawn by repetition".to_owned();
            return Err(MoveError::Illegal { found: mv.to_string(), hint });
        }
        self.current.play(mv)?;
        self.moves.push(mv);
        if G::CYCLIC {
            self.keys.push(self.current.repetition_key());
        }
        Ok(())
    }

    /// Takes back the last move and returns it.
    pub fn pop(&mut self) -> Option<G::Move> {
        let last = self.moves.pop()?;
        self.current = self.first;
        self.moves.iter().for_each(|mv| self.current.play_unchecked(*mv));
        self.keys.truncate(self.moves.len() + 1);
        Some(last)
    }

    /// Whether the current position has occurred before.
    pub(crate) fn is_repetition(&self) -> bool {
        self.keys.split_last().is_some_and(|(last, rest)| rest.contains(last))
    }

    fn is_threefold(&self) -> bool {
        self.keys
            .last()
            .is_some_and(|last| self.keys.iter().filter(|key| *key == last).count() >= 3)
    }
}

impl<G: GameNotation> Record<G> {
    /// Parses and plays one move.
    ///
    /// # Errors
    /// Fails if the text is not a move, the move is illegal or the game is over.
    pub fn push_text(&mut self, text: &str) -> Result<(), MoveError> {
        let mv = self.current.parse_move(text)?;
        if self.outcome().is_some() {
            return Err(self.illegal(text));
        }
        self.push(mv).map_err(|_| self.illegal(text))
    }
}
