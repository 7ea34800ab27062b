//! Reasons of Nim: the nim-sum, and pairs of equal heaps.

use super::{BrokenRule, Reason, Reasons, wins};
use crate::games::Nim;
use crate::games::nim::NimMove;
use crate::games::notation::square_name;
use crate::rules::{Game, Side};

#[derive(Debug)]
pub struct NimReasons;

impl Reasons<Nim> for NimReasons {
    fn reasons(pos: &Nim, mv: NimMove, _: Option<NimMove>) -> Vec<Reason> {
        let next = pos.after(mv);
        if wins(&next, pos) {
            return vec![Reason::Wins];
        }
        let heaps: Vec<u8> = next.heaps().collect();
        let (before, after) = (nim_sum(pos), nim_sum(&next));
        if after != 0 {
            return vec![Reason::LeavesNimSum { nim_sum: after }];
        }
        let from = pos.heaps().nth(mv.file()).unwrap_or(0);
        let to = heaps[mv.file()];
        let file = file_letter(mv.file());
        let mut reasons = vec![Reason::ZeroesNimSum { nim_sum: before, file, from, to }];
        let count = |size: u8| heaps.iter().filter(|own| **own == size).count();
        if heaps.iter().all(|size| *size == 0 || count(*size).is_multiple_of(2)) {
            let is_partner = |file: &usize| *file != mv.file() && heaps[*file] == to;
            reasons.push(match (0..heaps.len()).find(is_partner).filter(|_| to > 0) {
                Some(partner) => Reason::PairsOff { file: file_letter(partner) },
                None => Reason::LeavesPairs,
            });
        }
        reasons
    }

    fn broken_rule(pos: &Nim, mv: NimMove) -> Option<BrokenRule> {
        if pos.is_legal(mv) {
            return None;
        }
        let side = pos.side();
        let [own, other] = [side, side.other()].map(|side| pos.piece_rank(side, mv.file()));
        let is_backwards = match side {
            Side::P1 => mv.to() < mv.from(),
            Side::P2 => mv.to() > mv.from(),
        };
        Some(if mv.from() != own {
            BrokenRule::NotOwnPiece { square: square_name(mv.file(), mv.from()) }
        } else if mv.to() == mv.from() {
            BrokenRule::NoStep
        } else if is_backwards {
            BrokenRule::Backwards
        } else {
            BrokenRule::InTheWay { square: square_name(mv.file(), other) }
        })
    }
}

fn nim_sum(pos: &Nim) -> u8 {
    pos.heaps().fold(0, |sum, heap| sum ^ heap)
}

fn file_letter(file: usize) -> char {
    char::from(b'a' + file as u8)
}
