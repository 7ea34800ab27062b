//! Facts about the games, computed on demand.
//!
//! Each game has a [`Study`] in its own file; [`DefaultStudy`] serves games without one. The result is
//! an [`AnalysisReport`]: data, which a chapter of prose in `chapters` explains. [`census`] counts
//! positions ply by ply, [`PositionGraph`] draws graphs of positions.

mod board_svg;
pub mod census;
mod chapter;
mod datum;
mod first_player_wins;
mod graph;
mod heat_map;
pub mod nim;
pub mod ponghauki;
pub mod reasons;
mod report;
pub mod tictactoe;
pub mod tixtax;

pub use board_svg::BoardSvg;
pub use datum::Datum;
pub use graph::PositionGraph;
pub use heat_map::{HeatMap, MoveRating};
pub use report::{AnalysisReport, ReportFigure, Section};

use crate::language::Localized;
use crate::rules::Game;
use crate::solve::{Guide, Prover};

/// What `analyze` reports about a game.
pub trait Study<G: Game> {
    /// Analyzes the game. Long computations end early when `stop` returns `true`, with partial results.
    fn analyze_game(stop: &mut dyn FnMut() -> bool) -> Vec<Section> {
        let _ = stop;
        vec![census::section(&census::census(&G::start(), u32::MAX), 0)]
    }

    /// Analyzes a position, apart from its value and those of its moves.
    fn analyze_position(pos: &G) -> Vec<Section> {
        let _ = pos;
        Vec::new()
    }

    /// Draws what can be seen of the game as a whole.
    fn figures() -> Vec<ReportFigure> {
        Vec::new()
    }

    /// Proves positions whose proof is known from theory, so that the prover finds their values in its
    /// table.
    fn prove_known<H: Guide<G>>(
        prover: &mut Prover<G, H>,
        pos: &G,
        stop: &mut dyn FnMut() -> bool,
    ) {
        let _ = (prover, pos, stop);
    }

    /// The chapter that explains the results of [`analyze_game`](Self::analyze_game), in Markdown with
    /// placeholders for them; without a chapter they are listed.
    fn chapter() -> Option<Localized> {
        None
    }

    /// The graph of all positions, for games with few positions.
    fn graph() -> Option<PositionGraph> {
        None
    }
}

/// The study of any game: a census of its positions.
#[derive(Debug)]
pub struct DefaultStudy;

impl<G: Game> Study<G> for DefaultStudy {}
