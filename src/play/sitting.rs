//! A game between two seats: the moves so far, those that were taken back, and who sits where.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::messages::Who;
use crate::arena::record::{GameRecord, MoveRecord, Termination};
use crate::engine::registry::{self, GameEntry};
use crate::engine::{AnyGame, EngineError, ThinkOptions};
use crate::protocol::PositionSetup;
use crate::rules::{Notation, Outcome, Side};

/// Who makes the moves of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seat {
    Person,
    Engine,
}

impl Seat {
    pub(super) fn other(self) -> Self {
        match self {
            Self::Person => Self::Engine,
            Self::Engine => Self::Person,
        }
    }
}

/// A move that was made, and how long it took.
#[derive(Debug, Clone)]
struct Made {
    name: String,
    time: Duration,
    /// Who made it; the sides may have changed since.
    by: Seat,
}

/// A game in progress.
pub(super) struct Sitting {
    pub(super) game: &'static GameEntry,
    pub(super) desk: Box<dyn AnyGame>,
    /// The players of the first and the second side.
    pub(super) seats: [Seat; 2],
    /// The position it began with.
    start: String,
    made: Vec<Made>,
    /// What was taken back, the earliest move last.
    undone: Vec<Made>,
    began: u64,
}

/// The names in records: of a person, and of the engine before its level.
const PERSON: &str = "person";
const ENGINE: &str = "zermelo level ";

/// The level of the engine, as it is in the names of a record's players.
pub(super) fn level_of(record: &GameRecord) -> Option<u32> {
    let level = |name: &String| name.strip_prefix(ENGINE)?.parse().ok();
    record.players.iter().find_map(level).filter(|level| *level <= ThinkOptions::MAX_SKILL)
}

impl Sitting {
    pub(super) fn new(
        game: &'static GameEntry,
        seats: [Seat; 2],
        setup: &PositionSetup<'_>,
    ) -> Result<Self, EngineError> {
        let mut desk = game.open();
        desk.set_position(setup, &[])?;
        let began = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let start = desk.fen();
        Ok(Self { game, desk, seats, start, made: Vec::new(), undone: Vec::new(), began })
    }

    /// Whose turn it is.
    pub(super) fn seat(&self) -> Seat {
        self.seats[self.desk.side().index()]
    }

    /// Whether both sides are played by persons.
    pub(super) fn is_between_persons(&self) -> bool {
        self.seats == [Seat::Person; 2]
    }

    /// What the player of a side is called.
    pub(super) fn who(&self, side: Side) -> Who {
        self.called(self.seats[side.index()], side)
    }

    /// What the player is called who made a move, given by its ply, from 0.
    pub(super) fn who_made(&self, ply: usize) -> Who {
        self.called(self.made[ply].by, self.mover_at(ply))
    }

    /// Who was to move after so many plies: the sides take turns, so the parity tells.
    fn mover_at(&self, plies: usize) -> Side {
        let same = (self.made.len() - plies).is_multiple_of(2);
        if same { self.desk.side() } else { self.desk.side().other() }
    }

    fn called(&self, seat: Seat, side: Side) -> Who {
        match (seat, side) {
            (Seat::Engine, _) => Who::Engine,
            (Seat::Person, _) if !self.is_between_persons() => Who::You,
            (Seat::Person, Side::P1) => Who::First,
            (Seat::Person, Side::P2) => Who::Second,
        }
    }

    pub(super) fn plies(&self) -> usize {
        self.made.len()
    }

    /// The last move.
    pub(super) fn last(&self) -> Option<&str> {
        self.made.last().map(|made| made.name.as_str())
    }

    pub(super) fn legal(&self) -> Vec<String> {
        self.desk.legal_moves(Notation::Own)
    }

    /// Makes a move, given by its own name.
    pub(super) fn make(&mut self, name: String, time: Duration) -> Result<(), EngineError> {
        let by = self.seat();
        self.desk.play_moves(&[&name])?;
        self.made.push(Made { name, time, by });
        self.undone.clear();
        Ok(())
    }

    /// Takes moves back until a person is to move; how many.
    pub(super) fn undo(&mut self) -> Result<usize, EngineError> {
        let is_persons = |plies: usize| self.seats[self.mover_at(plies).index()] == Seat::Person;
        let Some(left) = (0..self.made.len()).rev().find(|plies| is_persons(*plies)) else {
            return Ok(0);
        };
        let taken: Vec<Made> = self.made.drain(left..).rev().collect();
        let count = taken.len();
        self.undone.extend(taken);
        self.put_up()?;
        Ok(count)
    }

