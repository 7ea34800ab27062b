//! The exact finish: near the end of the game the value of the position is proven rather than
//! estimated.
//!
//! In turns with the tree search, which estimates, a [`Prover`] works on the position, on the thread
//! that decides. Once it has the value, a win is played as proven and ends the search. Of a draw
//! only moves that hold it are played, the one first that the tree search likes best; and where all
//! is lost, the tree search chooses how.

use std::sync::atomic::Ordering as Atomic;

use super::worker::{RootMove, SharedCount};
use super::{
    Evaluator, Limits, POINTS_PER_TENFOLD_ODDS, ProvenValue, Score, SearchControl, SearchReport,
    SearchTask,
};
use crate::rules::{ExactValue, Game, Value};
use crate::solve::{Guide, Prover, ValueBounds};

/// So many nodes are searched before the prover begins: what comes to an end sooner need not be
/// helped.
const PATIENCE: u64 = 10_000;
/// For every two plies left beyond this it begins after twice as many, for a proof takes about twice
/// as many, too.
const NEAR: u32 = 32;
/// Where nothing is left out, each depth takes so many times the nodes of all before it; a proof
/// that can be had for fewer comes first.
const AHEAD_OF_ALL: u64 = 8;
/// A last final_probe at the value. What an earlier search has proven of the position mostly takes no
/// more: the table has what is far from the end, and the rest is soon searched through.
const GLANCE: u64 = 2000;
/// The same where a win was claimed one move before; some milliseconds.
const SECOND_GLANCE: u64 = 20_000;
/// Nodes in which the line of a proof has to be told.
const LINE_NODES: u64 = 200_000;

const E_FOLDS_PER_POINT: f32 = std::f32::consts::LN_10 / POINTS_PER_TENFOLD_ODDS as f32;

/// An evaluation as the guide of a prover.
#[derive(Debug, Clone)]
pub struct EvalGuide<E>(pub E);

impl<G: Game, E: Evaluator<G>> Guide<G> for EvalGuide<E> {
    fn reset(&mut self, pos: &G) {
        self.0.reset(pos);
    }

    fn played(&mut self, before: &G, mv: G::Move, after: &G) {
        self.0.played(before, mv, after);
    }

    fn undone(&mut self) {
        self.0.undone();
    }

    fn odds(&mut self, pos: &G, aim: Value) -> f32 {
        // The mean result is a chance if no game is drawn. Of the draws that the evaluation sees
        // nine of ten are believed in, and what it leans to is likelier than it says: it learned from
        // games that were not played perfectly.
        const BELIEVED: f32 = 0.9;
        const SURER: f32 = 1.2;
        let (points, draw_share) = self.0.evaluate_with_draw_share(pos);
        let mean = 1.0 / (1.0 + libm::expf(-points as f32 * (SURER * E_FOLDS_PER_POINT)));
        let drawn = BELIEVED * draw_share.unwrap_or(0.0) * mean.min(1.0 - mean);
        let chance = if aim == Value::Win { mean - drawn } else { mean + drawn };
        chance / (1.0 - chance)
    }
}

/// The work on the proof of one position.
pub(super) struct EndgameProof<'a, G: Game, E> {
    prover: &'a mut Prover<G, EvalGuide<E>>,
    task: &'a SearchTask<G>,
    control: &'a SearchControl,
    total: &'a SharedCount,
    /// What is proven.
    bounds: ValueBounds,
    /// How many nodes are searched before the prover begins.
    patience: u64,
    /// How many threads share the nodes.
    threads: usize,
    /// Whether a win was claimed one move before.
    promised: bool,
    /// All nodes when the proof had its turn the last time.
    matched: u64,
    /// The line of the proof that was told last.
    line: Vec<G::Move>,
}

