//! The program reading from a pipe.

use std::io::{BufRead, BufReader, Write};

use crate::common::{Folder, NO_FILE, lines, run_program, start_program, wait_with_timeout};

#[test]
fn a_game_can_be_scripted() {
    let typed = b"\n\n5\nb9\nquit\n1\n";
    let output = run_program(&["play", "tictactoe", "--ascii"], typed);
    assert!(output.status.success());
    let printed = lines(&output.stdout);
    assert!(printed.contains(&"Opponent: engine or human? [E/h] "));
    assert!(printed.contains(&"your move> 5") && printed.contains(&"your move> b9"));
    assert_eq!(printed.last(), Some(&"Goodbye."));
    assert!(output.stdout.is_ascii() && output.stderr.is_empty());
}

#[test]
fn arbitrary_bytes_are_harmless() {
    let mut typed = b"\xff\xfe\n\x00\n\x1b[A\n".to_vec();
    typed.extend(vec![b'x'; 1_000_000]);
    typed.extend(b"\n5");
    let output = run_program(&["play", "tictactoe", "--opponent", "human"], &typed);
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("The first player played b2."), "{printed}");
    assert!(!printed.contains('\u{1b}') && !printed.contains('\0'));
    assert!(printed.len() < 400_000, "a long line is echoed in part: {}", printed.len());
}

#[test]
fn invalid_options_are_refused() {
    for (arguments, words) in [
        (&["play", "chess"][..], "unknown game"),
        (&["play", "ugi"], "--game ugi is only supported by match and compliance"),
        (&["play", "nim", "--fen", "x"], "field count 1"),
        (
            &["play", "--level", "21"],
            "unknown level \"21\", expected a number from 0 to 20 or one of: beginner",
        ),
        (&["play", "--movetime", "0"], "\"0\" for --movetime, expected "),
        (&["play", "--lang", "tlh"], "\"tlh\" for --lang, expected one of: en, zh"),
        (&["play", "--fen", "startpos", "--random"], "cannot be used with"),
        (
            &["play", "--opponent", "human", "--starts", "me"],
            "--starts cannot be used with --opponent human",
        ),
    ] {
        let output = run_program(arguments, b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let printed = String::from_utf8(output.stderr).unwrap();
        assert!(printed.contains(words), "{arguments:?}: {printed}");
    }
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let mut program = start_program(&["play", "tictactoe", "--opponent", "human"]);
    let mut stdin = program.stdin.take().unwrap();
    // The program answers far more than a pipe holds, and has ended before it has read everything.
    let writer = std::thread::spawn(move || stdin.write_all("5\nhint\n".repeat(2000).as_bytes()));
    let mut stdout = BufReader::new(program.stdout.take().unwrap());
    stdout.read_line(&mut String::new()).unwrap();
    drop(stdout);
    let output = wait_with_timeout(program).unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let _ = writer.join().unwrap();
}

#[test]
fn completions_and_the_manual_come_from_the_arguments() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run_program(&["completions", shell], b"");
        assert!(output.status.success());
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(
            printed.contains("movetime") && printed.contains("ponghauki"),
            "{shell}: {printed}"
        );
    }
    let output = run_program(&["man"], b"");
    let printed = String::from_utf8(output.stdout).unwrap().replace("\\-", "-");
    assert!(printed.starts_with(".ie") && printed.contains(".TH zermelo"), "{printed}");
    for command in ["play", "match", "solve"] {
        assert!(printed.contains(&format!("zermelo-{command}")), "{command}: {printed}");
    }
    let output = run_program(&["man", "play"], b"");
    let printed = String::from_utf8(output.stdout).unwrap().replace("\\-", "-");
    assert!(printed.contains("movetime") && printed.contains("Examples"), "{printed}");
}

#[test]
fn all_manual_pages_are_written_to_a_folder() {
    let folder = Folder::new("play-manual");
    let pages = folder.file("man/man1").display().to_string();
    for _ in 0..2 {
        let output = run_program(&["man", "--all", &pages], b"");
        assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    }
    let page = |name: &str| std::fs::read_to_string(folder.file("man/man1").join(name)).unwrap();
    assert!(page("zermelo.1").contains(".TH zermelo"));
    let help = run_program(&["--help"], b"");
    let help = String::from_utf8(help.stdout).unwrap();
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> = commands.map_while(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 10, "{commands:?}");
    for command in commands {
        assert!(page(&format!("zermelo-{command}.1")).contains(".TH zermelo"), "{command}");
    }
    let both = run_program(&["man", "play", "--all", &pages], b"");
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn devices_are_not_loaded() {
    let output = run_program(
        &["play", "tictactoe", "--opponent", "human"],
        format!("load {NO_FILE}\nload {NO_FILE}\n5\n").as_bytes(),
    );
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed.matches("not a regular file").count(), 2, "{printed}");
    assert!(printed.contains("played b2"), "{printed}");
}

#[test]
fn saving_overwrites_no_other_file() {
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
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(game.exists() && std::fs::read_to_string(part).unwrap() == "precious", "{printed}");
    #[cfg(unix)]
    assert!(link.is_symlink() && folder.file("target.pgn").exists(), "{printed}");
    assert_eq!(std::fs::read_to_string(several).unwrap(), many, "{printed}");
    assert!(printed.contains("Not saved."), "{printed}");
}

#[cfg(unix)]
#[test]
fn the_locale_selects_the_language() {
    use std::process::Command;
    for (locale, words) in
        [("zh_CN.UTF-8", "井字棋"), ("zh_CN.GBK", "Tic-tac-toe"), ("de_DE.UTF-8", "Tic-tac-toe")]
    {
        let mut command = Command::new(crate::common::ZERMELO);
        let command = command.args(["play", "tictactoe"]).env("LC_ALL", locale);
        let output = command.stdin(std::process::Stdio::null()).output().unwrap();
        assert!(String::from_utf8(output.stdout).unwrap().starts_with(words), "{locale}");
    }
}
