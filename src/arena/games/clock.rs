//! Time controls, per-move limits and the clock of each player.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::arena::engines::key_values::{Rejection, parse_number};

/// Time for a number of moves (or for the whole game), plus an increment per move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    moves: Option<u32>,
    time: Duration,
    increment: Duration,
}

/// The limits of a player; all that are set apply at once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct PlayLimits {
    /// The time control.
    pub time_control: Option<TimeControl>,
    /// Time for each move.
    pub move_time: Option<Duration>,
    /// Time for the first move of a game, instead of `move_time`.
    pub first_move_time: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth for each move.
    pub depth: Option<u32>,
}

impl PlayLimits {
    /// Returns whether any limit is set.
    #[must_use]
    pub fn is_set(&self) -> bool {
        *self != Self::default()
    }

    /// The keys that [`PlayLimits::set`] accepts.
    pub const KEYS: [&'static str; 5] = ["tc", "st", "first", "nodes", "depth"];

    /// Sets the limit named by `key`; returns `None` if there is no such limit.
    pub fn set(&mut self, key: &str, value: &str) -> Option<Result<(), Rejection>> {
        Some(match key {
            "tc" => {
                value.parse().map_err(Rejection::Expected).map(|tc| self.time_control = Some(tc))
            }
            "st" => parse_seconds(value)
                .filter(|time| *time >= MIN_TIME)
                .ok_or_else(|| {
                    Rejection::expected("seconds per move, from 0.001 to 31622400, such as 0.1")
                })
                .map(|time| self.move_time = Some(time)),
            "first" => parse_seconds(value)
                .filter(|time| *time >= MIN_TIME)
                .ok_or_else(|| {
                    Rejection::expected(
                        "seconds for the first move, from 0.001 to 31622400, such as 1",
                    )
                })
                .map(|time| self.first_move_time = Some(time)),
            "nodes" => parse_number(value, "a whole number from 1", |nodes| *nodes > 0)
                .map(|nodes| self.nodes = Some(nodes)),
            "depth" => parse_number(value, "a whole number from 1", |depth| *depth > 0)
                .map(|depth| self.depth = Some(depth)),
            _ => return None,
        })
    }
}

impl From<PlayLimits> for String {
    fn from(limits: PlayLimits) -> Self {
        limits.to_string()
    }
}

impl TryFrom<String> for PlayLimits {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mut limits = Self::default();
        for limit in text.split(' ').filter(|limit| !limit.is_empty()) {
            let (key, value) = limit.split_once('=').unwrap_or((limit, ""));
            match limits.set(key, value) {
                Some(Ok(())) => {}
                Some(Err(Rejection::Expected(expected))) => {
                    return Err(format!("\"{value}\" for {key}, expected {expected}"));
                }
                _ => {
                    return Err(format!(
                        "\"{limit}\" is not a limit, expected tc=, st=, first=, nodes= or depth="
                    ));
                }
            }
        }
        Ok(limits)
    }
}

/// `tc=10+0.1 nodes=500`.
impl fmt::Display for PlayLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            self.time_control.map(|control| format!("tc={control}")),
            self.move_time.map(|time| format!("st={}", time.as_secs_f64())),
            self.first_move_time.map(|time| format!("first={}", time.as_secs_f64())),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
        ];
        f.write_str(&words.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

/// `[MOVES/]TIME[+INCREMENT]`, in seconds; the time may be `MINUTES:SECONDS`.
impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            "[MOVES/]TIME[+INCREMENT] in seconds, or MINUTES:SECONDS, such as 40/60+0.5, 2:30 or 10+0.1".to_owned()
        };
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                (Some(moves.parse().ok().filter(|moves| *moves > 0).ok_or_else(wrong)?), rest)
            }
            None => (None, text),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let time = match time.split_once(':') {
            Some((minutes, seconds)) => {
                let minutes: u32 = minutes.parse().map_err(|_| wrong())?;
                parse_seconds(seconds)
                    .filter(|time| time.as_secs() < 60)
                    .and_then(|time| time.checked_add(Duration::from_secs(u64::from(minutes) * 60)))
            }
            None => parse_seconds(time),
        };
        let fits = |time: &Duration| (MIN_TIME..=MAX_TIME).contains(time);
        let time = time.filter(fits).ok_or_else(wrong)?;
        Ok(Self { moves, time, increment: parse_seconds(increment).ok_or_else(wrong)? })
    }
}

