//! The referee: knows the rules, or asks those who do.
//!
//! In a game of ours every move is played on a desk and results come from the rules. In a game that
//! only the engines know (`--game ugi`) both are asked after each move, and two answers that differ
//! are a disagreement. Imports the player it asks, and the desks of the engine.

use std::fmt;

use super::player::{Player, PlayerError};
use crate::engine::registry::{self, GameEntry};
use crate::engine::{AnyGame, EngineError};
use crate::protocol::{PositionSetup, Query, reply};
use crate::rules::{Notation, Outcome, Side};

/// Who knows the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// We do.
    Known(&'static GameEntry),
    /// The engines alone.
    EngineDefined,
}

impl Rules {
    /// What is played when nothing is said.
    pub const DEFAULT: Self = Self::Known(&registry::GAMES[0]);

    /// The name of a game that only the engines know.
    pub const ENGINE_DEFINED: &'static str = "ugi";

    /// The rules of a game.
    ///
    /// # Errors
    /// When there is no such game.
    pub fn find(game: &str) -> Result<Self, EngineError> {
        if game == Self::ENGINE_DEFINED {
            return Ok(Self::EngineDefined);
        }
        registry::find(game).map(Self::Known)
    }

    /// The game's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Known(entry) => entry.id,
            Self::EngineDefined => Self::ENGINE_DEFINED,
        }
    }

    /// The names by which engines may know the game.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        match self {
            Self::Known(entry) => [entry.id].iter().chain(entry.aliases).copied().collect(),
            Self::EngineDefined => Vec::new(),
        }
    }
}

/// A line of an opening book: `startpos` or a FEN, and moves if `moves` stands behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening<'a> {
    /// `startpos` or a FEN.
    pub position: &'a str,
    /// The moves.
    pub moves: &'a str,
}

impl<'a> Opening<'a> {
    /// Reads a line.
    #[must_use]
    pub fn parse(line: &'a str) -> Self {
        let (position, moves) = line.split_once(MOVES).unwrap_or((line, ""));
        Self { position: position.trim(), moves: moves.trim() }
    }
}

/// As in a book.
impl fmt::Display for Opening<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.position)?;
        if self.moves.is_empty() { Ok(()) } else { write!(f, "{MOVES}{}", self.moves) }
    }
}

/// The position every game begins with unless something else is said.
pub(super) const STARTPOS: &str = "startpos";

/// What stands between a position and moves.
const MOVES: &str = " moves ";

/// How a game stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GameState {
    /// It goes on; the side to move.
    Ongoing(Side),
    /// It is over.
    Over(Outcome),
}

/// Why a game that only the engines know cannot go on.
#[derive(Debug)]
pub(super) enum QueryError {
    /// The player did something wrong.
    Player(usize, PlayerError),
    /// They do not agree on this.
    Disagreement(String),
}

/// The board of one game, with its moves so far.
pub(super) struct RefereeBoard {
    desk: Option<Box<dyn AnyGame>>,
    start: String,
    moves: Vec<String>,
}

impl RefereeBoard {
    /// Puts up an opening. Of a game we know, the opening's moves are played first and what comes
    /// of them is the start.
    ///
    /// # Errors
    /// When the opening makes no sense or the game is over there.
    pub(super) fn new(rules: Rules, opening: &Opening<'_>) -> Result<Self, EngineError> {
        let Rules::Known(entry) = rules else {
            let start = opening.to_string();
            return Ok(Self { desk: None, start, moves: Vec::new() });
        };
        let mut desk = entry.open();
        let moves: Vec<&str> = opening.moves.split_whitespace().collect();
        desk.set_position(&PositionSetup::from_text(opening.position), &moves)?;
        let start = desk.fen();
        // The moves of an opening are past: repetition counts from here, as it does for engines.
        desk.set_position(&PositionSetup::Fen(&start), &[])?;
        Ok(Self { desk: Some(desk), start, moves: Vec::new() })
    }

    /// Puts up the start, and names it so: `position startpos`.
    pub(super) fn at_start(rules: Rules) -> Self {
        let desk = match rules {
            Rules::Known(entry) => Some(entry.open()),
            Rules::EngineDefined => None,
        };
        Self { desk, start: STARTPOS.to_owned(), moves: Vec::new() }
    }

    /// The legal moves, by our own rules; `None` where only the engines know.
    pub(super) fn legal(&self) -> Option<Vec<String>> {
        Some(self.desk.as_ref()?.legal_moves(Notation::Own))
    }

