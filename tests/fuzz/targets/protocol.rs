//! The input loop: every line gets exactly the answer it requires, and a refused line changes nothing.
//!
//! The first byte selects the game and the handshake; the rest is lines. Slow or memory-hungry commands are
//! scaled down first. After each line the client requests the FEN and the legal moves, and it stops a search
//! after a few lines at the latest.
#![no_main]

use std::collections::VecDeque;
use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

use zermelo::engine::{ClientOutput, SessionConfig, run};
use zermelo::games::Nim;
use zermelo::protocol::{GoOptions, PerftOptions, ProtocolCommand, RawLine, parse};
use zermelo::rules::Game;
use zermelo::thinking::registry::games;
use zermelo_fuzz::scratch_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((form, lines)) = bytes.split_first() else { return };
    let captured = CapturedOutput::default();
    let output = ClientOutput::new(captured.clone(), |error| panic!("{error}"));
    let mut client = Client::new(*form, lines, captured);
    // Nim is rare, because building its tables takes ten milliseconds.
    let (nim, others): (Vec<_>, Vec<_>) = games().iter().partition(|game| game.id == Nim::ID);
    let game = match form & 31 {
        31 => nim[0],
        number => others[usize::from(number) % others.len()],
    };
    let config = SessionConfig { game, ..SessionConfig::default() };
    let refused = run(&mut client, &output, &config).expect("reading from memory");
    client.finish(refused);
});

/// The output of the engine that has not been checked yet.
#[derive(Clone, Default)]
struct CapturedOutput(Arc<Mutex<Vec<u8>>>);

impl CapturedOutput {
    fn take(&self) -> String {
        let bytes = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        String::from_utf8(bytes).expect("UTF-8 output")
    }
}

impl Write for CapturedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The client: passes the loop a line, and checks the answer when the loop requests the next one.
struct Client {
    output: CapturedOutput,
    /// The lines still to be sent.
    lines: VecDeque<Vec<u8>>,
    /// The queries still to be sent after the current line.
    queries: &'static [&'static str],
    /// The current line, and how many of its bytes the loop has consumed.
    sent: Vec<u8>,
    taken: usize,
    /// Whether the position was allowed to change since the last queries.
    may_change: bool,
    fen: Option<String>,
    legal: Option<String>,
    is_ugi: bool,
    search: Option<Search>,
    /// For each search, the legal moves and whether a ponder move is forbidden.
    expected: Vec<(String, bool)>,
    best_moves: Vec<String>,
    refused: usize,
    search_lines: usize,
    has_quit: bool,
}

#[derive(Clone, Copy)]
struct Search {
    /// The number of lines until it is stopped.
    lines_left: usize,
    /// Whether it soon ends without `stop`.
    ends: bool,
}

const QUERIES: &[&str] = &["fen", "legal"];

impl Client {
    fn new(form: u8, text: &[u8], output: CapturedOutput) -> Self {
        let mut lines: VecDeque<_> = text.split(|byte| *byte == b'\n').map(scaled_down).collect();
        if form & 32 != 0 {
            lines.push_front(b"ugi".to_vec());
        }
        // A small table; clearing the default one would dominate the run time.
        lines.push_front(b"setoption name Hash value 1".to_vec());
        Self {
            output,
            lines,
            queries: &[],
            sent: Vec::new(),
            taken: 0,
            may_change: true,
            fen: None,
            legal: None,
            is_ugi: false,
            search: None,
            expected: Vec::new(),
            best_moves: Vec::new(),
            refused: 0,
            search_lines: usize::from(form >> 6),
            has_quit: false,
        }
    }

    /// The next line for the loop; `None` at the end.
    fn next(&mut self) -> Option<Vec<u8>> {
        if let [query, rest @ ..] = self.queries {
            self.queries = rest;
            return Some(query.as_bytes().to_vec());
        }
        self.queries = QUERIES;
        if let Some(Search { lines_left, ends }) = &mut self.search {
            // At the end of input, a bounded search finishes.
            if *lines_left == 0 || self.lines.is_empty() && !*ends {
                return Some(b"stop".to_vec());
            }
            *lines_left -= 1;
        }
        self.lines.pop_front()
    }

