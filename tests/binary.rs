//! Tests of the program, driven through its pipes as clients do.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

use crate::common::{Client, ZERMELO, number_after, run_program, wait_with_timeout};

fn run(arguments: &[&str], input: &str) -> Output {
    run_program(arguments, input.as_bytes())
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

#[test]
fn piped_input_is_answered_before_the_program_ends() {
    let output = run(&[], "position startpos\ngo depth 7\n");
    assert!(output.status.success());
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert!(lines[lines.len() - 1].starts_with("bestmove "));
    assert_eq!(number_after(lines[lines.len() - 2], "depth"), 7);
    assert_eq!(stderr(&output), "");
}

#[test]
fn arguments_after_two_dashes_are_commands() {
    let output = run(&["--", "position startpos", "go depth 5"], "");
    assert!(stdout(&output).contains("\nbestmove "));
    let output = run(&["--game", "nim", "--", "fen", "go"], "");
    assert!(stdout(&output).starts_with("rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b\n"));
    assert!(stdout(&output).contains("proven loss in 48"));
}

#[test]
fn commands_after_two_dashes_wait_for_each_other() {
    let output =
        run(&["--", "go depth 6", "position startpos moves e5", "go depth 6", "perft 3"], "");
    assert!(output.status.success());
    assert_eq!(stdout(&output).matches("bestmove ").count(), 2);
    assert!(!stdout(&output).contains("error"), "{}", stdout(&output));
    let output = run(&["--", "position startpos moves z9", "go depth 1"], "");
    assert_eq!(output.status.code(), Some(2), "bad input");
    assert!(stdout(&output).contains("bestmove "));
}

#[cfg(target_os = "linux")]
#[test]
fn pipes_are_refused_as_files() {
    let output = run(&["--log", "/dev/stdout"], "isready\n");
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    let output = run(
        &[],
        "setoption name EvalFile value /dev/stdin\nsetoption name Log File value /dev/stdout\nisready\n",
    );
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[..2].iter().all(|line| line.contains("not a regular file")), "{lines:?}");
}

#[test]
fn isready_and_options_during_a_search() {
    let mut client = Client::process(&[]);
    client.send("setoption name MultiPV value 2");
    client.send("go infinite");
    client.until("info depth 3");
    client.send("isready");
    client.until("readyok");
    client.send("stop");
    client.until("bestmove");
    for _ in 0..2 {
        client.send("ucinewgame");
        let lines = client.go("depth 2");
        assert_eq!(number_after(&lines[lines.len() - 2], "multipv"), 2, "the option is kept");
    }
    client.send("quit");
    assert_eq!(client.finish(), [""; 0]);
}

#[test]
fn the_end_of_stdin_ends_an_unbounded_search() {
    let mut client = Client::process(&[]);
    client.send("go infinite");
    client.until("info depth 3");
    assert!(client.finish().last().unwrap().starts_with("bestmove "));
}

#[test]
fn a_client_that_stops_reading_ends_the_program_quietly() {
    let mut child = Command::new(ZERMELO)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"uci\n").unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    // Stdout is closed now, stdin is not.
    stdin.write_all(b"go movetime 50\n").unwrap();
    let output = wait_with_timeout(child).unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    assert_eq!(stderr(&output), "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_makes_the_run_fail() {
    let output = Command::new("sh").args(["-c", &format!("{ZERMELO} -- d > /dev/full")]).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).starts_with("zermelo: "), "{}", stderr(&output));
    let output = Command::new("sh").args(["-c", &format!("{ZERMELO} --help > /dev/full")]).output();
    assert_eq!(output.unwrap().status.code(), Some(1));
}

#[test]
fn bad_usage_exits_with_code_2() {
    for arguments in [
        &["--game", "chess"][..],
        &["perft"],
        &["perft", "0"],
        &["perft", "3", "--fen", "nonsense"],
        &["perft", "3", "--threads", "0"],
        &["dance"],
        &["--log", "/nowhere/log"],
    ] {
        let output = run(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!stderr(&output).is_empty(), "{arguments:?}");
        assert_eq!(stdout(&output), "", "{arguments:?}");
    }
    let output = run(&["--game", "chess"], "");
    assert!(stderr(&output).contains("unknown game \"chess\", expected one of: tixtax"));
}

#[test]
fn perft_ends_with_nodes_and_speed() {
    let output = run(&["perft", "4", "--game", "tictactoe", "--divide", "--threads", "2"], "");
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!(lines.len(), 10);
    assert!(lines[9].starts_with("3024 nodes ") && lines[9].ends_with(" nps"));
    let fen = "9/7x1/9/9/3oo4/x3x4/2o6/7x1/x1o6 o 5 e4";
    let output = run(&["perft", "3", "--fen", fen], "");
    assert!(stdout(&output).starts_with("563 nodes "));
}

/// The signature of the search: a commit that changes it says `bench: N`.
const BENCH_NODES: u64 = 503_069;

#[test]
fn the_search_has_its_bench_signature() {
    let output = run(&["bench"], "");
    let nodes = stdout(&output).lines().last().unwrap().split(' ').next().unwrap();
    assert_eq!(nodes.parse(), Ok(BENCH_NODES));
}

#[test]
fn the_log_goes_to_a_file_and_never_to_stdout() {
    let file = std::env::temp_dir().join(format!("zermelo-log-{}", std::process::id()));
    let path = file.to_str().unwrap();
    let output = run(&["--log", path], "isready\nhop\n");
    assert_eq!(stdout(&output).lines().next(), Some("readyok"));
    assert_eq!(stdout(&output).lines().count(), 2);
    let log = std::fs::read_to_string(&file).unwrap();
    assert!(log.contains("< isready") && log.contains("> readyok"), "{log}");
    std::fs::remove_file(&file).unwrap();
    let set = format!("setoption name Log File value {path}\nisready\nquit\n");
    assert_eq!(stdout(&run(&[], &set)), "readyok\n");
    assert!(std::fs::read_to_string(&file).unwrap().contains("< isready"));
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn version_shows_version_and_commit() {
    let output = run(&["--version"], "");
    let text = stdout(&output);
    assert!(text.starts_with(concat!("zermelo ", env!("CARGO_PKG_VERSION"), " (")), "{text}");
}

/// Runs the shell pipe of docs/integration.md as written.
#[cfg(unix)]
#[test]
fn the_documented_shell_pipe_works() {
    let page = include_str!("../docs/integration.md");
    let line = page.lines().find(|line| line.starts_with("printf ")).unwrap();
    let folder = std::path::Path::new(ZERMELO).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh").args(["-c", line]).env("PATH", path).output().unwrap();
    assert!(stdout(&output).lines().last().unwrap().starts_with("bestmove "), "{line}");
}
