//! Every searcher against plain negamax, on seeded positions of every game.

mod endgame_proofs;

use std::time::Duration;

use zermelo::eval::{EmbeddedNet, HandcraftedEval, Net};
use zermelo::games::tixtax::CountRule;
use zermelo::games::{Nim, PongHauKi, TicTacToe, TixTax, TixTaxCount, TixTaxOpen};
use zermelo::rules::random_positions::random_late_position;
use zermelo::rules::{ExactValue, Game, GameNotation, Outcome, Record, Side, SplitMix, Value};
use zermelo::search::{
    AlphaBeta, EvalHeuristic, Evaluator, Limits, Mcts, Points, RandomMover, Score, SearchControl,
    SearchReport, SearchTask, Searcher, TimeBudget, ZeroEval,
};
use zermelo::solve::{ExactSolver, Minimax, Prover, Retrograde, SpragueGrundy, reference};

fn task<G: Game>(pos: G, limits: Limits) -> SearchTask<G> {
    SearchTask { limits, ..SearchTask::new(Record::new(pos)) }
}

fn run<G: Game>(searcher: &mut dyn Searcher<G>, task: &SearchTask<G>) -> SearchReport<G::Move> {
    let report = searcher.search(task, &SearchControl::default(), &mut |_| {});
    assert_eq!(report.lines.len(), task.line_count());
    for line in &report.lines {
        let mut record = task.record.clone();
        for mv in &line.moves {
            record.push(*mv).unwrap_or_else(|error| panic!("{}: {error}", task.position()));
        }
        assert!(task.moves.contains(&line.moves[0]));
    }
    report
}

/// Returns unfinished positions of random games with at most `plies` to go.
fn late_positions<G: Game>(count: usize, plies: u32) -> Vec<G> {
    let mut random = SplitMix::new(2);
    let mut found = Vec::new();
    while found.len() < count {
        let start = G::random_start(&mut random);
        let pos = random_late_position(start, plies, &mut random);
        if pos.outcome().is_none() {
            found.push(pos);
        }
    }
    found
}

/// Returns all positions of Pong Hau K'i that random play reaches.
fn ponghauki_positions() -> Vec<PongHauKi> {
    let mut random = SplitMix::new(4);
    let mut pos = PongHauKi::start();
    let mut found = vec![];
    for _ in 0..3000 {
        if pos.outcome().is_some() {
            pos = PongHauKi::start();
        }
        if !found.contains(&pos) {
            found.push(pos);
        }
        pos = pos.after(pos.random_move(&mut random));
    }
    found
}

fn solved_late<G: Game>(count: usize, plies: u32) -> impl Iterator<Item = (G, ExactValue)> {
    late_positions(count, plies).into_iter().map(|pos| (pos, reference::negamax(&pos)))
}

fn assert_alphabeta_proves<G: Game, E: Evaluator<G>>(
    evaluator: &E,
    positions: impl Iterator<Item = (G, ExactValue)>,
) {
    let mut searcher = AlphaBeta::<G, E>::new(evaluator.clone(), 1).unwrap();
    // Without a node limit the prover often finishes first, and its lines need not be the shortest.
    let limits = Limits { nodes: Some(10_000_000), ..Limits::default() };
    for (pos, exact) in positions {
        let report = run(&mut searcher, &task(pos, limits));
        let proven = report.proven.unwrap_or_else(|| panic!("{pos}: not proven"));
        assert_eq!(proven.value(), exact.value(), "{pos}");
        if !G::WINNER_MOVES_LAST && matches!(report.score(), Score::ByLine(_)) {
            continue;
        }
        assert_eq!(proven, exact, "{pos}");
        if let Some(plies) = exact.plies() {
            assert_eq!(
                report.lines[0].moves.len(),
                usize::from(plies),
                "{pos}: the line reaches the end"
            );
        }
    }
}

