//! Replays recorded games to get their positions.
//!
//! A record may come from anywhere: its game may be unknown or its moves illegal. A game is replayed up
//! to the first illegal move, which is reported.

use super::record::GameRecord;
use crate::engine::AnyGame;
use crate::engine::registry;
use crate::protocol::PositionSetup;
use crate::rules::Side;
use crate::rules::drawing::{BoardLayout, SpotContent};

/// The positions of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// The layout of the board, if the game has one.
    pub layout: Option<BoardLayout>,
    /// The start position and the position after each legal move.
    pub frames: Vec<Frame>,
    /// Why the replay ends early, if it does.
    pub error: Option<String>,
}

/// A position of a replay.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Its FEN.
    pub fen: String,
    /// What each spot of the layout shows; empty without a layout.
    pub shown: Vec<SpotContent>,
    /// The board as text, if there is no layout.
    pub diagram: Option<String>,
}

/// Replays a game up to its end or its first illegal move.
///
/// # Errors
/// Returns a message if the game is unknown or its start position is invalid.
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

/// Returns the side that moves first: the one to move in the start position, or the one recorded if the
/// position cannot be read.
#[must_use]
pub fn first_mover(game: &GameRecord) -> Side {
    let recorded = if game.second_begins { Side::P2 } else { Side::P1 };
    desk_of(game).map_or(recorded, |desk| desk.side())
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
    fn game_without_a_layout_has_text_diagrams() {
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
    fn first_mover_is_read_from_the_position() {
        let begins = |game_and_fen: &str| first_mover(&game(game_and_fen));
        assert_eq!(begins("[Game \"nim\"]\n\n*\n\n"), Side::P1);
        assert_eq!(begins("[Game \"ttt\"]\n[FEN \"x2/3/3 o\"]\n\n*\n\n"), Side::P2);
        assert_eq!(begins("[Game \"ugi\"]\n[FEN \"x2/3/3 o\"]\n\n*\n\n"), Side::P1);
        assert!(replay(&game("[Game \"ugi\"]\n\n*\n\n")).unwrap_err().contains("ugi"));
    }
}
