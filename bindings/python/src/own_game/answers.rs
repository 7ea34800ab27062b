//! What the methods of a position in Python answer.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use zermelo::rules::{Game, Value};

use super::position::OwnPosition;

/// Why a method has no answer.
pub(super) enum Trouble {
    /// It breaks a rule.
    Broken(String),
    Raised(PyErr),
}

impl From<PyErr> for Trouble {
    fn from(error: PyErr) -> Self {
        Self::Raised(error)
    }
}

impl Trouble {
    pub(super) fn into_error(self, method: &str) -> PyErr {
        match self {
            Self::Broken(rule) => PyValueError::new_err(format!("{method}: {rule}")),
            Self::Raised(error) => error,
        }
    }
}

/// The answer of a method without arguments, which may be a property.
fn answer<'py>(position: &Bound<'py, PyAny>, method: &str) -> PyResult<Bound<'py, PyAny>> {
    let found = position.getattr(method)?;
    if found.is_callable() { found.call0() } else { Ok(found) }
}

fn shown(object: &Bound<'_, PyAny>) -> String {
    object.repr().map_or_else(|_| "an object".to_owned(), |text| text.to_string())
}

/// Reads what `outcome` has answered.
pub(super) fn outcome_of(position: &Bound<'_, PyAny>) -> Result<Option<Value>, Trouble> {
    let found = answer(position, "outcome")?;
    let text = found.extract::<String>().ok();
    match text.as_deref() {
        Some("win") => Ok(Some(Value::Win)),
        Some("draw") => Ok(Some(Value::Draw)),
        Some("loss") => Ok(Some(Value::Loss)),
        _ if found.is_none() => Ok(None),
        _ => Err(Trouble::Broken(format!(
            "it is {}, expected None, 'win', 'draw' or 'loss' for the player to move",
            shown(&found)
        ))),
    }
}

/// Reads what `legal_moves` has answered.
pub(super) fn moves_of(position: &Bound<'_, PyAny>) -> Result<Vec<String>, Trouble> {
    let read = |found: PyResult<Bound<'_, PyAny>>| {
        let found = found?;
        let text = found.extract::<String>().unwrap_or_default();
        if text.is_empty() || text.contains(char::is_whitespace) {
            let rule = format!("the move {} is not a text of one word", shown(&found));
            return Err(Trouble::Broken(rule));
        }
        Ok(text)
    };
    // An iterator may have no end.
    let most = OwnPosition::MOVE_CODES;
    let moves = answer(position, "legal_moves")?.try_iter()?.take(most + 1);
    let moves: Vec<String> = moves.map(read).collect::<Result<_, Trouble>>()?;
    let rule = || Trouble::Broken(format!("there are more than {most}"));
    if moves.len() > most { Err(rule()) } else { Ok(moves) }
}

/// The legal moves of a position that is not finished.
pub(super) fn unfinished_moves_of(position: &Bound<'_, PyAny>) -> Result<Vec<String>, Trouble> {
    let moves = moves_of(position)?;
    let rule = || Trouble::Broken("there are none, but outcome is None".to_owned());
    if moves.is_empty() { Err(rule()) } else { Ok(moves) }
}

pub(super) fn hashable_key_of<'py>(
    position: &Bound<'py, PyAny>,
) -> Result<Bound<'py, PyAny>, Trouble> {
    let key = answer(position, "key")?;
    let error = match key.hash() {
        Ok(_) => return Ok(key),
        Err(error) => error,
    };
    if !error.is_instance_of::<PyTypeError>(position.py()) {
        return Err(error.into());
    }
    let rule = format!("{} is not hashable, expected a text, a number or a tuple", shown(&key));
    Err(Trouble::Broken(rule))
}

/// The number of the position's key, the next one if the key is new.
pub(super) fn key_of(
    position: &Bound<'_, PyAny>,
    keys: &Bound<'_, PyDict>,
) -> Result<u32, Trouble> {
    let key = hashable_key_of(position)?;
    if let Some(known) = keys.get_item(&key)? {
        return Ok(known.extract()?);
    }
    let number = keys.len() as u32;
    keys.set_item(key, number)?;
    Ok(number)
}

/// Plays a move.
pub(super) fn play_of<'py>(
    position: &Bound<'py, PyAny>,
    mv: &Bound<'py, PyString>,
) -> Result<Bound<'py, PyAny>, Trouble> {
    let next = position.call_method1("play", (mv,))?;
    if !next.is_none() && !next.is(position) {
        return Ok(next);
    }
    let found = if next.is_none() { "None" } else { "the position itself" };
    let expected = "expected a new object, for the position after the move";
    Err(Trouble::Broken(format!("{mv} gives {found}, {expected}")))
}
