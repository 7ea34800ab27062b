//! The context of a check: the engine process, its transcript, and results shared between steps.
//!
//! Steps talk to the engine only through this type, so every line is recorded, every wait is
//! bounded, and the same failure is reported in the same words everywhere.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::ComplianceOptions;
use super::outcome::{StepError, StepOutcome};
use super::step_limits::{LimitRule, StepLimits};
use super::transcript::EngineTranscript;
use crate::arena::engines::driver::{Engine, EngineConditions};
use crate::arena::engines::engine_setup::Timeouts;
use crate::arena::engines::option_line::is_complaint;
use crate::arena::engines::process::{WaitError, is_unknown_line};
use crate::arena::engines::start_failure::{explain_silence, explain_start_error, last_error_line};
use crate::arena::engines::uci::{BestMoveLine, HandshakeReply, position_command};
use crate::arena::games::game_choice::GameChoice;
use crate::arena::games::referee::RefereeBoard;
use crate::printing::quote;
use crate::protocol::reply::Dialect;
use crate::rules::SplitMix;

/// What is expected of the output of an engine.
const EXPECTED_LINES: &str = "lines of UTF-8 of at most 65536 bytes, at most 1000 of them outside the protocol, and no flood";

/// The shortest useful search.
pub(super) const DEPTH_ONE: &str = "go depth 1";

/// The maximum number of plies in a random game or a game of self-play.
pub(super) const MAX_PLIES: usize = 1000;

#[derive(Clone, Copy)]
pub(super) struct ConformanceStep {
    /// The name, a key of the JSON report.
    pub(super) name: &'static str,
    pub(super) expected: &'static str,
    pub(super) limit: LimitRule,
    pub(super) check: fn(&mut CheckContext<'_>) -> StepOutcome,
    /// Whether matches need what the step checks; otherwise a violation is a warning.
    pub(super) is_needed: bool,
}

impl ConformanceStep {
    pub(super) const fn warning(self) -> Self {
        Self { is_needed: false, ..self }
    }
}

pub(super) const fn step(
    name: &'static str,
    expected: &'static str,
    limit: LimitRule,
    check: fn(&mut CheckContext<'_>) -> StepOutcome,
) -> ConformanceStep {
    ConformanceStep { name, expected, limit, check, is_needed: true }
}

#[derive(Debug, Clone)]
pub(super) struct AnsweredSearch {
    /// The lines before `bestmove`.
    pub(super) lines: Vec<String>,
    pub(super) best: String,
    pub(super) taken: Duration,
}

impl AnsweredSearch {
    pub(super) fn answer(&self) -> BestMoveLine<'_> {
        BestMoveLine::parse(&self.best).unwrap_or_default()
    }
}

pub(super) struct CheckContext<'a> {
    pub(super) options: &'a ComplianceOptions<'a>,
    /// The engine, unless the last step ended it; it is killed when dropped.
    pub(super) engine: Option<Engine>,
    pub(super) transcript: EngineTranscript,
    /// The reply to the first handshake.
    pub(super) handshake: HandshakeReply,
    /// The `go movetime` search, which several steps examine.
    pub(super) movetime_search: Option<AnsweredSearch>,
    pub(super) limits: StepLimits,
    /// The likely reason for a failed handshake.
    pub(super) likely_reason: Option<String>,
    /// The searches such as `go infinite` that ended on their own, and after what time.
    pub(super) ended_early: Vec<(&'static str, Duration)>,
    /// The number of steps that failed because of an illegal move.
    pub(super) illegal_moves: usize,
    /// The names of the steps that failed, if only with a warning.
    pub(super) failed: Vec<&'static str>,
    /// Why the engine is unusable for all remaining steps.
    unusable: Option<String>,
}

impl<'a> CheckContext<'a> {
    pub(super) fn new(options: &'a ComplianceOptions<'a>) -> Self {
        Self {
            options,
            engine: None,
            transcript: EngineTranscript::default(),
            handshake: HandshakeReply::default(),
            movetime_search: None,
            limits: StepLimits::default(),
            likely_reason: None,
            ended_early: Vec::new(),
            illegal_moves: 0,
            failed: Vec::new(),
            unusable: None,
        }
    }

