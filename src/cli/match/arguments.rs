//! What `zermelo match` may be told, on the command line or in a file; the same names in both.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, FromArgMatches};
use serde::Deserialize;
use toml::{Spanned, Table, Value};

use crate::arena::key_values::{KeyValueError, KeyValues};
use crate::arena::referee::Rules;
use crate::arena::setup::{
    Adjudication, DrawRule, EngineSetup, MAX_CONCURRENCY, MAX_COUNT, OpeningSetup, Protocol,
    ResignRule, Timeouts, TournamentFormat, TournamentSetup, sprt_from_key_values,
};

/// Engine against engine: matches, gauntlets, round robins, SPRT
#[derive(Debug, Default, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    #[serde(skip)]
    groups: Groups,

    /// The game (in a file)
    #[arg(skip)]
    game: Option<String>,
    #[arg(skip)]
    engine: Vec<Spanned<Table>>,
    #[arg(skip)]
    each: Option<Spanned<Table>>,
    #[arg(skip)]
    openings: Option<Spanned<Table>>,
    #[arg(skip)]
    sprt: Option<Spanned<Table>>,
    #[arg(skip)]
    resign: Option<Spanned<Table>>,
    #[arg(skip)]
    draw: Option<Spanned<Table>>,

    /// Who meets whom [default: roundrobin]
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    tournament: Option<TournamentFormat>,
    /// Rounds [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_COUNT)))]
    rounds: Option<u32>,
    /// Games in each encounter of a round [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_COUNT)))]
    games: Option<u32>,
    /// Play each opening twice, from both sides: the default
    #[arg(long, num_args = 0, default_missing_value = "true", overrides_with = "no_repeat")]
    repeat: Option<bool>,
    /// Give each game an opening of its own
    #[arg(long, overrides_with = "repeat")]
    #[serde(skip)]
    no_repeat: bool,
    /// Games at a time [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_CONCURRENCY as i64))]
    concurrency: Option<u16>,
    /// Where random choices begin [default: 0]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// A game that has so many moves of each player is drawn
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_COUNT)))]
    maxmoves: Option<u32>,
    /// Start engines again that failed; without it they lose the games that are left to them
    #[arg(long)]
    recover: bool,
    /// Seconds to wait for an answer that needs no thought [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = crate::cli::parse_seconds)]
    #[serde(deserialize_with = "duration")]
    patience: Option<Duration>,
    /// Seconds to wait for a move where no clock runs [default: 600]
    #[arg(long, value_name = "SECONDS", value_parser = crate::cli::parse_seconds)]
    #[serde(deserialize_with = "duration")]
    stall: Option<Duration>,

    /// Append each game to this record; the same command again goes on where it stood
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Append each game as a line of JSON
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Write a page with tables, plots and a board viewer
    #[arg(long, value_name = "FILE.html")]
    pub(super) report: Option<PathBuf>,

    /// Read settings from this file; the command line goes before it
    #[arg(long, value_name = "FILE.toml")]
    #[serde(skip)]
    pub(super) config: Option<PathBuf>,
    /// Go on with the tournament in --record, which must exist; without engines, as its head says
    #[arg(long)]
    #[serde(skip)]
    pub(super) resume: bool,
    /// Play nothing: check the games of a record by the rules and tell their standings
    #[arg(long, value_name = "FILE", conflicts_with_all = ["engine", "resume", "record", "only"])]
    #[serde(skip)]
    pub(super) rescore: Option<PathBuf>,

    /// Play these games alone, by their numbers; --merge joins what was played in parts
    #[arg(long, value_name = "FROM-TO", value_parser = super::shards::read)]
    #[serde(skip)]
    pub(super) only: Option<RangeInclusive<u32>>,
    /// Play nothing: tell in a line of JSON how many games there are and how their record begins
    #[arg(long, conflicts_with_all = ["only", "rescore", "merge"])]
    #[serde(skip)]
    pub(super) plan: bool,
    /// Play nothing: join records of parts in --record or --json and tell the standings
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["engine", "resume", "rescore", "only"])]
    #[serde(skip)]
    pub(super) merge: Vec<PathBuf>,
    /// With --merge or --rescore: end with a line of JSON that tells what --sprt has decided
    #[arg(long)]
    #[serde(skip)]
    pub(super) verdict: bool,
}

