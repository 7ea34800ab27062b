//! The command-line arguments of `zermelo match`.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, FromArgMatches};

use crate::arena::engines::key_values::KeyValues;
use crate::arena::tournament::settings::{MatchSettings, OpeningSource, SettingsError};
use crate::arena::tournament::setup::{MAX_CONCURRENCY, MAX_COUNT, TournamentFormat};

/// Play engines against each other: matches, gauntlets, round robins, SPRT
#[derive(Debug, Default, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    groups: GroupArguments,

    /// Tournament format [default: roundrobin]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    tournament: Option<TournamentFormat>,
    /// Number of rounds [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_COUNT)))]
    rounds: Option<u32>,
    /// Games per encounter in each round [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_COUNT)))]
    games: Option<u32>,
    /// Play each opening twice, with sides swapped (the default)
    #[arg(long, num_args = 0, default_missing_value = "true", overrides_with = "no_repeat")]
    repeat: Option<bool>,
    /// Play a different opening in each game
    #[arg(long, overrides_with = "repeat")]
    no_repeat: bool,
    /// Number of games to play at the same time [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_CONCURRENCY as i64))]
    concurrency: Option<u16>,
    /// Seed of the random openings and of the seeds of engines [default: 0]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// Adjudicate a draw after N moves by each player [default: 1000 with --game ugi]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_COUNT)))]
    maxmoves: Option<u32>,
    /// Restart an engine that fails; without this, it forfeits its remaining games
    #[arg(long)]
    recover: bool,
    /// Seconds to wait for a reply that needs no search [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = crate::cli::parse_seconds)]
    patience: Option<Duration>,
    /// Seconds to wait for a move without a time limit [default: 600]
    #[arg(long, value_name = "SECONDS", value_parser = crate::cli::parse_seconds)]
    stall: Option<Duration>,

    /// Append each game to this record; run the same command again to resume
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Append each game to this file as a line of JSON
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Write an HTML report with tables, plots and a board viewer
    #[arg(long, value_name = "FILE.html")]
    pub(super) report: Option<PathBuf>,

    /// Read settings from a file; the command line overrides them
    #[arg(long, value_name = "FILE.toml")]
    pub(super) config: Option<PathBuf>,
    /// Resume the tournament in --record, which must exist; without engines, use its settings
    #[arg(long)]
    pub(super) resume: bool,
    /// With --resume and no engines, run the commands that the record names without asking
    #[arg(long, requires = "resume")]
    pub(super) trust_record: bool,
    /// Exit with code 1 if an engine failed in any game of the match
    #[arg(long, conflicts_with_all = ["rescore", "merge", "plan"])]
    pub(super) strict: bool,
    /// Replay the games of a record, check them against the rules and print the standings
    #[arg(long, value_name = "FILE", conflicts_with_all = ["engine", "resume", "record", "only"])]
    pub(super) rescore: Option<PathBuf>,

    /// Play only the games with these numbers (a shard); --merge joins shards
    #[arg(long, value_name = "FROM-TO", value_parser = super::shards::parse_range)]
    pub(super) only: Option<RangeInclusive<u32>>,
    /// Print the number of games and the header of the record as JSON, without playing
    #[arg(long, conflicts_with_all = ["only", "rescore", "merge"])]
    pub(super) plan: bool,
    /// Merge the records of shards into --record or --json and print the standings
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["engine", "resume", "rescore", "only"])]
    pub(super) merge: Vec<PathBuf>,
    /// With --merge or --rescore, print the result and the decision of --sprt as a line of JSON
    #[arg(long)]
    pub(super) verdict: bool,
}

const EXAMPLES: &str = "\
Settings for --engine and --each:
  cmd=PROGRAM      program to start [default: zermelo, this program]
  name=NAME        name in the tournament
  proto=uci|ugi|codingame    protocol [default: uci; ugi with --game ugi]
  args=\"A B\"       arguments
  dir=FOLDER       working directory
  option.NAME=V    engine option
  tc=[MOVES/]TIME[+INC]   clock, in seconds (TIME may be MINUTES:SECONDS)
  st=SECONDS, nodes=N, depth=N    limits per move
  first=SECONDS    time for the first move of a game (needs st=)
  timemargin=MS    tolerated time overrun [default: 50]
  ponder=true      think on the opponent's time (needs proto=uci)
  stderr=FILE      append the engine's standard error to this file
Settings for --openings: start, or file=FILE [order=sequential|random] [start=N] [plies=N],
  or random=PLIES [balanced=true], or first=N: the start position, then N random moves for each
  engine that can be given a position (for matches with proto=codingame)
Settings for --sprt:     elo0=E elo1=E [alpha=0.05] [beta=0.05]
  [model=normalized|logistic|bayesian]
Settings for --resign:   movecount=3 score=1000 [twosided=true]
Settings for --draw:     movenumber=1 movecount=8 score=10

Flags of cutechess-cli and fastchess work as well: -engine, -each, -pgnout, -variant, -srand, …

Examples:
  zermelo match --engine name=deep --engine name=flat option.Searcher=mcts \\
      --each st=0.1 --openings random=4 --rounds 10 --record games.pgn --report games.html
  zermelo match --game tixtax-count --engine name=zermelo --engine name=bot cmd=./bot proto=codingame \\
      --each st=0.1 first=1 --openings first=2 --rounds 10
  zermelo match --game ugi --engine cmd=./a --engine cmd=./b --each tc=10+0.1 --rounds 50
  zermelo match --record games.pgn --resume
  zermelo match --rescore games.pgn
  zermelo match --config match.toml --only 1-100 --record part1.pgn
  zermelo match --merge part1.pgn part2.pgn --record games.pgn

