//! `zermelo rate`: how strong is an engine? A match against references of known strength.

use std::path::PathBuf;
use std::time::Duration;

use super::r#match::{Match, MatchFiles};
use crate::arena::engines::engine_setup::{EngineSetup, Timeouts};
use crate::arena::games::adjudication::Adjudication;
use crate::arena::games::game_choice::GameChoice;
use crate::arena::tournament::tournament_setup::{
    MAX_CONCURRENCY, MAX_COUNT, OpeningSetup, TournamentFormat, TournamentSetup,
};
use crate::cli::engine_settings::read_engine;
use crate::cli::error::{CliError, INTERRUPTED};
use crate::cli::signals::StopSignal;
use crate::scale::references::{self, rated_games};

/// Rate an engine: games against references of known strength, Elo with its interval
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    /// Engine to rate, with the keys of match
    #[arg(long, value_name = "KEY=VALUE", num_args = 0.., required = true)]
    engine: Vec<String>,
    /// More settings of the engine, as in match; the references have their own
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..)]
    each: Vec<String>,

    /// Stop when the 95 % interval is at most plus or minus this many Elo
    #[arg(long, value_name = "ELO", value_parser = parse_precision, default_value = "25")]
    precision: f64,
    /// Stop after this many games (odd numbers are rounded down); a resumed run may raise it, not lower it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=i64::from(MAX_COUNT)), default_value_t = 1500)]
    max_games: u32,
    /// Number of games to play at the same time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_CONCURRENCY as i64), default_value_t = 1)]
    concurrency: u16,
    /// Seed for openings and engines
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// Seconds to wait for a reply that needs no search
    #[arg(long, alias = "patience", value_name = "SECONDS")]
    #[arg(value_parser = crate::cli::parse_seconds, default_value = "10")]
    reply_timeout: Duration,
    /// Seconds to wait for a move without a time limit
    #[arg(long, alias = "stall", value_name = "SECONDS")]
    #[arg(value_parser = crate::cli::parse_seconds, default_value = "600")]
    move_timeout: Duration,

    /// Append each game to this record; run the same command again to resume
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write an HTML report with tables, plots and a board viewer
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Print the rating as a JSON object and nothing else
    #[arg(long)]
    json: bool,
}

/// The moves that the runner chooses for the opponents of a bot that cannot be given a position.
const BOOK_MOVES: usize = 2;

const EXAMPLES: &str = "\
The opponents are the levels 0 to 20, random and MCTS with 100 to 1000000 playouts, all of them this
program. The most informative opponent plays next; openings are balanced and unbalanced in turn.
A fault loses its game. docs/rating.md describes the scale.

Examples:
  zermelo rate --engine cmd=./my-engine --record rating.pgn
  zermelo rate --game tixtax-count --engine cmd=./bot proto=codingame --record rating.pgn
  zermelo rate --engine cmd=./my-engine proto=ugi --each nodes=1000 --precision 50 --json

Exit codes: 0 finished; 1 the run failed; 2 bad usage or an engine that does not start; 3 interrupted.";

fn parse_precision(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|elo: &f64| (1.0..=1000.0).contains(elo));
    number.ok_or_else(|| "expected a number of Elo from 1 to 1000".to_owned())
}

/// The node limit of the levels: that of level 20, which the levels below it do not reach.
const LEVEL_NODES: u32 = 64 << 12;

/// The playouts from which on MCTS needs more than the default memory.
const MANY_PLAYOUTS: usize = 1_000_000;

fn reference_engine(name: &str) -> Result<EngineSetup, CliError> {
    let mut settings = vec![format!("name={name}")];
    match name.split_once('-') {
        Some(("level", level)) => {
            settings
                .extend([format!("option.Skill Level={level}"), format!("nodes={LEVEL_NODES}")]);
        }
        Some((_, playouts)) => {
            settings.extend(["option.Searcher=mcts".to_owned(), format!("nodes={playouts}")]);
            if playouts.parse().is_ok_and(|playouts: usize| playouts >= MANY_PLAYOUTS) {
                settings.push("option.Hash=128".to_owned());
            }
        }
        None => settings.extend(["option.Searcher=random", "nodes=1"].map(str::to_owned)),
    }
    read_engine(&[], &settings)
}

pub(super) fn run(
    game: Option<GameChoice>,
    arguments: &Arguments,
    log: Option<&str>,
) -> Result<(), CliError> {
    let signal = StopSignal::install(INTERRUPTED.into())?;
    let game = game.unwrap_or_default();
    let Some((names, ladder)) = references::ladder(game.name(), arguments.precision) else {
        let rated = rated_games().join(" or --game ");
        let reason = format!("{} has no scale of ratings, expected --game {rated}", game.name());
        return Err(CliError::Usage(reason));
    };
    let references = names.into_iter().map(reference_engine).collect::<Result<Vec<_>, _>>()?;
    let engine = read_engine(&arguments.each, &arguments.engine)?;
    let openings = match game {
        GameChoice::Known(known) if engine.proto.sets_positions() => {
            OpeningSetup::Mixed { plies: known.opening_plies }
        }
        _ => OpeningSetup::RandomMoves { moves: BOOK_MOVES },
    };
    let setup = TournamentSetup {
        game,
        tournament: TournamentFormat::Ladder,
        engines: [vec![engine], references].concat(),
        rounds: arguments.max_games / 2,
        games: 2,
        repeat: true,
        openings,
        openings_digest: None,
        seed: arguments.seed,
        adjudication: Adjudication::default(),
        sprt: None,
        ladder: Some(ladder),
        recover: true,
        concurrency: arguments.concurrency.into(),
        timeouts: Timeouts { reply: arguments.reply_timeout, search: arguments.move_timeout },
    };
    setup.check().map_err(CliError::Usage)?;
    let (record, report) = (arguments.record.clone(), arguments.report.clone());
    let files = MatchFiles { record, jsonl: None, report };
    files.check(&setup, log)?;
    let mut played = Match::open(setup, files, None, &signal)?;
    played.display.prints_json = arguments.json;
    played.play().map(drop)
}