    fn check_output(&mut self) {
        let line = std::mem::take(&mut self.sent);
        let output = self.output.take();
        let command = parse(&RawLine::Complete(line.strip_suffix(b"\r").unwrap_or(&line)));
        let shown = || String::from_utf8_lossy(&line).into_owned();
        let errors = output.lines().filter(|line| line.starts_with("info string error: ")).count();
        let has_failed = |line: &str| line.starts_with("info string error: internal error");
        assert!(!output.lines().any(has_failed), "{}: {output}", shown());
        self.best_moves
            .extend(output.lines().filter(|line| line.starts_with("bestmove")).map(str::to_owned));
        self.refused += errors;
        let Ok(command) = command else {
            return assert_eq!(errors, 1, "{}: {output}", shown());
        };
        let Some(command) = command else {
            return assert_eq!(errors, 0, "{}: {output}", shown());
        };
        assert!(
            errors <= 1 && (errors == 0 || !is_always_answered(&command)),
            "{}: {output}",
            shown()
        );
        if errors == 0 {
            self.check_accepted(&command, &output);
        }
    }

    fn check_accepted(&mut self, command: &ProtocolCommand<'_>, output: &str) {
        let count = |start: &str| output.lines().filter(|line| line.starts_with(start)).count();
        let answers = [count("readyok"), count("response "), count("uciok") + count("ugiok")];
        let expected = match command {
            ProtocolCommand::IsReady => [1, 0, 0],
            ProtocolCommand::Query(_) => [0, 1, 0],
            ProtocolCommand::Uci | ProtocolCommand::Ugi => [0, 0, 1],
            _ => [0; 3],
        };
        assert_eq!(answers, expected, "{command:?}: {output}");
        let search_lines = self.search_lines;
        let mut start_search = |ends| self.search = Some(Search { lines_left: search_lines, ends });
        match command {
            ProtocolCommand::Uci => self.is_ugi = false,
            ProtocolCommand::Ugi => self.is_ugi = true,
            ProtocolCommand::NewGame
            | ProtocolCommand::Position { .. }
            | ProtocolCommand::Moves(_)
            | ProtocolCommand::SetOption { .. } => {
                self.may_change = true;
            }
            ProtocolCommand::Fen => self.check_query("fen", output),
            ProtocolCommand::Legal => self.check_query("legal", output),
            ProtocolCommand::Perft(_) => start_search(true),
            ProtocolCommand::Values | ProtocolCommand::Bench => start_search(false),
            ProtocolCommand::Go(go) => {
                start_search(!go.is_bounded() || is_short(go));
                assert!(
                    self.best_moves.len() >= self.expected.len(),
                    "{command:?} before the last answer"
                );
                self.expected.push((self.legal.clone().unwrap_or_default(), self.is_ugi));
            }
            ProtocolCommand::Stop => {
                self.search = None;
                assert_eq!(self.best_moves.len(), self.expected.len(), "after stop: {output}");
            }
            ProtocolCommand::Quit => self.has_quit = true,
            _ => {}
        }
    }

    /// Checks that a query has one answer, possibly among the lines of a search, and that the answer only
    /// changes if the position was allowed to.
    fn check_query(&mut self, query: &str, output: &str) {
        let is_fen = |line: &&str| line.contains('/') && !line.starts_with("info");
        let is_move = |word: &str| {
            let mut letters = word.trim_start_matches("P@").chars();
            let is_square = letters.next().is_some_and(|letter| ('a'..='i').contains(&letter))
                && letters.next().is_some_and(|letter| letter.is_ascii_digit());
            is_square && !word.contains(':')
        };
        let is_list = |line: &&str| line.split(' ').all(&is_move) || line.is_empty();
        let (answer, known): (Vec<&str>, _) = match query {
            "fen" => (output.lines().filter(is_fen).collect(), &mut self.fen),
            _ => (output.lines().filter(is_list).collect(), &mut self.legal),
        };
        let [answer] = answer[..] else { panic!("{query}: {output}") };
        if !self.may_change {
            assert_eq!(known.as_deref(), Some(answer), "{query}");
        }
        *known = Some(answer.to_owned());
        // `legal` is the last query.
        self.may_change &= query == "fen";
    }