const EXAMPLES: &str = "\
Words behind --engine and --each:
  cmd=PROGRAM      what to start; `zermelo`, and no cmd, mean this program
  name=NAME        its name in the tournament
  proto=uci|ugi    what it speaks [default: uci; ugi with --game ugi]
  args=\"A B\"       its arguments
  dir=FOLDER       where it is started
  option.NAME=V    an option of the engine
  tc=[MOVES/]TIME[+INC]   clock, in seconds (TIME may be MINUTES:SECONDS)
  st=SECONDS, nodes=N, depth=N    limits of each move
  timemargin=MS    how far beyond its time an engine may go [default: 50]
  stderr=FILE      keep what it says on its standard error
Behind --openings: file=FILE [order=sequential|random] [start=N] [plies=N], or
  random=PLIES [balanced=true]
Behind --sprt:     elo0=E elo1=E [alpha=0.05] [beta=0.05] [model=normalized|logistic|bayesian]
Behind --resign:   movecount=3 score=1000 [twosided=true]
Behind --draw:     movenumber=1 movecount=8 score=10

Examples:
  zermelo match --engine name=deep --engine name=flat option.Searcher=mcts \\
      --each st=0.1 --openings random=4 --rounds 10 --record games.pgn --report games.html
  zermelo match --game ugi --engine cmd=./a --engine cmd=./b --each tc=10+0.1 --rounds 50
  zermelo match --record games.pgn --resume
  zermelo match --rescore games.pgn
  zermelo match --config match.toml --only 1-100 --record part1.pgn
  zermelo match --merge part1.pgn part2.pgn --record games.pgn";

/// What is given in groups of words.
#[derive(Debug, Default)]
struct Groups {
    engines: Vec<Vec<String>>,
    each: Option<Vec<String>>,
    openings: Option<Vec<String>>,
    sprt: Option<Vec<String>>,
    resign: Option<Vec<String>>,
    draw: Option<Vec<String>>,
}

impl clap::Args for Groups {
    fn augment_args(command: clap::Command) -> clap::Command {
        let group = |name: &'static str, help: &'static str| {
            Arg::new(name).long(name).num_args(0..).value_name("KEY=VALUE").help(help)
        };
        command
            .arg(group("engine", "An engine; twice or more").action(ArgAction::Append))
            .arg(group("each", "What holds for every engine that says nothing else"))
            .arg(group("openings", "Where games begin; without it at the start"))
            .arg(group("sprt", "Stop when a test of two engines has decided"))
            .arg(group("resign", "Who sees himself lost for long enough has lost"))
            .arg(group("draw", "What both see as drawn for long enough is drawn"))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Groups {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let all = |name: &str| -> Vec<Vec<String>> {
            let given = matches.value_source(name).is_some();
            match matches.get_occurrences::<String>(name) {
                Some(groups) => groups.map(|group| group.cloned().collect()).collect(),
                None if given => vec![Vec::new()],
                None => Vec::new(),
            }
        };
        let one = |name: &str| all(name).pop();
        Ok(Self {
            engines: all("engine"),
            each: one("each"),
            openings: one("openings"),
            sprt: one("sprt"),
            resign: one("resign"),
            draw: one("draw"),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn format() -> impl clap::builder::TypedValueParser<Value = TournamentFormat> {
    use clap::builder::TypedValueParser;
    clap::builder::PossibleValuesParser::new(TournamentFormat::NAMES.map(|(name, _)| name)).map(
        |name| {
            let found = TournamentFormat::NAMES.into_iter().find(|(own, _)| *own == name);
            found.map_or(TournamentFormat::RoundRobin, |(_, format)| format)
        },
    )
}

/// A number of seconds in a file.
fn duration<'de, D: serde::Deserializer<'de>>(file: D) -> Result<Option<Duration>, D::Error> {
    let number = f64::deserialize(file)?;
    crate::cli::parse_seconds(&number.to_string()).map(Some).map_err(serde::de::Error::custom)
}

/// What is wrong with the settings.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("cannot read {path}: {source}")]
    Config {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not in its form.
    #[error("{path}: {source}")]
    Form {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: toml::de::Error,
    },
    /// A word makes no sense.
    #[error("{place}: {source}")]
    Word {
        /// The flag or the table.
        place: String,
        /// What.
        source: KeyValueError,
    },
    /// The game is not known.
    #[error(transparent)]
    Game(#[from] crate::engine::EngineError),
    /// Things do not go together.
    #[error("{0}")]
    Together(String),
}

/// The settings of a file.
#[derive(Debug, Default)]
pub(super) struct File {
    text: String,
    settings: Arguments,
}

impl File {
    /// Reads it.
    pub(super) fn read(path: &PathBuf) -> Result<Self, SettingsError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| SettingsError::Config { path: path.clone(), source })?;
        Self::of_text(text, path)
    }

    /// What stands in the file of this name.
    fn of_text(text: String, path: &Path) -> Result<Self, SettingsError> {
        let settings = toml::from_str(&text)
            .map_err(|source| SettingsError::Form { path: path.to_owned(), source })?;
        Ok(Self { text, settings })
    }

    /// The words of a table.
    fn group(&self, table: &Spanned<Table>) -> KeyValues {
        let mut group = KeyValues::default();
        let place = &self.text[table.span().start.min(self.text.len())..];
        self.push_words(&mut group, "", table.get_ref(), place);
        group
    }

    fn push_words(&self, group: &mut KeyValues, prefix: &str, table: &Table, place: &str) {
        for (key, value) in table {
            if let Value::Table(inner) = value {
                self.push_words(group, &format!("{prefix}{key}."), inner, place);
                continue;
            }
            // The line that begins with the key, or with a table it is written in.
            let is_it = |line: &&str| {
                let (before, _) = line.split_once('=').unwrap_or((line, ""));
                let named = before.trim();
                named == key
                    || named.ends_with(&format!(".{key}"))
                    || line.contains(&format!("{{ {key}"))
            };
            let found = place.lines().find(is_it);
            let line = found.or_else(|| place.lines().find(|line| line.contains(key.as_str())));
            let line = line.unwrap_or(key);
            group.push(&format!("{prefix}{key}"), text_of(value), line.trim());
        }
    }
}

/// The tournament that the text of a file of settings describes by itself.
///
/// # Errors
/// When it makes no sense.
pub fn tournament_of(text: &str) -> Result<TournamentSetup, SettingsError> {
    let file = File::of_text(text.to_owned(), Path::new("settings"))?;
    Arguments::default().tournament(None, &file).map(|(setup, _)| setup)
}

/// A value as it would be written on the command line.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let words: Vec<String> = items.iter().map(text_of).collect();
            shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default()
        }
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(switch) => switch.to_string(),
        Value::Datetime(moment) => moment.to_string(),
        Value::Table(_) => String::new(),
    }
}

impl Arguments {
    /// Whether engines are named.
    pub(super) fn names_engines(&self, file: &File) -> bool {
        !self.groups.engines.is_empty() || !file.settings.engine.is_empty()
    }

