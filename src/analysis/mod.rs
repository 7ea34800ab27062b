//! What is known of the games, computed on the spot.
//!
//! A [`Study`] is what can be told of one game, in one file each; [`DefaultStudy`] is that of games that
//! nobody looked at more closely. What comes of it is a [`AnalysisReport`], the same for people and for
//! scripts. [`census`] counts positions ply by ply, [`PositionGraph`] draws graphs of positions. Imports
//! `rules`, `games` and `solve`.

mod board_image;
pub mod census;
mod first_player_wins;
mod graph;
pub mod nim;
pub mod ponghauki;
mod report;
pub mod tictactoe;
pub mod tixtax;

pub use board_image::BoardImage;
pub use graph::PositionGraph;
pub use report::{AnalysisReport, Datum, Section};

use crate::rules::Game;

/// What can be told of a game.
pub trait Study<G: Game> {
    /// What is known of the game. What could take long ends when `stop` says so, with what is
    /// known by then.
    fn game(stop: &mut dyn FnMut() -> bool) -> Vec<Section> {
        let _ = stop;
        vec![census::section(&census::census(&G::start(), u32::MAX), 0)]
    }

    /// What can be seen of a position besides the values of its moves.
    fn position(pos: &G) -> Vec<Section> {
        let _ = pos;
        Vec::new()
    }

    /// All positions as a picture, where they are few enough.
    fn graph() -> Option<PositionGraph> {
        None
    }
}

/// Tells of any game what the rules alone say.
#[derive(Debug)]
pub struct DefaultStudy;

impl<G: Game> Study<G> for DefaultStudy {}