    /// Checks that nothing is left unanswered.
    fn finish(mut self, refused: usize) {
        // After `quit` the loop does not request another line.
        if self.sent.pop().is_some() {
            self.check_output();
        }
        let output = self.output.take();
        assert!(!output.contains("info string error"), "{output}");
        self.best_moves
            .extend(output.lines().filter(|line| line.starts_with("bestmove")).map(str::to_owned));
        assert_eq!(self.refused, refused);
        match self.has_quit {
            true => assert!(self.best_moves.len() <= self.expected.len()),
            false => assert_eq!(self.best_moves.len(), self.expected.len(), "{output}"),
        }
        for (answer, (legal, is_alone)) in self.best_moves.iter().zip(&self.expected) {
            let words: Vec<&str> = answer.split(' ').collect();
            let (mv, is_well_formed) = match words[..] {
                ["bestmove", mv] => (mv, true),
                ["bestmove", mv, "ponder", _] => (mv, !is_alone),
                _ => ("", false),
            };
            let fits = if legal.is_empty() {
                mv == "(none)"
            } else {
                legal.split(' ').any(|own| own == mv)
            };
            assert!(is_well_formed && fits, "{answer}, legal: {legal}");
        }
    }
}

/// Whether a command is accepted at any time.
fn is_always_answered(command: &ProtocolCommand<'_>) -> bool {
    use ProtocolCommand::{Debug, Fen, IsReady, Legal, PonderHit, Query, Quit, Show, Stop};
    matches!(command, IsReady | Stop | PonderHit | Quit | Debug(_) | Query(_) | Show | Fen | Legal)
}

fn is_short(go: &GoOptions<'_>) -> bool {
    go.nodes.is_some_and(|nodes| nodes <= 200)
        || go.depth.is_some_and(|depth| depth <= 2)
        || go.move_time.is_some_and(|time| time <= 1)
}

/// Returns the line, or a variant that takes less time and memory and does not touch other files.
fn scaled_down(line: &[u8]) -> Vec<u8> {
    const DEPTH: u32 = 2;
    let kept = line.to_vec();
    match parse(&RawLine::Complete(line.strip_suffix(b"\r").unwrap_or(line))) {
        Ok(Some(ProtocolCommand::SetOption { name, value })) => {
            scaled_down_option(name, value).map_or(kept, String::into_bytes)
        }
        Ok(Some(ProtocolCommand::Perft(PerftOptions { depth, divide }))) if depth > DEPTH => {
            format!("perft {DEPTH}{}", if divide { " divide" } else { "" }).into_bytes()
        }
        _ => kept,
    }
}

fn scaled_down_option(name: &str, value: &str) -> Option<String> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase();
    let number = value.parse::<u64>().ok();
    let value = match name.as_str() {
        // Values out of range are kept, to be refused.
        "hash" => number
            .filter(|number| (3..1 << 20).contains(number))?
            .to_string()
            .len()
            .min(2)
            .to_string(),
        "threads" => number.filter(|number| (3..=256).contains(number)).map(|_| "2".to_owned())?,
        "evalfile" | "log file" if !["", "<embedded>", "<empty>"].contains(&value) => {
            scratch_file("log").display().to_string()
        }
        _ => return None,
    };
    Some(format!("setoption name {name} value {value}"))
}

impl Read for Client {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Client {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.taken == self.sent.len() {
            if self.sent.pop().is_some() {
                self.check_output();
            }
            self.taken = 0;
            if let Some(mut line) = self.next() {
                line.push(b'\n');
                self.sent = line;
            }
        }
        Ok(&self.sent[self.taken..])
    }

    fn consume(&mut self, count: usize) {
        self.taken += count;
    }
}
