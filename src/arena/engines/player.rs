//! A running engine: speaks UCI, UGI or CodinGame's protocol with its process.
//!
//! Whatever an engine does results in an answer or an [`EngineFault`]; every wait has a time limit
//! and no output is trusted.

mod bot;
mod search;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::option_line::{OptionLine, is_complaint};
use super::process::{Process, WaitError};
use super::seeds::{self, SeedOption};
use super::setup::{EngineSetup, Protocol, Timeouts};
use super::start_failure::explain_start_error;
use crate::printing::{printable, quote};
use crate::records::Termination;
use search::ActiveSearch;
pub use search::EngineAnswer;

/// Why a player did not answer.
#[derive(Debug)]
pub enum PlayerError {
    /// The engine is at fault.
    Fault(EngineFault),
    /// The tournament is stopped.
    Interrupted,
    /// The system has no resources left to start an engine; no engine is at fault.
    OutOfResources(std::io::Error),
}

/// A fault of an engine.
#[derive(Debug, Clone)]
pub struct EngineFault {
    /// Its kind, as recorded.
    pub termination: Termination,
    /// What happened, to be preceded by the engine's name.
    pub reason: String,
    /// Whether the process cannot be used any more.
    pub is_fatal: bool,
}

/// Conditions shared by all players of a tournament.
#[derive(Debug, Clone)]
pub struct PlayerOptions {
    /// The names of the game, its id first; none if the rules are engine-defined.
    pub game: Vec<&'static str>,
    /// How long to wait for answers.
    pub timeouts: Timeouts,
    /// Interrupts every wait when set.
    pub stop: Arc<AtomicBool>,
}

/// A running engine.
#[derive(Debug)]
pub struct Player {
    process: Process,
    setup: Arc<EngineSetup>,
    options: PlayerOptions,
    /// The search that has not been answered yet.
    search: Option<ActiveSearch>,
    /// How long the runner was paused during the last search.
    pause: Duration,
    /// The option for the seed, if the engine offers it.
    seed_option: Option<SeedOption>,
    /// Options that the engine does not offer or rejects, and why.
    rejected_options: Vec<String>,
    /// Other complaints of the engine after its options were set.
    warnings: Vec<String>,
}

/// Why an engine did not start.
#[derive(Debug)]
pub struct StartError {
    /// What happened.
    pub error: PlayerError,
    /// The end of its standard error, if there is any.
    pub stderr: Option<String>,
}

impl From<PlayerError> for StartError {
    fn from(error: PlayerError) -> Self {
        Self { error, stderr: None }
    }
}

impl Player {
    /// Starts an engine, completes the handshake and sets its options. A CodinGame bot is only
    /// started.
    ///
    /// # Errors
    /// Fails if the engine does not start or the tournament is stopped.
    pub fn start(setup: &Arc<EngineSetup>, options: &PlayerOptions) -> Result<Self, StartError> {
        let failed = |reason| PlayerError::Fault(EngineFault::fatal(Termination::Start, reason));
        let process = Process::start(setup).map_err(|error| match is_out_of_resources(&error) {
            true => PlayerError::OutOfResources(error),
            false => {
                let folder = setup.dir.as_ref().map(|dir| format!(" in {}", quote(dir)));
                let place = format!("{}{}", quote(&setup.cmd), folder.unwrap_or_default());
                let reason = explain_start_error(setup, &error);
                failed(format!("cannot be started: {reason} ({place})"))
            }
        })?;
        let mut player = Self {
            process,
            setup: Arc::clone(setup),
            options: options.clone(),
            search: None,
            pause: Duration::ZERO,
            seed_option: None,
            rejected_options: Vec::new(),
            warnings: Vec::new(),
        };
        match player.handshake() {
            Ok(()) => Ok(player),
            // Any fault during the handshake counts as a failed start.
            Err(PlayerError::Fault(fault)) => {
                Err(StartError { error: failed(fault.reason), stderr: player.stderr_tail() })
            }
            Err(error) => Err(error.into()),
        }
    }

