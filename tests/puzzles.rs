//! The command `puzzles`, and the puzzles of every game checked against independent solvers.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::process::Output;

#[cfg(unix)]
use crate::common::start_program;
use crate::common::{lines, run_program};
use serde_json::{Value as Json, json};
use zermelo::games::{Nim, PongHauKi, TicTacToe, TixTax, TixTaxCount, TixTaxOpen};
use zermelo::rules::{ExactValue, Game, GameNotation, Value};
use zermelo::search::SearchControl;
use zermelo::solve::{Prover, UniformHeuristic, reference::negamax};
use zermelo::thinking::puzzles::{MAX_MOVES_TO_FIND, Puzzle, PuzzleSelection, PuzzleShortage};
use zermelo::thinking::registry;

fn run(arguments: &str) -> Output {
    run_program(&arguments.split_whitespace().collect::<Vec<_>>(), b"")
}

/// Generates at most `count` puzzles; fewer if no more are found.
fn puzzles<G: GameNotation>(count: usize, seed: u64, difficulty: Option<u8>) -> Vec<Puzzle> {
    let game = registry::find(G::ID).unwrap();
    let mut generator = game.puzzles(&PuzzleSelection { seed, difficulty });
    let control = SearchControl::default();
    let next = || generator.next(&control, &mut |_| {}).ok();
    std::iter::from_fn(next).take(count).collect()
}

/// The solution must have the value of the puzzle and every other move a lower one, by an independent
/// solver that returns the value of a position for the side to move.
fn check_values<G: GameNotation>(puzzles: &[Puzzle], mut value_of: impl FnMut(&G) -> Value) {
    for puzzle in puzzles {
        let pos: G = puzzle.fen.parse().unwrap();
        let value = puzzle.value.value();
        assert!(value > Value::Loss && pos.move_count() > 1, "{puzzle:?}");
        assert_eq!(pos.move_count(), puzzle.legal_moves, "{puzzle:?}");
        for mv in pos.legal_moves() {
            let own = value_of(&pos.after(mv)).flip();
            match mv.to_string() == puzzle.solution() {
                true => assert_eq!(own, value, "{mv} in {puzzle:?}"),
                false => assert!(own < value, "{mv} in {puzzle:?}"),
            }
        }
        check_line(&pos, puzzle);
        check_moves_to_find(&pos, puzzle, &mut value_of);
    }
}

/// Each move to find must be the only one that keeps the value, the last one with alternatives; and the replies
/// between them must keep it, too.
fn check_moves_to_find<G: GameNotation>(
    start: &G,
    puzzle: &Puzzle,
    value_of: &mut impl FnMut(&G) -> Value,
) {
    let to_find = &puzzle.line[..2 * puzzle.to_find - 1];
    let mut pos = *start;
    let mut choices = 0;
    for (ply, found) in to_find.iter().enumerate() {
        choices = pos.move_count();
        for mv in pos.legal_moves() {
            let own = value_of(&pos.after(mv)).flip();
            let is_found = mv.to_string() == *found;
            let kept =
                if ply % 2 == 0 { puzzle.value.value() } else { puzzle.value.value().flip() };
            match is_found {
                true => assert_eq!(own, kept, "{mv} at ply {ply} in {puzzle:?}"),
                false if ply % 2 == 0 => assert!(own < kept, "{mv} at ply {ply} in {puzzle:?}"),
                false => assert!(own <= kept, "{mv} at ply {ply} in {puzzle:?}"),
            }
        }
        pos.play(pos.parse_move(found).unwrap()).unwrap();
    }
    assert!(choices > 1 && puzzle.to_find <= MAX_MOVES_TO_FIND, "{puzzle:?}");
}

/// The number of moves to find by its definition, from exact values: after the only good move the opponent
/// chooses, of the replies that are as good as any, one that leaves the most to find.
fn most_to_find<G: GameNotation>(
    pos: &G,
    left: usize,
    exact: &mut impl FnMut(&G) -> ExactValue,
) -> usize {
    let mut values: Vec<(ExactValue, G)> = Vec::new();
    for mv in pos.legal_moves() {
        values.push((exact(&pos.after(mv)).before_move(), pos.after(mv)));
    }
    let Some(best) = values.iter().map(|(value, _)| *value).max() else { return 0 };
    let good: Vec<G> =
        values.iter().filter(|(own, _)| own.value() == best.value()).map(|(_, pos)| *pos).collect();
    let [next] = good[..] else { return 0 };
    let mut rest = 0;
    if left > 1 {
        let replies = next.legal_moves().into_iter().map(|mv| next.after(mv));
        let replies: Vec<(ExactValue, G)> =
            replies.map(|pos| (exact(&pos).before_move(), pos)).collect();
        let longest = replies.iter().map(|(value, _)| *value).max();
        for (value, pos) in replies {
            if Some(value) == longest {
                rest = rest.max(most_to_find(&pos, left - 1, exact));
            }
        }
    }
    if rest > 0 { rest + 1 } else { usize::from(values.len() > 1) }
}

