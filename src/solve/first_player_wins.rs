//! Proves that the first player wins ultimate tic-tac-toe if only full boards are closed.
//!
//! The proof follows a known plan (Bertholon and others, 2020). Open in the centre of the centre
//! board, and answer in the centre of each board, which sends the opponent back to the centre board
//! until it is full. One board is then left without your stone in its centre. From now on, send the
//! opponent there or to the opposite board: in each board you are sent to twice, these two cells and
//! your centre form a line.
//!
//! The plan only guides the proof-number search; the proof found is verified by the rules alone.

use std::collections::HashSet;

use super::reference::negamax;
use super::{ExactSolver, ProofNumberHeuristic, Prover};
use crate::games::TixTaxOpen;
use crate::games::tixtax::TixTaxMove;
use crate::rules::{ExactValue, Game, Side, Value};

/// The index of the centre board, and of the centre cell of each board.
const CENTRE: usize = 4;

/// The square opposite, mirrored at the centre.
fn opposite(square: usize) -> usize {
    8 - square
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlanPhase {
    Start,
    /// Send the opponent to the centre board.
    Centre,
    /// Send the opponent to this board or the opposite one.
    Axis(usize),
    /// The position does not follow the plan.
    OffPlan,
}

impl PlanPhase {
    pub(crate) fn of(pos: &TixTaxOpen) -> Self {
        let has = |board: usize| pos.stones(Side::P1, board) >> CENTRE & 1 == 1;
        if pos.closed() >> CENTRE & 1 == 0 {
            return if has(CENTRE) { Self::Centre } else { Self::Start };
        }
        let mut without = (0..9).filter(|board| !has(*board));
        match (without.next(), without.next()) {
            (Some(board), None) => Self::Axis(board),
            _ => Self::OffPlan,
        }
    }

    pub(crate) fn includes(self, mv: TixTaxMove) -> bool {
        match self {
            Self::Start => mv.board() == CENTRE && mv.square() == CENTRE,
            Self::Centre => mv.square() == CENTRE,
            Self::Axis(board) => [board, opposite(board)].contains(&mv.square()),
            Self::OffPlan => true,
        }
    }
}

/// A heuristic that prefers the moves of the plan.
#[derive(Debug, Clone, Default)]
pub(crate) struct PlanHeuristic {
    /// For each move of the path: the phase after it, and the odds for the first player.
    path: Vec<(PlanPhase, f32)>,
}

const PLAN_ODDS: f32 = 400.0;
/// The odds of another move of the first player, low enough to try it only as a last resort.
const OTHER_ODDS: f32 = 0.001;

impl ProofNumberHeuristic<TixTaxOpen> for PlanHeuristic {
    fn reset(&mut self, pos: &TixTaxOpen) {
        self.path = vec![(PlanPhase::of(pos), PLAN_ODDS)];
    }

    fn make_move(&mut self, before: &TixTaxOpen, mv: TixTaxMove, after: &TixTaxOpen) {
        let phase = self.path.last().map_or(PlanPhase::OffPlan, |(phase, _)| *phase);
        let odds = match before.side() {
            Side::P1 if phase.includes(mv) => PLAN_ODDS,
            Side::P1 => OTHER_ODDS,
            Side::P2 => 1.0,
        };
        // The axis, once chosen, stays the same even if the centre of its board is taken.
        let next = if let PlanPhase::Axis(_) = phase { phase } else { PlanPhase::of(after) };
        self.path.push((next, odds));
    }

    fn undo_move(&mut self) {
        self.path.pop();
    }

    fn odds(&mut self, pos: &TixTaxOpen, _: Value) -> f32 {
        let odds = self.path.last().map_or(1.0, |(_, odds)| *odds);
        if pos.side() == Side::P1 { odds } else { 1.0 / odds }
    }
}

/// All positions of the first two phases of the plan, parents before children.
pub(crate) fn opening_positions() -> Vec<TixTaxOpen> {
    let mut positions = vec![TixTaxOpen::start()];
    let mut seen = HashSet::new();
    let mut next = 0;
    while let Some(pos) = positions.get(next).copied() {
        next += 1;
        let phase = PlanPhase::of(&pos);
        if phase != PlanPhase::Start && phase != PlanPhase::Centre {
            continue;
        }
        for mv in pos.legal_moves() {
            let follows = pos.side() == Side::P2 || phase.includes(mv);
            let child = pos.after(mv);
            if follows && seen.insert(child) {
                positions.push(child);
            }
        }
    }
    positions
}

/// Proves the positions of the first two phases, whose proofs build on each other: children first.
pub(crate) fn prove_opening(
    prover: &mut Prover<TixTaxOpen, PlanHeuristic>,
    positions: &[TixTaxOpen],
    stop: &mut dyn FnMut() -> bool,
) {
    for pos in positions.iter().rev() {
        prover.prove(pos, u64::MAX, stop);
    }
}

/// What is known of open boards: the win by the plan. Other positions are left to a search.
#[derive(Debug, Default)]
pub struct FirstPlayerWins;

impl ExactSolver<TixTaxOpen> for FirstPlayerWins {
    const IS_SOLVED: bool = false;

    fn exact(&mut self, pos: &TixTaxOpen) -> ExactValue {
        negamax(pos)
    }

    fn position_count(&self) -> usize {
        0
    }

    fn prove_known<H: ProofNumberHeuristic<TixTaxOpen>>(
        prover: &mut Prover<TixTaxOpen, H>,
        pos: &TixTaxOpen,
        stop: &mut dyn FnMut() -> bool,
    ) {
        let positions = opening_positions();
        if positions.contains(pos) {
            prover.with_heuristic(PlanHeuristic::default(), &mut |prover| {
                prove_opening(prover, &positions, stop);
            });
        }
    }
}
