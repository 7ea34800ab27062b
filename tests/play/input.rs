//! Typed input: moves in every form, commands, errors, and end of input at any prompt.

use std::fs;

use zermelo::language::Language;
use zermelo::terminal::PlayOptions;
use zermelo::terminal::{Completions, ConsoleInput};
use zermelo::thinking::registry;

use super::illegal_moves::ILLEGAL_MOVES;
use super::script::{Script, lines, options, two_human_options};
use crate::common::Folder;

/// The output of a game between two human players, on one line.
fn output_of(game: &str, fen: &str, typed: &[&str]) -> String {
    let mut script = Script::new(lines(typed));
    let fen = Some(fen.to_owned());
    script.play(PlayOptions { fen, ..two_human_options(game) }).unwrap();
    script.printed.join(" ")
}

#[test]
fn moves_may_be_abbreviated_and_spelled_in_many_ways() {
    const NIM: &str = "rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b";
    for (game, fen, typed, played) in [
        ("tictactoe", "startpos", "1", "a3"),
        ("tictactoe", "startpos", "B2", "b2"),
        ("tixtax", "startpos", "5 3", "f6"),
        ("tixtax", "startpos", "53", "f6"),
        ("tixtax", "startpos", "e5", "e5"),
        ("tixtax", "9/9/9/9/4x4/9/9/9/9 o 1 e5", "3", "f6"),
        ("tixtax-open", "startpos", "9 9", "i1"),
        ("ponghauki", "startpos", "a3", "a3b2"),
        ("ponghauki", "startpos", " A3B2 ", "a3b2"),
        ("nim", NIM, "c 2", "c1c3"),
        ("nim", NIM, "C6", "c1c6"),
        ("nim", NIM, "ｃ　２", "c1c3"),
        ("tixtax", "startpos", "5,3", "f6"),
        ("tixtax", "startpos", "5 - 3", "f6"),
        ("nim", NIM, "c1c4", "c1c4"),
        ("nim", "rrrrrrrr/8/8/8/8/8/8/bbbbbbbb r", "h 6", "h8h2"),
    ] {
        let output = output_of(game, fen, &[typed]);
        assert!(output.contains(&format!("played {played}.")), "{game} {typed}: {output}");
    }
}

#[test]
fn illegal_moves_are_answered_with_the_rule_that_they_break() {
    for (game, fen, typed, reason) in ILLEGAL_MOVES {
        let reason =
            reason.replace("the mover was", "you were").replace("the mover has", "you have");
        let output = output_of(game, fen, &[typed]);
        let answer = format!("\"{typed}\" is not legal here: {reason}. Legal moves: ");
        assert!(output.contains(&answer), "{game} {typed}: {output}");
    }
}