/// Engines receive whole milliseconds and may read 0 as no limit.
const MIN_TIME: Duration = Duration::from_millis(1);

/// The longest time that is accepted.
const MAX_TIME: Duration = Duration::from_secs(366 * 24 * 3600);

/// Parses a non-negative number of seconds, a year at most.
#[must_use]
pub fn parse_seconds(text: &str) -> Option<Duration> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = text.parse().ok().filter(|_| plain)?;
    (seconds <= MAX_TIME.as_secs_f64()).then(|| Duration::from_secs_f64(seconds))
}

/// Parses a positive number of seconds, a year at most.
///
/// # Errors
/// Fails on anything else; the message says what is accepted.
pub fn parse_positive_seconds(text: &str) -> Result<Duration, String> {
    parse_seconds(text)
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "expected seconds, such as 0.5, more than 0 and at most a year".to_owned())
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// A player's clock during a game.
#[derive(Debug, Clone)]
pub(crate) struct GameClock {
    limits: PlayLimits,
    left: Duration,
    moves_to_go: Option<u32>,
    /// Whether a move was made.
    has_moved: bool,
}

impl GameClock {
    pub(crate) fn new(limits: PlayLimits) -> Self {
        let left = limits.time_control.map_or(Duration::ZERO, |control| control.time);
        let moves_to_go = limits.time_control.and_then(|control| control.moves);
        Self { limits, left, moves_to_go, has_moved: false }
    }

    /// Returns the fixed time of the next move, if it has one.
    fn move_time(&self) -> Option<Duration> {
        let first = self.limits.first_move_time.filter(|_| !self.has_moved);
        first.or(self.limits.move_time)
    }

    /// Returns the time available for the next move; `None` if there is no time limit.
    pub(crate) fn allowance(&self) -> Option<Duration> {
        let left = self.limits.time_control.map(|_| self.left);
        [left, self.move_time()].into_iter().flatten().min()
    }

    /// Deducts the time of a move; returns the overrun, if any.
    pub(crate) fn spend(&mut self, taken: Duration) -> Option<Duration> {
        let over = self.allowance().and_then(|allowed| taken.checked_sub(allowed));
        self.has_moved = true;
        if let Some(control) = self.limits.time_control {
            // An overrun within the margin is not carried over: the clock stops at zero.
            self.left = self.left.saturating_sub(taken) + control.increment;
            self.moves_to_go = match self.moves_to_go {
                Some(1) => {
                    self.left += control.time;
                    control.moves
                }
                moves => moves.map(|moves| moves - 1),
            };
        }
        over.filter(|over| !over.is_zero())
    }

    /// Returns the `go ponder` command for `mover`, with the limits of its next move.
    pub(crate) fn ponder_command(clocks: [&Self; 2], mover: usize, names: &TimeNames) -> String {
        Self::go_command(clocks, mover, names).replacen("go", "go ponder", 1)
    }

