//! The protocol loop: whatever a client sends, each line gets what is due to it, once, and a line that is
//! refused changes nothing.
//!
//! The first byte chooses the game and the handshake; the rest are lines. What would only take time or
//! memory is made smaller on its way to the loop, which is asked for the FEN and the legal moves after
//! each line. A search is told to stop a few lines after it began, at the latest.
#![no_main]

use std::collections::VecDeque;
use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

use zermelo::engine::{LogFile, ClientOutput, SessionConfig, registry, run};
use zermelo::protocol::{ProtocolCommand, GoOptions, PerftOptions, RawLine, parse};
use zermelo_fuzz::scratch_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((form, lines)) = bytes.split_first() else { return };
    let said = Said::default();
    let output = ClientOutput::new(said.clone(), |error| panic!("{error}"));
    let mut client = Client::new(*form, lines, said);
    // The tables of nim take ten milliseconds.
    let name = match form & 31 {
        31 => "nim",
        number => ["tixtax", "tixtax-open", "ponghauki", "tictactoe"][usize::from(number % 4)],
    };
    let game = registry::find(name).expect("it is known");
    let start = SessionConfig { game, log: LogFile::default(), sequential: false };
    let refused = run(&mut client, &output, &start).expect("memory can be read");
    client.conclude(refused);
});

/// What the engine has said and nobody has looked at yet.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl Said {
    fn take(&self) -> String {
        let bytes = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        String::from_utf8(bytes).expect("it speaks UTF-8")
    }
}

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The client's end: hands the loop a line, and looks at what came of it when it is asked for another.
struct Client {
    said: Said,
    /// What is still to be sent.
    lines: VecDeque<Vec<u8>>,
    /// The questions that are put after each line, if not all of them have been yet.
    questions: &'static [&'static str],
    /// The line that the loop has got, and how much of it the loop has taken.
    sent: Vec<u8>,
    taken: usize,
    /// What changed since the last questions were answered is meant to.
    may_change: bool,
    fen: Option<String>,
    legal: Option<String>,
    is_ugi: bool,
    /// How many more lines a search may go on for, and whether it soon ends by itself.
    search: Option<Search>,
    /// The moves from which each search had to choose one, and whether it has to be told alone.
    due: Vec<(String, bool)>,
    best_moves: Vec<String>,
    refused: usize,
    patience: usize,
    has_quit: bool,
}

#[derive(Clone, Copy)]
struct Search {
    lines_left: usize,
    ends: bool,
}

const QUESTIONS: &[&str] = &["fen", "legal"];

impl Client {
    fn new(form: u8, text: &[u8], said: Said) -> Self {
        let mut lines: VecDeque<_> = text.split(|byte| *byte == b'\n').map(tamed).collect();
        if form & 32 != 0 {
            lines.push_front(b"ugi".to_vec());
        }
        // To fill the usual table would take longer than all the rest.
        lines.push_front(b"setoption name Hash value 1".to_vec());
        Self {
            said,
            lines,
            questions: &[],
            sent: Vec::new(),
            taken: 0,
            may_change: true,
            fen: None,
            legal: None,
            is_ugi: false,
            search: None,
            due: Vec::new(),
            best_moves: Vec::new(),
            refused: 0,
            patience: usize::from(form >> 6),
            has_quit: false,
        }
    }

    /// What the loop gets next; `None` at the end.
    fn next(&mut self) -> Option<Vec<u8>> {
        if let [question, rest @ ..] = self.questions {
            self.questions = rest;
            return Some(question.as_bytes().to_vec());
        }
        self.questions = QUESTIONS;
        if let Some(Search { lines_left, ends }) = &mut self.search {
            // At the end of input, what is bounded goes on to its end.
            if *lines_left == 0 || self.lines.is_empty() && !*ends {
                return Some(b"stop".to_vec());
            }
            *lines_left -= 1;
        }
        self.lines.pop_front()
    }

    /// Sees that a line got what was due to it.
    fn look(&mut self) {
        let line = std::mem::take(&mut self.sent);
        let said = self.said.take();
        let command = parse(&RawLine::Complete(line.strip_suffix(b"\r").unwrap_or(&line)));
        let shown = || String::from_utf8_lossy(&line).into_owned();
        let errors = said.lines().filter(|line| line.starts_with("info string error: ")).count();
        let has_failed = |line: &str| line.starts_with("info string error: internal error");
        assert!(!said.lines().any(has_failed), "{}: {said}", shown());
        self.best_moves
            .extend(said.lines().filter(|line| line.starts_with("bestmove")).map(str::to_owned));
        self.refused += errors;
        let Ok(command) = command else {
            return assert_eq!(errors, 1, "{}: {said}", shown());
        };
        let Some(command) = command else {
            return assert_eq!(errors, 0, "{}: {said}", shown());
        };
        assert!(
            errors <= 1 && (errors == 0 || !is_always_answered(&command)),
            "{}: {said}",
            shown()
        );
        if errors == 0 {
            self.accepted(&command, &said);
        }
    }