#[test]
fn wrong_input_is_answered_with_what_would_be_accepted() {
    const NIM: &str = "rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b";
    const ONE_LEFT: &str = "xox/xox/o1o x";
    const OVER: &str = "xxx/oo1/3 o";
    for (game, fen, typed, answer) in [
        (
            "tictactoe",
            "startpos",
            "0",
            "\"0\" is neither a move nor a command. A move looks like a1;",
        ),
        (
            "tictactoe",
            "x2/3/3 o",
            "1",
            "\"1\" is not legal here: a3 is occupied. Legal moves: a1 a2 b1 b2 b3 c1 c2 c3",
        ),
        ("tictactoe", ONE_LEFT, "a3", "\"a3\" is not legal here: a3 is occupied. Legal moves: b1"),
        (
            "tixtax",
            "startpos",
            "3",
            "\"3\" could be any of c9 f9 i9 c6 f6 i6 c3 f3 i3; type one of these",
        ),
        (
            "tixtax",
            "9/9/9/9/4x4/9/9/9/9 o 1 e5",
            "1 1",
            "\"1 1\" is not legal here: you were sent to the centre board. Legal moves: d4 d5 d6 e4 e6 f4 f5 f6",
        ),
        ("tixtax", "startpos", "1 10", "neither a move"),
        (
            "ponghauki",
            "startpos",
            "c3",
            "\"c3\" is not legal here: the first move must be the left piece, a3. Legal moves: a3b2",
        ),
        ("ponghauki", "startpos", "b2", "is not legal here: you have no piece on b2."),
        ("ponghauki", "x1/x/oo x 4", "a1", "is not legal here: you have no piece on a1."),
        ("ponghauki", "ox/x/o1 x 4", "c3", "is not legal here: no line leads from c3 to c1."),
        ("ponghauki", "startpos", "b1", "neither a move"),
        ("nim", NIM, "c 0", "\"c 0\" is not legal here: a piece moves at least one square."),
        ("nim", NIM, "c 7", "\"c 7\" is not legal here: the piece on c8 is in the way."),
        ("nim", NIM, "c 255", "\"c 255\" is not legal here: the piece on c8 is in the way."),
        ("nim", NIM, "c 256", "neither a move"),
        ("nim", NIM, "i 1", "neither a move"),
        ("nim", NIM, "c 1", "first player played c1c2."),
        ("tixtax", "startpos", "\u{1b}[2J", "\"\\u{1b}[2J\" is neither"),
        ("tixtax", "startpos", "save", "save needs a file name, for example: save game.pgn"),
        ("tixtax", "startpos", "load", "load needs a file name"),
        ("tixtax", "startpos", "load /no/such/file", "Cannot load \"/no/such/file\": no such file"),
        ("tixtax", "startpos", "load .", "Cannot load \".\": "),
        ("tixtax", "startpos", "load \u{1b}[2J", "Cannot load \"\\u{1b}[2J\": "),
        (
            "tixtax",
            "startpos",
            "save /no/such/folder/game",
            "Cannot write \"/no/such/folder/game\": ",
        ),
        ("tixtax", "startpos", "level 21", "\"21\" is not a level"),
        ("tixtax", "startpos", "level", "The engine plays at level 20. Change it with level N"),
        ("tixtax", "startpos", "level 7", "The engine now plays at level 7."),
        ("tixtax", "startpos", "explain", "explain needs a move, for example: explain a1"),
        ("tixtax", "startpos", "explain k9", "\"k9\" is neither a move nor a command."),
        ("tictactoe", "x2/3/3 o", "explain 1", "\"1\" is not legal here: a3 is occupied."),
        ("tixtax", "startpos", "undo 3", "\"undo 3\" is neither a move nor a command."),
        ("tixtax", "startpos", "flip", "Both players are human"),
        ("tixtax", "startpos", "undo", "There is no move to take back."),
        ("tixtax", "startpos", "redo", "There is no move to replay."),
        ("tictactoe", OVER, "5", "\"5\" cannot be played: the game is over"),
        ("tictactoe", OVER, "nonsense", "\"nonsense\" cannot be played: the game is over"),
        ("tictactoe", OVER, "hint", "The game is over. Type undo to take back a move"),
        ("tictactoe", OVER, "explain 5", "The game is over. Type undo to take back a move"),
        ("tictactoe", OVER, "eval", "The game is over. Type undo to take back a move"),
        ("tictactoe", OVER, "moves", "The game is over. Type undo to take back a move"),
        ("tictactoe", OVER, "flip", "The game is over. Type undo to take back a move"),
    ] {
        let output = output_of(game, fen, &[typed]);
        assert!(output.contains(answer), "{game} {typed}: {output}");
        assert!(!output.contains('\u{1b}'), "{output}");
    }
    let mut script =
        Script::new(lines(&["x", "c3", "a3", "c3", "提示", "解释 a1b1", "解释 a1a3", "级别 x"]));
    let language = Language::Chinese;
    script.play(PlayOptions { language, ..two_human_options("ponghauki") }).unwrap();
    let output = script.printed.join("");
    for answer in [
        "“x”既不是着法也不是命令",
        "现在不能走“c3”：第一步必须走左边的棋子 a3。",
        "：必和。",
        "“a1b1”既不是着法也不是命令",
        "a1a3：必和。唯一的合法着法。",
        "“x”不是级别",
    ] {
        assert!(output.contains(answer), "{answer}: {output}");
    }
}