    /// Returns the `go` command for `mover`; `clocks` are those of the first and the second player,
    /// and `names` what the protocol calls their times.
    pub(crate) fn go_command(clocks: [&Self; 2], mover: usize, names: &TimeNames) -> String {
        let mut words = vec!["go".to_owned()];
        let millis = |time: Duration| time.as_millis();
        let own = clocks[mover];
        let limits = &own.limits;
        for (clock, (time, increment)) in clocks.iter().zip(names) {
            // An engine without a clock might mistake the opponent's for its own.
            if let (Some(control), Some(_)) = (clock.limits.time_control, limits.time_control) {
                words.push(format!("{time} {}", millis(clock.left.max(MIN_TIME))));
                words.push(format!("{increment} {}", millis(control.increment)));
            }
        }
        words.extend(own.moves_to_go.map(|moves| format!("movestogo {moves}")));
        words.extend(own.move_time().map(|time| format!("movetime {}", millis(time))));
        words.extend(limits.nodes.map(|nodes| format!("nodes {nodes}")));
        words.extend(limits.depth.map(|depth| format!("depth {depth}")));
        words.join(" ")
    }
}

/// What a protocol calls the two players' times and increments, first player first.
pub(crate) type TimeNames = [(&'static str, &'static str); 2];

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: TimeNames = [("wtime", "winc"), ("btime", "binc")];

    fn timed(text: &str) -> PlayLimits {
        PlayLimits { time_control: Some(text.parse().unwrap()), ..PlayLimits::default() }
    }

    #[test]
    fn time_controls_round_trip() {
        for text in ["40/60+0.5", "10", "0.25+0.01", "1/5"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert_eq!("2:30+1".parse::<TimeControl>().unwrap().to_string(), "150+1");
        for text in [
            "",
            "0",
            "x",
            "0/5",
            "5+",
            "5+x",
            "-1",
            "1e3",
            "inf",
            "0.0001",
            "1:60",
            "40/",
            ":",
            "1:",
            "99999999999",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn clock_runs_down_and_is_reset_after_its_moves() {
        let mut clock = GameClock::new(timed("2/10+1"));
        assert_eq!(clock.spend(Duration::from_secs(4)), None);
        assert_eq!(clock.allowance(), Some(Duration::from_secs(7)));
        assert_eq!(clock.moves_to_go, Some(1));
        assert_eq!(clock.spend(Duration::from_secs(8)), Some(Duration::from_secs(1)));
        assert_eq!(clock.allowance(), Some(Duration::from_secs(11)));
        assert_eq!(clock.moves_to_go, Some(2));
    }

    #[test]
    fn first_move_has_its_own_time() {
        let mut limits = PlayLimits::default();
        for (key, value) in [("st", "0.1"), ("first", "1")] {
            limits.set(key, value).unwrap().unwrap();
        }
        assert_eq!(limits.to_string(), "st=0.1 first=1");
        assert_eq!(PlayLimits::try_from(limits.to_string()), Ok(limits));
        let mut clock = GameClock::new(limits);
        assert_eq!(GameClock::go_command([&clock, &clock], 0, &NAMES), "go movetime 1000");
        assert_eq!(clock.spend(Duration::from_millis(1200)), Some(Duration::from_millis(200)));
        assert_eq!(clock.allowance(), Some(Duration::from_millis(100)));
        assert_eq!(GameClock::go_command([&clock, &clock], 1, &NAMES), "go movetime 100");
    }

    #[test]
    fn go_command_has_both_clocks_and_the_limits_of_the_mover() {
        let first = GameClock::new(PlayLimits { nodes: Some(7), ..timed("40/60+0.5") });
        let second = GameClock::new(timed("5"));
        let untimed = GameClock::new(PlayLimits { depth: Some(3), ..PlayLimits::default() });
        assert_eq!(
            GameClock::go_command([&first, &second], 0, &NAMES),
            "go wtime 60000 winc 500 btime 5000 binc 0 movestogo 40 nodes 7"
        );
        assert_eq!(
            GameClock::go_command([&first, &second], 1, &NAMES),
            "go wtime 60000 winc 500 btime 5000 binc 0"
        );
        assert_eq!(GameClock::go_command([&first, &untimed], 1, &NAMES), "go depth 3");
        assert_eq!(GameClock::ponder_command([&first, &untimed], 1, &NAMES), "go ponder depth 3");
        assert_eq!(untimed.allowance(), None);
    }
}
