//! The positions of a game in Python that a search has seen, with what their methods have answered.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use zermelo::rules::{Game, Move, Value};
use zermelo::search::SearchControl;

use super::answers::{Trouble, key_of};
use super::position::{OwnMove, OwnPosition};

/// A game with a longer line counts as infinite.
pub(super) const MAX_PLIES: u32 = 5000;
/// An error names at most this many of the moves that lead to a position.
const MAX_SHOWN_MOVES: usize = 100;
/// How often a search compares positions with the same key: enough to find a wrong key at little cost.
const MAX_COMPARISONS: u32 = 500;

thread_local! {
    static STORE: RefCell<Option<Store>> = const { RefCell::new(None) };
}

/// What a store is for.
pub(super) enum Purpose {
    /// A proof: too many positions are an error.
    Solve,
    /// A search: too many positions end it.
    Search(Arc<SearchControl>),
    /// The conformance kit: positions with equal keys stay apart, to be compared, and answers that contradict each other are passed on.
    Check,
}

/// The positions that a search has seen.
pub(super) struct Store {
    purpose: Purpose,
    pub(super) max_positions: usize,
    pub(super) entries: Vec<Entry>,
    /// The names of the moves.
    pub(super) names: Vec<(String, Py<PyString>)>,
    codes: HashMap<String, OwnMove>,
    /// A number for each key of Python. Unless the store is for a check, the entry with that number is the only one with this key.
    pub(super) keys: Py<PyDict>,
    comparisons: u32,
    pub(super) questions: u32,
    /// Whether every further question fails: after Ctrl-C, or when the kit has seen enough.
    pub(super) is_closed: bool,
    pub(super) failures: Vec<Failure>,
}

/// A position of Python and what its methods have answered.
pub(super) struct Entry {
    pub(super) position: Py<PyAny>,
    pub(super) key: u32,
    pub(super) origin: Origin,
    plies: u32,
    /// The value for the player to move if the game is over.
    pub(super) outcome: Option<Option<Value>>,
    pub(super) moves: Option<Vec<OwnMove>>,
    /// The positions after the moves, as far as they are known.
    pub(super) next: Vec<Option<u32>>,
}

/// Where a position comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    Start,
    /// The caller has it.
    Given,
    Played(u32, OwnMove),
}

/// What is wrong with the rules.
pub(super) struct Failure {
    /// The method at fault; empty if none is.
    method: &'static str,
    /// The moves that lead to the position.
    position: String,
    rule: String,
    raised: Option<PyErr>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.method.is_empty() {
            return f.write_str(&self.rule);
        }
        write!(f, "{}: {} (position '{}')", self.method, self.rule, self.position)
    }
}

/// The payload of the panic that ends a search.
pub(super) struct Failed;

impl Store {
    pub(super) fn new(py: Python<'_>, purpose: Purpose, max_positions: usize) -> Self {
        Self {
            purpose,
            max_positions,
            entries: Vec::new(),
            names: Vec::new(),
            codes: HashMap::new(),
            keys: PyDict::new(py).unbind(),
            comparisons: 0,
            questions: 0,
            is_closed: false,
            failures: Vec::new(),
        }
    }

    /// Runs work on the positions of this store; `None` if a failure has ended it.
    pub(super) fn run<T>(self, work: impl FnOnce() -> T) -> (Self, Option<T>) {
        // The rules may search themselves, so there may be another store.
        let outer = STORE.replace(Some(self));
        let result = catch_unwind(AssertUnwindSafe(work));
        let store = STORE.replace(outer).expect("the work leaves the store where it is");
        match result {
            Ok(result) => (store, Some(result)),
            Err(panic) if panic.is::<Failed>() => (store, None),
            Err(panic) => resume_unwind(panic),
        }
    }