/// The line must be legal; a won one ends the game with the last move of the side to move.
fn check_line<G: GameNotation>(pos: &G, puzzle: &Puzzle) {
    let mut end = *pos;
    for mv in &puzzle.line {
        end.play(end.parse_move(mv).unwrap()).unwrap();
    }
    if let ExactValue::Win(plies) = puzzle.value {
        assert_eq!(puzzle.line.len(), usize::from(plies), "{puzzle:?}");
        assert_eq!(end.outcome().map(|outcome| outcome.value_for(pos.side())), Some(Value::Win));
    }
}

/// Difficulty and depth by their definition, from exact values of an independent solver.
fn check_difficulty<G: GameNotation>(puzzle: &Puzzle, mut exact: impl FnMut(&G) -> ExactValue) {
    let pos: G = puzzle.fen.parse().unwrap();
    let values: Vec<ExactValue> =
        pos.legal_moves().into_iter().map(|mv| exact(&pos.after(mv)).before_move()).collect();
    let best = values.iter().copied().max().unwrap();
    assert_eq!(best, puzzle.value, "{puzzle:?}");
    let wrong = values.iter().filter(|value| **value != best);
    let refutation = |value: &ExactValue| value.plies().into_iter().chain(best.plies()).min();
    let depth = wrong.filter_map(refutation).max().unwrap();
    let difficulty = depth.div_ceil(2).min(5) as u8;
    assert_eq!((puzzle.depth, puzzle.difficulty), (depth, difficulty), "{puzzle:?}");
}

/// The moves to find of each puzzle by [`most_to_find`]; some have several.
fn check_numbers_to_find<G: GameNotation>(
    puzzles: &[Puzzle],
    mut exact: impl FnMut(&G) -> ExactValue,
) {
    let mut known = HashMap::new();
    let mut exact = |pos: &G| *known.entry(*pos).or_insert_with(|| exact(pos));
    for puzzle in puzzles {
        let pos: G = puzzle.fen.parse().unwrap();
        let most = most_to_find(&pos, MAX_MOVES_TO_FIND, &mut exact);
        assert_eq!(puzzle.to_find, most, "{puzzle:?}");
    }
    assert!(puzzles.iter().any(|puzzle| puzzle.to_find > 1));
}

fn are_distinct_up_to_symmetry<G: GameNotation>(puzzles: &[Puzzle]) {
    let mut seen = HashSet::new();
    for puzzle in puzzles {
        let pos: G = puzzle.fen.parse().unwrap();
        assert!(!seen.contains(&pos), "{}", puzzle.fen);
        seen.extend((0..G::SYMMETRIES).map(|symmetry| pos.image(symmetry)));
    }
}

#[test]
fn tictactoe_has_exactly_the_puzzles_that_negamax_finds() {
    let found = puzzles::<TicTacToe>(usize::MAX, 3, None);
    check_values::<TicTacToe>(&found, |pos| negamax(pos).value());
    found.iter().for_each(|puzzle| check_difficulty::<TicTacToe>(puzzle, negamax));
    are_distinct_up_to_symmetry::<TicTacToe>(&found);
    check_numbers_to_find::<TicTacToe>(&found, negamax);
    let (mut seen, mut open, mut expected) = (HashSet::new(), vec![TicTacToe::start()], 0);
    while let Some(pos) = open.pop() {
        if seen.contains(&pos) {
            continue;
        }
        seen.extend((0..TicTacToe::SYMMETRIES).map(|symmetry| pos.image(symmetry)));
        let children: Vec<_> = pos.legal_moves().into_iter().map(|mv| pos.after(mv)).collect();
        let replies: Vec<Value> = children.iter().map(|child| negamax(child).value()).collect();
        let best = replies.iter().min();
        let keep = replies.iter().filter(|value| Some(*value) == best).count();
        expected += usize::from(replies.len() > 1 && keep == 1 && best < Some(&Value::Win));
        open.extend(children);
    }
    assert_eq!(found.len(), expected);
}