#[test]
fn hint_and_eval_are_exact_where_the_game_is_solved() {
    let eval = |game, fen| output_of(game, fen, &["eval"]);
    let hint = |game, fen| output_of(game, fen, &["hint"]);
    assert!(hint("tictactoe", "xx1/oo1/3 x").contains("c3: wins at once."));
    assert!(eval("tictactoe", "startpos").contains("X to move: proven draw."));
    assert!(hint("tictactoe", "xo1/xo1/3 x").contains("a1: wins at once."));
    let moves = output_of("tictactoe", "x1x/o1o/x1o x", &["moves"]);
    assert!(
        moves.contains("3 legal moves, best first, counting the moves of both sides: b3 win in 1"),
        "{moves}"
    );
    let nim = eval("nim", "rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b");
    assert!(nim.contains("B to move: proven loss in "), "{nim}");
    let estimate = eval("tixtax", "startpos");
    assert!(estimate.contains("X to move: about ") && estimate.contains(" %."), "{estimate}");
    let estimate = hint("tixtax", "startpos");
    assert!(estimate.contains(": about "), "{estimate}");
}

#[test]
fn playable_boards_are_named() {
    const ONE_CLOSED: &str =
        "1x6o/1x1o1xxxx/1x1ooo1oo/1xo3ooo/8x/1x1ooo3/2x1x1oxx/2xoxo2x/2o1xx1ox o 20 -";
    assert!(output_of("tixtax", "startpos", &[]).contains("Next move: anywhere."));
    let forced = output_of("tixtax", "9/9/9/9/4x4/9/9/9/9 o 1 e5", &[]);
    assert!(forced.contains("Next move: the centre board."), "{forced}");
    let sent = output_of("tixtax", "startpos", &["g2"]);
    assert!(sent.contains("Next move: the middle left board."), "{sent}");
    let open = output_of("tixtax", ONE_CLOSED, &[]);
    assert!(open.contains("Next move: any open board ("), "{open}");
    let mut script = Script::new(lines(&["g2"]));
    let language = Language::Chinese;
    script.play(PlayOptions { language, ..two_human_options("tixtax") }).unwrap();
    assert!(script.has_printed("下一步：任意位置。"));
    assert!(script.has_printed("下一步：左中的小棋盘。"), "{:#?}", script.printed);
}

#[test]
fn input_may_end_at_every_prompt() {
    // Prompts: opponent, first move, moves, a file to overwrite, a finished game, another game.
    let folder = Folder::new("play-ends");
    let path = folder.file("there.pgn");
    fs::write(&path, "").unwrap();
    let save = format!("save {}", path.display());
    let persons = ["what", "human", "1", "2", &save, "no", "4", "3", "7", "maybe", "yes", "1"];
    let engine = ["engine", "what", "engine", "hint"];
    let all = (0..=persons.len()).map(|count| &persons[..count]);
    for typed in all.chain((0..=engine.len()).map(|count| &engine[..count])) {
        for (language, goodbye) in [(Language::English, "Goodbye."), (Language::Chinese, "再见。")]
        {
            for end in
                [&[ConsoleInput::End][..], &[ConsoleInput::Interrupt, ConsoleInput::Interrupt]]
            {
                let mut next_line = lines(typed);
                let mut end = end.iter();
                let mut script = Script::new(
                    move |completions: &Completions, printed: &[String]| match next_line(
                        completions,
                        printed,
                    ) {
                        ConsoleInput::End => end.next().cloned().unwrap_or(ConsoleInput::End),
                        input => input,
                    },
                );
                let unset = PlayOptions {
                    opponent: None,
                    first_mover: None,
                    language,
                    ..options("tictactoe")
                };
                script.play(unset).unwrap();
                assert_eq!(script.printed.last().unwrap(), goodbye, "after {typed:?}");
            }
        }
    }
    assert_eq!(fs::read_to_string(path).unwrap(), "", "the file must not be overwritten");
}

