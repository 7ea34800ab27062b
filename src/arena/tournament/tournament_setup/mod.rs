//! The setup of a tournament: engines, pairings, openings and conditions.
//!
//! [`TournamentSetup`] is complete; a record starts with it, so that the tournament can be resumed.

mod check;
mod difference;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::arena::engines::engine_setup::{EngineSetup, Timeouts};
use crate::arena::engines::key_values::{
    KeyValueError, KeyValues, Rejection, parse_choice, parse_number,
};
use crate::arena::games::adjudication::Adjudication;
use crate::arena::games::game_choice::GameChoice;
use crate::scale::Ladder;
use crate::statistics::{EloModel, Sprt};
pub use difference::SetupDifference;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TournamentFormat {
    /// Every engine meets every other in each round.
    RoundRobin,
    /// The first engine meets all others in each round.
    Gauntlet,
    /// The first engine meets those of known rating whose results say most about its own.
    Ladder,
}

impl TournamentFormat {
    pub const NAMES: [(&'static str, Self); 3] =
        [("roundrobin", Self::RoundRobin), ("gauntlet", Self::Gauntlet), ("ladder", Self::Ladder)];

    pub(crate) fn name(self) -> &'static str {
        Self::NAMES.into_iter().find(|(_, format)| *format == self).map_or("", |(name, _)| name)
    }
}

/// The order in which openings are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningOrder {
    Sequential,
    /// Shuffled with the tournament's seed.
    Random,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningSetup {
    /// Every game starts from the start position.
    Start,
    /// A file with one opening per line.
    File {
        path: String,
        /// The order in which they are played.
        order: OpeningOrder,
        /// The first opening to play, from 1.
        start: usize,
        /// The maximum number of moves to play of each opening.
        plies: Option<usize>,
    },
    Random {
        /// Number of random plies from the start position.
        plies: usize,
        balanced: bool,
    },
    /// Random openings, of which every other one is balanced.
    #[serde(alias = "alternating")]
    Mixed {
        /// Number of random plies from the start position.
        plies: usize,
    },
    /// The start position; the runner chooses the first moves of every engine that can be given a
    /// position, at random.
    #[serde(rename = "random-moves", alias = "first")]
    RandomMoves {
        /// The number of moves of each engine.
        moves: usize,
    },
}

#[derive(Debug, Clone, Copy)]
enum Balanced {
    None,
    All,
    EveryOther,
}

impl Balanced {
    const NAMES: [(&'static str, Self); 3] =
        [("true", Self::All), ("false", Self::None), ("mixed", Self::EveryOther)];
}

impl OpeningSetup {
    /// The openings of a tournament that names none: the start position if no encounter needs
    /// more than one opening or the engines define the rules, else balanced random openings.
    /// From the start position alone, all pairs of deterministic engines are the same.
    pub(crate) fn by_default(game: GameChoice, needs_several: bool) -> Self {
        match game {
            GameChoice::Known(game) if needs_several => {
                Self::Random { plies: game.opening_plies, balanced: true }
            }
            _ => Self::Start,
        }
    }

    /// Returns the number of first moves that the runner chooses for an engine.
    pub(crate) fn moves_for(&self, engine: &EngineSetup) -> usize {
        match self {
            Self::RandomMoves { moves } if engine.proto.sets_positions() => *moves,
            _ => 0,
        }
    }

    const MAX_PLIES: usize = 1000;

    /// Reads the words behind `--openings`. Fails if a word is invalid or two contradict each
    /// other.
    pub fn from_arguments(words: &[String]) -> Result<Self, KeyValueError> {
        if words == ["start"] {
            return Ok(Self::Start);
        }
        Self::from_key_values(&KeyValues::from_arguments("--openings", words)?)
    }

    fn from_key_values(settings: &KeyValues) -> Result<Self, KeyValueError> {
        let parse_plies = |value: &str| {
            let expected = format!("a number of plies, at most {}", Self::MAX_PLIES);
            parse_number(value, expected, |plies| *plies <= Self::MAX_PLIES)
        };
        let (mut file, mut order, mut start, mut plies) = (None, OpeningOrder::Sequential, 1, None);
        let (mut random, mut balanced, mut first) = (None, Balanced::None, None);
        let (mut has_file_keys, mut has_random_keys) = (false, false);
        settings.for_each(|key, value| {
            has_file_keys |= matches!(key, "order" | "start" | "plies");
            has_random_keys |= key == "balanced";
            match key {
                "file" => file = Some(value.to_owned()),
                "order" => {
                    let orders = [
                        ("sequential", OpeningOrder::Sequential),
                        ("random", OpeningOrder::Random),
                    ];
                    order = parse_choice(value, &orders)?;
                }
                "start" => {
                    start = parse_number(value, "a whole number from 1", |start| *start > 0)?;
                }
                "plies" => plies = Some(parse_plies(value)?),
                "random" => random = Some(parse_plies(value)?),
                // Version 0.2 called it `alternate`.
                "balanced" if value == "alternate" => balanced = Balanced::EveryOther,
                "balanced" => balanced = parse_choice(value, &Balanced::NAMES)?,
                // Version 0.2 called it `first`.
                "random-moves" | "first" => {
                    let expected = format!("a number of moves from 1 to {}", Self::MAX_PLIES);
                    let fits = |moves: &usize| (1..=Self::MAX_PLIES).contains(moves);
                    first = Some(parse_number(value, expected, fits)?);
                }
                _ => {
                    return Err(Rejection::UnknownKey(
                        "file order start plies random balanced random-moves",
                    ));
                }
            }
            Ok(())
        })?;
        let refuse = |reason: &str| Err(KeyValueError(reason.to_owned()));
        if let Some(moves) = first {
            let is_alone = file.is_none() && random.is_none() && !has_file_keys && !has_random_keys;
            return if is_alone {
                Ok(Self::RandomMoves { moves })
            } else {
                refuse("random-moves= cannot be combined with other keys")
            };
        }
        match (file, random) {
            (Some(_), None) if has_random_keys => refuse("balanced= needs random=, not file="),
            (Some(path), None) => Ok(Self::File { path, order, start, plies }),
            (None, Some(_)) if has_file_keys => {
                refuse("order=, start= and plies= need file=, not random=")
            }
            (None, Some(plies)) => Ok(match balanced {
                Balanced::EveryOther => Self::Mixed { plies },
                Balanced::All => Self::Random { plies, balanced: true },
                Balanced::None => Self::Random { plies, balanced: false },
            }),
            _ => refuse("expected file=FILE, random=PLIES or random-moves=N, or start alone"),
        }
    }
}

/// As on the command line.
impl fmt::Display for OpeningSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("start position"),
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
            Self::Mixed { plies } => write!(f, "random={plies} balanced=mixed"),
            Self::RandomMoves { moves } => write!(f, "random-moves={moves}"),
        }
    }
}