    /// Takes from a file what is not given here.
    pub(super) fn take_files(&mut self, file: &mut File) {
        let theirs = &mut file.settings;
        self.record = self.record.take().or(theirs.record.take());
        self.json = self.json.take().or(theirs.json.take());
        self.report = self.report.take().or(theirs.report.take());
    }

    /// The tournament that these settings and those of a file describe. `game` is what `--game`
    /// says.
    pub(super) fn tournament(
        &self,
        game: Option<Rules>,
        file: &File,
    ) -> Result<(TournamentSetup, Rules), SettingsError> {
        let theirs = &file.settings;
        let rules = match (game, &theirs.game) {
            (Some(rules), _) => rules,
            (None, Some(name)) => Rules::find(name)?,
            (None, None) => Rules::DEFAULT,
        };
        let repeat = if self.no_repeat { Some(false) } else { self.repeat };
        let setup = TournamentSetup {
            game: rules.name().to_owned(),
            tournament: self
                .tournament
                .or(theirs.tournament)
                .unwrap_or(TournamentFormat::RoundRobin),
            engines: self.engines(rules, file)?,
            rounds: 1,
            games: self.games.or(theirs.games).unwrap_or(2),
            repeat: repeat.or(theirs.repeat).unwrap_or(true),
            openings: self
                .group(file, "openings", OpeningSetup::from_key_values)?
                .unwrap_or(OpeningSetup::Start),
            seed: self.seed.or(theirs.seed).unwrap_or(0),
            adjudication: Adjudication {
                resign: self.group(file, "resign", ResignRule::from_key_values)?,
                draw: self.group(file, "draw", DrawRule::from_key_values)?,
                maxmoves: self.maxmoves.or(theirs.maxmoves),
            },
            sprt: None,
            recover: false,
            concurrency: 1,
            patience: Timeouts::default(),
        };
        Ok((self.with_free(setup, file)?, rules))
    }

