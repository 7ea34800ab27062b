//! A position of a game in Python as a [`Game`] of the library.

use std::fmt;
use std::panic::resume_unwind;
use std::str::FromStr;

use pyo3::prelude::*;
use zermelo::rules::drawing::{BoardLayout, SpotContent};
use zermelo::rules::random::mix64;
use zermelo::rules::{
    FenError, Game, GameDrawing, GameEncoding, GameNotation, Move, MoveError, Outcome, Side,
};

use super::answers::{Trouble, key_of, moves_of, outcome_of, play_of, unfinished_moves_of};
use super::store::{Entry, Failed, Origin, add, ask, with};

/// Outcomes asked for between two looks at the signals: Python need not be asked for those in the store.
const SIGNAL_INTERVAL: u32 = 1 << 12;

/// A move of a game in Python: moves are numbered as they are met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct OwnMove(pub(super) u16);

impl Move for OwnMove {
    fn code(self) -> usize {
        self.0.into()
    }

    fn from_code(code: usize) -> Option<Self> {
        with(|store| (code < store.names.len()).then_some(Self(code as u16)))
    }
}

impl fmt::Display for OwnMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&with(|store| store.names[self.code()].0.clone()))
    }
}

/// A position of a game in Python: its place in the store, and who is to move, where the first position is the first player's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct OwnPosition {
    index: u32,
    side: Side,
}

impl OwnPosition {
    /// Adds a position in which the first player is to move.
    pub(super) fn add(position: Bound<'_, PyAny>, origin: Origin) -> Self {
        Self { index: add(position, origin), side: Side::P1 }
    }

    /// The position with this number; whoever is to move counts as the first player.
    pub(super) fn known(index: u32) -> Self {
        Self { index, side: Side::P1 }
    }

    /// Fails if another object with the same key is another position.
    pub(super) fn compare(self, other: &Bound<'_, PyAny>) -> Result<(), Trouble> {
        let outcome = self.outcome().map(|outcome| outcome.value_for(self.side));
        let is_over = outcome.is_some();
        let difference = if outcome_of(other)? != outcome {
            "another outcome"
        } else if !is_over && !self.has_moves(&moves_of(other)?) {
            "other legal moves"
        } else {
            return Ok(());
        };
        Err(Trouble::Broken(format!("'{self}' has the same one, but {difference}")))
    }

    fn has_moves(self, names: &[String]) -> bool {
        let mut own: Vec<String> = self.legal_moves().iter().map(ToString::to_string).collect();
        let mut names = names.to_vec();
        own.sort_unstable();
        names.sort_unstable();
        own == names
    }

    /// A number for the position's key in Python.
    pub(super) fn key_number(self) -> u32 {
        self.entry(|entry| entry.key)
    }

    fn entry<T>(self, look: impl FnOnce(&mut Entry) -> T) -> T {
        with(|store| look(&mut store.entries[self.index as usize]))
    }

    fn ask<T>(
        self,
        method: &'static str,
        question: impl FnOnce(&Bound<'_, PyAny>) -> Result<T, Trouble>,
    ) -> T {
        let origin = self.entry(|entry| entry.origin);
        ask(origin, method, |py| {
            let position = self.entry(|entry| entry.position.clone_ref(py));
            question(position.bind(py))
        })
    }

    fn ask_moves(self) -> Vec<OwnMove> {
        let is_check = with(|store| store.is_check());
        // Only the kit minds what moves a finished game has.
        if !is_check && self.outcome().is_some() {
            return Vec::new();
        }
        self.ask("legal_moves", |position| {
            let names = if is_check { moves_of(position) } else { unfinished_moves_of(position) }?;
            with(|store| names.iter().map(|name| store.named(position.py(), name)).collect())
        })
    }

    fn ask_play(self, mv: OwnMove) -> u32 {
        Python::attach(|py| {
            let next = self.ask("play", |position| {
                let name = with(|store| store.names[mv.code()].1.clone_ref(py));
                let next = play_of(position, name.bind(py))?;
                let (is_check, keys) = with(|store| (store.is_check(), store.keys.clone_ref(py)));
                if is_check && key_of(position, keys.bind(py))? != self.key_number() {
                    let rule = format!("{mv} changes the position that it is played in");
                    return Err(Trouble::Broken(rule));
                }
                Ok(next.unbind())
            });
            add(next.into_bound(py), Origin::Played(self.index, mv))
        })
    }
}

impl Game for OwnPosition {
    const ID: &'static str = "own";
    const CYCLIC: bool = true;
    const MOVE_CODES: usize = 65534;
    const WINNER_MOVES_LAST: bool = false;

    type Move = OwnMove;
    type Moves = Vec<OwnMove>;

    fn start() -> Self {
        Self { index: 0, side: Side::P1 }
    }

    fn side(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        let (known, is_closed, is_due) = with(|store| {
            store.questions = store.questions.wrapping_add(1);
            let is_due = store.questions.is_multiple_of(SIGNAL_INTERVAL);
            (store.entries[self.index as usize].outcome, store.is_closed, is_due)
        });
        if is_closed {
            resume_unwind(Box::new(Failed));
        }
        if is_due {
            self.ask("outcome", |position| Ok(position.py().check_signals()?));
        }
        let value = known.unwrap_or_else(|| {
            let value = self.ask("outcome", outcome_of);
            self.entry(|entry| entry.outcome = Some(value));
            value
        });
        value.map(|value| value.outcome_for(self.side))
    }

    fn legal_moves(&self) -> Vec<OwnMove> {
        if let Some(known) = self.entry(|entry| entry.moves.clone()) {
            return known;
        }
        let moves = self.ask_moves();
        self.entry(|entry| {
            entry.next = vec![None; moves.len()];
            entry.moves = Some(moves.clone());
        });
        moves
    }

    fn play_unchecked(&mut self, mv: OwnMove) {
        let place = |entry: &Entry| entry.moves.as_ref()?.iter().position(|known| *known == mv);
        let known = self.entry(|entry| entry.next[place(entry)?]);
        let index = known.unwrap_or_else(|| {
            let next = self.ask_play(mv);
            self.entry(|entry| {
                if let Some(place) = place(entry) {
                    entry.next[place] = Some(next);
                }
            });
            next
        });
        *self = Self { index, side: self.side.other() };
    }

    fn key(&self) -> u64 {
        mix64(u64::from(self.index) << 1 | self.side as u64)
    }
}

impl fmt::Display for OwnPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&with(|store| store.path(store.entries[self.index as usize].origin)))
    }
}

/// The moves from the start, which is how `Display` writes a position.
impl FromStr for OwnPosition {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let refuse = || FenError::Impossible { field: "moves", reason: "no such line".to_owned() };
        let mut words = text.split(' ');
        let mut pos =
            Some(Self::start()).filter(|_| words.next() == Some("start")).ok_or_else(refuse)?;
        for word in words {
            let mv = pos.parse_move(word).map_err(|_| refuse())?;
            pos.play(mv).map_err(|_| refuse())?;
        }
        Ok(pos)
    }
}

impl GameNotation for OwnPosition {
    fn parse_move(&self, text: &str) -> Result<OwnMove, MoveError> {
        let expected = "the name of a move";
        with(|store| store.find(text))
            .ok_or_else(|| MoveError::Unreadable { found: text.to_owned(), expected })
    }
}

impl GameDrawing for OwnPosition {
    fn layout() -> Option<BoardLayout> {
        None
    }

    fn spot_contents(&self) -> Vec<SpotContent> {
        Vec::new()
    }
}

impl GameEncoding for OwnPosition {}
