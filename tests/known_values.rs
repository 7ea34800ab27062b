//! Known values, computed independently of this program: perft counts, game-theoretic values,
//! distances, and statistics over all positions of the small games.

use std::collections::{HashMap, HashSet};

use zermelo::games::{Nim, PongHauKi, TicTacToe, TixTax, TixTaxCount, TixTaxOpen};
use zermelo::rules::{ExactValue, Game, Outcome, Record, Side, SplitMix, Value, perft};
use zermelo::solve::{ExactSolver, Minimax, Retrograde, SpragueGrundy, rank_moves};

fn counts<G: Game>(pos: &G, depths: u32) -> Vec<u64> {
    (1..=depths).map(|depth| perft(pos, depth)).collect()
}

#[test]
fn perft_of_tictactoe() {
    let expected = [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872];
    assert_eq!(counts(&TicTacToe::start(), 9), expected);
}

#[test]
fn perft_of_ponghauki() {
    assert_eq!(counts(&PongHauKi::start(), 10), [1, 1, 1, 2, 3, 5, 7, 6, 7, 13]);
    let without_rule: PongHauKi = "xx/1/oo x 2".parse().unwrap();
    assert_eq!(counts(&without_rule, 10), [2, 1, 1, 2, 3, 5, 7, 6, 7, 13]);
}

#[test]
fn perft_of_nim() {
    let expected = [48, 2136, 87_856, 3_330_720, 116_103_168, 3_714_093_664];
    assert_eq!(counts(&Nim::start(), 6), expected);
}

#[test]
fn perft_of_tixtax() {
    for line in include_str!("data/tixtax.perft").lines() {
        let (fen, expected) = line.split_once(';').unwrap();
        let pos: TixTax = fen.trim().parse().unwrap();
        let expected: Vec<u64> =
            expected.split_whitespace().map(|count| count.parse().unwrap()).collect();
        assert_eq!(counts(&pos, expected.len() as u32), expected, "{fen}");
    }
}

#[test]
fn perft_does_not_depend_on_the_number_of_threads() {
    let stop = false.into();
    let start = TixTax::start();
    for threads in [1, 2, 5] {
        let divided = perft::divide(&start, 5, threads, &stop).unwrap();
        assert_eq!(divided.len(), 81);
        assert_eq!(divided.iter().map(|(_, leaves)| leaves).sum::<u64>(), 473_256);
    }
    let finished: TicTacToe = "xxx/oo1/3 o".parse().unwrap();
    assert_eq!(perft::divide(&finished, 3, 2, &stop), Some(vec![]));
    assert_eq!(perft::divide(&start, 9, 1, &true.into()), None);
}

/// All reachable positions, each with the number of games that lead to it.
fn reachable<G: Game>() -> HashMap<G, u64> {
    let mut all = HashMap::from([(G::start(), 1)]);
    let mut level = all.clone();
    while !level.is_empty() {
        let mut next: HashMap<G, u64> = HashMap::new();
        for (pos, paths) in level {
            for mv in pos.legal_moves() {
                *next.entry(pos.after(mv)).or_default() += paths;
            }
        }
        if G::CYCLIC {
            next.retain(|pos, _| !all.contains_key(pos));
        }
        all.extend(next.iter().map(|(pos, paths)| (*pos, *paths)));
        level = next;
    }
    all
}

#[test]
fn tictactoe_has_5478_positions_and_255168_games() {
    let all = reachable::<TicTacToe>();
    assert_eq!(all.len(), 5478);
    let class = |pos: &TicTacToe| {
        (0..TicTacToe::SYMMETRIES).map(|symmetry| pos.image(symmetry).to_string()).min()
    };
    assert_eq!(all.keys().map(class).collect::<HashSet<_>>().len(), 765);
    let finished = |outcome| {
        let of: Vec<u64> =
            all.iter().filter(|(pos, _)| pos.outcome() == Some(outcome)).map(|(_, n)| *n).collect();
        (of.len(), of.iter().sum::<u64>())
    };
    assert_eq!(finished(Outcome::Win(Side::P1)), (626, 131_184));
    assert_eq!(finished(Outcome::Win(Side::P2)), (316, 77_904));
    assert_eq!(finished(Outcome::Draw), (16, 46_080));
}

