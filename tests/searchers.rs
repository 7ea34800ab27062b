//! Every searcher against plain negamax, on seeded positions of every game.

use std::time::Duration;

use zermelo::eval::{HandcraftedEval, Net};
use zermelo::games::{Nim, PongHauKi, TicTacToe, TixTax, TixTaxOpen};
use zermelo::rules::random::random_late_position;
use zermelo::rules::{ExactValue, Game, Outcome, Record, Side, SplitMix, Value};
use zermelo::search::{
    AlphaBeta, EvalGuide, Evaluator, Limits, Mcts, Points, ProvenValue, RandomMover, Score,
    SearchControl, SearchReport, SearchTask, Searcher, TimeBudget, ZeroEval,
};
use zermelo::solve::{Minimax, Oracle, Prover, Retrograde, SpragueGrundy, reference};

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

/// Unfinished positions of random games with at most `plies` to go.
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

/// All positions of Pong Hau K'i that random play meets.
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

fn late<G: Game>(count: usize, plies: u32) -> impl Iterator<Item = (G, ExactValue)> {
    late_positions(count, plies).into_iter().map(|pos| (pos, reference::negamax(&pos)))
}

fn proven<G: Game>(report: &SearchReport<G::Move>) -> Option<ExactValue> {
    report.proven.map(ProvenValue::nominal)
}

fn alphabeta_proves<G: Game, E: Evaluator<G>>(
    evaluator: &E,
    positions: impl Iterator<Item = (G, ExactValue)>,
) {
    let mut searcher = AlphaBeta::<G, E>::new(evaluator.clone(), 1).unwrap();
    for (pos, exact) in positions {
        let report = run(&mut searcher, &task(pos, Limits::default()));
        assert_eq!(proven::<G>(&report), Some(exact), "{pos}");
        if let Some(plies) = exact.plies() {
            assert_eq!(
                report.lines[0].moves.len(),
                usize::from(plies),
                "{pos}: the line is the proof"
            );
        }
    }
}

#[test]
fn alphabeta_finds_exact_values_and_distances() {
    alphabeta_proves::<TicTacToe, _>(&ZeroEval, late(100, 9));
    alphabeta_proves::<Nim, _>(&ZeroEval, late(100, 7));
    alphabeta_proves::<TixTax, _>(&HandcraftedEval::default(), late(100, 9));
    alphabeta_proves::<TixTaxOpen, _>(&HandcraftedEval::default(), late(100, 9));
}

#[test]
fn alphabeta_sees_through_circles() {
    let mut searcher = AlphaBeta::<PongHauKi, _>::new(ZeroEval, 1).unwrap();
    for pos in ponghauki_positions() {
        let exact = reference::negamax(&pos);
        let limits = Limits { depth: Some(24), ..Limits::default() };
        let report = run(&mut searcher, &task(pos, limits));
        match exact {
            ExactValue::Draw => assert_eq!(report.lines[0].score.points(), 0, "{pos}"),
            exact => assert_eq!(proven::<PongHauKi>(&report), Some(exact), "{pos}"),
        }
    }
}

fn mcts_proves<G: Game>(positions: impl Iterator<Item = (G, ExactValue)>) {
    for (pos, exact) in positions {
        let limits = Limits { nodes: Some(400_000), ..Limits::default() };
        let report = run(&mut Mcts::new(16), &task(pos, limits));
        let found = proven::<G>(&report).unwrap_or_else(|| panic!("{pos}: not proven"));
        assert_eq!(found.value(), exact.value(), "{pos}");
        if exact.value() == Value::Win {
            assert!(found <= exact, "{pos}: faster than the fastest win");
        }
        let is_exact = report.proven.is_some_and(ProvenValue::is_exact);
        assert!(!is_exact || found == exact, "{pos}: {found} is not the distance");
    }
}

#[test]
fn mcts_proves_what_it_can_see_whole() {
    mcts_proves::<TicTacToe>(late(50, 9));
    mcts_proves::<Nim>(late(50, 6));
    mcts_proves::<TixTax>(late(50, 8));
    mcts_proves::<TixTaxOpen>(late(50, 8));
}

/// A draw in hand is no proof while a winning move is still open.
#[test]
fn mcts_does_not_take_a_drawn_move_for_a_drawn_position() {
    let pos: TicTacToe = "xxo/3/3 o".parse().unwrap();
    let exact = reference::negamax(&pos).value();
    assert_eq!(exact, Value::Win);
    for nodes in 1..2000 {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let report = run(&mut Mcts::new(1), &task(pos, limits));
        assert!(report.proven.is_none_or(|proven| proven.value() == exact), "{nodes} roll-outs");
    }
}

