//! Starts every engine once before the first game, so that a mistake in the settings is reported
//! instead of recorded as lost games.

use std::fmt;
use std::io;
use std::process::ExitStatus;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, ScopedJoinHandle};
use std::time::Duration;

use super::option_line::OptionLine;
use super::player::{
    Player, PlayerError, PlayerOptions, StartError, setup_commands, variant_option,
};
use super::process::{Process, WaitError};
use super::setup::EngineSetup;
use super::start_failure::{HandshakeProbe, SilenceCause, explain_silence};
use crate::printing::{printable, quote};
use crate::protocol::reply::Dialect;

/// The number of idle engines that a worker keeps running.
pub(crate) const MAX_IDLE_ENGINES: usize = 4;

/// The number of engines that start at the same time: no more than a worker keeps running.
const MAX_CONCURRENT_STARTS: usize = MAX_IDLE_ENGINES;

/// How long a CodinGame bot is observed: a missing file or library ends a program sooner.
const BOT_CHECK_TIME: Duration = Duration::from_millis(300);

/// How long a restarted engine has to answer.
const MAX_PROBE_WAIT: Duration = Duration::from_secs(2);

/// The engines of a tournament that passed the start check.
#[derive(Debug, Default)]
pub struct StartedEngines {
    /// The engines that were kept running, with their index in the list of engines.
    pub(crate) players: Vec<(usize, Player)>,
    /// Warnings about engines that can play nevertheless.
    pub(crate) warnings: Vec<(usize, String)>,
}

/// Why the engines of a tournament cannot play.
#[derive(Debug, thiserror::Error)]
pub enum StartCheckError {
    /// The check was interrupted.
    #[error("interrupted before the first game")]
    Interrupted,
    /// The system has no resources left to start an engine.
    #[error("cannot start any more engines: {0}")]
    OutOfResources(io::Error),
    /// Engines do not start or do not accept their options.
    #[error(
        "{}\nnothing was recorded",
        .0.iter().map(StartFailure::to_string).collect::<Vec<_>>().join("\n")
    )]
    Failed(Vec<StartFailure>),
}

/// Why an engine cannot play.
#[derive(Debug)]
pub struct StartFailure {
    /// The engine's name.
    name: String,
    /// Its command line, escaped.
    command: String,
    /// What happened.
    reason: String,
    /// What a second attempt shows.
    diagnosis: Diagnosis,
    /// The end of its standard error, if there is any.
    stderr: Option<String>,
}

impl fmt::Display for StartFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// The number of lines shown from the end of each output.
        const SHOWN_LINES: usize = 8;
        let Self { name, command, reason, diagnosis, stderr } = self;
        write!(f, "{name} {reason}\n    command: {command}")?;
        if let Some(cause) = &diagnosis.cause {
            write!(f, "\n    likely:  {cause}")?;
        }
        let stdout: Vec<&str> = diagnosis.stdout.iter().map(String::as_str).collect();
        let stderr: Vec<&str> = stderr.iter().flat_map(|text| text.lines()).collect();
        for (output, lines) in [("stdout", stdout), ("stderr", stderr)] {
            for line in &lines[lines.len().saturating_sub(SHOWN_LINES)..] {
                write!(f, "\n    {output}:  {}", printable(line.trim_end()))?;
            }
        }
        Ok(())
    }
}

/// The result of checking an engine.
enum CheckedEngine {
    /// It can play. It is kept running if one of the first games needs it.
    Ready {
        player: Option<Box<Player>>,
        warnings: Vec<String>,
    },
    Failed(StartFailure),
}

