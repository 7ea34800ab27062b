//! `zermelo play --puzzles`.

use zermelo::language::Language;
use zermelo::rules::{StartPosition, Value};
use zermelo::search::SearchControl;
use zermelo::terminal::ConsoleInput;
use zermelo::terminal::PlayOptions;
use zermelo::thinking::puzzles::{Puzzle, PuzzleSelection};
use zermelo::thinking::registry;

use super::script::{Script, lines, options};
use crate::common::run_program;

const SELECTION: PuzzleSelection = PuzzleSelection { seed: 1, difficulty: None };

fn puzzle_options(game: &str) -> PlayOptions {
    PlayOptions { puzzles: Some(SELECTION), ..options(game) }
}

fn moves_to_find(puzzle: &Puzzle) -> Vec<&str> {
    let moves = puzzle.line.iter().step_by(2).take(puzzle.to_find);
    moves.map(String::as_str).collect()
}

fn last(puzzle: &Puzzle) -> &str {
    moves_to_find(puzzle).last().unwrap()
}

/// A puzzle that takes several moves, as the first of a selection.
fn puzzle_of_several_moves(game: &str) -> (PuzzleSelection, Puzzle) {
    let spec = registry::find(game).unwrap();
    let first = |seed| {
        let selection = PuzzleSelection { seed, difficulty: Some(2) };
        let control = SearchControl::default();
        (selection, spec.puzzles(&selection).next(&control, &mut |_| {}).unwrap())
    };
    (0..100).map(first).find(|(_, puzzle)| puzzle.to_find > 1).unwrap()
}

fn first_puzzles(game: &str, count: usize) -> Vec<Puzzle> {
    let mut generator = registry::find(game).unwrap().puzzles(&SELECTION);
    let control = SearchControl::default();
    (0..count).map(|_| generator.next(&control, &mut |_| {}).unwrap()).collect()
}

#[test]
fn a_wrong_move_gets_a_reason_and_a_second_try() {
    for game in registry::games() {
        let puzzles = first_puzzles(game.id, 3);
        let mut position = game.open();
        position.set_position(&StartPosition::from_text(&puzzles[1].fen), &[]).unwrap();
        let legal = position.legal_moves(zermelo::rules::Notation::Own);
        let wrong = legal.iter().find(|mv| *mv != puzzles[1].solution()).unwrap();
        let second = puzzles[1].solution();
        let others = legal.iter().filter(|mv| *mv != second && *mv != wrong);
        let hint = match others.count() {
            0 => "Only one move is left.",
            1 => "It is not ",
            _ => "It is one of these: ",
        };
        let mut typed = moves_to_find(&puzzles[0]);
        typed.extend(["", "nonsense", wrong, "hint", "help"]);
        typed.extend(moves_to_find(&puzzles[1]));
        typed.extend(["skip", "quit"]);
        let mut script = Script::new(lines(&typed));
        script.play(puzzle_options(game.id)).unwrap();
        let goal = if puzzles[0].value.value() == Value::Win { "wins" } else { "does not lose" };
        let parts = [
            &format!("Puzzle 1, difficulty {} of 5: find the only", puzzles[0].difficulty),
            goal,
            "hint skip help quit",
            &format!("Correct: {}", last(&puzzles[0])),
            &format!("{}: ", last(&puzzles[0])),
            "Solved 1 of 1 puzzle.",
            "Puzzle 2",
            "nonsense",
            &format!("That is wrong. {wrong}"),
            "Try once more.",
            hint,
            "show the solution",
            &format!("Correct: {}", last(&puzzles[1])),
            &format!("{}: ", last(&puzzles[1])),
            "Solved 2 of 2 puzzles.",
            "Puzzle 3",
            &format!("The only right move is {}", puzzles[2].solution()),
            &format!("{}: ", puzzles[2].solution()),
            "Solved 2 of 3 puzzles.",
            "Puzzle 4",
            "Solved 2 of 3 puzzles.",
            "Goodbye.",
        ];
        script.assert_printed(&parts);
        let mut hints = script.printed.iter().filter(|line| line.contains("It is one of these: "));
        let names_wrong = |line: &String| line.split([' ', '.']).any(|word| word == wrong);
        assert!(!hints.any(names_wrong), "a hint names the refuted move {wrong}");
    }
}

