//! Proves on the spot that the first player wins ultimate tic-tac-toe if only full boards are closed.
//!
//! The proof follows a known plan (Bertholon and others, 2020). Open in the centre of the centre
//! board, and answer in the centre of each board, which sends the opponent back to the centre board
//! until it is full. One board is then left without your stone in its centre. From now on, send the
//! opponent there or to the opposite board: in each board you are sent to twice, these two cells and
//! your centre form a line.
//!
//! The plan only guides the proof-number search; the proof found is verified by the rules alone.

use std::collections::HashSet;

use serde_json::{Value as Json, json};

use super::board_svg::position_figure;
use super::{Figure, names};
use crate::games::TixTaxOpen;
use crate::games::tixtax::TixTaxMove;
use crate::language::Language;
use crate::rules::{Game, Side, Value};
use crate::solve::{Guide, Prover, ValueBounds, Verification, Verifier};

/// The index of the centre board, and of the centre cell of each board.
const CENTRE: usize = 4;
/// Memory for the prover and for the verifier.
const BYTES: usize = 64 << 20;

/// The square opposite, mirrored at the centre.
fn opposite(square: usize) -> usize {
    8 - square
}

/// The phases of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PlanPhase {
    /// Before the first move.
    Start,
    /// Send the opponent to the centre board.
    Centre,
    /// Send the opponent to this board or the opposite one.
    Axis(usize),
    /// The position does not follow the plan.
    OffPlan,
}

impl PlanPhase {
    fn of(pos: &TixTaxOpen) -> Self {
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

    fn includes(self, mv: TixTaxMove) -> bool {
        match self {
            Self::Start => mv.board() == CENTRE && mv.square() == CENTRE,
            Self::Centre => mv.square() == CENTRE,
            Self::Axis(board) => [board, opposite(board)].contains(&mv.square()),
            Self::OffPlan => true,
        }
    }
}

/// A guide that prefers the moves of the plan.
#[derive(Debug, Clone, Default)]
struct PlanGuide {
    /// For each move of the path: the phase after it, and the odds for the first player.
    path: Vec<(PlanPhase, f32)>,
}

/// The odds of a move of the plan.
const PLAN_ODDS: f32 = 400.0;
/// The odds of another move of the first player, low enough to try it only as a last resort.
const OTHER_ODDS: f32 = 0.001;

impl Guide<TixTaxOpen> for PlanGuide {
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
fn opening_positions() -> Vec<TixTaxOpen> {
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
fn prove_opening(
    prover: &mut Prover<TixTaxOpen, PlanGuide>,
    positions: &[TixTaxOpen],
    stop: &mut dyn FnMut() -> bool,
) {
    for pos in positions.iter().rev() {
        prover.prove(pos, u64::MAX, stop);
    }
}

/// Proves the win by the plan, if `pos` is a position of its first two phases.
pub(super) fn prove<H: Guide<TixTaxOpen>>(
    prover: &mut Prover<TixTaxOpen, H>,
    pos: &TixTaxOpen,
    stop: &mut dyn FnMut() -> bool,
) {
    let positions = opening_positions();
    if positions.contains(pos) {
        prover.guided_by(PlanGuide::default(), &mut |prover| {
            prove_opening(prover, &positions, stop);
        });
    }
}

/// Draws a position at the end of the plan's first part.
pub(super) fn figure(language: Language) -> Option<Figure> {
    let mut pos = TixTaxOpen::start();
    while let phase @ (PlanPhase::Start | PlanPhase::Centre) = PlanPhase::of(&pos) {
        let follows = |mv: &TixTaxMove| pos.side() == Side::P2 || phase.includes(*mv);
        let mv = pos.legal_moves().into_iter().find(follows)?;
        pos = pos.after(mv);
    }
    position_figure("plan", &pos, &[], language)
}

/// Proves the win and reports it, or as much as is proven before `stop`.
pub(super) fn prove_on_the_spot(stop: &mut dyn FnMut() -> bool) -> Json {
    let positions = opening_positions();
    let mut prover = match Prover::new(PlanGuide::default(), BYTES) {
        Ok(prover) => prover,
        Err(error) => return json!({ "value": "unknown", "proof": error.to_string() }),
    };
    prove_opening(&mut prover, &positions, stop);
    let start = TixTaxOpen::start();
    let proven = prover.bounds(&start);
    let (mut verified, mut longest) = (None, None);
    let proof = if proven.value() == Some(Value::Win) {
        match Verifier::new(BYTES).verify(&mut prover, &start, proven, &mut |_| stop()) {
            Verification::Confirmed { positions, plies } => {
                (verified, longest) = (Some(positions), Some(plies));
                "verified".to_owned()
            }
            Verification::Stopped => "no time was left to verify it".to_owned(),
            Verification::Refuted(pos) => format!("wrong at {pos}"),
        }
    } else {
        "not finished; a longer --time proves more".to_owned()
    };
    let first_move = start.legal_moves().into_iter().find(|mv| PlanPhase::Start.includes(*mv));
    let opened = first_move.map_or(start, |mv| start.after(mv));
    let is_won = |pos: &TixTaxOpen| prover.bounds(pos) == won_by_first(pos);
    let replies: Vec<TixTaxMove> = opened.legal_moves().into_iter().collect();
    let lost_replies = replies.iter().filter(|mv| is_won(&opened.after(**mv)));
    json!({
        "value": proven.value().map_or_else(|| "unknown".to_owned(), |value| value.to_string()),
        "move": names(first_move.filter(|_| is_won(&opened))),
        "replies": names(&replies),
        "replies_lost": names(lost_replies),
        "first_part": positions.len(),
        "first_part_won": positions.iter().filter(|pos| is_won(pos)).count(),
        "nodes": prover.nodes(),
        "verified": verified,
        "longest": longest,
        "proof": proof,
    })
}

/// The bounds of a position that the first player wins.
fn won_by_first(pos: &TixTaxOpen) -> ValueBounds {
    ValueBounds::exactly(if pos.side() == Side::P1 { Value::Win } else { Value::Loss })
}
