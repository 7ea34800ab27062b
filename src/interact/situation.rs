//! The situation of a game in words: who is to move, where, and how the game ended.

use super::game::{EarlyLoss, PlayGame};
use super::wording::PlayerLabel;
use crate::language::{Language, Values};
use crate::reasons::phrases;
use crate::rules::{Outcome, Side};
use crate::thinking::AnyGame;

/// Says in which boards the side to move may play; `None` if the game has only one or is over.
pub fn playable_boards(position: &dyn AnyGame, language: Language) -> Option<String> {
    let layout = position.layout().filter(|_| position.outcome().is_none())?;
    let spots = layout.spots.iter().zip(position.spot_contents());
    let areas: Vec<bool> =
        spots.filter(|(spot, _)| spot.is_area).map(|(_, content)| content.highlighted).collect();
    let playable = (1..).zip(&areas).filter(|(_, playable)| **playable);
    let numbers: Vec<usize> = playable.map(|(number, _)| number).collect();
    match &numbers[..] {
        [] => None,
        [board] => {
            Some(language.fill("status.board", &[("board", &phrases::board(*board, language))]))
        }
        all if all.len() == areas.len() => Some(language.text("status.anyBoard").to_owned()),
        some => {
            let boards: Vec<String> = some.iter().map(usize::to_string).collect();
            let boards = boards.join(language.text("list.separator"));
            Some(language.fill("status.boards", &[("boards", &boards)]))
        }
    }
}

pub fn to_move(player: PlayerLabel, language: Language) -> String {
    language.about(player, "status.toMove", &[("player", &language.player(player))])
}

pub fn result_text(
    game: &PlayGame,
    outcome: Outcome,
    label: impl Fn(Side) -> PlayerLabel,
    language: Language,
) -> String {
    let text = |name| language.game_text(game.spec.id, name);
    let count = game.position.final_count();
    let Outcome::Win(side) = outcome else {
        return match count {
            _ if game.is_repetition() => language.text("result.repetition").to_owned(),
            Some([each, _]) => {
                let values: &Values<'_> = &[("each", &each), ("counted", &text("counted"))];
                language.fill("result.drawnOnCount", values)
            }
            None => language.text("result.drawn").to_owned(),
        };
    };
    let winner = label(side);
    let (name, loser) = (language.player(winner), language.player(label(side.other())));
    let reason = text("winReason").replace("{loser}", &loser);
    let [own, other] = [side, side.other()].map(|side| count.map_or(0, |own| own[side.index()]));
    let key = match (game.early_loss(), count) {
        (Some((_, EarlyLoss::Resigned)), _) => "result.resigned",
        (Some((_, EarlyLoss::OutOfTime)), _) => "result.onTime",
        (None, Some(_)) => "result.wonOnCount",
        (None, None) => "result.won",
    };
    let values: &Values<'_> = &[
        ("winner", &name),
        ("loser", &loser),
        ("reason", &reason),
        ("counted", &text("counted")),
        ("own", &own),
        ("other", &other),
    ];
    language.about(winner, key, values)
}

/// Returns a side as its pieces are called; sides of a game without a layout are first and second.
fn side_label(position: &dyn AnyGame, side: Side) -> PlayerLabel {
    let piece = position.layout().and_then(|layout| layout.pieces.get(side.index()).copied());
    piece.map_or([PlayerLabel::First, PlayerLabel::Second][side.index()], PlayerLabel::Piece)
}

/// Describes the situation of a game in a sentence or two, with the sides named by their pieces.
pub fn describe(game: &PlayGame, language: Language) -> String {
    let label = |side| side_label(game.position.as_ref(), side);
    if let Some(outcome) = game.outcome() {
        return result_text(game, outcome, label, language);
    }
    let to_move = to_move(label(game.position.side()), language);
    match playable_boards(game.position.as_ref(), language) {
        Some(boards) => language.join_sentences(&[to_move, boards]),
        None => to_move,
    }
}
