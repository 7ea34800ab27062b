//! The driver of an engine: starts its process, speaks its protocol and asks it for moves.
//!
//! Whatever an engine does results in an answer or an [`EngineFault`]; every wait has a time limit
//! and no output is trusted. What differs between the protocols is in their adapters, [`uci`] and
//! `codingame`.

mod search;

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::codingame::{self, CodingameAdapter};
use super::engine_setup::{EngineSetup, Timeouts};
use super::fault::{EngineFailure, EngineFault};
use super::option_line::is_complaint;
use super::process::{Process, WaitError};
use super::seeds::{self, SeedOption};
use super::start_failure::{exit_cause, explain_silence, explain_start_error, is_out_of_resources};
use super::uci::{self, GamePosition, HandshakeReply};
use crate::printing::{printable, quote};
use crate::protocol::reply::Dialect;
use crate::records::Termination;
use crate::thinking::GameSpec;
use search::ActiveSearch;
pub(crate) use search::EngineAnswer;

#[derive(Debug, Clone)]
pub(crate) struct EngineConditions {
    /// The game; `None` if the rules are engine-defined.
    pub game: Option<&'static GameSpec>,
    pub timeouts: Timeouts,
    /// Interrupts every wait when set.
    pub stop: Arc<AtomicBool>,
}

enum Adapter {
    Uci(Dialect),
    Codingame(Box<CodingameAdapter>),
}

pub(crate) struct Engine {
    process: Process,
    adapter: Adapter,
    setup: Arc<EngineSetup>,
    conditions: EngineConditions,
    /// What it printed in its handshake.
    handshake: HandshakeReply,
    /// The commands sent since, until it can play; `None` before that.
    setup_commands: Option<Vec<String>>,
    /// The lines that answered them.
    setup_answers: Vec<String>,
    /// The search that has not been answered yet.
    search: Option<ActiveSearch>,
    /// How long the runner was paused during the search, or during the last one.
    pub(crate) pause: Duration,
    /// Options that the engine does not offer or rejects, and why.
    pub(crate) rejected_options: Vec<String>,
    /// Other complaints of the engine after its options were set.
    warnings: Vec<String>,
}

pub(crate) enum StartError {
    /// The engine is at fault; its process, if it was started.
    Fault(EngineFault, Option<Box<Engine>>),
    /// The system has no resources left; no engine is at fault.
    OutOfResources(io::Error),
    /// The stop flag was set.
    Interrupted,
}

/// How long to wait for an answer, and the fault if there is none.
struct ResponseLimit {
    time: Duration,
    termination: Termination,
    reason: String,
}

impl ResponseLimit {
    fn exceeded(&self) -> EngineFault {
        EngineFault {
            termination: self.termination,
            reason: self.reason.clone(),
            is_fatal: self.termination != Termination::Time,
        }
    }
}

impl Engine {
    /// Starts an engine, completes the handshake and sets its options; any fault counts as a failed
    /// start. A CodinGame bot is only started.
    /// Fails if the engine does not start or the tournament is stopped.
    pub(crate) fn start(
        setup: &Arc<EngineSetup>,
        conditions: &EngineConditions,
    ) -> Result<Self, StartError> {
        let mut engine = match Self::launch(setup, conditions) {
            Ok(engine) => engine,
            Err(error) if is_out_of_resources(&error) => {
                return Err(StartError::OutOfResources(error));
            }
            Err(error) => {
                let reason = launch_failure(setup, &error);
                return Err(StartError::Fault(
                    EngineFault::fatal(Termination::StartFailure, reason),
                    None,
                ));
            }
        };
        let Adapter::Uci(dialect) = engine.adapter else { return Ok(engine) };
        match engine.shake_hands(dialect).and_then(|()| engine.set_options()) {
            Ok(()) => Ok(engine),
            Err(EngineFailure::Interrupted) => Err(StartError::Interrupted),
            Err(EngineFailure::Fault(fault)) => {
                let fault = EngineFault::fatal(Termination::StartFailure, fault.reason);
                Err(StartError::Fault(fault, Some(Box::new(engine))))
            }
        }
    }

    /// Starts the process of an engine, for those who speak its protocol themselves.
    pub(crate) fn launch(
        setup: &Arc<EngineSetup>,
        conditions: &EngineConditions,
    ) -> io::Result<Self> {
        let adapter = match setup.proto.dialect() {
            Some(dialect) => Adapter::Uci(dialect),
            None => {
                let adapter = CodingameAdapter::new(conditions.game).map_err(io::Error::other)?;
                Adapter::Codingame(Box::new(adapter))
            }
        };
        let process = Process::start(setup, Arc::clone(&conditions.stop))?;
        Ok(Self {
            process,
            adapter,
            setup: Arc::clone(setup),
            conditions: conditions.clone(),
            handshake: HandshakeReply::default(),
            setup_commands: None,
            setup_answers: Vec::new(),
            search: None,
            pause: Duration::ZERO,
            rejected_options: Vec::new(),
            warnings: Vec::new(),
        })
    }

