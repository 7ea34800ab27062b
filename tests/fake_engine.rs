//! Engines and bots with one fault each, for tests of matches, checks and the board. It is an example of the package, so that
//! Cargo builds it beside the tests:
//!
//!     fake-engine engine FAULT [FILE]     plays tic-tac-toe in UCI and UGI: the first free cell
//!     fake-engine bot FAULT [FILE]        speaks CodinGame's protocol: plays the first listed move
//!     fake-engine candidate FILE          answers the position after each line of play with the words behind it in FILE
//!     fake-engine hostile                 puts control characters into all it says, and plays an illegal move
//!
//! Faults are named where they happen; `none` has none. Some faults keep their state in FILE.

use std::fs::{self, File};
use std::io::{self, BufRead, Write};
use std::process::{Child, Command, abort, exit};
use std::thread::sleep;
use std::time::Duration;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |index: usize| arguments.get(index).cloned().unwrap_or_default();
    match argument(0).as_str() {
        "engine" => Engine { fault: argument(1), file: argument(2), ..Engine::default() }.run(),
        "bot" => bot(&argument(1), &argument(2)),
        "candidate" => candidate(&argument(1)),
        "hostile" => hostile(),
        "sleep" => hang(),
        other => panic!("unknown role {other:?}"),
    }
}

/// Prints bytes at once. Ends the program when nobody reads them.
fn print(bytes: &[u8]) {
    let mut stdout = io::stdout();
    if stdout.write_all(bytes).and_then(|()| stdout.flush()).is_err() {
        exit(0);
    }
}

fn say(line: &str) {
    print(format!("{line}\n").as_bytes());
}

fn note(file: &str, line: &str) {
    let mut file = File::options().append(true).create(true).open(file).expect("the file");
    writeln!(file, "{line}").expect("the file");
}

fn wait_ms(ms: u64) {
    sleep(Duration::from_millis(ms));
}

fn hang() -> ! {
    wait_ms(1_000_000);
    exit(0)
}

fn endlessly(action: impl Fn()) -> ! {
    loop {
        action();
    }
}

fn crash() -> ! {
    eprintln!("out of cheese");
    abort()
}

fn child() -> Child {
    let own = std::env::current_exe().expect("the own path");
    Command::new(own).arg("sleep").spawn().expect("a child")
}

/// Starts a program that nothing ties to this one.
fn daemon() -> Child {
    let own = std::env::current_exe().expect("the own path");
    // Leaves the session, and with it the process group.
    let mut command = if cfg!(windows) { Command::new(&own) } else { Command::new("setsid") };
    if !cfg!(windows) {
        command.arg(own);
    }
    command.arg("sleep").env_clear().spawn().expect("a daemon")
}

/// Ignores what asks a program to end.
fn ignore_signals() -> ! {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        let script = "trap '' TERM INT HUP; while :; do sleep 1000; done";
        panic!("{}", Command::new("sh").args(["-c", script]).exec());
    }
    #[cfg(not(unix))]
    hang()
}

/// The lines of stdin. Bytes that are not UTF-8 become U+FFFD.
fn lines() -> impl Iterator<Item = String> {
    let lines = io::stdin().lock().split(b'\n').map_while(Result::ok);
    lines.map(|line| String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned())
}

const CELLS: [&str; 9] = ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"];
const LINES: [&str; 8] = [
    "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 b2 c3", "a3 b2 c1",
];

#[derive(Clone, Default)]
struct Board {
    stones: Vec<(String, usize)>,
    mover: usize,
}

impl Board {
    /// Reads the words of `position`. Words that are no cells are ignored.
    fn parse(words: &[&str]) -> Self {
        let mut board = Self::default();
        let moves = match words {
            ["fen", placement, side, moves @ ..] => {
                for (rank, row) in ["3", "2", "1"].iter().zip(placement.split('/')) {
                    let mut file = b'a';
                    for letter in row.bytes() {
                        match letter {
                            b'1'..=b'9' => file += letter - b'0',
                            _ => {
                                let cell = format!("{}{rank}", char::from(file));
                                board.stones.push((cell, usize::from(letter == b'o')));
                                file += 1;
                            }
                        }
                    }
                }
                board.mover = usize::from(*side == "o");
                moves
            }
            other => other,
        };
        for cell in moves.iter().filter(|cell| CELLS.contains(cell)) {
            board.play(cell);
        }
        board
    }