#[test]
fn tictactoe_values_match_the_published_tables() {
    let mut exact_solver = Minimax::<TicTacToe>::default();
    assert_eq!(exact_solver.exact(&TicTacToe::start()), ExactValue::Draw);
    assert_eq!(exact_solver.position_count(), 5478);
    let value = |exact_solver: &mut Minimax<_>, digits: &str| {
        let mut record = Record::new(TicTacToe::start());
        digits.chars().for_each(|digit| record.push_text(&digit.to_string()).unwrap());
        let exact = exact_solver.exact(record.position());
        if record.position().side() == Side::P1 { exact.value() } else { exact.value().flip() }
    };
    for (opening, row) in [(1, ".WWWDWWWW"), (2, "D.DWDWWDW"), (5, "DWDW.WDWD")] {
        for (reply, letter) in (1..=9).zip(row.chars()).filter(|(_, letter)| *letter != '.') {
            let expected = if letter == 'W' { Value::Win } else { Value::Draw };
            assert_eq!(value(&mut exact_solver, &format!("{opening}{reply}")), expected);
        }
    }
    for (opening, reply, winning) in
        [(1, 2, "457"), (1, 3, "479"), (1, 6, "357"), (1, 9, "37"), (5, 2, "134679")]
    {
        for third in (1..=9).filter(|third| *third != opening && *third != reply) {
            let wins = value(&mut exact_solver, &format!("{opening}{reply}{third}")) == Value::Win;
            assert_eq!(wins, winning.contains(&third.to_string()), "{opening}{reply}{third}");
        }
    }
}

#[test]
fn best_moves_of_tictactoe_open_in_a_corner_and_set_traps() {
    let mut exact_solver = Minimax::<TicTacToe>::default();
    let mut best = |fen: &str| {
        let record = Record::new(fen.parse::<TicTacToe>().unwrap());
        let (mv, exact) = rank_moves(&mut exact_solver, &record)[0];
        (mv.to_string(), exact)
    };
    let (opening, exact) = best("3/3/3 x");
    assert!(["a1", "a3", "c1", "c3"].contains(&opening.as_str()), "{opening}");
    assert_eq!(exact, ExactValue::Draw);
    assert_eq!(best("xx1/oo1/3 x"), ("c3".to_owned(), ExactValue::Win(1)), "the immediate win");
    assert_eq!(best("xx1/1o1/3 o").0, "c3", "the only defence");
}

#[test]
fn perfect_play_never_loses_tictactoe() {
    let mut exact_solver = Minimax::<TicTacToe>::default();
    for ours in [Side::P1, Side::P2] {
        let mut positions = vec![TicTacToe::start()];
        while let Some(pos) = positions.pop() {
            assert_ne!(pos.outcome(), Some(Outcome::Win(ours.other())), "{pos}");
            if pos.outcome().is_some() {
                continue;
            }
            if pos.side() == ours {
                let mv = rank_moves(&mut exact_solver, &Record::new(pos))[0].0;
                positions.push(pos.after(mv));
            } else {
                positions.extend(pos.legal_moves().into_iter().map(|mv| pos.after(mv)));
            }
        }
    }
}

/// All 60 placements of the pieces with a side to move, after the first move.
fn placements() -> Vec<PongHauKi> {
    let mut all = Vec::new();
    for code in 0..3_u32.pow(5) {
        let letter = |point: u32| ["1", "x", "o"][(code / 3_u32.pow(point) % 3) as usize];
        let [a3, c3, b2, a1, c1] = [0, 1, 2, 3, 4].map(letter);
        for mover in ["x", "o"] {
            all.extend(format!("{a3}{c3}/{b2}/{a1}{c1} {mover} 4").parse::<PongHauKi>());
        }
    }
    all
}

