//! Memoized minimax: solves every position below the requested one once and keeps its value.

use std::collections::HashMap;

use super::ExactSolver;
use crate::rules::{ExactValue, Game};

/// Solves finite games without cycles whose positions all fit in memory.
#[derive(Debug)]
pub struct Minimax<G> {
    values: HashMap<G, ExactValue>,
}

impl<G> Default for Minimax<G> {
    fn default() -> Self {
        Self { values: HashMap::new() }
    }
}

impl<G: Game> ExactSolver<G> for Minimax<G> {
    fn exact(&mut self, pos: &G) -> ExactValue {
        if let Some(value) = self.values.get(pos) {
            return *value;
        }
        let value = match pos.outcome() {
            Some(outcome) => ExactValue::from_outcome(outcome, pos.side()),
            None => {
                let children = pos.legal_moves().into_iter().map(|mv| self.exact(&pos.after(mv)));
                children.map(ExactValue::before_move).max().unwrap_or(ExactValue::Draw)
            }
        };
        self.values.insert(*pos, value);
        value
    }

    fn position_count(&self) -> usize {
        self.values.len()
    }
}