/// Starts all engines, a few at a time: each must complete the handshake, accept its options and
/// answer `isready`. The first ones keep running for the first games.
///
/// # Errors
/// Fails if engines cannot play, with the reasons for each of them, or if the check is interrupted.
pub fn start_engines(
    engines: &[EngineSetup],
    options: &PlayerOptions,
) -> Result<StartedEngines, StartCheckError> {
    let remaining = Mutex::new(engines.iter().enumerate());
    let check_remaining = || -> Result<Vec<(usize, CheckedEngine)>, StartCheckError> {
        let mut checked = Vec::new();
        loop {
            let next = remaining.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((index, engine)) = next else { return Ok(checked) };
            checked.push((index, check_engine(engine, options, index < MAX_IDLE_ENGINES)?));
        }
    };
    let results = std::thread::scope(|scope| {
        let builder = || Builder::new().name("engine start".to_owned());
        let threads: io::Result<Vec<_>> = (1..engines.len().min(MAX_CONCURRENT_STARTS))
            .map(|_| builder().spawn_scoped(scope, check_remaining))
            .collect();
        let own = check_remaining();
        let join = |thread: ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        let others = threads.map_err(StartCheckError::OutOfResources)?.into_iter().map(join);
        std::iter::once(own).chain(others).collect::<Result<Vec<_>, _>>()
    });
    let (mut started, mut failures) = (StartedEngines::default(), Vec::new());
    for (index, checked) in results?.into_iter().flatten() {
        match checked {
            CheckedEngine::Ready { player, warnings } => {
                started.players.extend(player.map(|player| (index, *player)));
                started.warnings.extend(warnings.into_iter().map(|warning| (index, warning)));
            }
            CheckedEngine::Failed(failure) => failures.push((index, failure)),
        }
    }
    if failures.is_empty() {
        return Ok(started);
    }
    failures.sort_by_key(|(index, _)| *index);
    Err(StartCheckError::Failed(failures.into_iter().map(|(_, failure)| failure).collect()))
}

/// Starts an engine. If it can play, it is kept running or quits, depending on `keep`.
fn check_engine(
    engine: &EngineSetup,
    options: &PlayerOptions,
    keep: bool,
) -> Result<CheckedEngine, StartCheckError> {
    let failed = |reason: String, diagnosis, stderr| {
        let (name, command) = (engine.name.clone(), engine.command_line());
        Ok(CheckedEngine::Failed(StartFailure { name, command, reason, diagnosis, stderr }))
    };
    match Player::start(&Arc::new(engine.clone()), options) {
        Ok(mut bot) if bot.plays_single_game() => {
            // Without a handshake, all that can be checked is that it waits for its first turn.
            let exit = bot.early_exit(BOT_CHECK_TIME);
            match (exit, options.stop.load(Ordering::Relaxed)) {
                (_, true) => Err(StartCheckError::Interrupted),
                (None, false) => Ok(CheckedEngine::Ready { player: None, warnings: Vec::new() }),
                (Some(reason), false) => {
                    let reason = format!("does not wait for its first turn: it {reason}");
                    failed(reason, Diagnosis::default(), bot.stderr_tail())
                }
            }
        }
        Ok(mut player) if player.rejected_options().is_empty() => {
            let warnings = player.take_warnings();
            if keep {
                return Ok(CheckedEngine::Ready { player: Some(Box::new(player)), warnings });
            }
            player.quit();
            Ok(CheckedEngine::Ready { player: None, warnings })
        }
        Ok(player) => {
            let reason = player.rejected_options().join("; ");
            failed(reason, Diagnosis::default(), player.stderr_tail())
        }
        Err(StartError { error: PlayerError::Fault(fault), stderr }) => {
            let diagnosis = diagnose(engine, options);
            match options.stop.load(Ordering::Relaxed) {
                true => Err(StartCheckError::Interrupted),
                false => failed(format!("does not start: it {}", fault.reason), diagnosis, stderr),
            }
        }
        Err(StartError { error: PlayerError::Interrupted, .. }) => {
            Err(StartCheckError::Interrupted)
        }
        Err(StartError { error: PlayerError::OutOfResources(error), .. }) => {
            Err(StartCheckError::OutOfResources(error))
        }
    }
}

/// The likely cause of a failed start, and what the engine printed on stdout.
#[derive(Debug, Default)]
struct Diagnosis {
    cause: Option<String>,
    stdout: Vec<String>,
}

/// Restarts a failed engine to find the likely cause. There is none if the program cannot be
/// started.
fn diagnose(engine: &EngineSetup, options: &PlayerOptions) -> Diagnosis {
    let Some(dialect) = engine.proto.dialect() else { return Diagnosis::default() };
    let mut probe = EngineProbe { engine, options, process: None, exit: None };
    if probe.start(dialect.handshake_command()).is_err() {
        return Diagnosis::default();
    }
    probe.diagnose(dialect).unwrap_or_default()
}

/// An engine that is restarted to find out why it did not complete the handshake.
struct EngineProbe<'a> {
    engine: &'a EngineSetup,
    options: &'a PlayerOptions,
    process: Option<Process>,
    /// Its exit status, if it exited on its own.
    exit: Option<ExitStatus>,
}

/// The check was interrupted.
struct Interrupted;