#[test]
fn alphabeta_finds_exact_values_and_distances() {
    assert_alphabeta_proves::<TicTacToe, _>(&ZeroEval, solved_late(100, 9));
    assert_alphabeta_proves::<Nim, _>(&ZeroEval, solved_late(100, 7));
    let eval = HandcraftedEval::default();
    assert_alphabeta_proves::<TixTax, _>(&eval, solved_late(100, 9));
    assert_alphabeta_proves::<TixTaxOpen, _>(&eval, solved_late(100, 9));
    assert_alphabeta_proves::<TixTaxCount, _>(&eval, solved_late(100, 9));
}

#[test]
fn alphabeta_solves_cyclic_games() {
    let mut searcher = AlphaBeta::<PongHauKi, _>::new(ZeroEval, 1).unwrap();
    for pos in ponghauki_positions() {
        let exact = reference::negamax(&pos);
        let limits = Limits { depth: Some(24), ..Limits::default() };
        let report = run(&mut searcher, &task(pos, limits));
        match exact {
            ExactValue::Draw => assert_eq!(report.lines[0].score.points(), 0, "{pos}"),
            exact => assert_eq!(report.proven, Some(exact), "{pos}"),
        }
    }
}

fn assert_mcts_proves<G: Game>(positions: impl Iterator<Item = (G, ExactValue)>) {
    for (pos, exact) in positions {
        let limits = Limits { nodes: Some(400_000), ..Limits::default() };
        let report = run(&mut Mcts::new(16), &task(pos, limits));
        let found = report.proven.unwrap_or_else(|| panic!("{pos}: not proven"));
        assert_eq!(found.value(), exact.value(), "{pos}");
        if exact.value() == Value::Win {
            assert!(found <= exact, "{pos}: shorter than the fastest win");
        }
        let is_exact = matches!(report.score(), Score::Exact(_));
        assert!(!is_exact || found == exact, "{pos}: {found} is not the distance");
    }
}

#[test]
fn mcts_proves_small_positions() {
    assert_mcts_proves::<TicTacToe>(solved_late(50, 9));
    assert_mcts_proves::<Nim>(solved_late(50, 6));
    assert_mcts_proves::<TixTax>(solved_late(50, 8));
    assert_mcts_proves::<TixTaxOpen>(solved_late(50, 8));
    assert_mcts_proves::<TixTaxCount>(solved_late(50, 8));
}

/// A drawn move proves nothing while a winning move is still unproven.
#[test]
fn mcts_does_not_take_a_drawn_move_for_a_drawn_position() {
    let pos: TicTacToe = "xxo/3/3 o".parse().unwrap();
    let exact = reference::negamax(&pos).value();
    assert_eq!(exact, Value::Win);
    for nodes in 1..2000 {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let report = run(&mut Mcts::new(1), &task(pos, limits));
        assert!(report.proven.is_none_or(|proven| proven.value() == exact), "{nodes} playouts");
    }
}

#[test]
fn mcts_never_claims_a_wrong_value() {
    for pos in ponghauki_positions() {
        let limits = Limits { nodes: Some(3_000), ..Limits::default() };
        let report = run(&mut Mcts::new(1), &task(pos, limits));
        if let Some(found) = report.proven {
            assert_eq!(found.value(), reference::negamax(&pos).value(), "{pos}");
        }
    }
}

fn assert_oracle_agrees<G: Game>(
    exact_solver: &mut impl ExactSolver<G>,
    positions: impl Iterator<Item = (G, ExactValue)>,
) {
    for (pos, exact) in positions {
        assert_eq!(exact_solver.exact(&pos), exact, "{pos}");
    }
}

