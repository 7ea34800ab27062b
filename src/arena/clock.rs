//! Clocks: what a player may take, and what it took. Imports nothing of the arena but words.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::key_values::{self, Rejection};

/// So much time for so many moves (or for all), and some more with each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    moves: Option<u32>,
    time: Duration,
    increment: Duration,
}

/// What a player plays under; all that is set holds together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct PlayLimits {
    /// A clock.
    pub control: Option<TimeControl>,
    /// Time for each move.
    pub move_time: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth for each move.
    pub depth: Option<u32>,
}

impl PlayLimits {
    /// Whether anything is set.
    #[must_use]
    pub fn is_set(&self) -> bool {
        *self != Self::default()
    }

    /// The keys that [`PlayLimits::set`] takes.
    pub const KEYS: [&'static str; 4] = ["tc", "st", "nodes", "depth"];

    /// Sets the limit of a key; `None` when it is the key of none.
    pub fn set(&mut self, key: &str, value: &str) -> Option<Result<(), Rejection>> {
        Some(match key {
            "tc" => value.parse().map_err(Rejection::Expected).map(|tc| self.control = Some(tc)),
            "st" => parse_seconds(value)
                .filter(|time| *time >= SHORTEST)
                .ok_or_else(|| Rejection::expected("seconds for each move, as 0.1; 0.001 at least"))
                .map(|time| self.move_time = Some(time)),
            "nodes" => key_values::parse_number(value, "a whole number from 1", |nodes| *nodes > 0)
                .map(|nodes| self.nodes = Some(nodes)),
            "depth" => key_values::parse_number(value, "a whole number from 1", |depth| *depth > 0)
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
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            match limits.set(key, value) {
                Some(Ok(())) => {}
                _ => return Err(format!("\"{word}\" is no limit of play")),
            }
        }
        Ok(limits)
    }
}

/// `tc=10+0.1 nodes=500`.
impl fmt::Display for PlayLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            self.control.map(|control| format!("tc={control}")),
            self.move_time.map(|time| format!("st={}", time.as_secs_f64())),
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
        let wrong = || "[MOVES/]TIME[+INCREMENT] in seconds, as 40/60+0.5 or 10+0.1".to_owned();
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
        let fits = |time: &Duration| (SHORTEST..=YEAR).contains(time);
        let time = time.filter(fits).ok_or_else(wrong)?;
        Ok(Self { moves, time, increment: parse_seconds(increment).ok_or_else(wrong)? })
    }
}

/// Engines are told whole milliseconds, and may take none for no limit.
const SHORTEST: Duration = Duration::from_millis(1);

/// No clock runs longer.
const YEAR: Duration = Duration::from_secs(366 * 24 * 3600);

/// A number of seconds, a year at most.
#[must_use]
pub fn parse_seconds(text: &str) -> Option<Duration> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = text.parse().ok().filter(|_| plain)?;
    (seconds <= YEAR.as_secs_f64()).then(|| Duration::from_secs_f64(seconds))
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

/// A player's clock in a game.
#[derive(Debug, Clone)]
pub(super) struct GameClock {
    limits: PlayLimits,
    left: Duration,
    moves_to_go: Option<u32>,
}

impl GameClock {
    pub(super) fn new(limits: PlayLimits) -> Self {
        let left = limits.control.map_or(Duration::ZERO, |control| control.time);
        Self { limits, left, moves_to_go: limits.control.and_then(|control| control.moves) }
    }

    /// What the next move may take; `None` where time does not count.
    pub(super) fn allowance(&self) -> Option<Duration> {
        let left = self.limits.control.map(|_| self.left);
        [left, self.limits.move_time].into_iter().flatten().min()
    }

    /// Takes off what a move took, and tells by how much that was too much.
    pub(super) fn spend(&mut self, taken: Duration) -> Option<Duration> {
        let over = self.allowance().and_then(|allowed| taken.checked_sub(allowed));
        if let Some(control) = self.limits.control {
            // What the margin forgave is not given back: the clock stands at nothing.
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

    /// The arguments of `go` for the player who has this clock; the names of both players' times
    /// are those of the protocol. `clocks` are the first and the second player's.
    pub(super) fn go_command(clocks: [&Self; 2], mover: usize, names: &TimeNames) -> String {
        let mut words = vec!["go".to_owned()];
        let millis = |time: Duration| time.as_millis();
        let own = clocks[mover];
        let limits = &own.limits;
        for (clock, (time, increment)) in clocks.iter().zip(names) {
            // Who plays without a clock might take the other's for his own.
            if let (Some(control), Some(_)) = (clock.limits.control, limits.control) {
                words.push(format!("{time} {}", millis(clock.left.max(SHORTEST))));
                words.push(format!("{increment} {}", millis(control.increment)));
            }
        }
        words.extend(own.moves_to_go.map(|moves| format!("movestogo {moves}")));
        words.extend(limits.move_time.map(|time| format!("movetime {}", millis(time))));
        words.extend(limits.nodes.map(|nodes| format!("nodes {nodes}")));
        words.extend(limits.depth.map(|depth| format!("depth {depth}")));
        words.join(" ")
    }
}

/// What a protocol calls the two players' times and increments.
pub(super) type TimeNames = [(&'static str, &'static str); 2];

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: TimeNames = [("wtime", "winc"), ("btime", "binc")];

    fn control(text: &str) -> PlayLimits {
        PlayLimits { control: Some(text.parse().unwrap()), ..PlayLimits::default() }
    }

    #[test]
    fn controls_are_read_and_written() {
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
    fn the_clock_runs_and_is_wound_up_again() {
        let mut clock = GameClock::new(control("2/10+1"));
        assert_eq!(clock.spend(Duration::from_secs(4)), None);
        assert_eq!(clock.allowance(), Some(Duration::from_secs(7)));
        assert_eq!(clock.moves_to_go, Some(1));
        assert_eq!(clock.spend(Duration::from_secs(8)), Some(Duration::from_secs(1)));
        assert_eq!(clock.allowance(), Some(Duration::from_secs(11)));
        assert_eq!(clock.moves_to_go, Some(2));
    }

    #[test]
    fn both_clocks_and_the_movers_limits_are_told() {
        let first = GameClock::new(PlayLimits { nodes: Some(7), ..control("40/60+0.5") });
        let second = GameClock::new(control("5"));
        let neither = GameClock::new(PlayLimits { depth: Some(3), ..PlayLimits::default() });
        assert_eq!(
            GameClock::go_command([&first, &second], 0, &NAMES),
            "go wtime 60000 winc 500 btime 5000 binc 0 movestogo 40 nodes 7"
        );
        assert_eq!(
            GameClock::go_command([&first, &second], 1, &NAMES),
            "go wtime 60000 winc 500 btime 5000 binc 0"
        );
        assert_eq!(GameClock::go_command([&first, &neither], 1, &NAMES), "go depth 3");
        assert_eq!(neither.allowance(), None);
    }
}
