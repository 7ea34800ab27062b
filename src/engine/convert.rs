//! Positions and move lists from one notation into another, line by line.
//!
//! A line is read as generously as the game reads it, and written in one form. Nothing is printed
//! here: who asks for a line gets it, or what is wrong with it.

use serde::Serialize;

use super::registry::Entry;
use super::{Desk, EngineError, Transcript};
use crate::protocol::{PositionLine, RawLine, Setup, parse_position_line, reply};
use crate::rules::{Notation, Side};

/// What lines are turned into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A position, and ` moves ` with the moves if there were any, in a notation.
    Notation(Notation),
    /// An object with all that the rules say about the line.
    Json,
}

/// The version of the objects that [`Target::Json`] makes.
const SCHEMA: u32 = 1;

/// The object of a line. Fields may be added; what there is keeps its name and its meaning as long
/// as `schema` is the same.
#[derive(Debug, Serialize)]
struct Object<'a> {
    schema: u32,
    game: &'a str,
    /// The position that was set.
    fen: String,
    /// The moves that were played from there.
    moves: Vec<String>,
    /// The position after the moves.
    fen_after: String,
    /// Who is to move then; in a finished game, who would be.
    side: &'static str,
    result: &'static str,
    legal: Vec<String>,
}

/// Translates lines of one game.
pub struct Converter {
    game: &'static Entry,
    desk: Box<dyn Desk>,
    target: Target,
}

impl Converter {
    /// A converter of lines of `game`.
    ///
    /// # Errors
    /// When the game has no such notation.
    pub fn new(game: &'static Entry, target: Target) -> Result<Self, EngineError> {
        let desk = game.open();
        let notations = desk.notations();
        if let Target::Notation(found) = target
            && !notations.contains(&found)
        {
            let names = notations.iter().map(|notation| notation.name()).chain(["json"]);
            let expected = names.collect::<Vec<_>>().join(", ");
            return Err(EngineError::UnknownNotation { game: game.id, found, expected });
        }
        Ok(Self { game, desk, target })
    }

    /// Translates a line; `None` for one that holds nothing but blanks or a comment.
    ///
    /// # Errors
    /// When the line is no position of the game, a move in it is illegal, or the notation cannot
    /// tell the position. The lines after it are not affected.
    pub fn convert(&mut self, raw: &RawLine<'_>) -> Result<Option<String>, EngineError> {
        let Some(line) = parse_position_line(raw)? else { return Ok(None) };
        self.set_up(&line)?;
        match self.target {
            Target::Json => Ok(Some(self.object()?)),
            Target::Notation(notation) => {
                let Transcript { position, moves } = self.desk.transcript(notation)?;
                let mut text = position;
                if !moves.is_empty() {
                    text += " moves ";
                    text += &moves.join(" ");
                }
                Ok(Some(text))
            }
        }
    }

    /// A line without any marking word that begins with a move is a game from the start.
    fn set_up(&mut self, line: &PositionLine<'_>) -> Result<(), EngineError> {
        match line {
            PositionLine::Marked { setup, moves } => self.desk.set_up(setup, moves),
            PositionLine::Bare { text: "", moves: Some(moves) } => {
                self.desk.set_up(&Setup::Start, moves)
            }
            PositionLine::Bare { text, moves } => {
                let words: Vec<&str> = text.split_ascii_whitespace().collect();
                let plays = words.first().is_some_and(|word| self.desk.move_name(word).is_ok());
                match moves {
                    None if plays => self.desk.set_up(&Setup::Start, &words),
                    _ => self.desk.set_up(&Setup::Fen(text), moves.as_deref().unwrap_or_default()),
                }
            }
        }
    }

    fn object(&self) -> Result<String, EngineError> {
        let Transcript { position, moves } = self.desk.transcript(Notation::Own)?;
        let object = Object {
            schema: SCHEMA,
            game: self.game.id,
            fen: position,
            moves,
            fen_after: self.desk.fen(),
            side: match self.desk.side() {
                Side::P1 => "p1",
                Side::P2 => "p2",
            },
            result: reply::result_word(self.desk.outcome()),
            legal: self.desk.legal(Notation::Own),
        };
        Ok(serde_json::to_string(&object)?)
    }
}

impl std::fmt::Debug for Converter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { game, target, .. } = self;
        f.debug_struct("Converter").field("game", game).field("target", target).finish()
    }
}