#[test]
fn ponghauki_has_60_positions_with_known_values() {
    let mut exact_solver = Retrograde::<PongHauKi>::default();
    let all = placements();
    assert_eq!(all.len(), 60);
    let mut tally = [0; 3];
    for pos in &all {
        let exact = exact_solver.exact(pos);
        tally[exact.value() as usize] += 1;
        assert!(
            matches!(exact, ExactValue::Win(1) | ExactValue::Loss(0) | ExactValue::Draw),
            "{pos}: {exact}"
        );
    }
    assert_eq!(tally, [4, 48, 8]);
    assert_eq!(exact_solver.exact(&PongHauKi::start()), ExactValue::Draw);
    let without_rule = "xx/1/oo x 2".parse().unwrap();
    assert_eq!(exact_solver.exact(&without_rule), ExactValue::Win(1));
    let record = Record::new(without_rule);
    assert_eq!(rank_moves(&mut exact_solver, &record)[0].0.to_string(), "c3b2");
    let reached: HashSet<u64> = reachable::<PongHauKi>().keys().map(Game::repetition_key).collect();
    assert_eq!(reached.len(), 56);
}

/// All multisets of gaps between `least` and 6.
fn multisets(files: usize, least: u8) -> Vec<Vec<u8>> {
    if files == 0 {
        return vec![vec![]];
    }
    let with = |first| {
        multisets(files - 1, first).into_iter().map(move |mut rest| {
            rest.insert(0, first);
            rest
        })
    };
    (least..=6).flat_map(with).collect()
}

fn nim_with(gaps: &[u8]) -> Nim {
    let ranks: Vec<String> = (0..8)
        .rev()
        .map(|rank| {
            let letter = |file: usize| match rank {
                0 => 'b',
                rank if rank == gaps.get(file).copied().unwrap_or(0) + 1 => 'r',
                _ => '1',
            };
            (0..8).map(letter).collect()
        })
        .collect();
    format!("{} b", ranks.join("/")).parse().unwrap()
}

#[test]
fn nim_has_3003_positions_of_which_406_are_lost() {
    let mut exact_solver = SpragueGrundy::default();
    let all = multisets(8, 0);
    assert_eq!(all.len(), 3003);
    let mut lost = 0;
    for gaps in &all {
        let pos = nim_with(gaps);
        assert!(pos.heaps().eq(gaps.iter().copied()));
        let is_lost = exact_solver.exact(&pos).value() == Value::Loss;
        assert_eq!(is_lost, gaps.iter().fold(0, |sum, gap| sum ^ gap) == 0, "{gaps:?}");
        lost += usize::from(is_lost);
    }
    assert_eq!(lost, 406);
    assert_eq!(ExactSolver::<Nim>::position_count(&exact_solver), 3003);
    for (gaps, expected) in [
        (&[1, 2, 3][..], ExactValue::Loss(6)),
        (&[6; 8], ExactValue::Loss(48)),
        (&[1, 2, 3, 4, 5, 6, 6, 6], ExactValue::Win(29)),
        (&[6], ExactValue::Win(1)),
        (&[], ExactValue::Loss(0)),
    ] {
        assert_eq!(exact_solver.exact(&nim_with(gaps)), expected, "{gaps:?}");
    }
}

#[test]
fn the_side_that_cannot_move_loses_nim() {
    assert_eq!(nim_with(&[]).outcome(), Some(Outcome::Win(Side::P2)));
    assert_eq!(
        nim_with(&[1]).after(nim_with(&[1]).legal_moves()[0]).outcome(),
        Some(Outcome::Win(Side::P1))
    );
}

#[test]
fn random_tixtax_games_last_58_plies_on_average() {
    let mut random = SplitMix::new(11);
    let games = 20_000;
    let mut plies = 0;
    for _ in 0..games {
        let mut pos = TixTax::start();
        while pos.outcome().is_none() {
            pos.play_unchecked(pos.random_move(&mut random));
            plies += 1;
        }
    }
    let mean = f64::from(plies) / f64::from(games);
    assert!((57.5..60.0).contains(&mean), "{mean}");
}

#[test]
fn both_variants_of_tixtax_have_the_same_first_four_plies() {
    // No small board can be won within four plies, so the counts agree.
    assert_eq!(counts(&TixTaxOpen::start(), 4), counts(&TixTax::start(), 4));
    assert_eq!(counts(&TixTaxCount::start(), 6), counts(&TixTax::start(), 6));
}
