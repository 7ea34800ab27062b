//! What a tournament is: who plays whom, what, and under which conditions.
//!
//! [`TournamentSetup`] says it all; it stands at the head of a record, so that a tournament can be
//! continued. The parts that are given as words are read here. Imports words, clocks and the
//! statistics of a test.

mod difference;
mod engine;

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::parse_seconds;
use super::key_values::{self, KeyValueError, KeyValues, Rejection};
use super::statistics::{EloModel, Sprt};
pub use difference::SetupDifference;
pub use engine::{EngineSetup, Protocol};

/// Who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TournamentFormat {
    /// Everyone meets everyone in each round.
    RoundRobin,
    /// The first engine meets all others in each round.
    Gauntlet,
    /// Who loses an encounter is out.
    Knockout,
    /// In each round those meet who have about as many points.
    Swiss,
}

impl TournamentFormat {
    /// Their names.
    pub const NAMES: [(&'static str, Self); 4] = [
        ("roundrobin", Self::RoundRobin),
        ("gauntlet", Self::Gauntlet),
        ("knockout", Self::Knockout),
        ("swiss", Self::Swiss),
    ];

    /// Whether who meets whom depends on results.
    #[must_use]
    pub fn needs_results(self) -> bool {
        matches!(self, Self::Knockout | Self::Swiss)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES.into_iter().find(|(_, format)| *format == self).map_or("", |(name, _)| name)
    }
}

/// In which order openings come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningOrder {
    /// As they stand in the file.
    Sequential,
    /// Shuffled by the seed.
    Random,
}

/// Where openings come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningSetup {
    /// Every game begins with the start.
    Start,
    /// A file, one opening a line.
    File {
        /// The file.
        path: String,
        /// In which order.
        order: OpeningOrder,
        /// Which opening comes first, from 1.
        start: usize,
        /// How many of an opening's moves are played at most.
        plies: Option<usize>,
    },
    /// As `zermelo openings` makes them.
    Random {
        /// Random plies from the start.
        plies: usize,
        /// Whether only balanced ones are taken.
        balanced: bool,
    },
}

impl OpeningSetup {
    const KEYS: &'static [&'static str] =
        &["file", "order", "start", "plies", "random", "balanced"];

    /// Reads what stands behind `--openings`.
    ///
    /// # Errors
    /// When a word makes no sense.
    pub fn from_key_values(group: &KeyValues) -> Result<Self, KeyValueError> {
        const PLIES: &str = "a number of plies, at most 1000";
        let (mut file, mut order, mut start, mut plies) = (None, OpeningOrder::Sequential, 1, None);
        let (mut random, mut balanced) = (None, false);
        let (mut of_file, mut of_random) = (false, false);
        group.read(|key, value| {
            of_file |= matches!(key, "order" | "start" | "plies");
            of_random |= key == "balanced";
            match key {
                "file" => file = Some(value.to_owned()),
                "order" => {
                    let orders = [
                        ("sequential", OpeningOrder::Sequential),
                        ("random", OpeningOrder::Random),
                    ];
                    order = key_values::parse_choice(value, &orders)?;
                }
                "start" => {
                    start = key_values::parse_number(value, "a whole number from 1", |start| {
                        *start > 0
                    })?;
                }
                "plies" => {
                    plies = Some(key_values::parse_number(value, PLIES, |plies| *plies <= 1000)?)
                }
                "random" => {
                    random = Some(key_values::parse_number(value, PLIES, |plies| *plies <= 1000)?)
                }
                "balanced" => balanced = key_values::parse_bool(value)?,
                _ => return Err(Rejection::UnknownKey(Self::KEYS)),
            }
            Ok(())
        })?;
        let lacks = |reason| Err(group.lacks("--openings", reason));
        match (file, random) {
            (Some(_), None) if of_random => lacks("balanced= goes with random=, not with file="),
            (Some(path), None) => Ok(Self::File { path, order, start, plies }),
            (None, Some(_)) if of_file => {
                lacks("order=, start= and plies= go with file=, not with random=")
            }
            (None, Some(plies)) => Ok(Self::Random { plies, balanced }),
            _ => lacks("expected either file=FILE or random=PLIES"),
        }
    }
}

