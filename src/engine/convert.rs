//! `convert`: rewrites positions and move lists in another notation, line by line.
//!
//! Every notation the game can read is accepted as input.

use serde::Serialize;

use crate::protocol::{PositionLine, RawLine, parse_position_line, reply};
use crate::rules::{Notation, Side, StartPosition};
use crate::thinking::GameSpec;
use crate::thinking::{AnyGame, EngineError, NotatedGame};

/// The output format of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConversionTarget {
    /// The position in a notation, followed by ` moves ` and the moves, if any.
    Notation(Notation),
    /// A JSON object with everything the rules say about the line.
    Json,
}

const SCHEMA: u32 = 1;

/// The JSON object for one line. Fields may be added; existing fields keep their name and meaning
/// as long as `schema` stays the same.
#[derive(Debug, Serialize)]
struct ConvertedLine<'a> {
    schema: u32,
    game: &'a str,
    fen: String,
    /// The moves played from it.
    moves: Vec<String>,
    fen_after: String,
    /// The side to move after the moves, even if the game is over.
    side: &'static str,
    result: &'static str,
    legal: Vec<String>,
}

/// Converts lines of one game.
pub struct Converter {
    spec: &'static GameSpec,
    game: Box<dyn AnyGame>,
    target: ConversionTarget,
}

impl Converter {
    /// Creates a converter for lines of a game.
    ///
    /// # Errors
    /// Fails if the game does not support the notation.
    pub fn new(spec: &'static GameSpec, target: ConversionTarget) -> Result<Self, EngineError> {
        let game = spec.open();
        let notations = game.notations();
        if let ConversionTarget::Notation(found) = target
            && !notations.contains(&found)
        {
            let names = notations.iter().map(|notation| notation.name()).chain(["json"]);
            let expected = names.collect::<Vec<_>>().join(", ");
            return Err(EngineError::UnknownNotation { game: spec.id, found, expected });
        }
        Ok(Self { spec, game, target })
    }

    /// Converts a line; returns `None` for a blank line or a comment.
    ///
    /// # Errors
    /// Fails if the line is not a valid position, a move in it is illegal, or the notation cannot
    /// express the position. The converter remains usable.
    pub fn convert(&mut self, raw: &RawLine<'_>) -> Result<Option<String>, EngineError> {
        let Some(line) = parse_position_line(raw)? else { return Ok(None) };
        self.set_position(&line)?;
        match self.target {
            ConversionTarget::Json => Ok(Some(self.to_json()?)),
            ConversionTarget::Notation(notation) => {
                let NotatedGame { position, moves } = self.game.in_notation(notation)?;
                let mut text = position;
                if !moves.is_empty() {
                    text += " moves ";
                    text += &moves.join(" ");
                }
                Ok(Some(text))
            }
        }
    }

    /// Sets the position of a line. A bare line is a game from the start if its first word is a
    /// move, otherwise a FEN.
    fn set_position(&mut self, line: &PositionLine<'_>) -> Result<(), EngineError> {
        let game = &mut self.game;
        match line {
            PositionLine::Explicit { setup, moves } => game.set_position(setup, moves),
            PositionLine::Bare { text: "", moves: Some(moves) } => {
                game.set_position(&StartPosition::Initial, moves)
            }
            PositionLine::Bare { text, moves } => {
                let words: Vec<&str> = text.split_ascii_whitespace().collect();
                let is_move = |word: &&str| game.normalize_move(word).is_ok();
                let starts_with_move = words.first().is_some_and(is_move);
                match moves {
                    None if starts_with_move => game.set_position(&StartPosition::Initial, &words),
                    _ => {
                        let moves = moves.as_deref().unwrap_or_default();
                        game.set_position(&StartPosition::Fen(text), moves)
                    }
                }
            }
        }?;
        Ok(())
    }

    fn to_json(&self) -> Result<String, EngineError> {
        let NotatedGame { position, moves } = self.game.in_notation(Notation::Own)?;
        let line = ConvertedLine {
            schema: SCHEMA,
            game: self.spec.id,
            fen: position,
            moves,
            fen_after: self.game.fen(),
            side: match self.game.side() {
                Side::P1 => "p1",
                Side::P2 => "p2",
            },
            result: reply::result_word(self.game.outcome()),
            legal: self.game.legal_moves(Notation::Own),
        };
        Ok(serde_json::to_string(&line)?)
    }
}

impl std::fmt::Debug for Converter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { spec, target, .. } = self;
        f.debug_struct("Converter").field("game", &spec.id).field("target", target).finish()
    }
}
