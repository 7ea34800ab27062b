//! An engine at the board: the dialogue with a process, and what is wrong when it goes wrong.
//!
//! Whatever an engine does becomes either an answer or a [`EngineFault`]; nothing here waits for ever and
//! nothing it says is trusted. Imports the process, the setup and the words of the record.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::process::{Process, WaitError};
use super::record::{EngineScore, SearchInfo, Termination};
use super::setup::{EngineSetup, Protocol, Timeouts};
use crate::rules::quote;

/// Why a game cannot go on.
#[derive(Debug)]
pub enum PlayerError {
    /// The engine did something it should not have.
    Fault(EngineFault),
    /// Somebody wants to stop.
    Interrupted,
    /// We have nothing left to start an engine with; no engine is to blame for that.
    OutOfResources(std::io::Error),
}

/// What an engine did wrong.
#[derive(Debug, Clone)]
pub struct EngineFault {
    /// Its word in the record.
    pub termination: Termination,
    /// What happened, without a subject.
    pub reason: String,
    /// Whether the engine is of no more use.
    pub is_fatal: bool,
}

/// What an engine answered to `go`.
#[derive(Debug)]
pub struct EngineAnswer {
    /// The word behind `bestmove`.
    pub mv: Option<String>,
    /// What it said about it.
    pub info: SearchInfo,
    /// The time from the question to the answer.
    pub taken: Duration,
}

/// What several waits have in common.
#[derive(Debug, Clone)]
pub struct PlayerOptions {
    /// The names of the game, the first one its own; none where only the engines know it.
    pub game: Vec<&'static str>,
    /// How long engines are waited for.
    pub patience: Timeouts,
    /// Set when somebody wants to stop.
    pub stop: Arc<AtomicBool>,
}

/// A running engine.
#[derive(Debug)]
pub struct Player {
    process: Process,
    setup: Arc<EngineSetup>,
    terms: PlayerOptions,
    /// Whether a search was asked for and not answered.
    owes_move: bool,
    /// What somebody should know of its options.
    remarks: Vec<String>,
}

impl Player {
    /// Starts an engine and makes it ready for the game.
    ///
    /// # Errors
    /// When it does not start, or somebody wants to stop.
    pub fn start(
        setup: &Arc<EngineSetup>,
        terms: &PlayerOptions,
    ) -> Result<Self, (PlayerError, Option<String>)> {
        let failed = |reason| PlayerError::Fault(EngineFault::fatal(Termination::Start, reason));
        let process = Process::start(setup).map_err(|error| match is_ours(&error) {
            true => (PlayerError::OutOfResources(error), None),
            false => {
                let folder = setup.dir.as_ref().map(|dir| format!(" in {}", quote(dir)));
                let place = format!("{}{}", quote(&setup.cmd), folder.unwrap_or_default());
                (failed(format!("cannot be started: {error} ({place})")), None)
            }
        })?;
        let mut player = Self {
            process,
            setup: Arc::clone(setup),
            terms: terms.clone(),
            owes_move: false,
            remarks: Vec::new(),
        };
        match player.handshake() {
            Ok(()) => Ok(player),
            // Whatever goes wrong here, the engine has not started.
            Err(PlayerError::Fault(fault)) => Err((failed(fault.reason), player.stderr_tail())),
            Err(trouble) => Err((trouble, None)),
        }
    }

    fn handshake(&mut self) -> Result<(), PlayerError> {
        let (greeting, answer) = match self.setup.proto {
            Protocol::Uci => ("uci", "uciok"),
            Protocol::Ugi => ("ugi", "ugiok"),
        };
        let mut variants: Option<(String, Vec<String>)> = None;
        let mut offered = Vec::new();
        let wait = Wait::answer(answer, &self.terms);
        self.ask(greeting, &wait, |line| {
            variants = variants.take().or_else(|| variant_option(line));
            offered.extend(option_name(line));
            (line == answer).then_some(())
        })?;
        let commands = setup_commands(&self.setup, &self.terms.game, variants)
            .map_err(|reason| PlayerError::Fault(EngineFault::fatal(Termination::Start, reason)))?;
        for (name, _) in &self.setup.options {
            let is_it = |offered: &String| offered.eq_ignore_ascii_case(name);
            if !offered.is_empty() && !offered.iter().any(is_it) {
                self.remarks.push(format!("does not offer the option {}", quote(name)));
            }
        }
        commands.iter().for_each(|command| self.process.send_line(command));
        self.hear_complaints()
    }