    fn play(&mut self, cell: &str) {
        self.stones.push((cell.to_owned(), self.mover));
        self.mover = 1 - self.mover;
    }

    fn result(&self) -> &'static str {
        let has = |line: &str, player: usize| {
            line.split(' ').all(|cell| self.stones.contains(&(cell.to_owned(), player)))
        };
        match (0..2).find(|player| LINES.iter().any(|line| has(line, *player))) {
            Some(0) => "p1win",
            Some(_) => "p2win",
            None if self.stones.len() == CELLS.len() => "draw",
            None => "none",
        }
    }

    /// The free cells; none if the game is over.
    fn free(&self) -> Vec<String> {
        let is_free = |cell: &&&str| self.stones.iter().all(|(stone, _)| stone != **cell);
        let is_open = self.result() == "none";
        CELLS.iter().filter(|_| is_open).filter(is_free).map(|cell| (*cell).to_owned()).collect()
    }
}

#[derive(Default)]
struct Engine {
    fault: String,
    file: String,
    dialect: String,
    board: Board,
    /// The search that goes on until `stop`, or `ponderhit`: "infinite" or "ponder".
    running: Option<&'static str>,
    /// The moves of `searchmoves`.
    allowed: Vec<String>,
    searches: u32,
}

impl Engine {
    fn is(&self, fault: &str) -> bool {
        self.fault == fault
    }

    fn run(&mut self) {
        self.start();
        let mut input: Box<dyn Iterator<Item = String>> = Box::new(lines());
        if self.is("buffered") {
            input = Box::new(input.collect::<Vec<_>>().into_iter());
        }
        for line in input {
            self.handle(&line);
        }
        // End of input.
        if self.is("stubborn") || (self.is("ignores-eof") && self.running.is_none()) {
            hang();
        }
    }

    fn start(&self) {
        match self.fault.as_str() {
            "unborn" => exit(1),
            "unborn-verbose" => {
                eprint!("loading\ncannot load \x1b[2Jbook\n");
                exit(1);
            }
            "prints-usage" => {
                say("Usage: engine --foo");
                exit(3);
            }
            "mute" => {
                if !self.file.is_empty() {
                    note(&self.file, &std::process::id().to_string());
                }
                hang();
            }
            "broken-after-crash" if fs::exists(&self.file).unwrap() => {
                eprintln!("no licence");
                exit(1);
            }
            "count-starts" => note(&self.file, "start"),
            "banner" => say("Fake 1.0 by nobody"),
            _ => {}
        }
    }

    fn handle(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let fault = self.fault.clone();
        match (&words[..], fault.as_str()) {
            ([], "crash-on-empty-line") => exit(1),
            (["uci" | "ugi"], _) => self.handshake(line),
            (["isready"], "never-ready") => hang(),
            (["isready"], "unready") if self.searches >= 1 => hang(),
            (["isready"], "unready-in-search") if self.running.is_some() => {}
            (["isready"], _) => {
                if fault == "isready-ends-search" && self.running.is_some() {
                    self.answer();
                }
                say("readyok");
            }
            (["setoption", "name", "Book", "value", value], "choosy") => {
                say(&format!("No such file: {value}"));
            }
            (["setoption", "name", "Threads", ..], "dies-on-option") => exit(3),
            (["setoption", "name", "Touchy", ..], _) => say("info string error: touched"),
            (["setoption", "name", "seed", ..] | ["ucinewgame"], "seeded") => {
                note(&self.file, line);
            }
            (["ucinewgame"], "answers-newgame") => say("response ok"),
            (["position", .., "zz99"], "crash-on-illegal-move") => exit(1),
            (["position", "fen"], "crash-on-broken-fen") => exit(1),
            (["position", "fen", ..], "ignores-fen") => {}
            (["position", words @ ..], _) => self.board = Board::parse(words),
            (["go", words @ ..], _) => self.go(&words.join(" ")),
            (["ponderhit"], "ignores-ponderhit") => {}
            (["ponderhit"], _) if self.running.is_some() => self.answer(),
            (["stop"], _) => self.stop(),
            (["query", question], _) => self.query(question),
            (["xyzzy", ..], "forgets-position") => self.board = Board::default(),
            (["quit"], "stubborn") => hang(),
            (["quit"], "ignores-quit") if self.running.is_none() => {}
            (["quit"], _) => exit(0),
            _ if line.contains('\u{fffd}') && fault == "crash-on-garbage" => exit(1),
            _ if line.starts_with("xxxxxxxx") && fault == "crash-on-long-line" => exit(1),
            _ => {}
        }
    }