    /// Plays again what was taken back, until a person is to move; how many moves.
    pub(super) fn redo(&mut self) -> Result<usize, EngineError> {
        let mut count = 0;
        while let Some(made) = self.undone.pop() {
            self.desk.play_moves(&[&made.name])?;
            self.made.push(made);
            count += 1;
            if self.seat() == Seat::Person {
                break;
            }
        }
        Ok(count)
    }

    /// Puts up the game as it stands.
    fn put_up(&mut self) -> Result<(), EngineError> {
        let names: Vec<&str> = self.made.iter().map(|made| made.name.as_str()).collect();
        self.desk.set_position(&PositionSetup::Fen(&self.start), &names)
    }

    /// Whether it ended because a position came back: were it not for what came before, it would go
    /// on.
    pub(super) fn is_repetition(&self) -> bool {
        let mut desk = self.game.open();
        let alone =
            desk.set_position(&PositionSetup::Fen(&self.desk.fen()), &[]).map(|()| desk.outcome());
        self.desk.outcome().is_some() && matches!(alone, Ok(None))
    }

    /// The game as a record.
    pub(super) fn record(&self, level: u32) -> GameRecord {
        let name = |seat: Seat| match seat {
            Seat::Person => PERSON.to_owned(),
            Seat::Engine => format!("{ENGINE}{level}"),
        };
        let mut first = self.game.open();
        let begins =
            first.set_position(&PositionSetup::Fen(&self.start), &[]).map(|()| first.side());
        let result = self.desk.outcome();
        GameRecord {
            number: 1,
            round: 1,
            pair: 1,
            game: self.game.id.to_owned(),
            players: self.seats.map(name),
            fen: self.start.clone(),
            second_begins: begins.is_ok_and(|side| side == Side::P2),
            moves: self
                .made
                .iter()
                .map(|made| MoveRecord {
                    mv: made.name.clone(),
                    time: made.time.into(),
                    ..MoveRecord::default()
                })
                .collect(),
            result,
            termination: Termination::Normal,
            reason: match result {
                Some(Outcome::Win(_)) => "won by the rules",
                Some(Outcome::Draw) => "drawn by the rules",
                None => "left unfinished",
            }
            .to_owned(),
            limits: [String::new(), String::new()],
            started: self.began,
            broken_claims: Vec::new(),
            stderr: None,
            tags: self.changes(),
        }
    }

    /// As a tag of its record: after how many plies the players changed sides.
    fn changes(&self) -> Vec<(String, String)> {
        // The seat of the first side when this move was made.
        let sits = |ply: usize| {
            let by = self.made[ply].by;
            if self.mover_at(ply) == Side::P1 { by } else { by.other() }
        };
        if self.is_between_persons() {
            return Vec::new();
        }
        let seats: Vec<Seat> = (0..self.made.len()).map(sits).chain([self.seats[0]]).collect();
        let changed = (1..seats.len()).filter(|ply| seats[*ply] != seats[ply - 1]);
        let plies: Vec<String> = changed.map(|ply| ply.to_string()).collect();
        if plies.is_empty() {
            return Vec::new();
        }
        vec![("SidesChanged".to_owned(), plies.join(" "))]
    }

    /// The game of a record, with the person on the side that the record gives it, else where it
    /// sits now.
    pub(super) fn of_record(record: &GameRecord, seats: [Seat; 2]) -> Result<Self, EngineError> {
        let game = registry::find(&record.game)?;
        let is_person = record.players.each_ref().map(|name| name == PERSON);
        let seats = match is_person {
            [false, false] => seats,
            both => both.map(|is_person| if is_person { Seat::Person } else { Seat::Engine }),
        };
        let mut sitting = Self::new(game, seats, &PositionSetup::from_text(&record.fen))?;
        sitting.began = record.started;
        for made in &record.moves {
            let name = sitting.desk.normalize_move(&made.mv)?;
            sitting.make(name, Duration::try_from_secs_f64(made.time.get()).unwrap_or_default())?;
        }
        Ok(sitting)
    }
}
