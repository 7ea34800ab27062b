//! Commands in random order and at random times, sent to the real program: every search is answered once
//! and in time, and the engine is unaffected afterwards.
//!
//! `INTERLEAVINGS=10000 cargo test --test interleavings` sets the number of conversations, `SEED=N` the
//! random seed. `SEARCHES=86400` is a day at one search a second.

mod common;

use std::process::Command;
use std::time::Duration;

use common::{Client, ZERMELO, number_from_env};
use zermelo::rules::SplitMix;

/// Commands a client may send at any time.
const COMMANDS: &[&str] = &[
    "stop",
    "stop",
    "ponderhit",
    "isready",
    "query gameover",
    "query result",
    "fen",
    "legal",
    "d",
    "debug off",
    "nonsense",
    "go",
    "go infinite",
    "go nodes 300",
    "go nodes 20000",
    "go depth 4",
    "go movetime 1",
    "go movetime 15",
    "go wtime 30 btime 30 winc 1",
    "go wtime -5 btime 0",
    "go ponder wtime 30 btime 30",
    "go ponder movetime 5",
    "go ponder",
    "go mate 2",
    "perft 4",
    "values",
    "bench",
    "eval",
    "position startpos",
    "position random 7",
    "position random 11 2 ",
    "moves e5",
    "moves b2",
    "position fen 9/9",
    "setoption name Hash value 1",
    "setoption name Hash value 33",
    "setoption name Threads value 1",
    "setoption name Threads value 3",
    "setoption name MultiPV value 1",
    "setoption name MultiPV value 3",
    "setoption name Ponder value true",
    "setoption name Searcher value mcts",
    "setoption name Searcher value auto",
    "setoption name Skill Level value 5",
    "setoption name Skill Level value 20",
    "setoption name Clear Hash",
    "setoption name UCI_Variant value tixtax",
    "setoption name UCI_Variant value tixtax-open",
    "setoption name UCI_Variant value ponghauki",
    "setoption name UCI_Variant value nim",
    "setoption name UCI_Variant value tictactoe",
    "ucinewgame",
    "uci",
    "ugi",
];

/// The commands sent since the program was started, printed if a test fails.
struct Script(Vec<String>);

impl Drop for Script {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("commands sent:\n{}", self.0.join("\n"));
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    Stop,
    Quit,
    Closed,
}

/// Counts the answers to `go`: a `bestmove`, or a refusal because another search is running.
fn answers_in(lines: &[String]) -> usize {
    assert!(!lines.iter().any(|line| line.contains("internal error")), "{lines:#?}");
    let is_answer = |line: &&String| {
        line.starts_with("bestmove") || line.contains("error: \"go\" is not accepted while")
    };
    lines.iter().filter(is_answer).count()
}

/// Sends some commands, with short pauses between some of them, and returns the number of searches.
/// With `End::Stop`, checks all answers and leaves the engine running.
fn converse(client: &mut Client, random: &mut SplitMix, end: End, script: &mut Script) -> usize {
    let mut searches = 0;
    let mut ready = 0;
    for _ in 0..random.below(12) + 1 {
        let command = COMMANDS[random.below(COMMANDS.len())];
        searches += usize::from(command.starts_with("go"));
        ready += usize::from(command == "isready");
        script.0.push(command.to_owned());
        client.send(command);
        // Often no pause; sometimes about as long as a short search takes.
        let pause = [0, 0, 0, 50, 500, 1_000, 5_000, 16_000][random.below(8)];
        if pause > 0 {
            std::thread::sleep(Duration::from_micros(random.below(pause) as u64));
        }
    }
    if end != End::Stop {
        return searches;
    }
    client.send("stop");
    client.send("isready");
    let mut answers = 0;
    for _ in 0..=ready {
        answers += answers_in(&client.until("readyok"));
    }
    assert_eq!(answers, searches, "each search is answered once");
    // The engine is unaffected.
    for line in ["setoption name UCI_Variant value tixtax", "position startpos moves e5"] {
        script.0.push(line.to_owned());
        assert_eq!(client.ask(line), [""; 0]);
    }
    assert_eq!(client.ask("fen"), ["9/9/9/9/4x4/9/9/9/9 o 1 e5"]);
    searches
}

#[test]
fn commands_in_any_order_are_answered_in_time() {
    let count = number_from_env("INTERLEAVINGS", 150);
    let seed = number_from_env("SEED", 1);
    let mut random = SplitMix::new(seed);
    let mut client = Client::process(&[]);
    let mut searches = 0;
    let mut script = Script(Vec::new());
    for number in 0..count {
        let end = [End::Stop, End::Stop, End::Stop, End::Quit, End::Closed][random.below(5)];
        let expected = converse(&mut client, &mut random, end, &mut script);
        searches += expected;
        if end != End::Stop {
            if end == End::Quit {
                client.send("quit");
            }
            // The program ends in time, with exit code 0. After `quit`, answers may be missing.
            let answers = answers_in(&client.finish());
            assert!(
                answers == expected || end == End::Quit && answers < expected,
                "{answers} of {expected}"
            );
            client = Client::process(&[]);
            script.0.clear();
        }
        if number % 1000 == 999 {
            println!("{} interleavings, {searches} searches", number + 1);
        }
    }
}

/// Starts and stops many searches in one engine, changing options in between. The engine keeps answering
/// and does not leak memory.
#[test]
fn repeated_searches_are_answered_and_do_not_leak() {
    let count = number_from_env("SEARCHES", 1000);
    let mut random = SplitMix::new(number_from_env("SEED", 1));
    // Returns freed tables to the system at once: glibc would keep some of them per thread, which
    // looks like growth.
    let mut command = Command::new(ZERMELO);
    command.env("MALLOC_ARENA_MAX", "1").env("MALLOC_MMAP_THRESHOLD_", "131072");
    let mut client = Client::from_command(&mut command);
    #[cfg(target_os = "linux")]
    let mut early = 0;
    for number in 0..count {
        match number % 100 {
            0 => client.send("ucinewgame"),
            20 => client.send("setoption name Threads value 2"),
            40 => client.send("setoption name Hash value 32"),
            60 => client.send("setoption name Threads value 1"),
            80 => client.send("setoption name Hash value 16"),
            _ => {}
        }
        let go = ["go infinite", "go ponder wtime 9000 btime 9000", "go", "go depth 60"];
        client.send(&format!("position random {number} {}", random.below(40)));
        client.send(go[random.below(go.len())]);
        // Some searches are stopped before they have started.
        std::thread::sleep(Duration::from_micros([0, 100, 1_000, 5_000][random.below(4)]));
        client.send("stop");
        client.send("isready");
        let lines = client.until("readyok");
        let answers = lines.iter().filter(|line| line.starts_with("bestmove")).count();
        assert_eq!(answers, 1, "search {number}: {lines:#?}");
        // After a full round, with all options back at their defaults.
        #[cfg(target_os = "linux")]
        if number == count / 400 * 100 + 99 {
            early = client.memory();
        }
    }
    // With fewer searches, memory is still being touched for the first time.
    #[cfg(target_os = "linux")]
    if count >= 1000 {
        let late = client.memory();
        println!("{count} searches, {early} KiB after a quarter of them, {late} KiB at the end");
        assert!(early > 0 && late < early + 4096, "memory grew from {early} KiB to {late} KiB");
    }
    client.send("quit");
    client.finish();
}