    fn handshake(&mut self, dialect: &str) {
        match (self.fault.as_str(), dialect) {
            ("ugi-only", "uci") | ("uci-only", "ugi") => return,
            ("exits", _) => {
                eprintln!("loading\nno such book: cheese");
                exit(1);
            }
            ("unknown-command", _) => return say(&format!("Error (unknown command): {dialect}")),
            ("garbled", _) => print(b"\xff\xfe\n"),
            ("slow-start" | "slow-late-option", "uci") => wait_ms(1300),
            _ => {}
        }
        dialect.clone_into(&mut self.dialect);
        say("id name fake");
        if !self.is("no-id") {
            say("id author nobody");
        }
        // Without a list of options, an engine may accept any.
        if !matches!(self.fault.as_str(), "any-option" | "dies-on-option") {
            say("option name Ponder type check default false");
        }
        let options: &[&str] = match self.fault.as_str() {
            "choosy" => &["Hash type spin default 16 min 1 max 1024", "Book type string default"],
            "seeded" => &["seed type spin default 5 min 3 max 9"],
            "wrong-game" => &["UCI_Variant type combo default chess var chess var shogi"],
            "bad-default" => &["Hash type spin default 0 min 1 max 16"],
            "duplicate-option" => &["ponder type check default false"],
            "noisy-option" => &["Touchy type string default"],
            _ => &[],
        };
        for option in options {
            say(&format!("option name {option}"));
        }
        if !self.is("no-uciok") {
            say(&format!("{dialect}ok"));
        }
        if self.fault.ends_with("late-option") {
            say("option name Late type check default false");
        }
        if self.is("beat") {
            endlessly(|| {
                note(&self.file, &std::process::id().to_string());
                wait_ms(50);
            });
        }
    }

    fn query(&self, question: &str) {
        let result = self.board.result();
        say(&match question {
            "gameover" => format!("response {}", self.is("liar") || result != "none"),
            "p1turn" => format!("response {}", self.board.mover == 0),
            _ if self.is("wrong-result") => "response draw".to_owned(),
            _ => format!("response {result}"),
        });
    }

    fn stop(&mut self) {
        match (self.fault.as_str(), self.running) {
            ("ignores-stop", _) => {}
            ("late-stop", Some(_)) => {
                wait_ms(1800);
                self.answer();
            }
            ("answers-stop-twice", Some("infinite")) => {
                self.answer();
                self.answer();
            }
            ("answers-idle-stop", _) | (_, Some(_)) => self.answer(),
            _ => {}
        }
    }

