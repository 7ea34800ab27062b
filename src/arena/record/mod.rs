//! What is kept of a game that was played, and the two forms it is written in.
//!
//! [`GameRecord`] is the one type; [`pgn`] writes it for people and reads it back, serde makes JSON
//! of it for scripts. Neither form holds anything that the other lacks. Imports `rules`.

pub mod pgn;

use std::fmt;
use std::io::{self, BufRead, Read};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;

use crate::rules::{ExactValue, Outcome, Side};

/// The version of everything that is written as JSON here.
pub const SCHEMA: u32 = 1;

/// The longest line and the longest game that are read, in bytes; whatever goes on for longer is no
/// record.
const LONGEST: usize = 1 << 26;

/// How moments are written.
const CLOCK_TIME: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]Z");

/// One finished game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its place in the schedule, from 1.
    pub number: u32,
    /// The round, from 1.
    pub round: u32,
    /// Games with the same number here are the two sides of one opening.
    pub pair: u32,
    /// The game that was played; `ugi` where only the engines know.
    pub game: String,
    /// The names of the first and the second player.
    pub players: [String; 2],
    /// The position it began with: a FEN, or `startpos` with moves behind it where only the engines
    /// know.
    pub fen: String,
    /// Whether the second player made the first move there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub second_begins: bool,
    /// The moves, from that position.
    pub moves: Vec<MoveRecord>,
    /// Who won; `None` when the game does not count.
    #[serde(with = "result_text")]
    pub result: Option<Outcome>,
    /// How it ended.
    pub termination: Termination,
    /// The same in a sentence.
    pub reason: String,
    /// What the players played under, as they would be told on the command line.
    pub limits: [String; 2],
    /// When it began, in seconds since 1970.
    pub started: u64,
    /// What players claimed and did not keep, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken_claims: Vec<String>,
    /// The last words of a player at fault on its standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// Tags that mean nothing here and are kept for those to whom they do, with their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<(String, String)>,
}

/// One move of a game.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What its player thought it was worth, from the player's side.
    #[serde(flatten)]
    pub info: SearchInfo,
    /// The seconds it took, measured from outside.
    pub time: Seconds,
    /// By how much that was more than the player was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<Seconds>,
    /// What it was worth, from the player's side; added by annotation.
    #[serde(default, rename = "worth", skip_serializing_if = "Option::is_none")]
    pub value: Option<MoveValue>,
    /// What the best move was worth; stands wherever `worth` stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<MoveValue>,
}

/// What an engine said about the move it chose, each as far as it was said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchInfo {
    /// The score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<EngineScore>,
    /// The depth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// A score as engines tell it, from the mover's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineScore {
    /// Hundredths of a unit.
    Cp(i32),
    /// The mover wins in so many plies; negative: loses in so many.
    Mate(i32),
}

/// What a move or a position is worth to the mover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum MoveValue {
    /// Proven.
    Proven(ExactValue),
    /// Judged by a search, in hundredths.
    Estimated(i32),
}

/// Seconds to a tenth of a millisecond: the precision of the record.
#[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64")]
pub struct Seconds(f64);

impl Seconds {
    /// The number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    fn rounded(seconds: f64) -> Self {
        Self((seconds * 10_000.0).round() / 10_000.0)
    }

    /// Seconds that somebody wrote; no move takes more than some decades, and both forms of the
    /// record can tell times up to there apart.
    fn written(seconds: f64) -> Option<Self> {
        const MAX: f64 = 1e9;
        (0.0..=MAX).contains(&seconds).then(|| Self::rounded(seconds))
    }
}

impl TryFrom<f64> for Seconds {
    type Error = String;

    fn try_from(seconds: f64) -> Result<Self, String> {
        Self::written(seconds).ok_or_else(|| format!("{seconds} is no time a move can take"))
    }
}

impl From<Duration> for Seconds {
    fn from(time: Duration) -> Self {
        Self::rounded(time.as_secs_f64())
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.4}s", self.0)
    }
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Termination {
    /// By the rules.
    Normal,
    /// A move that was illegal, or none.
    Illegal,
    /// The time was up.
    Time,
    /// The engine's process ended.
    Crash,
    /// No answer, where no clock ran.
    Stall,
    /// The engine did not start.
    Start,
    /// What came was no protocol.
    Garbage,
    /// The engine did not quit when told to.
    Quit,
    /// Both engines, or the one that was losing, had agreed on the result for long enough.
    Adjudication,
    /// The game was too long.
    MaxMoves,
    /// The engines, who alone know the rules, did not agree.
    Disagreement,
}

