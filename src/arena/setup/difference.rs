//! Whether two setups are of one tournament, and where they differ if not. Imports the setup.

use serde_json::Value;

use super::{TournamentFormat, TournamentSetup};

/// Where two setups differ, and what stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupDifference {
    /// The place, in words.
    pub what: String,
    /// What stands in what was begun before.
    pub theirs: String,
    /// What is asked for.
    pub ours: String,
}

impl TournamentSetup {
    /// Sees that this can be what has begun as `begun`: a tournament may go on with more rounds,
    /// more games at a time, or another end; not as another one.
    ///
    /// # Errors
    /// Says where they differ.
    pub fn must_continue(&self, begun: &Self) -> Result<(), SetupDifference> {
        let mut free = vec!["sprt", "recover", "concurrency", "patience"];
        // In a knockout, who plays whom depends on the rounds before; and what was played stays.
        let may_grow = self.tournament != TournamentFormat::Knockout && self.rounds >= begun.rounds;
        free.extend(may_grow.then_some("rounds"));
        let [Ok(mut theirs), Ok(mut ours)] = [begun, self].map(serde_json::to_value) else {
            return Ok(());
        };
        for setup in [&mut theirs, &mut ours] {
            for name in &free {
                setup[*name] = Value::Null;
            }
        }
        match difference(&theirs, &ours) {
            None => Ok(()),
            Some((what, theirs, ours)) => {
                Err(SetupDifference { what: what.join(" "), theirs, ours })
            }
        }
    }

    /// The setup of a tournament of which two parts were played, this one and `later`: what may
    /// change is as the later says, and it is as long as the longer.
    ///
    /// # Errors
    /// Says where they differ, this one in what was begun before.
    pub fn join(&self, later: &Self) -> Result<Self, SetupDifference> {
        if later.rounds >= self.rounds {
            later.must_continue(self)?;
        } else if let Err(SetupDifference { what, theirs, ours }) = self.must_continue(later) {
            return Err(SetupDifference { what, theirs: ours, ours: theirs });
        }
        Ok(Self { rounds: later.rounds.max(self.rounds), ..later.clone() })
    }
}

/// The first place where two values differ, in words, and what stands there.
fn difference(left: &Value, right: &Value) -> Option<(Vec<String>, String, String)> {
    let named = |name: &str, found: (Vec<String>, String, String)| {
        let (mut names, left, right) = found;
        names.insert(0, name.to_owned());
        (names, left, right)
    };
    match (left, right) {
        (left, right) if left == right => None,
        (Value::Object(left), Value::Object(right)) => {
            let keys = right.keys().chain(left.keys());
            let get = |side: &serde_json::Map<String, Value>, key: &str| {
                side.get(key).cloned().unwrap_or(Value::Null)
            };
            keys.into_iter()
                .find_map(|key| Some(named(key, difference(&get(left, key), &get(right, key))?)))
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            let pairs = (1..).zip(left.iter().zip(right));
            pairs.into_iter().find_map(|(at, (left, right))| {
                Some(named(&format!("{at}"), difference(left, right)?))
            })
        }
        (left, right) => Some((Vec::new(), left.to_string(), right.to_string())),
    }
}
