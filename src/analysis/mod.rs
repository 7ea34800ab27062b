//! What is known about each game, computed on demand: the data of `analyze`, and drawings.
//!
//! Each game has a [`GameAnalysis`] in its own file; [`DefaultAnalysis`] serves games without one. The
//! data is JSON; the texts in `data/chapters` explain it in each language. [`census`] counts positions ply
//! by ply, [`PositionGraph`] draws graphs of positions.

pub mod atlas;
mod board_svg;
pub mod census;
mod first_player_wins;
mod graph;
mod heat_map;
pub mod nim;
pub mod ponghauki;
mod report;
pub mod tictactoe;
pub mod tixtax;

pub use board_svg::{BoardSvg, position_figure};
pub use graph::PositionGraph;
pub use heat_map::HeatMap;
pub use report::AnalysisReport;

use serde_json::{Value as Json, json};

use crate::document::Figure;
use crate::language::{Language, Localized};
use crate::rules::Game;

/// The census of a game that may never end stops after this many plies.
const MAX_CENSUS_PLIES: u32 = 12;

/// What `analyze` reports about a game: an object of sections, each of which is an object of facts or
/// a table, and texts that explain them.
pub trait GameAnalysis<G: Game> {
    /// Analyzes the game. Long computations end early when `stop` returns `true`, with partial results.
    fn analyze_game(stop: &mut dyn FnMut() -> bool) -> Json {
        let _ = stop;
        let start = G::start();
        let plies = start.max_plies_left().unwrap_or(MAX_CENSUS_PLIES);
        json!({ "plies": census::ply_table(&census::census(&start, plies), 0) })
    }

    /// Analyzes a position, excluding its value and the values of its moves.
    fn analyze_position(pos: &G) -> Json {
        let _ = pos;
        json!({})
    }

    /// Draws what can be seen of the game as a whole, the most important picture first.
    fn figures(language: Language) -> Vec<Figure> {
        let _ = language;
        Vec::new()
    }

    /// The chapter that explains the results of [`analyze_game`](Self::analyze_game), as a
    /// [template](crate::document::fill_template).
    fn chapter() -> Localized {
        [
            include_str!("../../data/chapters/default.en.md"),
            include_str!("../../data/chapters/default.zh.md"),
        ]
    }

    /// The part of a report on a position that explains the results of
    /// [`analyze_position`](Self::analyze_position).
    fn position_text() -> Localized {
        [""; 2]
    }

    /// The graph of all positions, for games with few positions.
    fn graph() -> Option<PositionGraph> {
        None
    }
}

/// The analysis of any game: a census of its positions.
#[derive(Debug)]
pub struct DefaultAnalysis;

impl<G: Game> GameAnalysis<G> for DefaultAnalysis {}

/// Adds sections to others.
pub fn merge(mut sections: Json, more: Json) -> Json {
    if let (Json::Object(sections), Json::Object(more)) = (&mut sections, more) {
        sections.extend(more);
    }
    sections
}

pub(crate) fn names<T: ToString>(moves: impl IntoIterator<Item = T>) -> Vec<String> {
    moves.into_iter().map(|mv| mv.to_string()).collect()
}

fn yes_or_no(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}