impl Termination {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Normal,
        Self::Illegal,
        Self::Time,
        Self::Crash,
        Self::Stall,
        Self::Start,
        Self::Garbage,
        Self::Quit,
        Self::Adjudication,
        Self::MaxMoves,
        Self::Disagreement,
    ];

    /// The word in records.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Illegal => "illegal",
            Self::Time => "time",
            Self::Crash => "crash",
            Self::Stall => "stall",
            Self::Start => "start",
            Self::Garbage => "garbage",
            Self::Quit => "quit",
            Self::Adjudication => "adjudication",
            Self::MaxMoves => "maxmoves",
            Self::Disagreement => "disagreement",
        }
    }

    /// Whether a player was at fault, and lost for it.
    #[must_use]
    pub fn is_fault(self) -> bool {
        !matches!(self, Self::Normal | Self::Adjudication | Self::MaxMoves | Self::Disagreement)
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl GameRecord {
    /// The side a player had, if it took part.
    #[must_use]
    pub fn side_of(&self, name: &str) -> Option<Side> {
        let [first, second] = &self.players;
        match name {
            _ if name == first => Some(Side::P1),
            _ if name == second => Some(Side::P2),
            _ => None,
        }
    }

    /// The player at fault, if the game ended by one.
    #[must_use]
    pub fn culprit(&self) -> Option<&str> {
        match self.result {
            Some(Outcome::Win(winner)) if self.termination.is_fault() => {
                Some(&self.players[winner.other().index()])
            }
            _ => None,
        }
    }
}

/// Reads a line and its end, as far as it is there; how many bytes that were.
///
/// # Errors
/// When the reader fails, or the line does not end.
pub(super) fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    let read = input.take(LONGEST as u64).read_until(b'\n', line)?;
    if read < LONGEST {
        Ok(read)
    } else {
        Err(io::Error::other("a line without end, expected the record of a match"))
    }
}

/// The result as chess players write it: the first player's points first.
#[must_use]
pub fn result_text(result: Option<Outcome>) -> &'static str {
    match result {
        Some(Outcome::Win(Side::P1)) => "1-0",
        Some(Outcome::Win(Side::P2)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        None => "*",
    }
}

/// Reads what [`result_text()`] writes.
#[must_use]
pub fn read_result(text: &str) -> Option<Option<Outcome>> {
    let all =
        [Some(Outcome::Win(Side::P1)), Some(Outcome::Win(Side::P2)), Some(Outcome::Draw), None];
    all.into_iter().find(|result| result_text(*result) == text)
}

/// For serde.
mod result_text {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::rules::Outcome;

    pub(super) fn serialize<S: Serializer>(
        result: &Option<Outcome>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(super::result_text(*result))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Outcome>, D::Error> {
        let text = String::deserialize(deserializer)?;
        super::read_result(&text).ok_or_else(|| {
            D::Error::custom(format!("{text:?} is no result, expected 1-0 0-1 1/2-1/2 *"))
        })
    }
}

/// `+0.35`, `-1.20`, `+M5`, `-M4`.
impl fmt::Display for EngineScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Cp(points) => f.write_str(&signed_hundredths(points)),
            Self::Mate(plies) if plies < 0 => write!(f, "-M{}", plies.unsigned_abs()),
            Self::Mate(plies) => write!(f, "+M{plies}"),
        }
    }
}

fn signed_hundredths(points: i32) -> String {
    let sign = if points < 0 { '-' } else { '+' };
    let size = points.unsigned_abs();
    format!("{sign}{}.{:02}", size / 100, size % 100)
}

/// `win 3`, `draw`, `loss 4` where it is proven, `+0.35` where it is judged.
impl fmt::Display for MoveValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Proven(exact) => exact.fmt(f),
            Self::Estimated(points) => f.write_str(&signed_hundredths(points)),
        }
    }
}

impl From<MoveValue> for String {
    fn from(worth: MoveValue) -> Self {
        worth.to_string()
    }
}

impl TryFrom<String> for MoveValue {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        pgn::read_worth(&text).ok_or_else(|| {
            format!("{text:?} is no worth, expected win N, draw, loss N or a signed number")
        })
    }
}

/// A moment as `2000-01-31T12:00:00Z`.
fn clock_time(seconds: u64) -> String {
    i64::try_from(seconds)
        .ok()
        .and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok())
        .and_then(|moment| moment.format(CLOCK_TIME).ok())
        .unwrap_or_default()
}

/// Reads what [`clock_time`] writes.
fn read_clock_time(text: &str) -> Option<u64> {
    let moment = time::PrimitiveDateTime::parse(text, CLOCK_TIME).ok()?;
    u64::try_from(moment.assume_utc().unix_timestamp()).ok()
}
