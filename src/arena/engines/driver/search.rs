//! Searches of a running engine: `go`, pondering, `ponderhit` and `stop`, or the turn of a bot.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::{Adapter, Engine, ResponseLimit};
use crate::arena::engines::codingame;
use crate::arena::engines::fault::{EngineFailure, EngineFault};
use crate::arena::engines::info_line::InfoLine;
use crate::arena::engines::limits::SearchLimits;
use crate::arena::engines::process::{OutputWait, WaitError};
use crate::arena::engines::uci::{self, BestMoveLine, GamePosition};
use crate::records::{SearchInfo, Termination};

/// The answer of an engine to a search.
#[derive(Debug)]
pub(crate) struct EngineAnswer {
    /// The move after `bestmove`, if there is one.
    pub mv: Option<String>,
    /// The reply that the engine expects, after `ponder`.
    pub expected_reply: Option<String>,
    /// The last search information about it.
    pub info: SearchInfo,
    /// The time from `go` or `ponderhit` to the answer, without pauses of the runner.
    pub taken: Duration,
}

/// A search that has not been answered yet.
#[derive(Debug)]
pub(super) struct ActiveSearch {
    phase: SearchPhase,
    /// When `go` or `ponderhit` was sent.
    started: Instant,
    limit: ResponseLimit,
    wait: OutputWait,
    info: SearchInfo,
}

/// The command that the current search answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SearchPhase {
    /// `go`: the engine searches for its move.
    Go,
    /// `go ponder`: it searches the position after the expected reply, until `ponderhit` or `stop`.
    Ponder,
    /// `ponderhit`: the expected reply was played, and it searches for its move.
    PonderHit,
}

/// Nothing limits the time of pondering but the opponent's move.
const NO_LIMIT: Duration = Duration::from_secs(366 * 24 * 3600);

impl Engine {
    /// Requests a move; ends a search that is still running first. [`Engine::poll_search`] returns
    /// the answer.
    /// Fails if the engine does not get ready for the search.
    pub(crate) fn start_search(
        &mut self,
        position: GamePosition<'_>,
        limits: &SearchLimits,
    ) -> Result<(), EngineFailure> {
        self.start_turn(position, limits, None)
    }

    /// Requests a move from a CodinGame bot and lists `only` as the legal one, to lead it along a line
    /// of play.
    /// Fails if the game cannot be played in its protocol.
    pub(crate) fn start_led_turn(
        &mut self,
        position: GamePosition<'_>,
        limits: &SearchLimits,
        only: &str,
    ) -> Result<(), EngineFailure> {
        self.start_turn(position, limits, Some(only))
    }

    fn start_turn(
        &mut self,
        position: GamePosition<'_>,
        limits: &SearchLimits,
        only: Option<&str>,
    ) -> Result<(), EngineFailure> {
        let limit = self.move_limit(limits.allowed);
        let command = match &mut self.adapter {
            Adapter::Codingame(bot) => bot.turn(position, only).map_err(|reason| {
                EngineFailure::Fault(EngineFault::fatal(Termination::Start, reason))
            })?,
            Adapter::Uci(dialect) => {
                let go = uci::go_command(*dialect, limits);
                self.stop_search()?;
                self.prepare_search(position)?;
                go
            }
        };
        self.begin(SearchPhase::Go, &command, limit);
        Ok(())
    }

    /// Starts pondering on a position, with the limits of the search after `ponderhit`.
    /// Fails if the engine does not get ready for the search.
    pub(crate) fn start_pondering(
        &mut self,
        position: GamePosition<'_>,
        limits: &SearchLimits,
    ) -> Result<(), EngineFailure> {
        let Adapter::Uci(dialect) = self.adapter else { return Ok(()) };
        let go = uci::go_command(dialect, limits).replacen("go", "go ponder", 1);
        self.prepare_search(position)?;
        let limit = ResponseLimit { time: NO_LIMIT, ..self.move_limit(None) };
        self.begin(SearchPhase::Ponder, &go, limit);
        Ok(())
    }

    /// Requests a move from a pondering engine whose expected reply was played.
    pub(crate) fn ponder_hit(&mut self, limits: &SearchLimits) {
        let info = self.search.take().map(|search| search.info);
        self.begin(SearchPhase::PonderHit, "ponderhit", self.move_limit(limits.allowed));
        if let (Some(search), Some(info)) = (&mut self.search, info) {
            search.info = info;
        }
    }

    /// Sets the position and waits until the engine is ready: output up to `readyok` belongs to
    /// earlier commands, and preparation costs no clock time.
    fn prepare_search(&mut self, position: GamePosition<'_>) -> Result<(), EngineFailure> {
        self.set_position(position);
        self.synchronize()
    }

    fn begin(&mut self, phase: SearchPhase, command: &str, limit: ResponseLimit) {
        self.pause = Duration::ZERO;
        let started = Instant::now();
        self.process.send_line(command);
        let wait = OutputWait::new(limit.time);
        let info = SearchInfo::default();
        self.search = Some(ActiveSearch { phase, started, limit, wait, info });
    }