const MIN_ERROR_RATE: f64 = 1e-9;

/// Reads the settings of `--sprt`. Fails if a setting is invalid, missing or not usable for a test.
pub fn sprt_from_key_values(settings: &KeyValues) -> Result<Sprt, KeyValueError> {
    let (mut elo, mut error_rates, mut model) = ([None; 2], [0.05; 2], EloModel::Normalized);
    settings.for_each(|key, value| {
        let elo_of = |value| parse_number(value, "an Elo difference", |elo: &f64| elo.is_finite());
        let rate_of = |value| {
            let is_probability = |rate: &f64| (MIN_ERROR_RATE..0.5).contains(rate);
            parse_number(value, "a probability of at least 1e-9 and below 0.5", is_probability)
        };
        match key {
            "elo0" => elo[0] = Some(elo_of(value)?),
            "elo1" => elo[1] = Some(elo_of(value)?),
            "alpha" => error_rates[0] = rate_of(value)?,
            "beta" => error_rates[1] = rate_of(value)?,
            "model" => model = parse_choice(value, &EloModel::NAMES)?,
            _ => return Err(Rejection::UnknownKey("elo0 elo1 alpha beta model")),
        }
        Ok(())
    })?;
    let [Some(elo0), Some(elo1)] = elo else {
        return Err(KeyValueError("expected both elo0= and elo1=".to_owned()));
    };
    Sprt::new(model, elo0, elo1, error_rates[0], error_rates[1]).map_err(KeyValueError)
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TournamentSetup {
    pub game: GameChoice,
    pub tournament: TournamentFormat,
    pub engines: Vec<EngineSetup>,
    pub rounds: u32,
    /// Games per encounter.
    pub games: u32,
    /// Whether each opening is played twice in a row with sides swapped.
    pub repeat: bool,
    pub openings: OpeningSetup,
    /// A digest of the openings, once they are read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings_digest: Option<String>,
    pub seed: u64,
    pub adjudication: Adjudication,
    /// The sequential test that ends the tournament, if any.
    pub sprt: Option<Sprt>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ladder: Option<Ladder>,
    /// Whether to restart engines that failed.
    pub recover: bool,
    /// Number of games played at the same time.
    pub concurrency: usize,
    #[serde(alias = "patience")]
    pub timeouts: Timeouts,
}

/// The maximum number of rounds, games and moves.
pub const MAX_COUNT: u32 = 1_000_000;

/// The default limit of moves by each player in a game with engine-defined rules: several times the
/// length of the longest games that are played.
pub const UGI_MAX_MOVES: u32 = 1000;

/// The maximum number of games played at the same time.
pub const MAX_CONCURRENCY: usize = 1024;

impl TournamentSetup {
    /// Returns the number of openings that each pairing needs in a round.
    pub(crate) fn openings_per_pairing(&self) -> u32 {
        if self.repeat { self.games.div_ceil(2) } else { self.games }
    }
}
