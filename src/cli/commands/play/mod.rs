//! `zermelo play`: interactive play at a terminal, or scripted through a pipe.

mod console;
mod signals;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::ValueEnum;
use clap::builder::PossibleValuesParser;

use self::console::Terminal;
use crate::arena::games::game_choice::GameChoice;
use crate::cli::GameParser;
use crate::cli::error::CliError;
use crate::interact::PlayerKind;
use crate::interact::levels::{DEFAULT_LEVEL, NAMED_LEVELS, level_name, parse_level};
use crate::language::Language;
use crate::printing::quote;
use crate::teaching::lessons::{Lesson, lessons};
use crate::terminal::{Controller, PlayError, PlayOptions};
use crate::thinking::puzzles::{MAX_DIFFICULTY, PuzzleSelection};
use crate::thinking::{GameSpec, SearchRequest};

/// Play against the engine or another person
///
/// Prompts for the opponent and the first move if no option sets them, and for the game and the level
/// if no game is named either. Type moves and commands at the prompt; `help` lists them.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    #[arg(help = crate::cli::game_help(), value_name = "GAME", value_parser = GameParser, hide_possible_values = true)]
    id: Option<GameChoice>,

    /// Opponent
    #[arg(long, value_name = "OPPONENT")]
    opponent: Option<Opponent>,

    /// Player of the first move
    #[arg(long = "starts", alias = "first", value_name = "PLAYER")]
    first: Option<FirstMover>,

    #[arg(long, value_name = "LEVEL", help = level_help(), long_help = level_long_help(),
          value_parser = parse_level)]
    level: Option<u32>,

    /// Warn before a move that loses at least 0.20 of the expected score, and offer to take it back
    ///
    /// A script is warned, too, but its move is played.
    #[arg(long)]
    coach: bool,

    /// Thinking time of the engine per move in milliseconds; solved positions take no time
    #[arg(long, value_name = "MS", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: u64,

    /// Start from this position (a FEN or `startpos`)
    #[arg(long, value_name = "FEN", conflicts_with = "random")]
    fen: Option<String>,

    /// Start from a random position; the same seed gives the same position
    #[arg(long, value_name = "SEED", num_args = 0..=1)]
    random: Option<Option<u64>>,

    /// Learn the game step by step instead of playing, from this lesson on (its number or name)
    #[arg(long, value_name = "LESSON", num_args = 0..=1,
          conflicts_with_all = ["fen", "random", "opponent", "first", "level", "coach", "puzzles"])]
    lessons: Option<Option<String>>,

    /// Solve puzzles instead of playing: find the only move that keeps the value
    #[arg(long, conflicts_with_all = ["fen", "random", "opponent", "first", "level", "coach"])]
    puzzles: bool,

    /// Only puzzles of this difficulty
    #[arg(long, value_name = "1-5", requires = "puzzles",
          value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_DIFFICULTY)))]
    difficulty: Option<u8>,

    /// Random seed of the puzzles; the same seed gives the same puzzles
    #[arg(long, value_name = "S", requires = "puzzles")]
    seed: Option<u64>,

    /// Use ASCII for boards, and no colours
    #[arg(long)]
    ascii: bool,

    /// Language [default: from the locale]
    #[arg(long, value_name = "LANGUAGE", value_parser = language_codes())]
    lang: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Opponent {
    Engine,
    Human,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FirstMover {
    Me,
    Engine,
}

const EXAMPLES: &str = "\
Examples:
  zermelo play
  zermelo play nim --starts engine --level casual
  zermelo play tictactoe --opponent human
  zermelo play tictactoe --lessons forks
  zermelo play tixtax --puzzles --difficulty 3
  printf 'b2\\na1\\nquit\\n' | zermelo play tictactoe --opponent human";

pub(super) fn run(flagged: Option<GameChoice>, arguments: &Arguments) -> Result<(), CliError> {
    let is_lesson_named = matches!(arguments.lessons, Some(Some(_)));
    let asks_game =
        flagged.is_none() && arguments.id.is_none() && arguments.fen.is_none() && !is_lesson_named;
    let game = crate::cli::resolve_game(flagged, arguments.id)?;
    if arguments.opponent == Some(Opponent::Human) && arguments.first.is_some() {
        let reason = "it selects between you and the engine";
        let error = format!("--starts cannot be used with --opponent human: {reason}");
        return Err(CliError::Usage(error));
    }
    let lessons = match &arguments.lessons {
        Some(Some(name)) => Some(lesson_index(game, name)?),
        Some(None) => Some(0),
        None => None,
    };
    let opponent = arguments.opponent.map(|opponent| match opponent {
        Opponent::Engine => PlayerKind::Engine,
        Opponent::Human => PlayerKind::Human,
    });
    let language = select_language(arguments.lang.as_deref());
    let options = PlayOptions {
        game,
        // `--starts` implies playing against the engine.
        opponent: opponent.or(arguments.first.map(|_| PlayerKind::Engine)),
        first_mover: arguments.first.map(|first| match first {
            FirstMover::Me => PlayerKind::Human,
            FirstMover::Engine => PlayerKind::Engine,
        }),
        asks_game,
        level: arguments.level.unwrap_or(DEFAULT_LEVEL),
        asks_level: asks_game && arguments.level.is_none(),
        coach: arguments.coach,
        move_time: Duration::from_millis(arguments.movetime),
        fen: arguments.fen.clone(),
        is_random: arguments.random.is_some(),
        lessons,
        puzzles: arguments.puzzles.then(|| PuzzleSelection {
            seed: arguments.seed.unwrap_or_else(short_random_seed),
            difficulty: arguments.difficulty,
        }),
        seed: arguments.random.flatten().unwrap_or_else(short_random_seed),
        language,
    };
    let mut terminal =
        Terminal::new(arguments.ascii, language.text("status.confirmQuit").to_owned())?;
    let controller =
        Controller::new(&mut terminal, options).map_err(|error| to_cli_error(game, error))?;
    controller.run().map_err(|error| to_cli_error(game, error))
}

fn to_cli_error(game: &GameSpec, error: PlayError) -> CliError {
    match error {
        PlayError::Engine(error) => CliError::from_position(game.id, error),
        PlayError::Lessons(error) => CliError::Usage(error.to_string()),
        PlayError::Io(error) => CliError::Io(error),
    }
}

fn lesson_index(game: &GameSpec, name: &str) -> Result<usize, CliError> {
    let lessons = lessons(game).map_err(|error| CliError::Usage(error.to_string()))?;
    let is_named = |(index, lesson): (usize, &Lesson)| {
        lesson.id.eq_ignore_ascii_case(name) || name.parse() == Ok(index + 1)
    };
    lessons.iter().enumerate().position(is_named).ok_or_else(|| {
        let names: Vec<&str> = lessons.iter().map(|lesson| lesson.id.as_str()).collect();
        let (found, names, count) = (quote(name), names.join(", "), lessons.len());
        let expected = format!("expected 1 to {count} or one of {names}");
        CliError::Usage(format!("{} has no lesson {found}, {expected}", game.id))
    })
}

fn level_help() -> String {
    let strongest = SearchRequest::<String>::MAX_SKILL;
    format!(
        "Strength of the engine: 0 to {strongest}, or a name; start weak and go up [default: {DEFAULT_LEVEL}]"
    )
}

fn level_long_help() -> String {
    let name = |level| format!("{} ({level})", level_name(level, Language::English));
    format!(
        "{}\n\nThe levels are those of the option `Skill Level`. Names: {}.",
        level_help(),
        NAMED_LEVELS.map(name).join(", ")
    )
}

/// A seed of at most five digits, easy to retype.
fn short_random_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) / 1000 % 100_000
}

pub(super) fn language_codes() -> PossibleValuesParser {
    PossibleValuesParser::new(Language::ALL.map(|(code, _)| code))
}

pub(super) fn select_language(code: Option<&str>) -> Language {
    let variable = |name| std::env::var(name).ok().filter(|text| !text.is_empty());
    let locale = || ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(variable);
    let locale = code.map(str::to_owned).or_else(locale);
    Language::from_locale(&locale.unwrap_or_default())
}
