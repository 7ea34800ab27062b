//! Plays random legal moves: the weakest opponent.

use super::{PvLine, Score, SearchControl, SearchReport, SearchTask, Searcher};
use crate::rules::{Game, SplitMix};

/// Plays a random legal move; the same seed and position give the same one.
#[derive(Debug, Default)]
pub struct RandomMover;

impl<G: Game> Searcher<G> for RandomMover {
    fn search(
        &mut self,
        task: &SearchTask<G>,
        control: &SearchControl,
        _: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        let mut random = SplitMix::new(task.position_seed());
        let mut rest = task.moves.clone();
        let lines = (0..task.line_count())
            .map(|_| rest.swap_remove(random.below(rest.len())))
            .map(|mv| PvLine::new(Score::Estimate(0), vec![mv]))
            .collect();
        let time = control.elapsed();
        SearchReport {
            depth: 1,
            selective_depth: 1,
            lines,
            nodes: 1,
            time,
            ..SearchReport::default()
        }
    }
}