/// As it is given on the command line.
impl fmt::Display for OpeningSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("the start"),
            Self::File { path, order, start, plies } => {
                write!(f, "file={path}")?;
                if *order == OpeningOrder::Random {
                    f.write_str(" order=random")?;
                }
                if *start > 1 {
                    write!(f, " start={start}")?;
                }
                plies.map_or(Ok(()), |plies| write!(f, " plies={plies}"))
            }
            Self::Random { plies, balanced } => {
                write!(f, "random={plies}{}", if *balanced { " balanced=true" } else { "" })
            }
        }
    }
}

/// When the one that sees itself losing has lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// So many moves in a row.
    pub movecount: u32,
    /// At least so bad, in hundredths.
    pub score: i32,
    /// Whether the other must see it too.
    pub twosided: bool,
}

impl ResignRule {
    /// Reads what stands behind `--resign`.
    ///
    /// # Errors
    /// When a word makes no sense.
    pub fn from_key_values(group: &KeyValues) -> Result<Self, KeyValueError> {
        let mut rule = Self { movecount: 3, score: 1000, twosided: false };
        group.read(|key, value| {
            match key {
                "movecount" => {
                    rule.movecount = key_values::parse_number(value, MOVES, |count| *count > 0)?
                }
                "score" => {
                    rule.score = key_values::parse_number(value, HUNDREDTHS, |score| *score >= 0)?
                }
                "twosided" => rule.twosided = key_values::parse_bool(value)?,
                _ => return Err(Rejection::UnknownKey(&["movecount", "score", "twosided"])),
            }
            Ok(())
        })?;
        Ok(rule)
    }
}

const MOVES: &str = "a number of moves from 1";
const HUNDREDTHS: &str = "hundredths from 0";

/// When a game that both see as drawn is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// Not before this move.
    pub movenumber: u32,
    /// So many moves of each in a row.
    pub movecount: u32,
    /// At most so far from nothing, in hundredths.
    pub score: i32,
}

impl DrawRule {
    /// Reads what stands behind `--draw`.
    ///
    /// # Errors
    /// When a word makes no sense.
    pub fn from_key_values(group: &KeyValues) -> Result<Self, KeyValueError> {
        let mut rule = Self { movenumber: 1, movecount: 8, score: 10 };
        group.read(|key, value| {
            match key {
                "movenumber" => rule.movenumber = key_values::parse_number(value, MOVES, |_| true)?,
                "movecount" => {
                    rule.movecount = key_values::parse_number(value, MOVES, |count| *count > 0)?
                }
                "score" => {
                    rule.score = key_values::parse_number(value, HUNDREDTHS, |score| *score >= 0)?
                }
                _ => return Err(Rejection::UnknownKey(&["movenumber", "movecount", "score"])),
            }
            Ok(())
        })?;
        Ok(rule)
    }
}

/// Reads what stands behind `--sprt`.
///
/// # Errors
/// When a word makes no sense.
pub fn sprt_from_key_values(group: &KeyValues) -> Result<Sprt, KeyValueError> {
    const SHARE: &str = "a share above 0 and below 0.5";
    let (mut elo, mut wrong, mut model) = ([None; 2], [0.05; 2], EloModel::Normalized);
    group.read(|key, value| {
        let finite = |elo: &f64| elo.is_finite();
        let is_share = |share: &f64| (1e-9..0.5).contains(share);
        match key {
            "elo0" => elo[0] = Some(key_values::parse_number(value, "an Elo difference", finite)?),
            "elo1" => elo[1] = Some(key_values::parse_number(value, "an Elo difference", finite)?),
            "alpha" => {
                wrong[0] = key_values::parse_number(value, SHARE, is_share)?;
            }
            "beta" => wrong[1] = key_values::parse_number(value, SHARE, is_share)?,
            "model" => model = key_values::parse_choice(value, &EloModel::NAMES)?,
            _ => return Err(Rejection::UnknownKey(&["elo0", "elo1", "alpha", "beta", "model"])),
        }
        Ok(())
    })?;
    let [Some(elo0), Some(elo1)] = elo else {
        return Err(group.lacks("--sprt", "expected both elo0= and elo1="));
    };
    Sprt::new(model, elo0, elo1, wrong[0], wrong[1])
        .map_err(|error| group.lacks("--sprt", &error.to_string()))
}

