//! Endgame proofs of the alpha-beta searcher: claims are true, and proven values are kept.

use super::*;

/// Late positions with their values and FENs.
fn known_tixtax_values() -> impl Iterator<Item = (&'static str, &'static str, TixTax)> {
    let lines = include_str!("../data/tixtax-solved.txt").lines();
    lines.map(|line| {
        let (value, fen) = line.split_once(' ').unwrap();
        (value, fen, fen.parse().unwrap())
    })
}

/// Compares with the known values, and proves that the chosen move keeps them.
#[test]
fn solved_positions_are_proven_or_at_least_held() {
    let claims = count_true_claims(5);
    assert!(claims >= 3, "{claims} of 6");
}

#[test]
#[ignore = "searches and proves 28 positions"]
fn all_solved_positions_are_proven_or_at_least_held() {
    let claims = count_true_claims(1);
    assert!(claims >= 20, "{claims} of 28");
}

fn count_true_claims(step: usize) -> u32 {
    let mut claims = 0;
    let mut prover = Prover::new(EvalHeuristic(Net::embedded().unwrap()), 64 << 20).unwrap();
    for (value, fen, pos) in known_tixtax_values().step_by(step) {
        let mut searcher = AlphaBeta::new(Net::embedded().unwrap(), 16).unwrap();
        let limits = Limits { nodes: Some(2_500_000), ..Limits::default() };
        let report = run(&mut searcher, &task(pos, limits));
        if let Some(exact) = report.proven {
            assert_eq!(exact.value().to_string(), value, "{fen}");
            claims += 1;
        }
        let after = pos.after(report.best_move().unwrap());
        let reply = prover.prove(&after, u64::MAX, &mut || false).value().unwrap();
        assert_eq!(reply.flip().to_string(), value, "{fen} {report:?}");
    }
    claims
}

/// Once a win is proven, the following moves keep it even with small tables.
#[test]
fn a_proven_win_is_played_to_the_end() {
    let fen = "x1x2xox1/4o1oo1/1oo1o3x/5o3/ox1xxx1o1/xo3o1o1/x1x1x1oo1/3x1x3/oo1ox1x1x x 19 b7";
    let mut searcher = AlphaBeta::new(Net::embedded().unwrap(), 1).unwrap();
    let mut pos: TixTax = fen.parse().unwrap();
    let winner = pos.side();
    let mut claimed = false;
    while pos.outcome().is_none() {
        let limits = Limits { nodes: Some(200_000), ..Limits::default() };
        let report = run(&mut searcher, &task(pos, limits));
        claimed |= matches!(report.proven, Some(ExactValue::Win(_)));
        pos.play_unchecked(report.best_move().unwrap());
    }
    assert!(claimed);
    assert_eq!(pos.outcome(), Some(Outcome::Win(winner)));
}

/// Replays a game in which a win was claimed after 29 plies and given away by the next search, when the
/// prover did not yet start at once after a claim.
#[test]
fn a_claimed_win_is_kept_within_a_node_limit() {
    let fen = "9/1x7/4x4/5o3/9/7o1/3oo4/8x/4x4 x 5 f6";
    let moves = "i9 i8 g6 b7 d1 a1 b3 f8 h6 d8 a5 c5 i6 h8 d5 a6 a7 a3 a9 c7 g3 a8 b6 e9 d9 b9 f7 h1 \
                 d2 b4 f1";
    let mut searcher = AlphaBeta::new(CountRule::embedded_net().unwrap(), 16).unwrap();
    let limits = Limits { nodes: Some(50_000), ..Limits::default() };
    let mut pos: TixTaxCount = fen.parse().unwrap();
    let (winner, mut claims) = (!pos.side(), 0);
    for mv in moves.split_whitespace() {
        pos = pos.after(pos.parse_move(mv).unwrap());
        if pos.side() == winner {
            let report = run(&mut searcher, &task(pos, limits));
            let claims_win = matches!(report.proven, Some(ExactValue::Win(_)));
            assert!(claims_win || claims == 0, "{pos}: {report:?}");
            claims += u32::from(claims_win);
        }
    }
    assert_eq!(claims, 3);
}

