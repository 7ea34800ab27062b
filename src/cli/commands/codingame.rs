//! `zermelo codingame`: plays one game as a CodinGame bot.

use std::io;
use std::time::{Duration, Instant};

use crate::arena::games::game_choice::GameChoice;
use crate::cli::error::CliError;
use crate::cli::game_flag::CONTEST_GAME;
use crate::engine::codingame::{BotConfig, BotError, run_bot};
use crate::protocol::codingame::{TURN_LIMITS_MS, TurnError};
use crate::thinking::registry;

/// Play a game as a CodinGame bot
///
/// The game is tixtax-count, the rule of the contest, unless --game selects another. Each turn the
/// bot reads the opponent's move as ROW COL (-1 -1 if the bot begins), the number of legal moves and
/// the legal moves, and answers ROW COL. Rows are 0 to 8 from the top, columns 0 to 8 from the left.
/// It exits when the game is over.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    /// Time limit of the first turn in milliseconds
    #[arg(long, value_name = "MS", default_value_t = TURN_LIMITS_MS[0], value_parser = milliseconds())]
    first_ms: u64,

    /// Time limit of each later turn in milliseconds
    #[arg(long, value_name = "MS", default_value_t = TURN_LIMITS_MS[1], value_parser = milliseconds())]
    ms: u64,

    /// Part of each limit to keep in reserve [default: 30, at least a tenth and at most a third of the limit; more on a busy machine]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(0..=86_400_000))]
    margin_ms: Option<u64>,

    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MB", default_value_t = 16)]
    hash: usize,

    /// Set an option of the engine, such as "Skill Level=5"
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
}

const EXAMPLES: &str = "\
An unreadable line, an illegal move of the opponent, or input that ends before the game does ends
the program with a message and exit code 2. If the listed moves differ from the legal ones, the
difference is reported on stderr, and the bot chooses among the moves that are in both, or among
all legal ones if there is none.

Examples:
  zermelo codingame
  zermelo codingame --game tixtax --ms 50 --threads 2
  printf -- '-1 -1\\n1\\n4 4\\n' | zermelo codingame";

/// The options that other flags set.
const OTHER_FLAGS: [(&str, &str); 6] = [
    ("UCI_Variant", "--game"),
    ("Variant", "--game"),
    ("Threads", "--threads"),
    ("Hash", "--hash"),
    ("Log File", "--log"),
    ("Move Overhead", "--margin-ms"),
];

fn milliseconds() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=86_400_000)
}

fn parse_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    match OTHER_FLAGS.iter().find(|(option, _)| option.eq_ignore_ascii_case(&name)) {
        Some((_, flag)) => Err(format!("use {flag} instead")),
        None if name.eq_ignore_ascii_case("Ponder") => Err("a bot cannot ponder".to_owned()),
        None => Ok((name, value.trim().to_owned())),
    }
}

pub(super) fn run(flagged: Option<GameChoice>, arguments: &Arguments) -> Result<(), CliError> {
    let started = Instant::now();
    let game = match flagged {
        None => registry::find(CONTEST_GAME)?,
        flagged => crate::cli::resolve_game(flagged, None)?,
    };
    let Arguments { first_ms, ms, margin_ms, threads, hash, options } = arguments;
    let own = [("Threads", threads.to_string()), ("Hash", hash.to_string())];
    let own = own.map(|(name, value)| (name.to_owned(), value));
    let config = BotConfig {
        game,
        first_time: Duration::from_millis(*first_ms),
        turn_time: Duration::from_millis(*ms),
        fixed_margin: margin_ms.map(Duration::from_millis),
        started,
        options: own.into_iter().chain(options.iter().cloned()).collect(),
    };
    if let Some(margin) = margin_ms
        && margin >= first_ms.min(ms)
    {
        let reason = format!(
            "--margin-ms {margin} leaves no time to think, expected less than --ms and --first-ms"
        );
        return Err(CliError::Usage(reason));
    }
    let warn = |message: &str| crate::cli::print_error(&message);
    run_bot(io::stdin().lock(), io::stdout(), warn, &config).map_err(|error| match error {
        BotError::Turn(TurnError::Io(error)) | BotError::Output(error) => CliError::Io(error),
        BotError::Engine(error) => CliError::Input(error),
        error => CliError::Bot(error),
    })
}
