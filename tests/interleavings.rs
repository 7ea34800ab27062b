//! Commands in any order, at any moment, in the real program: each search gets its one answer, in time,
//! and afterwards the engine stands as if nothing had been.
//!
//! `INTERLEAVINGS=10000 cargo test --test interleavings` tries as many as that; `SEED=N` begins elsewhere.
//! `SEARCHES=86400` is a day of one search a second.

mod common;

use std::time::Duration;

use common::Client;
use zermelo::rules::SplitMix;

/// What a client may say at any moment.
const WORDS: &[&str] = &[
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

fn number_from(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |text| text.parse().expect(variable))
}

/// What was said to the program since it was started, told when a test fails.
struct Script(Vec<String>);

impl Drop for Script {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("what was said:\n{}", self.0.join("\n"));
        }
    }
}

/// How a conversation ends.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Stop,
    Quit,
    Closed,
}

/// How many searches were answered. One that is refused, for another one runs, is answered by that.
fn answers_in(said: &[String]) -> usize {
    assert!(!said.iter().any(|line| line.contains("internal error")), "{said:#?}");
    let is_answer = |line: &&String| {
        line.starts_with("bestmove") || line.contains("error: \"go\" is not accepted while")
    };
    said.iter().filter(is_answer).count()
}

/// Sends some commands, with a little time between some of them. Lets the engine go on after `Stop`.
fn talk(client: &mut Client, random: &mut SplitMix, end: End, script: &mut Script) -> usize {
    let mut searches = 0;
    let mut ready = 0;
    for _ in 0..random.below(12) + 1 {
        let word = WORDS[random.below(WORDS.len())];
        searches += usize::from(word.starts_with("go"));
        ready += usize::from(word == "isready");
        script.0.push(word.to_owned());
        client.send(word);
        // Often at once, at times when a short search is about to end.
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
    // And all is as ever.
    for line in ["setoption name UCI_Variant value tixtax", "position startpos moves e5"] {
        script.0.push(line.to_owned());
        assert_eq!(client.ask(line), [""; 0]);
    }
    assert_eq!(client.ask("fen"), ["9/9/9/9/4x4/9/9/9/9 o 1 e5"]);
    searches
}

#[test]
fn commands_in_any_order_are_answered_in_time() {
    let count = number_from("INTERLEAVINGS", 400);
    let seed = number_from("SEED", 1);
    let mut random = SplitMix::new(seed);
    let mut client = Client::process(&[]);
    let mut searches = 0;
    let mut script = Script(Vec::new());
    for number in 0..count {
        let end = [End::Stop, End::Stop, End::Stop, End::Quit, End::Closed][random.below(5)];
        let due = talk(&mut client, &mut random, end, &mut script);
        searches += due;
        if end != End::Stop {
            if end == End::Quit {
                client.send("quit");
            }
            // Ends by itself, in time, with exit code 0. Who quits need not wait for answers.
            let answers = answers_in(&client.rest());
            assert!(answers == due || end == End::Quit && answers < due, "{answers} of {due}");
            client = Client::process(&[]);
            script.0.clear();
        }
        if number % 1000 == 999 {
            println!("{} interleavings, {searches} searches", number + 1);
        }
    }
}

/// One engine that is let think and stopped, over and over, with all that comes in between in its life. It neither
/// falls silent nor takes more memory in the end than it did when everything had happened once.
#[test]
fn a_day_of_go_and_stop() {
    let count = number_from("SEARCHES", 1000);
    let mut random = SplitMix::new(number_from("SEED", 1));
    let mut client = Client::process(&[]);
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
        // Some are stopped before they have begun.
        std::thread::sleep(Duration::from_micros([0, 100, 1_000, 5_000][random.below(4)]));
        client.send("stop");
        client.send("isready");
        let said = client.until("readyok");
        let answers = said.iter().filter(|line| line.starts_with("bestmove")).count();
        assert_eq!(answers, 1, "search {number}: {said:#?}");
        // At the end of a round, where all settings are as they were.
        #[cfg(target_os = "linux")]
        if number == count / 400 * 100 + 99 {
            early = client.memory();
        }
    }
    // With fewer the memory is still being touched for the first time.
    #[cfg(target_os = "linux")]
    if count >= 1000 {
        let late = client.memory();
        println!("{count} searches, {early} KiB after a quarter of them, {late} KiB in the end");
        assert!(early > 0 && late < early + 4096, "{early} KiB became {late} KiB");
    }
    client.send("quit");
    client.rest();
}