#[test]
fn mcts_never_claims_what_is_not_so() {
    for pos in ponghauki_positions() {
        let limits = Limits { nodes: Some(3_000), ..Limits::default() };
        let report = run(&mut Mcts::new(1), &task(pos, limits));
        if let Some(found) = proven::<PongHauKi>(&report) {
            assert_eq!(found.value(), reference::negamax(&pos).value(), "{pos}");
        }
    }
}

fn oracle_agrees<G: Game>(
    oracle: &mut impl Oracle<G>,
    positions: impl Iterator<Item = (G, ExactValue)>,
) {
    for (pos, exact) in positions {
        assert_eq!(oracle.exact(&pos), exact, "{pos}");
    }
}

#[test]
fn oracles_agree_with_plain_negamax() {
    oracle_agrees(&mut Minimax::<TicTacToe>::default(), late(100, 9));
    oracle_agrees(&mut Retrograde::<TicTacToe>::default(), late(100, 9));
    oracle_agrees(&mut Retrograde::<TixTax>::default(), late(300, 8));
    oracle_agrees(&mut SpragueGrundy::default(), late::<Nim>(100, 7));
    let known = |pos: PongHauKi| (pos, reference::negamax(&pos));
    let circles = ponghauki_positions().into_iter().map(known);
    oracle_agrees(&mut Retrograde::<PongHauKi>::default(), circles);
    let mut turned = SpragueGrundy::default();
    for pos in late_positions::<Nim>(50, 40) {
        assert_eq!(turned.exact(&pos), turned.exact(&pos.image(1)), "{pos}");
    }
}

/// Negamax to a depth with the same evaluation, without any of the tricks.
fn plain<E: Evaluator<TixTax>>(pos: &TixTax, depth: u32, evaluator: &mut E) -> Option<Points> {
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
        best = best.max(-plain(&pos.after(mv), depth - 1, evaluator)?);
    }
    Some(best)
}

#[test]
fn alphabeta_is_negamax_made_fast() {
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
        let Some(expected) = plain(&pos, depth, &mut HandcraftedEval::default()) else { continue };
        let mut searcher = AlphaBeta::new(HandcraftedEval::default(), 1).unwrap().unselective();
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

/// Whether the mover can force a win in so many plies.
fn wins_within<G: Game>(pos: &G, plies: u32) -> bool {
    let loses = |pos: &G| {
        let lost = pos.outcome().map(|outcome| outcome.value_for(pos.side()) == Value::Loss);
        let all_lose =
            || pos.legal_moves().into_iter().all(|mv| wins_within(&pos.after(mv), plies - 2));
        lost.unwrap_or_else(|| plies > 2 && all_lose())
    };
    plies > 0 && pos.legal_moves().into_iter().any(|mv| loses(&pos.after(mv)))
}

/// With a table full of estimates from before, and by moves that would have been left out.
#[test]
fn a_short_win_is_found_exactly_if_there_is_one() {
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
            let told = matches!(report.proven, Some(ProvenValue::Win(own)) if u32::from(own.plies()) <= plies);
            assert_eq!(told, wins_within(&pos, plies), "{pos}: {plies}");
            if let (true, Some(proven)) = (told, report.proven) {
                let distance = proven.plies().map(u32::from).unwrap();
                assert!(proven.is_exact() && !wins_within(&pos, distance - 1), "{pos}: {proven}");
            }
            found[usize::from(told && plies > 1)] += 1;
        }
    }
}

#[test]
fn that_there_is_no_win_is_proven_too() {
    // A draw, and a loss: no number of plies will do, and nobody looks 61 plies ahead to see it.
    for fen in [
        "x2o4x/1x3xxox/1oxo2xxo/2ooxxooo/4ox3/9/1xo2ooo1/1x5o1/1x1o1x2x x 18 h6",
        "4xooxx/oxx1o3x/3o2o1x/2xooox2/xx4oxo/2ox1xx1o/5o1xo/ooo2o2x/xx5xo x 21 -",
    ] {
        let pos: TixTax = fen.parse().unwrap();
        let mut searcher = AlphaBeta::new(Net::embedded().unwrap(), 16).unwrap();
        let limits = Limits { win_within: Some(61), ..Limits::default() };
        let report = run(&mut searcher, &task(pos, limits));
        assert!(
            matches!(report.proven, Some(ProvenValue::Draw | ProvenValue::Loss(_))),
            "{fen}: {report:?}"
        );
    }
}