impl EngineProbe<'_> {
    /// Finds the likely cause, once the command of the handshake has been sent.
    fn diagnose(&mut self, dialect: Dialect) -> Result<Diagnosis, Interrupted> {
        let mut lines = Vec::new();
        if self.finds_line(MAX_PROBE_WAIT, dialect.handshake_answer(), &mut lines)? {
            return self.diagnose_options(&lines);
        }
        let cause = explain_silence(dialect, &lines, self)?.cause;
        let stdout = match cause {
            SilenceCause::Exits(_) | SilenceCause::Prints { .. } => lines,
            _ => Vec::new(),
        };
        Ok(Diagnosis { cause: Some(cause.to_string()), stdout })
    }

    /// Sets the options one at a time to find the one that stops the engine; `handshake` holds the
    /// lines of the handshake.
    fn diagnose_options(&mut self, handshake: &[String]) -> Result<Diagnosis, Interrupted> {
        let is_option = |line: &&String| line.starts_with("option name ");
        let offered: Vec<OptionLine> =
            handshake.iter().filter(is_option).map(|line| OptionLine::parse(line)).collect();
        let is_offered =
            |name: &str| offered.is_empty() || offered.iter().any(|option| option.has_name(name));
        let mut setup = self.engine.clone();
        setup.options.retain(|(name, _)| is_offered(name));
        if setup.ponder && offered.iter().any(|option| option.has_name("Ponder")) {
            setup.options.push(("Ponder".to_owned(), "true".to_owned()));
        }
        let variants = handshake.iter().find_map(|line| variant_option(line));
        let Ok(commands) = setup_commands(&setup, &self.options.game, variants) else {
            return Ok(Diagnosis::default());
        };
        let commands = if commands.is_empty() { vec![String::new()] } else { commands };
        for command in commands {
            let mut stdout = Vec::new();
            if let Some(process) = &self.process {
                [&command, "isready"].iter().filter(|line| !line.is_empty()).for_each(|line| {
                    process.send_line(line);
                });
            }
            if self.finds_line(MAX_PROBE_WAIT, "readyok", &mut stdout)? {
                continue;
            }
            let command = if command.is_empty() { "isready".to_owned() } else { command };
            let command = quote(&command);
            let cause = match self.exit {
                Some(status) => format!("{} after {command}", SilenceCause::Exits(status)),
                None => format!("sends no readyok after {command}"),
            };
            return Ok(Diagnosis { cause: Some(cause), stdout });
        }
        let cause = "starts when tried again, so the failure is intermittent".to_owned();
        Ok(Diagnosis { cause: Some(cause), stdout: Vec::new() })
    }

    /// Starts the engine and sends a command; ends the previous process first.
    fn start(&mut self, command: &str) -> io::Result<()> {
        (self.process, self.exit) = (None, None);
        let process = Process::start(self.engine)?;
        process.send_line(command);
        self.process = Some(process);
        Ok(())
    }

    /// Waits for a line, at most as long as for any reply; collects all lines.
    fn finds_line(
        &mut self,
        time: Duration,
        answer: &str,
        lines: &mut Vec<String>,
    ) -> Result<bool, Interrupted> {
        let Some(process) = &mut self.process else { return Ok(false) };
        let time = time.min(self.options.timeouts.response);
        let found = process.wait_for(time, &self.options.stop, |line, _| {
            lines.push(line.to_owned());
            (line.trim_end() == answer).then_some(())
        });
        match found {
            Ok(_) => Ok(true),
            Err(WaitError::Interrupted) => Err(Interrupted),
            Err(WaitError::Closed) => {
                self.exit = process.exit_status();
                Ok(false)
            }
            Err(WaitError::Timeout | WaitError::Garbage(_)) => Ok(false),
        }
    }
}

impl HandshakeProbe for EngineProbe<'_> {
    type Error = Interrupted;

    fn exit_status(&self) -> Option<ExitStatus> {
        self.exit
    }

    fn stderr_tail(&self) -> Option<String> {
        self.process.as_ref().and_then(Process::stderr_tail)
    }

    fn answers_at_end_of_input(
        &mut self,
        time: Duration,
        answer: &str,
    ) -> Result<bool, Interrupted> {
        self.process.iter_mut().for_each(Process::close_input);
        self.finds_line(time, answer, &mut Vec::new())
    }

    fn answers_handshake(
        &mut self,
        time: Duration,
        command: &str,
        answer: &str,
    ) -> Result<bool, Interrupted> {
        match self.start(command) {
            Ok(()) => self.finds_line(time, answer, &mut Vec::new()),
            Err(_) => Ok(false),
        }
    }
}
