//! Decides whether two setups describe the same tournament, and where they differ if not.

use serde_json::Value;

use super::{TournamentFormat, TournamentSetup};

/// The first setting in which two setups differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupDifference {
    /// The path of the setting, as words.
    pub setting: String,
    /// The value in the setup that was written earlier.
    pub theirs: String,
    /// The value in the setup that is used now.
    pub ours: String,
}

impl TournamentSetup {
    /// Checks that this setup can resume a tournament recorded with `recorded`. More rounds and
    /// other values for concurrency, timeouts, recovery and the SPRT are allowed.
    ///
    /// # Errors
    /// Returns the first other setting that differs.
    pub fn check_can_resume(&self, recorded: &Self) -> Result<(), SetupDifference> {
        let mut variable = vec!["sprt", "recover", "concurrency", "patience", "openings_digest"];
        // The pairings of a knockout depend on the earlier rounds, and played games stay played.
        let may_grow =
            self.tournament != TournamentFormat::Knockout && self.rounds >= recorded.rounds;
        variable.extend(may_grow.then_some("rounds"));
        let [Ok(mut theirs), Ok(mut ours)] = [recorded, self].map(serde_json::to_value) else {
            return Ok(());
        };
        for setup in [&mut theirs, &mut ours] {
            for name in &variable {
                setup[*name] = Value::Null;
            }
        }
        if let Some((path, theirs, ours)) = first_difference(&theirs, &ours) {
            return Err(SetupDifference { setting: path.join(" "), theirs, ours });
        }
        // Last, since other settings explain a difference better. Old records have no digest.
        match (&recorded.openings_digest, &self.openings_digest) {
            (Some(theirs), Some(ours)) if theirs != ours => {
                let setting = "openings digest".to_owned();
                Err(SetupDifference { setting, theirs: theirs.clone(), ours: ours.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Merges the setups of two shards of a tournament: settings that may vary are taken from
    /// `later`, and the greater number of rounds counts.
    ///
    /// # Errors
    /// Returns the first setting that must not differ; `theirs` is the value of `self`.
    pub fn merge_with(&self, later: &Self) -> Result<Self, SetupDifference> {
        if later.rounds >= self.rounds {
            later.check_can_resume(self)?;
        } else if let Err(difference) = self.check_can_resume(later) {
            let SetupDifference { setting, theirs, ours } = difference;
            return Err(SetupDifference { setting, theirs: ours, ours: theirs });
        }
        let openings_digest = later.openings_digest.clone().or(self.openings_digest.clone());
        let rounds = later.rounds.max(self.rounds);
        Ok(Self { rounds, openings_digest, ..later.clone() })
    }
}

/// Returns the path to the first difference between two JSON values, and the two values there.
fn first_difference(left: &Value, right: &Value) -> Option<(Vec<String>, String, String)> {
    let below = |name: &str, found: (Vec<String>, String, String)| {
        let (mut path, left, right) = found;
        path.insert(0, name.to_owned());
        (path, left, right)
    };
    match (left, right) {
        (left, right) if left == right => None,
        (Value::Object(left), Value::Object(right)) => {
            let keys = right.keys().chain(left.keys());
            let get = |side: &serde_json::Map<String, Value>, key: &str| {
                side.get(key).cloned().unwrap_or(Value::Null)
            };
            keys.into_iter().find_map(|key| {
                Some(below(key, first_difference(&get(left, key), &get(right, key))?))
            })
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            let pairs = (1..).zip(left.iter().zip(right));
            pairs.into_iter().find_map(|(at, (left, right))| {
                Some(below(&at.to_string(), first_difference(left, right)?))
            })
        }
        (left, right) => Some((Vec::new(), left.to_string(), right.to_string())),
    }
}