#[test]
fn exact_solvers_agree_with_plain_negamax() {
    assert_oracle_agrees(&mut Minimax::<TicTacToe>::default(), solved_late(100, 9));
    assert_oracle_agrees(&mut Retrograde::<TicTacToe>::default(), solved_late(100, 9));
    assert_oracle_agrees(&mut Retrograde::<TixTax>::default(), solved_late(300, 8));
    assert_oracle_agrees(&mut SpragueGrundy::default(), solved_late::<Nim>(100, 7));
    let solved = |pos: PongHauKi| (pos, reference::negamax(&pos));
    let cyclic = ponghauki_positions().into_iter().map(solved);
    assert_oracle_agrees(&mut Retrograde::<PongHauKi>::default(), cyclic);
    let mut exact_solver = SpragueGrundy::default();
    for pos in late_positions::<Nim>(50, 40) {
        assert_eq!(exact_solver.exact(&pos), exact_solver.exact(&pos.image(1)), "{pos}");
    }
}

/// Plain negamax to a depth with the same evaluation. `None` if the tree contains a finished game.
fn plain_negamax<E: Evaluator<TixTax>>(
    pos: &TixTax,
    depth: u32,
    evaluator: &mut E,
) -> Option<Points> {
    if pos.outcome().is_some() || ![Side::P1, Side::P2].iter().all(|side| pos.can_still_win(*side))
    {
        return None;
    }
    if depth == 0 {
        evaluator.reset(pos);
        return Some(evaluator.evaluate(pos));
    }
    let mut best = Points::MIN;
    for mv in pos.legal_moves() {
        best = best.max(-plain_negamax(&pos.after(mv), depth - 1, evaluator)?);
    }
    Some(best)
}

#[test]
fn full_width_alphabeta_equals_plain_negamax() {
    let mut random = SplitMix::new(9);
    let mut compared = 0;
    for plies in (0..30).cycle() {
        let mut pos = TixTax::start();
        for _ in 0..plies {
            pos = pos.after(pos.random_move(&mut random));
            if pos.outcome().is_some() {
                break;
            }
        }
        let depth = 3;
        let Some(expected) = plain_negamax(&pos, depth, &mut HandcraftedEval::default()) else {
            continue;
        };
        let mut searcher = AlphaBeta::new(HandcraftedEval::default(), 1).unwrap().full_width();
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        for multi_pv in [1, 3] {
            let task = SearchTask { multi_pv, ..task(pos, limits) };
            let report = run(&mut searcher, &task);
            assert_eq!(report.lines[0].score, Score::Estimate(expected), "{pos}");
            assert!(report.lines.is_sorted_by_key(|line| -line.score.points()));
        }
        compared += 1;
        if compared == 60 {
            break;
        }
    }
}

fn wins_within<G: Game>(pos: &G, plies: u32) -> bool {
    let loses = |pos: &G| {
        let lost = pos.outcome().map(|outcome| outcome.value_for(pos.side()) == Value::Loss);
        let all_lose =
            || pos.legal_moves().into_iter().all(|mv| wins_within(&pos.after(mv), plies - 2));
        lost.unwrap_or_else(|| plies > 2 && all_lose())
    };
    plies > 0 && pos.legal_moves().into_iter().any(|mv| loses(&pos.after(mv)))
}

#[test]
fn the_draw_share_of_a_line_is_the_mean_along_it() {
    let mut net = Net::embedded().unwrap();
    let mut searcher = AlphaBeta::new(net.clone(), 4).unwrap();
    for plies in [0, 7, 20] {
        let mut pos = TixTax::start();
        let mut random = SplitMix::new(plies);
        (0..plies).for_each(|_| pos.play_unchecked(pos.random_move(&mut random)));
        let report = run(&mut searcher, &task(pos, Limits { depth: Some(8), ..Limits::default() }));
        let line = &report.lines[0];
        let mut shares = Vec::new();
        for mv in &line.moves {
            pos = pos.after(*mv);
            if pos.outcome().is_none() {
                net.reset(&pos);
                shares.extend(net.evaluate_with_draw_share(&pos).1);
            }
        }
        assert!(shares.len() > 4);
        let mean = shares.iter().sum::<f32>() / shares.len() as f32;
        assert!((line.draw_share - mean).abs() < 1e-5, "{} and {mean}", line.draw_share);
    }
}