    fn move_limit(&self, allowed: Option<Duration>) -> ResponseLimit {
        match allowed {
            Some(allowed) => ResponseLimit {
                time: allowed.saturating_add(self.setup.margin()),
                termination: Termination::Time,
                reason: format!("made no move within {:.3}s", allowed.as_secs_f64()),
            },
            None => {
                let time = self.conditions.timeouts.search;
                let reason = format!("made no move within {}s", time.as_secs_f64());
                ResponseLimit { time, termination: Termination::Stall, reason }
            }
        }
    }

    /// Returns whether a search was started and has not been answered.
    pub(crate) fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Returns whether the engine is pondering.
    pub(crate) fn is_pondering(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.phase == SearchPhase::Ponder)
    }

    /// Reads output of the search for at most `interval`; returns the answer once there is one.
    /// Fails if there is no valid answer in time, or the engine answers while pondering.
    pub(crate) fn poll_search(
        &mut self,
        interval: Duration,
    ) -> Result<Option<EngineAnswer>, EngineFailure> {
        if self.conditions.stop.load(Ordering::Relaxed) {
            return Err(EngineFailure::Interrupted);
        }
        let Some(mut search) = self.search.take() else { return Ok(None) };
        let ActiveSearch { phase, started, limit, wait, info } = &mut search;
        let (adapter, mut answered) = (&self.adapter, None);
        let polled = self.process.poll(wait, interval, |line, at| {
            let line = line.trim_end();
            let is_early = at < *started;
            let answer = match adapter {
                Adapter::Codingame(bot) => {
                    bot.read_line(line, is_early).map(|mv| mv.map(|mv| (Some(mv), None)))
                }
                // Output before `go` belongs to earlier commands.
                Adapter::Uci(_) if is_early && *phase != SearchPhase::PonderHit => None,
                Adapter::Uci(dialect) => {
                    if let Some(line) = InfoLine::parse(line) {
                        line.update(info, *dialect);
                    }
                    BestMoveLine::parse(line).map(|best| {
                        Ok((best.word.map(str::to_owned), best.ponder.map(str::to_owned)))
                    })
                }
            };
            answered = answer.as_ref().map(|_| at);
            answer
        });
        self.pause = wait.paused;
        let answer = match polled {
            Ok(None) => Ok(None),
            Ok(Some((Err(fault), _))) => Err(EngineFailure::Fault(fault)),
            Ok(Some((Ok((word, expected_reply)), at))) => {
                // A line that arrived before `ponderhit` cannot be the answer to it.
                let is_premature = *phase == SearchPhase::Ponder || at < *started;
                let taken = at.saturating_duration_since(*started).saturating_sub(wait.paused);
                // With engine-defined rules, a null move may be a pass.
                let may_pass = self.conditions.game.is_none();
                let mv = word.filter(|mv| !uci::is_no_move(mv) || may_pass && mv != "(none)");
                let answer = EngineAnswer { mv, expected_reply, info: *info, taken };
                if is_premature { Err(premature_answer()) } else { Ok(Some(answer)) }
            }
            Err(WaitError::Timeout) if self.plays_single_game() => {
                let late = match answered {
                    Some(at) => Ok(at),
                    None => {
                        let is_answer = |line: &str, _| (!line.trim().is_empty()).then_some(());
                        self.process.wait_for(codingame::LATE_WAIT, is_answer).map(|((), at)| at)
                    }
                };
                Err(codingame::overtime(limit.exceeded(), *started, &late))
            }
            Err(error) => Err(self.failure(error, limit)),
        };
        if answered.is_none() {
            self.search = Some(search);
        }
        answer
    }

    /// Stops a search whose answer is not needed, and discards that answer. Does nothing if no
    /// search is running.
    /// Fails if the engine does not answer `stop`, or has answered while pondering.
    pub(crate) fn stop_search(&mut self) -> Result<(), EngineFailure> {
        self.stop_within(self.conditions.timeouts.response)
    }

    fn stop_within(&mut self, time: Duration) -> Result<(), EngineFailure> {
        if !self.is_searching() {
            return Ok(());
        }
        let is_pondering = self.is_pondering();
        let limit = ResponseLimit { time, ..self.response_limit("bestmove") };
        let stopped = Instant::now();
        self.process.send_line("stop");
        // Outside pondering, the answer may precede `stop`.
        let ((), at) =
            self.wait_for(&limit, |line, _| line.starts_with("bestmove").then_some(()))?;
        self.search = None;
        if is_pondering && at < stopped { Err(premature_answer()) } else { Ok(()) }
    }

    /// Stops a search that may still run after a time fault or a void game, so that its answer is
    /// not mistaken for the next one. Returns whether the engine can be used again.
    pub(crate) fn recover(&mut self) -> bool {
        const MAX_WAIT: Duration = Duration::from_secs(2);
        let time = self.conditions.timeouts.response.min(MAX_WAIT);
        self.stop_within(time).is_ok() && self.synchronize().is_ok()
    }
}

fn premature_answer() -> EngineFailure {
    let reason = "sent bestmove while pondering, before ponderhit or stop".to_owned();
    EngineFailure::Fault(EngineFault { termination: Termination::Garbage, reason, is_fatal: false })
}
