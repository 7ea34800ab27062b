//! `position` and `why_illegal`: what a position shows, its legal moves, and why others are illegal.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::RequestError;
use super::setup::{BoardMove, GameSetup, spots};
use crate::interact::messages::{Language, Message};
use crate::interact::situation;
use crate::printing::quote;
use crate::records::result_text;
use crate::rules::MoveError;
use crate::rules::drawing::Label;
use crate::thinking::EngineError;

/// Asks for a position.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionRequest {
    setup: GameSetup,
    /// Whether the positions after all legal moves are wanted, too.
    #[serde(default)]
    replies: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct PositionAnswer {
    fen: String,
    /// The side to move, 0 or 1; also if the game is over.
    side: usize,
    /// A character per spot.
    shown: String,
    /// The board as text, if the game has no layout.
    diagram: Option<String>,
    labels: Vec<Label>,
    legal: Vec<BoardMove>,
    /// The spots of the last move.
    last: Vec<usize>,
    status: String,
    outcome: Option<OutcomeText>,
    plies: usize,
    /// The positions after the legal moves, if they are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    replies: Option<BTreeMap<String, PositionAnswer>>,
}

#[derive(Debug, Serialize)]
struct OutcomeText {
    result: &'static str,
    text: String,
}

impl PositionRequest {
    pub(super) fn answer(&self, language: Language) -> Result<PositionAnswer, RequestError> {
        let mut answer = describe(&self.setup, language)?;
        if self.replies {
            let mut replies = BTreeMap::new();
            for mv in answer.legal.iter().map(|legal| &legal.r#move) {
                let mut setup = self.setup.clone();
                setup.moves.push(mv.clone());
                replies.insert(mv.clone(), describe(&setup, language)?);
            }
            answer.replies = Some(replies);
        }
        Ok(answer)
    }
}

/// Describes a position.
fn describe(setup: &GameSetup, language: Language) -> Result<PositionAnswer, RequestError> {
    let game = setup.open()?;
    let position = game.position.as_ref();
    let layout = position.layout();
    let status = situation::describe(&game, language);
    let legal = if game.is_over() { Vec::new() } else { game.legal_moves() };
    let to_move = |mv: &String| BoardMove {
        r#move: mv.clone(),
        spots: layout.as_ref().map(|layout| layout.spots_of_move(mv)).unwrap_or_default(),
    };
    Ok(PositionAnswer {
        fen: position.fen(),
        side: position.side().index(),
        shown: position.spot_contents().iter().map(ToString::to_string).collect(),
        diagram: layout.is_none().then(|| position.diagram()),
        labels: position.extra_labels(),
        legal: legal.iter().map(to_move).collect(),
        last: spots(&game, game.last_move().unwrap_or_default()),
        outcome: game.outcome().map(|outcome| OutcomeText {
            result: result_text(Some(outcome)),
            text: status.clone(),
        }),
        status,
        plies: game.plies(),
        replies: None,
    })
}

/// Asks why a move is illegal.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhyIllegalRequest {
    setup: GameSetup,
    /// The move, typed or as the names of the squares that were clicked.
    r#move: String,
}

#[derive(Debug, Serialize)]
pub(super) struct WhyIllegalAnswer {
    /// Why it is illegal; null if it is legal.
    text: Option<String>,
    /// The move in the game's own notation; null if it is illegal.
    r#move: Option<String>,
}

impl WhyIllegalRequest {
    pub(super) fn answer(&self, language: Language) -> Result<WhyIllegalAnswer, RequestError> {
        let game = self.setup.open()?;
        let quoted = quote(&self.r#move);
        let illegal = |message: &Message<'_>| {
            Ok(WhyIllegalAnswer { text: Some(language.render(message)), r#move: None })
        };
        if game.is_over() {
            return illegal(&Message::MoveAfterResult(&quoted));
        }
        let legal = game.legal_moves();
        match game.position.normalize_user_move(&self.r#move) {
            Ok(name) if legal.contains(&name) => {
                Ok(WhyIllegalAnswer { text: None, r#move: Some(name) })
            }
            Ok(name) => {
                let reason = game.position.broken_rule(&name);
                illegal(&Message::IllegalMove(&quoted, reason.as_ref(), &[]))
            }
            Err(EngineError::Move(MoveError::Ambiguous { moves, .. })) => {
                illegal(&Message::Ambiguous(&quoted, &moves))
            }
            Err(_) => illegal(&Message::NotAMove(&quoted, legal.first().map_or("", |mv| mv))),
        }
    }
}
