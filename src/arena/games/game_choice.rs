//! The game of a match, and the lines of its opening book.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::arena::engines::uci::MOVES_KEYWORD;
use crate::thinking::{EngineError, GameSpec, registry};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum GameChoice {
    /// A registered game, which the program referees.
    Known(&'static GameSpec),
    /// Engine-defined rules: the engines report results over UGI.
    EngineDefined,
}

impl Default for GameChoice {
    fn default() -> Self {
        Self::Known(registry::default_game())
    }
}

impl fmt::Display for GameChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<GameChoice> for String {
    fn from(game: GameChoice) -> Self {
        game.name().to_owned()
    }
}

impl TryFrom<String> for GameChoice {
    type Error = EngineError;

    fn try_from(name: String) -> Result<Self, EngineError> {
        Self::find(&name)
    }
}

impl GameChoice {
    pub const ENGINE_DEFINED: &'static str = crate::records::ENGINE_DEFINED;

    /// Returns the game with a name.
    /// Fails if there is no such game.
    pub(crate) fn find(game: &str) -> Result<Self, EngineError> {
        if game == Self::ENGINE_DEFINED {
            return Ok(Self::EngineDefined);
        }
        registry::find(game).map(Self::Known)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Known(spec) => spec.id,
            Self::EngineDefined => Self::ENGINE_DEFINED,
        }
    }

    /// Returns the registered game; `None` if the rules are engine-defined.
    pub(crate) fn spec(self) -> Option<&'static GameSpec> {
        match self {
            Self::Known(spec) => Some(spec),
            Self::EngineDefined => None,
        }
    }
}

/// A line of an opening book: `startpos` or a FEN, optionally followed by `moves` and moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BookLine<'a> {
    /// `startpos` or a FEN.
    pub position: &'a str,
    pub moves: &'a str,
}

impl<'a> BookLine<'a> {
    pub(crate) fn parse(line: &'a str) -> Self {
        let (position, moves) = line.split_once(MOVES_KEYWORD).unwrap_or((line, ""));
        Self { position: position.trim(), moves: moves.trim() }
    }
}

/// As in an opening book.
impl fmt::Display for BookLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.position)?;
        if self.moves.is_empty() { Ok(()) } else { write!(f, "{MOVES_KEYWORD}{}", self.moves) }
    }
}
