//! The command-line arguments of `zermelo match`, and the tournament that they describe.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use super::files::MatchFiles;
use crate::arena::engines::engine_setup::{EngineSetup, Protocol, Timeouts};
use crate::arena::engines::key_values::{KeyValueError, KeyValues};
use crate::arena::games::adjudication::{Adjudication, DrawRule, ResignRule};
use crate::arena::games::game_choice::GameChoice;
use crate::arena::tournament::tournament_setup::{
    MAX_CONCURRENCY, MAX_COUNT, OpeningSetup, TournamentFormat, TournamentSetup, UGI_MAX_MOVES,
    sprt_from_key_values,
};
use crate::cli::engine_settings::EngineGroups;
use crate::cli::error::CliError;
use crate::cli::parse_seconds;
use crate::statistics::Sprt;

/// Play engines against each other: matches, gauntlets, round robins, SPRT
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    engines: EngineGroups,
    /// Settings of all engines; those of an engine override them
    #[arg(long, value_name = "KEY=VALUE", num_args = 0.., action = clap::ArgAction::Set)]
    each: Option<Vec<String>>,
    /// Source of openings [default: balanced random ones if there are several pairs]
    #[arg(long, value_name = "KEY=VALUE", num_args = 0.., action = clap::ArgAction::Set)]
    pub(super) openings: Option<Vec<String>>,
    /// Stop when a sequential test of two engines reaches a decision
    #[arg(long, value_name = "KEY=VALUE", num_args = 0.., action = clap::ArgAction::Set)]
    sprt: Option<Vec<String>>,
    /// Adjudicate a loss when an engine's score stays low
    #[arg(long, value_name = "KEY=VALUE", num_args = 0.., action = clap::ArgAction::Set)]
    resign: Option<Vec<String>>,
    /// Adjudicate a draw when both scores stay near zero
    #[arg(long, value_name = "KEY=VALUE", num_args = 0.., action = clap::ArgAction::Set)]
    draw: Option<Vec<String>>,

    /// Tournament format
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), default_value = "roundrobin")]
    tournament: TournamentFormat,
    /// Number of rounds
    #[arg(long, value_name = "N", value_parser = count_parser(), default_value_t = 1)]
    rounds: u32,
    /// Games per encounter in each round
    #[arg(long, value_name = "N", value_parser = count_parser(), default_value_t = 2)]
    games: u32,
    /// Play a different opening in each game, instead of each one twice with sides swapped
    #[arg(long)]
    no_repeat: bool,
    /// Number of games to play at the same time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_CONCURRENCY as i64), default_value_t = 1)]
    concurrency: u16,
    /// Seed for openings and engines
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// Adjudicate a draw after N moves by each player [default: 1000 with --game ugi]
    #[arg(long, value_name = "N", value_parser = count_parser())]
    maxmoves: Option<u32>,
    /// Restart an engine that fails; without this, it forfeits its remaining games
    #[arg(long)]
    recover: bool,
    /// Seconds to wait for a reply that needs no search
    #[arg(long, alias = "patience", value_name = "SECONDS")]
    #[arg(value_parser = parse_seconds, default_value = "10")]
    reply_timeout: Duration,
    /// Seconds to wait for a move without a time limit
    #[arg(long, alias = "stall", value_name = "SECONDS")]
    #[arg(value_parser = parse_seconds, default_value = "600")]
    move_timeout: Duration,

    #[command(flatten)]
    pub(super) files: MatchFiles,
    /// Exit with code 1 if an engine failed in any game of the match
    #[arg(long, conflicts_with = "dry_run")]
    pub(super) strict: bool,
    /// Replay the games of a record, check them against the rules and print the standings
    #[arg(long, alias = "rescore", value_name = "FILE")]
    #[arg(group = "played", conflicts_with_all = OF_NEW_GAMES, conflicts_with = "record")]
    pub(super) check_record: Option<PathBuf>,

    /// Play only the games with these numbers (a shard); --merge joins shards
    #[arg(long, alias = "only", value_name = "FROM-TO", value_parser = super::shards::parse_range)]
    pub(super) game_range: Option<RangeInclusive<u32>>,
    /// Print the number of games and the header of the record as JSON, without playing
    #[arg(long, alias = "plan", conflicts_with = "game_range")]
    pub(super) dry_run: bool,
    /// Merge the records of shards into --record or --jsonl and print the standings
    #[arg(long, value_name = "FILE", num_args = 1.., group = "played", conflicts_with_all = OF_NEW_GAMES)]
    pub(super) merge: Vec<PathBuf>,
    /// With --merge or --check-record, print the result and the decision of --sprt as a line of JSON
    #[arg(long, alias = "verdict", requires = "played")]
    pub(super) summary_json: bool,
}

/// The arguments that have no effect on games that were played.
const OF_NEW_GAMES: [&str; 18] = [
    "engine",
    "each",
    "openings",
    "resign",
    "draw",
    "tournament",
    "rounds",
    "games",
    "no_repeat",
    "concurrency",
    "seed",
    "maxmoves",
    "recover",
    "reply_timeout",
    "move_timeout",
    "strict",
    "game_range",
    "dry_run",
];

const USAGE: &str = "\
zermelo match --engine [KEY=VALUE]... --engine [KEY=VALUE]... [--each st=SECONDS|tc=TIME+INC|nodes=N] [OPTIONS]
       zermelo match --check-record FILE
       zermelo match --merge FILE...";

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
  firsttime=SECONDS    time for the first move of a game (needs st=)
                   [default: st=0.1; with proto=codingame st=0.1 firsttime=1]
  timemargin=MS    tolerated time overrun [default: 50]
  stderr=FILE      append the engine's standard error to this file
