//! Retrograde analysis: for games in which positions come back.
//!
//! The graph below a position is laid out, then values flow backwards from the finished positions
//! in order of distance: a position with a move to a loss is won, one whose moves all lead to wins
//! is lost. Because the queue is in order of distance, the first way to win is the fastest and the
//! last way to lose the slowest. What is never reached is a draw: neither side can leave the cycle
//! without harm.

use std::collections::{HashMap, VecDeque};

use super::Oracle;
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

impl<G: Game> Oracle<G> for Retrograde<G> {
    fn exact(&mut self, pos: &G) -> ExactValue {
        if let Some(value) = self.values.get(pos) {
            return *value;
        }
        let graph = GameGraph::below(pos);
        let values = graph.solve();
        self.values.extend(graph.positions.iter().copied().zip(values));
        self.values[pos]
    }

    fn position_count(&self) -> usize {
        self.values.len()
    }
}

/// All positions that can follow one, with the moves between them.
struct GameGraph<G> {
    positions: Vec<G>,
    successors: Vec<Vec<usize>>,
}

impl<G: Game> GameGraph<G> {
    fn below(root: &G) -> Self {
        let mut numbers = HashMap::from([(*root, 0)]);
        let mut positions = vec![*root];
        let mut successors = Vec::new();
        while let Some(pos) = positions.get(successors.len()).copied() {
            let mut children = Vec::new();
            for mv in pos.legal_moves() {
                let child = pos.after(mv);
                let number = *numbers.entry(child).or_insert_with(|| {
                    positions.push(child);
                    positions.len() - 1
                });
                children.push(number);
            }
            successors.push(children);
        }
        Self { positions, successors }
    }

    fn solve(&self) -> Vec<ExactValue> {
        let mut predecessors = vec![Vec::new(); self.positions.len()];
        for (number, children) in self.successors.iter().enumerate() {
            children.iter().for_each(|child| predecessors[*child].push(number));
        }
        let mut values: Vec<Option<ExactValue>> = vec![None; self.positions.len()];
        let mut undecided_moves: Vec<usize> = self.successors.iter().map(Vec::len).collect();
        let mut queue = VecDeque::new();
        for (number, pos) in self.positions.iter().enumerate() {
            if let Some(outcome) = pos.outcome() {
                values[number] = Some(ExactValue::finished(outcome, pos.side()));
                queue.push_back(number);
            }
        }
        while let Some(number) = queue.pop_front() {
            let Some(moved_here) = values[number].map(ExactValue::before_move) else { continue };
            for &before in &predecessors[number] {
                let decided = match moved_here {
                    ExactValue::Win(_) => true,
                    ExactValue::Loss(_) => {
                        undecided_moves[before] -= 1;
                        undecided_moves[before] == 0
                    }
                    // A move that draws keeps the position from being lost, for good.
                    ExactValue::Draw => false,
                };
                if decided && values[before].is_none() {
                    values[before] = Some(moved_here);
                    queue.push_back(before);
                }
            }
        }
        values.into_iter().map(|value| value.unwrap_or(ExactValue::Draw)).collect()
    }
}
