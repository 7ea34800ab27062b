//! An engine that is driven line by line, for front ends that speak its protocol themselves.
//!
//! Only commands of the protocols are passed on, and only options that name no files, so that a front
//! end cannot make an engine read or write files.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::arena::engines::driver::{Engine, EngineConditions, launch_failure};
use crate::arena::engines::engine_setup::{EngineSetup, Timeouts};
use crate::arena::engines::process::{OutputWait, WaitError};
use crate::arena::engines::uci::HandshakeReply;
use crate::printing::quote;
use crate::protocol::reply::Dialect;

/// The commands that are passed on. Engines have others, which may write files.
const COMMANDS: [&str; 9] = [
    "setoption",
    "isready",
    "ucinewgame",
    "uginewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "query",
];

/// Maximum time for the handshake, `isready` and `stop`, and beyond the time of a search.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(10);

/// Upper limit of a single wait, never reached because the interval of [`LineEngine::next_line`] is
/// shorter.
const MAX_WAIT: Duration = Duration::from_secs(3600);

pub(super) struct LineEngine {
    engine: Engine,
    setup: Arc<EngineSetup>,
    dialect: Dialect,
    /// The options that it offers, and the end of its handshake.
    handshake: HandshakeReply,
    is_searching: bool,
    due: Vec<DueAnswer>,
}

struct DueAnswer {
    first_word: &'static str,
    time: Duration,
    end: Instant,
}

impl LineEngine {
    /// Starts an engine. Returns the reason if it cannot be started.
    pub(super) fn start(setup: &EngineSetup) -> Result<Self, String> {
        let dialect = setup.proto.dialect().ok_or("does not speak UCI or UGI")?;
        let (setup, stop) = (Arc::new(setup.clone()), Arc::default());
        let conditions = EngineConditions { game: None, timeouts: Timeouts::default(), stop };
        let engine =
            Engine::launch(&setup, &conditions).map_err(|error| launch_failure(&setup, &error))?;
        let (handshake, is_searching, due) = (HandshakeReply::default(), false, Vec::new());
        Ok(Self { engine, setup, dialect, handshake, is_searching, due })
    }

    /// Passes a line on. A handshake is sent in the dialect of the engine, whichever was requested;
    /// options that the engine does not offer are left out. Returns the reason if the line may not
    /// be passed on.
    pub(super) fn send(&mut self, line: &str) -> Result<(), String> {
        let line = line.trim();
        match line.split_whitespace().next().unwrap_or_default() {
            "" => return Ok(()),
            "uci" | "ugi" => {
                self.expect(self.dialect.handshake_answer());
                self.engine.process().send_line(self.dialect.handshake_command());
                return Ok(());
            }
            "setoption" => {
                let name = option_name(line);
                let Some(option) = self.handshake.option(&name) else { return Ok(()) };
                if option.takes_string() {
                    return Err(format!(
                        "option {} cannot be set here: it takes a string, which may name a file; \
                         expected a check, spin, combo or button option",
                        quote(&name)
                    ));
                }
            }
            "go" => {
                self.is_searching = true;
                if let Some(time) = move_time(line) {
                    self.expect_within("bestmove", time + RESPONSE_TIMEOUT);
                }
            }
            "stop" if self.is_searching => self.expect("bestmove"),
            "isready" => self.expect("readyok"),
            word if !COMMANDS.contains(&word) => {
                let known = COMMANDS.join(" ");
                let word = quote(word);
                return Err(format!(
                    "{word} cannot be sent to an engine, expected one of: {known}"
                ));
            }
            _ => {}
        }
        self.engine.process().send_line(line);
        Ok(())
    }

    fn expect(&mut self, answer: &'static str) {
        self.expect_within(answer, RESPONSE_TIMEOUT);
    }

    fn expect_within(&mut self, first_word: &'static str, time: Duration) {
        self.due.retain(|due| due.first_word != first_word);
        self.due.push(DueAnswer { first_word, time, end: Instant::now() + time });
    }

    /// Waits for a line for at most `interval`. Returns the reason if the engine has exited, hangs
    /// or sends anything but lines.
    pub(super) fn next_line(&mut self, interval: Duration) -> Result<Option<String>, String> {
        let mut wait = OutputWait::new(MAX_WAIT);
        let take = |line: &str, _| Some(line.trim_end().to_owned());
        let line = match self.engine.process().poll(&mut wait, interval, take) {
            Ok(line) => line.map(|(line, _)| line),
            Err(WaitError::Malformed(description)) => return Err(format!("sent {description}")),
            Err(WaitError::Closed | WaitError::Timeout | WaitError::Interrupted) => {
                return Err(self.engine.process().exit_reason());
            }
        };
        if let Some(line) = &line {
            self.observe(line);
        }
        let now = Instant::now();
        if let Some(due) = self.due.iter().find(|due| due.end < now) {
            return Err(format!("sent no {} within {} s", due.first_word, due.time.as_secs()));
        }
        Ok(line)
    }

    /// Notes the options that the engine offers and the answers it gives.
    fn observe(&mut self, line: &str) {
        let first_word = line.split_whitespace().next().unwrap_or_default();
        self.due.retain(|due| due.first_word != first_word);
        self.is_searching &= first_word != "bestmove";
        let answer = self.dialect.handshake_answer();
        if self.handshake.lines.last().is_some_and(|last| last == answer) {
            return;
        }
        if first_word == "option" || line == answer {
            self.handshake.lines.push(line.to_owned());
        }
        if line == answer {
            for command in self.handshake.setup_commands(&self.setup, None).unwrap_or_default() {
                self.engine.process().send_line(&command);
            }
        }
    }

    /// The last lines of the engine's standard error.
    pub(super) fn stderr_tail(&self) -> Option<String> {
        self.engine.stderr_tail()
    }
}

/// The time of a search for a fixed time.
fn move_time(line: &str) -> Option<Duration> {
    let milliseconds = line.split_whitespace().skip_while(|word| *word != "movetime").nth(1)?;
    Some(Duration::from_millis(milliseconds.parse::<u32>().ok()?.into()))
}

fn option_name(line: &str) -> String {
    let words = line.split_whitespace().skip(2).take_while(|word| *word != "value");
    words.collect::<Vec<_>>().join(" ")
}
