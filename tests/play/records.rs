//! Saving and loading games.

use std::fs;

use super::script::{Script, lines, options, two_human_options};
use crate::common::{Folder, NO_FILE, run_program};
use zermelo::language::Language;
use zermelo::records::GameReader;
use zermelo::records::Termination;
use zermelo::terminal::ConsoleInput;
use zermelo::terminal::PlayOptions;

/// A record of games of tic-tac-toe with a first move and a number each.
fn record(games: &[(&str, u32)]) -> String {
    let game = |(mv, number): &(&str, u32)| {
        let number = if *number > 0 { format!("[Number \"{number}\"]\n") } else { String::new() };
        format!("[Game \"tictactoe\"]\n{number}\n1. {mv} {{0.1s}} *\n\n")
    };
    games.iter().map(game).collect()
}

#[test]
fn a_game_of_a_record_is_loaded_by_its_number() {
    let folder = Folder::new("load-number");
    let path = folder.file("games 2.pgn").display().to_string();
    let numbered = record(&[("a1", 12), ("b2", 11), ("c3", 20)]);
    let unnumbered = record(&[("a1", 0), ("b2", 0), ("c3", 0)]);
    for (text, number, unknown, existing) in
        [(numbered, 11, 2, "11-12, 20"), (unnumbered, 2, 4, "1-3")]
    {
        fs::write(&path, text).unwrap();
        let typed = [format!("load {path} {number}"), format!("load {path} {unknown}")];
        let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
        let mut script = Script::new(lines(&typed));
        script.play(two_human_options("nim")).unwrap();
        let output = script.printed.join(" ");
        assert!(output.contains("The first player played b2."), "{output}");
        assert!(output.contains(&format!("Loaded game {number} of ")), "{output}");
        let refusal = format!("no game {unknown}, expected one of: {existing}");
        assert!(output.contains(&refusal), "{output}");
    }
}

#[test]
fn a_person_is_asked_which_game_to_load_and_a_script_gets_the_first() {
    let folder = Folder::new("load-several");
    let path = folder.file("g.pgn").display().to_string();
    fs::write(&path, record(&[("a1", 3), ("b2", 4)])).unwrap();
    let load = format!("load {path}");
    let typed = [&load[..], "7", "4", &load, "3", &load, "quit"];
    let mut script = Script::new(lines(&typed));
    script.play(two_human_options("tictactoe")).unwrap();
    let output = script.printed.join(" ");
    assert!(output.contains("\"7\" is not the number of a game: expected one of 3-4."), "{output}");
    let loaded = ["Loaded game 4 of", "Loaded game 3 of"].map(|text| output.find(text).unwrap());
    assert!(loaded[0] < loaded[1] && output.ends_with("Goodbye."), "{output}");
    let mut script = Script::new(lines(&typed[..1]));
    script.interactive = false;
    script.play(two_human_options("tictactoe")).unwrap();
    let output = script.printed.join(" ");
    assert!(output.contains("contains the games 3-4; loading game 3."), "{output}");
    assert!(output.contains("The first player played a1."), "{output}");
}

#[test]
fn games_before_an_invalid_one_can_be_loaded() {
    let folder = Folder::new("load-damaged");
    let path = folder.file("games.pgn").display().to_string();
    fs::write(&path, record(&[("a1", 0), ("b2", 0)]) + "[Game \"tictactoe\"]\n\n1. a1 {0.1s}")
        .unwrap();
    let typed = [format!("load {path} 2"), format!("load {path} 3")];
    let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
    let mut script = Script::new(lines(&typed));
    script.play(two_human_options("nim")).unwrap();
    let output = script.printed.join(" ");
    assert!(output.contains("The first player played b2."), "{output}");
    assert!(output.contains("Cannot load ") && output.contains("line 11:"), "{output}");
}

/// The tags of an unfinished game claim no normal end, and every reader of records accepts it.
#[test]
fn unfinished_games_are_saved_as_unterminated() {
    let folder = Folder::new("unfinished");
    let path = folder.file("game.pgn").display().to_string();
    let save = format!("save {path}");
    let typed = ["5", &save];
    let mut script = Script::new(lines(&typed));
    script.play(options("tictactoe")).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("[Result \"*\"]\n[Termination \"unterminated\"]"), "{text}");
    let saved = GameReader::new(text.as_bytes()).next_game().unwrap().unwrap();
    assert_eq!((saved.result, saved.termination), (None, Termination::Unterminated));
    let report = folder.file("report.html").display().to_string();
    for (arguments, words) in [
        (
            &["match", "--check-record", &path, "--report", &report][..],
            "Terminations: unterminated 1",
        ),
        (&["annotate", &path], "worth draw"),
    ] {
        let output = run_program(arguments, b"");
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        assert!(String::from_utf8(output.stdout).unwrap().contains(words), "{arguments:?}");
    }
    assert!(fs::read_to_string(&report).unwrap().contains("unterminated"));
    let load = format!("load {path}");
    let typed = [&load, "moves"];
    let mut script = Script::new(lines(&typed));
    script.play(options("nim")).unwrap();
    assert!(script.has_printed("7 legal moves,"), "{:#?}", script.printed);
    // Other programs omit the tag, or call every end normal.
    for end in ["[Termination \"normal\"]\n", ""] {
        let text = text.replace("[Termination \"unterminated\"]\n", end);
        fs::write(&path, text).unwrap();
        let output = run_program(&["match", "--check-record", &path], b"");
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(printed.contains("Terminations: unterminated 1"), "{printed}");
    }
}