#[test]
fn puzzles_of_ponghauki_are_proven_and_graded() {
    /// No forced win is longer than one move, so this depth is more than enough.
    const DEPTH: u32 = 12;
    fn exact(pos: &PongHauKi, depth: u32) -> ExactValue {
        if let Some(outcome) = pos.outcome() {
            return ExactValue::from_outcome(outcome, pos.side());
        }
        let moves = pos.legal_moves().into_iter().filter(|_| depth > 0);
        let values = moves.map(|mv| exact(&pos.after(mv), depth - 1).before_move());
        values.max().unwrap_or(ExactValue::Draw)
    }
    let found = puzzles::<PongHauKi>(usize::MAX, 1, None);
    assert!(!found.is_empty());
    check_values::<PongHauKi>(&found, |pos| exact(pos, DEPTH).value());
    for puzzle in &found {
        check_difficulty::<PongHauKi>(puzzle, |pos| exact(pos, DEPTH));
    }
    are_distinct_up_to_symmetry::<PongHauKi>(&found);
}

/// Exact values of Nim from the sorted heaps, by trying all moves.
#[derive(Default)]
struct NimSolver(HashMap<Vec<u8>, ExactValue>);

impl NimSolver {
    fn exact(&mut self, mut heaps: Vec<u8>) -> ExactValue {
        heaps.retain(|heap| *heap > 0);
        heaps.sort_unstable();
        if let Some(known) = self.0.get(&heaps) {
            return *known;
        }
        let mut best = ExactValue::Loss(0);
        for index in 0..heaps.len() {
            for size in 0..heaps[index] {
                let mut next = heaps.clone();
                next[index] = size;
                best = best.max(self.exact(next).before_move());
            }
        }
        self.0.insert(heaps, best);
        best
    }
}

#[test]
fn puzzles_of_nim_have_one_move_to_nim_sum_zero_and_are_graded() {
    let found = puzzles::<Nim>(300, 1, None);
    assert_eq!(found.len(), 300);
    check_values::<Nim>(&found, |pos| match pos.heaps().fold(0, |sum, heap| sum ^ heap) {
        0 => Value::Loss,
        _ => Value::Win,
    });
    let mut solver = NimSolver::default();
    for puzzle in &found {
        check_difficulty::<Nim>(puzzle, |pos| solver.exact(pos.heaps().collect()));
    }
    check_numbers_to_find::<Nim>(&found[..30], |pos| solver.exact(pos.heaps().collect()));
    are_distinct_up_to_symmetry::<Nim>(&found);
}

/// Values by proof-number search; difficulties by negamax where it is fast enough.
fn check_late_puzzles<G: GameNotation>() {
    let found = puzzles::<G>(100, 1, None);
    assert_eq!(found.len(), 100);
    let mut prover = Prover::new(UniformHeuristic, 1 << 24).unwrap();
    check_values::<G>(&found, |pos| prover.prove(pos, u64::MAX, &mut || false).value().unwrap());
    let is_late = |puzzle: &&Puzzle| {
        puzzle.fen.parse::<G>().unwrap().max_plies_left().is_some_and(|left| left <= 9)
    };
    let late: Vec<_> = found.iter().filter(is_late).collect();
    assert!(late.len() > 10, "{}", late.len());
    late.iter().for_each(|puzzle| check_difficulty::<G>(puzzle, negamax));
    check_numbers_to_find::<G>(&late.into_iter().cloned().collect::<Vec<_>>(), negamax);
    are_distinct_up_to_symmetry::<G>(&found);
}

#[test]
fn puzzles_of_ultimate_tictactoe_are_proven() {
    check_late_puzzles::<TixTax>();
    check_late_puzzles::<TixTaxOpen>();
    check_late_puzzles::<TixTaxCount>();
}

#[test]
fn a_longer_list_of_puzzles_starts_with_the_shorter_one() {
    fn check<G: GameNotation>() {
        let found = puzzles::<G>(20, 4, None);
        assert_eq!(puzzles::<G>(5, 4, None), found[..5]);
        assert_ne!(puzzles::<G>(20, 5, None), found);
    }
    check::<TicTacToe>();
    check::<Nim>();
    check::<TixTax>();
    check::<TixTaxOpen>();
    check::<TixTaxCount>();
}

