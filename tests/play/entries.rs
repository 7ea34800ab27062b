//! What is typed: moves as people write them, what is wrong with others, and the end at any time.

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
        ("nim", NIM, "C6", "c1c7"),
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
            "a3 cannot be played here. Possible: a1 a2 b1 b2 b3 c1 c2 c3",
        ),
        ("tictactoe", ONE_LEFT, "a3", "a3 cannot be played here. Possible: b1"),
        ("tixtax", "startpos", "3", "\"3\" is neither a move nor a command."),
        (
            "tixtax",
            "9/9/9/9/4x4/9/9/9/9 o 1 e5",
            "1 1",
            "a9 cannot be played here. Possible: d4 d5 d6 e4 e6 f4 f5 f6",
        ),
        ("tixtax", "startpos", "1 10", "neither a move"),
        ("ponghauki", "startpos", "c3", "c3b2 cannot be played here. Possible: a3b2"),
        ("ponghauki", "startpos", "b2", "b2b2 cannot be played here."),
        ("ponghauki", "startpos", "b1", "neither a move"),
        ("nim", NIM, "c 0", "c1c1 cannot be played here."),
        ("nim", NIM, "c 7", "c1c8 cannot be played here."),
        ("nim", NIM, "c 255", "c1c8 cannot be played here."),
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
            "/no/such/file cannot be loaded: No such file",
        ),
        ("tixtax", "startpos", "load .", ". cannot be loaded: "),
        (
            "tixtax",
            "startpos",
            "save /no/such/folder/game",
            "/no/such/folder/game cannot be written: ",
        ),
        ("tixtax", "startpos", "level 21", "\"21\" is no level"),
        ("tixtax", "startpos", "level", "\"\" is no level"),
        ("tixtax", "startpos", "level 7", "The engine plays at level 7 from now on."),
        ("tixtax", "startpos", "flip", "Both sides are played by persons"),
        ("tixtax", "startpos", "undo", "There is nothing to take back."),
        ("tixtax", "startpos", "redo", "There is nothing to play again."),
        ("tictactoe", "xxx/oo1/3 o", "5", "b2 cannot be played, the game is over"),
        ("tictactoe", "xxx/oo1/3 o", "nonsense", "\"nonsense\" cannot be played, the game is over"),
    ] {
        let said = said(game, fen, &[typed]);
        assert!(said.contains(words), "{game} {typed}: {said}");
        assert!(!said.contains('\u{1b}'), "{said}");
    }
}

#[test]
fn what_is_asked_is_answered_exactly() {
    assert!(
        said("tictactoe", "xx1/oo1/3 x", &["hint"]).contains("c3: proven, you will win in 1 move.")
    );
    assert!(
        said("tictactoe", "startpos", &["eval"])
            .contains("For who is to move: proven, a draw with best play.")
    );
    assert!(
        said("tictactoe", "xo1/xo1/3 x", &["hint"]).contains("a1: proven, you will win in 1 move.")
    );
    assert!(said("tictactoe", "x1x/o1o/x1o x", &["moves"]).contains("3 moves: b1 b2 b3"));
    assert!(said("nim", "rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b", &["eval"]).contains("proven, lost in"));
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
    std::fs::write(&path, "").unwrap();
    let save = format!("save {}", path.display());
    let typed = ["what", "human", "1", "2", &save, "no", "4", "3", "7", "maybe", "yes", "1"];
    for count in 0..=typed.len() {
        for language in [Language::English, Language::Chinese] {
            for end in [&[Heard::End][..], &[Heard::Interrupt, Heard::Interrupt]] {
                let mut typed = lines(&typed[..count]);
                let mut end = end.iter();
                let mut script =
                    Script::new(move |words: &[String], said: &[String]| {
                        match typed(words, said) {
                            Heard::End => end.next().cloned().unwrap(),
                            heard => heard,
                        }
                    });
                let asked =
                    Wishes { against_person: None, first: None, language, ..wishes("tictactoe") };
                script.play(asked).unwrap();
                let bye = ["Good-bye.", "再见。"][usize::from(language == Language::Chinese)];
                assert_eq!(script.said.last().unwrap(), bye, "after {count} lines");
            }
        }
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), "", "it was not to be replaced");
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
    let path = folder.file("game.pgn").display().to_string();
    let other = folder.file("other.pgn").display().to_string();
    std::fs::write(&other, "[Game \"ponghauki\"]\n\n1. a3b2 {0.1s} *\n\n").unwrap();
    let (save, load, load_other) =
        (format!("save {path}"), format!("load {path}"), format!("load {other}"));
    let typed = ["5", &save, "9", &save, "new", &load, "moves", &load_other, "moves", "quit"];
    let mut script = Script::new(lines(&typed));
    script.play(wishes("tictactoe")).unwrap();
    let said = script.said.join("\n");
    assert_eq!(
        said.matches("The game is saved in").count(),
        2,
        "its own file is written again:\n{said}"
    );
    assert!(said.contains("game.pgn, 4 moves.") && said.contains("5 moves: "), "{said}");
    assert!(said.contains("other.pgn, 1 move.") && said.contains("Zermelo played a1a3"), "{said}");
    assert!(said.contains("Pong Hau K'i"), "another game may be loaded");
    for (text, reason) in [
        ("", "no game is in it"),
        ("[Game \"chess\"]\n\n1. e4 {0.1s} *\n\n", "unknown game \"chess\""),
        ("[Game \"tictactoe\"]\n\n1. a1 {0.1s} a1 {0.1s} *\n\n", "illegal move \"a1\""),
        ("[Game \"tictactoe\"]\n[FEN \"x\"]\n\n*\n\n", "fen has 1 fields"),
        ("\u{0}\u{1}", "cannot be loaded"),
    ] {
        std::fs::write(&other, text).unwrap();
        let typed = ["5", &load_other, "moves"];
        let mut script = Script::new(lines(&typed));
        script.play(wishes("tictactoe")).unwrap();
        let said = script.said.join(" ");
        assert!(said.contains("cannot be loaded: ") && said.contains(reason), "{text:?}: {said}");
        assert!(said.contains("7 moves:"), "the game stays on the board: {said}");
    }
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
