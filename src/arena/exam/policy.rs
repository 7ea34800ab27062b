//! Reads the probabilities that a network gives to the moves: JSON lines such as
//! `{"id": 17, "policy": {"e5": 0.9, "d4": 0.1}}`.

use std::collections::BTreeMap;
use std::io::BufRead;

use serde::Deserialize;

use super::score::{Answer, Choice};
use super::suite::{ExamPosition, Suite};
use crate::printing::{plural, quote};
use crate::records::describe_json_error;

/// A position and the probabilities of its moves; a legal move without one has none.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyLine {
    id: usize,
    policy: BTreeMap<String, f64>,
}

/// Reads a line for each position of the suite, in any order. The choice is the most probable move.
///
/// # Errors
/// Fails if a line is invalid or a position has none; the message says where.
pub fn read_policy(suite: &Suite, input: impl BufRead) -> Result<Vec<Answer>, String> {
    let mut answers = BTreeMap::new();
    for (number, line) in (1..).zip(input.lines()) {
        let read = line.map_err(|error| error.to_string()).and_then(|line| read_line(suite, &line));
        let answer = read.map_err(|reason| format!("line {number}: {reason}"))?;
        let id = answer.id;
        if answers.insert(id, answer).is_some() {
            return Err(format!("line {number}: a second line for position {id}"));
        }
    }
    let missing = suite.positions.len() - answers.len();
    match suite.positions.iter().find(|position| !answers.contains_key(&position.id)) {
        Some(first) => {
            let positions = plural(missing, "position");
            Err(format!("no line for {positions}, the first of them {}", first.id))
        }
        None => Ok(answers.into_values().collect()),
    }
}

fn read_line(suite: &Suite, line: &str) -> Result<Answer, String> {
    let PolicyLine { id, policy } =
        serde_json::from_str(line).map_err(|error| describe_json_error(&error))?;
    let position = id.checked_sub(1).and_then(|index| suite.positions.get(index));
    let position = position.ok_or_else(|| {
        format!("there is no position {id}, expected 1 to {}", suite.positions.len())
    })?;
    let choice = best_move(position, &policy)?;
    let sum: f64 = policy.values().sum();
    let right: f64 = position.right_moves().filter_map(|mv| policy.get(mv)).sum();
    Ok(Answer { id, choice: Choice::Move(choice), right_share: Some(right / sum) })
}

fn best_move(position: &ExamPosition, policy: &BTreeMap<String, f64>) -> Result<String, String> {
    let mut best: Option<(&String, f64)> = None;
    for (mv, probability) in policy {
        if position.value_of(mv).is_none() {
            let id = position.id;
            return Err(format!("{} is not a legal move of position {id}", quote(mv)));
        }
        if !probability.is_finite() || *probability < 0.0 {
            return Err(format!("{probability} for {mv}, expected a probability"));
        }
        if *probability > best.map_or(0.0, |(_, probability)| probability) {
            best = Some((mv, *probability));
        }
    }
    let (mv, _) = best.ok_or("no move has a probability above 0")?;
    Ok(mv.clone())
}
