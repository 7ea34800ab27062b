//! A game in progress: the position that was set, the moves since, and repetition.
//!
//! Positions carry no history, so this is the one place that knows how often a position occurred.

use super::{Game, MoveError, Outcome};

/// A start position and the legal moves that were played from it.
#[derive(Debug, Clone)]
pub struct Record<G: Game> {
    first: G,
    current: G,
    moves: Vec<G::Move>,
    /// The repetition keys from `first` to `current`; empty for games that cannot repeat.
    keys: Vec<u64>,
}

impl<G: Game> Record<G> {
    /// A record that begins with `first`.
    #[must_use]
    pub fn new(first: G) -> Self {
        let keys = if G::CYCLIC { vec![first.repetition_key()] } else { Vec::new() };
        Self { first, current: first, moves: Vec::new(), keys }
    }

    /// The position that was set.
    #[must_use]
    pub fn first(&self) -> &G {
        &self.first
    }

    /// The position on the board.
    #[must_use]
    pub fn position(&self) -> &G {
        &self.current
    }

    /// The moves since the position was set.
    #[must_use]
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// The repetition keys since the position was set, the current one last; empty for games that
    /// cannot repeat.
    #[must_use]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// How the game ended: by its rules, or because a position occurred for the third time.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.current.outcome().or_else(|| self.is_threefold().then_some(Outcome::Draw))
    }

    /// The legal moves; none when the game is over.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<G::Move> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        self.current.legal_moves().into_iter().collect()
    }

    /// Reads and plays one move.
    ///
    /// # Errors
    /// When the text is no move, the move is illegal or the game is over.
    pub fn push_text(&mut self, text: &str) -> Result<(), MoveError> {
        let mv = self.current.parse_move(text)?;
        if self.outcome().is_some() {
            return Err(self.illegal(text));
        }
        self.push(mv)
    }

    /// The error for a move that cannot be played here: says what can, or that the game is over.
    #[must_use]
    pub fn illegal(&self, found: &str) -> MoveError {
        let over = || "the game is over".to_owned();
        let hint = self.outcome().map_or_else(|| self.current.legal_hint(), |_| over());
        MoveError::Illegal { found: found.to_owned(), hint }
    }

    /// Plays one move.
    ///
    /// # Errors
    /// When the move is illegal or the game is over; the record is as it was.
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

    fn is_threefold(&self) -> bool {
        self.keys
            .last()
            .is_some_and(|last| self.keys.iter().filter(|key| *key == last).count() >= 3)
    }
}
