//! The settings of a match, from the command line or a TOML file; both use the same names.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use toml::{Spanned, Value};

use super::setup::{
    OpeningSetup, TournamentFormat, TournamentSetup, UGI_MAX_MOVES, sprt_from_key_values,
};
use crate::arena::engines::key_values::{KeyValueError, KeyValues, to_argument};
use crate::arena::engines::limits::parse_positive_seconds;
use crate::arena::engines::setup::{EngineSetup, Protocol, Timeouts};
use crate::arena::games::adjudication::{Adjudication, DrawRule, ResignRule};
use crate::arena::games::rules::Rules;
use crate::printing::{printable_path, quote};

/// Why settings are rejected.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", printable_path(path))]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not valid TOML or has an unknown or mistyped setting.
    #[error("{}: {}", printable_path(path), .source.to_string().trim_end())]
    Parse {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: toml::de::Error,
    },
    /// A `KEY=VALUE` setting is invalid.
    #[error("{flag}: {source}")]
    KeyValue {
        /// The flag, or that of the table.
        flag: String,
        /// What is wrong.
        source: KeyValueError,
    },
    /// The game is not known.
    #[error(transparent)]
    Game(#[from] crate::thinking::EngineError),
    /// A value is out of range, or settings contradict each other.
    #[error("{0}")]
    Invalid(String),
}

/// Openings as they are given.
#[derive(Debug, Clone)]
pub enum OpeningSource {
    /// The start position.
    Start,
    /// A file or random openings.
    KeyValues(KeyValues),
}

impl OpeningSource {
    /// The word for the start position.
    pub const START: &'static str = "start";

    fn read(&self) -> Result<OpeningSetup, SettingsError> {
        match self {
            Self::Start => Ok(OpeningSetup::Start),
            Self::KeyValues(settings) => {
                OpeningSetup::from_key_values(settings).map_err(|source| SettingsError::KeyValue {
                    flag: "--openings".to_owned(),
                    source,
                })
            }
        }
    }
}

/// In a file, `"start"` or a table.
impl<'de> Deserialize<'de> for OpeningSource {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Spanned::<Value>::deserialize(deserializer)?;
        let place = value.span();
        match value.into_inner() {
            Value::String(word) if word == Self::START => Ok(Self::Start),
            Value::Table(table) => Ok(Self::KeyValues(KeyValues::from_table(&table, place.start))),
            other => Err(serde::de::Error::custom(format!(
                "{} for openings, expected \"start\" or a table",
                quote(&to_argument(&other))
            ))),
        }
    }
}

/// The settings of a match, named as in a settings file; unset ones have defaults.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MatchSettings {
    /// The game.
    pub game: Option<String>,
    /// The engines.
    #[serde(rename = "engine")]
    pub engines: Vec<KeyValues>,
    /// Settings of all engines.
    pub each: Option<KeyValues>,
    /// The openings.
    pub openings: Option<OpeningSource>,
    /// The sequential test.
    pub sprt: Option<KeyValues>,
    /// Adjudication of losses.
    pub resign: Option<KeyValues>,
    /// Adjudication of draws.
    pub draw: Option<KeyValues>,
    /// The tournament format.
    pub tournament: Option<TournamentFormat>,
    /// Number of rounds.
    pub rounds: Option<u32>,
    /// Games per encounter.
    pub games: Option<u32>,
    /// Whether each opening is played twice with sides swapped.
    pub repeat: Option<bool>,
    /// Number of games at a time.
    pub concurrency: Option<u16>,
    /// Random seed.
    pub seed: Option<u64>,
    /// Moves of each engine after which a game is drawn.
    pub maxmoves: Option<u32>,
    /// Whether to restart engines that failed.
    pub recover: bool,
    /// How long to wait for answers without a search.
    #[serde(deserialize_with = "deserialize_seconds")]
    pub patience: Option<Duration>,
    /// How long to wait for moves without a time limit.
    #[serde(deserialize_with = "deserialize_seconds")]
    pub stall: Option<Duration>,
    /// The text record.
    pub record: Option<PathBuf>,
    /// The JSON lines.
    pub json: Option<PathBuf>,
    /// The HTML report.
    pub report: Option<PathBuf>,
}