#[test]
fn missing_settings_are_prompted_for() {
    let output = |typed: &[&str]| {
        let mut script = Script::new(lines(typed));
        let unset = PlayOptions { opponent: None, first_mover: None, ..options("tictactoe") };
        script.play(unset).unwrap();
        script.printed.join(" ")
    };
    assert!(output(&["", ""]).contains("X  you"));
    assert!(output(&["E", "engine"]).contains("O  you"));
    assert!(output(&["h"]).contains("X  the first player"));
    assert!(output(&["person"]).contains("X  the first player"));
    assert!(
        output(&["me", "", "me"])
            .contains("\"me\" is not a valid answer: type engine or human (Enter: engine).")
    );
    assert!(output(&["", "quit"]).ends_with("Goodbye."));
    assert!(
        output(&["真人"]).contains("X  the first player"),
        "both languages are accepted in either"
    );
}

#[test]
fn an_interrupt_has_to_be_confirmed() {
    let mut typed = [
        ConsoleInput::Interrupt,
        ConsoleInput::Line("1".to_owned()),
        ConsoleInput::Interrupt,
        ConsoleInput::Line("moves".to_owned()),
        ConsoleInput::Interrupt,
        ConsoleInput::Interrupt,
    ]
    .into_iter();
    let mut script = Script::new(move |_: &Completions, _: &[String]| typed.next().unwrap());
    script.play(options("tictactoe")).unwrap();
    let confirmations =
        script.printed.iter().filter(|line| line.starts_with("Press Ctrl-C again")).count();
    assert_eq!(confirmations, 3);
    assert!(script.has_printed("7 legal moves,"));
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = Folder::new("play-records");
    let path = folder.file("my game.pgn").display().to_string();
    let other = folder.file("other.pgn").display().to_string();
    let head = "[Game \"ponghauki\"]\n[White \"zermelo level 3\"]\n[Black \"person\"]";
    fs::write(&other, format!("{head}\n\n1. a3b2 {{0.1s}} *")).unwrap();
    let (save, load) = (format!("save {path}"), format!("load {path}"));
    let load_other = format!("load {other}");
    let typed = [
        "5",
        &save,
        "9",
        &save,
        "new",
        &load,
        "moves",
        &save,
        "no",
        &load_other,
        "moves",
        "level",
        "quit",
    ];
    let mut script = Script::new(lines(&typed));
    script.play(options("tictactoe")).unwrap();
    let output = script.printed.join(" ");
    assert_eq!(
        output.matches("Saved the game to").count(),
        2,
        "a game's own file is overwritten without a question: {output}"
    );
    assert!(
        output.contains("my game.pgn\": Tic-tac-toe, 4 moves.")
            && output.contains("5 legal moves,"),
        "{output}"
    );
    assert!(output.contains("Not saved."), "a loaded file is not overwritten unasked: {output}");
    assert!(
        output.contains("other.pgn\": Pong Hau K'i, 1 move.") && output.contains("O  you"),
        "{output}"
    );
    assert!(output.contains("The engine plays at level 3."), "{output}");
    for (text, reason) in [
        ("", "the file contains no game"),
        ("[Game \"chess\"]\n\n1. e4 {0.1s} *\n\n", "unknown game \"chess\""),
        ("[Game \"tictactoe\"]\n\n1. a1 {0.1s} a1 {0.1s} *\n\n", "ply 2: illegal move \"a1\""),
        ("[Game \"tictactoe\"]\n[FEN \"x\"]\n\n*\n\n", "field count 1"),
        ("\u{0}\u{1}", "Cannot load"),
    ] {
        fs::write(&other, text).unwrap();
        let typed = ["5", &load_other, "moves"];
        let mut script = Script::new(lines(&typed));
        script.play(options("tictactoe")).unwrap();
        let output = script.printed.join(" ");
        assert!(output.contains("Cannot load ") && output.contains(reason), "{text:?}: {output}");
        assert!(output.contains("7 legal moves,"), "the current game stays: {output}");
    }
    // Move times that are too large are ignored.
    for time in ["18446744073709551615.0", "100000000000000000000.0"] {
        fs::write(&other, format!("[Game \"tictactoe\"]\n\n1. a1 {{{time}s}} *\n\n")).unwrap();
        let typed = [&load_other[..]];
        let mut script = Script::new(lines(&typed));
        script.play(options("tictactoe")).unwrap();
        assert!(script.printed.join(" ").contains(" 1 move."), "{:#?}", script.printed);
    }
}

