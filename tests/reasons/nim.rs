//! Reasons of Nim.

use zermelo::games::Nim;
use zermelo::reasons::{BrokenRule, NimReasons, Reason, Reasons};
use zermelo::rules::{Game, GameDrawing, GameNotation, Side, SplitMix, Value};
use zermelo::solve::reference::negamax;

use super::{KindCounter, random_positions};

fn expected(pos: &Nim, mv: <Nim as Game>::Move) -> Vec<Reason> {
    let next = pos.after(mv);
    if next.legal_moves().is_empty() {
        return vec![Reason::Wins];
    }
    let [before, after] = [pos, &next].map(|pos| pos.heaps().collect::<Vec<u8>>());
    let xor = |heaps: &[u8]| heaps.iter().fold(0, |sum, heap| sum ^ heap);
    if xor(&after) != 0 {
        return vec![Reason::LeavesNimSum { nim_sum: xor(&after) }];
    }
    let index = (0..8).find(|index| before[*index] != after[*index]).unwrap();
    let letter = |index: usize| "abcdefgh".chars().nth(index).unwrap();
    let mut reasons = vec![Reason::ZeroesNimSum {
        nim_sum: xor(&before),
        file: letter(index),
        from: before[index],
        to: after[index],
    }];
    // Cross out equal heaps two by two; the heap of the move goes with the first of its size.
    let mut left: Vec<usize> = (0..8).filter(|own| after[*own] > 0).collect();
    let mut partner = None;
    while let Some(first) = left.pop() {
        let Some(other) = left.iter().position(|own| after[*own] == after[first]) else {
            return reasons;
        };
        left.remove(other);
    }
    if after[index] > 0 {
        partner = (0..8).find(|own| *own != index && after[*own] == after[index]);
    }
    reasons.push(match partner {
        Some(other) => Reason::PairsOff { file: letter(other) },
        None => Reason::LeavesPairs,
    });
    reasons
}

#[test]
fn reasons_are_given_exactly_where_they_hold() {
    let mut counter = KindCounter::default();
    for pos in random_positions::<Nim>(300, 2) {
        for mv in pos.legal_moves() {
            let reasons = NimReasons::reasons(&pos, mv, None);
            assert_eq!(reasons, expected(&pos, mv), "{pos} {mv}");
            counter.add(&reasons);
            if pos.max_plies_left().unwrap() <= 8 {
                let is_good = !matches!(reasons[0], Reason::LeavesNimSum { .. });
                assert_eq!(negamax(&pos.after(mv)).value() == Value::Loss, is_good, "{pos} {mv}");
            }
        }
    }
    counter.assert_kinds(&[
        "wins",
        "zeroes_nim_sum",
        "leaves_nim_sum",
        "pairs_off",
        "leaves_pairs",
    ]);
}

#[test]
fn illegal_moves_have_a_reason_that_holds() {
    let mut random = SplitMix::new(3);
    for pos in random_positions::<Nim>(20, 3) {
        for _ in 0..200 {
            let [file, from, to] = [(); 3].map(|()| random.below(8));
            let name = |rank: usize| format!("{}{}", char::from(b'a' + file as u8), rank + 1);
            let mv = pos.parse_move(&(name(from) + &name(to))).unwrap();
            let marks = pos.spot_contents();
            let mark = |rank: usize| marks[8 * (7 - rank) + file].mark;
            let own = if pos.side() == Side::P1 { 'b' } else { 'r' };
            let found = NimReasons::broken_rule(&pos, mv);
            assert_eq!(found.is_none(), pos.is_legal(mv), "{pos} {mv}");
            match found {
                Some(BrokenRule::NotOwnPiece { square }) => {
                    assert!(square == name(from) && mark(from) != own);
                }
                Some(BrokenRule::NoStep) => assert!(from == to && mark(from) == own),
                Some(BrokenRule::Backwards) => {
                    assert!(mark(from) == own && (own == 'b') == (to < from) && to != from);
                }
                Some(BrokenRule::InTheWay { square }) => {
                    let other = (0..8).find(|rank| square == name(*rank)).unwrap();
                    assert!(![own, '.'].contains(&mark(other)));
                    assert!((from.min(to)..=from.max(to)).contains(&other), "{pos} {mv}");
                }
                other => assert_eq!(other, None),
            }
        }
    }
}
