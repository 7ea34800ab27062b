//! What is typed: moves as people write them, what is wrong with others, and the end at any time.

use std::fs;

use zermelo::engine::registry;
use zermelo::play::messages::Language;
use zermelo::play::{Heard, Start, Wishes};

use super::common::Folder;
use super::script::{Script, lines, wishes};

/// What is said to these lines, two persons playing.
fn said(game: &str, fen: &str, typed: &[&str]) -> String {
    let mut script = Script::new(lines(typed));
    let start = Start::Fen(fen.to_owned());
    script.play(Wishes { against_person: Some(true), start, ..wishes(game) }).unwrap();
    // As if nothing had been broken into lines.
    script.said.join(" ")
}

#[test]
fn moves_are_typed_as_people_do() {
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
        let said = said(game, fen, &[typed]);
        assert!(said.contains(&format!("played {played}.")), "{game} {typed}: {said}");
    }
}

#[test]
fn what_is_wrong_is_said_with_what_is_possible() {
    const NIM: &str = "rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b";
    const ONE_LEFT: &str = "xox/xox/o1o x";
    const OVER: &str = "xxx/oo1/3 o";
    for (game, fen, typed, words) in [
        (
            "tictactoe",
            "startpos",
            "0",
            "\"0\" is neither a move nor a command. A move is typed like a1;",
        ),
        (
            "tictactoe",
            "x2/3/3 o",
            "1",
            "\"1\" cannot be played here. Possible: a1 a2 b1 b2 b3 c1 c2 c3",
        ),
        ("tictactoe", ONE_LEFT, "a3", "\"a3\" cannot be played here. Possible: b1"),
        (
            "tixtax",
            "startpos",
            "3",
            "\"3\" may be any of c9 f9 i9 c6 f6 i6 c3 f3 i3; type one of these",
        ),
        (
            "tixtax",
            "9/9/9/9/4x4/9/9/9/9 o 1 e5",
            "1 1",
            "\"1 1\" cannot be played here. Possible: d4 d5 d6 e4 e6 f4 f5 f6",
        ),
        ("tixtax", "startpos", "1 10", "neither a move"),
        ("ponghauki", "startpos", "c3", "\"c3\" cannot be played here. Possible: a3b2"),
        ("ponghauki", "startpos", "b2", "\"b2\" cannot be played here."),
        ("ponghauki", "startpos", "b1", "neither a move"),
        ("nim", NIM, "c 0", "\"c 0\" cannot be played here."),
        ("nim", NIM, "c 7", "\"c 7\" cannot be played here."),
        ("nim", NIM, "c 255", "\"c 255\" cannot be played here."),
        ("nim", NIM, "c 256", "neither a move"),
        ("nim", NIM, "i 1", "neither a move"),
        ("nim", NIM, "c 1", "first player played c1c2."),
        ("tixtax", "startpos", "\u{1b}[2J", "\"\\u{1b}[2J\" is neither"),
        ("tixtax", "startpos", "save", "save wants the name of a file, as save game.pgn"),
        ("tixtax", "startpos", "load", "load wants the name of a file"),
        (
            "tixtax",
            "startpos",
            "load /no/such/file",
            "\"/no/such/file\" cannot be loaded: No such file",
        ),
        ("tixtax", "startpos", "load .", "\".\" cannot be loaded: "),
        ("tixtax", "startpos", "load \u{1b}[2J", "\"\\u{1b}[2J\" cannot be loaded: "),
        (
            "tixtax",
            "startpos",
            "save /no/such/folder/game",
            "\"/no/such/folder/game\" cannot be written: ",
        ),
        ("tixtax", "startpos", "level 21", "\"21\" is no level"),
        ("tixtax", "startpos", "level", "The engine plays at level 20; level N sets another"),
        ("tixtax", "startpos", "level 7", "The engine plays at level 7 from now on."),
        ("tixtax", "startpos", "undo 3", "\"undo 3\" is neither a move nor a command."),
        ("tixtax", "startpos", "flip", "Both sides are played by persons"),
        ("tixtax", "startpos", "undo", "There is nothing to take back."),
        ("tixtax", "startpos", "redo", "There is nothing to play again."),
        ("tictactoe", OVER, "5", "\"5\" cannot be played, the game is over"),
        ("tictactoe", OVER, "nonsense", "\"nonsense\" cannot be played, the game is over"),
        ("tictactoe", OVER, "hint", "The game is over; undo takes moves back"),
        ("tictactoe", OVER, "eval", "The game is over; undo takes moves back"),
        ("tictactoe", OVER, "moves", "The game is over; undo takes moves back"),
        ("tictactoe", OVER, "flip", "The game is over; undo takes moves back"),
    ] {
        let said = said(game, fen, &[typed]);
        assert!(said.contains(words), "{game} {typed}: {said}");
        assert!(!said.contains('\u{1b}'), "{said}");
    }
    let mut script = Script::new(lines(&["x", "a3", "c3", "提示", "级别 x"]));
    let language = Language::Chinese;
    script.play(Wishes { against_person: Some(true), language, ..wishes("ponghauki") }).unwrap();
    let said = script.said.join("");
    for words in
        ["“x” 既不是着法也不是命令", "现在不能走 “c3”", "已证明，双方走对则和棋", "“x” 不是级别"]
    {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn what_is_asked_is_answered_exactly() {
    assert!(said("tictactoe", "xx1/oo1/3 x", &["hint"]).contains("c3: proven, it wins at once."));
    assert!(
        said("tictactoe", "startpos", &["eval"])
            .contains("For who is to move: proven, a draw with best play.")
    );
    assert!(said("tictactoe", "xo1/xo1/3 x", &["hint"]).contains("a1: proven, it wins at once."));
    assert!(said("tictactoe", "x1x/o1o/x1o x", &["moves"]).contains("3 moves: b1 b2 b3"));
    assert!(
        said("nim", "rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b", &["eval"])
            .contains("proven, lost whatever is played, in ")
    );
    let eval = said("tixtax", "startpos", &["eval"]);
    assert!(
        eval.contains("For who is to move: not proven, ") && eval.contains(" of 100 points"),
        "{eval}"
    );
    let hint = said("tixtax", "startpos", &["hint"]);
    assert!(hint.contains(": not proven, "), "{hint}");
}

#[test]
fn input_may_end_at_every_prompt() {
    // Whom, who begins, a move, a move, a file to replace, a game that is over, another game.
    let folder = Folder::new("play-ends");
    let path = folder.file("there.pgn");
    fs::write(&path, "").unwrap();
    let save = format!("save {}", path.display());
    let persons = ["what", "human", "1", "2", &save, "no", "4", "3", "7", "maybe", "yes", "1"];
    let engine = ["engine", "what", "engine", "hint"];
    let all = (0..=persons.len()).map(|count| &persons[..count]);
    for typed in all.chain((0..=engine.len()).map(|count| &engine[..count])) {
        for language in [Language::English, Language::Chinese] {
            for end in [&[Heard::End][..], &[Heard::Interrupt, Heard::Interrupt]] {
                let mut types = lines(typed);
                let mut end = end.iter();
                let mut script =
                    Script::new(move |words: &[String], said: &[String]| {
                        match types(words, said) {
                            Heard::End => end.next().cloned().unwrap(),
                            heard => heard,
                        }
                    });
                let asked =
                    Wishes { against_person: None, first: None, language, ..wishes("tictactoe") };
                script.play(asked).unwrap();
                let bye = ["Good-bye.", "再见。"][usize::from(language == Language::Chinese)];
                assert_eq!(script.said.last().unwrap(), bye, "after {typed:?}");
            }
        }
    }
    assert_eq!(fs::read_to_string(path).unwrap(), "", "it was not to be replaced");
}

#[test]
fn what_is_not_said_is_asked() {
    let said = |typed: &[&str]| {
        let mut script = Script::new(lines(typed));
        let asked = Wishes { against_person: None, first: None, ..wishes("tictactoe") };
        script.play(asked).unwrap();
        script.said.join(" ")
    };
    assert!(said(&["", ""]).contains("X  you"));
    assert!(said(&["E", "engine"]).contains("O  you"));
    assert!(said(&["person"]).contains("X  the first player"));
    assert!(said(&["me", "", "me"]).contains("\"me\" is none of the answers in brackets"));
    assert!(said(&["", "quit"]).ends_with("Good-bye."));
    assert!(
        said(&["真人"]).contains("X  the first player"),
        "both languages are understood in both"
    );
}

#[test]
fn an_interrupt_is_confirmed() {
    let mut typed = [
        Heard::Interrupt,
        Heard::Line("1".to_owned()),
        Heard::Interrupt,
        Heard::Line("moves".to_owned()),
        Heard::Interrupt,
        Heard::Interrupt,
    ]
    .into_iter();
    let mut script = Script::new(move |_: &[String], _: &[String]| typed.next().unwrap());
    script.play(wishes("tictactoe")).unwrap();
    assert_eq!(script.said.iter().filter(|line| line.starts_with("Ctrl-C again")).count(), 3);
    assert!(script.has_said("7 moves:"));
}

#[test]
fn records_are_saved_and_gone_on_with() {
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
    script.play(wishes("tictactoe")).unwrap();
    let said = script.said.join(" ");
    assert_eq!(
        said.matches("The game is saved in").count(),
        2,
        "its own file is written again: {said}"
    );
    assert!(
        said.contains("my game.pgn\": Tic-tac-toe, 4 moves.") && said.contains("5 moves: "),
        "{said}"
    );
    assert!(said.contains("Nothing was written."), "a file that was loaded is not ours: {said}");
    assert!(
        said.contains("other.pgn\": Pong Hau K'i, 1 move.") && said.contains("O  you"),
        "{said}"
    );
    assert!(said.contains("The engine plays at level 3;"), "{said}");
    for (text, reason) in [
        ("", "no game is in it"),
        ("[Game \"chess\"]\n\n1. e4 {0.1s} *\n\n", "unknown game \"chess\""),
        ("[Game \"tictactoe\"]\n\n1. a1 {0.1s} a1 {0.1s} *\n\n", "illegal move \"a1\""),
        ("[Game \"tictactoe\"]\n[FEN \"x\"]\n\n*\n\n", "fen has 1 fields"),
        ("\u{0}\u{1}", "cannot be loaded"),
    ] {
        fs::write(&other, text).unwrap();
        let typed = ["5", &load_other, "moves"];
        let mut script = Script::new(lines(&typed));
        script.play(wishes("tictactoe")).unwrap();
        let said = script.said.join(" ");
        assert!(said.contains("cannot be loaded: ") && said.contains(reason), "{text:?}: {said}");
        assert!(said.contains("7 moves:"), "the game stays on the board: {said}");
    }
    // Times that nothing can hold are none.
    for time in ["18446744073709551615.0", "100000000000000000000.0"] {
        fs::write(&other, format!("[Game \"tictactoe\"]\n\n1. a1 {{{time}s}} *\n\n")).unwrap();
        let typed = [&load_other[..]];
        let mut script = Script::new(lines(&typed));
        script.play(wishes("tictactoe")).unwrap();
        assert!(script.has_said("1 move."), "{:#?}", script.said);
    }
}

#[test]
fn who_made_a_move_is_remembered_when_sides_change() {
    let folder = Folder::new("play-flip");
    let path = folder.file("game.pgn").display().to_string();
    let save = format!("save {path}");
    // The engine, at level 0 and as it is with this seed, lets the person win after the change.
    let typed = ["5", "flip", "board", "undo", &save];
    let mut script = Script::new(lines(&typed));
    script.play(Wishes { level: 0, ..wishes("tictactoe") }).unwrap();
    let said = script.said.join(" ");
    assert!(said.contains("You have changed sides."), "{said}");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("[White \"zermelo level 0\"]\n[Black \"person\"]"), "{text}");
    assert!(text.contains("[SidesChanged \""), "{text}");
}

#[test]
fn boards_fit_terminals() {
    for game in registry::GAMES {
        for (columns, rows) in [(80, 22), (40, 40)] {
            for plain in [false, true] {
                let mut script = Script::new(lines(&[]));
                (script.columns, script.plain) = (columns, plain);
                script.play(Wishes { start: Start::Usual, ..wishes(game.id) }).unwrap();
                let empty = script.said.iter().position(String::is_empty).unwrap();
                let screen = &script.said[empty + 1..script.said.len() - 1];
                assert!(screen.len() <= rows, "{}: {} rows", game.id, screen.len());
                assert!(!plain || screen.iter().all(|line| line.is_ascii()), "{screen:#?}");
                assert!(plain || screen.iter().any(|line| line.contains("\u{1b}[")), "{screen:#?}");
            }
        }
    }
}