    /// Whether a move may be played, by our own rules; any may where only the engines know.
    ///
    /// # Errors
    /// When it is illegal; says why.
    pub(super) fn check(&self, text: &str) -> Result<(), String> {
        let (Some(desk), Some(legal)) = (&self.desk, self.legal()) else {
            return recordable(text).map(drop);
        };
        let name = desk.normalize_move(text).map_err(|error| error.to_string())?;
        match legal.contains(&name) {
            true => Ok(()),
            false => Err(format!("illegal move {}", crate::rules::quote(text))),
        }
    }

    /// The moves so far.
    pub(super) fn moves(&self) -> &[String] {
        &self.moves
    }

    /// The position the game began with, for the record.
    pub(super) fn start(&self) -> &str {
        &self.start
    }

    /// The command that puts the position up.
    pub(super) fn position_command(&self) -> String {
        let mut command = match self.start.starts_with(STARTPOS) {
            true => format!("position {}", self.start),
            false => format!("position fen {}", self.start),
        };
        if !self.moves.is_empty() {
            let joined = self.moves.join(" ");
            let begun = if command.contains(MOVES) { " " } else { MOVES };
            command = format!("{command}{begun}{joined}");
        }
        command
    }

    /// How the game stands, by our own rules; `None` where only the engines know.
    pub(super) fn state(&self) -> Option<GameState> {
        let desk = self.desk.as_ref()?;
        Some(desk.outcome().map_or_else(|| GameState::Ongoing(desk.side()), GameState::Over))
    }

    /// Plays a move, and tells how the game writes it.
    ///
    /// # Errors
    /// When it is illegal; says why.
    pub(super) fn play(&mut self, text: &str) -> Result<String, String> {
        let name = match &mut self.desk {
            Some(desk) => {
                let name = desk.normalize_move(text).map_err(|error| error.to_string())?;
                desk.play_moves(&[text]).map_err(|error| error.to_string())?;
                name
            }
            None => recordable(text)?.to_owned(),
        };
        self.moves.push(name.clone());
        Ok(name)
    }

    /// Asks both engines how the game stands; they must have the position.
    pub(super) fn ask(players: &mut [&mut Player; 2]) -> Result<GameState, QueryError> {
        let over = Self::agreed(players, Query::GameOver, &["true", "false"])?;
        if over == "false" {
            let first = Self::agreed(players, Query::P1Turn, &["true", "false"])?;
            return Ok(GameState::Ongoing(if first == "true" { Side::P1 } else { Side::P2 }));
        }
        let outcomes = [Outcome::Win(Side::P1), Outcome::Win(Side::P2), Outcome::Draw];
        let words = outcomes.map(|outcome| reply::result_word(Some(outcome)));
        let result = Self::agreed(players, Query::Result, &words)?;
        let found = outcomes.into_iter().zip(words).find(|(_, word)| *word == result);
        let nothing = || QueryError::Disagreement(format!("the result is {result}"));
        found.map(|(outcome, _)| GameState::Over(outcome)).ok_or_else(nothing)
    }

    /// The answer that both give, which must be one of these.
    fn agreed(
        players: &mut [&mut Player; 2],
        query: Query,
        known: &[&str],
    ) -> Result<String, QueryError> {
        let word = match query {
            Query::GameOver => "gameover",
            Query::P1Turn => "p1turn",
            Query::Result => "result",
        };
        let mut answers = [const { String::new() }; 2];
        for (index, (player, answer)) in players.iter_mut().zip(&mut answers).enumerate() {
            *answer = player.query(word).map_err(|trouble| QueryError::Player(index, trouble))?;
        }
        let [first, second] = &answers;
        if first != second || !known.contains(&first.as_str()) {
            let reason = format!("query {word}: the first says {first}, the second {second}");
            return Err(QueryError::Disagreement(reason));
        }
        let [first, _] = answers;
        Ok(first)
    }
}

/// A move of a game we do not know must at least fit into a record and a `position` command.
fn recordable(text: &str) -> Result<&str, String> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "@+-=*<>#/:_'".contains(letter);
    let fits = text.len() <= 40 && text.chars().all(plain);
    let is_result = super::record::read_result(text).is_some();
    if fits && !is_result {
        return Ok(text);
    }
    Err(format!("{} is no move that can be written down", crate::rules::quote(text)))
}
