//! The situation of a game in words: who is to move, where, and how the game ended.

use super::game::PlayGame;
use super::messages::{Language, Message, PlayerLabel};
use crate::rules::{Outcome, Side};
use crate::thinking::AnyGame;

/// The boards of a position that may be played in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayableBoards {
    /// Their numbers, from 1.
    pub numbers: Vec<usize>,
    /// Whether these are all boards.
    pub is_all: bool,
}

impl PlayableBoards {
    /// The message that lists them.
    #[must_use]
    pub fn message(&self) -> Message<'_> {
        Message::PlayableBoards(&self.numbers, self.is_all)
    }
}

/// Returns the boards that may be played in; `None` if the game has only one or is over.
#[must_use]
pub fn playable_boards(position: &dyn AnyGame) -> Option<PlayableBoards> {
    let layout = position.layout()?;
    let spots = layout.spots.iter().zip(position.spot_contents());
    let areas: Vec<bool> =
        spots.filter(|(spot, _)| spot.is_area).map(|(_, content)| content.highlighted).collect();
    let playable = (1..).zip(&areas).filter(|(_, playable)| **playable);
    let numbers: Vec<usize> = playable.map(|(number, _)| number).collect();
    let is_all = numbers.len() == areas.len();
    let is_over = position.outcome().is_some();
    (!numbers.is_empty() && !is_over).then_some(PlayableBoards { numbers, is_all })
}

/// The message that announces the result of a game.
pub fn result_message<'a>(
    game: &PlayGame,
    outcome: Outcome,
    label: impl Fn(Side) -> PlayerLabel,
) -> Message<'a> {
    match (outcome, game.position.final_count()) {
        (Outcome::Win(winner), _) if game.is_resigned() => {
            Message::Resigned([winner.other(), winner].map(label))
        }
        (Outcome::Win(winner), Some(counts)) => {
            let counts = [winner, winner.other()].map(|side| counts[side.index()]);
            Message::WonOnCount(label(winner), game.entry.id, counts)
        }
        (Outcome::Win(winner), None) => Message::Won(label(winner), game.entry.id),
        (Outcome::Draw, _) if game.is_repetition() => Message::Repetition,
        (Outcome::Draw, Some([each, _])) => Message::DrawnOnCount(game.entry.id, each),
        (Outcome::Draw, None) => Message::Drawn,
    }
}

/// Returns a side as its pieces are called; sides of a game without a layout are first and second.
#[must_use]
pub fn side_label(position: &dyn AnyGame, side: Side) -> PlayerLabel {
    let piece = position.layout().and_then(|layout| layout.pieces.get(side.index()).copied());
    piece.map_or([PlayerLabel::First, PlayerLabel::Second][side.index()], PlayerLabel::Piece)
}

/// Describes the situation of a game in a sentence or two, with the sides named by their pieces.
#[must_use]
pub fn describe(game: &PlayGame, language: Language) -> String {
    let label = |side| side_label(game.position.as_ref(), side);
    if let Some(outcome) = game.outcome() {
        return language.render(&result_message(game, outcome, label));
    }
    let to_move = language.render(&Message::ToMove(label(game.position.side())));
    match playable_boards(game.position.as_ref()) {
        Some(boards) => language.join_sentences(&[to_move, language.render(&boards.message())]),
        None => to_move,
    }
}
