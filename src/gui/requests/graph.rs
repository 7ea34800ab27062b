//! `graph`: all positions of a small game and the moves between them.

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::RequestError;
use super::setup::GameSetup;
use crate::analysis::PositionGraph;
use crate::interact::PlayGame;
use crate::rules::drawing::{BoardLayout, SpotContent};
use crate::rules::{Side, StartPosition};
use crate::thinking::AnyGame;

/// Asks for the graph of a game and the place of a position in it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphRequest {
    setup: GameSetup,
}

impl GraphRequest {
    /// The graph; null if the game has none. A node shows the pieces of the side to move as those of
    /// the first player, and its value is for that side.
    pub(super) fn answer(&self) -> Result<Json, RequestError> {
        let game = self.setup.open()?;
        let Some(graph) = game.spec.graph() else { return Ok(Json::Null) };
        let nodes = graph.nodes.iter().map(|node| {
            json!({
                "name": node.name,
                "shown": to_text(&node.shown),
                "value": node.value.to_string(),
                "is_reached": node.reached,
                "column": node.place[0],
                "row": node.place[1],
            })
        });
        let legal = if game.is_over() { Vec::new() } else { game.legal_moves() };
        let moves = legal.into_iter().map(|mv| {
            let to = index_after(&graph, &game, &mv)?;
            Ok(json!({ "move": mv, "to": to }))
        });
        Ok(json!({
            "nodes": nodes.collect::<Vec<_>>(),
            "moves": moves.collect::<Result<Vec<_>, RequestError>>()?,
            "current": index_of(&graph, game.position.as_ref()),
            "arrows": graph.arrows,
        }))
    }
}

fn to_text(shown: &[SpotContent]) -> String {
    shown.iter().map(ToString::to_string).collect()
}

fn index_after(
    graph: &PositionGraph,
    game: &PlayGame,
    mv: &str,
) -> Result<Option<usize>, RequestError> {
    let mut next = game.spec.open();
    next.set_position(&StartPosition::Fen(&game.position.fen()), &[mv])?;
    Ok(index_of(graph, next.as_ref()))
}

fn index_of(graph: &PositionGraph, position: &dyn AnyGame) -> Option<usize> {
    let shown = shown_for_mover(&graph.layout, position);
    graph.nodes.iter().position(|node| marks(&node.shown).eq(marks(&shown)))
}

fn marks(shown: &[SpotContent]) -> impl Iterator<Item = char> {
    shown.iter().map(|spot| spot.mark)
}

/// What a position shows, with the pieces of the side to move shown as those of the first player.
fn shown_for_mover(layout: &BoardLayout, position: &dyn AnyGame) -> Vec<SpotContent> {
    let mut shown = position.spot_contents();
    if let (Side::P2, [first, second, ..]) = (position.side(), &layout.pieces[..]) {
        for spot in &mut shown {
            spot.mark = match spot.mark {
                mark if mark == first.letter => second.letter,
                mark if mark == second.letter => first.letter,
                mark => mark,
            };
        }
    }
    shown
}
