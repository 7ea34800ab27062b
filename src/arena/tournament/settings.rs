//! The settings of a match, from the command line or a TOML file; both use the same names.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use toml::{Spanned, Value};

use super::setup::{
    MAX_CONCURRENCY, MAX_COUNT, OpeningSetup, TournamentFormat, TournamentSetup, UGI_MAX_MOVES,
    sprt_from_key_values,
};
use crate::arena::engines::key_values::{KeyValueError, KeyValues, to_argument};
use crate::arena::engines::limits::parse_positive_seconds;
use crate::arena::engines::setup::{EngineSetup, Protocol, Timeouts};
use crate::arena::games::adjudication::{Adjudication, DrawRule, ResignRule};
use crate::arena::games::rules::Rules;
use crate::printing::{printable_path, quote};
use crate::records::RecordFormat;
use crate::statistics::Sprt;

/// Why settings are rejected.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The game is not known.
    #[error(transparent)]
    Game(#[from] crate::thinking::EngineError),
    /// The file cannot be read or parsed, a value is out of range, or settings contradict each other.
    #[error("{0}")]
    Invalid(String),
}

impl SettingsError {
    /// An invalid `KEY=VALUE` setting of a flag, or of its table.
    pub(crate) fn at_flag(flag: &str, error: &KeyValueError) -> Self {
        Self::Invalid(format!("{flag}: {error}"))
    }
}

/// Openings as they are given.
#[derive(Debug, Clone)]
pub enum OpeningSource {
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
            Self::KeyValues(settings) => OpeningSetup::from_key_values(settings)
                .map_err(|error| SettingsError::at_flag("--openings", &error)),
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

/// The settings of a match, named as in a settings file and on the command line; unset ones have
/// defaults. Groups of keys and values are read from the command line separately.
#[derive(Debug, Default, Deserialize, clap::Args)]
#[serde(default, deny_unknown_fields)]
#[group(skip)]
pub struct MatchSettings {
    /// The game.
    #[arg(skip)]
    pub game: Option<String>,
    /// The engines.
    #[serde(rename = "engine")]
    #[arg(skip)]
    pub engines: Vec<KeyValues>,
    /// Settings of all engines.
    #[arg(skip)]
    pub each: Option<KeyValues>,
    /// The openings.
    #[arg(skip)]
    pub openings: Option<OpeningSource>,
    /// The sequential test.
    #[arg(skip)]
    pub sprt: Option<KeyValues>,
    /// Adjudication of losses.
    #[arg(skip)]
    pub resign: Option<KeyValues>,
    /// Adjudication of draws.
    #[arg(skip)]
    pub draw: Option<KeyValues>,

    /// Tournament format [default: roundrobin]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub tournament: Option<TournamentFormat>,
    /// Number of rounds [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_COUNT)))]
    pub rounds: Option<u32>,
    /// Games per encounter in each round [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_COUNT)))]
    pub games: Option<u32>,
    /// Play each opening twice, with sides swapped (the default)
    #[arg(long, num_args = 0, default_missing_value = "true", overrides_with = "no_repeat")]
    pub repeat: Option<bool>,
    /// Play a different opening in each game
    #[serde(skip)]
    #[arg(long, overrides_with = "repeat")]
    pub no_repeat: bool,
    /// Number of games to play at the same time [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_CONCURRENCY as i64))]
    pub concurrency: Option<u16>,
    /// Seed of the random openings and of the seeds of engines [default: 0]
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Adjudicate a draw after N moves by each player [default: 1000 with --game ugi]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_COUNT)))]
    pub maxmoves: Option<u32>,
    /// Restart an engine that fails; without this, it forfeits its remaining games
    #[arg(long, num_args = 0, default_missing_value = "true")]
    pub recover: Option<bool>,
    /// Seconds to wait for a reply that needs no search [default: 10]
    #[serde(deserialize_with = "deserialize_seconds")]
    #[arg(long, value_name = "SECONDS", value_parser = parse_positive_seconds)]
    pub patience: Option<Duration>,
    /// Seconds to wait for a move without a time limit [default: 600]
    #[serde(deserialize_with = "deserialize_seconds")]
    #[arg(long, value_name = "SECONDS", value_parser = parse_positive_seconds)]
    pub stall: Option<Duration>,

    /// Append each game to this record; run the same command again to resume
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Append each game to this file as a line of JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write an HTML report with tables, plots and a board viewer
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
}