Exit codes: 0 finished; 1 finished, but an engine failed and --strict is given, or the run failed
  (disk full, no more processes, a game of --rescore breaks the rules); 2 bad usage or an engine
  that does not start; 3 interrupted.";

/// The arguments that take a group of `KEY=VALUE` settings.
#[derive(Debug, Default)]
struct GroupArguments {
    engines: Vec<Vec<String>>,
    each: Option<Vec<String>>,
    openings: Option<Vec<String>>,
    sprt: Option<Vec<String>>,
    resign: Option<Vec<String>>,
    draw: Option<Vec<String>>,
}

impl clap::Args for GroupArguments {
    fn augment_args(command: clap::Command) -> clap::Command {
        let group = |name: &'static str, help: &'static str| {
            Arg::new(name).long(name).num_args(0..).value_name("KEY=VALUE").help(help)
        };
        command
            .arg(
                group("engine", "Add an engine; give this twice or more").action(ArgAction::Append),
            )
            .arg(group("each", "Settings of all engines; those of an engine override them"))
            .arg(group(
                "openings",
                "Source of openings [default: balanced random ones if there are several pairs]",
            ))
            .arg(group("sprt", "Stop when a sequential test of two engines reaches a decision"))
            .arg(group("resign", "Adjudicate a loss when an engine's score stays low"))
            .arg(group("draw", "Adjudicate a draw when both scores stay near zero"))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for GroupArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let all = |name: &str| -> Vec<Vec<String>> {
            let is_given = matches.value_source(name).is_some();
            match matches.get_occurrences::<String>(name) {
                Some(groups) => groups.map(|group| group.cloned().collect()).collect(),
                None if is_given => vec![Vec::new()],
                None => Vec::new(),
            }
        };
        let last = |name: &str| all(name).pop();
        Ok(Self {
            engines: all("engine"),
            each: last("each"),
            openings: last("openings"),
            sprt: last("sprt"),
            resign: last("resign"),
            draw: last("draw"),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn format_parser() -> impl clap::builder::TypedValueParser<Value = TournamentFormat> {
    use clap::builder::TypedValueParser;
    let names = TournamentFormat::NAMES.map(|(name, _)| name);
    clap::builder::PossibleValuesParser::new(names).map(|name| {
        let found = TournamentFormat::NAMES.into_iter().find(|(own, _)| *own == name);
        found.map_or(TournamentFormat::RoundRobin, |(_, format)| format)
    })
}

impl Arguments {
    /// Returns the settings of the `--config` file, overridden by those given here. Engines are taken
    /// from one of the two only.
    pub(super) fn settings(&self) -> Result<MatchSettings, SettingsError> {
        let mut settings = match &self.config {
            Some(path) => MatchSettings::read(path)?,
            None => MatchSettings::default(),
        };
        let groups = &self.groups;
        if !groups.engines.is_empty() {
            let engines = (1..)
                .zip(&groups.engines)
                .map(|(number, group)| split("--engine", &format!("--engine {number}"), group));
            settings.engines = engines.collect::<Result<_, _>>()?;
        }
        let group = |flag: &str, group: &Option<Vec<String>>| {
            group.as_ref().map(|group| split(flag, flag, group)).transpose()
        };
        settings.each = group("--each", &groups.each)?.or(settings.each);
        settings.openings = self.openings()?.or(settings.openings);
        settings.sprt = group("--sprt", &groups.sprt)?.or(settings.sprt);
        settings.resign = group("--resign", &groups.resign)?.or(settings.resign);
        settings.draw = group("--draw", &groups.draw)?.or(settings.draw);
        settings.tournament = self.tournament.or(settings.tournament);
        settings.rounds = self.rounds.or(settings.rounds);
        settings.games = self.games.or(settings.games);
        let repeat = if self.no_repeat { Some(false) } else { self.repeat };
        settings.repeat = repeat.or(settings.repeat);
        settings.concurrency = self.concurrency.or(settings.concurrency);
        settings.seed = self.seed.or(settings.seed);
        settings.maxmoves = self.maxmoves.or(settings.maxmoves);
        settings.recover |= self.recover;
        settings.patience = self.patience.or(settings.patience);
        settings.stall = self.stall.or(settings.stall);
        settings.record = self.record.clone().or(settings.record);
        settings.json = self.json.clone().or(settings.json);
        settings.report = self.report.clone().or(settings.report);
        Ok(settings)
    }

    fn openings(&self) -> Result<Option<OpeningSource>, SettingsError> {
        const FLAG: &str = "--openings";
        let Some(group) = &self.groups.openings else { return Ok(None) };
        Ok(Some(match group.as_slice() {
            [word] if word == OpeningSource::START => OpeningSource::Start,
            group => OpeningSource::KeyValues(split(FLAG, FLAG, group)?),
        }))
    }

    /// Takes the output files from the settings, which include those of the `--config` file.
    pub(super) fn set_output_files(&mut self, settings: &MatchSettings) {
        self.record.clone_from(&settings.record);
        self.json.clone_from(&settings.json);
        self.report.clone_from(&settings.report);
    }
}

/// Splits the arguments of a flag into keys and values; `label` names the flag in errors.
fn split(flag: &str, label: &str, arguments: &[String]) -> Result<KeyValues, SettingsError> {
    let locate = |source| SettingsError::KeyValue { flag: label.to_owned(), source };
    KeyValues::from_arguments(flag, arguments).map_err(locate)
}
