//! Records of played games, as PGN-like text (see [`pgn`]) and as JSON with the same content.

mod damaged;
mod glyph;
mod numbers;
pub mod pgn;
mod reader;
pub mod replay;

pub use damaged::{ReadGame, number_games, read_damaged, read_damaged_file};
pub use glyph::{Glyph, ValueKeepingMoves};
pub use numbers::{GameNumbers, UnknownGame};
pub use reader::{GameReader, RecordFormat, describe_json_error};

use std::fmt;
use std::io::{self, BufRead, Read};
use std::time::Duration;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use time::OffsetDateTime;
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;

use crate::printing::{signed, without_negative_zero};
use crate::rules::{Outcome, Side};
use crate::search::Score;

/// The schema version of all JSON that the arena writes.
pub const SCHEMA: u32 = 1;

/// The name of a game whose rules only its engines know.
pub const ENGINE_DEFINED: &str = "ugi";

/// The maximum length of a line and of a game, in bytes.
const MAX_LENGTH: usize = 1 << 26;

const TIMESTAMP_FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]Z");

/// A game, finished or not.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the schedule, from 1.
    pub number: u32,
    /// The round, from 1.
    pub round: u32,
    /// The pair it belongs to: two games from one opening with sides swapped.
    pub pair: u32,
    /// The game, or `ugi` for engine-defined rules.
    pub game: String,
    /// The names of the first and the second player.
    pub players: [String; 2],
    /// The start position: a FEN, or with engine-defined rules a line of an opening book.
    pub fen: String,
    /// Whether the second player moved first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub second_begins: bool,
    /// The moves from that position.
    pub moves: Vec<MoveRecord>,
    /// The result; `None` if the game does not count.
    #[serde(serialize_with = "serialize_result", deserialize_with = "deserialize_result")]
    pub result: Option<Outcome>,
    pub termination: Termination,
    /// How it ended, as a sentence.
    pub reason: String,
    /// The limits of the players, as on the command line.
    pub limits: [String; 2],
    /// The random seeds of the players, if known.
    #[serde(default, skip_serializing_if = "has_no_seeds")]
    pub seeds: [Option<i64>; 2],
    /// When it started, in seconds since 1970.
    pub started: u64,
    /// Claims of a proven win that did not hold, one sentence per claim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken_claims: Vec<String>,
    /// The end of the standard error of a player at fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// Unknown tags, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<(String, String)>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    #[serde(rename = "move")]
    pub mv: String,
    /// The engine's search information, from the mover's side.
    #[serde(flatten)]
    pub info: SearchInfo,
    /// The time it took, measured outside the engine.
    pub time: Seconds,
    /// Whether the runner chose it for the engine.
    #[serde(default, rename = "book", skip_serializing_if = "std::ops::Not::not")]
    pub is_book: bool,
    /// By how much it exceeded the time limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<Seconds>,
    /// Its value for the mover; added by annotation.
    /// A proven value is read as exact, because records do not tell distances from lengths of lines.
    #[serde(default, rename = "worth", with = "worth", skip_serializing_if = "Option::is_none")]
    pub value: Option<Score>,
    /// The value of the best move; set whenever `value` is.
    #[serde(default, with = "worth", skip_serializing_if = "Option::is_none")]
    pub best: Option<Score>,
    /// The best move and the line expected after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub best_line: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<ValueKeepingMoves>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Glyph>,
}

/// Search information that an engine sent about its move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchInfo {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<EngineScore>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// A score sent by an engine, from the mover's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineScore {
    /// Hundredths of a unit.
    Cp(i32),
    /// Plies to the end: positive if the mover wins, negative if it loses.
    Mate(i32),
}

/// Seconds with the precision of the record, a tenth of a millisecond.
#[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64")]
pub struct Seconds(f64);

impl Seconds {
    pub fn as_f64(self) -> f64 {
        self.0
    }

    fn rounded(seconds: f64) -> Self {
        Self(without_negative_zero((seconds * 10_000.0).round() / 10_000.0))
    }

    /// Validates recorded seconds. Up to this limit, both formats keep the full precision.
    fn from_recorded(seconds: f64) -> Option<Self> {
        const MAX: f64 = 1e9;
        (0.0..=MAX).contains(&seconds).then(|| Self::rounded(seconds))
    }
}

impl TryFrom<f64> for Seconds {
    type Error = String;