    /// Skips the step if this search ends on its own within the step's time limit: the step would
    /// pass although no search is running.
    pub(super) fn require_running_search(&self, go: &str) -> StepOutcome {
        match self.ended_early.iter().find(|(ended, _)| *ended == go) {
            Some((_, after)) if *after <= self.limits.limit() + self.limits.tolerance() => {
                let ended = format!("{go} ended on its own after {after:.1?}");
                Err(StepError::skip(format!("no search is running: {ended}")))
            }
            _ => Ok(()),
        }
    }

    /// Starts the engine process; ends it first if it is running.
    pub(super) fn start(&mut self) -> StepOutcome {
        self.engine = None;
        let ComplianceOptions { engine, game, reply_timeout, stop, .. } = self.options;
        let conditions = EngineConditions {
            game: game.spec(),
            timeouts: Timeouts { reply: *reply_timeout, search: *reply_timeout },
            stop: Arc::clone(stop),
        };
        let started = Engine::launch(&Arc::new((*engine).clone()), &conditions);
        self.engine = Some(started.map_err(|error| {
            let reason = format!("cannot start {}: {error}", quote(&engine.cmd));
            self.unusable = Some(reason.clone());
            self.likely_reason = Some(explain_start_error(engine, &error));
            StepError::fail("a program that starts", reason)
        })?);
        Ok(())
    }

    /// Finds the likely reason for an incomplete handshake, given the lines that the engine printed.
    pub(super) fn explain_silence(&mut self, lines: &[String]) {
        let ComplianceOptions { dialect, reply_timeout, .. } = self.options;
        let Some(engine) = &mut self.engine else { return };
        let process = engine.process();
        let record = |direction, line: &str| self.transcript.record(direction, line);
        let reason = explain_silence(process, *dialect, lines, *reply_timeout, record);
        self.likely_reason = Some(reason.unwrap_or_else(|mut cause| {
            if let Some(tail) = process.stderr_tail() {
                cause.push_str(&format!("; {}", last_error_line(&tail)));
            }
            cause
        }));
    }

    pub(super) fn has_exited(&mut self) -> bool {
        self.engine.as_mut().is_some_and(|engine| engine.process().own_exit().is_some())
    }

    /// Restarts the engine after a failed step and waits only for `readyok`, since other steps
    /// check the rest. If that fails, all remaining steps are skipped instead of timing out one by
    /// one.
    pub(super) fn restart(&mut self) -> StepOutcome {
        if let Some(reason) = &self.unusable {
            return Err(StepError::skip(reason.clone()));
        }
        if let Err(failure) = self.start() {
            self.likely_reason = None;
            return Err(failure);
        }
        self.send(self.options.dialect.handshake_command());
        for command in self.setup_commands().unwrap_or_default() {
            self.send(&command);
        }
        match self.sync() {
            Ok(_) => {
                // The restart is not part of the step.
                self.transcript.take();
                Ok(())
            }
            Err(StepError::Fail { found, .. }) => {
                self.engine = None;
                let reason = format!("the engine does not restart: {found}");
                self.unusable = Some(reason.clone());
                Err(StepError::skip(reason))
            }
            Err(other) => Err(other),
        }
    }

    /// Returns the commands that follow the handshake: the game and the configured options.
    pub(super) fn setup_commands(&self) -> Result<Vec<String>, String> {
        let ComplianceOptions { engine, game, .. } = self.options;
        self.handshake.setup_commands(engine, game.spec())
    }

    /// Skips the step unless this dialect is in use.
    pub(super) fn require_dialect(&self, dialect: Dialect, reason: &str) -> StepOutcome {
        if self.options.dialect == dialect { Ok(()) } else { Err(StepError::skip(reason)) }
    }

    /// Skips the step if only the engine knows the rules.
    pub(super) fn require_known_rules(&self) -> StepOutcome {
        match self.options.game {
            GameChoice::Known(_) => Ok(()),
            GameChoice::EngineDefined => Err(StepError::skip("only the engine knows the rules")),
        }
    }