#[test]
fn records_keep_who_played_each_move_when_sides_are_switched() {
    let folder = Folder::new("play-flip");
    let path = folder.file("game.pgn").display().to_string();
    let save = format!("save {path}");
    // With this seed the engine at level 0 lets the person win after the switch.
    let typed = ["5", "flip", "board", "undo", &save];
    let mut script = Script::new(lines(&typed));
    script.play(PlayOptions { level: 0, ..options("tictactoe") }).unwrap();
    assert!(script.has_printed("You have switched sides."), "{:#?}", script.printed);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("[White \"zermelo level 0\"]\n[Black \"person\"]"), "{text}");
    assert!(text.contains("[SidesChanged \""), "{text}");
}

#[test]
fn boards_fit_terminals() {
    for game in registry::games() {
        for (columns, rows) in [(80, 22), (40, 40)] {
            for plain in [false, true] {
                let mut script = Script::new(lines(&[]));
                (script.columns, script.plain) = (columns, plain);
                script.play(options(game.id)).unwrap();
                let empty = script.printed.iter().position(String::is_empty).unwrap();
                let screen = &script.printed[empty + 1..script.printed.len() - 1];
                assert!(screen.len() <= rows, "{}: {} rows", game.id, screen.len());
                assert!(!plain || screen.iter().all(|line| line.is_ascii()), "{screen:#?}");
                assert!(plain || screen.iter().any(|line| line.contains("\u{1b}[")), "{screen:#?}");
            }
        }
    }
}

/// The smaller board has the pieces of its legend, and marks the last move and what can be played.
#[test]
fn narrow_windows_show_a_compact_board() {
    for columns in [36, 38] {
        for game in ["tixtax", "tixtax-open"] {
            let mut script = Script::new(lines(&["e5", "e4"]));
            script.columns = columns;
            script.play(two_human_options(game)).unwrap();
            for line in [
                "X  the first player",
                "O  the second player",
                "5 #         #    X    #         #",
                "4 #         #   [O]   #         #",
                "3 #         # .  .  . #         #",
                "    a  b  c   d  e  f   g  h  i",
            ] {
                assert!(
                    script.printed.iter().any(|own| own == line),
                    "{line}: {:#?}",
                    script.printed
                );
            }
        }
    }
    // The other games have room for their usual board.
    for game in ["nim", "tictactoe", "ponghauki"] {
        let mut script = Script::new(lines(&[]));
        script.columns = 36;
        script.play(two_human_options(game)).unwrap();
        assert!(script.printed.iter().any(|line| line.contains("---")), "{:#?}", script.printed);
    }
}

#[test]
fn narrow_windows_show_no_board() {
    for game in registry::games() {
        for (columns, is_shown) in [(20, false), (35, false), (36, true)] {
            let mut script = Script::new(lines(&["board"]));
            script.columns = columns;
            script.play(options(game.id)).unwrap();
            assert_eq!(script.has_printed("The window"), !is_shown, "{}: {columns}", game.id);
            assert_eq!(script.has_printed("Your move."), is_shown, "{}: {columns}", game.id);
        }
    }
}

#[test]
fn prompts_show_their_default() {
    for (_, language) in Language::ALL {
        for (question, choices) in [
            ("ask.opponent", "[E/h] "),
            ("ask.first", "[Y/e] "),
            ("ask.overwrite", "[y/N] "),
            ("ask.again", "[Y/n] "),
            ("ask.takeBack", "[Y/n] "),
        ] {
            assert!(language.text(question).ends_with(choices), "{question}");
        }
    }
}
