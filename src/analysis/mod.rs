//! What is known of the games, computed on the spot.
//!
//! A [`Study`] is what can be told of one game, in one file each; [`General`] is that of games that
//! nobody looked at more closely. What comes of it is a [`Report`], the same for people and for
//! scripts. [`census`] counts positions ply by ply, [`Chart`] draws graphs of positions. Imports
//! `rules`, `games` and `solve`.

pub mod census;
mod chart;
mod first_player_wins;
pub mod nim;
mod picture;
pub mod ponghauki;
mod report;
pub mod tictactoe;
pub mod tixtax;

pub use chart::Chart;
pub use picture::Picture;
pub use report::{Datum, Report, Section};

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
    fn chart() -> Option<Chart> {
        None
    }
}

/// Tells of any game what the rules alone say.
#[derive(Debug)]
pub struct General;

impl<G: Game> Study<G> for General {}