#[test]
fn games_have_the_documented_difficulties() {
    fn check<G: GameNotation>(difficulties: &[u8]) {
        for difficulty in 1..=5 {
            let found = puzzles::<G>(3, 1, Some(difficulty));
            assert!(found.iter().all(|puzzle| puzzle.difficulty == difficulty));
            assert_eq!(!found.is_empty(), difficulties.contains(&difficulty), "{}", G::ID);
        }
    }
    check::<TicTacToe>(&[1, 2, 3]);
    check::<PongHauKi>(&[1]);
    check::<Nim>(&[1, 2, 3, 4, 5]);
    check::<TixTax>(&[1, 2, 3, 4, 5]);
    check::<TixTaxOpen>(&[1, 2, 3, 4, 5]);
}

#[test]
fn a_stopped_generator_returns_no_puzzle() {
    let control = SearchControl::default();
    control.stop();
    let mut generator =
        registry::default_game().puzzles(&PuzzleSelection { seed: 0, difficulty: None });
    assert_eq!(generator.next(&control, &mut |_| {}), Err(PuzzleShortage::Stopped));
}

/// Ctrl-C ends the program with exit code 1 and whole lines: the first ones of the list.
#[cfg(unix)]
#[test]
fn an_interrupt_keeps_the_puzzles_found_so_far() {
    use std::io::{BufRead, BufReader, Read};

    use rustix::process::{Pid, Signal, kill_process};

    let mut child = start_program(&["puzzles", "--count", "1000000", "--seed", "1"]);
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    for _ in 0..3 {
        assert!(stdout.read_line(&mut text).unwrap() > 0, "{text}");
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    stdout.read_to_string(&mut text).unwrap();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{stderr}");
    let found: Vec<&str> = text.lines().collect();
    let message = format!("zermelo: interrupted after {} of 1000000 puzzles", found.len());
    assert_eq!(lines(stderr.as_bytes()), [message]);
    assert!(text.ends_with('\n'), "{text}");
    let first = run("puzzles --count 3 --seed 1");
    assert_eq!(lines(&first.stdout), found[..3]);
}

#[test]
fn text_and_json_describe_the_same_puzzles() {
    for game in registry::games() {
        let line = format!("puzzles --game {} --count 4 --seed 9", game.id);
        let (text, objects) = (run(&line), run(&format!("{line} --json")));
        assert_eq!((text.status.code(), objects.status.code()), (Some(0), Some(0)), "{line}");
        assert!(text.stderr.is_empty() && objects.stderr.is_empty());
        let (text, objects) = (lines(&text.stdout), lines(&objects.stdout));
        assert_eq!((text.len(), objects.len()), (4, 4));
        for (text, object) in text.into_iter().zip(objects) {
            let fields: Vec<&str> = text.splitn(6, ' ').collect();
            let object: BTreeMap<String, Json> = serde_json::from_str(object).unwrap();
            let keys: Vec<&str> = object.keys().map(String::as_str).collect();
            let expected = [
                "depth",
                "difficulty",
                "fen",
                "game",
                "legal",
                "line",
                "plies",
                "schema",
                "solution",
                "to_find",
                "value",
            ];
            assert_eq!(keys, expected);
            assert_eq!((&object["schema"], &object["game"]), (&json!(1), &json!(game.id)));
            assert_eq!(fields[0], object["difficulty"].to_string());
            assert_eq!(json!(fields[1]), object["value"]);
            assert_eq!(fields[2].replace('-', "null"), object["plies"].to_string());
            assert_eq!(json!(fields[3]), object["solution"]);
            assert_eq!(json!(fields[4].split(',').collect::<Vec<_>>()), object["line"]);
            assert_eq!(json!(fields[5]), object["fen"]);
        }
    }
}

#[test]
fn all_puzzles_are_printed_if_fewer_exist_than_requested() {
    let output = run("puzzles --game ponghauki --count 100");
    let found = puzzles::<PongHauKi>(usize::MAX, 0, None).len();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(lines(&output.stdout).len(), found);
    let note = format!("zermelo: found {found} of 100 puzzles: no more such puzzles exist");
    assert_eq!(lines(&output.stderr), [note]);
}

#[test]
fn progress_is_reported_on_stderr() {
    let output = run("puzzles --game tictactoe --count 2 --progress");
    assert_eq!(lines(&output.stderr)[0], "0 of 2 puzzles, 0 positions, 0 s");
    assert_eq!(lines(&output.stdout).len(), 2);
}

#[test]
fn bad_usage_of_puzzles_is_refused() {
    for line in [
        "puzzles",
        "puzzles --count 0",
        "puzzles --count 1000001",
        "puzzles --count 1 --difficulty 0",
        "puzzles --count 1 --difficulty 6",
        "puzzles --count 1 --seed x",
        "puzzles --count 1 --game chess",
        "puzzles --count 1 --game ugi",
    ] {
        let output = run(line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{line}");
    }
}
