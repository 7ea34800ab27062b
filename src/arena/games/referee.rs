//! The referee checks moves and determines results.
//!
//! In a registered game it applies the rules itself. In a game with engine-defined rules (`--game
//! ugi`) it queries both engines after each move; different answers are a disagreement.

use std::time::Duration;

use super::game_choice::{BookLine, GameChoice};
use crate::arena::engines::driver::Engine;
use crate::arena::engines::fault::{EngineFailure, EngineFault};
use crate::arena::engines::uci::{GamePosition, STARTPOS};
use crate::protocol::{Query, reply};
use crate::records::Termination;
use crate::rules::{Notation, Outcome, Side, StartPosition};
use crate::thinking::{AnyGame, EngineError};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GameState {
    /// Not over; holds the side to move.
    Ongoing(Side),
    Over(Outcome),
}

pub(crate) enum GameError {
    /// A player failed or was interrupted.
    Engine {
        /// 0 for the first player, 1 for the second.
        side: usize,
        failure: EngineFailure,
    },
    /// The engines disagree about the state of a game with engine-defined rules.
    Disagreement(String),
    /// The runner was paused for this long while a clock was running, which voids the game.
    Paused(Duration),
}

/// The position of a game and its moves so far.
pub(crate) struct RefereeBoard {
    game: Option<Box<dyn AnyGame>>,
    /// The start position of the game, as in the record.
    pub(crate) start: String,
    pub(crate) moves: Vec<String>,
}

impl RefereeBoard {
    /// Sets up an opening. In a registered game, the position after the moves of the opening is the
    /// start of the game.
    /// Fails if the opening is invalid.
    pub(crate) fn new(choice: GameChoice, opening: &BookLine<'_>) -> Result<Self, EngineError> {
        let GameChoice::Known(spec) = choice else {
            let start = opening.to_string();
            return Ok(Self { game: None, start, moves: Vec::new() });
        };
        let mut game = spec.open();
        let moves: Vec<&str> = opening.moves.split_whitespace().collect();
        game.set_position(&StartPosition::from_text(opening.position), &moves)?;
        let start = game.fen();
        // Repetitions count from here, as they do for the engines.
        game.set_position(&StartPosition::Fen(&start), &[])?;
        Ok(Self { game: Some(game), start, moves: Vec::new() })
    }

    /// Sets up the start position, sent to engines as `position startpos`.
    pub(crate) fn at_start(choice: GameChoice) -> Self {
        let game = match choice {
            GameChoice::Known(spec) => Some(spec.open()),
            GameChoice::EngineDefined => None,
        };
        Self { game, start: STARTPOS.to_owned(), moves: Vec::new() }
    }

    /// Returns the legal moves; `None` if the rules are engine-defined.
    pub(crate) fn legal(&self) -> Option<Vec<String>> {
        Some(self.game.as_ref()?.legal_moves(Notation::Own))
    }

    /// Checks that a move is legal. With engine-defined rules, any recordable move passes.
    /// Returns why the move is illegal.
    pub(crate) fn check(&self, text: &str) -> Result<(), String> {
        let (Some(game), Some(legal)) = (&self.game, self.legal()) else {
            return check_recordable(text).map(drop);
        };
        let name = game.normalize_move(text).map_err(|error| error.to_string())?;
        if legal.contains(&name) {
            return Ok(());
        }
        let reason = game.broken_rule(&name).map_or(String::new(), |reason| format!(": {reason}"));
        Err(format!("illegal move {}{reason}", crate::printing::quote(text)))
    }

    pub(crate) fn position(&self) -> GamePosition<'_> {
        GamePosition { start: &self.start, moves: &self.moves }
    }

    /// Returns the state by the rules; `None` if they are engine-defined.
    pub(crate) fn state(&self) -> Option<GameState> {
        let game = self.game.as_ref()?;
        Some(game.outcome().map_or_else(|| GameState::Ongoing(game.side()), GameState::Over))
    }

    /// Plays a move and returns its canonical notation.
    /// Returns why the move is illegal.
    pub(crate) fn play(&mut self, text: &str) -> Result<String, String> {
        let name = match &mut self.game {
            Some(game) => {
                let name = game.normalize_move(text).map_err(|error| error.to_string())?;
                game.play_moves(&[text]).map_err(|error| error.to_string())?;
                name
            }
            None => check_recordable(text)?.to_owned(),
        };
        self.moves.push(name.clone());
        Ok(name)
    }

    /// Queries both engines for the state of the game; they must have received the position.
    /// Fails if an engine does not answer or the answers differ.
    pub(crate) fn query_state(players: &mut [&mut Engine; 2]) -> Result<GameState, GameError> {
        let over = Self::query_both(players, Query::GameOver, &["true", "false"])?;
        if over == "false" {
            let first = Self::query_both(players, Query::P1Turn, &["true", "false"])?;
            return Ok(GameState::Ongoing(if first == "true" { Side::P1 } else { Side::P2 }));
        }
        let outcomes = [Outcome::Win(Side::P1), Outcome::Win(Side::P2), Outcome::Draw];
        let words = outcomes.map(|outcome| reply::result_word(Some(outcome)));
        let result = Self::query_both(players, Query::Result, &words)?;
        let outcome = outcomes.into_iter().find(|it| result == reply::result_word(Some(*it)));
        Ok(GameState::Over(outcome.unwrap_or(Outcome::Draw)))
    }

    /// Returns the answer of both engines, which must be the same one out of `expected`.
    fn query_both(
        players: &mut [&mut Engine; 2],
        query: Query,
        expected: &[&str],
    ) -> Result<String, GameError> {
        let word = match query {
            Query::GameOver => "gameover",
            Query::P1Turn => "p1turn",
            Query::Result => "result",
        };
        let mut answers = [const { String::new() }; 2];
        for (side, (player, answer)) in players.iter_mut().zip(&mut answers).enumerate() {
            *answer = player.query(word).map_err(|failure| GameError::Engine { side, failure })?;
            if !expected.contains(&answer.as_str()) {
                let reason = format!(
                    "answered query {word} with {}, expected {}",
                    crate::printing::quote(answer),
                    expected.join(" or ")
                );
                let fault = EngineFault::fatal(Termination::ProtocolError, reason);
                return Err(GameError::Engine { side, failure: EngineFailure::Fault(fault) });
            }
        }
        let [first, second] = &answers;
        if first != second {
            let reason =
                format!("query {word}: the first engine answers {first}, the second {second}");
            return Err(GameError::Disagreement(reason));
        }
        let [first, _] = answers;
        Ok(first)
    }
}

/// Checks that a move of a game with engine-defined rules fits into a record and a `position`
/// command.
fn check_recordable(text: &str) -> Result<&str, String> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "@+-=*<>#/:_'".contains(letter);
    let fits = text.len() <= 40 && text.chars().all(plain);
    let is_result = crate::records::parse_result(text).is_some();
    if fits && !is_result {
        return Ok(text);
    }
    Err(format!("{} cannot be recorded as a move", crate::printing::quote(text)))
}