    fn handshake(&mut self) -> Result<(), PlayerError> {
        let Some(dialect) = self.setup.proto.dialect() else { return Ok(()) };
        let answer = dialect.handshake_answer();
        let mut variants: Option<(String, Vec<String>)> = None;
        let (mut offered, mut seed_option) = (Vec::new(), None);
        let limit = ResponseLimit::new(answer, &self.options);
        self.send_and_wait(dialect.handshake_command(), &limit, |line| {
            variants = variants.take().or_else(|| variant_option(line));
            offered.extend(line.starts_with("option name ").then(|| OptionLine::parse(line)));
            seed_option = seed_option.take().or_else(|| SeedOption::parse(line));
            (line == answer).then_some(())
        })?;
        self.seed_option = seed_option;
        // An engine that declares no options may accept any.
        let is_offered = |(name, _): &&(String, String)| {
            offered.is_empty() || offered.iter().any(|option| option.has_name(name))
        };
        let mut setup = EngineSetup::clone(&self.setup);
        setup.options = self.setup.options.iter().filter(is_offered).cloned().collect();
        let missing = self.setup.options.iter().filter(|option| !is_offered(option));
        self.rejected_options =
            missing.map(|(name, _)| format!("does not offer the option {}", quote(name))).collect();
        let mut commands = setup_commands(&setup, &self.options.game, variants)
            .map_err(|reason| PlayerError::Fault(EngineFault::fatal(Termination::Start, reason)))?;
        let is_set = self.setup.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("Ponder"));
        if self.setup.ponder && !is_set && offered.iter().any(|option| option.has_name("Ponder")) {
            commands.push("setoption name Ponder value true".to_owned());
        }
        self.set_options(&setup, &commands, &offered)
    }

    /// Sets the options that the engine offers; keeps the reasons why some are not accepted.
    fn set_options(
        &mut self,
        setup: &EngineSetup,
        commands: &[String],
        offered: &[OptionLine],
    ) -> Result<(), PlayerError> {
        let mut rejected = Vec::new();
        self.warnings = self.send_options(commands)?;
        if !self.warnings.is_empty() {
            // Sent again one at a time, so that the rejected option can be named.
            for command in commands {
                if let Some(complaint) = self.send_options(std::slice::from_ref(command))?.pop() {
                    let option = command.trim_start_matches("setoption name ");
                    let option = quote(&option.replacen(" value ", "=", 1));
                    let complaint = complaint.strip_prefix("error: ").unwrap_or(&complaint);
                    rejected.push(format!("rejects {option}: {complaint}"));
                }
            }
        }
        if rejected.is_empty() {
            rejected = undeclared_values(setup, offered);
        } else {
            self.warnings.clear();
        }
        self.rejected_options.append(&mut rejected);
        Ok(())
    }

    /// Sends commands that set options and returns the engine's complaints.
    fn send_options(&mut self, commands: &[String]) -> Result<Vec<String>, PlayerError> {
        let limit = ResponseLimit::new("readyok", &self.options);
        commands.iter().for_each(|command| self.process.send_line(command));
        let mut complaints = Vec::new();
        self.process.send_line("isready");
        self.wait_for(&limit, |line, _| {
            let text = line.strip_prefix("info string ").unwrap_or(line);
            complaints.extend(is_complaint(line).then(|| beginning(text)));
            (line == "readyok").then_some(())
        })?;
        Ok(complaints)
    }

    /// Returns the options that the engine does not offer or rejects, with the reasons.
    pub(crate) fn rejected_options(&self) -> &[String] {
        &self.rejected_options
    }

    /// Takes the complaints after the engine's options were set.
    pub fn take_warnings(&mut self) -> Vec<String> {
        let rejected = std::mem::take(&mut self.rejected_options);
        let other = std::mem::take(&mut self.warnings);
        rejected
            .into_iter()
            .chain(other.into_iter().map(|text| format!("reports: {text}")))
            .collect()
    }

    /// Waits until the engine has processed all commands, with `isready`.
    ///
    /// # Errors
    /// Fails if the engine does not answer.
    pub fn synchronize(&mut self) -> Result<(), PlayerError> {
        let limit = ResponseLimit::new("readyok", &self.options);
        self.send_and_wait("isready", &limit, |line| (line == "readyok").then_some(()))?;
        Ok(())
    }

    /// Returns whether the process has exited.
    pub fn has_exited(&mut self) -> bool {
        self.process.has_exited()
    }

    /// Sends the engine's seed for a game, unless the user has set one; returns the seed, if known.
    pub fn set_seed(&mut self, tournament_seed: u64, number: u32, engine: usize) -> Option<i64> {
        if let Some(seed) = seeds::fixed_seed(&self.setup) {
            return seed;
        }
        let option = self.seed_option.as_ref()?;
        let seed = option.seed(tournament_seed, number, engine);
        self.process.send_line(&format!("setoption name {} value {seed}", option.name));
        Some(seed)
    }

    /// Starts a new game. A CodinGame bot has a new process for each game and needs no command.
    ///
    /// # Errors
    /// Fails if the engine does not answer.
    pub fn new_game(&mut self) -> Result<(), PlayerError> {
        self.process.send_line(match self.setup.proto {
            Protocol::Uci => "ucinewgame",
            Protocol::Ugi => "uginewgame",
            Protocol::Codingame => return Ok(()),
        });
        self.synchronize()
    }

    /// Returns whether the process plays a single game and is killed at its end, as a CodinGame bot
    /// is.
    #[must_use]
    pub fn plays_single_game(&self) -> bool {
        self.setup.is_bot()
    }

    /// Sends a `position` command.
    pub fn set_position(&mut self, command: &str) {
        self.process.send_line(command);
    }

    /// Sends a `query` to an engine that defines the rules, and returns its answer.
    ///
    /// # Errors
    /// Fails if the engine does not answer.
    pub fn query(&mut self, what: &str) -> Result<String, PlayerError> {
        let limit = ResponseLimit::new("response", &self.options);
        let (answer, _) = self.send_and_wait(&format!("query {what}"), &limit, |line| {
            line.strip_prefix("response ").map(|answer| answer.trim().to_owned())
        })?;
        Ok(answer)
    }

    /// Sends `quit`; returns whether the process exited in time.
    pub fn quit(self) -> bool {
        self.process.quit(self.options.timeouts.response, &self.options.stop)
    }

    /// Returns the last lines that the engine wrote to stderr.
    #[must_use]
    pub fn stderr_tail(&self) -> Option<String> {
        self.process.stderr_tail()
    }

    /// Sends a command and waits until `parse` accepts a line; returns the result and the time
    /// taken. Earlier lines do not count.
    fn send_and_wait<T>(
        &mut self,
        command: &str,
        limit: &ResponseLimit,
        mut parse: impl FnMut(&str) -> Option<T>,
    ) -> Result<(T, Duration), PlayerError> {
        let sent = Instant::now();
        self.process.send_line(command);
        let parse_fresh = |line: &str, at| if at < sent { None } else { parse(line) };
        let (answer, at) = self.wait_for(limit, parse_fresh)?;
        Ok((answer, at.saturating_duration_since(sent)))
    }

    /// Waits until `parse` accepts a line; returns the result and the time of the line.
    fn wait_for<T>(
        &mut self,
        limit: &ResponseLimit,
        mut parse: impl FnMut(&str, Instant) -> Option<T>,
    ) -> Result<(T, Instant), PlayerError> {
        self.process
            .wait_for(limit.time, &self.options.stop, |line, at| parse(line.trim_end(), at))
            .map_err(|error| self.player_error(error, PlayerError::Fault(limit.exceeded())))
    }

    /// Returns the error of the player when a wait has failed; `timeout` if its time is over.
    fn player_error(&mut self, error: WaitError, timeout: PlayerError) -> PlayerError {
        let (termination, reason) = match error {
            WaitError::Timeout => return timeout,
            WaitError::Interrupted => return PlayerError::Interrupted,
            WaitError::Closed => (Termination::Crash, self.process.exit_reason()),
            WaitError::Garbage(description) => {
                (Termination::Garbage, format!("sent {description}"))
            }
        };
        PlayerError::Fault(EngineFault::fatal(termination, reason))
    }
}

