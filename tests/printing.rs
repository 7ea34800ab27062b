//! Untrusted text cannot control the terminal, wherever it comes from, and zero has no sign.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use zermelo::printing::{is_printable, printable};

#[cfg(unix)]
use crate::common::terminal::{Terminal, zermelo};
use crate::common::{Folder, ZERMELO, fake_command, run_program, with_slashes};

/// Clears the screen, colours it, reorders the line and starts another one.
const HOSTILE: &str = "x\u{1b}[2J\u{9b}31m\u{202e}y\nzermelo: z";

/// What may stand in the names of an engine and of a record.
const HOSTILE_NAME: &str = "策\u{1b}[2J\u{202e}梅";

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).concat()
}

/// Asserts that the output of the program contains nothing that could control a terminal.
fn assert_harmless(what: &str, output: &Output) -> String {
    let text = text(output);
    let bad: Vec<char> = text.chars().filter(|c| *c != '\n' && !is_printable(*c)).collect();
    assert!(bad.is_empty(), "{what}: {bad:?} in {text:?}");
    text
}

#[test]
fn engine_output_is_escaped_in_compliance() {
    let engine = ["--engine", fake_command(), "args=hostile"];
    let arguments = [&["compliance", "--reply-timeout", "0.5", "--verbose"], &engine[..]].concat();
    let printed = assert_harmless("compliance", &run_program(&arguments, b""));
    assert!(printed.contains("\\u{1b}[2J\\u{202e} engine, tixtax:"), "{printed}");
    assert!(printed.contains("< info string \\u{1b}[2J\\u{202e}"), "{printed}");
}

#[test]
fn engine_output_is_escaped_in_a_match() {
    let folder = Folder::new("printing-match");
    let record = folder.file("games.pgn").display().to_string();
    let name = "name=策\u{202e}梅";
    let game = ["match", "--game", "tictactoe", "--engine", fake_command(), "args=hostile", name];
    let rest = ["--engine", "name=b", "--each", "depth=1", "--record", &record];
    let refused = run_program(&[&game[..], &["option.Hash=1"], &rest].concat(), b"");
    let printed = assert_harmless("start check", &refused);
    assert!(printed.contains("\"Hash=1\": \\u{1b}[2J\\u{202e} bad value"), "{printed}");
    let printed = assert_harmless("match", &run_program(&[&game[..], &rest].concat(), b""));
    assert!(printed.contains("策\\u{202e}梅 0-1 b, 策\\u{202e}梅 "), "{printed}");
    assert!(printed.contains("策\\u{202e}梅 against b"), "{printed}");
    let other = ["match", "--game", "tictactoe", "--engine", "name=c"];
    let printed = assert_harmless("resume", &run_program(&[&other[..], &rest].concat(), b""));
    assert!(printed.contains("is the record of another tournament"), "{printed}");
}

/// A pipe gets the record as it is, a terminal nothing that could control it.
#[test]
fn annotated_records_are_valid_in_a_pipe_and_harmless_on_a_terminal() {
    let folder = Folder::new("printing-annotate");
    let path = folder.path("games.json");
    let name = "a\u{1b}[2J\u{202e}b";
    let game =
        format!("[Game \"tictactoe\"]\n[White \"{name}\"]\n[Black \"c\"]\n\n1. a1 {{0.1s}} *\n\n");
    fs::write(&path, game).unwrap();
    let piped = run_program(&["annotate", &path, "--json"], b"");
    let read = zermelo::records::GameReader::new(&*piped.stdout).next_game().unwrap().unwrap();
    assert_eq!(read.players, [name, "c"]);
    #[cfg(unix)]
    {
        let shown = Terminal::start(zermelo(&["annotate", &path, "--json"])).output;
        let shown = String::from_utf8(shown.iter().flatten().collect()).unwrap();
        assert!(shown.contains("\\u{202e}b\",\"c\"]"), "{shown}");
        assert!(!shown.contains('\u{202e}'), "{shown}");
    }
}

#[test]
fn text_of_records_is_escaped() {
    let folder = Folder::new("printing-record");
    let path = folder.file("games.pgn").display().to_string();
    let tags =
        format!("[White \"{HOSTILE_NAME}\"]\n[Black \"b\\x1b\\n\"]\n[Event \"{HOSTILE_NAME}\"]");
    let record = |game: &str, moves: &str| {
        fs::write(&path, format!("[Game \"{game}\"]\n{tags}\n\n{moves}\n\n")).unwrap();
    };
    let bad = format!("a1{HOSTILE_NAME}");
    for (game, moves) in [
        ("tictactoe", "1. a1 {0.1s} a2 {0.1s} *".to_owned()),
        ("tictactoe", format!("1. a1 {{0.1s {HOSTILE_NAME}}} {bad} {{0.1s}} *")),
        ("tictactoe", format!("1. a1 {{0.1s}} {{{HOSTILE_NAME} *")),
        (HOSTILE_NAME, "1. a1 {0.1s} *".to_owned()),
    ] {
        record(game, &moves);
        let load = format!("load {path}\nmoves\n");
        let copy = folder.file("copy.pgn").display().to_string();
        for (arguments, input) in [
            (&["match", "--check-record", &path][..], ""),
            (&["annotate", &path, "--output", &copy], ""),
            (&["review", &path], ""),
            (&["play", "nim", "--opponent", "human"], &load),
        ] {
            let output = run_program(arguments, input.as_bytes());
            assert_harmless(&format!("{arguments:?} {moves}"), &output);
        }
    }
    record("tictactoe", "1. a1 {0.1s} a2 {0.1s} *");
    let printed = text(&run_program(&["match", "--check-record", &path], b""));
    let (first, second) = (printable(HOSTILE_NAME), "b\\u{1b}\\n");
    assert!(printed.contains(&format!("{first} against {second}: ")), "{printed}");
}

