//! Runs `zermelo solve`: correct values in every game, verified proofs, and what it promises about
//! time, memory, signals and checkpoints.

use std::fs;
#[cfg(unix)]
use std::io::Write;
#[cfg(unix)]
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

#[cfg(unix)]
use crate::common::terminal::{self, Terminal};
use crate::common::{Folder, ZERMELO, lines, run_program, wait_with_timeout};
use serde_json::Value as Json;
use zermelo::games::{Nim, PongHauKi, TicTacToe, TixTax};
use zermelo::rules::random_positions::random_late_position;
use zermelo::rules::{ExactValue, Game, GameNotation, SplitMix, Value};
use zermelo::solve::reference;

/// A drawn position that takes about 3 million nodes to prove.
const DRAWN: &str =
    "xx1o2x1o/1oo2x2o/1ox3x2/3o1xx2/o1x1x1xo1/3o1x1o1/2oo4x/1x4oo1/x1o1xxo2 x 18 a5";

/// A parsed result line.
#[derive(Debug, PartialEq)]
struct Answer {
    value: String,
    plies: String,
    best: String,
    nodes: u64,
    fen: String,
}

fn parse_answer(line: &str) -> Answer {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [value, plies, best, nodes, seconds, fen @ ..] = &words[..] else {
        panic!("not a result line: {line}")
    };
    let (whole, decimals) = seconds.split_once('.').unwrap();
    assert!(whole.parse::<u64>().is_ok() && decimals.len() == 3, "{line}");
    let [value, plies, best] = [value, plies, best].map(|word| (*word).to_owned());
    Answer { value, plies, best, nodes: nodes.parse().unwrap(), fen: fen.join(" ") }
}

fn solve(game: &str, fens: &[String], more: &[&str]) -> Vec<Answer> {
    let arguments = [&["solve", "--game", game, "--file", "-"], more].concat();
    let output = run_program(&arguments, fens.join("\n").as_bytes());
    assert_eq!(output.status.code(), Some(0), "{:?}", lines(&output.stderr));
    let answers: Vec<Answer> = lines(&output.stdout).into_iter().map(parse_answer).collect();
    assert_eq!(answers.len(), fens.len());
    answers
}

/// Distinct positions near the end of random games, some of them finished.
fn late_positions<G: Game>(count: usize, plies: u32) -> Vec<G> {
    let (mut random, mut found) = (SplitMix::new(11), Vec::new());
    while found.len() < count {
        let start = G::random_start(&mut random);
        let limit = random.below(plies as usize) as u32 + 1;
        let pos = random_late_position(start, limit, &mut random);
        if !found.contains(&pos) {
            found.push(pos);
        }
    }
    found
}

/// Compares results with plain negamax; the reported move has to keep the value.
fn agrees_with_negamax<G: GameNotation>(count: usize, plies: u32) {
    let positions = late_positions::<G>(count, plies);
    let fens: Vec<String> = positions.iter().map(ToString::to_string).collect();
    let (mut values, mut wins) = (0, 0);
    for (pos, answer) in positions.iter().zip(solve(G::ID, &fens, &["--memory", "64"])) {
        let exact = reference::negamax(pos);
        assert_eq!((answer.value, &answer.fen), (exact.value().to_string(), &pos.to_string()));
        values += 1;
        wins += usize::from(exact.value() == Value::Win);
        let expected = exact.plies().map_or("-".to_owned(), |plies| plies.to_string());
        assert_eq!(answer.plies, expected, "{pos}");
        if pos.outcome().is_some() {
            assert_eq!(answer.best, "-");
        } else {
            let mut after = *pos;
            after.play(pos.parse_move(&answer.best).unwrap()).unwrap();
            let kept = reference::negamax(&after).before_move();
            assert_eq!(kept, exact, "{} in {pos}", answer.best);
        }
    }
    assert!(values == count && wins > count / 20, "{wins} of {count} won");
}

#[test]
fn late_positions_of_solved_games_agree_with_negamax() {
    agrees_with_negamax::<TicTacToe>(300, 7);
    agrees_with_negamax::<Nim>(200, 6);
}

/// The best result that can be forced within `plies`, or a draw; exact if no win takes longer.
fn best_forced_result(pos: &PongHauKi, plies: u32) -> ExactValue {
    match pos.outcome() {
        Some(outcome) => ExactValue::from_outcome(outcome, pos.side()),
        None if plies == 0 => ExactValue::Draw,
        None => {
            let moves = pos.legal_moves().into_iter();
            let values =
                moves.map(|mv| best_forced_result(&pos.after(mv), plies - 1).before_move());
            values.max().unwrap()
        }
    }
}

