//! Replays recorded games to get their positions.
//!
//! A record may come from anywhere: its game may be unknown or its moves illegal. A game is
//! replayed up to the first illegal move, which is reported.

use super::GameRecord;
use crate::rules::drawing::{BoardLayout, SpotContent};
use crate::rules::{Side, StartPosition};
use crate::thinking::AnyGame;
use crate::thinking::registry;

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
    pub fen: String,
    /// What each spot of the layout shows; empty without a layout.
    pub shown: Vec<SpotContent>,
    /// The board as text, if there is no layout.
    pub diagram: Option<String>,
}

/// Replays a game up to its end or its first illegal move. Returns a message if the game is unknown
/// or its start position is invalid.
pub fn replay(record: &GameRecord) -> Result<Replay, String> {
    let mut game = set_up(record)?;
    let layout = game.layout();
    Ok(replay_moves(game.as_mut(), layout, record))
}

/// Replays the moves of a record from its start position.
fn replay_moves(
    game: &mut dyn AnyGame,
    layout: Option<BoardLayout>,
    record: &GameRecord,
) -> Replay {
    let frame = |game: &dyn AnyGame| Frame {
        fen: game.fen(),
        shown: if layout.is_some() { game.spot_contents() } else { Vec::new() },
        diagram: layout.is_none().then(|| game.diagram()),
    };
    let mut frames = vec![frame(game)];
    let mut error = None;
    for (ply, mv) in record.moves.iter().enumerate() {
        if let Err(refusal) = game.play_moves(&[&mv.mv]) {
            error = Some(format!("ply {}: {refusal}", ply + 1));
            break;
        }
        frames.push(frame(game));
    }
    Replay { layout, frames, error }
}

/// Returns the side that moves first: the one to move in the start position, or the one recorded if
/// the position cannot be read.
pub fn first_mover(record: &GameRecord) -> Side {
    let recorded = if record.second_begins { Side::P2 } else { Side::P1 };
    set_up(record).map_or(recorded, |game| game.side())
}

fn set_up(record: &GameRecord) -> Result<Box<dyn AnyGame>, String> {
    let mut game = registry::find(&record.game).map_err(|error| error.to_string())?.open();
    game.set_position(&StartPosition::from_text(&record.fen), &[])
        .map_err(|error| error.to_string())?;
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::GameReader;

    fn game(text: &str) -> GameRecord {
        GameReader::new(text.as_bytes()).next_game().unwrap().unwrap()
    }

    #[test]
    fn game_without_a_layout_has_text_diagrams() {
        let game = game("[Game \"tictactoe\"]\n\n1. b2 {0.1s} a1 {0.1s} *\n\n");
        let mut start = set_up(&game).unwrap();
        let without_layout = replay_moves(start.as_mut(), None, &game);
        assert_eq!(without_layout.frames.len(), 3);
        assert!(without_layout.frames[2].diagram.as_ref().unwrap().contains("1  o . ."));
        assert!(without_layout.frames[2].shown.is_empty());
        let with_layout = replay(&game).unwrap();
        assert_eq!((with_layout.frames[2].shown.len(), with_layout.error), (9, None));
        assert!(with_layout.frames.iter().all(|frame| frame.diagram.is_none()));
    }

    #[test]
    fn first_mover_is_read_from_the_position() {
        let first_side = |game_and_fen: &str| first_mover(&game(game_and_fen));
        assert_eq!(first_side("[Game \"nim\"]\n\n*\n\n"), Side::P1);
        assert_eq!(first_side("[Game \"ttt\"]\n[FEN \"x2/3/3 o\"]\n\n*\n\n"), Side::P2);
        assert_eq!(first_side("[Game \"ugi\"]\n[FEN \"x2/3/3 o\"]\n\n*\n\n"), Side::P1);
        assert!(replay(&game("[Game \"ugi\"]\n\n*\n\n")).unwrap_err().contains("ugi"));
    }
}