    pub(super) fn send(&mut self, line: &str) {
        self.transcript.record('>', line);
        if let Some(engine) = &mut self.engine {
            engine.process().send_line(line);
        }
    }

    /// Sends bytes that need not be valid text, followed by a line feed.
    pub(super) fn send_bytes(&mut self, bytes: &[u8]) {
        self.transcript.record('>', &String::from_utf8_lossy(bytes));
        if let Some(engine) = &mut self.engine {
            engine.process().send_bytes([bytes, b"\n"].concat());
        }
    }

    pub(super) fn send_position(&mut self, board: &RefereeBoard) {
        self.send(&position_command(board.position()));
    }

    /// Adds a remark: an observation that is not a failure.
    pub(super) fn remark(&mut self, remark: impl Into<String>) {
        self.transcript.remark(remark.into());
    }

    /// Waits until `find` returns a value for a line, and returns when the line arrived. Fails the step
    /// after `time`.
    pub(super) fn await_line<T>(
        &mut self,
        what: &str,
        time: Duration,
        find: impl FnMut(&str) -> Option<T>,
    ) -> StepOutcome<(T, Instant)> {
        let expected = format!("{what} within {}s", time.as_secs_f64());
        match self.poll(time, find)? {
            Some(found) => Ok(found),
            None => Err(StepError::fail(expected, format!("no {what}"))),
        }
    }

    /// Reads lines until `find` returns a value; `None` if that does not happen within `time`.
    pub(super) fn poll<T>(
        &mut self,
        time: Duration,
        mut find: impl FnMut(&str) -> Option<T>,
    ) -> StepOutcome<Option<(T, Instant)>> {
        let speaks_dialect = self.options.engine.proto.dialect().is_some();
        let Self { engine, transcript, .. } = self;
        let Some(engine) = engine else {
            return Err(StepError::fail("a running engine", "the engine has exited"));
        };
        let received = engine.process().wait_for(time, |line, _| {
            transcript.record('<', line);
            if speaks_dialect && is_unknown_line(line) {
                transcript.remark(format!("not a protocol line: {}", quote(line)));
            }
            find(line)
        });
        match received {
            Ok(found) => Ok(Some(found)),
            Err(WaitError::Timeout) => Ok(None),
            Err(WaitError::Interrupted) => Err(StepError::Interrupted),
            Err(WaitError::Malformed(what)) => {
                transcript.record('<', &what);
                Err(StepError::fail(EXPECTED_LINES, what))
            }
            Err(WaitError::Closed) => {
                let mut found = format!("the engine {}", engine.process().exit_reason());
                if let Some(tail) = engine.stderr_tail() {
                    found.push_str(&format!(", {}", last_error_line(&tail)));
                }
                Err(StepError::fail("the engine keeps running", found))
            }
        }
    }

    /// Sends `isready`, waits for `readyok` and returns the lines before it.
    pub(super) fn sync(&mut self) -> StepOutcome<Vec<String>> {
        self.send("isready");
        let mut lines = Vec::new();
        self.await_line("readyok", self.options.reply_timeout, |line| {
            lines.push(line.to_owned());
            (line.trim_end() == "readyok").then_some(())
        })?;
        lines.pop();
        Ok(lines)
    }

    /// Sends a line that must not be answered. `info` lines and lines outside the protocol do not
    /// count as answers, unless they report an error.
    pub(super) fn send_unanswered(&mut self, line: &str) -> StepOutcome {
        self.send(line);
        for reply in self.sync()? {
            let is_text = reply.starts_with("info") || is_unknown_line(&reply);
            if is_complaint(&reply) || (!is_text && !reply.trim().is_empty()) {
                return Err(StepError::fail(
                    format!("no answer to {}", quote(line)),
                    quote(&reply),
                ));
            }
            self.remark(format!("prints {} after {}", quote(&reply), quote(line)));
        }
        Ok(())
    }

    /// Sets a position, starts a search and waits for its answer.
    pub(super) fn search(&mut self, board: &RefereeBoard, go: &str) -> StepOutcome<AnsweredSearch> {
        self.send_position(board);
        self.send(go);
        self.await_best_move(self.options.reply_timeout)
    }

