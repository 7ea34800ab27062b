//! Searches of a running engine: `go` and `stop`, or the turn of a bot.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::{Adapter, Engine, ResponseLimit};
use crate::arena::engines::codingame;
use crate::arena::engines::fault::{EngineFailure, EngineFault};
use crate::arena::engines::process::{OutputWait, WaitError};
use crate::arena::engines::received_info::ReceivedInfo;
use crate::arena::engines::time_control::SearchLimits;
use crate::arena::engines::uci::{self, BestMoveLine, GamePosition};
use crate::records::{SearchInfo, Termination};

pub(crate) struct EngineAnswer {
    /// The move after `bestmove`, if there is one.
    pub mv: Option<String>,
    /// The last search information about it.
    pub info: SearchInfo,
    /// The time from `go` to the answer, without pauses of the runner.
    pub taken: Duration,
}

/// A search that has not been answered yet.
pub(super) struct ActiveSearch {
    started: Instant,
    limit: ResponseLimit,
    wait: OutputWait,
    info: SearchInfo,
}

impl Engine {
    /// Requests a move. [`Engine::poll_search`] returns the answer.
    /// Fails if the engine does not get ready for the search, or if it is a bot and the game cannot be played
    /// in its protocol.
    pub(crate) fn start_search(
        &mut self,
        position: GamePosition<'_>,
        limits: &SearchLimits,
    ) -> Result<(), EngineFailure> {
        let command = match &mut self.adapter {
            Adapter::Codingame(bot) => bot.turn(position),
            Adapter::Uci(dialect) => {
                let go = uci::go_command(*dialect, limits);
                // Output up to `readyok` belongs to earlier commands, and preparation costs no clock time.
                self.set_position(position);
                self.synchronize()?;
                Ok(go)
            }
        };
        self.begin(command, limits)
    }

    /// Requests a move from a bot and lists `only` as the legal one, to lead it along a line of play.
    /// Fails if the game cannot be played in its protocol.
    pub(crate) fn lead(
        &mut self,
        position: GamePosition<'_>,
        limits: &SearchLimits,
        only: &str,
    ) -> Result<(), EngineFailure> {
        let command = match &mut self.adapter {
            Adapter::Codingame(bot) => bot.led_turn(position, only),
            Adapter::Uci(_) => Err("is given positions, not led to them".to_owned()),
        };
        self.begin(command, limits)
    }

    fn begin(
        &mut self,
        command: Result<String, String>,
        limits: &SearchLimits,
    ) -> Result<(), EngineFailure> {
        let command = command.map_err(|reason| {
            EngineFailure::Fault(EngineFault::fatal(Termination::StartFailure, reason))
        })?;
        let limit = self.move_limit(limits.allowed);
        self.pause = Duration::ZERO;
        let started = Instant::now();
        self.process.send_line(&command);
        let wait = OutputWait::new(limit.time);
        let info = SearchInfo::default();
        self.search = Some(ActiveSearch { started, limit, wait, info });
        Ok(())
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

    /// Reads output of the search for at most `interval`; returns the answer once there is one.
    /// Fails if there is no valid answer in time.
    pub(crate) fn poll_search(
        &mut self,
        interval: Duration,
    ) -> Result<Option<EngineAnswer>, EngineFailure> {
        if self.conditions.stop.load(Ordering::Relaxed) {
            return Err(EngineFailure::Interrupted);
        }
        let Some(mut search) = self.search.take() else { return Ok(None) };
        let ActiveSearch { started, limit, wait, info } = &mut search;
        let (adapter, mut answered) = (&self.adapter, None);
        let polled = self.process.poll(wait, interval, |line, at| {
            let line = line.trim_end();
            let is_early = at < *started;
            let answer = match adapter {
                Adapter::Codingame(bot) => bot.read_line(line, is_early).map(|mv| mv.map(Some)),
                // Output before `go` belongs to earlier commands.
                Adapter::Uci(_) if is_early => None,
                Adapter::Uci(dialect) => {
                    if let Some(line) = ReceivedInfo::parse(line) {
                        line.update(info, *dialect);
                    }
                    BestMoveLine::parse(line).map(|best| Ok(best.word.map(str::to_owned)))
                }
            };
            answered = answer.as_ref().map(|_| at);
            answer
        });
        self.pause = wait.paused;
        let answer = match polled {
            Ok(None) => Ok(None),
            Ok(Some((Err(fault), _))) => Err(EngineFailure::Fault(fault)),
            Ok(Some((Ok(word), at))) => {
                let taken = at.saturating_duration_since(*started).saturating_sub(wait.paused);
                // With engine-defined rules, a null move may be a pass.
                let may_pass = self.conditions.game.is_none();
                let mv = word.filter(|mv| !uci::is_no_move(mv) || may_pass && mv != "(none)");
                Ok(Some(EngineAnswer { mv, info: *info, taken }))
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

    /// Stops a search that may still run after a time fault or a void game, and discards its answer, so that
    /// it is not mistaken for the next one. Returns whether the engine can be used again.
    pub(crate) fn recover(&mut self) -> bool {
        const MAX_WAIT: Duration = Duration::from_secs(2);
        if self.is_searching() {
            let time = self.conditions.timeouts.reply.min(MAX_WAIT);
            let limit = ResponseLimit { time, ..self.response_limit("bestmove") };
            self.process.send_line("stop");
            let is_answer = |line: &str, _| line.starts_with("bestmove").then_some(());
            if self.wait_for(&limit, is_answer).is_err() {
                return false;
            }
            self.search = None;
        }
        self.synchronize().is_ok()
    }
}