    fn go(&mut self, limits: &str) {
        let moves = limits.split_once("searchmoves ").filter(|_| !self.is("ignores-searchmoves"));
        let moves = moves.map(|(_, moves)| moves.split(' ').map(str::to_owned).collect());
        self.allowed = moves.unwrap_or_default();
        let (is_infinite, is_pondering) = (limits.contains("infinite"), limits.contains("ponder"));
        match (self.fault.as_str(), limits) {
            ("early-bestmove", _) if is_infinite => {}
            ("immediate-ponder", _) if is_pondering => {}
            ("early-infinite", _) if is_infinite => wait_ms(400),
            ("early-ponder", _) if is_pondering => wait_ms(400),
            ("slow-infinite", _) if is_infinite => wait_ms(2500),
            _ if is_infinite => self.running = Some("infinite"),
            _ if is_pondering => self.running = Some("ponder"),
            ("slow-infinite", "movetime 100") => wait_ms(1800),
            ("slow-movetime", "movetime 100") => wait_ms(1500),
            ("late-with-little-time", _) if limits.starts_with("wtime 50 ") => wait_ms(1500),
            ("late-without-time", _) if limits.starts_with("wtime 0 ") => wait_ms(1800),
            ("illegal-move", "nodes 1000") => return say("bestmove d4"),
            ("no-bestmove", "nodes 1000") => return,
            ("invalid-utf8", "nodes 1000") => print(b"\xff\xfe\n"),
            ("traceback", "nodes 1000") => {
                eprintln!("Traceback (most recent call last): a first line that is not the reason");
                eprintln!("out of cheese");
                exit(3);
            }
            ("plays-finished-game", _) if self.board.result() != "none" => {
                return say("bestmove a1");
            }
            _ => {}
        }
        if self.running.is_none() {
            self.searches += 1;
            // Faults of matches occur in the middle of a game.
            if self.searches < 2 || self.fail() {
                self.answer();
            }
        }
    }

    /// Commits the fault of a match; returns whether an answer follows.
    fn fail(&self) -> bool {
        let file = self.file.as_str();
        let is_first = || {
            let is_first = !fs::exists(file).unwrap();
            fs::write(file, "").unwrap();
            is_first
        };
        match self.fault.as_str() {
            "crash" => crash(),
            "exit" => exit(3),
            "broken-after-crash" => {
                is_first();
                exit(3);
            }
            "once" if is_first() => exit(3),
            "hang" => hang(),
            "children" => {
                let children = [child(), child()];
                fs::write(file, children[1].id().to_string()).unwrap();
                hang();
            }
            "daemon" => {
                fs::write(file, daemon().id().to_string()).unwrap();
                exit(3);
            }
            "deaf" => ignore_signals(),
            "illegal" => {
                say("bestmove a1\nbestmove a1");
                return false;
            }
            "claim" => {
                say(&format!("info depth 9 score mate 3 nodes 10 pv a1\nbestmove {}", self.best()));
                return false;
            }
            "nonsense" | "no-move" | "empty" => {
                let words = [("nonsense", " 99"), ("no-move", " (none)"), ("empty", "")];
                let (_, word) = words.iter().find(|(fault, _)| self.is(fault)).unwrap();
                say(&format!("bestmove{word}"));
                return false;
            }
            "late" => wait_ms(400),
            "slow" => wait_ms(300),
            "late-once" if is_first() => wait_ms(400),
            "twice" => say(&format!("info depth 1 score cp 0\nbestmove {}", self.best())),
            "bytes" => print(b"\xff\xfe\x80\n"),
            "megabyte" => say(&"x".repeat(1_000_000)),
            "endless" => endlessly(|| print(&[b'x'; 40])),
            "prose" => endlessly(|| say("it was a dark and stormy night")),
            "chatty" => {
                (1..=900).for_each(|number| say(&number.to_string()));
                say("Loading book...\n");
            }
            "flood" => endlessly(|| say("info string still thinking")),
            "stderr-flood" => endlessly(|| eprint!("{}", "out of cheese\n".repeat(1000))),
            "burst" => (1..=4000).for_each(|line| say(&format!("info string line {line}"))),
            _ => {}
        }
        true
    }

    fn best(&self) -> String {
        let moves = if self.allowed.is_empty() { self.board.free() } else { self.allowed.clone() };
        moves.into_iter().next().unwrap_or("(none)".to_owned())
    }

    fn expected_reply(&self, mv: &str) -> Option<String> {
        let mut board = self.board.clone();
        board.play(mv);
        let at_start = self.board.stones.is_empty();
        match self.fault.as_str() {
            "illegal-ponder" if at_start => Some(mv.to_owned()),
            fault => {
                let is_offered = self.dialect == "uci" || fault == "ponder-in-ugi";
                board.free().into_iter().next().filter(|_| at_start && is_offered)
            }
        }
    }