/// Even with a table full of estimates from selective searches, and by moves they would prune.
#[test]
fn a_mate_search_finds_exactly_the_short_wins() {
    let mut random = SplitMix::new(12);
    let mut searcher = AlphaBeta::new(Net::embedded().unwrap(), 4).unwrap();
    let mut found = [0, 0];
    while found[0] < 25 || found[1] < 25 {
        let mut pos = TixTax::start();
        for _ in 0..30 + random.below(20) {
            if pos.outcome().is_none() {
                pos = pos.after(pos.random_move(&mut random));
            }
        }
        if pos.outcome().is_some() || pos.move_count() > 9 {
            continue;
        }
        run(&mut searcher, &task(pos, Limits { depth: Some(7), ..Limits::default() }));
        for plies in [1, 3, 5] {
            let limits = Limits { win_within: Some(plies), ..Limits::default() };
            let report = run(&mut searcher, &task(pos, limits));
            let is_short = |length: u16| u32::from(length) <= plies;
            let found_win =
                matches!(report.proven, Some(ExactValue::Win(length)) if is_short(length));
            assert_eq!(found_win, wins_within(&pos, plies), "{pos}: {plies}");
            if found_win {
                let distance = u32::from(report.score().distance().unwrap());
                assert!(!wins_within(&pos, distance - 1), "{pos}: {}", report.score());
            }
            found[usize::from(found_win && plies > 1)] += 1;
        }
    }
}

#[test]
fn a_mate_search_proves_that_there_is_no_win() {
    // A draw and a loss, proven long before the search reaches depth 61.
    for fen in [
        "x2o4x/1x3xxox/1oxo2xxo/2ooxxooo/4ox3/9/1xo2ooo1/1x5o1/1x1o1x2x x 18 h6",
        "4xooxx/oxx1o3x/3o2o1x/2xooox2/xx4oxo/2ox1xx1o/5o1xo/ooo2o2x/xx5xo x 21 -",
    ] {
        let pos: TixTax = fen.parse().unwrap();
        let mut searcher = AlphaBeta::new(Net::embedded().unwrap(), 16).unwrap();
        let limits = Limits { win_within: Some(61), ..Limits::default() };
        let report = run(&mut searcher, &task(pos, limits));
        assert!(
            matches!(report.proven, Some(ExactValue::Draw | ExactValue::Loss(_))),
            "{fen}: {report:?}"
        );
    }
}

#[test]
fn multi_pv_lines_are_the_next_best_moves() {
    let pos: TicTacToe = "x1o/1x1/2o x".parse().unwrap();
    let mut searcher = AlphaBeta::<TicTacToe, _>::new(ZeroEval, 1).unwrap();
    let all = SearchTask { multi_pv: 99, ..task(pos, Limits::default()) };
    let report = run(&mut searcher, &all);
    assert_eq!(report.lines.len(), pos.legal_moves().len());
    for line in &report.lines {
        let exact = reference::negamax(&pos.after(line.moves[0])).before_move();
        let proven = line.score.proven();
        assert_eq!(proven, Some(exact), "{}", line.moves[0]);
    }
}

/// Wherever a search is interrupted, its claims are true, and a winning score is a claim.
#[test]
fn interrupted_searches_claim_no_wrong_value() {
    for (pos, exact) in solved_late::<Nim>(60, 8) {
        for nodes in (1..400).step_by(7) {
            let mut searcher = AlphaBeta::<Nim, _>::new(ZeroEval, 1).unwrap();
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let report = run(&mut searcher, &task(pos, limits));
            let proven = report.proven;
            assert!(proven.is_none_or(|proven| proven == exact), "{pos}: {nodes} nodes");
            if matches!(report.lines[0].score.proven(), Some(ExactValue::Win(_))) {
                assert_eq!(proven, Some(exact), "{pos}: {nodes} nodes");
            }
        }
    }
}

