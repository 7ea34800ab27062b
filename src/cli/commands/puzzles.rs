//! `zermelo puzzles`: positions with exactly one right move.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::cli::error::CliError;
use crate::cli::progress::ProgressLine;
use crate::cli::terminal::print_heading;
use crate::search::SearchControl;
use crate::thinking::GameSpec;
use crate::thinking::puzzles::{
    MAX_DIFFICULTY, MAX_FRUITLESS_POSITIONS, Puzzle, PuzzleSelection, PuzzleShortage,
};

const SCHEMA: u32 = 1;

/// All positions examined are kept in memory.
const MAX_COUNT: u64 = 1_000_000;

/// Generate puzzles: positions in which exactly one move keeps the proven value
///
/// The solution is the only move that wins, or the only one that does not lose. Puzzles are distinct up
/// to symmetry. Prints one line per puzzle: DIFFICULTY VALUE PLIES SOLUTION LINE FEN. PLIES is "-" for a
/// draw; LINE is best play with commas between the moves; the opponent's replies leave the most to find.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    /// Number of puzzles
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_COUNT))]
    count: u64,

    /// Random seed; the same seed gives the same puzzles
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Only puzzles of this difficulty: how many of the player's moves the deepest refutation of a
    /// wrong move contains; 5 stands for five or more
    #[arg(long, value_name = "1-5", value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_DIFFICULTY)))]
    difficulty: Option<u8>,

    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,

    /// Report progress on stderr even if it is not a terminal
    #[arg(long)]
    progress: bool,
}

const EXAMPLES: &str = "\
Examples:
  zermelo puzzles --game tictactoe --count 10
  zermelo puzzles --game nim --count 5 --difficulty 2 --seed 7
  zermelo puzzles --count 1000 --json > puzzles.jsonl";

/// A puzzle as JSON. Fields may be added; existing ones keep their name and meaning as long as
/// `schema` stays the same.
#[derive(Debug, Serialize)]
struct PuzzleJson<'a> {
    schema: u32,
    game: &'static str,
    fen: &'a str,
    /// `win` or `draw`, for the side to move.
    value: String,
    /// Plies to the end of the game; null for a draw.
    plies: Option<u16>,
    solution: &'a str,
    line: &'a [String],
    difficulty: u8,
    /// The depth of the deepest refutation in plies.
    depth: u16,
    legal: usize,
    /// The number of moves to find, each the only one that keeps the value.
    to_find: usize,
}

pub(super) fn run(game: &GameSpec, arguments: &Arguments) -> Result<(), CliError> {
    let selection = PuzzleSelection { seed: arguments.seed, difficulty: arguments.difficulty };
    let mut generator = game.puzzles(&selection);
    let control = Arc::new(SearchControl::default());
    crate::cli::stop_on_signals(&control)?;
    let progress = ProgressLine::new(arguments.progress.then_some(Duration::from_millis(900)));
    let wanted = arguments.count;
    if !arguments.json {
        print_heading("DIFFICULTY VALUE PLIES SOLUTION LINE FEN")?;
    }
    for found in 0..wanted {
        let mut update = |examined| {
            progress.update(|| {
                let seconds = control.elapsed().as_secs();
                format!("{found} of {wanted} puzzles, {examined} positions, {seconds} s")
            });
        };
        let next = generator.next(&control, &mut update);
        progress.clear();
        let shortage = match next {
            Ok(puzzle) => {
                print_puzzle(game, &puzzle, arguments.json)?;
                continue;
            }
            Err(shortage) => shortage,
        };
        return Err(CliError::Failed(match shortage {
            PuzzleShortage::Exhausted => {
                format!("found {found} of {wanted} puzzles: no more such puzzles exist")
            }
            PuzzleShortage::GaveUp => format!(
                "found {found} of {wanted} puzzles: {MAX_FRUITLESS_POSITIONS} positions in a row \
                 gave no new one"
            ),
            PuzzleShortage::Stopped => format!("interrupted after {found} of {wanted} puzzles"),
        }));
    }
    Ok(())
}

fn print_puzzle(game: &GameSpec, puzzle: &Puzzle, as_json: bool) -> Result<(), CliError> {
    let (value, plies) = (puzzle.value.value().to_string(), puzzle.value.plies());
    let text = if as_json {
        let object = PuzzleJson {
            schema: SCHEMA,
            game: game.id,
            fen: &puzzle.fen,
            value,
            plies,
            solution: puzzle.solution(),
            line: &puzzle.line,
            difficulty: puzzle.difficulty,
            depth: puzzle.depth,
            legal: puzzle.legal_moves,
            to_find: puzzle.to_find,
        };
        serde_json::to_string(&object).map_err(|error| CliError::Failed(error.to_string()))?
    } else {
        let plies = plies.map_or_else(|| "-".to_owned(), |plies| plies.to_string());
        let Puzzle { fen, difficulty, line, .. } = puzzle;
        format!("{difficulty} {value} {plies} {} {} {fen}", puzzle.solution(), line.join(","))
    };
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{text}")?;
    Ok(stdout.flush()?)
}