    fn answer(&mut self) {
        self.running = None;
        let mv = self.best();
        let reply = self.expected_reply(&mv);
        let line = reply.as_ref().filter(|_| self.is("wrong-pv")).unwrap_or(&mv);
        let score = match self.fault.as_str() {
            "losing" => "-900",
            "winning" => "900",
            "bound-only" => "0 lowerbound",
            _ => "0",
        };
        let nodes = if self.is("no-number") { "many" } else { "1" };
        say(&format!("info depth 1 score cp {score} nodes {nodes} nps 1 time 0 pv {line}"));
        let ponder = reply.map(|reply| format!(" ponder {reply}")).unwrap_or_default();
        say(&format!("bestmove {mv}{ponder}"));
    }
}

fn bot(fault: &str, file: &str) {
    match fault {
        "unborn" => {
            eprintln!("no licence");
            exit(1);
        }
        "banner" => say("Bot 1.0"),
        "log" => note(file, &std::process::id().to_string()),
        "buffered" => {
            drop(lines().last());
            return say("4 4");
        }
        _ => {}
    }
    let mut lines = lines();
    let mut turn = 0;
    while let Some(opponent) = lines.next() {
        turn += 1;
        let count = lines.next().unwrap_or_default();
        let listed = lines.by_ref().take(count.parse().unwrap_or(0));
        let answer = listed.collect::<Vec<_>>().swap_remove(0);
        match fault {
            "debug" => say("thinking"),
            "log" => note(file, &format!("{opponent} {count}")),
            "late-start" if turn == 1 => wait_ms(500),
            "chatty" => {
                eprintln!("turn {turn}: {count} moves");
                say(&format!("\n{answer} D9 E0.25 {count} legal; good luck"));
                continue;
            }
            _ => {}
        }
        let answer = match fault {
            _ if turn < 2 => answer,
            "crash" => crash(),
            "exit" => exit(3),
            "silent" => hang(),
            "late" => {
                wait_ms(600);
                answer
            }
            "occupied" => opponent,
            "off-board" => "9 9".to_owned(),
            "no-move" => "-1 -1".to_owned(),
            "square" => "e5".to_owned(),
            "one-number" => "4".to_owned(),
            "prose" => endlessly(|| say("it was a dark and stormy night")),
            "bytes" => {
                print(b"\xff\xfe\x80\n");
                answer
            }
            "endless" => endlessly(|| print(&[b'x'; 40])),
            // In a single write, so that the second line comes before the next turn.
            "twice" => format!("{answer}\n{answer}"),
            "stderr-flood" => endlessly(|| eprintln!("out of cheese")),
            "child" => {
                let _children = [child(), child()];
                hang();
            }
            _ => answer,
        };
        say(&answer);
    }
    if fault == "deaf" {
        hang();
    }
}

fn candidate(file: &str) {
    let answers = fs::read_to_string(file).expect("the answers");
    let mut moves = String::new();
    for line in lines() {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["uci"] => say("id name candidate\nuciok"),
            ["isready"] => say("readyok"),
            ["position", "startpos", "moves", ..] => {
                moves = line.split(' ').skip(3).collect::<String>();
            }
            ["go", ..] => {
                let answer =
                    answers.lines().find_map(|line| line.strip_prefix(&format!("{moves} ")));
                match answer.unwrap_or_default() {
                    "crash" => crash(),
                    "exit" => exit(3),
                    "late" => {
                        wait_ms(1000);
                        say("bestmove a1");
                    }
                    "hang" => hang(),
                    answer => say(&format!("bestmove {answer}")),
                }
            }
            ["quit"] => exit(0),
            _ => {}
        }
    }
}

fn hostile() {
    // Clears a terminal, and reverses what follows.
    let bad = "\x1b[2J\u{202e}";
    for line in lines() {
        match line.split(' ').next().unwrap_or_default() {
            "uci" => {
                say(&format!(
                    "id name {bad} engine\nid author {bad}\noption name {bad} type check"
                ));
                say("option name Hash type spin\nuciok");
            }
            "setoption" => say(&format!("info string error: {bad} bad value")),
            "isready" => say("readyok"),
            "go" => say(&format!("{bad}\ninfo string {bad}\nbestmove {bad}")),
            "quit" => exit(0),
            _ => {}
        }
    }
}