#[test]
fn searches_are_deterministic() {
    let positions = late_positions::<TixTax>(3, 60);
    let answers = |searcher: &dyn Fn() -> Box<dyn Searcher<TixTax>>| {
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let answer = |pos: &TixTax| {
            let report = run(&mut *searcher(), &task(*pos, limits));
            (report.nodes, report.depth, format!("{:?}", report.lines))
        };
        positions.iter().map(answer).collect::<Vec<_>>()
    };
    let alphabeta = || -> Box<dyn Searcher<TixTax>> {
        Box::new(AlphaBeta::new(HandcraftedEval::default(), 1).unwrap())
    };
    let mcts = || -> Box<dyn Searcher<TixTax>> { Box::new(Mcts::new(1)) };
    let random = || -> Box<dyn Searcher<TixTax>> { Box::new(RandomMover) };
    let searchers: [&dyn Fn() -> Box<dyn Searcher<TixTax>>; 3] = [&alphabeta, &mcts, &random];
    for searcher in searchers {
        assert_eq!(answers(searcher), answers(searcher));
    }
}

#[test]
fn searches_respect_their_limits() {
    let start = TixTax::start();
    let mut alphabeta = AlphaBeta::new(HandcraftedEval::default(), 1).unwrap();
    let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    let report = run(&mut alphabeta, &task(start, nodes(10_000)));
    assert_eq!(report.nodes, 10_000);
    let report = run(&mut Mcts::new(1), &task(start, nodes(777)));
    assert_eq!(report.nodes, 777);
    let depth = Limits { depth: Some(4), ..Limits::default() };
    assert_eq!(run(&mut alphabeta, &task(start, depth)).depth, 4);
    let candidates = vec![start.parse_move("a1").unwrap(), start.parse_move("e5").unwrap()];
    for _ in 0..20 {
        let task = SearchTask { moves: candidates.clone(), ..task(start, nodes(5_000)) };
        assert!(candidates.contains(&run(&mut alphabeta, &task).best_move().unwrap()));
        assert!(candidates.contains(&run(&mut Mcts::new(1), &task).best_move().unwrap()));
        assert!(candidates.contains(&run(&mut RandomMover, &task).best_move().unwrap()));
    }
}

#[test]
fn several_threads_share_the_limit_of_nodes() {
    const NODES: u64 = 40_000;
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let mut positions = late_positions::<TixTax>(5, 30);
    positions.push(TixTax::start());
    for pos in positions {
        let mut searcher = AlphaBeta::new(HandcraftedEval::default(), 1).unwrap();
        let report = run(&mut searcher, &SearchTask { threads: 16, ..task(pos, limits) });
        assert!(report.nodes <= NODES + 16 * 64, "{pos}: {} nodes", report.nodes);
    }
}

#[test]
fn several_threads_prove_the_same_value() {
    for (pos, exact) in solved_late::<TixTax>(30, 9) {
        let mut searcher = AlphaBeta::new(HandcraftedEval::default(), 1).unwrap();
        let task = SearchTask { threads: 3, ..task(pos, Limits::default()) };
        assert_eq!(run(&mut searcher, &task).proven.map(ExactValue::value), Some(exact.value()));
    }
}

#[test]
fn a_win_in_n_plies_is_found_at_depth_n() {
    let (pos, exact) = solved_late::<TixTax>(200, 14)
        .find(|(_, exact)| matches!(exact, ExactValue::Win(5..)))
        .unwrap();
    let plies = exact.plies().map(u32::from);
    let mut searcher = AlphaBeta::new(HandcraftedEval::default(), 1).unwrap();
    let limits = Limits { win_within: plies, depth: plies, ..Limits::default() };
    assert_eq!(run(&mut searcher, &task(pos, limits)).proven, Some(exact));
}