/// When games end before their rules end them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// Resigning.
    pub resign: Option<ResignRule>,
    /// Agreeing on a draw.
    pub draw: Option<DrawRule>,
    /// A game that has so many moves of each is drawn.
    pub maxmoves: Option<u32>,
}

/// How long engines are waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "[f64; 2]", from = "[f64; 2]")]
pub struct Timeouts {
    /// For an answer that takes no thought: the handshake, `isready`, `quit`.
    pub answer: Duration,
    /// For a move where no clock runs.
    pub search: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { answer: Duration::from_secs(10), search: Duration::from_secs(600) }
    }
}

impl From<Timeouts> for [f64; 2] {
    fn from(patience: Timeouts) -> Self {
        [patience.answer, patience.search].map(|time| time.as_secs_f64())
    }
}

impl From<[f64; 2]> for Timeouts {
    fn from(seconds: [f64; 2]) -> Self {
        let time = |seconds: f64| parse_seconds(&seconds.to_string()).unwrap_or_default();
        Self { answer: time(seconds[0]), search: time(seconds[1]) }
    }
}

/// A tournament.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TournamentSetup {
    /// The game; `ugi` where only the engines know it.
    pub game: String,
    /// Who meets whom.
    pub tournament: TournamentFormat,
    /// The engines.
    pub engines: Vec<EngineSetup>,
    /// Rounds.
    pub rounds: u32,
    /// Games in an encounter.
    pub games: u32,
    /// Whether two games in a row have the same opening, with sides changed.
    pub repeat: bool,
    /// Openings.
    pub openings: OpeningSetup,
    /// Where random choices begin.
    pub seed: u64,
    /// When games end before their rules end them.
    pub adjudication: Adjudication,
    /// When to stop early.
    pub sprt: Option<Sprt>,
    /// Whether engines that failed are started again.
    pub recover: bool,
    /// How many games are played at a time.
    pub concurrency: usize,
    /// How long engines are waited for.
    pub patience: Timeouts,
}

/// No tournament has more of anything.
pub const MAX_COUNT: u32 = 1_000_000;

/// No more games are played at a time.
pub const MAX_CONCURRENCY: usize = 1024;

impl TournamentSetup {
    /// Whether all of it makes sense together, wherever it comes from.
    ///
    /// # Errors
    /// Says what does not.
    pub fn check(&self) -> Result<(), String> {
        let within = |what: &str, value: usize, most: usize| match (1..=most).contains(&value) {
            true => Ok(()),
            false => Err(format!("{what} = {value}, expected 1 to {most}")),
        };
        within("rounds", self.rounds as usize, MAX_COUNT as usize)?;
        within("games", self.games as usize, MAX_COUNT as usize)?;
        within("concurrency", self.concurrency, MAX_CONCURRENCY)?;
        if let Some(moves) = self.adjudication.maxmoves {
            within("maxmoves", moves as usize, MAX_COUNT as usize)?;
        }
        if let OpeningSetup::File { start, .. } = self.openings {
            within("start", start, usize::MAX)?;
        }
        let count = self.engines.len();
        if count < 2 {
            return Err(format!("{count} engine(s) given, expected two --engine or more"));
        }
        if self.sprt.is_some() && count != 2 {
            return Err(format!("--sprt compares two engines, {count} are given"));
        }
        for (index, EngineSetup { name, .. }) in self.engines.iter().enumerate() {
            if self.engines[..index].iter().any(|other| other.name == *name) {
                return Err(format!("two engines are named \"{name}\", expected different names"));
            }
        }
        Ok(())
    }
}
