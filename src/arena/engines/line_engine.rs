//! An engine that is driven line by line, for front ends that speak its protocol themselves.
//!
//! Only commands of the protocols are passed on, and only options that name no files, so that a front
//! end cannot make an engine read or write files.

use std::time::{Duration, Instant};

use super::option_line::OptionLine;
use super::process::{OutputWait, Process, WaitError};
use super::setup::EngineSetup;
use super::start_failure::explain_start_error;
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

/// A running engine.
#[derive(Debug)]
pub struct LineEngine {
    process: Process,
    setup: EngineSetup,
    dialect: Dialect,
    options: Vec<OptionLine>,
    has_shaken_hands: bool,
    is_searching: bool,
    /// The answers that are due.
    due: Vec<DueAnswer>,
}

/// An answer that is due.
#[derive(Debug)]
struct DueAnswer {
    first_word: &'static str,
    time: Duration,
    end: Instant,
}

/// Why a line was not passed on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RefusedCommand {
    /// The command may not be passed on to an engine.
    #[error("{} cannot be sent to an engine, expected one of: {}", quote(.0), COMMANDS.join(" "))]
    Unknown(String),
    /// The option takes a string, which may be the name of a file.
    #[error(
        "option {} cannot be set here: it takes a string, which may name a file; expected a check, spin, combo or button option",
        quote(.0)
    )]
    StringOption(String),
}

impl LineEngine {
    /// Starts an engine.
    ///
    /// # Errors
    /// Returns the reason if it cannot be started.
    pub fn start(setup: &EngineSetup) -> Result<Self, String> {
        let dialect = setup.proto.dialect().ok_or("does not speak UCI or UGI")?;
        let process = Process::start(setup).map_err(|error| {
            let reason = explain_start_error(setup, &error);
            format!("cannot be started: {reason} ({})", setup.command_line())
        })?;
        Ok(Self {
            process,
            setup: setup.clone(),
            dialect,
            options: Vec::new(),
            has_shaken_hands: false,
            is_searching: false,
            due: Vec::new(),
        })
    }

    /// Passes a line on. A handshake is sent in the dialect of the engine, whichever was requested;
    /// options that the engine does not offer are left out.
    ///
    /// # Errors
    /// Fails if the line may not be passed on.
    pub fn send(&mut self, line: &str) -> Result<(), RefusedCommand> {
        let line = line.trim();
        match line.split_whitespace().next().unwrap_or_default() {
            "" => {}
            "uci" | "ugi" => {
                self.expect(self.dialect.handshake_answer());
                self.process.send_line(self.dialect.handshake_command());
            }
            word if !COMMANDS.contains(&word) => {
                return Err(RefusedCommand::Unknown(word.to_owned()));
            }
            "setoption" => {
                let name = option_name(line);
                match self.options.iter().find(|option| option.has_name(&name)) {
                    Some(option) if option.takes_string() => {
                        return Err(RefusedCommand::StringOption(name));
                    }
                    Some(_) => self.process.send_line(line),
                    None => {}
                }
            }
            word => {
                match word {
                    "go" => {
                        self.is_searching = true;
                        if let Some(time) = move_time(line) {
                            self.expect_within("bestmove", time + RESPONSE_TIMEOUT);
                        }
                    }
                    "stop" if self.is_searching => self.expect("bestmove"),
                    "isready" => self.expect("readyok"),
                    _ => {}
                }
                self.process.send_line(line);
            }
        }
        Ok(())
    }

    fn expect(&mut self, answer: &'static str) {
        self.expect_within(answer, RESPONSE_TIMEOUT);
    }

    fn expect_within(&mut self, first_word: &'static str, time: Duration) {
        self.due.retain(|due| due.first_word != first_word);
        self.due.push(DueAnswer { first_word, time, end: Instant::now() + time });
    }

    /// Waits for a line for at most `interval`.
    ///
    /// # Errors
    /// Returns the reason if the engine has exited, hangs or sends anything but lines.
    pub fn next_line(&mut self, interval: Duration) -> Result<Option<String>, String> {
        let mut wait = OutputWait::new(MAX_WAIT);
        let take = |line: &str, _| Some(line.trim_end().to_owned());
        let line = match self.process.poll(&mut wait, interval, take) {
            Ok(line) => line.map(|(line, _)| line),
            Err(WaitError::Garbage(description)) => return Err(format!("sent {description}")),
            Err(WaitError::Closed | WaitError::Timeout | WaitError::Interrupted) => {
                return Err(self.process.exit_reason());
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
        if line.starts_with("option name ") {
            self.options.push(OptionLine::parse(line));
        }
        let first_word = line.split_whitespace().next().unwrap_or_default();
        self.due.retain(|due| due.first_word != first_word);
        self.is_searching &= first_word != "bestmove";
        if line == self.dialect.handshake_answer() && !self.has_shaken_hands {
            self.has_shaken_hands = true;
            for (name, value) in &self.setup.options {
                self.process.send_line(&format!("setoption name {name} value {value}"));
            }
        }
    }

    /// The last lines of the engine's standard error.
    #[must_use]
    pub fn stderr_tail(&self) -> Option<String> {
        self.process.stderr_tail()
    }
}

/// The time of a search for a fixed time.
fn move_time(line: &str) -> Option<Duration> {
    let milliseconds = line.split_whitespace().skip_while(|word| *word != "movetime").nth(1)?;
    Some(Duration::from_millis(milliseconds.parse::<u32>().ok()?.into()))
}

/// The name of the option in a `setoption` command.
fn option_name(line: &str) -> String {
    let words = line.split_whitespace().skip(2).take_while(|word| *word != "value");
    words.collect::<Vec<_>>().join(" ")
}