#[test]
#[cfg_attr(windows, ignore = "Windows has no such file names")]
fn paths_in_messages_are_escaped() {
    let missing = format!("/no/such/{HOSTILE}");
    let folder = Folder::new("printing-paths");
    let existing = folder.file(HOSTILE).display().to_string();
    let record = folder.file("games.pgn").display().to_string();
    let eval_file = format!("setoption name EvalFile value {}", missing.replace('\n', " "));
    let log_file = format!("setoption name Log File value {}", missing.replace('\n', " "));
    let two = ["match", "--engine", "name=a", "--engine", "name=b", "--each", "depth=1"];
    let openings = format!("file={missing}");
    let dir = format!("dir={missing}");
    for path in [&missing, &existing] {
        fs::write(&existing, "[\u{1b}").unwrap();
        let commands: [&[&str]; 20] = [
            &["match", "--check-record", path],
            &["match", "--merge", path, "--record", &record],
            &[&two[..], &["--record", path]].concat(),
            &[&two[..], &["--jsonl", path]].concat(),
            &[&two[..], &["--report", path, "--record", path]].concat(),
            &[&two[..], &["--openings", &openings]].concat(),
            &[&two[..], &[&dir]].concat(),
            &["annotate", path],
            &["annotate", path, "--output", path],
            &["review", path],
            &["solve", "--file", path],
            &["solve", "--fen", "x", "--checkpoint", path],
            &["convert", "--to", "fen", path],
            &["convert", "--to", "fen", path, path],
            &["datagen", "--games", "1", "--out", path],
            &["datagen", "--games", "1", "--out", "/dev/null", "--eval", path],
            &["analyze", "ponghauki", "--html", path, "--svg", path],
            &["--log", path, "--", &eval_file, &log_file],
            &["compliance", "--engine", &openings, &dir],
            &["compliance", "--engine", &dir],
        ];
        for arguments in commands {
            let output = run_program(arguments, b"");
            let printed = assert_harmless(&format!("{arguments:?}"), &output);
            assert!(!printed.contains("\nzermelo: z"), "{arguments:?}: {printed}");
        }
    }
}