    fn try_from(seconds: f64) -> Result<Self, String> {
        Self::from_recorded(seconds)
            .ok_or_else(|| format!("{seconds} is not a valid time for a move in seconds"))
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

#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Termination {
    #[default]
    Normal,
    /// An illegal move, or no move.
    Illegal,
    Time,
    Crash,
    /// No answer where no clock runs, or none from a CodinGame bot within a second after its time limit.
    Stall,
    #[serde(rename = "start-failure", alias = "start")]
    StartFailure,
    /// Output that is not a protocol line.
    #[serde(rename = "protocol-error", alias = "garbage")]
    ProtocolError,
    Quit,
    /// The scores decided the game.
    Adjudication,
    MaxMoves,
    /// The engines disagreed in a game with engine-defined rules.
    Disagreement,
    /// The game was left before its end.
    Unterminated,
}

impl Termination {
    pub const ALL: [Self; 12] = [
        Self::Normal,
        Self::Illegal,
        Self::Time,
        Self::Crash,
        Self::Stall,
        Self::StartFailure,
        Self::ProtocolError,
        Self::Quit,
        Self::Adjudication,
        Self::MaxMoves,
        Self::Disagreement,
        Self::Unterminated,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Illegal => "illegal",
            Self::Time => "time",
            Self::Crash => "crash",
            Self::Stall => "stall",
            Self::StartFailure => "start-failure",
            Self::ProtocolError => "protocol-error",
            Self::Quit => "quit",
            Self::Adjudication => "adjudication",
            Self::MaxMoves => "maxmoves",
            Self::Disagreement => "disagreement",
            Self::Unterminated => "unterminated",
        }
    }

    /// Returns whether a player lost by a fault rather than by the rules.
    pub fn is_fault(self) -> bool {
        use Termination::{Adjudication, Disagreement, MaxMoves, Normal, Unterminated};
        !matches!(self, Normal | Adjudication | MaxMoves | Disagreement | Unterminated)
    }

    /// Returns what to do about a fault that need not be the engine's.
    pub fn remedy(self) -> Option<&'static str> {
        (self == Self::Time).then_some(
            "Lost on time: on a busy machine use --concurrency 1, or a larger timemargin=MS in --each",
        )
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

fn has_no_seeds(seeds: &[Option<i64>; 2]) -> bool {
    *seeds == [None; 2]
}

impl GameRecord {
    /// Returns the side of a player, if it took part.
    pub fn side_of(&self, name: &str) -> Option<Side> {
        let [first, second] = &self.players;
        match name {
            _ if name == first => Some(Side::P1),
            _ if name == second => Some(Side::P2),
            _ => None,
        }
    }

    /// Returns the name of the player that lost by a fault, if any.
    pub fn player_at_fault(&self) -> Option<&str> {
        match self.result {
            Some(Outcome::Win(winner)) if self.termination.is_fault() => {
                Some(&self.players[winner.other().index()])
            }
            _ => None,
        }
    }
}

/// Reads a line with its line break, if there is one; returns the number of bytes. Fails if the
/// reader fails or the line is too long.
pub(crate) fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    let read = input.take(MAX_LENGTH as u64).read_until(b'\n', line)?;
    if read < MAX_LENGTH {
        Ok(read)
    } else {
        Err(io::Error::other("line too long, expected the record of a match"))
    }
}

/// Returns a result in chess notation, the first player's points first.
pub fn result_text(result: Option<Outcome>) -> &'static str {
    match result {
        Some(Outcome::Win(Side::P1)) => "1-0",
        Some(Outcome::Win(Side::P2)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        None => "*",
    }
}

/// Parses the output of [`result_text`].
pub fn parse_result(text: &str) -> Option<Option<Outcome>> {
    let all =
        [Some(Outcome::Win(Side::P1)), Some(Outcome::Win(Side::P2)), Some(Outcome::Draw), None];
    all.into_iter().find(|result| result_text(*result) == text)
}

fn serialize_result<S: Serializer>(result: &Option<Outcome>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(result_text(*result))
}

fn deserialize_result<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Outcome>, D::Error> {
    let text = String::deserialize(from)?;
    parse_result(&text).ok_or_else(|| {
        D::Error::custom(format!("{text:?} is not a result, expected 1-0, 0-1, 1/2-1/2 or *"))
    })
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

/// Formats hundredths as `+0.35`.
fn signed_hundredths(points: i32) -> String {
    signed(f64::from(points) / 100.0, 2)
}

/// The value of a move in a record: `win 3`, `draw` or `loss 4` if proven, `+0.35` if estimated.
pub fn worth_text(score: Score) -> String {
    match score {
        Score::Exact(value) | Score::ByLine(value) => value.to_string(),
        Score::Estimate(points) => signed_hundredths(points),
    }
}

/// The value of a move as JSON has it: its text.
mod worth {
    use super::{Deserialize, Deserializer, Error, Score, Serialize, Serializer, pgn, worth_text};

    pub(super) fn serialize<S: Serializer>(
        score: &Option<Score>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        score.map(worth_text).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Score>, D::Error> {
        let Some(text) = Option::<String>::deserialize(from)? else { return Ok(None) };
        let expected = "expected win N, draw, loss N or a signed number";
        let refuse = || D::Error::custom(format!("{text:?} is not a value, {expected}"));
        pgn::parse_value(&text).ok_or_else(refuse).map(Some)
    }
}

/// Formats a time as `2000-01-31T12:00:00Z`.
fn format_timestamp(seconds: u64) -> String {
    i64::try_from(seconds)
        .ok()
        .and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok())
        .and_then(|time| time.format(TIMESTAMP_FORMAT).ok())
        .unwrap_or_default()
}

/// Parses the output of [`format_timestamp`].
fn parse_timestamp(text: &str) -> Option<u64> {
    let timestamp = time::PrimitiveDateTime::parse(text, TIMESTAMP_FORMAT).ok()?;
    u64::try_from(timestamp.assume_utc().unix_timestamp()).ok()
}