#[test]
fn more_lines_are_the_next_best_moves() {
    let pos: TicTacToe = "x1o/1x1/2o x".parse().unwrap();
    let mut searcher = AlphaBeta::<TicTacToe, _>::new(ZeroEval, 1).unwrap();
    let all = SearchTask { multi_pv: 99, ..task(pos, Limits::default()) };
    let report = run(&mut searcher, &all);
    assert_eq!(report.lines.len(), pos.legal_moves().len());
    for line in &report.lines {
        let exact = reference::negamax(&pos.after(line.moves[0])).before_move();
        let proven = line.score.proven().map(ProvenValue::nominal);
        assert_eq!(proven, Some(exact), "{}", line.moves[0]);
    }
}

/// Wherever a search is interrupted, what it claims is so, and a score that wins is a claim.
#[test]
fn interruption_neither_invents_nor_hides_proofs() {
    for (pos, exact) in late::<Nim>(60, 8) {
        for nodes in (1..400).step_by(7) {
            let mut searcher = AlphaBeta::<Nim, _>::new(ZeroEval, 1).unwrap();
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let report = run(&mut searcher, &task(pos, limits));
            let proven = report.proven.map(ProvenValue::nominal);
            assert!(proven.is_none_or(|proven| proven == exact), "{pos}: {nodes} nodes");
            if matches!(report.lines[0].score.proven(), Some(ProvenValue::Win(_))) {
                assert_eq!(proven, Some(exact), "{pos}: {nodes} nodes");
            }
        }
    }
}

#[test]
fn the_same_search_gives_the_same_answer() {
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
fn limits_are_kept() {
    let start = TixTax::start();
    let mut alphabeta = AlphaBeta::new(HandcraftedEval::default(), 1).unwrap();
    let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    let report = run(&mut alphabeta, &task(start, nodes(10_000)));
    assert_eq!(report.nodes, 10_000);
    let report = run(&mut Mcts::new(1), &task(start, nodes(777)));
    assert_eq!(report.nodes, 777);
    let depth = Limits { depth: Some(4), ..Limits::default() };
    assert_eq!(run(&mut alphabeta, &task(start, depth)).depth, 4);
    let few = vec![start.parse_move("a1").unwrap(), start.parse_move("e5").unwrap()];
    for _ in 0..20 {
        let task = SearchTask { moves: few.clone(), ..task(start, nodes(5_000)) };
        assert!(few.contains(&run(&mut alphabeta, &task).best_move().unwrap()));
        assert!(few.contains(&run(&mut Mcts::new(1), &task).best_move().unwrap()));
        assert!(few.contains(&run(&mut RandomMover, &task).best_move().unwrap()));
    }
}

#[test]
fn threads_agree_on_what_is_proven() {
    for (pos, exact) in late::<TixTax>(30, 9) {
        let mut searcher = AlphaBeta::new(HandcraftedEval::default(), 1).unwrap();
        let task = SearchTask { threads: 3, ..task(pos, Limits::default()) };
        assert_eq!(
            proven::<TixTax>(&run(&mut searcher, &task)).map(ExactValue::value),
            Some(exact.value())
        );
    }
}

#[test]
fn a_win_within_so_many_plies_is_found_by_looking_so_far() {
    let (pos, exact) =
        late::<TixTax>(200, 14).find(|(_, exact)| matches!(exact, ExactValue::Win(5..))).unwrap();
    let plies = exact.plies().map(u32::from);
    let mut searcher = AlphaBeta::new(HandcraftedEval::default(), 1).unwrap();
    let limits = Limits { win_within: plies, depth: plies, ..Limits::default() };
    assert_eq!(proven::<TixTax>(&run(&mut searcher, &task(pos, limits))), Some(exact));
}

/// The known values of late positions, and what the prover says of the move that is chosen.
#[test]
fn solved_positions_are_proven_or_at_least_not_given_away() {
    let mut claims = 0;
    let mut prover = Prover::new(EvalGuide(Net::embedded().unwrap()), 64 << 20).unwrap();
    for line in include_str!("data/tixtax-solved.txt").lines() {
        let (value, fen) = line.split_once(' ').unwrap();
        let pos: TixTax = fen.parse().unwrap();
        let mut searcher = AlphaBeta::new(Net::embedded().unwrap(), 16).unwrap();
        let limits = Limits { nodes: Some(2_500_000), ..Limits::default() };
        let report = run(&mut searcher, &task(pos, limits));
        if let Some(exact) = proven::<TixTax>(&report) {
            assert_eq!(exact.value().to_string(), value, "{fen}");
            claims += 1;
        }
        let behind = pos.after(report.best_move().unwrap());
        let reply = prover.prove(&behind, u64::MAX, &mut || false).value().unwrap();
        assert_eq!(reply.flip().to_string(), value, "{fen} {report:?}");
    }
    assert!(claims >= 20, "{claims}");
}

/// Where a move had time enough for the proof of a win, the next ones have, too, however little the
/// tables hold.
#[test]
fn a_proven_value_is_kept_from_move_to_move() {
    let fen = "x1x2xox1/4o1oo1/1oo1o3x/5o3/ox1xxx1o1/xo3o1o1/x1x1x1oo1/3x1x3/oo1ox1x1x x 19 b7";
    let mut searcher = AlphaBeta::new(Net::embedded().unwrap(), 1).unwrap();
    let mut pos: TixTax = fen.parse().unwrap();
    let winner = pos.side();
    let mut claimed = false;
    while pos.outcome().is_none() {
        let limits = Limits { nodes: Some(200_000), ..Limits::default() };
        let report = run(&mut searcher, &task(pos, limits));
        claimed |= matches!(report.proven, Some(ProvenValue::Win(_)));
        pos.play_unchecked(report.best_move().unwrap());
    }
    assert!(claimed);
    assert_eq!(pos.outcome(), Some(Outcome::Win(winner)));
}

/// A proven win is played to its end, whatever the replies, and a draw is held, though there be no time for more than a
/// glance. How many wins and draws there were.
fn values_that_are_kept(nodes: u64, mebibytes: usize) -> [usize; 2] {
    let no_time = Limits { budget: TimeBudget::fixed(Duration::ZERO), ..Limits::default() };
    let (mut random, mut kept) = (SplitMix::new(3), [0; 2]);
    for mut pos in late_positions::<TixTax>(150, 34) {
        let mut searcher = AlphaBeta::new(Net::embedded().unwrap(), mebibytes).unwrap();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut report = run(&mut searcher, &task(pos, limits));
        let Some(value @ (Value::Win | Value::Draw)) = report.proven.map(ProvenValue::value) else {
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
                assert!(matches!(report.proven, Some(ProvenValue::Win(_))), "{pos}: {report:?}");
                for other in before.legal_moves().into_iter().map(|reply| before.after(reply)) {
                    let report = run(&mut searcher, &task(other, no_time));
                    assert!(
                        matches!(report.proven, Some(ProvenValue::Win(_))),
                        "{other}: {report:?}"
                    );
                }
            }
        };
        assert!(outcome.value_for(side) >= value, "{pos}");
    }
    kept
}

