//! Hints, explanations and the values of moves.

use std::time::Duration;

use zermelo::language::Language;
use zermelo::rules::{Notation, StartPosition};
use zermelo::terminal::PlayOptions;
use zermelo::thinking::registry;

use super::script::{Script, lines, two_human_options};

/// What a game between two human players prints, on one line.
fn output_in(language: Language, game: &str, fen: &str, typed: &[&str]) -> String {
    let mut script = Script::new(lines(typed));
    let fen = Some(fen.to_owned());
    script.play(PlayOptions { fen, language, ..two_human_options(game) }).unwrap();
    script.printed.join(if language == Language::Chinese { "" } else { " " })
}

fn output_of(game: &str, fen: &str, typed: &str) -> String {
    output_in(Language::English, game, fen, &[typed])
}

#[test]
fn hints_give_the_reason_in_the_terms_of_the_game() {
    for (game, fen, hint) in [
        ("tictactoe", "xx1/1o1/3 o", "c3: proven draw. Blocks three in a row"),
        ("tictactoe", "xox/3/o2 x", "c1: proven win in 3 moves, counting both sides. Makes a fork"),
        ("tictactoe", "x2/3/3 o", "b2: proven draw. Takes the centre; the only move that"),
        (
            "nim",
            "rr6/8/8/8/8/1b1rrrrr/2rbbbbb/b1b5 b",
            "a1a3: proven win in 9 moves, counting both sides. Reduces the gap of file a from 6 to 4, which brings the nim-sum from 2 to 0; pairs off \
             with file b; the only winning move. Then ",
        ),
        (
            "nim",
            "rr6/8/8/8/8/bbrrrrrr/2bbbbbb/8 b",
            "a3a4: proven loss in 8 moves, counting both sides. Leaves the nim-sum at 7, not 0; every move loses, this one lasts longest. Then ",
        ),
        ("ponghauki", "xx/1/oo x 0", "a3b2: proven draw. The only legal move. Then "),
        ("ponghauki", "1x/x/oo x 1", "c3a3: wins at once. Traps the opponent. Goodbye"),
        ("tictactoe", "xx1/oo1/3 x", "c3: wins at once. Goodbye"),
    ] {
        let output = output_of(game, fen, "hint");
        assert!(output.contains(hint), "{fen}: {output}");
        if let Some((_, line)) = output.split_once(" Then ") {
            let (start, (best, _)) =
                (StartPosition::from_text(fen), hint.split_once(": ").unwrap());
            let moves: Vec<&str> = line.split_once('.').unwrap().0.split(' ').collect();
            let mut position = registry::find(game).unwrap().open();
            position.set_position(&start, &[&[best], &moves[..]].concat()).unwrap();
        }
    }
    let hint = output_in(Language::Chinese, "tictactoe", "xox/3/o2 x", &["提示"]);
    assert!(hint.contains("形成双杀（b2、c2）；唯一的制胜着法。"), "{hint}");
}

#[test]
fn explanations_name_the_best_reply_and_a_better_move() {
    const CLOSED: &str =
        "1x6o/1x1o1xxxx/1x1ooo1oo/1xo3ooo/8x/1x1ooo3/2x1x1oxx/2xoxo2x/2o1xx1ox o 20 -";
    for (game, fen, typed, expected) in [
        (
            "tictactoe",
            "x2/3/3 o",
            "explain b3",
            "b3: proven loss in 6 moves, counting both sides. Best reply: a2 (threatens three in a \
             row at a1). Then a1 b2 c3 c2. Better: b2, proven draw (takes the centre; the only move that does not lose).",
        ),
        (
            "tictactoe",
            "xx1/1o1/3 o",
            "explain a1",
            "Threatens three in a row at c3. Best reply: c3 (wins the game). Better: c3, proven draw",
        ),
        ("tictactoe", "xx1/oo1/3 x", "explain c3", "c3: wins at once. your"),
        (
            "ponghauki",
            "1x/x/oo x 1",
            "explain b2",
            "Leaves both pieces on a3 and c3. Best reply: c1b2 (traps the opponent). \
             Better: c3a3, wins at once (traps the opponent).",
        ),
        // The opponent could win a board, but the best reply does not.
        ("tixtax", CLOSED, "explain a5", "a5: proven draw. Best reply: a6. No move is better."),
        (
            "tixtax",
            "4o4/3xo1o2/3x1o3/1x2o2x1/2o5x/o2x3xo/2xo3x1/2o3xx1/1oox5 x 13 d3",
            "explain a7",
            "Lets the opponent win the bottom left board. Best reply: a1 (wins the bottom left board",
        ),
    ] {
        let output = output_of(game, fen, typed).replace("Goodbye", "your");
        assert!(output.contains(expected), "{fen} {typed}: {output}");
    }
}