/// Plays proven wins and draws against random replies without time for more than the final probe,
/// and checks that the value is kept. Returns the number of wins and draws.
fn count_kept_values(positions: usize, nodes: u64, mebibytes: usize) -> [usize; 2] {
    let no_time = Limits { budget: TimeBudget::fixed(Duration::ZERO), ..Limits::default() };
    let (mut random, mut kept) = (SplitMix::new(3), [0; 2]);
    for mut pos in late_positions::<TixTax>(positions, 34) {
        let mut searcher = AlphaBeta::new(Net::embedded().unwrap(), mebibytes).unwrap();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut report = run(&mut searcher, &task(pos, limits));
        let Some(value @ (Value::Win | Value::Draw)) = report.proven.map(ExactValue::value) else {
            continue;
        };
        kept[usize::from(value == Value::Draw)] += 1;
        let side = pos.side();
        let outcome = loop {
            pos = pos.after(report.best_move().unwrap());
            if let Some(outcome) = pos.outcome() {
                break outcome;
            }
            let before = pos;
            pos = pos.after(pos.random_move(&mut random));
            if let Some(outcome) = pos.outcome() {
                break outcome;
            }
            report = run(&mut searcher, &task(pos, no_time));
            if value == Value::Win {
                assert!(matches!(report.proven, Some(ExactValue::Win(_))), "{pos}: {report:?}");
                for other in before.legal_moves().into_iter().map(|reply| before.after(reply)) {
                    let report = run(&mut searcher, &task(other, no_time));
                    assert!(
                        matches!(report.proven, Some(ExactValue::Win(_))),
                        "{other}: {report:?}"
                    );
                }
            }
        };
        assert!(outcome.value_for(side) >= value, "{pos}");
    }
    kept
}

/// Draws in which alpha-beta's first choice loses, and the final probe shows it before it proves the
/// value.
#[test]
fn refuted_moves_are_not_played() {
    let mut searcher = AlphaBeta::new(CountRule::embedded_net().unwrap(), 1).unwrap();
    let mut prover =
        Prover::new(EvalHeuristic(CountRule::embedded_net().unwrap()), 64 << 20).unwrap();
    let stopped = SearchControl::default();
    stopped.stop();
    for fen in [
        "o3xox2/o1x2oxo1/1o3ox2/5o1o1/2o1x4/x1x3xxx/1x1x1xxxo/3x1oo2/ooo2x1o1 o 18 d2",
        "oxoox2o1/xx1x1o3/1oxxo1x1x/oo1o1xx2/1x2ox1x1/2o2o1ox/o1oxo1xx1/o2x3oo/3xx2o1 x 22 a6",
        "xoo1xo1x1/1xooxo1x1/2oxo3x/x3ooxx1/1o2xo2x/xo3oxo1/oo1ox1x2/x1o2xx2/oo1xx1x1o o 23 f2",
    ] {
        let pos: TixTaxCount = fen.parse().unwrap();
        searcher.clear();
        let report = searcher.search(&task(pos, Limits::default()), &stopped, &mut |_| {});
        assert_eq!(report.proven, None, "{fen}");
        let after = pos.after(report.best_move().unwrap());
        let reply = prover.prove(&after, u64::MAX, &mut || false).value();
        assert_eq!(reply, Some(Value::Draw), "{fen} {report:?}");
    }
}

/// Even where an exhaustive search of the last plies would take a second.
#[test]
fn the_final_probe_is_short() {
    let mut searcher = AlphaBeta::new(Net::embedded().unwrap(), 1).unwrap();
    let no_time = Limits { budget: TimeBudget::fixed(Duration::ZERO), ..Limits::default() };
    let mut most = 0;
    for pos in late_positions::<TixTax>(2000, 16) {
        searcher.clear();
        most = most.max(run(&mut searcher, &task(pos, no_time)).nodes);
    }
    assert!((200..1000).contains(&most), "{most}");
}

/// The prover does not start within this number of nodes.
#[test]
fn wins_proven_by_alphabeta_are_kept_without_time() {
    let kept = count_kept_values(400, 8_000, 16)[0];
    assert!(kept > 10, "{kept}");
}

/// Even in a small table that overwrites entries.
#[test]
fn values_proven_by_the_prover_are_kept_without_time() {
    let kept = count_kept_values(150, 100_000, 1);
    assert!(kept[0] > 10 && kept[1] > 1, "{kept:?}");
}

/// The same with the handcrafted evaluation: every claim must be true.
#[test]
#[ignore = "searches 28 positions"]
fn solved_positions_are_never_claimed_wrongly() {
    let mut claims = 0;
    for (value, fen, pos) in known_tixtax_values() {
        assert_eq!(pos.to_string(), fen);
        let mut searcher = AlphaBeta::new(HandcraftedEval::default(), 16).unwrap();
        let limits = Limits { nodes: Some(1_000_000), ..Limits::default() };
        if let Some(exact) = run(&mut searcher, &task(pos, limits)).proven {
            assert_eq!(exact.value().to_string(), value, "{fen}");
            claims += 1;
        }
    }
    assert!(claims >= 3, "{claims}");
}
