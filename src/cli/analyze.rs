//! `zermelo analyze`: what is known of a game or a position, for people and for scripts.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::progress::ProgressLine;
use super::solve::progress_text;
use super::{CliError, GameParser};
use crate::analysis::{BoardImage, PositionGraph};
use crate::arena::referee::Rules;
use crate::engine::analyzing::AnalysisRequest;
use crate::engine::registry;
use crate::engine::solving::{SaveCheckpoint, SolveError, SolveObserver, SolveProgress};
use crate::protocol::PositionSetup;
use crate::search::SearchControl;

/// Tell what is known of a game, or of a position: counts, values, strategies
///
/// Every number is computed when asked.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[arg(help = super::games(), value_name = "ID", value_parser = GameParser, hide_possible_values = true)]
    id: Option<Rules>,

    /// Tell of this position instead of the game
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// Seconds for proofs; everything else takes less than one
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = super::parse_seconds)]
    time: Duration,

    /// Write an object of JSON, with the same facts
    #[arg(long)]
    json: bool,

    /// Draw the graph of all positions for Graphviz (ponghauki)
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    dot: Option<PathBuf>,

    /// Draw the graph of all positions as an image (ponghauki); with --fen, the position
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
    /// The files that are written.
    pub(super) fn files(&self) -> Vec<(&'static str, Option<&Path>)> {
        vec![("--dot", self.dot.as_deref()), ("--svg", self.svg.as_deref())]
    }
}

pub(super) fn run(flagged: Option<Rules>, arguments: &Arguments) -> Result<(), CliError> {
    let game = super::resolve_game(flagged, arguments.id)?;
    draw(game, arguments)?;
    let control = Arc::new(SearchControl::default());
    super::stop_on_signals(&control)?;
    let mut watch = Watch(ProgressLine::new(None));
    let report = game.report(AnalysisRequest {
        fen: arguments.fen.as_deref(),
        time: arguments.time,
        control: &control,
        observer: &mut watch,
    });
    watch.0.clear();
    let report = report.map_err(|error| match error {
        SolveError::Position(source) => CliError::Position { game: game.id, source },
        error => CliError::Failed(error.to_string()),
    })?;
    let mut output = io::stdout().lock();
    if arguments.json {
        writeln!(output, "{}", report.json())?;
    } else {
        write!(output, "{report}")?;
    }
    Ok(output.flush()?)
}

/// Draws what is to be drawn.
fn draw(game: &registry::GameEntry, arguments: &Arguments) -> Result<(), CliError> {
    if let (Some(fen), Some(path)) = (&arguments.fen, &arguments.svg) {
        return draw_position(game, fen, path);
    }
    if let (Some(dot), Some(svg)) = (&arguments.dot, &arguments.svg)
        && super::is_same_file(dot, svg)
    {
        return Err(super::file_error(
            svg,
            &"two drawings, --dot and --svg, cannot be in one file",
        ));
    }
    let drawings = [
        (&arguments.dot, PositionGraph::dot as fn(&PositionGraph) -> String),
        (&arguments.svg, PositionGraph::svg as fn(&PositionGraph) -> String),
    ];
    for (path, draw) in drawings {
        let Some(path) = path else { continue };
        let chart = game.graph().ok_or_else(|| no_graph(game))?;
        super::replace_file(path, |output| Ok(output.write_all(draw(&chart).as_bytes())?))?;
    }
    Ok(())
}

/// Draws a position.
fn draw_position(game: &registry::GameEntry, fen: &str, path: &Path) -> Result<(), CliError> {
    let mut desk = game.open();
    let refuse = |source| CliError::Position { game: game.id, source };
    desk.set_position(&PositionSetup::Fen(fen), &[]).map_err(refuse)?;
    let layout = desk.layout().ok_or_else(|| no_graph(game))?;
    let (shown, remarks) = (desk.spot_contents(), desk.extra_labels());
    let picture = BoardImage { layout: &layout, shown: &shown, remarks: &remarks };
    super::replace_file(path, |output| Ok(output.write_all(picture.svg().as_bytes())?))
}

fn no_graph(game: &registry::GameEntry) -> CliError {
    let drawn = registry::GAMES.iter().filter(|entry| entry.graph().is_some());
    let drawn: Vec<&str> = drawn.map(|entry| entry.id).collect();
    CliError::NoChart { game: game.id, drawn: drawn.join(", ") }
}

/// Tells how far a proof is.
struct Watch(ProgressLine);

impl SolveObserver for Watch {
    fn progress(&mut self, progress: &SolveProgress) {
        self.0.update(|| progress_text(progress));
    }

    fn verifying(&mut self, _: u64, _: Duration) {}

    fn save(&mut self, _: bool, _: SaveCheckpoint<'_>) {}
}