#[test]
fn every_legal_move_is_explained_in_both_languages() {
    for spec in registry::games() {
        let mut position = spec.open();
        let setup = StartPosition::Random { seed: 5, plies: Some(4) };
        position.set_position(&setup, &[]).unwrap();
        let moves = position.legal_moves(Notation::Own);
        let typed: Vec<String> = moves.iter().map(|mv| format!("explain {mv}")).collect();
        let typed: Vec<&str> = typed.iter().map(String::as_str).take(12).collect();
        for (language, colon) in [(Language::English, ": "), (Language::Chinese, "：")] {
            let output = output_in(language, spec.id, &position.fen(), &typed);
            for mv in &moves[..typed.len()] {
                assert!(output.contains(&format!("{mv}{colon}")), "{mv}: {output}");
            }
        }
    }
}

#[test]
fn moves_are_listed_with_their_values_best_first() {
    let moves = output_of("tictactoe", "xx1/oo1/3 x", "moves");
    assert!(moves.contains("5 legal moves, best first, counting"), "{moves}");
    assert!(moves.contains("c3 win in 1    c2 draw        a1 loss in 2"), "{moves}");
    let moves = output_of("tixtax", "startpos", "moves");
    assert!(moves.contains("81 legal moves, best first: ") && moves.contains(" % "), "{moves}");
    let moves = output_in(Language::Chinese, "nim", "rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b", &["着法"]);
    assert!(
        moves.contains("共 48 种着法，从好到坏（步数为双方合计）：") && moves.contains(" 步负")
    );
}

#[test]
fn the_coach_warns_before_a_bad_move_and_offers_to_take_it_back() {
    let output = |typed: &[&str], coach: bool, interactive: bool| {
        let mut script = Script::new(lines(typed));
        script.interactive = interactive;
        script.play(PlayOptions { coach, ..two_human_options("tictactoe") }).unwrap();
        script.printed.join(" ")
    };
    let warning = "Careful: this move turns a draw into a loss for you. b3: proven loss in 6 moves, \
        counting both sides. Best reply: a2 (threatens three in a row at a1). Then ";
    for (typed, played) in [
        (&["a3", "b3", "", "b2"][..], "b2"),
        (&["a3", "b3", "yes", "b2"], "b2"),
        (&["a3", "b3", "no"], "b3"),
        (&["a3", "b3", "maybe", "n"], "b3"),
    ] {
        let output = output(typed, true, true);
        assert_eq!(output.matches(warning).count(), 1, "{typed:?}: {output}");
        assert!(output.contains(&format!("second player played {played}.")), "{output}");
        assert_eq!(output.contains("player played b3."), played == "b3", "{typed:?}: {output}");
    }
    // A script cannot answer: its move is played.
    let unattended = output(&["a3", "b3", "a2"], true, false);
    assert!(unattended.contains(warning) && unattended.contains("first player played a2."));
    assert!(!output(&["a3", "b3"], false, true).contains("Careful"));
    let lost = output(&["a3", "b3", "n", "a2", "b2", "n"], true, true);
    assert!(lost.matches("Careful").count() == 1, "every move loses after a2: {lost}");
    assert!(output(&["a3", "b3", "quit"], true, true).ends_with("Goodbye."));
}

/// A hint, the list of moves, the evaluation, an explanation and the review of one position.
#[test]
fn all_advice_about_a_position_is_one_answer() {
    let typed = ["hint", "moves", "eval", "explain a1", "hint", "a1", "review"];
    let mut script = Script::new(lines(&typed));
    script.columns = 200;
    let move_time = Duration::from_millis(300);
    script.play(PlayOptions { move_time, ..two_human_options("tixtax") }).unwrap();
    let printed = |part: &str| {
        let line = script.printed.iter().find(|line| line.contains(part));
        line.unwrap_or_else(|| panic!("{part}: {:#?}", script.printed)).clone()
    };
    let hint = printed(": about ");
    let (best, rest) = hint.split_once(": about ").unwrap();
    let (value, _) = rest.split_once(" %.").unwrap();
    assert_eq!(script.printed.iter().filter(|line| **line == hint).count(), 2);
    let listed = printed("81 legal moves, best first:");
    let listed = script.printed.iter().skip_while(|line| **line != listed).nth(1).unwrap();
    assert!(listed.starts_with(&format!("{best} {value} %")), "{listed}");
    printed(&format!("X to move: about {value} %."));
    printed(&format!("Better: {best}, about {value} %"));
    let reviewed = printed("  1  the first player  a1  ");
    assert!(reviewed.contains(&format!("~{value} %")), "{reviewed}");
}
