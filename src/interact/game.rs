//! A game in progress: its position, the moves played and taken back, and who plays which side.

use std::time::Duration;

use super::wording::PlayerLabel;
use crate::language::{Language, Values};
use crate::platform::unix_seconds;
use crate::reasons::{BrokenRule, phrases};
use crate::records::{GameRecord, MoveRecord, Termination};
use crate::rules::{MoveError, Notation, Outcome, Side, StartPosition};
use crate::thinking::registry;
use crate::thinking::{AnyGame, EngineError, GameSpec, SearchRequest};

/// What kind of player makes the moves of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayerKind {
    Human,
    Engine,
}

impl PlayerKind {
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Human => Self::Engine,
            Self::Engine => Self::Human,
        }
    }
}

#[derive(Debug, Clone)]
struct PlayedMove {
    name: String,
    time: Duration,
    /// Who played it; the players may have switched sides since.
    player: PlayerKind,
}

/// Why a side lost before the end of the game by the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EarlyLoss {
    Resigned,
    OutOfTime,
}

/// The searcher of the last game that asked for advice and what it found, for the next one of the same kind.
/// Copies share both, and wait for each other.
#[derive(Default)]
pub struct KeptSearcher(Option<(&'static GameSpec, Box<dyn AnyGame>)>);

impl KeptSearcher {
    /// Opens a game with the searcher, which stays for the next one.
    fn open(&mut self, spec: &'static GameSpec) -> Box<dyn AnyGame> {
        let kept = self.0.take().filter(|(kept, _)| *kept == spec);
        let game = kept.map_or_else(|| spec.open(), |(_, game)| game);
        self.0 = Some((spec, game.share()));
        game
    }
}

impl Clone for KeptSearcher {
    fn clone(&self) -> Self {
        Self(self.0.as_ref().map(|(spec, game)| (*spec, game.share())))
    }
}

pub struct PlayGame {
    pub spec: &'static GameSpec,
    pub position: Box<dyn AnyGame>,
    /// The players of the first and the second side.
    pub players: [PlayerKind; 2],
    start_fen: String,
    played: Vec<PlayedMove>,
    /// Moves taken back, the latest move first.
    undone: Vec<PlayedMove>,
    /// Unix time of the start.
    started: u64,
    /// The side that resigned or ran out of time.
    early_loss: Option<(Side, EarlyLoss)>,
}

impl Clone for PlayGame {
    /// The copy shares the searcher.
    fn clone(&self) -> Self {
        Self {
            position: self.position.share(),
            start_fen: self.start_fen.clone(),
            played: self.played.clone(),
            undone: self.undone.clone(),
            ..*self
        }
    }
}

/// Player names in records; the engine's name ends with its level.
const HUMAN_NAME: &str = "person";
const ENGINE_NAME_PREFIX: &str = "zermelo level ";

/// The engine's level according to the player names of a record.
pub(crate) fn recorded_level(record: &GameRecord) -> Option<u32> {
    let level = |name: &String| name.strip_prefix(ENGINE_NAME_PREFIX)?.parse().ok();
    record
        .players
        .iter()
        .find_map(level)
        .filter(|level| *level <= SearchRequest::<String>::MAX_SKILL)
}

impl PlayGame {
    /// Starts a game from a position. Fails if the position is invalid.
    pub fn new(
        spec: &'static GameSpec,
        players: [PlayerKind; 2],
        setup: &StartPosition<'_>,
    ) -> Result<Self, EngineError> {
        Self::with_searcher(spec, players, setup, &mut KeptSearcher::default())
    }

    /// Starts a game from a position, which thinks with the searcher of an earlier game of its kind.
    pub(crate) fn with_searcher(
        spec: &'static GameSpec,
        players: [PlayerKind; 2],
        setup: &StartPosition<'_>,
        searcher: &mut KeptSearcher,
    ) -> Result<Self, EngineError> {
        let mut position = searcher.open(spec);
        position.set_position(setup, &[])?;
        let started = unix_seconds();
        let start_fen = position.fen();
        let (played, undone) = (Vec::new(), Vec::new());
        Ok(Self { spec, position, players, start_fen, played, undone, started, early_loss: None })
    }

    pub fn is_over(&self) -> bool {
        self.outcome().is_some()
    }

    /// The result, by the rules, by resignation or on time; `None` while the game is in progress.
    pub fn outcome(&self) -> Option<Outcome> {
        let early = self.early_loss.map(|(side, _)| Outcome::Win(side.other()));
        self.position.outcome().or(early)
    }

    /// Ends the game as a loss for `side`.
    pub fn resign(&mut self, side: Side) {
        self.early_loss = Some((side, EarlyLoss::Resigned));
    }

    /// Ends the game as a loss on time for `side`.
    pub(crate) fn lose_on_time(&mut self, side: Side) {
        self.early_loss = Some((side, EarlyLoss::OutOfTime));
    }

    pub fn is_resigned(&self) -> bool {
        matches!(self.early_loss, Some((_, EarlyLoss::Resigned)))
    }

    /// The side that lost before the end of the game, and why.
    pub(crate) fn early_loss(&self) -> Option<(Side, EarlyLoss)> {
        self.early_loss
    }

    pub(crate) fn start_fen(&self) -> &str {
        &self.start_fen
    }

    pub(crate) fn moves(&self) -> impl Iterator<Item = &str> {
        self.played.iter().map(|played| played.name.as_str())
    }

    /// Continues a game that was resigned or lost on time; returns whether it was.
    pub(crate) fn withdraw_resignation(&mut self) -> bool {
        self.early_loss.take().is_some()
    }

    pub(crate) fn player_to_move(&self) -> PlayerKind {
        self.players[self.position.side().index()]
    }

    /// Whether two human players play each other.
    pub(crate) fn is_between_humans(&self) -> bool {
        self.players == [PlayerKind::Human; 2]
    }

    /// How messages refer to the player of a side.
    pub(crate) fn label(&self, side: Side) -> PlayerLabel {
        self.label_of(self.players[side.index()], side)
    }

    /// How messages refer to the player of a past move, by its ply from 0.
    pub(crate) fn label_at(&self, ply: usize) -> PlayerLabel {
        self.label_of(self.played[ply].player, self.side_at(ply))
    }

    /// The side to move after `plies` moves; the sides alternate.
    fn side_at(&self, plies: usize) -> Side {
        let is_even = (self.played.len() - plies).is_multiple_of(2);
        if is_even { self.position.side() } else { self.position.side().other() }
    }

    fn label_of(&self, player: PlayerKind, side: Side) -> PlayerLabel {
        match (player, side) {
            (PlayerKind::Engine, _) => PlayerLabel::Engine,
            (PlayerKind::Human, _) if !self.is_between_humans() => PlayerLabel::You,
            (PlayerKind::Human, Side::P1) => PlayerLabel::First,
            (PlayerKind::Human, Side::P2) => PlayerLabel::Second,
        }
    }

    pub fn plies(&self) -> usize {
        self.played.len()
    }

    pub fn last_move(&self) -> Option<&str> {
        self.played.last().map(|played| played.name.as_str())
    }

    /// The legal moves, sorted; none if the game is over by the rules.
    pub fn legal_moves(&self) -> Vec<String> {
        self.position.legal_moves(Notation::Own)
    }

    /// Plays a move, given in the game's own notation. Fails if the move is illegal; the game is
    /// then unchanged.
    pub fn play(&mut self, name: String, time: Duration) -> Result<(), EngineError> {
        let player = self.player_to_move();
        self.position.play_moves(&[&name])?;
        self.played.push(PlayedMove { name, time, player });
        self.undone.clear();
        Ok(())
    }

    /// Takes moves back until a human is to move, and returns how many.
    pub(crate) fn undo(&mut self) -> Result<usize, EngineError> {
        let is_humans =
            |plies: usize| self.players[self.side_at(plies).index()] == PlayerKind::Human;
        let Some(kept) = (0..self.played.len()).rev().find(|plies| is_humans(*plies)) else {
            return Ok(0);
        };
        let undone: Vec<PlayedMove> = self.played.drain(kept..).rev().collect();
        let count = undone.len();
        self.undone.extend(undone);
        self.restore_position()?;
        Ok(count)
    }

    /// Sets the position after the moves played.
    fn restore_position(&mut self) -> Result<(), EngineError> {
        let names: Vec<&str> = self.played.iter().map(|played| played.name.as_str()).collect();
        self.position.set_position(&StartPosition::Fen(&self.start_fen), &names)?;
        Ok(())
    }

    /// Runs `task` in the position after a move, which is then taken back.
    pub(crate) fn after<T>(
        &mut self,
        mv: &str,
        task: impl FnOnce(&mut Self) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.position.play_moves(&[mv])?;
        let result = task(self);
        self.restore_position()?;
        result
    }

    /// Replays moves that were taken back until a human is to move, and returns how many.
    pub(crate) fn redo(&mut self) -> Result<usize, EngineError> {
        let mut count = 0;
        if self.early_loss.is_some() {
            return Ok(count);
        }
        while let Some(played) = self.undone.pop() {
            self.position.play_moves(&[&played.name])?;
            self.played.push(played);
            count += 1;
            if self.player_to_move() == PlayerKind::Human {
                break;
            }
        }
        Ok(count)
    }

    /// Whether the game ended by repetition: without its history the position would not be final.
    pub fn is_repetition(&self) -> bool {
        let mut fresh = self.spec.open();
        let outcome = fresh
            .set_position(&StartPosition::Fen(&self.position.fen()), &[])
            .map(|_| fresh.outcome());
        self.is_over() && matches!(outcome, Ok(None))
    }

    /// The game as a record, with an engine of this level.
    pub fn to_record(&self, level: u32) -> GameRecord {
        let player_name = |player: PlayerKind| match player {
            PlayerKind::Human => HUMAN_NAME.to_owned(),
            PlayerKind::Engine => format!("{ENGINE_NAME_PREFIX}{level}"),
        };
        let to_record = |played: &PlayedMove| MoveRecord {
            mv: played.name.clone(),
            time: played.time.into(),
            ..MoveRecord::default()
        };
        let result = self.outcome();
        let (termination, reason) = match (self.early_loss, result) {
            (Some((_, EarlyLoss::Resigned)), _) => (Termination::Normal, "resigned"),
            (Some((_, EarlyLoss::OutOfTime)), _) => (Termination::Time, "ran out of time"),
            (None, Some(Outcome::Win(_))) => (Termination::Normal, "won by the rules"),
            (None, Some(Outcome::Draw)) => (Termination::Normal, "drawn by the rules"),
            (None, None) => (Termination::Unterminated, "left unfinished"),
        };
        GameRecord {
            number: 1,
            round: 1,
            pair: 1,
            game: self.spec.id.to_owned(),
            players: self.players.map(player_name),
            fen: self.start_fen.clone(),
            second_begins: self.side_at(0) == Side::P2,
            moves: self.played.iter().map(to_record).collect(),
            result,
            termination,
            reason: reason.to_owned(),
            started: self.started,
            tags: self.sides_changed_tag().into_iter().collect(),
            ..GameRecord::default()
        }
    }

    /// The record tag `SidesChanged`: the plies at which the players switched sides.
    fn sides_changed_tag(&self) -> Option<(String, String)> {
        if self.is_between_humans() {
            return None;
        }
        let first_sides_player = |ply: usize| {
            let player = self.played[ply].player;
            if self.side_at(ply) == Side::P1 { player } else { player.other() }
        };
        let players: Vec<PlayerKind> =
            (0..self.played.len()).map(first_sides_player).chain([self.players[0]]).collect();
        let is_changed = |ply: &usize| players[*ply] != players[ply - 1];
        let changes: Vec<String> =
            (1..players.len()).filter(is_changed).map(|ply| ply.to_string()).collect();
        (!changes.is_empty()).then(|| ("SidesChanged".to_owned(), changes.join(" ")))
    }

    /// Continues the game of a record until its first illegal move, which is returned with its ply.
    /// The player names determine which side the user plays; without them, `players` does. Fails if
    /// the game is unknown or its start position invalid.
    pub(crate) fn from_record(
        record: &GameRecord,
        players: [PlayerKind; 2],
    ) -> Result<(Self, Option<(usize, EngineError)>), EngineError> {
        let spec = registry::find(&record.game)?;
        let kind = |name: &String| {
            if name == HUMAN_NAME { PlayerKind::Human } else { PlayerKind::Engine }
        };
        let players = match record.players.each_ref().map(kind) {
            [PlayerKind::Engine, PlayerKind::Engine] => players,
            recorded => recorded,
        };
        let mut game = Self::new(spec, players, &StartPosition::from_text(&record.fen))?;
        game.started = record.started;
        let moves = record.moves.iter().map(|mv| (mv.mv.as_str(), mv.time.as_f64()));
        if let Err(illegal) = game.play_all(moves) {
            return Ok((game, Some(illegal)));
        }
        // A game with a winner that is not over by the rules was resigned or lost on time.
        let early = match record.termination {
            Termination::Normal => Some(EarlyLoss::Resigned),
            Termination::Time => Some(EarlyLoss::OutOfTime),
            _ => None,
        };
        if let (Some(Outcome::Win(winner)), None) = (record.result, game.position.outcome()) {
            game.early_loss = early.map(|loss| (winner.other(), loss));
        }
        Ok((game, None))
    }

    /// Plays moves in any notation, with the seconds each took. An error comes with the ply of the
    /// illegal move; those before it are played.
    pub(crate) fn play_all<'m>(
        &mut self,
        moves: impl Iterator<Item = (&'m str, f64)>,
    ) -> Result<(), (usize, EngineError)> {
        for (ply, (text, seconds)) in (1..).zip(moves) {
            let time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
            let name = self.position.normalize_move(text);
            name.and_then(|name| self.play(name, time)).map_err(|error| (ply, error))?;
        }
        Ok(())
    }

    /// Converts a move as people type it to a legal one. Fails if it is not a legal move;
    /// [`IllegalInput::text`] says why.
    pub fn resolve(&self, text: &str) -> Result<String, IllegalInput> {
        if self.is_over() {
            return Err(IllegalInput::GameOver);
        }
        match self.position.normalize_user_move(text) {
            Ok(name) if self.legal_moves().contains(&name) => Ok(name),
            Ok(name) => Err(IllegalInput::Illegal(self.position.broken_rule(&name))),
            Err(EngineError::Move(MoveError::Ambiguous { moves, .. })) => {
                Err(IllegalInput::Ambiguous(moves))
            }
            Err(_) => Err(IllegalInput::Unreadable),
        }
    }
}

/// Why a typed text is not a legal move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IllegalInput {
    GameOver,
    /// It is a move, but illegal; the reason, if it is known.
    Illegal(Option<BrokenRule>),
    /// It could be any of these moves.
    Ambiguous(String),
    Unreadable,
}

impl IllegalInput {
    /// The reason in words. `found` is the text.
    pub fn text(&self, found: &str, game: &PlayGame, language: Language) -> String {
        let example = game.legal_moves().into_iter().next().unwrap_or_default();
        let (mut key, mut reason, mut listed) = ("move.unreadable", String::new(), "");
        match self {
            Self::GameOver => key = "move.gameOver",
            Self::Illegal(None) => key = "move.illegal",
            Self::Illegal(Some(rule)) => {
                key = "move.illegalBecause";
                reason = phrases::broken_rule(rule, language);
            }
            Self::Ambiguous(moves) => {
                key = "move.ambiguous";
                listed = moves;
            }
            Self::Unreadable => {}
        }
        let found = language.quote(found);
        let values: &Values<'_> =
            &[("found", &found), ("reason", &reason), ("moves", &listed), ("example", &example)];
        language.fill(key, values)
    }
}
