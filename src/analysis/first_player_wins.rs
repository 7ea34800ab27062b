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

use super::{Datum, ReportFigure, Section};
use crate::games::TixTaxOpen;
use crate::games::tixtax::TixTaxMove;
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
pub(super) fn figure() -> Option<ReportFigure> {
    let mut pos = TixTaxOpen::start();
    while let phase @ (PlanPhase::Start | PlanPhase::Centre) = PlanPhase::of(&pos) {
        let follows = |mv: &TixTaxMove| pos.side() == Side::P2 || phase.includes(*mv);
        let mv = pos.legal_moves().into_iter().find(follows)?;
        pos = pos.after(mv);
    }
    let caption = [
        "The centre board is full. x has the centre of every other board but one, is now sent \
         to that one, and then continues along the axis.",
        "正中的小棋盘已下满。其余小棋盘除一个外，中心都归 x；x 现在被送到那一个，此后沿轴落子。",
    ];
    ReportFigure::of_position("plan", &pos, &[], caption)
}

/// Proves the win and reports it, or as much as is proven before `stop`.
pub(super) fn section(stop: &mut dyn FnMut() -> bool) -> Section {
    let title = ["The proof, repeated on this machine", "在本机上重做的证明"];
    let section = Section::facts("first_player_wins", title);
    let Ok(mut prover) = Prover::new(PlanGuide::default(), BYTES) else {
        return section.remark(["Not enough memory for the proof.", "内存不足，无法证明。"]);
    };
    let positions = opening_positions();
    prove_opening(&mut prover, &positions, stop);
    let start = TixTaxOpen::start();
    let proven = prover.bounds(&start);
    let first_move = start.legal_moves().into_iter().find(|mv| PlanPhase::Start.includes(*mv));
    let opened = first_move.map_or(start, |mv| start.after(mv));
    let is_won = |pos: &TixTaxOpen| prover.bounds(pos) == won_by_first(pos);
    let replies: Vec<TixTaxMove> = opened.legal_moves().into_iter().collect();
    let lost_replies: Vec<TixTaxMove> =
        replies.iter().copied().filter(|mv| is_won(&opened.after(*mv))).collect();
    let won_count = positions.iter().filter(|pos| is_won(pos)).count();
    let first_move = Datum::list(first_move.filter(|_| is_won(&opened)));
    let section = section
        .fact("value", ["value for the first player", "先手的价值"], value_datum(proven))
        .fact("move", ["proven winning move", "已证明的制胜着法"], first_move)
        .fact("replies", ["replies to it", "对方的应着"], Datum::list(&replies))
        .fact("replies_lost", ["… proven lost", "… 已证明必败"], Datum::list(&lost_replies))
        .fact(
            "first_part",
            ["positions of the plan's first part", "计划第一阶段的局面"],
            positions.len(),
        )
        .fact("first_part_won", ["… proven won", "… 已证明必胜"], won_count)
        .fact("nodes", ["positions searched for the proof", "证明搜索的局面"], prover.nodes());
    if proven.value() != Some(Value::Win) {
        return section
            .remark(["A longer --time proves more.", "用 --time 给出更长时间，可证明更多。"]);
    }
    match Verifier::new(BYTES).verify(&mut prover, &start, proven, &mut |_| stop()) {
        Verification::Confirmed { positions, plies } => section
            .fact(
                "verified",
                ["positions verified by the rules alone", "仅按规则核验的局面"],
                positions,
            )
            .fact(
                "longest",
                ["longest win in the proof, in plies", "证明中最长的取胜步数"],
                u32::from(plies),
            )
            .remark([
                "Whether other first moves win, and how fast x can win, is not part of this proof.",
                "此证明不涉及其他第一步是否必胜，也不涉及最快取胜的步数。",
            ]),
        Verification::Stopped => {
            section.remark(["No time was left to verify the proof.", "没有时间核验证明。"])
        }
        Verification::Refuted(pos) => section
            .remark([format!("The proof is wrong at {pos}."), format!("证明在 {pos} 处有误。")]),
    }
}

/// The bounds of a position that the first player wins.
fn won_by_first(pos: &TixTaxOpen) -> ValueBounds {
    ValueBounds::exactly(if pos.side() == Side::P1 { Value::Win } else { Value::Loss })
}

fn value_datum(bounds: ValueBounds) -> Datum {
    let unproven = || Datum::term("unknown", ["not proven in time", "未及证明"]);
    bounds.value().map_or_else(unproven, Datum::from)
}
