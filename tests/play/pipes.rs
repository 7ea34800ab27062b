//! The program at a pipe.

use super::common::{Folder, lines, run_program};

#[test]
fn a_script_plays() {
    let typed = b"\n\n5\nb9\nquit\n1\n";
    let output = run_program(&["play", "tictactoe", "--ascii"], typed);
    assert!(output.status.success());
    let told = lines(&output.stdout);
    assert!(told.contains(&"Whom do you play, the engine or another person? [Engine/person] "));
    assert!(told.contains(&"your move> 5") && told.contains(&"your move> b9"));
    assert_eq!(told.last(), Some(&"Good-bye."));
    assert!(output.stdout.is_ascii() && output.stderr.is_empty());
}

#[test]
fn anything_may_come_in() {
    let mut typed = b"\xff\xfe\n\x00\n\x1b[A\n".to_vec();
    typed.extend(vec![b'x'; 1_000_000]);
    typed.extend(b"\n5");
    let output = run_program(&["play", "tictactoe", "--opponent", "human"], &typed);
    assert!(output.status.success());
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("The first player played b2."), "{told}");
    assert!(!told.contains('\u{1b}') && !told.contains('\0'));
    assert!(told.len() < 400_000, "a long line is not told in full: {}", told.len());
}

#[test]
fn options_are_checked() {
    for (arguments, words) in [
        (&["play", "chess"][..], "unknown game"),
        (&["play", "ugi"], "--game wants one of our games"),
        (&["play", "nim", "--fen", "x"], "fen has 1 fields"),
        (&["play", "--level", "21"], "21 is not in 0..=20"),
        (&["play", "--movetime", "0"], "0 is not in"),
        (&["play", "--lang", "tlh"], "possible values: en, zh"),
        (&["play", "--fen", "startpos", "--random"], "cannot be used with"),
        (&["play", "--opponent", "human", "--first", "me"], "--first is about you and the engine"),
    ] {
        let output = run_program(arguments, b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(words), "{arguments:?}: {told}");
    }
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let folder = Folder::new("play-pipe");
    let script = folder.file("script");
    std::fs::write(&script, "5\nhint\n".repeat(2000)).unwrap();
    let command = format!(
        "{} play tictactoe --opponent human < {} | head -n 3; echo ${{PIPESTATUS[0]}}",
        super::common::ZERMELO,
        script.display()
    );
    let output = std::process::Command::new("bash").args(["-c", &command]).output().unwrap();
    assert_eq!(lines(&output.stdout).last(), Some(&"0"), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn completions_and_the_manual_come_from_the_arguments() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run_program(&["completions", shell], b"");
        assert!(output.status.success());
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(told.contains("movetime") && told.contains("ponghauki"), "{shell}: {told}");
    }
    let output = run_program(&["man"], b"");
    let told = String::from_utf8(output.stdout).unwrap().replace("\\-", "-");
    assert!(told.starts_with(".ie") && told.contains(".TH zermelo"), "{told}");
    for command in ["play", "match", "solve"] {
        assert!(told.contains(&format!("zermelo-{command}")), "{command}: {told}");
    }
    let output = run_program(&["man", "play"], b"");
    let told = String::from_utf8(output.stdout).unwrap().replace("\\-", "-");
    assert!(told.contains("movetime") && told.contains("Examples"), "{told}");
}

#[test]
fn files_that_never_end_are_refused() {
    let output = run_program(
        &["play", "tictactoe", "--opponent", "human"],
        b"load /dev/zero\nload /dev/null\n5\n",
    );
    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!(told.matches("not a regular file").count(), 2, "{told}");
    assert!(told.contains("played b2"), "{told}");
}

#[test]
fn nothing_that_was_there_is_lost() {
    let folder = Folder::new("play-files");
    let [game, part, link, precious] =
        ["g.pgn", "g.pgn.part", "link.pgn", "precious"].map(|name| folder.file(name));
    std::fs::write(&part, "precious").unwrap();
    std::fs::write(&precious, "precious").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("target.pgn", &link).unwrap();
    let many = "[Game \"tictactoe\"]\n\n1. a1 {0.1s} *\n\n".repeat(3);
    let several = folder.file("several.pgn");
    std::fs::write(&several, &many).unwrap();
    let typed = format!(
        "save {}\nsave {}\nyes\nload {several}\nsave {several}\n\n",
        game.display(),
        link.display(),
        several = several.display()
    );
    let output = run_program(&["play", "tictactoe", "--opponent", "human"], typed.as_bytes());
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(game.exists() && std::fs::read_to_string(part).unwrap() == "precious", "{told}");
    #[cfg(unix)]
    assert!(link.is_symlink() && folder.file("target.pgn").exists(), "{told}");
    assert_eq!(std::fs::read_to_string(several).unwrap(), many, "{told}");
    assert!(told.contains("Nothing was written."), "{told}");
}

#[cfg(unix)]
#[test]
fn the_locale_chooses_the_language() {
    use std::process::Command;
    for (locale, words) in
        [("zh_CN.UTF-8", "井字棋"), ("zh_CN.GBK", "Tic-tac-toe"), ("de_DE.UTF-8", "Tic-tac-toe")]
    {
        let mut command = Command::new(super::common::ZERMELO);
        let command = command.args(["play", "tictactoe"]).env("LC_ALL", locale);
        let output = command.stdin(std::process::Stdio::null()).output().unwrap();
        assert!(String::from_utf8(output.stdout).unwrap().starts_with(words), "{locale}");
    }
}
