//! Reasons of Pong Hau K'i.

use zermelo::games::PongHauKi;
use zermelo::reasons::{BrokenRule, PointPair, PongHauKiReasons, Reason, Reasons};
use zermelo::rules::{Game, GameDrawing, GameNotation, Side};

use super::{KindCounter, random_positions};

const POINTS: [&str; 5] = ["a3", "c3", "b2", "a1", "c1"];

fn points_of(pos: &PongHauKi, side: Side) -> Vec<&'static str> {
    let mark = if side == Side::P1 { 'x' } else { 'o' };
    let marks = pos.spot_contents();
    (0..5).filter(|point| marks[*point].mark == mark).map(|point| POINTS[point]).collect()
}

fn pair(pos: &PongHauKi, side: Side) -> Option<PointPair> {
    match points_of(pos, side)[..] {
        ["a3", "c3"] => Some(PointPair::Upper),
        ["a1", "c1"] => Some(PointPair::Lower),
        _ => None,
    }
}

fn can_trap(pos: &PongHauKi) -> bool {
    pos.legal_moves().into_iter().any(|mv| pos.after(mv).legal_moves().is_empty())
}

fn expected(pos: &PongHauKi, mv: <PongHauKi as Game>::Move) -> Vec<Reason> {
    let next = pos.after(mv);
    if next.legal_moves().is_empty() {
        return vec![Reason::Traps];
    }
    let legal = pos.legal_moves();
    let other = legal.iter().find(|other| **other != mv).map(|other| pos.after(*other));
    let mut reasons = Vec::new();
    if !can_trap(&next) && other.is_some_and(|other| can_trap(&other)) {
        reasons.push(Reason::AvoidsTrap);
    }
    let us = pos.side();
    match (pair(&next, us), other.and_then(|other| pair(&other, us))) {
        (Some(pair), _) => reasons.push(Reason::LeavesPair { pair }),
        (None, Some(pair)) => reasons.push(Reason::AvoidsPair { pair }),
        (None, None) => {}
    }
    reasons
}

#[test]
fn reasons_are_given_exactly_where_they_hold() {
    let mut counter = KindCounter::default();
    for pos in random_positions::<PongHauKi>(100, 4) {
        for mv in pos.legal_moves() {
            let reasons = PongHauKiReasons::reasons(&pos, mv, None);
            assert_eq!(reasons, expected(&pos, mv), "{pos} {mv}");
            counter.add(&reasons);
        }
    }
    counter.assert_kinds(&["traps", "avoids_trap", "leaves_pair", "avoids_pair"]);
}

#[test]
fn illegal_moves_have_a_reason_that_holds() {
    let lines =
        ["a3c3", "a3a1", "a1c1", "a3b2", "b2c3", "a1b2", "b2c1"].map(|line| line.split_at(2));
    for pos in random_positions::<PongHauKi>(40, 5) {
        let [own, theirs] = [pos.side(), !pos.side()].map(|side| points_of(&pos, side));
        for from in POINTS {
            for to in POINTS {
                let mv = pos.parse_move(&format!("{from}{to}")).unwrap();
                let is_line = lines.contains(&(from, to)) || lines.contains(&(to, from));
                let is_empty = !own.contains(&to) && !theirs.contains(&to);
                let expected = if !own.contains(&from) {
                    Some(BrokenRule::NotOwnPiece { square: from.to_owned() })
                } else if !is_empty {
                    Some(BrokenRule::Occupied { square: to.to_owned() })
                } else if !is_line {
                    Some(BrokenRule::NoLine { from: from.to_owned(), to: to.to_owned() })
                } else if pos == PongHauKi::start() && from == "c3" {
                    Some(BrokenRule::FirstMove { piece: "a3".to_owned() })
                } else {
                    None
                };
                assert_eq!(PongHauKiReasons::broken_rule(&pos, mv), expected, "{pos} {mv}");
                assert_eq!(expected.is_none(), pos.is_legal(mv), "{pos} {mv}");
            }
        }
    }
}