/// Returns whether an engine could not be started because this process or the system has no more
/// file descriptors, processes or memory.
fn is_out_of_resources(error: &std::io::Error) -> bool {
    use std::io::ErrorKind;
    /// EMFILE and ENFILE: too many open files in this process or in the system.
    const TOO_MANY_FILES: [i32; 2] = [24, 23];
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::OutOfMemory)
        || cfg!(unix) && error.raw_os_error().is_some_and(|code| TOO_MANY_FILES.contains(&code))
}

/// How long to wait for an answer, and the fault if there is none.
#[derive(Debug)]
struct ResponseLimit {
    time: Duration,
    termination: Termination,
    reason: String,
}

impl ResponseLimit {
    fn new(expected: &str, options: &PlayerOptions) -> Self {
        let time = options.timeouts.response;
        let reason = format!("sent no {expected} within {}s", time.as_secs_f64());
        Self { time, termination: Termination::Stall, reason }
    }

    fn exceeded(&self) -> EngineFault {
        EngineFault {
            termination: self.termination,
            reason: self.reason.clone(),
            is_fatal: self.termination != Termination::Time,
        }
    }
}

impl EngineFault {
    pub(crate) fn fatal(termination: Termination, reason: String) -> Self {
        Self { termination, reason, is_fatal: true }
    }
}