    /// Waits until the engine has dealt with its options, and keeps what it has to say against them.
    fn hear_complaints(&mut self) -> Result<(), PlayerError> {
        let wait = Wait::answer("readyok", &self.terms);
        let mut complaints = Vec::new();
        self.process.send_line("isready");
        self.listen(&wait, |line, _| {
            let said = line.strip_prefix("info string ").filter(|said| said.contains("error"));
            complaints.extend(said.map(|said| format!("says: {}", shown(said))));
            (line == "readyok").then_some(())
        })?;
        self.remarks.append(&mut complaints);
        Ok(())
    }

    /// What somebody should know of the way its options were taken.
    pub fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// Waits until the engine has dealt with all it was told.
    ///
    /// # Errors
    /// When it does not answer.
    pub fn synchronise(&mut self) -> Result<(), PlayerError> {
        let wait = Wait::answer("readyok", &self.terms);
        self.ask("isready", &wait, |line| (line == "readyok").then_some(()))?;
        Ok(())
    }

    /// Whether its process has ended, although nobody told it to.
    pub fn has_exited(&mut self) -> bool {
        self.process.has_exited()
    }

    /// Begins a new game.
    ///
    /// # Errors
    /// When the engine does not answer.
    pub fn new_game(&mut self) -> Result<(), PlayerError> {
        self.process.send_line(match self.setup.proto {
            Protocol::Uci => "ucinewgame",
            Protocol::Ugi => "uginewgame",
        });
        self.synchronise()
    }

    /// Puts up a position.
    pub fn set_position(&mut self, command: &str) {
        self.process.send_line(command);
    }

    /// Asks for a move. `allowed` is the time it may take, where time counts.
    ///
    /// # Errors
    /// When no answer comes in time, or something that is none.
    pub fn think(
        &mut self,
        go: &str,
        allowed: Option<Duration>,
    ) -> Result<EngineAnswer, PlayerError> {
        let wait = match allowed {
            Some(allowed) => Wait {
                time: allowed.saturating_add(self.setup.margin()),
                late: Termination::Time,
                what: format!("made no move within {:.3}s", allowed.as_secs_f64()),
            },
            None => Wait {
                time: self.terms.patience.search,
                late: Termination::Stall,
                what: format!("made no move within {}s", self.terms.patience.search.as_secs_f64()),
            },
        };
        let protocol = self.setup.proto;
        let mut thought = SearchInfo::default();
        let mut owes_move = true;
        let heard = self.ask(go, &wait, |line| {
            take_info(&mut thought, line, protocol);
            let mut words = line.split_whitespace();
            let is_answer = words.next() == Some("bestmove");
            owes_move &= !is_answer;
            is_answer.then(|| words.next().map(str::to_owned))
        });
        self.owes_move = owes_move;
        let (mv, taken) = heard?;
        // In a game we do not know, a null move may be a pass.
        let is_known = !self.terms.game.is_empty();
        let is_none = |mv: &String| mv == "(none)" || is_known && is_no_move(mv);
        Ok(EngineAnswer { mv: mv.filter(|mv| !is_none(mv)), info: thought, taken })
    }

    /// Asks an engine that knows the rules.
    ///
    /// # Errors
    /// When it does not answer.
    pub fn query(&mut self, what: &str) -> Result<String, PlayerError> {
        let wait = Wait::answer("response", &self.terms);
        let (answer, _) = self.ask(&format!("query {what}"), &wait, |line| {
            line.strip_prefix("response ").map(|answer| answer.trim().to_owned())
        })?;
        Ok(answer)
    }

    /// After a move that came too late: stops the search that may still run, and hears its answer,
    /// lest it be taken for the next. Whether the engine can be used again.
    pub fn recover_after_timeout(&mut self) -> bool {
        const LONGEST: Duration = Duration::from_secs(2);
        let mut wait = Wait::answer("bestmove", &self.terms);
        wait.time = wait.time.min(LONGEST);
        if self.owes_move {
            self.process.send_line("stop");
            // It may have answered before it was told to stop.
            let heard = self.listen(&wait, |line, _| line.starts_with("bestmove").then_some(()));
            self.owes_move = heard.is_err();
        }
        !self.owes_move && self.synchronise().is_ok()
    }

    /// Tells it to quit; whether it did.
    pub fn quit(self) -> bool {
        self.process.quit(self.terms.patience.answer, &self.terms.stop)
    }

