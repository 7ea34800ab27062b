//! The exact finish: near the end of the game the value of the position is proven rather than
//! estimated.
//!
//! Beside the tree search, which estimates and goes on doing so, a [`Prover`] works on the position.
//! Once it has its value, a win is played as proven; of a draw only moves that hold it are
//! played, the one first that the tree search likes best; and where all is lost, the tree search
//! chooses how.

use std::sync::atomic::Ordering as Atomic;

use super::worker::{RootMove, SharedCount};
use super::{Control, Evaluator, Limits, POINTS_PER_TENFOLD, Report, Score, Task};
use crate::rules::{Exact, Game, Value};
use crate::solve::{Bounds, Guide, Prover};

/// Where the tree search comes to an end in so many nodes, it need not be helped. …
const PATIENCE: u64 = 10_000;
/// … A proof takes about twice as many for two plies more; with more plies left than this, the
/// search has to have gone on so much longer before there is hope for one.
const NEAR: u32 = 32;
/// Nodes in which the line of a proof has to be told.
const LINE_NODES: u64 = 200_000;

/// An evaluation as the guide of a prover.
#[derive(Debug, Clone)]
pub struct Judgement<E>(pub E);

impl<G: Game, E: Evaluator<G>> Guide<G> for Judgement<E> {
    fn reset(&mut self, pos: &G) {
        self.0.reset(pos);
    }

    fn played(&mut self, before: &G, mv: G::Move, after: &G) {
        self.0.played(before, mv, after);
    }

    fn undone(&mut self) {
        self.0.undone();
    }

    fn promise(&mut self, pos: &G) -> f32 {
        const POINTS_PER_E_FOLD: f32 = POINTS_PER_TENFOLD as f32 / std::f32::consts::LN_10;
        self.0.evaluate(pos) as f32 / POINTS_PER_E_FOLD
    }
}

/// The work on the proof of one position.
pub(super) struct Finish<'a, G: Game, E> {
    prover: &'a mut Prover<G, Judgement<E>>,
    task: &'a Task<G>,
    control: &'a Control,
    total: &'a SharedCount,
    /// What is proven.
    bounds: Bounds,
    /// How many nodes the tree search has for itself before.
    patience: u64,
    /// Nodes of the tree search that were answered with work on the proof.
    matched: u64,
}

impl<'a, G: Game, E: Evaluator<G>> Finish<'a, G, E> {
    /// The work on a task, if the question is the value: not with some moves left out, several
    /// lines to be told about, or a depth to be looked to.
    pub(super) fn of(
        task: &'a Task<G>,
        prover: &'a mut Prover<G, Judgement<E>>,
        control: &'a Control,
        total: &'a SharedCount,
    ) -> Option<Self> {
        let pos = task.position();
        let whole = task.moves.len() == pos.move_count() && task.line_count() == 1;
        let wanted = whole && task.limits.depth.is_none() && !G::CYCLIC;
        let far = pos.plies_left().map_or(u32::MAX, |left| left.saturating_sub(NEAR));
        let patience = PATIENCE.checked_shl(far / 2)?;
        let bounds = prover.bounds(pos);
        wanted.then_some(Self { prover, task, control, total, bounds, patience, matched: 0 })
    }

    /// Works as much as the tree search has done since the last time: on the value, then on the
    /// question whether the move it likes best holds it.
    pub(super) fn keep_up(&mut self, roots: &[RootMove<G::Move>]) {
        let nodes = self.total.load(Atomic::Relaxed);
        if nodes < self.patience {
            return;
        }
        let share = nodes - self.matched;
        let pos = self.task.position();
        match self.bounds.value() {
            None => self.bounds = self.work(pos, Bounds::OPEN, share),
            Some(Value::Draw) => {
                // The opponent gets at least what no move can deny it.
                let known = Bounds { least: Value::Draw, most: Value::Win };
                let may_hold = |root: &&RootMove<_>| self.worth_of(root.mv).most > Value::Loss;
                if let Some(root) = roots.iter().find(may_hold)
                    && self.worth_of(root.mv).least < Value::Draw
                {
                    self.work(&pos.after(root.mv), known, share);
                }
            }
            Some(Value::Win | Value::Loss) => {}
        }
        self.matched = self.total.load(Atomic::Relaxed);
    }

    fn work(&mut self, pos: &G, known: Bounds, share: u64) -> Bounds {
        let limits = &self.task.limits;
        let done = self.total.load(Atomic::Relaxed);
        let share = limits.nodes.map_or(share, |limit| share.min(limit.saturating_sub(done)));
        let before = self.prover.nodes();
        let bounds =
            self.prover.work_within(pos, known, share, &mut || is_over(self.control, limits));
        self.total.fetch_add(self.prover.nodes() - before, Atomic::Relaxed);
        bounds
    }

    /// What is proven of a move.
    fn worth_of(&self, mv: G::Move) -> Bounds {
        self.prover.bounds(&self.task.position().after(mv)).flip()
    }

    /// Whether nothing is left to be found out.
    pub(super) fn is_won(&self) -> bool {
        self.bounds.value() == Some(Value::Win)
    }

    /// The report of the tree search, put right by what is proven.
    pub(super) fn put_right(
        &mut self,
        report: &Report<G::Move>,
        roots: &[RootMove<G::Move>],
    ) -> Report<G::Move> {
        let mut told = report.clone();
        let (Some(value), None) = (self.bounds.value(), report.proven) else { return told };
        let (moves, exact) = match value {
            Value::Win => {
                let moves = self.line_from(&[], value);
                let exact = Exact::Win(self.length(&moves));
                (moves, exact)
            }
            Value::Draw => {
                let holds = |root: &&RootMove<_>| self.worth_of(root.mv).least >= Value::Draw;
                let moves = match roots.iter().find(holds) {
                    Some(root) => root.line.clone(),
                    None => self.line_from(&[], value),
                };
                (moves, Exact::Draw)
            }
            Value::Loss => {
                let moves = self.line_from(&report.lines[0].moves[..1], value.flip());
                let exact = Exact::Loss(self.length(&moves));
                (moves, exact)
            }
        };
        told.proven = Some(exact);
        if !moves.is_empty() {
            told.lines[0].moves = moves;
            told.lines[0].score = Score::Proven(exact);
        }
        told
    }

    /// The line of the proof behind some moves, which lead to a position of this value.
    fn line_from(&mut self, moves: &[G::Move], value: Value) -> Vec<G::Move> {
        let mut pos = *self.task.position();
        moves.iter().for_each(|mv| pos.play_unchecked(*mv));
        let behind = self
            .prover
            .line(&pos, value, LINE_NODES, &mut || is_over(self.control, &self.task.limits));
        [moves, &behind].concat()
    }

    /// How many plies a proven line takes; where it is not told to its end, how many it can take.
    fn length(&self, line: &[G::Move]) -> u16 {
        let mut pos = *self.task.position();
        line.iter().for_each(|mv| pos.play_unchecked(*mv));
        (line.len() as u32 + pos.plies_left().unwrap_or(0)) as u16
    }
}

fn is_over(control: &Control, limits: &Limits) -> bool {
    control.is_stopped() || limits.budget.hard.is_some_and(|hard| control.is_due(hard))
}