/// Returns whether the word after `bestmove` means that there is no move.
pub(crate) fn is_no_move(word: &str) -> bool {
    matches!(word, "(none)" | "NULL" | "0000")
}

fn is_variant_option(name: &str) -> bool {
    name.eq_ignore_ascii_case("UCI_Variant") || name.eq_ignore_ascii_case("Variant")
}

/// Returns the commands to send after the handshake: the game, then the options.
///
/// The game is selected by the variant option, if the engine offers one and the setup does not set
/// it. `game` holds the names of the game, none if the rules are engine-defined.
///
/// # Errors
/// Returns a message if the engine offers only other games.
pub(crate) fn setup_commands(
    setup: &EngineSetup,
    game: &[&str],
    variants: Option<(String, Vec<String>)>,
) -> Result<Vec<String>, String> {
    let mut commands = Vec::new();
    let is_set = setup.options.iter().any(|(name, _)| is_variant_option(name));
    if let (Some((option, offered)), Some(own), false) = (variants, game.first(), is_set) {
        let is_offered =
            |name: &&&str| offered.iter().any(|offered| offered.eq_ignore_ascii_case(name));
        let name = game
            .iter()
            .find(is_offered)
            .ok_or_else(|| format!("does not offer {own}, only: {}", offered.join(" ")))?;
        commands.push(format!("setoption name {option} value {name}"));
    }
    commands.extend(setup.options.iter().map(|(name, value)| {
        let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
        format!("setoption name {name}{value}")
    }));
    Ok(commands)
}

/// Returns the beginning of an engine's text.
fn beginning(text: &str) -> String {
    const MAX_LENGTH: usize = 100;
    let start: String = text.chars().take(MAX_LENGTH).collect();
    let rest = if start.len() < text.len() { "…" } else { "" };
    format!("{}{rest}", printable(&start))
}

/// Returns why values of options are outside those that the engine declares.
fn undeclared_values(setup: &EngineSetup, offered: &[OptionLine]) -> Vec<String> {
    let problem = |(name, value): &(String, String)| {
        let option = offered.iter().find(|option| option.has_name(name))?;
        let expected = option.expected_instead_of(value)?;
        Some(format!("does not accept {} for {name}, expected {expected}", quote(value)))
    };
    setup.options.iter().filter_map(problem).collect()
}

/// Returns the name and the values of the option that selects a game, if the line declares it.
pub(crate) fn variant_option(line: &str) -> Option<(String, Vec<String>)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["option", "name", name, "type", "combo", rest @ ..] = words.as_slice() else {
        return None;
    };
    let value = |pair: &[&str]| (pair[0] == "var").then(|| pair[1].to_owned());
    is_variant_option(name)
        .then(|| ((*name).to_owned(), rest.windows(2).filter_map(value).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variant_option_is_recognized() {
        let line = "option name UCI_Variant type combo default chess var chess var tictactoe";
        let (name, games) = variant_option(line).unwrap();
        assert_eq!((name.as_str(), games.join(" ")), ("UCI_Variant", "chess tictactoe".to_owned()));
        assert!(variant_option("option name Hash type spin default 1 min 1 max 2").is_none());
    }
}
