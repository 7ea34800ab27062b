//! The command-line arguments of `zermelo match`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches};

use crate::arena::engines::key_values::KeyValues;
use crate::arena::tournament::settings::{MatchSettings, OpeningSource, SettingsError};

/// Play engines against each other: matches, gauntlets, round robins, SPRT
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    given: GivenSettings,

    /// Read settings from a file; the command line overrides them
    #[arg(long, value_name = "FILE.toml")]
    pub(super) config: Option<PathBuf>,
    /// Exit with code 1 if an engine failed in any game of the match
    #[arg(long, conflicts_with = "plan")]
    pub(super) strict: bool,
    /// Replay the games of a record, check them against the rules and print the standings
    #[arg(long, value_name = "FILE")]
    pub(super) rescore: Option<PathBuf>,

    /// Play only the games with these numbers (a shard); --merge joins shards
    #[arg(long, value_name = "FROM-TO", value_parser = super::shards::parse_range)]
    pub(super) only: Option<RangeInclusive<u32>>,
    /// Print the number of games and the header of the record as JSON, without playing
    #[arg(long, conflicts_with = "only")]
    pub(super) plan: bool,
    /// Merge the records of shards into --record or --json and print the standings
    #[arg(long, value_name = "FILE", num_args = 1..)]
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
                   [default with proto=codingame: st=0.1 first=1]
  timemargin=MS    tolerated time overrun [default: 50]
  ponder=true      think on the opponent's time (needs proto=uci)
  stderr=FILE      append the engine's standard error to this file
Settings for --openings: start, or file=FILE [order=sequential|random] [start=N] [plies=N],
  or random=PLIES [balanced=true|alternate], or first=N: the start position, then N random moves for each
  engine that can be given a position (for matches with proto=codingame)
Settings for --sprt:     elo0=E elo1=E [alpha=0.05] [beta=0.05]
  [model=normalized|logistic]
Settings for --resign:   movecount=3 score=1000 [twosided=true]
Settings for --draw:     movenumber=1 movecount=8 score=10

Examples:
  zermelo match --engine name=deep --engine name=flat option.Searcher=mcts \\
      --each st=0.1 --openings random=4 --rounds 10 --record games.pgn --report games.html
  zermelo match --game tixtax-count --engine name=zermelo --engine name=bot cmd=./bot proto=codingame \\
      --each st=0.1 first=1 --openings first=2 --rounds 10
  zermelo match --game ugi --engine cmd=./a --engine cmd=./b --each tc=10+0.1 --rounds 50
  zermelo match --rescore games.pgn
  zermelo match --config match.toml --only 1-100 --record part1.pgn
  zermelo match --merge part1.pgn part2.pgn --record games.pgn

Exit codes: 0 finished; 1 finished, but an engine failed and --strict is given, or the run failed
  (disk full, no more processes, a game of --rescore breaks the rules); 2 bad usage or an engine
  that does not start; 3 interrupted.";

/// The arguments for [`MatchSettings`], kept until the file that they override has been read.
#[derive(Debug, Default)]
struct GivenSettings(ArgMatches);

impl Args for GivenSettings {
    fn augment_args(mut command: clap::Command) -> clap::Command {
        for (name, help) in [
            ("engine", "Add an engine; give this twice or more"),
            ("each", "Settings of all engines; those of an engine override them"),
            (
                "openings",
                "Source of openings [default: balanced random ones if there are several pairs]",
            ),
            ("sprt", "Stop when a sequential test of two engines reaches a decision"),
            ("resign", "Adjudicate a loss when an engine's score stays low"),
            ("draw", "Adjudicate a draw when both scores stay near zero"),
        ] {
            let action = if name == "engine" { ArgAction::Append } else { ArgAction::Set };
            let group = Arg::new(name).long(name).num_args(0..).value_name("KEY=VALUE");
            command = command.arg(group.help(help).action(action));
        }
        MatchSettings::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for GivenSettings {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(matches.clone()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0 = matches.clone();
        Ok(())
    }
}

impl GivenSettings {
    /// Returns the groups of keys and values behind each use of a flag.
    fn groups(&self, name: &str) -> Vec<Vec<String>> {
        let given = self.0.get_occurrences::<String>(name).into_iter().flatten();
        let groups: Vec<_> = given.map(|group| group.cloned().collect()).collect();
        let is_empty = groups.is_empty() && self.0.value_source(name).is_some();
        if is_empty { vec![Vec::new()] } else { groups }
    }

    fn group(&self, name: &str) -> Result<Option<KeyValues>, SettingsError> {
        let flag = format!("--{name}");
        self.groups(name).pop().map(|group| split(&flag, &flag, &group)).transpose()
    }
}

impl Arguments {
    /// Returns the settings of the `--config` file, overridden by those given here. Engines are taken
    /// from one of the two only.
    pub(super) fn settings(&self) -> Result<MatchSettings, SettingsError> {
        let mut settings = match &self.config {
            Some(path) => MatchSettings::read(path)?,
            None => MatchSettings::default(),
        };
        let given = &self.given;
        settings
            .update_from_arg_matches(&given.0)
            .map_err(|error| SettingsError::Invalid(error.to_string()))?;
        let engines = given.groups("engine");
        if !engines.is_empty() {
            let engines = (1..)
                .zip(&engines)
                .map(|(number, group)| split("--engine", &format!("--engine {number}"), group));
            settings.engines = engines.collect::<Result<_, _>>()?;
        }
        let openings = match given.groups("openings").pop() {
            Some(group) if group == [OpeningSource::START] => Some(OpeningSource::Start),
            _ => given.group("openings")?.map(OpeningSource::KeyValues),
        };
        settings.openings = openings.or(settings.openings);
        settings.each = given.group("each")?.or(settings.each);
        settings.sprt = given.group("sprt")?.or(settings.sprt);
        settings.resign = given.group("resign")?.or(settings.resign);
        settings.draw = given.group("draw")?.or(settings.draw);
        Ok(settings)
    }

    /// Refuses arguments that have no effect on games that were played, other than those with the
    /// names in `allowed`. `flag` is the one that names the games.
    pub(super) fn allow_only(&self, allowed: &[&str], flag: &str) -> Result<(), SettingsError> {
        let command = Self::augment_args(clap::Command::new("match"));
        let mut given = command.get_arguments().filter(|argument| {
            let source = self.given.0.value_source(argument.get_id().as_str());
            source == Some(ValueSource::CommandLine)
        });
        let refused =
            given.find_map(|argument| argument.get_long().filter(|name| !allowed.contains(name)));
        refused.map_or(Ok(()), |name| {
            let reason = format!(
                "--{name} cannot be used with {flag}, which only reads games that were played; \
                 leave it out"
            );
            Err(SettingsError::Invalid(reason))
        })
    }
}

/// Splits the arguments of a flag into keys and values; `label` names the flag in errors.
fn split(flag: &str, label: &str, arguments: &[String]) -> Result<KeyValues, SettingsError> {
    KeyValues::from_arguments(flag, arguments)
        .map_err(|error| SettingsError::at_flag(label, &error))
}