    /// Searches the start position; fails unless the move is legal and within the limit of the step.
    pub(super) fn search_start(&mut self, go: &str) -> StepOutcome {
        let search = self.search_legally(&self.start_board(), go)?;
        self.check_time(&search)
    }

    /// As [`Self::search`], and fails unless the move is legal.
    pub(super) fn search_legally(
        &mut self,
        board: &RefereeBoard,
        go: &str,
    ) -> StepOutcome<AnsweredSearch> {
        let search = self.search(board, go)?;
        check_move(board, &search)?;
        Ok(search)
    }

    pub(super) fn await_best_move(&mut self, time: Duration) -> StepOutcome<AnsweredSearch> {
        let began = Instant::now();
        let mut lines = Vec::new();
        let (best, at) = self.await_line("bestmove", time, |line| {
            let is_best = line.split_whitespace().next() == Some("bestmove");
            if !is_best {
                lines.push(line.to_owned());
            }
            is_best.then(|| line.to_owned())
        })?;
        Ok(AnsweredSearch { lines, best, taken: at.saturating_duration_since(began) })
    }

    /// Fails if a search exceeded the step's time limit by more than the tolerance; remarks on
    /// less.
    pub(super) fn check_time(&mut self, search: &AnsweredSearch) -> StepOutcome {
        let (taken, limit, margin) = (search.taken, self.limits.limit(), self.limits.tolerance());
        if taken > limit + margin {
            let expected = format!("an answer within {limit:?}, plus a margin of {margin:?}");
            return Err(StepError::fail(expected, format!("an answer after {taken:.1?}")));
        }
        if let Some(over) = taken.checked_sub(limit).filter(|over| !over.is_zero()) {
            self.remark(format!("exceeds the limit of {limit:?} by {over:.1?}"));
        }
        Ok(())
    }

    pub(super) fn close_input(&mut self) {
        self.transcript.record('>', "(end of input)");
        if let Some(engine) = &mut self.engine {
            engine.process().close_input();
        }
    }

    /// Fails unless the engine exits on its own.
    pub(super) fn await_exit(&mut self) -> StepOutcome {
        let reply_timeout = self.options.reply_timeout;
        let exited = self
            .engine
            .take()
            .is_none_or(|mut engine| engine.process().exits_within(reply_timeout));
        if !exited {
            let expected = format!("exit within {}s", reply_timeout.as_secs_f64());
            return Err(StepError::fail(expected, "still running"));
        }
        Ok(())
    }

    pub(super) fn start_board(&self) -> RefereeBoard {
        RefereeBoard::at_start(self.options.game)
    }

    pub(super) fn board_after(&self, moves: &[String]) -> StepOutcome<RefereeBoard> {
        let mut board = self.start_board();
        for mv in moves {
            board.play(mv).map_err(StepError::skip)?;
        }
        Ok(board)
    }

    pub(super) fn random_game(&self, seed: u64) -> Vec<String> {
        let mut random = SplitMix::new(seed);
        let mut board = self.start_board();
        loop {
            let mut legal = board.legal().unwrap_or_default();
            if legal.is_empty() || board.moves.len() >= MAX_PLIES {
                return board.moves;
            }
            let mv = legal.swap_remove(random.below(legal.len()));
            if board.play(&mv).is_err() {
                return board.moves;
            }
        }
    }
}

/// Fails unless the answer is a legal move; if only the engine knows the rules, unless it is a
/// move.
pub(super) fn check_move(board: &RefereeBoard, search: &AnsweredSearch) -> StepOutcome {
    let found = match search.answer().mv() {
        None => quote(&search.best),
        Some(mv) => match board.check(mv) {
            Ok(()) => return Ok(()),
            Err(error) => format!("{}: {error}", quote(&search.best)),
        },
    };
    let expected = match board.legal() {
        Some(legal) => format!("a legal move, one of: {}", legal.join(" ")),
        None => "a move".to_owned(),
    };
    Err(StepError::Fail { expected, found, is_illegal_move: true })
}