    fn accepted(&mut self, command: &ProtocolCommand<'_>, said: &str) {
        let count = |start: &str| said.lines().filter(|line| line.starts_with(start)).count();
        let answers = [count("readyok"), count("response "), count("uciok") + count("ugiok")];
        let due = match command {
            ProtocolCommand::IsReady => [1, 0, 0],
            ProtocolCommand::Query(_) => [0, 1, 0],
            ProtocolCommand::Uci | ProtocolCommand::Ugi => [0, 0, 1],
            _ => [0; 3],
        };
        assert_eq!(answers, due, "{command:?}: {said}");
        let patience = self.patience;
        let mut begun = |ends| self.search = Some(Search { lines_left: patience, ends });
        match command {
            ProtocolCommand::Uci => self.is_ugi = false,
            ProtocolCommand::Ugi => self.is_ugi = true,
            ProtocolCommand::NewGame
            | ProtocolCommand::Position { .. }
            | ProtocolCommand::Moves(_)
            | ProtocolCommand::SetOption { .. } => {
                self.may_change = true;
            }
            ProtocolCommand::Fen => self.is_told_alone("fen", said),
            ProtocolCommand::Legal => self.is_told_alone("legal", said),
            ProtocolCommand::Perft(_) | ProtocolCommand::Go(GoOptions { perft: Some(_), .. }) => begun(true),
            ProtocolCommand::Values | ProtocolCommand::Bench => begun(false),
            ProtocolCommand::Go(go) => {
                begun(!go.is_bounded() || is_short(go));
                assert!(
                    self.best_moves.len() >= self.due.len(),
                    "{command:?} before the last answer"
                );
                self.due.push((self.legal.clone().unwrap_or_default(), self.is_ugi));
            }
            ProtocolCommand::Stop => {
                self.search = None;
                assert_eq!(self.best_moves.len(), self.due.len(), "after stop: {said}");
            }
            ProtocolCommand::Quit => self.has_quit = true,
            _ => {}
        }
    }

    /// The answer to one of the questions; between the lines of a search, perhaps. It is as it was,
    /// unless it was meant to change.
    fn is_told_alone(&mut self, question: &str, said: &str) {
        let is_fen = |line: &&str| line.contains('/') && !line.starts_with("info");
        let is_move = |word: &str| {
            let mut letters = word.trim_start_matches("P@").chars();
            let is_square = letters.next().is_some_and(|letter| ('a'..='i').contains(&letter))
                && letters.next().is_some_and(|letter| letter.is_ascii_digit());
            is_square && !word.contains(':')
        };
        let is_list = |line: &&str| line.split(' ').all(&is_move) || line.is_empty();
        let (told, known): (Vec<&str>, _) = match question {
            "fen" => (said.lines().filter(is_fen).collect(), &mut self.fen),
            _ => (said.lines().filter(is_list).collect(), &mut self.legal),
        };
        let [told] = told[..] else { panic!("{question}: {said}") };
        if !self.may_change {
            assert_eq!(known.as_deref(), Some(told), "{question}");
        }
        *known = Some(told.to_owned());
        // The list comes last.
        self.may_change &= question == "fen";
    }

    /// Sees that nothing is left to be answered.
    fn conclude(mut self, refused: usize) {
        // After quit the loop asks for no more.
        if self.sent.pop().is_some() {
            self.look();
        }
        let said = self.said.take();
        assert!(!said.contains("info string error"), "{said}");
        self.best_moves
            .extend(said.lines().filter(|line| line.starts_with("bestmove")).map(str::to_owned));
        assert_eq!(self.refused, refused);
        match self.has_quit {
            true => assert!(self.best_moves.len() <= self.due.len()),
            false => assert_eq!(self.best_moves.len(), self.due.len(), "{said}"),
        }
        for (told, (legal, is_alone)) in self.best_moves.iter().zip(&self.due) {
            let words: Vec<&str> = told.split(' ').collect();
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
            assert!(is_well_formed && fits, "{told}, legal: {legal}");
        }
    }
}

/// Whether a command is answered at any time.
fn is_always_answered(command: &ProtocolCommand<'_>) -> bool {
    use ProtocolCommand::{Debug, Fen, IsReady, Legal, PonderHit, Query, Quit, Show, Stop};
    matches!(command, IsReady | Stop | PonderHit | Quit | Debug(_) | Query(_) | Show | Fen | Legal)
}

/// Whether a search ends in a moment.
fn is_short(go: &GoOptions<'_>) -> bool {
    go.nodes.is_some_and(|nodes| nodes <= 200)
        || go.depth.is_some_and(|depth| depth <= 2)
        || go.move_time.is_some_and(|time| time <= 1)
}

/// The line, or one like it that takes less time and memory and leaves other files alone.
fn tamed(line: &[u8]) -> Vec<u8> {
    const DEPTH: u32 = 2;
    let kept = line.to_vec();
    match parse(&RawLine::Complete(line.strip_suffix(b"\r").unwrap_or(line))) {
        Ok(Some(ProtocolCommand::SetOption { name, value })) => {
            tamed_option(name, value).map_or(kept, String::into_bytes)
        }
        Ok(Some(ProtocolCommand::Perft(PerftOptions { depth, divide }))) if depth > DEPTH => {
            format!("perft {DEPTH}{}", if divide { " divide" } else { "" }).into_bytes()
        }
        Ok(Some(ProtocolCommand::Go(GoOptions { perft: Some(depth), .. }))) if depth > DEPTH => {
            format!("go perft {DEPTH}").into_bytes()
        }
        _ => kept,
    }
}

fn tamed_option(name: &str, value: &str) -> Option<String> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase();
    let number = value.parse::<u64>().ok();
    let value = match name.as_str() {
        // More than there can be is left to be refused.
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
                self.look();
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