impl<'a, G: Game, E: Evaluator<G>> EndgameProof<'a, G, E> {
    /// The work on a task, if the question is the value: not with some moves left out, several
    /// lines to be told about, or a depth to be looked to.
    pub(super) fn of(
        task: &'a SearchTask<G>,
        prover: &'a mut Prover<G, EvalGuide<E>>,
        control: &'a SearchControl,
        total: &'a SharedCount,
        threads: usize,
        promised: bool,
    ) -> Option<Self> {
        let pos = task.position();
        let whole = task.moves.len() == pos.move_count() && task.line_count() == 1;
        let wanted = whole && task.limits.depth.is_none() && !G::CYCLIC;
        let far = pos.max_plies_left().map_or(u32::MAX, |left| left.saturating_sub(NEAR));
        let patience = PATIENCE.checked_shl(far / 2)?;
        let bounds = prover.bounds(pos);
        wanted.then_some(Self {
            prover,
            task,
            control,
            total,
            bounds,
            patience,
            threads,
            promised,
            matched: 0,
            line: Vec::new(),
        })
    }

    /// A last final_probe at the value, and then at a move that keeps it, after a search that had no time
    /// to find out; what was claimed once is not given away for that. No clock interrupts it, for it
    /// is short; who counts nodes has had them all. Returns its nodes.
    pub(super) fn final_probe(&mut self, report: &SearchReport<G::Move>) -> u64 {
        let limits = &self.task.limits;
        let wanted = limits.nodes.is_none() && limits.win_within.is_none();
        let near = self.patience == PATIENCE;
        if report.proven.is_some() || !wanted || !near {
            return 0;
        }
        let (pos, before) = (self.task.position(), self.prover.nodes());
        let nodes = if self.promised { SECOND_GLANCE } else { GLANCE };
        // The prover asks once in 256 nodes. The last plies it would search through whatever its
        // nodes, which may take a second.
        let mut asked = 0;
        let mut stop = || {
            asked += 1;
            asked > nodes / 128
        };
        self.bounds = self.prover.prove_within(pos, self.bounds, nodes, &mut stop);
        if let Some(value) = self.bounds.value() {
            let end = self.prover.nodes() + nodes;
            self.prover.find_optimal_move(pos, value, end, &mut stop);
        }
        self.prover.nodes() - before
    }

    /// Works as much as the tree search has done since the last time: on the value, then on the
    /// question whether the move it likes best holds it.
    pub(super) fn keep_up(&mut self, roots: &[RootMove<G::Move>]) {
        let nodes = self.total.load(Atomic::Relaxed);
        if nodes < self.patience {
            return;
        }
        // Only one of the threads works on the proof.
        let mut share = (nodes - self.matched) / self.threads as u64;
        if self.task.limits.win_within.is_some() {
            share *= AHEAD_OF_ALL;
        }
        let pos = self.task.position();
        match self.bounds.value() {
            None => self.bounds = self.work(pos, self.bounds, share),
            Some(Value::Draw) => {
                // No move leaves the opponent less than a draw.
                let known = ValueBounds { lower: Value::Draw, upper: Value::Win };
                let may_hold = |root: &&RootMove<_>| self.worth_of(root.mv).upper > Value::Loss;
                if let Some(root) = roots.iter().find(may_hold)
                    && self.worth_of(root.mv).lower < Value::Draw
                {
                    self.work(&pos.after(root.mv), known, share);
                }
            }
            Some(Value::Win | Value::Loss) => {}
        }
        self.matched = self.total.load(Atomic::Relaxed);
    }

    fn work(&mut self, pos: &G, known: ValueBounds, share: u64) -> ValueBounds {
        let limits = &self.task.limits;
        let done = self.total.load(Atomic::Relaxed);
        let share = limits.nodes.map_or(share, |limit| share.min(limit.saturating_sub(done)));
        let before = self.prover.nodes();
        let mut stop = || is_over(self.control, limits, self.total);
        let bounds = self.prover.prove_within(pos, known, share, &mut stop);
        self.total.fetch_add(self.prover.nodes() - before, Atomic::Relaxed);
        bounds
    }