    /// The end of what it said on its standard error.
    #[must_use]
    pub fn stderr_tail(&self) -> Option<String> {
        self.process.stderr_tail()
    }

    /// Asks a question and listens until `answer` finds one; tells how long that took. What was
    /// said before the question was asked is no answer to it.
    fn ask<T>(
        &mut self,
        question: &str,
        wait: &Wait,
        mut answer: impl FnMut(&str) -> Option<T>,
    ) -> Result<(T, Duration), PlayerError> {
        let asked = Instant::now();
        self.process.send_line(question);
        let fresh = |line: &str, at| if at < asked { None } else { answer(line) };
        let (answer, at) = self.listen(wait, fresh)?;
        Ok((answer, at.saturating_duration_since(asked)))
    }

    /// Listens until `answer` finds one, and tells when it came.
    fn listen<T>(
        &mut self,
        wait: &Wait,
        mut answer: impl FnMut(&str, Instant) -> Option<T>,
    ) -> Result<(T, Instant), PlayerError> {
        let heard = self
            .process
            .wait_for(wait.time, &self.terms.stop, |line, at| answer(line.trim_end(), at));
        heard.map_err(|why| match why {
            WaitError::Late => wait.is_over(),
            WaitError::Ended => self.collapse(),
            WaitError::Garbage(what) => garbage(&what),
            WaitError::Interrupted => PlayerError::Interrupted,
        })
    }

    /// The fault of an engine whose output has ended.
    fn collapse(&mut self) -> PlayerError {
        PlayerError::Fault(EngineFault::fatal(Termination::Crash, self.process.exit_reason()))
    }
}

fn garbage(what: &str) -> PlayerError {
    PlayerError::Fault(EngineFault::fatal(Termination::Garbage, format!("said {what}")))
}

/// Whether an engine could not be started because the runner, or the machine, has no more
/// descriptors, processes or memory.
fn is_ours(error: &std::io::Error) -> bool {
    use std::io::ErrorKind;
    /// Too many open files: in this process, in the system.
    const DESCRIPTORS: [i32; 2] = [24, 23];
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::OutOfMemory)
        || cfg!(unix) && error.raw_os_error().is_some_and(|code| DESCRIPTORS.contains(&code))
}

/// How long something is waited for, and what it is called when it does not come.
#[derive(Debug)]
struct Wait {
    time: Duration,
    late: Termination,
    what: String,
}

impl Wait {
    fn answer(expected: &str, terms: &PlayerOptions) -> Self {
        let time = terms.patience.answer;
        let what = format!("gave no {expected} within {}s", time.as_secs_f64());
        Self { time, late: Termination::Stall, what }
    }

    fn is_over(&self) -> PlayerError {
        PlayerError::Fault(EngineFault {
            termination: self.late,
            reason: self.what.clone(),
            is_fatal: self.late != Termination::Time,
        })
    }
}

impl EngineFault {
    fn fatal(termination: Termination, reason: String) -> Self {
        Self { termination, reason, is_fatal: true }
    }
}

/// Whether the word says that there is no move.
pub(super) fn is_no_move(word: &str) -> bool {
    matches!(word, "(none)" | "NULL" | "0000")
}

fn is_variant_option(name: &str) -> bool {
    name.eq_ignore_ascii_case("UCI_Variant") || name.eq_ignore_ascii_case("Variant")
}

/// What an engine is told after the handshake: its options, and the game before them.
///
/// Engines that know several games say so by an option; the game is chosen there, unless the setup
/// chooses. `game` are the names of the game, none where only the engines know it.
///
/// # Errors
/// When the engine offers other games alone; says so.
pub(super) fn setup_commands(
    setup: &EngineSetup,
    game: &[&str],
    variants: Option<(String, Vec<String>)>,
) -> Result<Vec<String>, String> {
    let mut commands = Vec::new();
    let chosen = setup.options.iter().any(|(name, _)| is_variant_option(name));
    if let (Some((option, offered)), Some(own), false) = (variants, game.first(), chosen) {
        let knows = |name: &&&str| offered.iter().any(|offered| offered.eq_ignore_ascii_case(name));
        let name = game
            .iter()
            .find(knows)
            .ok_or_else(|| format!("does not offer {own}, only: {}", offered.join(" ")))?;
        commands.push(format!("setoption name {option} value {name}"));
    }
    commands.extend(setup.options.iter().map(|(name, value)| {
        let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
        format!("setoption name {name}{value}")
    }));
    Ok(commands)
}