/// Ctrl-C, Ctrl-D, an empty line and `cancel` take back the command that asks, and the game goes on.
#[test]
fn questions_about_files_can_be_cancelled() {
    let folder = Folder::new("cancel");
    let path = folder.file("g.pgn").display().to_string();
    let text = record(&[("a1", 3), ("b2", 4)]);
    fs::write(&path, &text).unwrap();
    let line = |text: &str| ConsoleInput::Line(text.to_owned());
    for (language, commands, cancelled, count) in [
        (Language::English, ["load", "save"], ["Nothing was loaded.", "Not saved."], 5),
        (Language::Chinese, ["读取", "保存"], ["未读取。", "未保存。"], 5),
    ] {
        let keys =
            [ConsoleInput::Interrupt, ConsoleInput::End, line(""), line(" cancel "), line("取消")];
        let mut typed = vec![line("5")];
        for key in keys {
            for command in commands {
                typed.extend([line(&format!("{command} {path}")), key.clone()]);
            }
        }
        typed.push(line("1"));
        let mut typed = typed.into_iter();
        let mut script = Script::new(|_, _| typed.next().unwrap_or(ConsoleInput::End));
        script.play(PlayOptions { language, ..two_human_options("tictactoe") }).unwrap();
        for text in cancelled {
            let printed = script.printed.iter().filter(|line| *line == text).count();
            assert_eq!(printed, count, "{text}: {:#?}", script.printed);
        }
        assert!(script.printed.iter().any(|line| line.contains("|[X]|") || line.contains("[O]")));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn records_of_json_lines_are_loaded() {
    let folder = Folder::new("load-json");
    let (text, json) = (folder.file("g.pgn"), folder.file("g.jsonl").display().to_string());
    fs::write(&text, record(&[("a1", 3), ("b2", 4)])).unwrap();
    let lines_of = run_program(&["annotate", text.to_str().unwrap(), "--json"], b"").stdout;
    fs::write(&json, &lines_of).unwrap();
    let typed = [format!("load {json} 4")];
    let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
    let mut script = Script::new(lines(&typed));
    script.play(two_human_options("nim")).unwrap();
    let output = script.printed.join(" ");
    assert!(output.contains("The first player played b2."), "{output}");
    // A line that is cut off leaves the others readable.
    fs::write(&json, &lines_of[..lines_of.len() - 20]).unwrap();
    for (number, words) in
        [(3, "The first player played a1."), (4, "no game 4, expected one of: 3")]
    {
        let typed = [format!("load {json} {number}")];
        let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
        let mut script = Script::new(lines(&typed));
        script.play(two_human_options("nim")).unwrap();
        assert!(script.printed.join(" ").contains(words), "{:#?}", script.printed);
    }
}

/// A record that cannot be loaded is answered with game and ply, in the language of the person, and
/// the game in progress goes on.
#[test]
fn records_that_cannot_be_loaded_are_answered_with_game_and_ply() {
    let folder = Folder::new("load-bad");
    let path = folder.file("g.pgn").display().to_string();
    let load = format!("load {path} 2");
    let bad = |game: &str, moves: &str| {
        record(&[("a1", 1)]) + &format!("[Game \"{game}\"]\n[Number \"2\"]\n\n{moves}")
    };
    for (text, english, chinese) in [
        (
            bad("tictactoe", "1. b2 a1 2. a1 *\n\n"),
            "game 2: ply 3: illegal move \"a1\": a1 is occupied; legal here: a2 a3",
            "第 2 局第 3 步：“a1”不合规则，a1 已有棋子",
        ),
        (
            bad("nim", "1. e5 *\n\n"),
            "game 2: ply 1: \"e5\" is not a move, expected",
            "第 2 局第 1 步：“e5”不是着法",
        ),
        (
            bad("tixtax", "1. e5 a1 *\n\n"),
            "game 2: ply 2: illegal move \"a1\": the mover was sent to the centre board",
            "第 2 局第 2 步：“a1”不合规则，必须在正中的小棋盘落子",
        ),
        (
            bad("chess", "1. e4 *\n\n"),
            "game 2: unknown game \"chess\", expected one of: tixtax",
            "第 2 局没有“chess”这种棋",
        ),
        (bad("tictactoe", "1. b2 {0.1"), "game 2: after ply 1: line 9: ", "第 2 局第 9 行无法识别"),
        (record(&[("a1", 1)]), "no game 2, expected one of: 1", "没有第 2 局，现有：1"),
        (String::new(), "the file contains no game", "文件中没有对局"),
    ] {
        fs::write(&path, &text).unwrap();
        for (language, expected) in [(Language::English, english), (Language::Chinese, chinese)] {
            let typed = ["5", &load, "1"];
            let mut script = Script::new(lines(&typed));
            script.columns = 200;
            script.play(PlayOptions { language, ..two_human_options("tictactoe") }).unwrap();
            assert!(script.has_printed(expected), "{expected}: {:#?}", script.printed);
            assert!(script.has_printed("3 |[O]| . | . |"), "the game goes on");
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    for (command, english, chinese) in [
        ("load /no/such/file", "no such file", "文件不存在"),
        ("save /no/such/folder/game", "its folder does not exist", "所在文件夹不存在"),
        (&format!("save {NO_FILE}"), "not a regular file", "不是普通文件"),
    ] {
        for (language, expected) in [("en", english), ("zh", chinese)] {
            let input = format!("{command}\nyes\n");
            let output = run_program(
                &["play", "tictactoe", "--starts", "me", "--lang", language],
                input.as_bytes(),
            );
            let printed = String::from_utf8(output.stdout).unwrap();
            assert!(printed.contains(expected), "{printed}");
        }
    }
}