Settings for --openings: start, or file=FILE [order=sequential|random] [start=N] [plies=N],
  or random=PLIES [balanced=true|mixed], or random-moves=N: the start position, then N random moves for each
  engine that can be given a position (for matches with proto=codingame)
Settings for --sprt:     elo0=E elo1=E [alpha=0.05] [beta=0.05]
  [model=normalized|logistic]
Settings for --resign:   movecount=3 score=1000 [twosided=true]
Settings for --draw:     movenumber=1 movecount=8 score=10

Examples:
  zermelo match --engine name=deep --engine name=flat option.Searcher=mcts \\
      --each st=0.1 --openings random=4 --rounds 10 --record games.pgn --report games.html
  zermelo match --game tixtax-count --engine name=zermelo --engine name=bot cmd=./bot proto=codingame \\
      --each st=0.1 firsttime=1 --openings random-moves=2 --rounds 10
  zermelo match --game ugi --engine cmd=./a --engine cmd=./b --each tc=10+0.1 --rounds 50
  zermelo match --check-record games.pgn
  zermelo match --engine cmd=./a --engine cmd=./b --each st=1 --rounds 50 --game-range 1-50 --record part1.pgn
  zermelo match --merge part1.pgn part2.pgn --record games.pgn

Exit codes: 0 finished; 1 finished, but an engine failed and --strict is given, or the run failed
  (disk full, no more processes, a game of --check-record breaks the rules); 2 bad usage or an engine
  that does not start; 3 interrupted.";

fn count_parser() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=i64::from(MAX_COUNT))
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

impl Arguments {
    /// Returns the tournament that the arguments describe. `game` is that of `--game`, and `earlier` the
    /// setup of the record to resume, if there is one: without `--openings`, a record that uses the start
    /// position or the default random openings keeps them; any other gets the defaults.
    pub(super) fn setup(
        &self,
        game: Option<GameChoice>,
        earlier: Option<&TournamentSetup>,
    ) -> Result<TournamentSetup, CliError> {
        let game = game.unwrap_or_default();
        let openings = self.openings.as_ref().map(|words| {
            OpeningSetup::from_arguments(words).map_err(CliError::at_flag("--openings"))
        });
        // Engine-defined rules may never end a game.
        let maxmoves = (game == GameChoice::EngineDefined).then_some(UGI_MAX_MOVES);
        let mut setup = TournamentSetup {
            game,
            tournament: self.tournament,
            engines: self.engines(game)?,
            rounds: self.rounds,
            games: self.games,
            repeat: !self.no_repeat,
            openings: openings.transpose()?.unwrap_or(OpeningSetup::Start),
            openings_digest: None,
            seed: self.seed,
            adjudication: Adjudication {
                resign: read("--resign", self.resign.as_deref(), ResignRule::from_key_values)?,
                draw: read("--draw", self.draw.as_deref(), DrawRule::from_key_values)?,
                maxmoves: self.maxmoves.or(maxmoves),
            },
            sprt: self.sprt()?,
            ladder: None,
            recover: self.recover,
            concurrency: self.concurrency.into(),
            timeouts: Timeouts { reply: self.reply_timeout, search: self.move_timeout },
        };
        if self.openings.is_none() {
            let needs_several = setup.rounds > 1 || setup.openings_per_pairing() > 1;
            // A CodinGame bot cannot be given an opening.
            let can_be_set = setup.engines.iter().all(|engine| engine.proto.sets_positions());
            setup.openings = match earlier.map(|earlier| &earlier.openings) {
                Some(own) if *own == OpeningSetup::Start => OpeningSetup::Start,
                Some(own) if *own == OpeningSetup::by_default(game, true) => own.clone(),
                _ => OpeningSetup::by_default(game, needs_several && can_be_set),
            };
        }
        setup.check().map_err(CliError::Usage)?;
        Ok(setup)
    }

    /// Returns the sequential test, if one is given.
    pub(super) fn sprt(&self) -> Result<Option<Sprt>, CliError> {
        read("--sprt", self.sprt.as_deref(), sprt_from_key_values)
    }

    fn engines(&self, game: GameChoice) -> Result<Vec<EngineSetup>, CliError> {
        let protocol =
            if game == GameChoice::EngineDefined { Protocol::Ugi } else { Protocol::Uci };
        let at_each = CliError::at_flag("--each");
        let each = KeyValues::from_arguments("--each", self.each.as_deref().unwrap_or_default())
            .map_err(&at_each)?;
        EngineSetup::check_each(&each, protocol).map_err(at_each)?;
        let mut engines = Vec::new();
        for (number, words) in (1..).zip(&self.engines.0) {
            let own = KeyValues::from_arguments("--engine", words);
            let engine = own.and_then(|own| EngineSetup::from_key_values(&each, &own, protocol));
            engines.push(engine.map_err(CliError::at_flag(&format!("--engine {number}")))?);
        }
        assign_names(&mut engines);
        Ok(engines)
    }
}

/// Reads the `KEY=VALUE` words of a flag, if it is given.
fn read<T>(
    flag: &str,
    words: Option<&[String]>,
    parse: impl FnOnce(&KeyValues) -> Result<T, KeyValueError>,
) -> Result<Option<T>, CliError> {
    let Some(words) = words else { return Ok(None) };
    let read = KeyValues::from_arguments(flag, words).and_then(|values| parse(&values));
    read.map(Some).map_err(CliError::at_flag(flag))
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