    fn shake_hands(&mut self, dialect: Dialect) -> Result<(), EngineFailure> {
        self.process.send_line(dialect.handshake_command());
        let (lines, answered) = self.collect_until(dialect.handshake_answer());
        self.handshake.lines = lines;
        answered
    }

    /// Waits for a line; returns what was printed up to it, and whether it came.
    fn collect_until(&mut self, answer: &str) -> (Vec<String>, Result<(), EngineFailure>) {
        let (limit, mut lines) = (self.response_limit(answer), Vec::new());
        let answered = self.wait_for(&limit, |line, _| {
            lines.push(line.to_owned());
            (line == answer).then_some(())
        });
        (lines, answered.map(drop))
    }

    /// Sets the options that the engine offers; keeps the reasons why some are not accepted.
    fn set_options(&mut self) -> Result<(), EngineFailure> {
        let offered: Vec<_> = self.handshake.options().map(|(_, option)| option).collect();
        let mut setup = EngineSetup::clone(&self.setup);
        // An engine that declares no options may accept any.
        setup.options.retain(|(name, _)| {
            offered.is_empty() || offered.iter().any(|option| option.has_name(name))
        });
        let missing = self.setup.options.iter().filter(|option| !setup.options.contains(option));
        self.rejected_options =
            missing.map(|(name, _)| format!("does not offer the option {}", quote(name))).collect();
        let commands = self.handshake.setup_commands(&setup, self.conditions.game);
        let commands = commands.map_err(|reason| {
            EngineFailure::Fault(EngineFault::fatal(Termination::StartFailure, reason))
        })?;
        self.warnings = self.send_options(&commands)?;
        let mut rejected = Vec::new();
        if !self.warnings.is_empty() {
            // Sent again one at a time, so that the rejected option can be named.
            for command in commands {
                if let Some(complaint) = self.send_options(std::slice::from_ref(&command))?.pop() {
                    let option = command.trim_start_matches("setoption name ");
                    let option = quote(&option.replacen(" value ", "=", 1));
                    let complaint = complaint.strip_prefix("error: ").unwrap_or(&complaint);
                    rejected.push(format!("rejects {option}: {complaint}"));
                }
            }
        }
        if rejected.is_empty() {
            rejected = setup
                .options
                .iter()
                .filter_map(|(name, value)| {
                    let option = offered.iter().find(|option| option.has_name(name))?;
                    let expected = option.expected_instead_of(value)?;
                    let value = quote(value);
                    Some(format!("does not accept {value} for {name}, expected {expected}"))
                })
                .collect();
        } else {
            self.warnings.clear();
        }
        self.rejected_options.append(&mut rejected);
        Ok(())
    }

    fn send_options(&mut self, commands: &[String]) -> Result<Vec<String>, EngineFailure> {
        self.setup_commands = Some(commands.to_vec());
        commands.iter().for_each(|command| self.process.send_line(command));
        self.process.send_line("isready");
        let (lines, answered) = self.collect_until("readyok");
        let complaints = lines.iter().filter(|line| is_complaint(line));
        let complaints = complaints
            .map(|line| beginning(line.strip_prefix("info string ").unwrap_or(line)))
            .collect();
        self.setup_answers = lines;
        answered.map(|()| complaints)
    }

    /// Returns the likely cause of a failed start, unless the failure names it, and the lines that
    /// the engine printed last. Tries the other protocol and ends the engine's input to find it.
    pub(crate) fn explain_failed_start(&mut self) -> Option<(String, Vec<String>)> {
        let Adapter::Uci(dialect) = self.adapter else { return None };
        let answer = dialect.handshake_answer();
        if self.handshake.lines.last().is_none_or(|line| line != answer) {
            let lines = std::mem::take(&mut self.handshake.lines);
            let (process, timeout) = (&mut self.process, self.conditions.timeouts.reply);
            let cause = explain_silence(process, dialect, &lines, timeout, |_, _| {});
            return Some((cause.unwrap_or_else(|cause| cause), lines));
        }
        let commands = self.setup_commands.as_ref()?.iter().map(|command| quote(command));
        let mut commands = commands.collect::<Vec<_>>().join(", ");
        if commands.is_empty() {
            commands = quote("isready");
        }
        let cause = match self.process.own_exit() {
            Some(status) => exit_cause(status),
            None => "sends no readyok".to_owned(),
        };
        Some((format!("{cause} after {commands}"), std::mem::take(&mut self.setup_answers)))
    }

    /// Returns why an engine that was started ends too early, if it does: a bot has no handshake.
    pub(crate) fn early_exit(&mut self) -> Option<String> {
        let waits = !self.plays_single_game() || !self.process.exits_within(codingame::START_WAIT);
        if waits {
            return None;
        }
        let reason = self.process.exit_reason();
        Some(format!("does not wait for its first turn: it {reason}"))
    }

    /// Takes the complaints after the engine's options were set.
    pub(crate) fn take_warnings(&mut self) -> Vec<String> {
        let mut warnings = std::mem::take(&mut self.rejected_options);
        let other = std::mem::take(&mut self.warnings);
        warnings.extend(other.into_iter().map(|text| format!("reports: {text}")));
        warnings
    }