    /// A tournament that was begun before, with what may change given anew.
    pub(super) fn changed(
        &self,
        setup: TournamentSetup,
        game: Option<Rules>,
        file: &File,
    ) -> Result<TournamentSetup, SettingsError> {
        let theirs = &file.settings;
        let fixed = [
            ("--game", game.is_some() || theirs.game.is_some()),
            ("--each", self.groups.each.is_some() || theirs.each.is_some()),
            ("--openings", self.groups.openings.is_some() || theirs.openings.is_some()),
            ("--resign", self.groups.resign.is_some() || theirs.resign.is_some()),
            ("--draw", self.groups.draw.is_some() || theirs.draw.is_some()),
            ("--tournament", self.tournament.or(theirs.tournament).is_some()),
            ("--games", self.games.or(theirs.games).is_some()),
            ("--repeat", self.repeat.or(theirs.repeat).is_some()),
            ("--no-repeat", self.no_repeat),
            ("--seed", self.seed.or(theirs.seed).is_some()),
            ("--maxmoves", self.maxmoves.or(theirs.maxmoves).is_some()),
        ];
        if let Some((flag, _)) = fixed.into_iter().find(|(_, is_given)| *is_given) {
            let reason = format!(
                "{flag} cannot change a tournament that has begun, expected --rounds, \
                 --concurrency, --recover, --sprt, --patience or --stall beside --resume"
            );
            return Err(SettingsError::Together(reason));
        }
        self.with_free(setup, file)
    }

    /// Sets what may change while a tournament goes on, and sees that all goes together.
    fn with_free(
        &self,
        mut setup: TournamentSetup,
        file: &File,
    ) -> Result<TournamentSetup, SettingsError> {
        let theirs = &file.settings;
        setup.rounds = self.rounds.or(theirs.rounds).unwrap_or(setup.rounds);
        setup.sprt = self.group(file, "sprt", sprt_from_key_values)?.or(setup.sprt);
        setup.recover |= self.recover || theirs.recover;
        let concurrency = self.concurrency.or(theirs.concurrency).map(usize::from);
        setup.concurrency = concurrency.unwrap_or(setup.concurrency);
        let Timeouts { answer, search } = setup.patience;
        setup.patience = Timeouts {
            answer: self.patience.or(theirs.patience).unwrap_or(answer),
            search: self.stall.or(theirs.stall).unwrap_or(search),
        };
        setup.check().map_err(SettingsError::Together)?;
        Ok(setup)
    }

    /// What a group means, wherever it is given.
    fn group<T>(
        &self,
        file: &File,
        name: &'static str,
        read: impl Fn(&KeyValues) -> Result<T, KeyValueError>,
    ) -> Result<Option<T>, SettingsError> {
        let (own, theirs) = match name {
            "openings" => (&self.groups.openings, &file.settings.openings),
            "sprt" => (&self.groups.sprt, &file.settings.sprt),
            "resign" => (&self.groups.resign, &file.settings.resign),
            "draw" => (&self.groups.draw, &file.settings.draw),
            _ => (&self.groups.each, &file.settings.each),
        };
        let flag = format!("--{name}");
        let in_place = |source| SettingsError::Word { place: flag.clone(), source };
        let group = match (own, theirs) {
            (Some(words), _) => KeyValues::from_arguments(&flag, words).map_err(in_place)?,
            (None, Some(table)) => file.group(table),
            (None, None) => return Ok(None),
        };
        read(&group).map(Some).map_err(in_place)
    }

    fn engines(&self, rules: Rules, file: &File) -> Result<Vec<EngineSetup>, SettingsError> {
        let proto = if rules == Rules::EngineDefined { Protocol::Ugi } else { Protocol::Uci };
        let each = self.group(file, "each", |group| Ok(group.clone()))?.unwrap_or_default();
        EngineSetup::check_each(&each, proto)
            .map_err(|source| SettingsError::Word { place: "--each".to_owned(), source })?;
        let mut engines = Vec::new();
        let mut add = |number: usize, group: Result<KeyValues, KeyValueError>| {
            let in_place =
                |source| SettingsError::Word { place: format!("--engine {number}"), source };
            let group = group.map_err(in_place)?;
            engines.push(EngineSetup::from_key_values(&each, &group, proto).map_err(in_place)?);
            Ok::<_, SettingsError>(())
        };
        for (index, words) in self.groups.engines.iter().enumerate() {
            add(index + 1, KeyValues::from_arguments("--engine", words))?;
        }
        if self.groups.engines.is_empty() {
            for (index, table) in file.settings.engine.iter().enumerate() {
                add(index + 1, Ok(file.group(table)))?;
            }
        }
        name_all(&mut engines);
        Ok(engines)
    }
}

/// Gives a name to engines that have none.
fn name_all(engines: &mut [EngineSetup]) {
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
