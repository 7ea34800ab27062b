//! `zermelo play`: a person at the terminal, or a script at a pipe.

mod console;
mod signals;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::ValueEnum;
use clap::builder::PossibleValuesParser;

use self::console::Terminal;
use super::{CliError, GameParser};
use crate::arena::referee::Rules;
use crate::engine::{ThinkOptions, registry};
use crate::play::messages::{Language, Message};
use crate::play::{First, Host, PlayError, Start, Wishes};

/// Play against the engine or another person
///
/// What is not said by options is asked. Moves and commands are typed; `help` lists them.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[arg(help = super::games(), value_name = "GAME", value_parser = GameParser, hide_possible_values = true)]
    id: Option<Rules>,

    /// Whom you play
    #[arg(long, value_name = "WHOM")]
    opponent: Option<Opponent>,

    /// Who makes the first move
    #[arg(long, value_name = "WHO")]
    first: Option<Beginner>,

    /// How well the engine plays: from 0, a beginner, to 20, nothing held back
    #[arg(long, value_name = "LEVEL", default_value_t = ThinkOptions::MAX_SKILL,
          value_parser = clap::value_parser!(u32).range(..=i64::from(ThinkOptions::MAX_SKILL)))]
    level: u32,

    /// Milliseconds the engine takes for a move, where it does not know the answer
    #[arg(long, value_name = "MS", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: u64,

    /// Begin in this position, or in `startpos`
    #[arg(long, value_name = "FEN", conflicts_with = "random")]
    fen: Option<String>,

    /// Begin in a random position, the same for the same seed; where a game is played so, as nim, it
    /// begins so anyway
    #[arg(long, value_name = "SEED", num_args = 0..=1)]
    random: Option<Option<u64>>,

    /// Draw with ASCII and without colours
    #[arg(long)]
    ascii: bool,

    /// The language [default: that of the locale]
    #[arg(long, value_name = "LANGUAGE", value_parser = languages())]
    lang: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Opponent {
    Engine,
    Human,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Beginner {
    Me,
    Engine,
}

const EXAMPLES: &str = "\
Examples:
  zermelo play
  zermelo play nim --first engine --level 5
  zermelo play tictactoe --opponent human
  printf 'b2\\na1\\nquit\\n' | zermelo play tictactoe --opponent human";

pub(super) fn run(flagged: Option<Rules>, arguments: &Arguments) -> Result<(), CliError> {
    let game = super::resolve_game(flagged, arguments.id)?;
    let start = match (&arguments.fen, arguments.random) {
        (Some(fen), _) => Start::Fen(fen.clone()),
        (None, Some(_)) => Start::Random,
        (None, None) => Start::Usual,
    };
    if arguments.opponent == Some(Opponent::Human) && arguments.first.is_some() {
        return Err(CliError::FirstWithoutEngine);
    }
    let against_person = arguments.opponent.map(|opponent| opponent == Opponent::Human);
    let language = language(arguments.lang.as_deref());
    let wishes = Wishes {
        game,
        // Who says who begins has said that there are two kinds of players.
        against_person: against_person.or(arguments.first.map(|_| false)),
        first: arguments.first.map(|first| match first {
            Beginner::Me => First::Me,
            Beginner::Engine => First::Engine,
        }),
        level: arguments.level,
        time: Duration::from_millis(arguments.movetime),
        start,
        seed: arguments.random.flatten().unwrap_or_else(any_seed),
        language,
    };
    let mut terminal = Terminal::new(arguments.ascii, language.say(&Message::ReallyQuit))?;
    let host = Host::new(&mut terminal, wishes).map_err(|error| refusal(game, error))?;
    host.run().map_err(|error| refusal(game, error))
}

fn refusal(game: &registry::GameEntry, error: PlayError) -> CliError {
    match error {
        PlayError::Position(source) => CliError::Position { game: game.id, source },
        PlayError::Io(error) => CliError::Io(error),
    }
}

/// A seed that is easy to type again.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) / 1000 % 100_000
}

/// The languages by their names.
fn languages() -> PossibleValuesParser {
    PossibleValuesParser::new(Language::ALL.map(|(name, _)| name))
}

/// The one that is wished, or that of the locale.
fn language(wished: Option<&str>) -> Language {
    let set = |name| std::env::var(name).ok().filter(|text| !text.is_empty());
    let locale = || ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set);
    wished.map_or_else(|| Language::of_locale(&locale().unwrap_or_default()), Language::of_locale)
}