    /// What is proven of a move.
    fn worth_of(&self, mv: G::Move) -> ValueBounds {
        self.prover.bounds(&self.task.position().after(mv)).flip()
    }

    /// Whether what is told of the proof is all that was asked for: a win, as short as it has to be;
    /// or that there is none, where a win was asked for.
    pub(super) fn answers(&self, told: Option<ProvenValue>) -> bool {
        let limits = &self.task.limits;
        match self.bounds.value() {
            Some(Value::Win) => limits.is_win_enough(told),
            Some(Value::Draw | Value::Loss) => told.is_some() && limits.win_within.is_some(),
            None => false,
        }
    }

    /// The report of the tree search, put right by what is proven.
    pub(super) fn apply_proof(
        &mut self,
        report: &SearchReport<G::Move>,
        roots: &[RootMove<G::Move>],
    ) -> SearchReport<G::Move> {
        let mut told = report.clone();
        let (Some(value), None) = (self.bounds.value(), report.proven) else { return told };
        let (moves, exact) = match value {
            Value::Win => {
                let moves = self.line_from(&[], value);
                let exact = ExactValue::Win(self.length(&moves, value));
                (moves, exact)
            }
            Value::Draw => {
                let holds = |root: &&RootMove<_>| self.worth_of(root.mv).lower >= Value::Draw;
                let best = &report.lines[0].moves;
                let moves = match roots.iter().find(holds) {
                    _ if self.worth_of(best[0]).lower >= Value::Draw => best.clone(),
                    Some(root) => root.line.clone(),
                    None => self.line_from(&[], value),
                };
                (moves, ExactValue::Draw)
            }
            Value::Loss => {
                let moves = self.line_from(&report.lines[0].moves[..1], value.flip());
                let exact = ExactValue::Loss(self.length(&moves, value));
                (moves, exact)
            }
        };
        // Without the move that belongs to it, a proof had better be kept to oneself.
        if !moves.is_empty() {
            let proven = ProvenValue::from_line(exact);
            told.proven = Some(proven);
            told.lines[0].moves = moves;
            told.lines[0].score = Score::Proven(proven);
        }
        told
    }

    /// The line of the proof behind some moves, which lead to a position of this value. Telling it
    /// takes its nodes whatever the limit: without its move a proof is worth nothing.
    fn line_from(&mut self, moves: &[G::Move], value: Value) -> Vec<G::Move> {
        if !self.line.is_empty() && self.line.starts_with(moves) {
            return self.line.clone();
        }
        let mut pos = *self.task.position();
        moves.iter().for_each(|mv| pos.play_unchecked(*mv));
        let limits = Limits { nodes: None, ..self.task.limits };
        let mut stop = || is_over(self.control, &limits, self.total);
        let before = self.prover.nodes();
        let behind = self.prover.proven_line(&pos, value, LINE_NODES, &mut stop);
        self.total.fetch_add(self.prover.nodes() - before, Atomic::Relaxed);
        self.line = [moves, &behind].concat();
        self.line.clone()
    }

    /// How many plies a proven line takes; where it is not told to its end, how many it can take
    /// for the winner to make the last move.
    fn length(&self, line: &[G::Move], value: Value) -> u16 {
        let mut pos = *self.task.position();
        line.iter().for_each(|mv| pos.play_unchecked(*mv));
        let plies = line.len() as u32 + pos.max_plies_left().unwrap_or(0);
        let mover_ends = plies % 2 == 1;
        (plies - u32::from(mover_ends != (value == Value::Win))) as u16
    }
}

/// Whether it is time to stop; the nodes of this thread's present work are not in the count yet.
fn is_over(control: &SearchControl, limits: &Limits, total: &SharedCount) -> bool {
    control.is_stopped()
        || limits.budget.hard.is_some_and(|hard| control.has_elapsed(hard))
        || limits.nodes.is_some_and(|limit| total.load(Atomic::Relaxed) >= limit)
}
