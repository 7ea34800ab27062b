//! Time controls and the limits of a player.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::key_values::{Rejection, parse_number};
use crate::protocol::codingame::TURN_LIMITS_MS;

/// Time for a number of moves (or for the whole game), plus an increment per move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    pub(crate) moves: Option<u32>,
    pub(crate) time: Duration,
    pub(crate) increment: Duration,
}

/// The limits of a player; all that are set apply at once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct PlayLimits {
    pub time_control: Option<TimeControl>,
    pub move_time: Option<Duration>,
    /// Time for the first move of a game, instead of `move_time`.
    pub first_move_time: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
}

impl PlayLimits {
    pub(crate) fn is_set(&self) -> bool {
        *self != Self::default()
    }

    /// Completes the limits of a bot with those of CodinGame's contest.
    pub(super) fn completed_for_contest(self) -> Self {
        let [first, later] = TURN_LIMITS_MS.map(Duration::from_millis);
        let move_time = if self.is_set() { self.move_time } else { Some(later) };
        let is_short = move_time.is_some_and(|time| time < first);
        let first_move_time = self.first_move_time.or(is_short.then_some(first));
        Self { move_time, first_move_time, ..self }
    }

    /// Returns the limits by name, as on the command line; `None` for those that are not set.
    pub(super) fn named(&self) -> [(&'static str, Option<String>); 5] {
        let seconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64().to_string());
        [
            ("tc", self.time_control.map(|control| control.to_string())),
            ("st", seconds(self.move_time)),
            ("firsttime", seconds(self.first_move_time)),
            ("nodes", self.nodes.map(|nodes| nodes.to_string())),
            ("depth", self.depth.map(|depth| depth.to_string())),
        ]
    }

    /// Sets the limit named by `key`; returns `None` if there is no such limit.
    pub(crate) fn set(&mut self, key: &str, value: &str) -> Option<Result<(), Rejection>> {
        Some(match key {
            "tc" => {
                value.parse().map_err(Rejection::Expected).map(|tc| self.time_control = Some(tc))
            }
            "st" => parse_move_time(value, "per move, from 0.001 to 31622400, such as 0.1")
                .map(|time| self.move_time = Some(time)),
            // Version 0.2 called it `first`.
            "firsttime" | "first" => {
                parse_move_time(value, "for the first move, from 0.001 to 31622400, such as 1")
                    .map(|time| self.first_move_time = Some(time))
            }
            "nodes" => parse_number(value, "a whole number from 1", |nodes| *nodes > 0)
                .map(|nodes| self.nodes = Some(nodes)),
            "depth" => parse_number(value, "a whole number from 1", |depth| *depth > 0)
                .map(|depth| self.depth = Some(depth)),
            _ => return None,
        })
    }
}

fn parse_move_time(value: &str, expected: &str) -> Result<Duration, Rejection> {
    parse_seconds(value)
        .filter(|time| *time >= MIN_TIME)
        .ok_or_else(|| Rejection::Expected(format!("seconds {expected}")))
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
                    let names = limits.named().map(|(name, _)| format!("{name}=")).join(" ");
                    return Err(format!("\"{limit}\" is not a limit, expected one of: {names}"));
                }
            }
        }
        Ok(limits)
    }
}

/// `tc=10+0.1 nodes=500`.
impl fmt::Display for PlayLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = self.named().into_iter();
        let words = limits.filter_map(|(name, value)| Some(format!("{name}={}", value?)));
        f.write_str(&words.collect::<Vec<_>>().join(" "))
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
pub(crate) const MIN_TIME: Duration = Duration::from_millis(1);

const MAX_TIME: Duration = Duration::from_secs(366 * 24 * 3600);

/// Parses a non-negative number of seconds, a year at most.
pub(crate) fn parse_seconds(text: &str) -> Option<Duration> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = text.parse().ok().filter(|_| plain)?;
    (seconds <= MAX_TIME.as_secs_f64()).then(|| Duration::from_secs_f64(seconds))
}

/// Parses a positive number of seconds, a year at most.
/// Fails on anything else; the message says what is accepted.
pub(crate) fn parse_positive_seconds(text: &str) -> Result<Duration, String> {
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

#[derive(Debug, Clone, Default)]
pub(crate) struct SearchLimits {
    /// The time left and the increment of the first and the second player.
    pub clocks: [Option<(Duration, Duration)>; 2],
    /// The number of moves until the clock of the player to move is reset.
    pub moves_to_go: Option<u32>,
    pub move_time: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    /// The time after which an answer is too late; the margin of the engine is added.
    pub allowed: Option<Duration>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_round_trip() {
        for text in ["40/60+0.5", "10", "0.25+0.01", "1/5"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert_eq!("2:30+1".parse::<TimeControl>().unwrap().to_string(), "150+1");
        assert!("".parse::<TimeControl>().is_err());
        for text in "0 x 0/5 5+ 5+x -1 1e3 inf 0.0001 1:60 40/ : 1: 99999999999".split(' ') {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }
}