#[test]
fn every_ponghauki_position_agrees_with_forced_results() {
    let mut positions = vec![PongHauKi::start()];
    let mut next = 0;
    while let Some(pos) = positions.get(next).copied() {
        next += 1;
        for mv in pos.legal_moves() {
            let child = pos.after(mv);
            if !positions.contains(&child) {
                positions.push(child);
            }
        }
    }
    assert!(positions.len() >= 56, "only {} positions reached", positions.len());
    let fens: Vec<String> = positions.iter().map(ToString::to_string).collect();
    for (pos, answer) in positions.iter().zip(solve("ponghauki", &fens, &[])) {
        let exact = best_forced_result(pos, 8);
        assert_eq!(answer.value, exact.value().to_string(), "{pos}");
        assert_eq!(answer.plies, exact.plies().map_or("-".to_owned(), |plies| plies.to_string()));
    }
}

/// Values and FENs of the known solved positions.
fn solved_positions() -> Vec<(String, String)> {
    let lines =
        include_str!("data/tixtax-solved.txt").lines().filter(|line| !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.split_once(' '));
    pairs.map(|(value, fen)| (value.to_owned(), fen.to_owned())).collect()
}

#[test]
fn known_positions_are_solved_and_every_proof_is_verified() {
    let solved = solved_positions();
    assert_eq!(solved.len(), 28);
    let input = solved.iter().map(|(_, fen)| format!("{fen}\n")).collect::<String>();
    let output = run_program(&["solve", "--file", "-", "--verify"], input.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let answers = lines(&output.stdout).into_iter().map(parse_answer);
    for (answer, (value, fen)) in answers.zip(&solved) {
        assert_eq!(answer.value, *value, "{fen}");
        assert_ne!(answer.best, "-");
    }
    let verified = lines(&output.stderr);
    assert_eq!(verified.len(), 28);
    assert!(verified.iter().all(|line| line.contains("proof verified, ")));
}

#[test]
fn two_threads_find_the_same_values() {
    let solved: Vec<_> = solved_positions().into_iter().step_by(4).collect();
    let fens: Vec<String> = solved.iter().map(|(_, fen)| fen.clone()).collect();
    for (answer, (value, fen)) in solve("tixtax", &fens, &["--threads", "2"]).iter().zip(&solved) {
        assert_eq!(answer.value, *value, "{fen}");
    }
}

#[test]
fn symmetric_images_have_the_same_value() {
    for (value, fen) in solved_positions().into_iter().step_by(9) {
        let pos: TixTax = fen.parse().unwrap();
        let images = (0..TixTax::SYMMETRIES).map(|symmetry| pos.image(symmetry).to_string());
        for answer in solve("tixtax", &images.collect::<Vec<_>>(), &[]) {
            assert_eq!(answer.value, value, "{}", answer.fen);
        }
    }
}

#[test]
fn finished_games_are_solved_and_bad_lines_refused() {
    let over = "xxx/oo1/3 o";
    let drawn = "xox/xox/oxo o";
    let blanks = " ".repeat(70_000);
    let input = format!(
        "# comment\n{over}\n\nnonsense\n{drawn}\n3/3/3 x\n{over}{blanks}more\n{blanks}{over}\n"
    );
    let output = run_program(&["solve", "--game", "tictactoe", "--file", "-"], input.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    let answers: Vec<Answer> = lines(&output.stdout).into_iter().map(parse_answer).collect();
    assert_eq!(answers.len(), 3);
    let fields = |index: usize| {
        let Answer { value, plies, best, .. } = &answers[index];
        (value.as_str(), plies.as_str(), best.as_str())
    };
    assert_eq!(
        [fields(0), fields(1), fields(2)],
        [("loss", "0", "-"), ("draw", "-", "-"), ("draw", "-", "a3")]
    );
    let errors = lines(&output.stderr);
    assert!(errors[0].contains("line 4") && errors[0].contains("nonsense"), "{errors:?}");
    for (error, line) in errors[1..3].iter().zip(["line 7", "line 8"]) {
        assert!(error.contains(line) && error.contains("…"), "{error}");
    }
    assert!(errors[3].contains("3 lines refused"), "{errors:?}");
}

#[test]
fn json_agrees_with_text() {
    let fen = &solved_positions()[0].1;
    let text = run_program(&["solve", "--fen", fen], b"");
    let json = run_program(&["solve", "--fen", fen, "--json", "--verify"], b"");
    let answer = parse_answer(lines(&text.stdout)[0]);
    let object: Json = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(object["value"], answer.value);
    assert_eq!((&object["at_least"], &object["at_most"]), (&object["value"], &object["value"]));
    assert_eq!(object["best"], answer.best);
    assert_eq!(object["fen"], answer.fen);
    assert!(object["plies"].is_null());
    assert!(object["verified"].as_u64().unwrap() > 100);
}

/// Proves each goal alone, and compares the bounds with negamax.
#[test]
fn a_goal_is_proven_without_the_rest_of_the_value() {
    let positions = late_positions::<TixTax>(60, 12);
    let fens: Vec<String> = positions.iter().map(ToString::to_string).collect();
    for (goal, target) in [("win", Value::Win), ("draw", Value::Draw)] {
        let arguments = ["solve", "--json", "--verify", "--goal", goal, "--file", "-"];
        let output = run_program(&arguments, fens.join("\n").as_bytes());
        assert_eq!(output.status.code(), Some(0), "{:?}", lines(&output.stderr));
        let mut partial = 0;
        for (pos, line) in positions.iter().zip(lines(&output.stdout)) {
            let found: Json = serde_json::from_str(line).unwrap();
            let value = reference::negamax(pos).value();
            let rank = |word: &Json| ["loss", "draw", "win"].iter().position(|own| word == own);
            let [least, most] =
                [&found["at_least"], &found["at_most"]].map(|word| rank(word).unwrap());
            assert!((least..=most).contains(&(value as usize)), "{line}");
            let reached = value >= target;
            assert!(
                if reached { least >= target as usize } else { most < target as usize },
                "{line}"
            );
            assert!(found["verified"].is_u64() || pos.outcome().is_some(), "{line}");
            // A move is named that reaches the goal.
            if reached && pos.outcome().is_none() {
                let mv = found["best"].as_str().unwrap();
                let child = pos.after(pos.parse_move(mv).unwrap());
                assert!(reference::negamax(&child).value().flip() >= target, "{line}");
            }
            partial += usize::from(found["value"] == "unknown");
        }
        assert!(partial > 0, "{goal}");
    }
}

/// Symmetric moves are one node of a proof tree.
#[test]
fn expansion_lists_each_class_of_moves_once() {
    let output = run_program(&["solve", "--expand", "--fen", DRAWN], b"");
    assert_eq!(output.status.code(), Some(0), "{:?}", lines(&output.stderr));
    let node: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(node["fen"], DRAWN);
    let moves = node["moves"].as_array().unwrap();
    let mut classes: Vec<&str> = moves.iter().map(|mv| mv["class"].as_str().unwrap()).collect();
    classes.sort_unstable();
    classes.dedup();
    assert!(classes.len() == moves.len() && classes.len() > 3, "{classes:?}");
}

#[test]
fn time_limit_ends_with_what_is_proven() {
    let began = Instant::now();
    let output =
        run_program(&["solve", "--fen", &TixTax::start().to_string(), "--time", "0.3"], b"");
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert_eq!(output.status.code(), Some(0));
    let answer = parse_answer(lines(&output.stdout)[0]);
    assert_eq!((answer.value.as_str(), answer.best.as_str()), ("unknown", "-"));
    assert_eq!(lines(&output.stderr).len(), 1);
    assert!(lines(&output.stderr)[0].contains("nothing proven"));
    // If nothing is proven, there is nothing to verify.
    let arguments = ["solve", "--fen", &TixTax::start().to_string(), "--time", "0.1"];
    let again = run_program(&[&arguments[..], &["--verify", "--json"]].concat(), b"");
    let printed = lines(&again.stdout)[0];
    assert!(printed.contains("\"verified\":null"), "{printed}");
    assert_eq!(lines(&again.stderr).len(), 1, "only that nothing is proven");
}

/// Starts a run on one position.
fn start(fen: &str, more: &[&str]) -> Child {
    let mut command = Command::new(ZERMELO);
    command.args(["solve", "--fen", fen]).args(more);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn progress_is_reported_on_request() {
    let fen = TixTax::start().to_string();
    let output = run_program(&["solve", "--fen", &fen, "--time", "2.5", "--progress"], b"");
    let reports = lines(&output.stderr);
    assert!(reports.len() >= 2, "{reports:?}");
    assert!(reports[0].contains("0 of 81 moves solved, table "), "{reports:?}");
    let silent = run_program(&["solve", "--fen", &fen, "--time", "1.5"], b"");
    assert_eq!(lines(&silent.stderr).len(), 1, "only what is proven at the end");
}

#[test]
fn verification_progress_is_reported() {
    const LOST: &str =
        "o1x3x1o/4x1o1o/1xoo2x2/o1x4x1/2x1xxxo1/3o1o1o1/2oo1xxo1/2o4o1/xx2ox2x x 18 a9";
    let output = run_program(&["solve", "--fen", LOST, "--verify", "--progress"], b"");
    let reports = lines(&output.stderr);
    let verified = reports.last().unwrap();
    let (positions, time) = verified.split_once(" positions in ").unwrap();
    assert!(positions.starts_with("zermelo: proof verified, "), "{verified}");
    // Progress is reported only after a second.
    let seconds: f64 = time.strip_suffix(" s").unwrap().parse().unwrap();
    let is_progress = |line: &&str| line.contains("verifying: ");
    assert!(seconds < 1.5 || reports.iter().any(is_progress), "{reports:?}");
}

#[cfg(unix)]
#[test]
fn signal_ends_with_what_is_proven() {
    let folder = Folder::new("solve-signal");
    let file = folder.file("proof");
    let more = ["--checkpoint", file.to_str().unwrap(), "--progress"];
    let mut child = start(&TixTax::start().to_string(), &more);
    // Without its handler, which is ready before the first progress, the program would be killed.
    let mut progress = BufReader::new(child.stderr.take().unwrap());
    progress.read_line(&mut String::new()).unwrap();
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    let sent = Instant::now();
    let output = wait_with_timeout(child).unwrap();
    assert!(sent.elapsed() < Duration::from_secs(3));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(parse_answer(lines(&output.stdout)[0]).value, "unknown");
    assert!(fs::metadata(&file).unwrap().len() > 1000, "the proof was saved");
}

/// The checkpoint's state in the file system, which every write changes.
fn checkpoint_state(file: &Path) -> Option<(u64, std::time::SystemTime)> {
    let metadata = fs::metadata(file).ok()?;
    Some((metadata.len(), metadata.modified().unwrap()))
}

#[test]
fn proof_resumes_after_kills() {
    let folder = Folder::new("solve-killed");
    let file = folder.file("proof");
    let whole = solve("tixtax", &[DRAWN.to_owned()], &[]).remove(0);
    let more = ["--checkpoint", file.to_str().unwrap(), "--checkpoint-every", "0.01"];
    let mut random = SplitMix::new(5);
    // Each run is killed after its first checkpoint, some of them while they write the next.
    for run in 1..=3 {
        let before = checkpoint_state(&file);
        let mut child = start(DRAWN, &more);
        let mut has_ended = false;
        while checkpoint_state(&file) == before && !has_ended {
            std::thread::sleep(Duration::from_millis(1));
            has_ended = child.try_wait().unwrap().is_some();
        }
        assert!(!has_ended, "the proof ended in run {run}, before its first checkpoint");
        std::thread::sleep(Duration::from_millis(random.below(20) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let last = wait_with_timeout(start(DRAWN, &more)).unwrap();
    let messages = String::from_utf8_lossy(&last.stderr).into_owned();
    assert!(messages.contains(&format!("resuming from {}", file.display())), "{messages}");
    let last = parse_answer(lines(&last.stdout)[0]);
    assert_eq!(last.value, whole.value);
    assert!(last.nodes < whole.nodes, "{} of {} nodes", last.nodes, whole.nodes);
    // A finished proof is loaded from the checkpoint.
    let again = wait_with_timeout(start(DRAWN, &more)).unwrap();
    let again = parse_answer(lines(&again.stdout)[0]);
    assert!(again.value == whole.value && again.nodes < whole.nodes / 100, "{}", again.nodes);
}

#[test]
fn corrupt_and_foreign_checkpoints_are_refused() {
    let folder = Folder::new("solve-damaged");
    let file = folder.file("proof");
    let path = file.to_str().unwrap();
    let fen = &solved_positions()[1].1;
    run_program(&["solve", "--fen", fen, "--checkpoint", path], b"");
    let whole = fs::read(&file).unwrap();
    let refused = |path: &Path, fen: &str, reason: &str| {
        let before = fs::read(path).unwrap();
        let path = path.to_str().unwrap();
        let output = run_program(&["solve", "--fen", fen, "--checkpoint", path], b"");
        assert_eq!(output.status.code(), Some(2), "{reason}");
        assert_eq!(lines(&output.stdout), [""; 0]);
        let error = lines(&output.stderr)[0].to_owned();
        assert!(error.contains(path) && error.contains(reason), "{error}");
        assert_eq!(fs::read(path).unwrap(), before, "the file must not change");
    };
    refused(&file, DRAWN, "checkpoint of ");
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    fs::write(&file, &changed).unwrap();
    refused(&file, fen, "corrupt checkpoint");
    for length in [whole.len() - 1, whole.len() / 2, 200] {
        fs::write(&file, &whole[..length]).unwrap();
        refused(&file, fen, "corrupt checkpoint");
    }
    fs::write(&file, [&whole[..], b"more"].concat()).unwrap();
    refused(&file, fen, "corrupt checkpoint");
    for foreign in [&b""[..], b"[Event \"?\"]\n", &[0; 4096]] {
        fs::write(&file, foreign).unwrap();
        refused(&file, fen, "not a proof checkpoint");
    }
}

#[test]
fn solved_games_refuse_checkpoints() {
    const NIM: &str = "rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b";
    let folder = Folder::new("solve-known");
    let path = folder.file("proof.bin");
    let arguments =
        ["solve", "--game", "nim", "--fen", NIM, "--checkpoint", path.to_str().unwrap()];
    let output = run_program(&arguments, b"");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(lines(&output.stderr)[0].contains("--checkpoint is not supported for nim"));
    assert!(output.stdout.is_empty() && !path.exists());
}

#[cfg(unix)]
#[test]
fn interrupt_ends_the_wait_for_input() {
    let mut command = Command::new(ZERMELO);
    command.args(["solve", "--game", "tictactoe", "--file", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "3/3/3 x").unwrap();
    let mut answer = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut answer).unwrap();
    assert!(answer.starts_with("draw"), "{answer}");
    let began = Instant::now();
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    while child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_secs(5), "it does not stop");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(child.wait().unwrap().success());
    let message = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert_eq!(message, "zermelo: interrupted after line 1\n");
}

#[test]
fn too_little_memory_for_the_threads_is_refused() {
    let arguments = ["solve", "--fen", DRAWN, "--memory", "64", "--threads", "256"];
    let output = run_program(&arguments, b"");
    assert_eq!(output.status.code(), Some(2));
    let error = lines(&output.stderr)[0];
    let expected = "--memory 64 is too little for --threads 256, expected 312 or more";
    assert!(error.ends_with(expected), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "fills its memory"]
fn memory_is_bounded() {
    const HARD: &str = "x6ox/1o2o2o1/o1o1x1xo1/o2xxx3/o8/2xo2x2/2o2xx2/xxo3xo1/2x2oo2 x 16 -";
    for (memory, more) in [
        (64, &["--threads", "2"][..]),
        (64, &["--verify"]),
        // The memory of the threads exceeds that of the table.
        (120, &["--threads", "64"]),
    ] {
        let text = memory.to_string();
        let arguments = [&["--memory", &text, "--time", "4"], more].concat();
        let mut child = start(HARD, &arguments);
        let (mut most, born) = (0, Instant::now());
        while child.try_wait().unwrap().is_none() {
            // If it is proven in time, the verification would take minutes.
            if born.elapsed() > Duration::from_secs(8) {
                child.kill().unwrap();
            }
            most = most.max(crate::common::memory_kib(&child, "VmHWM").unwrap_or(0));
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(most < memory * 1024 * 105 / 100, "{more:?}: {most} KiB");
        assert!(
            most > memory * 1024 / 2,
            "{more:?}: {most} KiB is too little for a meaningful test"
        );
    }
}

#[test]
fn the_start_is_solved_unless_that_may_never_end() {
    for words in [&["solve", "tictactoe"][..], &["solve", "tixtax", "--time", "0.1"]] {
        let output = run_program(words, b"");
        assert!(output.status.success(), "{output:?}");
        let line = String::from_utf8(output.stdout).unwrap();
        assert!(line.ends_with(" 3/3/3 x\n") || line.starts_with("unknown - - "), "{line}");
    }
    let output = run_program(&["solve"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("name a position with --fen or --file")
    );
}

#[test]
#[cfg(unix)]
fn columns_have_names_on_a_terminal() {
    for (arguments, heading) in [
        (
            &["solve", "nim", "--fen", "startpos"][..],
            "VALUE PLIES MOVE NODES SECONDS FEN\r\nloss 48 ",
        ),
        (&["puzzles", "nim", "--count", "1"], "DIFFICULTY VALUE PLIES SOLUTION LINE FEN\r\n"),
        (&["perft", "tictactoe", "1", "--divide"], "MOVE: LEAVES\r\na1: 1\r\n"),
    ] {
        let terminal = Terminal::start(terminal::zermelo(arguments));
        let output: Vec<u8> = terminal.output.iter().flatten().collect();
        let output = String::from_utf8_lossy(&output);
        assert!(output.contains(heading), "{output}");
    }
}