fn deserialize_seconds<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Duration>, D::Error> {
    let number = f64::deserialize(deserializer)?;
    parse_positive_seconds(&number.to_string()).map(Some).map_err(serde::de::Error::custom)
}

impl MatchSettings {
    /// Reads a file of settings.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not a valid file of settings.
    pub fn read(path: &Path) -> Result<Self, SettingsError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| SettingsError::Read { path: path.to_owned(), source })?;
        Self::parse(&text, path)
    }

    /// Parses the text of a file of settings; `path` is for error messages.
    ///
    /// # Errors
    /// Fails if the text is not valid TOML or has an unknown or mistyped setting.
    pub fn parse(text: &str, path: &Path) -> Result<Self, SettingsError> {
        let mut settings: Self = toml::from_str(text)
            .map_err(|source| SettingsError::Parse { path: path.to_owned(), source })?;
        let Self { engines, each, openings, sprt, resign, draw, .. } = &mut settings;
        let openings = openings.iter_mut().filter_map(|openings| match openings {
            OpeningSource::KeyValues(group) => Some(group),
            OpeningSource::Start => None,
        });
        let groups = [each, sprt, resign, draw].into_iter().flatten();
        groups.chain(openings).chain(engines).for_each(|group| group.locate(text));
        Ok(settings)
    }

    /// Returns the tournament that the settings describe, and the rules of its game. `rules` is the game
    /// that `--game` selects, and `earlier` the setup of the record to resume, if there is one: without
    /// `--openings`, a record that uses the start position or the default random openings keeps them;
    /// any other gets the defaults. Without `--maxmoves`, a record without a limit keeps none.
    ///
    /// # Errors
    /// Fails if a setting is invalid.
    pub fn tournament(
        &self,
        rules: Option<Rules>,
        earlier: Option<&TournamentSetup>,
    ) -> Result<(TournamentSetup, Rules), SettingsError> {
        let rules = match (rules, &self.game) {
            (Some(rules), _) => rules,
            (None, Some(name)) => Rules::find(name)?,
            (None, None) => Rules::DEFAULT,
        };
        let mut setup = TournamentSetup {
            game: rules.name().to_owned(),
            tournament: self.tournament.unwrap_or(TournamentFormat::RoundRobin),
            engines: self.engines(rules)?,
            rounds: self.rounds.unwrap_or(1),
            games: self.games.unwrap_or(2),
            repeat: self.repeat.unwrap_or(true),
            openings: OpeningSetup::Start,
            openings_digest: None,
            seed: self.seed.unwrap_or(0),
            adjudication: Adjudication {
                resign: read("--resign", self.resign.as_ref(), ResignRule::from_key_values)?,
                draw: read("--draw", self.draw.as_ref(), DrawRule::from_key_values)?,
                maxmoves: self.maxmoves.or_else(|| Self::default_maxmoves(rules, earlier)),
            },
            sprt: None,
            recover: false,
            concurrency: 1,
            timeouts: Timeouts::default(),
        };
        let has_bot = setup.engines.iter().any(EngineSetup::is_bot);
        // A CodinGame bot cannot be given an opening.
        let needs_several = !has_bot && (setup.rounds > 1 || setup.openings_per_pairing() > 1);
        setup.openings = match (&self.openings, earlier.map(|earlier| &earlier.openings)) {
            (Some(given), _) => given.read()?,
            (None, Some(own)) if *own == OpeningSetup::Start => OpeningSetup::Start,
            (None, Some(own)) if *own == OpeningSetup::by_default(rules, true) => own.clone(),
            (None, _) => OpeningSetup::by_default(rules, needs_several),
        };
        Ok((self.apply_variable(setup)?, rules))
    }

    /// The moves of each player after which a game is drawn by default: engine-defined rules may
    /// never end it. A record without a limit, from an earlier version, keeps none.
    fn default_maxmoves(rules: Rules, earlier: Option<&TournamentSetup>) -> Option<u32> {
        let began_without = earlier.is_some_and(|earlier| {
            earlier.game == rules.name() && earlier.adjudication.maxmoves.is_none()
        });
        (rules == Rules::EngineDefined && !began_without).then_some(UGI_MAX_MOVES)
    }

    /// Returns the setup with which a tournament recorded as `setup` resumes.
    ///
    /// # Errors
    /// Fails if a setting is given that cannot change once a tournament has started.
    pub fn resume(
        &self,
        setup: TournamentSetup,
        rules: Option<Rules>,
    ) -> Result<TournamentSetup, SettingsError> {
        let fixed = [
            ("--game", rules.is_some() || self.game.is_some()),
            ("--each", self.each.is_some()),
            ("--openings", self.openings.is_some()),
            ("--resign", self.resign.is_some()),
            ("--draw", self.draw.is_some()),
            ("--tournament", self.tournament.is_some()),
            ("--games", self.games.is_some()),
            ("--repeat", self.repeat == Some(true)),
            ("--no-repeat", self.repeat == Some(false)),
            ("--seed", self.seed.is_some()),
            ("--maxmoves", self.maxmoves.is_some()),
        ];
        if let Some((flag, _)) = fixed.into_iter().find(|(_, is_set)| *is_set) {
            return Err(SettingsError::Invalid(format!(
                "{flag} cannot change a tournament that has started; --resume can be combined with \
                 --rounds, --concurrency, --recover, --sprt, --patience and --stall"
            )));
        }
        self.apply_variable(setup)
    }

    /// Applies the settings that may change when a tournament resumes, then checks the whole setup.
    fn apply_variable(&self, mut setup: TournamentSetup) -> Result<TournamentSetup, SettingsError> {
        setup.rounds = self.rounds.unwrap_or(setup.rounds);
        setup.sprt = read("--sprt", self.sprt.as_ref(), sprt_from_key_values)?.or(setup.sprt);
        setup.recover |= self.recover;
        setup.concurrency = self.concurrency.map_or(setup.concurrency, usize::from);
        let Timeouts { response, search } = setup.timeouts;
        setup.timeouts = Timeouts {
            response: self.patience.unwrap_or(response),
            search: self.stall.unwrap_or(search),
        };
        setup.check().map_err(SettingsError::Invalid)?;
        Ok(setup)
    }

    fn engines(&self, rules: Rules) -> Result<Vec<EngineSetup>, SettingsError> {
        let protocol = if rules == Rules::EngineDefined { Protocol::Ugi } else { Protocol::Uci };
        let each = self.each.clone().unwrap_or_default();
        read("--each", Some(&each), |each| EngineSetup::check_each(each, protocol))?;
        let mut engines = Vec::new();
        for (index, engine) in self.engines.iter().enumerate() {
            let flag = format!("--engine {}", index + 1);
            let parse = |own: &KeyValues| EngineSetup::from_key_values(&each, own, protocol);
            engines.extend(read(&flag, Some(engine), parse)?);
        }
        assign_names(&mut engines);
        Ok(engines)
    }
}

/// Parses a group of settings, if it is given; errors name its flag.
fn read<T>(
    flag: &str,
    group: Option<&KeyValues>,
    parse: impl FnOnce(&KeyValues) -> Result<T, KeyValueError>,
) -> Result<Option<T>, SettingsError> {
    let locate = |source| SettingsError::KeyValue { flag: flag.to_owned(), source };
    group.map(parse).transpose().map_err(locate)
}

/// Names engines without a name after their program, with a number where names would repeat.
fn assign_names(engines: &mut [EngineSetup]) {
    for index in 0..engines.len() {
        if engines[index].name.is_empty() {
            let stem = engines[index].default_name();
            let is_free = |name: &String| engines.iter().all(|other| other.name != *name);
            let numbered = (2..).map(|number| format!("{stem}-{number}"));
            let mut names = std::iter::once(stem.clone()).chain(numbered);
            engines[index].name = names.find(is_free).unwrap_or(stem);
        }
    }
}
