//! Ultimate tic-tac-toe where only full boards are closed: the first player wins, and this proves
//! it on the spot.
//!
//! That it is so is known (Bertholon and others, 2020), by a plan. First play the very centre, and
//! wherever you are sent the centre of that board, which sends the opponent back to the centre board
//! until it is full. Then there is one board left without a stone of yours in its centre. From now
//! on send the opponent there, or to the board opposite: in each board to which you are sent twice,
//! these two cells and your centre make a line.
//!
//! The plan is only where the search for a proof looks first. What it finds is walked through again
//! with the rules alone.

use std::collections::HashSet;

use super::{Datum, Section};
use crate::games::TixTaxOpen;
use crate::games::tixtax::TixTaxMove;
use crate::rules::{Game, Side, Value};
use crate::solve::{Guide, Prover, ValueBounds, Verification, Verifier};

/// The board in the middle, and the middle of each board.
const CENTRE: usize = 4;
/// Memory for proofs, and for what was walked through.
const BYTES: usize = 64 << 20;

/// The square that lies opposite, seen from the centre.
fn opposite(square: usize) -> usize {
    8 - square
}

/// How far the plan is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PlanPhase {
    /// Nothing is played.
    Start,
    /// The opponent is sent to the centre board.
    Centre,
    /// The opponent is sent to this board and the one opposite.
    Axis(usize),
    /// Something else has come.
    Off,
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
            _ => Self::Off,
        }
    }

    fn wants(self, mv: TixTaxMove) -> bool {
        match self {
            Self::Start => mv.board() == CENTRE && mv.square() == CENTRE,
            Self::Centre => mv.square() == CENTRE,
            Self::Axis(board) => [board, opposite(board)].contains(&mv.square()),
            Self::Off => true,
        }
    }
}

/// Has the prover look at moves of the plan first.
#[derive(Debug, Clone, Default)]
struct PlanGuide {
    /// For each move on the way: how far the plan is behind it, and what is to be expected for the
    /// first player.
    way: Vec<(PlanPhase, f32)>,
}

/// The odds of a move of the plan, and of another one. No other is looked at before much has been
/// tried.
const ODDS: [f32; 2] = [400.0, 0.001];

impl Guide<TixTaxOpen> for PlanGuide {
    fn reset(&mut self, pos: &TixTaxOpen) {
        self.way = vec![(PlanPhase::of(pos), ODDS[0])];
    }

    fn played(&mut self, before: &TixTaxOpen, mv: TixTaxMove, after: &TixTaxOpen) {
        let part = self.way.last().map_or(PlanPhase::Off, |(part, _)| *part);
        let odds = match before.side() {
            Side::P1 if part.wants(mv) => ODDS[0],
            Side::P1 => ODDS[1],
            Side::P2 => 1.0,
        };
        // The axis is chosen once; stones in the centre of its board change nothing.
        let next = if let PlanPhase::Axis(_) = part { part } else { PlanPhase::of(after) };
        self.way.push((next, odds));
    }

    fn undone(&mut self) {
        self.way.pop();
    }

    fn odds(&mut self, pos: &TixTaxOpen, _: Value) -> f32 {
        let odds = self.way.last().map_or(1.0, |(_, odds)| *odds);
        if pos.side() == Side::P1 { odds } else { 1.0 / odds }
    }
}

/// All positions of the first part of the plan, each before those that follow it.
fn first_part() -> Vec<TixTaxOpen> {
    let mut positions = vec![TixTaxOpen::start()];
    let mut seen = HashSet::new();
    let mut next = 0;
    while let Some(pos) = positions.get(next).copied() {
        next += 1;
        let part = PlanPhase::of(&pos);
        if part != PlanPhase::Start && part != PlanPhase::Centre {
            continue;
        }
        for mv in pos.legal_moves() {
            let follows = pos.side() == Side::P2 || part.wants(mv);
            let child = pos.after(mv);
            if follows && seen.insert(child) {
                positions.push(child);
            }
        }
    }
    positions
}

/// The proof, as far as it comes.
pub(super) fn section(stop: &mut dyn FnMut() -> bool) -> Section {
    let section = Section::facts("first_player_wins", "The first player's win");
    let Ok(mut prover) = Prover::new(PlanGuide::default(), BYTES) else {
        return section.remark("There is no memory for the proof.");
    };
    let positions = first_part();
    // What follows comes first, so that each position is proven by what is known already.
    for pos in positions.iter().rev() {
        prover.prove(pos, u64::MAX, stop);
    }
    let start = TixTaxOpen::start();
    let proven = prover.bounds(&start);
    let begun = start.legal_moves().into_iter().find(|mv| PlanPhase::Start.wants(*mv));
    let opened = begun.map_or(start, |mv| start.after(mv));
    let is_won = |pos: &TixTaxOpen| prover.bounds(pos) == won_by_first(pos);
    let replies: Vec<TixTaxMove> = opened.legal_moves().into_iter().collect();
    let answered: Vec<TixTaxMove> =
        replies.iter().copied().filter(|mv| is_won(&opened.after(*mv))).collect();
    let settled = positions.iter().filter(|pos| is_won(pos)).count();
    let section = section
        .fact("value", "value for the first player", words(proven))
        .fact("move", "proven to win", Datum::list(begun.filter(|_| is_won(&opened))))
        .fact("replies", "replies to it", Datum::list(&replies))
        .fact("replies_lost", "… proven to lose", Datum::list(&answered))
        .fact("first_part", "positions of the first part of the plan", positions.len())
        .fact("first_part_won", "… proven to be won", settled)
        .fact("nodes", "positions looked at for the proof", prover.nodes());
    if proven.value() != Some(Value::Win) {
        return section.remark("What is not proven here is not claimed; more time proves more.");
    }
    match Verifier::new(BYTES).verify(&mut prover, &start, proven, &mut |_| stop()) {
        Verification::Confirmed { positions, plies } => section
            .fact("verified", "positions walked through again, with the rules alone", positions)
            .fact("longest", "plies of the longest game on that walk", u32::from(plies))
            .remark("Of other first moves, and of the shortest win, nothing is claimed."),
        Verification::Stopped => {
            section.remark("There was no time to walk through the proof again.")
        }
        Verification::Refuted(pos) => section.remark(format!("The proof does not hold at {pos}.")),
    }
}

/// What there is to be known of a position that the first player wins.
fn won_by_first(pos: &TixTaxOpen) -> ValueBounds {
    ValueBounds::exactly(if pos.side() == Side::P1 { Value::Win } else { Value::Loss })
}

fn words(bounds: ValueBounds) -> String {
    bounds.value().map_or("not proven in the time".to_owned(), |value| value.to_string())
}
