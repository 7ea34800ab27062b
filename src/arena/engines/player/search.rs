//! Searches of a running engine: `go`, pondering, `ponderhit` and `stop`.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::{EngineFault, Player, PlayerError, ResponseLimit, bot, is_no_move};
use crate::arena::engines::engine_info;
use crate::arena::engines::process::{OutputWait, WaitError};
use crate::records::{SearchInfo, Termination};

/// The answer of an engine to `go`.
#[derive(Debug)]
pub struct EngineAnswer {
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

impl Player {
    /// Requests a move with a `go` command. `allowed` is the time it may take, if there is a time
    /// limit. [`Player::poll_search`] returns the answer.
    pub fn start_search(&mut self, go: &str, allowed: Option<Duration>) {
        self.begin(SearchPhase::Go, go, self.move_limit(allowed));
    }

    /// Starts pondering with a `go ponder` command.
    pub fn start_pondering(&mut self, go: &str) {
        let limit = ResponseLimit { time: NO_LIMIT, ..self.move_limit(None) };
        self.begin(SearchPhase::Ponder, go, limit);
    }

    /// Requests a move from a pondering engine whose expected reply was played.
    pub fn ponder_hit(&mut self, allowed: Option<Duration>) {
        let info = self.search.take().map(|search| search.info);
        self.begin(SearchPhase::PonderHit, "ponderhit", self.move_limit(allowed));
        if let (Some(search), Some(info)) = (&mut self.search, info) {
            search.info = info;
        }
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
            None => ResponseLimit {
                time: self.options.timeouts.search,
                termination: Termination::Stall,
                reason: format!(
                    "made no move within {}s",
                    self.options.timeouts.search.as_secs_f64()
                ),
            },
        }
    }

    /// Returns whether a search was started and has not been answered.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Returns whether the engine is pondering.
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.phase == SearchPhase::Ponder)
    }

    /// Returns how long the runner was paused during the search, or during the last one.
    #[must_use]
    pub fn search_pause(&self) -> Duration {
        self.pause
    }

    /// Reads output of the search for at most `interval`; returns the answer once there is one.
    ///
    /// # Errors
    /// Fails if there is no valid answer in time, or the engine answers while pondering.
    pub fn poll_search(&mut self, interval: Duration) -> Result<Option<EngineAnswer>, PlayerError> {
        if self.options.stop.load(Ordering::Relaxed) {
            return Err(PlayerError::Interrupted);
        }
        let Some(mut search) = self.search.take() else { return Ok(None) };
        let ActiveSearch { phase, started, wait, info, .. } = &mut search;
        let (dialect, mut answered) = (self.setup.proto.dialect(), None);
        let polled = self.process.poll(wait, interval, |line, at| {
            let line = line.trim_end();
            let Some(dialect) = dialect else {
                let answer = bot::read_answer(line, at < *started)?;
                answered = Some(at);
                return Some(answer.map(|mv| (Some(mv), None)));
            };
            // Output before `go` belongs to earlier commands.
            if at < *started && *phase != SearchPhase::PonderHit {
                return None;
            }
            engine_info::update(info, line, dialect);
            let mut words = line.split_whitespace();
            if words.next() != Some("bestmove") {
                return None;
            }
            answered = Some(at);
            let mv = words.next().map(str::to_owned);
            let has_reply = words.next() == Some("ponder");
            Some(Ok((mv, words.next().filter(|_| has_reply).map(str::to_owned))))
        });
        self.pause = wait.paused();
        let answer = match polled {
            Ok(None) => Ok(None),
            Ok(Some((Err(reason), _))) => {
                Err(PlayerError::Fault(EngineFault::fatal(Termination::Garbage, reason)))
            }
            Ok(Some((Ok((mv, expected_reply)), at))) => {
                // A line that arrived before `ponderhit` cannot be the answer to it.
                let is_premature = *phase == SearchPhase::Ponder || at < *started;
                let taken = at.saturating_duration_since(*started).saturating_sub(wait.paused());
                // With engine-defined rules, a null move may be a pass.
                let has_rules = !self.options.game.is_empty();
                let mv = mv.filter(|mv| mv != "(none)" && !(has_rules && is_no_move(mv)));
                let answer = EngineAnswer { mv, expected_reply, info: *info, taken };
                if is_premature { Err(premature_answer()) } else { Ok(Some(answer)) }
            }
            Err(WaitError::Timeout) if dialect.is_none() => {
                Err(self.overtime_fault(*started, answered, search.limit.exceeded()))
            }
            Err(error) => {
                let exceeded = PlayerError::Fault(search.limit.exceeded());
                Err(self.player_error(error, exceeded))
            }
        };
        if answered.is_none() {
            self.search = Some(search);
        }
        answer
    }

    /// Stops a search whose answer is not needed, and discards that answer. Does nothing if no
    /// search is running.
    ///
    /// # Errors
    /// Fails if the engine does not answer `stop`, or has answered while pondering.
    pub fn stop_search(&mut self) -> Result<(), PlayerError> {
        self.stop_within(self.options.timeouts.response)
    }

    fn stop_within(&mut self, time: Duration) -> Result<(), PlayerError> {
        let Some(search) = &self.search else { return Ok(()) };
        let is_pondering = search.phase == SearchPhase::Ponder;
        let limit = ResponseLimit { time, ..ResponseLimit::new("bestmove", &self.options) };
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
    pub fn recover(&mut self) -> bool {
        const MAX_WAIT: Duration = Duration::from_secs(2);
        let time = self.options.timeouts.response.min(MAX_WAIT);
        self.stop_within(time).is_ok() && self.synchronize().is_ok()
    }
}

fn premature_answer() -> PlayerError {
    let reason = "sent bestmove while pondering, before ponderhit or stop".to_owned();
    PlayerError::Fault(EngineFault { termination: Termination::Garbage, reason, is_fatal: false })
}