/// Text of an engine as it may be shown: the beginning of it, without control characters.
fn shown(said: &str) -> String {
    const LONGEST: usize = 100;
    let plain = said.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter });
    let text: String = plain.take(LONGEST).collect();
    if said.chars().count() > LONGEST { text + "…" } else { text }
}

/// The name of the option that a line offers.
fn option_name(line: &str) -> Option<String> {
    let behind = line.strip_prefix("option name ")?;
    Some(behind.split_once(" type ").map_or(behind, |(name, _)| name).trim().to_owned())
}

/// The name and the values of the option that chooses a game, if this line offers it.
pub(super) fn variant_option(line: &str) -> Option<(String, Vec<String>)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["option", "name", name, "type", "combo", rest @ ..] = words.as_slice() else {
        return None;
    };
    let value = |pair: &[&str]| (pair[0] == "var").then(|| pair[1].to_owned());
    is_variant_option(name)
        .then(|| ((*name).to_owned(), rest.windows(2).filter_map(value).collect()))
}

/// Takes from an `info` line what is said about the best move.
fn take_info(thought: &mut SearchInfo, line: &str, protocol: Protocol) {
    let mut words = line.split_whitespace();
    if words.next() != Some("info") {
        return;
    }
    let mut told = SearchInfo::default();
    let mut is_best = true;
    while let Some(word) = words.next() {
        match word {
            "depth" => told.depth = words.next().and_then(|depth| depth.parse().ok()),
            "nodes" => told.nodes = words.next().and_then(|nodes| nodes.parse().ok()),
            "multipv" => is_best = words.next() == Some("1"),
            "score" => {
                told.score = read_score(words.next(), words.next(), protocol);
            }
            // The rest is text: moves, or whatever an engine likes to say.
            "pv" | "string" | "refutation" | "currline" => break,
            _ => {}
        }
    }
    if is_best {
        thought.score = told.score.or(thought.score);
        thought.depth = told.depth.or(thought.depth);
        thought.nodes = told.nodes.or(thought.nodes);
    }
}

/// Mates come in plies, whatever the protocol counts.
fn read_score(kind: Option<&str>, number: Option<&str>, protocol: Protocol) -> Option<EngineScore> {
    const GREATEST: i32 = 1_000_000;
    let number = number?.parse::<i32>().ok()?.clamp(-GREATEST, GREATEST);
    match (kind?, protocol) {
        ("cp", _) => Some(EngineScore::Cp(number)),
        ("mate", Protocol::Uci) if number > 0 => Some(EngineScore::Mate(2 * number - 1)),
        ("mate", Protocol::Uci) => Some(EngineScore::Mate(2 * number)),
        ("mate", Protocol::Ugi) => Some(EngineScore::Mate(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(lines: &[&str], protocol: Protocol) -> SearchInfo {
        let mut thought = SearchInfo::default();
        for line in lines {
            take_info(&mut thought, line, protocol);
        }
        thought
    }

    #[test]
    fn the_last_word_on_the_best_line_counts() {
        let lines = [
            "info depth 3 score cp 12 nodes 40 pv a1 depth 9",
            "info depth 4 multipv 2 score cp -90 nodes 60",
            "info string score cp 5",
            "info depth 5 seldepth 7 score mate 4 nodes x time 3",
        ];
        let expected = |plies| SearchInfo {
            score: Some(EngineScore::Mate(plies)),
            depth: Some(5),
            nodes: Some(40),
        };
        assert_eq!(heard(&lines, Protocol::Uci), expected(7));
        assert_eq!(heard(&lines, Protocol::Ugi), expected(4));
        assert_eq!(
            heard(&["info score mate -2"], Protocol::Uci).score,
            Some(EngineScore::Mate(-4))
        );
        assert_eq!(heard(&["info score", "info depth"], Protocol::Uci), SearchInfo::default());
    }

    #[test]
    fn the_option_that_chooses_a_game_is_found() {
        let line = "option name UCI_Variant type combo default chess var chess var tictactoe";
        let (name, games) = variant_option(line).unwrap();
        assert_eq!((name.as_str(), games.join(" ")), ("UCI_Variant", "chess tictactoe".to_owned()));
        assert!(variant_option("option name Hash type spin default 1 min 1 max 2").is_none());
    }
}
