//! Retrograde analysis for games whose positions can repeat.
//!
//! Builds the graph of all positions below the requested one, then propagates values backwards from
//! the finished positions in order of distance: a position with a move to a loss is won, one whose
//! moves all lead to wins is lost. Since the queue is ordered by distance, the first win found is
//! the fastest and the last loss the slowest. Positions still unresolved at the end are draws:
//! neither side can force a win.

use std::collections::{HashMap, VecDeque};

use super::ExactSolver;
use crate::rules::{ExactValue, Game};

/// Solves finite games, with or without cycles.
#[derive(Debug)]
pub struct Retrograde<G> {
    values: HashMap<G, ExactValue>,
}

impl<G> Default for Retrograde<G> {
    fn default() -> Self {
        Self { values: HashMap::new() }
    }
}

impl<G: Game> ExactSolver<G> for Retrograde<G> {
    fn exact(&mut self, pos: &G) -> ExactValue {
        if let Some(value) = self.values.get(pos) {
            return *value;
        }
        let graph = GameGraph::reachable_from(pos);
        let values = graph.solve();
        self.values.extend(graph.positions.iter().copied().zip(values));
        self.values[pos]
    }

    fn position_count(&self) -> usize {
        self.values.len()
    }
}

/// All positions reachable from a root, with the moves between them.
struct GameGraph<G> {
    positions: Vec<G>,
    successors: Vec<Vec<usize>>,
}

impl<G: Game> GameGraph<G> {
    fn reachable_from(root: &G) -> Self {
        let mut indices = HashMap::from([(*root, 0)]);
        let mut positions = vec![*root];
        let mut successors = Vec::new();
        while let Some(pos) = positions.get(successors.len()).copied() {
            let mut children = Vec::new();
            for mv in pos.legal_moves() {
                let child = pos.after(mv);
                let index = *indices.entry(child).or_insert_with(|| {
                    positions.push(child);
                    positions.len() - 1
                });
                children.push(index);
            }
            successors.push(children);
        }
        Self { positions, successors }
    }

    fn solve(&self) -> Vec<ExactValue> {
        let mut predecessors = vec![Vec::new(); self.positions.len()];
        for (index, children) in self.successors.iter().enumerate() {
            children.iter().for_each(|child| predecessors[*child].push(index));
        }
        let mut values: Vec<Option<ExactValue>> = vec![None; self.positions.len()];
        let mut undecided_moves: Vec<usize> = self.successors.iter().map(Vec::len).collect();
        let mut queue = VecDeque::new();
        for (index, pos) in self.positions.iter().enumerate() {
            if let Some(outcome) = pos.outcome() {
                values[index] = Some(ExactValue::from_outcome(outcome, pos.side()));
                queue.push_back(index);
            }
        }
        while let Some(index) = queue.pop_front() {
            let Some(value_of_move) = values[index].map(ExactValue::before_move) else { continue };
            for &predecessor in &predecessors[index] {
                let decided = match value_of_move {
                    ExactValue::Win(_) => true,
                    ExactValue::Loss(_) => {
                        undecided_moves[predecessor] -= 1;
                        undecided_moves[predecessor] == 0
                    }
                    // A drawing move rules out a loss: its counter never reaches zero.
                    ExactValue::Draw => false,
                };
                if decided && values[predecessor].is_none() {
                    values[predecessor] = Some(value_of_move);
                    queue.push_back(predecessor);
                }
            }
        }
        values.into_iter().map(|value| value.unwrap_or(ExactValue::Draw)).collect()
    }
}