/// Not even where the last plies would take a second to search through.
#[test]
fn a_glance_is_short() {
    let mut searcher = AlphaBeta::new(Net::embedded().unwrap(), 1).unwrap();
    let no_time = Limits { budget: TimeBudget::fixed(Duration::ZERO), ..Limits::default() };
    let mut most = 0;
    for pos in late_positions::<TixTax>(2000, 16) {
        searcher.clear();
        most = most.max(run(&mut searcher, &task(pos, no_time)).nodes);
    }
    assert!((2000..6000).contains(&most), "{most}");
}

/// So few nodes are not enough for the prover to begin.
#[test]
fn what_the_tree_search_proved_is_not_forgotten_without_time() {
    assert!(values_that_are_kept(8_000, 16)[0] > 5);
}

/// In a small table, too, that forgets.
#[test]
fn what_the_prover_proved_is_not_forgotten_without_time() {
    for mebibytes in [1, 16] {
        let kept = values_that_are_kept(100_000, mebibytes);
        assert!(kept[0] > 10 && kept[1] > 1, "{mebibytes}: {kept:?}");
    }
}

/// The same without judgement: what is claimed must be so.
#[test]
fn nothing_false_is_proven_of_the_solved_positions() {
    let mut claims = 0;
    for line in include_str!("data/tixtax-solved.txt").lines() {
        let (value, fen) = line.split_once(' ').unwrap();
        let pos: TixTax = fen.parse().unwrap();
        assert_eq!(pos.to_string(), fen);
        let mut searcher = AlphaBeta::new(HandcraftedEval::default(), 16).unwrap();
        let limits = Limits { nodes: Some(1_000_000), ..Limits::default() };
        if let Some(exact) = proven::<TixTax>(&run(&mut searcher, &task(pos, limits))) {
            assert_eq!(exact.value().to_string(), value, "{fen}");
            claims += 1;
        }
    }
    assert!(claims >= 3, "{claims}");
}