fn format_parser() -> impl clap::builder::TypedValueParser<Value = TournamentFormat> {
    use clap::builder::TypedValueParser;
    // A ladder needs references, which `zermelo rate` has.
    let names = TournamentFormat::NAMES
        .into_iter()
        .filter(|(_, format)| *format != TournamentFormat::Ladder);
    clap::builder::PossibleValuesParser::new(names.map(|(name, _)| name)).map(|name| {
        let found = TournamentFormat::NAMES.into_iter().find(|(own, _)| *own == name);
        found.map_or(TournamentFormat::RoundRobin, |(_, format)| format)
    })
}

fn deserialize_seconds<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Duration>, D::Error> {
    let number = f64::deserialize(deserializer)?;
    parse_positive_seconds(&number.to_string()).map(Some).map_err(serde::de::Error::custom)
}

impl MatchSettings {
    /// Reads a file of settings.
    /// Fails if the file cannot be read or is not a valid file of settings.
    pub(crate) fn read(path: &Path) -> Result<Self, SettingsError> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            SettingsError::Invalid(format!("cannot read {}: {error}", printable_path(path)))
        })?;
        Self::parse(&text, path)
    }

    /// Parses the text of a file of settings; `path` is for error messages.
    ///
    /// # Errors
    /// Fails if the text is not valid TOML or has an unknown or mistyped setting.
    pub fn parse(text: &str, path: &Path) -> Result<Self, SettingsError> {
        let mut settings: Self = toml::from_str(text).map_err(|error| {
            let error = error.to_string();
            SettingsError::Invalid(format!("{}: {}", printable_path(path), error.trim_end()))
        })?;
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
    /// any other gets the defaults.
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
            (None, None) => Rules::default(),
        };
        let openings = self.openings.as_ref().map(OpeningSource::read).transpose()?;
        // Engine-defined rules may never end a game.
        let maxmoves = (rules == Rules::EngineDefined).then_some(UGI_MAX_MOVES);
        let timeouts = Timeouts::default();
        let mut setup = TournamentSetup {
            game: rules.name().to_owned(),
            tournament: self.tournament.unwrap_or(TournamentFormat::RoundRobin),
            engines: self.engines(rules)?,
            rounds: self.rounds.unwrap_or(1),
            games: self.games.unwrap_or(2),
            repeat: !self.no_repeat && self.repeat != Some(false),
            openings: openings.unwrap_or(OpeningSetup::Start),
            openings_digest: None,
            seed: self.seed.unwrap_or(0),
            adjudication: Adjudication {
                resign: read("--resign", self.resign.as_ref(), ResignRule::from_key_values)?,
                draw: read("--draw", self.draw.as_ref(), DrawRule::from_key_values)?,
                maxmoves: self.maxmoves.or(maxmoves),
            },
            sprt: self.sprt()?,
            ladder: None,
            recover: self.recover == Some(true),
            concurrency: self.concurrency.map_or(1, usize::from),
            timeouts: Timeouts {
                response: self.patience.unwrap_or(timeouts.response),
                search: self.stall.unwrap_or(timeouts.search),
            },
        };
        if self.openings.is_none() {
            let needs_several = setup.rounds > 1 || setup.openings_per_pairing() > 1;
            // A CodinGame bot cannot be given an opening.
            let can_be_set = setup.engines.iter().all(|engine| engine.proto.sets_positions());
            setup.openings = match earlier.map(|earlier| &earlier.openings) {
                Some(own) if *own == OpeningSetup::Start => OpeningSetup::Start,
                Some(own) if *own == OpeningSetup::by_default(rules, true) => own.clone(),
                _ => OpeningSetup::by_default(rules, needs_several && can_be_set),
            };
        }
        setup.check().map_err(SettingsError::Invalid)?;
        Ok((setup, rules))
    }

    /// The file to which each game is appended. Where both files are given it is the record, and the JSON
    /// lines are written from it at the end.
    pub(crate) fn journal(&self) -> Option<(&Path, RecordFormat)> {
        let record = self.record.as_deref().map(|path| (path, RecordFormat::Text));
        record.or(self.json.as_deref().map(|path| (path, RecordFormat::Json)))
    }

    /// Returns the sequential test, if one is given.
    /// Fails if its settings are invalid.
    pub(crate) fn sprt(&self) -> Result<Option<Sprt>, SettingsError> {
        read("--sprt", self.sprt.as_ref(), sprt_from_key_values)
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
    group.map(parse).transpose().map_err(|error| SettingsError::at_flag(flag, &error))
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
