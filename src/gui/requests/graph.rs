//! `graph`: all positions of a small game and the moves between them.

use serde::{Deserialize, Serialize};

use super::RequestError;
use super::setup::GameSetup;
use crate::analysis::PositionGraph;
use crate::interact::PlayGame;
use crate::protocol::PositionSetup;
use crate::rules::Side;
use crate::rules::drawing::{BoardLayout, SpotContent};
use crate::teaching::analyzing;
use crate::thinking::AnyGame;

/// Asks for the graph of a game and the place of a position in it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphRequest {
    setup: GameSetup,
}

#[derive(Debug, Serialize)]
pub(super) struct GraphAnswer {
    nodes: Vec<GraphState>,
    /// The moves between them, as pairs of their indices.
    arrows: Vec<(usize, usize)>,
    /// The index of the position; null if the graph lacks it.
    current: Option<usize>,
    /// The legal moves and where they lead.
    moves: Vec<GraphMove>,
}

#[derive(Debug, Serialize)]
struct GraphState {
    name: String,
    /// A character per spot, with the pieces of the side to move shown as those of the first player.
    shown: String,
    /// `win`, `draw` or `loss` for the side to move.
    value: String,
    /// Whether a game can reach it.
    is_reached: bool,
    column: i8,
    row: i8,
}

#[derive(Debug, Serialize)]
struct GraphMove {
    r#move: String,
    to: Option<usize>,
}

impl GraphRequest {
    /// Returns `None` if the game has no graph.
    pub(super) fn answer(&self) -> Result<Option<GraphAnswer>, RequestError> {
        let game = self.setup.open()?;
        let Some(graph) = analyzing::graph(game.entry) else { return Ok(None) };
        let nodes = graph.nodes.iter().map(|node| GraphState {
            name: node.name.clone(),
            shown: to_text(&node.shown),
            value: node.value.to_string(),
            is_reached: node.reached,
            column: node.place[0],
            row: node.place[1],
        });
        let legal = if game.is_over() { Vec::new() } else { game.legal_moves() };
        let moves = legal.into_iter().map(|mv| {
            let to = index_after(&graph, &game, &mv)?;
            Ok(GraphMove { r#move: mv, to })
        });
        Ok(Some(GraphAnswer {
            nodes: nodes.collect(),
            moves: moves.collect::<Result<_, RequestError>>()?,
            current: index_of(&graph, game.position.as_ref()),
            arrows: graph.arrows,
        }))
    }
}

fn to_text(shown: &[SpotContent]) -> String {
    shown.iter().map(ToString::to_string).collect()
}

/// The index of the position after a move.
fn index_after(
    graph: &PositionGraph,
    game: &PlayGame,
    mv: &str,
) -> Result<Option<usize>, RequestError> {
    let mut next = game.entry.open();
    next.set_position(&PositionSetup::Fen(&game.position.fen()), &[mv])?;
    Ok(index_of(graph, next.as_ref()))
}

/// The index of a position in a graph.
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
