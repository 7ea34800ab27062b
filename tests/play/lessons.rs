//! `zermelo play --lessons`.

use zermelo::language::Language;
use zermelo::teaching::lessons::lessons;
use zermelo::terminal::{ConsoleInput, PlayOptions};
use zermelo::thinking::registry::games;

use super::script::{Script, lines, options};
use crate::common::run_program;

fn lesson_options(game: &str, first: usize) -> PlayOptions {
    PlayOptions { lessons: Some(first), ..options(game) }
}

#[test]
fn a_wrong_move_is_explained_and_asked_again() {
    let typed = ["b2", "b3", "", "nonsense", "a3", "hint", "rules", "help", "c3", "quit"];
    let mut script = Script::new(lines(&typed));
    script.play(lesson_options("tictactoe", 0)).unwrap();
    let parts = [
        "Lessons: 1 Three in a row (rows), 2 Forks",
        "Lesson 1 of 3: Three in a row",
        "hint rules help quit",
        "Step 1 of 6. You are X",
        "The first player played b2.",
        "Right! ",
        "Step 2 of 6. Three X's in a row",
        "b3 is occupied",
        "Step 2 of 6.",
        "nonsense",
        "a3 is occupied",
        "Try c3.",
        "Three in a row, across, down or diagonally, win.",
        "show where",
        "Right! Three in a row: you win.",
        "Step 3 of 6.",
        "Goodbye.",
    ];
    script.assert_printed(&parts);
}

#[test]
fn the_lessons_of_each_game_can_be_done_in_both_languages() {
    for game in games() {
        for (_, language) in Language::ALL {
            let lessons = lessons(game).unwrap();
            let steps = lessons.iter().flat_map(|lesson| &lesson.steps);
            let mut answers = steps.map(|step| step.accepted[0].clone());
            let mut script = Script::new(move |_, _| {
                answers.next().map_or(ConsoleInput::End, ConsoleInput::Line)
            });
            script.play(PlayOptions { language, ..lesson_options(game.id, 0) }).unwrap();
            let last = format!("zermelo play {}", game.id);
            assert!(script.printed.join(" ").replace('\n', "").contains(&last), "{}", game.id);
        }
    }
}

#[test]
fn a_lesson_is_chosen_by_number_or_name() {
    for name in ["2", "forks", "FORKS"] {
        let arguments = ["play", "tictactoe", "--lessons", name, "--lang", "en"];
        let printed = String::from_utf8(run_program(&arguments, b"c2\n").stdout).unwrap();
        assert!(printed.contains("Lesson 2 of 3: Forks"), "{printed}");
        assert!(printed.contains("Not quite."), "{printed}");
    }
    let output = run_program(&["play", "tictactoe", "--lessons", "spoons"], b"");
    assert_eq!(output.status.code(), Some(2));
    let expected =
        "tictactoe has no lesson \"spoons\", expected 1 to 3 or one of rows, forks, openings";
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains(expected), "{message}");
}