#[test]
fn several_moves_are_asked_one_after_the_other_with_the_replies_between_them() {
    for game in ["tictactoe", "nim", "tixtax"] {
        let (selection, puzzle) = puzzle_of_several_moves(game);
        let typed = moves_to_find(&puzzle);
        let options = PlayOptions { puzzles: Some(selection), ..options(game) };
        let mut script = Script::new(lines(&typed));
        script.play(options.clone()).unwrap();
        let count = puzzle.to_find;
        assert!(script.has_printed(&format!("There are {count} moves to find")), "{puzzle:?}");
        for number in 2..=count {
            let reply = &puzzle.line[2 * number - 3];
            let expected =
                format!("The opponent replies {reply}. Now find move {number} of {count}.");
            assert!(script.has_printed(&expected), "{expected}: {:?}", script.printed);
        }
        let correct = format!("Correct: {}", last(&puzzle));
        assert!(script.has_printed(&correct), "{:?}", script.printed);
        assert!(script.has_printed("Solved 1 of 1 puzzle."));
        // Only one try is left for all further moves.
        let mut typed = vec![typed[0]];
        let mut position = registry::find(game).unwrap().open();
        let setup = StartPosition::from_text(&puzzle.fen);
        position.set_position(&setup, &[typed[0], &puzzle.line[1]]).unwrap();
        let legal = position.legal_moves(zermelo::rules::Notation::Own);
        let wrong = legal.iter().find(|mv| **mv != puzzle.line[2]);
        let Some(wrong) = wrong else { continue };
        typed.extend([wrong.as_str(), wrong.as_str()]);
        let mut script = Script::new(lines(&typed));
        script.play(options).unwrap();
        assert!(script.has_printed(&format!("Wrong: {wrong} does not keep the value.")));
        assert!(script.has_printed(&format!("The only right move is {}", puzzle.line[2])));
        assert!(script.has_printed("Solved 0 of 1 puzzle."));
    }
}

#[test]
fn a_second_wrong_move_shows_the_solution_of_the_game_that_was_asked_for() {
    let puzzle = &first_puzzles("tictactoe", 1)[0];
    let mut position = registry::find("tictactoe").unwrap().open();
    position.set_position(&StartPosition::from_text(&puzzle.fen), &[]).unwrap();
    let mut legal = position.legal_moves(zermelo::rules::Notation::Own);
    legal.retain(|mv| mv != puzzle.solution());
    let typed = ["tictactoe", &legal[0], &legal[0]];
    let mut script = Script::new(lines(&typed));
    script.play(PlayOptions { asks_game: true, ..puzzle_options("tixtax") }).unwrap();
    assert!(script.has_printed(&format!("Wrong: {} does not keep the value.", legal[0])));
    assert!(script.has_printed(&format!("The only right move is {}", puzzle.solution())));
    assert!(script.has_printed("Solved 0 of 1 puzzle."));
}

#[test]
fn puzzles_end_when_there_are_no_more() {
    let mut script = Script::new(|_, _| ConsoleInput::Line("skip".to_owned()));
    script.play(puzzle_options("ponghauki")).unwrap();
    assert!(script.has_printed("There are no more puzzles."));
    assert!(script.has_printed("Solved 0 of 6 puzzles."));
    let chinese = PlayOptions { language: Language::Chinese, ..puzzle_options("ponghauki") };
    let mut script = Script::new(lines(&["跳过", "退出"]));
    script.play(chinese).unwrap();
    assert!(script.has_printed("1 题中解出 0 题。"));
}

#[test]
fn puzzle_flags_are_checked_and_a_seed_repeats_the_puzzles() {
    for line in [
        "play tixtax --difficulty 2",
        "play tixtax --seed 2",
        "play tixtax --puzzles --difficulty 6",
        "play tixtax --puzzles --opponent human",
        "play tixtax --puzzles --random 3",
    ] {
        let output = run_program(&line.split(' ').collect::<Vec<_>>(), b"");
        assert_eq!(output.status.code(), Some(2), "{line}");
    }
    let play = ["play", "nim", "--puzzles", "--seed", "5", "--difficulty", "2"];
    let output = run_program(&play, b"skip\nskip\n");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output, run_program(&play, b"skip\nskip\n"));
    assert!(String::from_utf8(output.stdout).unwrap().contains("Solved 0 of 2 puzzles."));
}
