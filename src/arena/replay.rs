//! Games played once more from their records, on the desks of the engine's registry.
//!
//! A record may come from anywhere: its game may be unknown, its moves illegal. What can be replayed
//! is replayed, the rest is said. Imports the record, and the engine's desks.

use super::record::GameRecord;
use crate::engine::AnyGame;
use crate::engine::registry;
use crate::protocol::PositionSetup;
use crate::rules::Side;
use crate::rules::drawing::{BoardLayout, SpotContent};

/// The positions of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// How the board is drawn, if the game has a picture.
    pub layout: Option<BoardLayout>,
    /// The positions: the first one, then the one behind each move that could be played.
    pub frames: Vec<Frame>,
    /// Why it ends early, if it does.
    pub error: Option<String>,
}

/// A position as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Its FEN.
    pub fen: String,
    /// What stands on each spot of the layout; empty without one.
    pub shown: Vec<SpotContent>,
    /// The board as text, where there is no layout.
    pub diagram: Option<String>,
}

/// Replays a game as far as its moves can be played.
///
/// # Errors
/// When there is nothing to show: the game or the position it began with is unknown. The text says
/// why.
pub fn replay(game: &GameRecord) -> Result<Replay, String> {
    let mut desk = desk_of(game)?;
    let layout = desk.layout();
    Ok(replay_on(desk.as_mut(), layout, game))
}

/// Replays on a desk that has the first position on it.
fn replay_on(desk: &mut dyn AnyGame, layout: Option<BoardLayout>, game: &GameRecord) -> Replay {
    let frame = |desk: &dyn AnyGame| Frame {
        fen: desk.fen(),
        shown: if layout.is_some() { desk.spot_contents() } else { Vec::new() },
        diagram: layout.is_none().then(|| desk.diagram()),
    };
    let mut frames = vec![frame(desk)];
    let mut error = None;
    for (ply, mv) in game.moves.iter().enumerate() {
        if let Err(refusal) = desk.play_moves(&[&mv.mv]) {
            error = Some(format!("ply {}: {refusal}", ply + 1));
            break;
        }
        frames.push(frame(desk));
    }
    Replay { layout, frames, error }
}

/// Who makes the first move of a record: whoever is to move in its first position, or as the record
/// says where that cannot be read.
#[must_use]
pub fn first_mover(game: &GameRecord) -> Side {
    let told = if game.second_begins { Side::P2 } else { Side::P1 };
    desk_of(game).map_or(told, |desk| desk.side())
}

/// A desk with the first position of a game on it.
fn desk_of(game: &GameRecord) -> Result<Box<dyn AnyGame>, String> {
    let mut desk = registry::find(&game.game).map_err(|error| error.to_string())?.open();
    desk.set_position(&PositionSetup::from_text(&game.fen), &[])
        .map_err(|error| error.to_string())?;
    Ok(desk)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::record::pgn::PgnReader;

    fn game(text: &str) -> GameRecord {
        PgnReader::new(text.as_bytes()).next_game().unwrap().unwrap()
    }

    #[test]
    fn a_game_without_a_picture_has_diagrams() {
        let game = game("[Game \"tictactoe\"]\n\n1. b2 {0.1s} a1 {0.1s} *\n\n");
        let mut desk = desk_of(&game).unwrap();
        let plain = replay_on(desk.as_mut(), None, &game);
        assert_eq!(plain.frames.len(), 3);
        assert!(plain.frames[2].diagram.as_ref().unwrap().contains("1  o . ."));
        assert!(plain.frames[2].shown.is_empty());
        let drawn = replay(&game).unwrap();
        assert_eq!((drawn.frames[2].shown.len(), drawn.error), (9, None));
        assert!(drawn.frames.iter().all(|frame| frame.diagram.is_none()));
    }

    #[test]
    fn who_begins_is_read_from_the_position() {
        let begins = |game_and_fen: &str| first_mover(&game(game_and_fen));
        assert_eq!(begins("[Game \"nim\"]\n\n*\n\n"), Side::P1);
        assert_eq!(begins("[Game \"ttt\"]\n[FEN \"x2/3/3 o\"]\n\n*\n\n"), Side::P2);
        assert_eq!(begins("[Game \"ugi\"]\n[FEN \"x2/3/3 o\"]\n\n*\n\n"), Side::P1);
        assert!(replay(&game("[Game \"ugi\"]\n\n*\n\n")).unwrap_err().contains("ugi"));
    }
}
