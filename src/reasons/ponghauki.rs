//! Reasons of Pong Hau K'i: traps, and the rule of thumb that prevents them.

use super::{BrokenRule, PointPair, Reason, Reasons, wins};
use crate::games::PongHauKi;
use crate::games::ponghauki::PongHauKiMove;
use crate::rules::{Game, Side};

/// The reasons of Pong Hau K'i.
#[derive(Debug)]
pub struct PongHauKiReasons;

impl Reasons<PongHauKi> for PongHauKiReasons {
    fn reasons(pos: &PongHauKi, mv: PongHauKiMove, _: Option<PongHauKiMove>) -> Vec<Reason> {
        let next = pos.after(mv);
        if wins(&next, pos) {
            return vec![Reason::Traps];
        }
        let others: Vec<PongHauKi> = pos
            .legal_moves()
            .iter()
            .filter(|other| **other != mv)
            .map(|mv| pos.after(*mv))
            .collect();
        let mut reasons = Vec::new();
        if others.iter().any(allows_trap) && !allows_trap(&next) {
            reasons.push(Reason::AvoidsTrap);
        }
        match occupied_pair(&next, pos.side()) {
            Some(pair) => reasons.push(Reason::LeavesPair { pair }),
            None => {
                let avoided = others.iter().find_map(|other| occupied_pair(other, pos.side()));
                reasons.extend(avoided.map(|pair| Reason::AvoidsPair { pair }));
            }
        }
        reasons
    }

    fn broken_rule(pos: &PongHauKi, mv: PongHauKiMove) -> Option<BrokenRule> {
        if pos.is_legal(mv) {
            return None;
        }
        let name = PongHauKi::point_name;
        Some(if pos.pieces(pos.side()) >> mv.from() & 1 == 0 {
            BrokenRule::NotOwnPiece { square: name(mv.from()) }
        } else if mv.to() != pos.empty_point() {
            BrokenRule::Occupied { square: name(mv.to()) }
        } else if !PongHauKi::are_connected(mv.from(), mv.to()) {
            BrokenRule::NoLine { from: name(mv.from()), to: name(mv.to()) }
        } else {
            BrokenRule::FirstMove { piece: name(PongHauKi::first_piece()) }
        })
    }
}

/// Whether the side to move has a move after which the opponent cannot move.
fn allows_trap(pos: &PongHauKi) -> bool {
    pos.legal_moves().into_iter().any(|mv| wins(&pos.after(mv), pos))
}

/// The pair of points that both pieces of a side are on.
fn occupied_pair(pos: &PongHauKi, side: Side) -> Option<PointPair> {
    // Each side starts on a pair.
    let start = PongHauKi::start();
    let pairs = [(Side::P1, PointPair::Upper), (Side::P2, PointPair::Lower)];
    let is_occupied = |home: Side| pos.pieces(side) == start.pieces(home);
    pairs.into_iter().find(|(home, _)| is_occupied(*home)).map(|(_, pair)| pair)
}
