//! Saving and loading games.

use std::fs;

use super::common::{Folder, run_program};
use super::script::{Script, lines, options, two_person_options};
use zermelo::arena::record::Termination;
use zermelo::arena::record::pgn::PgnReader;

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
        script.play(two_person_options("nim")).unwrap();
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
    let typed = [&load[..], "7", "4", &load, "", &load, "quit"];
    let mut script = Script::new(lines(&typed));
    script.play(two_person_options("tictactoe")).unwrap();
    let output = script.printed.join(" ");
    assert!(output.contains("\"7\" is not the number of a game: expected one of 3-4."), "{output}");
    let loaded = ["Loaded game 4 of", "Loaded game 3 of"].map(|text| output.find(text).unwrap());
    assert!(loaded[0] < loaded[1] && output.ends_with("Goodbye."), "{output}");
    let mut script = Script::new(lines(&typed[..1]));
    script.interactive = false;
    script.play(two_person_options("tictactoe")).unwrap();
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
    script.play(two_person_options("nim")).unwrap();
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
    let saved = PgnReader::new(text.as_bytes()).next_game().unwrap().unwrap();
    assert_eq!((saved.result, saved.termination), (None, Termination::Unterminated));
    let report = folder.file("report.html").display().to_string();
    for (arguments, words) in [
        (&["match", "--rescore", &path, "--report", &report][..], "Terminations: unterminated 1"),
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
    // Records of earlier versions called the end normal, and other programs omit the tag.
    for end in ["[Termination \"normal\"]\n", ""] {
        let text = text.replace("[Termination \"unterminated\"]\n", end);
        fs::write(&path, text).unwrap();
        let output = run_program(&["match", "--rescore", &path], b"");
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(printed.contains("Terminations: unterminated 1"), "{printed}");
    }
}