#[test]
fn arguments_in_messages_are_escaped() {
    let value = format!("a={HOSTILE}");
    let flag = format!("--{HOSTILE}");
    let long = format!("--depth={HOSTILE}");
    let commands: [&[&str]; 16] = [
        &[HOSTILE],
        &[&flag],
        &["--game", HOSTILE],
        &["perft", HOSTILE],
        &["perft", "3", "--fen", HOSTILE],
        &["bench", &long],
        &["man", HOSTILE],
        &["completions", HOSTILE],
        &["play", HOSTILE],
        &["play", "--lang", HOSTILE],
        &["match", "--engine", HOSTILE],
        &["match", "--engine", &value],
        &["match", "--game-range", HOSTILE],
        &["match", "--engine", "name=a", "--engine", "name=b", "--sprt", &value],
        &["solve", "--fen", HOSTILE],
        &["--", HOSTILE],
    ];
    for arguments in commands {
        let output = run_program(arguments, b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let printed = assert_harmless(&format!("{arguments:?}"), &output);
        assert!(!printed.contains("\nzermelo: z"), "{arguments:?}: {printed}");
    }
}

#[test]
fn protocol_and_input_lines_are_escaped() {
    let hostile = HOSTILE.replace('\n', "");
    let lines = [
        hostile.clone(),
        format!("position fen {hostile}"),
        format!("position startpos moves {hostile}"),
        format!("setoption name {hostile} value {hostile}"),
        format!("setoption name Hash value {hostile}"),
        format!("go {hostile}"),
    ];
    let input = lines.join("\n");
    let output = run_program(&[], input.as_bytes());
    let printed = assert_harmless("protocol", &output);
    assert_eq!(printed.matches("info string error: ").count(), lines.len(), "{printed}");
    for arguments in [&["solve", "--file", "-"][..], &["convert", "--to", "fen"]] {
        assert_harmless(&format!("{arguments:?}"), &run_program(arguments, input.as_bytes()));
    }
}

#[test]
fn log_and_environment_are_escaped() {
    let lines = ["--", "\u{1b}[2J\u{202e}", "quit"];
    for filter in ["debug", HOSTILE] {
        let output = Command::new(ZERMELO).args(lines).env("RUST_LOG", filter).output().unwrap();
        let printed = assert_harmless(filter, &output);
        assert!(!printed.contains("\nzermelo: z"), "{printed}");
    }
    let folder = Folder::new("printing-log");
    let log = folder.file("log").display().to_string();
    run_program(&["--log", &log, "--", lines[1]], b"");
    let logged = fs::read_to_string(&log).unwrap();
    assert!(logged.contains("[2J\\u{202e}\n"), "{logged}");
    assert!(logged.chars().all(|letter| letter == '\n' || is_printable(letter)), "{logged:?}");
}

/// Scores, times and bounds of zero are written with any sign and printed without a minus.
#[test]
fn zero_has_no_minus_sign_in_results() {
    let folder = Folder::new("printing-zero");
    let record = folder.file("games.pgn").display().to_string();
    let [json, report] = ["a.json", "a.html"].map(|name| folder.file(name).display().to_string());
    let two = ["match", "--game", "tictactoe", "--engine", "name=a", "--engine", "name=b"];
    let more = ["--each", "depth=1", "--sprt", "elo0=-0", "elo1=5", "--rounds", "2"];
    let files = ["--record", &record, "--jsonl", &json, "--report", &report];
    let played = run_program(&[&two[..], &more, &files].concat(), b"");
    let signed = fs::read_to_string(&record).unwrap().replace("{+0.00", "{-0.00");
    fs::write(&record, signed).unwrap();
    let verdict = run_program(&["match", "--check-record", &record, "--summary-json"], b"");
    let annotated = run_program(&["annotate", &record], b"");
    let mut texts: Vec<String> = [&played, &verdict, &annotated].map(text).into();
    texts.extend([&json, &report].map(|file| fs::read_to_string(file).unwrap()));
    for text in texts {
        let words = text.split(|c: char| !(c.is_alphanumeric() || "-−+.=".contains(c)));
        let is_zero = |word: &&str| {
            let size = word.strip_prefix(['-', '−']).unwrap_or_default();
            size.starts_with('0') && size.chars().all(|c| c == '0' || c == '.')
        };
        // In "+2 =3 -0" the sign stands for losses.
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let is_tally = |pair: &[&str]| pair[0].starts_with('=');
        let zero = words.windows(2).find(|pair| is_zero(&pair[1]) && !is_tally(pair));
        assert_eq!(zero, None, "{text}");
    }
}

/// The source prints paths, and text to the standard streams, by the functions of `printing` only.
#[test]
fn untrusted_text_is_printed_through_one_module() {
    /// Files that write to the standard streams directly, and why that is safe.
    const STREAMS: [(&str, &str); 18] = [
        ("cli/terminal.rs", "escapes"),
        ("cli/progress.rs", "numbers"),
        ("cli/commands/play/console.rs", "lines of TextLine, which escapes"),
        ("cli/commands/play/signals.rs", "messages of play"),
        ("cli/commands/match/display.rs", "the progress line, escaped"),
        ("cli/commands/match/check_record.rs", "JSON"),
        ("cli/commands/match/shards.rs", "JSON"),
        ("cli/commands/analyze.rs", "computed text"),
        ("cli/commands/bench.rs", "numbers"),
        ("cli/commands/codingame.rs", "numbers"),
        ("cli/commands/completions.rs", "a file"),
        ("cli/commands/convert.rs", "positions in canonical form"),
        ("cli/commands/datagen.rs", "numbers"),
        ("cli/commands/manual.rs", "a file"),
        ("cli/commands/openings.rs", "positions in canonical form"),
        ("cli/commands/perft.rs", "numbers"),
        ("cli/protocol.rs", "replies of the engine"),
        ("cli/commands/puzzles.rs", "positions in canonical form"),
    ];
    const MORE_STREAMS: [&str; 2] = ["cli/commands/solve/mod.rs", "engine/log.rs"];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut unchecked = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = with_slashes(path.strip_prefix(&root).unwrap());
            if !name.ends_with(".rs") || name == "printing.rs" {
                continue;
            }
            let source = fs::read_to_string(&path).unwrap();
            // Unit tests, at the end, may print what they measure.
            let source = source.split("#[cfg(test)]\nmod tests").next().unwrap();
            let has = |words: &[&str]| words.iter().any(|word| source.contains(word));
            if has(&[".display()", "error(\"{path}", " {path}: {source}", "escape_debug"]) {
                unchecked.push(format!("{name}: a path or an escape without crate::printing"));
            }
            let is_listed = STREAMS.iter().any(|(own, _)| *own == name);
            let is_listed = is_listed || MORE_STREAMS.contains(&&*name);
            if has(&["io::stdout", "io::stderr", "println!"]) && !is_listed {
                unchecked.push(format!("{name}: a standard stream without cli::terminal"));
            }
            if has(&[":+}", ":+."]) {
                unchecked.push(format!("{name}: a signed number without printing::signed"));
            }
        }
    }
    assert!(unchecked.is_empty(), "{unchecked:#?}");
}