    /// The exception that has ended the work: the one that a method has raised, with a note where, or a `ValueError`.
    pub(super) fn into_error(mut self, py: Python<'_>) -> PyErr {
        // Ctrl-C comes after the failures of a check.
        let last = self.failures.pop().expect("only a failure ends the work");
        let Some(raised) = last.raised else { return PyValueError::new_err(last.to_string()) };
        if is_fault(&raised) {
            // Notes exist since Python 3.11.
            let note = format!("raised by {} (position '{}')", last.method, last.position);
            let _ = raised.value(py).call_method1("add_note", (note,));
        }
        raised
    }

    /// The first exception that a method has raised.
    pub(super) fn raised(&self, py: Python<'_>) -> Option<PyErr> {
        self.failures.iter().find_map(|failure| Some(failure.raised.as_ref()?.clone_ref(py)))
    }

    /// Whether the last failure is not the fault of the rules, such as Ctrl-C.
    pub(super) fn was_interrupted(&self) -> bool {
        let raised = self.failures.last().and_then(|failure| failure.raised.as_ref());
        raised.is_some_and(|raised| !is_fault(raised))
    }

    pub(super) fn is_check(&self) -> bool {
        matches!(self.purpose, Purpose::Check)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Positions with one key that are different games for the player to move.
    pub(super) fn key_fault(&self) -> Option<Failure> {
        let mut known = HashMap::new();
        self.entries.iter().find_map(|entry| {
            let first: &Entry = known.entry(entry.key).or_insert(entry);
            let rule = format!(
                "'{}' has the same one, but {}",
                self.path(first.origin),
                self.difference(first, entry)?
            );
            Some(Failure { method: "key", position: self.path(entry.origin), rule, raised: None })
        })
    }

    /// What two positions differ in, as far as their methods were asked.
    fn difference(&self, one: &Entry, other: &Entry) -> Option<String> {
        let outcomes = [one.outcome?, other.outcome?];
        if outcomes != [None, None] {
            return (outcomes[0] != outcomes[1]).then(|| "another outcome".to_owned());
        }
        let sorted = |entry: &Entry| {
            let mut moves: Vec<_> =
                entry.moves.clone()?.into_iter().zip(entry.next.clone()).collect();
            moves.sort_unstable();
            Some(moves)
        };
        let (one, other) = (sorted(one)?, sorted(other)?);
        if !one.iter().map(|(mv, _)| mv).eq(other.iter().map(|(mv, _)| mv)) {
            return Some("other legal moves".to_owned());
        }
        let key = |next: Option<u32>| Some(self.entries[next? as usize].key);
        let differs = one.iter().zip(&other).find(|((_, one), (_, other))| {
            key(*one).zip(key(*other)).is_some_and(|(one, other)| one != other)
        });
        differs.map(|((mv, _), _)| format!("another key after {}", self.names[mv.code()].0))
    }

    /// The moves that lead to a position.
    pub(super) fn path(&self, mut origin: Origin) -> String {
        let mut words = Vec::new();
        while let Origin::Played(from, mv) = origin {
            words.push(self.names[mv.code()].0.as_str());
            origin = self.entries[from as usize].origin;
        }
        words.push(if origin == Origin::Start { "start" } else { "given" });
        words.reverse();
        words.join(" ")
    }

    /// The move with this name.
    pub(super) fn named(&mut self, py: Python<'_>, name: &str) -> Result<OwnMove, Trouble> {
        if let Some(known) = self.codes.get(name) {
            return Ok(*known);
        }
        let code = self.names.len();
        if code == OwnPosition::MOVE_CODES {
            return Err(Trouble::Broken(format!("the game has more than {code} different moves")));
        }
        let mv = OwnMove(code as u16);
        self.names.push((name.to_owned(), PyString::new(py, name).unbind()));
        self.codes.insert(name.to_owned(), mv);
        Ok(mv)
    }

    /// The move that a text names, in either case.
    pub(super) fn find(&self, text: &str) -> Option<OwnMove> {
        let lower = text.to_lowercase();
        let other = || self.names.iter().position(|(name, _)| name.to_lowercase() == lower);
        self.codes.get(text).copied().or_else(|| Some(OwnMove(other()? as u16)))
    }

    /// The position with the same key, unless all positions stay apart.
    fn known(&self, key: u32) -> Option<u32> {
        (!self.is_check() && (key as usize) < self.entries.len()).then_some(key)
    }

    fn compares(&mut self) -> bool {
        self.comparisons = (self.comparisons + 1).min(MAX_COMPARISONS);
        self.comparisons < MAX_COMPARISONS
    }

    fn add(&mut self, position: Py<PyAny>, key: u32, origin: Origin) -> u32 {
        let plies = match origin {
            Origin::Played(from, _) => self.entries[from as usize].plies + 1,
            Origin::Start | Origin::Given => 0,
        };
        let (outcome, moves, next) = (None, None, Vec::new());
        self.entries.push(Entry { position, key, origin, plies, outcome, moves, next });
        self.entries.len() as u32 - 1
    }

    /// Why no position may be added that comes from there: the method at fault, and the rule.
    fn limit(&mut self, origin: Origin) -> Option<(&'static str, String)> {
        if let Origin::Played(from, _) = origin
            && self.entries[from as usize].plies == MAX_PLIES
        {
            return Some(("outcome", format!("the game has not ended after {MAX_PLIES} moves")));
        }
        if self.entries.len() < self.max_positions {
            return None;
        }
        let most = self.max_positions;
        match &self.purpose {
            Purpose::Search(control) => {
                control.stop();
                None
            }
            Purpose::Check => {
                self.is_closed = true;
                Some(("", String::new()))
            }
            Purpose::Solve => {
                Some(("", format!("more than max_positions={most} positions: too many to solve")))
            }
        }
    }
}

/// Works on the store of the running search.
pub(super) fn with<T>(work: impl FnOnce(&mut Store) -> T) -> T {
    STORE.with_borrow_mut(|store| work(store.as_mut().expect("a search runs")))
}

/// Whether an exception is a fault of the rules, unlike Ctrl-C.
fn is_fault(error: &PyErr) -> bool {
    Python::attach(|py| error.is_instance_of::<PyException>(py))
}

/// Ends the search.
fn fail(origin: Origin, method: &'static str, trouble: Trouble) -> ! {
    let (rule, raised) = match trouble {
        Trouble::Broken(rule) => (rule, None),
        Trouble::Raised(error) => (format!("it raises {error}"), Some(error)),
    };
    with(|store| {
        let is_fault = raised.as_ref().is_none_or(is_fault);
        // The kit asks again to find the method.
        let is_new = !is_fault || store.failures.iter().all(|known| known.method != method);
        if is_new && !store.is_closed {
            let mut position = store.path(origin);
            if let Some((end, _)) = position.match_indices(' ').nth(MAX_SHOWN_MOVES) {
                position.replace_range(end.., " …");
            }
            store.failures.push(Failure { method, position, rule, raised });
        }
        store.is_closed |= !is_fault;
    });
    resume_unwind(Box::new(Failed))
}

/// Asks Python; trouble ends the search.
pub(super) fn ask<T>(
    origin: Origin,
    method: &'static str,
    question: impl FnOnce(Python<'_>) -> Result<T, Trouble>,
) -> T {
    Python::attach(|py| question(py).unwrap_or_else(|trouble| fail(origin, method, trouble)))
}

/// Adds a position, or finds the one with its key.
pub(super) fn add(position: Bound<'_, PyAny>, origin: Origin) -> u32 {
    let keys = with(|store| store.keys.clone_ref(position.py()));
    let is_check = with(|store| store.is_check());
    let key = ask(origin, "key", |py| {
        let key = key_of(&position, keys.bind(py))?;
        if is_check && key_of(&position, keys.bind(py))? != key {
            return Err(Trouble::Broken("two calls give different keys".to_owned()));
        }
        Ok(key)
    });
    if let Some(known) = with(|store| store.known(key)) {
        if with(|store| store.compares()) {
            ask(origin, "key", |_| OwnPosition::known(known).compare(&position));
        }
        return known;
    }
    if let Some((method, rule)) = with(|store| store.limit(origin)) {
        fail(origin, method, Trouble::Broken(rule));
    }
    with(|store| store.add(position.unbind(), key, origin))
}
