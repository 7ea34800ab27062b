//! `zermelo analyze`: facts about a game or a position, as text or JSON.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::progress::ProgressLine;
use super::solve::progress_text;
use super::{CliError, GameParser};
use crate::analysis::{BoardSvg, HeatMap, MoveRating, PositionGraph};
use crate::arena::referee::Rules;
use crate::engine::analyzing::AnalysisRequest;
use crate::engine::registry;
use crate::engine::solving::{SaveCheckpoint, SolveError, SolveObserver, SolveProgress};
use crate::protocol::PositionSetup;
use crate::search::SearchControl;

/// Analyze a game or a position: counts, values, strategies
///
/// Every number is computed on demand.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[arg(help = super::game_help(), value_name = "ID", value_parser = GameParser, hide_possible_values = true)]
    id: Option<Rules>,

    /// Analyze this position instead of the game
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// Time limit for proofs and searches, in seconds; everything else takes less than a second
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = super::parse_seconds)]
    time: Duration,

    /// Print the same facts as JSON
    #[arg(long)]
    json: bool,

    /// Write the graph of all positions for Graphviz (small games, such as ponghauki)
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    dot: Option<PathBuf>,

    /// Write the graph of all positions as an image (small games), or with --fen the position
    /// with the value of each move
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  zermelo analyze tictactoe
  zermelo analyze nim --fen \"rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b\"
  zermelo analyze ponghauki --svg graph.svg --json
  zermelo analyze tixtax --fen \"9/9/9/9/4x4/9/9/9/9 o 1 e5\" --svg board.svg
  zermelo analyze tixtax-open --time 60";

impl Arguments {
    /// The files that the command writes.
    pub(super) fn output_files(&self) -> Vec<(&'static str, Option<&Path>)> {
        vec![("--dot", self.dot.as_deref()), ("--svg", self.svg.as_deref())]
    }
}

pub(super) fn run(flagged: Option<Rules>, arguments: &Arguments) -> Result<(), CliError> {
    let game = super::resolve_game(flagged, arguments.id)?;
    if arguments.fen.is_none() {
        draw_graph(game, arguments)?;
    }
    let control = Arc::new(SearchControl::default());
    super::stop_on_signals(&control)?;
    let mut observer = ProgressObserver(ProgressLine::new(None));
    let report = game.report(AnalysisRequest {
        fen: arguments.fen.as_deref(),
        time: arguments.time,
        control: &control,
        observer: &mut observer,
    });
    observer.0.clear();
    let report = report.map_err(|error| match error {
        SolveError::Position(source) => CliError::Position { game: game.id, source },
        error => CliError::Failed(error.to_string()),
    })?;
    if let (Some(fen), Some(path)) = (&arguments.fen, &arguments.svg) {
        draw_position(game, fen, &report.ratings, path)?;
    }
    let mut output = io::stdout().lock();
    if arguments.json {
        writeln!(output, "{}", report.json())?;
    } else {
        write!(output, "{report}")?;
    }
    Ok(output.flush()?)
}

/// Writes the drawings of a game that the arguments request.
fn draw_graph(game: &registry::GameEntry, arguments: &Arguments) -> Result<(), CliError> {
    if let (Some(dot), Some(svg)) = (&arguments.dot, &arguments.svg)
        && super::is_same_file(dot, svg)
    {
        return Err(super::file_error(svg, &"--dot and --svg need different files"));
    }
    let drawings = [
        (&arguments.dot, PositionGraph::dot as fn(&PositionGraph) -> String),
        (&arguments.svg, PositionGraph::svg as fn(&PositionGraph) -> String),
    ];
    for (path, draw) in drawings {
        let Some(path) = path else { continue };
        let graph = game.graph().ok_or_else(|| no_graph(game))?;
        super::replace_file(path, |output| Ok(output.write_all(draw(&graph).as_bytes())?))?;
    }
    Ok(())
}

/// Writes a position and the values of its moves as SVG.
fn draw_position(
    game: &registry::GameEntry,
    fen: &str,
    ratings: &[MoveRating],
    path: &Path,
) -> Result<(), CliError> {
    let mut game_state = game.open();
    let refuse = |source| CliError::Position { game: game.id, source };
    game_state.set_position(&PositionSetup::Fen(fen), &[]).map_err(refuse)?;
    let layout = game_state.layout().ok_or(CliError::NoLayout { game: game.id })?;
    let (shown, labels) = (game_state.spot_contents(), game_state.extra_labels());
    let heat = HeatMap::new(&layout, ratings);
    let image = BoardSvg { layout: &layout, shown: &shown, labels: &labels, heat: Some(&heat) };
    super::replace_file(path, |output| Ok(output.write_all(image.svg().as_bytes())?))
}

fn no_graph(game: &registry::GameEntry) -> CliError {
    let drawn = registry::GAMES.iter().filter(|entry| entry.graph().is_some());
    let drawn: Vec<&str> = drawn.map(|entry| entry.id).collect();
    CliError::NoGraph { game: game.id, drawn: drawn.join(", ") }
}

/// Shows the progress of a proof.
struct ProgressObserver(ProgressLine);

impl SolveObserver for ProgressObserver {
    fn progress(&mut self, progress: &SolveProgress) {
        self.0.update(|| progress_text(progress));
    }

    fn verifying(&mut self, _: u64, _: Duration) {}

    fn save(&mut self, _: bool, _: SaveCheckpoint<'_>) {}
}