    /// Waits until the engine has processed all commands, with `isready`.
    /// Fails if the engine does not answer.
    pub(crate) fn synchronize(&mut self) -> Result<(), EngineFailure> {
        self.ask("isready", "readyok", |line| (line == "readyok").then_some(()))
    }

    /// Sends the engine's seed for a game, unless the user has set one; returns the seed, if known.
    pub(crate) fn set_seed(
        &mut self,
        tournament_seed: u64,
        number: u32,
        engine: usize,
    ) -> Option<i64> {
        if let Some(seed) = seeds::fixed_seed(&self.setup) {
            return seed;
        }
        let mut options = self.handshake.options().map(|(_, option)| option);
        let option = options.find_map(|option| SeedOption::from_declared(&option))?;
        let seed = option.seed(tournament_seed, number, engine);
        self.process.send_line(&format!("setoption name {} value {seed}", option.name));
        Some(seed)
    }

    /// Starts a new game. A CodinGame bot has a new process for each game and needs no command.
    /// Fails if the engine does not answer.
    pub(crate) fn new_game(&mut self) -> Result<(), EngineFailure> {
        let Adapter::Uci(dialect) = self.adapter else { return Ok(()) };
        self.process.send_line(uci::new_game_command(dialect));
        self.synchronize()
    }

    /// Returns whether the process plays a single game and is killed at its end, as a CodinGame bot
    /// is.
    pub(crate) fn plays_single_game(&self) -> bool {
        matches!(self.adapter, Adapter::Codingame(_))
    }

    pub(crate) fn set_position(&mut self, position: GamePosition<'_>) {
        self.process.send_line(&uci::position_command(position));
    }

    /// Sends a `query` to an engine that defines the rules, and returns its answer.
    /// Fails if the engine does not answer.
    pub(crate) fn query(&mut self, what: &str) -> Result<String, EngineFailure> {
        self.ask(&format!("query {what}"), "response", |line| {
            line.strip_prefix("response ").map(|answer| answer.trim().to_owned())
        })
    }

    /// Sends `quit`; returns whether the process exited in time.
    pub(crate) fn quit(mut self) -> bool {
        self.process.send_line("quit");
        self.process.close_input();
        self.process.exits_within(self.conditions.timeouts.reply)
    }

    /// Returns the last lines that the engine wrote to stderr.
    pub(crate) fn stderr_tail(&self) -> Option<String> {
        self.process.stderr_tail()
    }

    /// The process, for those who speak the protocol themselves.
    pub(crate) fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    /// Sends a command and waits until `parse` accepts a line. Earlier lines do not count.
    fn ask<T>(
        &mut self,
        command: &str,
        answer: &str,
        mut parse: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, EngineFailure> {
        let limit = self.response_limit(answer);
        let sent = Instant::now();
        self.process.send_line(command);
        let parse_fresh = |line: &str, at| if at < sent { None } else { parse(line) };
        self.wait_for(&limit, parse_fresh).map(|(answer, _)| answer)
    }

    /// Waits until `parse` accepts a line, without the white space at its end; returns the result and
    /// the time of the line.
    fn wait_for<T>(
        &mut self,
        limit: &ResponseLimit,
        mut parse: impl FnMut(&str, Instant) -> Option<T>,
    ) -> Result<(T, Instant), EngineFailure> {
        self.process
            .wait_for(limit.time, |line, at| parse(line.trim_end(), at))
            .map_err(|error| self.failure(error, limit))
    }

    /// Returns the limit for an answer without a search.
    fn response_limit(&self, expected: &str) -> ResponseLimit {
        let time = self.conditions.timeouts.reply;
        let reason = format!("sent no {expected} within {}s", time.as_secs_f64());
        ResponseLimit { time, termination: Termination::Stall, reason }
    }

    /// Returns the failure of the engine when a wait has failed.
    fn failure(&mut self, error: WaitError, limit: &ResponseLimit) -> EngineFailure {
        let (termination, reason) = match error {
            WaitError::Timeout => return EngineFailure::Fault(limit.exceeded()),
            WaitError::Interrupted => return EngineFailure::Interrupted,
            WaitError::Closed => (Termination::Crash, self.process.exit_reason()),
            WaitError::Malformed(description) => {
                (Termination::ProtocolError, format!("sent {description}"))
            }
        };
        EngineFailure::Fault(EngineFault::fatal(termination, reason))
    }
}

/// Describes why the process of an engine cannot be started.
pub(crate) fn launch_failure(setup: &EngineSetup, error: &io::Error) -> String {
    let folder = setup.dir.as_ref().map(|dir| format!(" in {}", quote(dir)));
    let place = format!("{}{}", quote(&setup.cmd), folder.unwrap_or_default());
    format!("cannot be started: {} ({place})", explain_start_error(setup, error))
}

fn beginning(text: &str) -> String {
    const MAX_LENGTH: usize = 100;
    let start: String = text.chars().take(MAX_LENGTH).collect();
    let rest = if start.len() < text.len() { "…" } else { "" };
    format!("{}{rest}", printable(&start))
}
