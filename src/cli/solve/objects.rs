//! The objects that `zermelo solve` writes for scripts, a line each.

use serde::Serialize;

use super::value_text;
use crate::cli::CliError;
use crate::engine::solving::{Node, Solution, Verified};
use crate::rules::Side;

/// The version of the objects that `--json` makes.
const SCHEMA: u32 = 1;

/// The object of a position. Fields may be added; what there is keeps its name and its meaning as
/// long as `schema` is the same.
#[derive(Debug, Serialize)]
struct Object<'a> {
    schema: u32,
    fen: &'a str,
    /// `win`, `draw`, `loss` or `unknown`, for the mover.
    value: String,
    /// What is proven of it.
    at_least: String,
    at_most: String,
    plies: Option<u16>,
    best: Option<&'a str>,
    nodes: u64,
    seconds: f64,
    /// How many positions the second look walked through; null where there was none or it did not
    /// come to the end.
    verified: Option<u64>,
}

/// The object of a solution.
pub(super) fn solution(solution: &Solution) -> Result<String, CliError> {
    let bounds = solution.bounds;
    let object = Object {
        schema: SCHEMA,
        fen: &solution.fen,
        value: value_text(solution),
        at_least: bounds.least.to_string(),
        at_most: bounds.most.to_string(),
        plies: solution.plies,
        best: solution.best.as_deref(),
        nodes: solution.nodes,
        seconds: solution.time.as_secs_f64(),
        verified: match solution.verified {
            Some(Verified::Holds { positions, .. }) => Some(positions),
            _ => None,
        },
    };
    written(&object)
}

fn written(object: &impl Serialize) -> Result<String, CliError> {
    serde_json::to_string(object).map_err(|error| CliError::Failed(error.to_string()))
}

/// The object that `--expand` makes of a position.
#[derive(Debug, Serialize)]
struct Expansion<'a> {
    schema: u32,
    #[serde(flatten)]
    node: Branch<'a>,
    moves: Vec<Branch<'a>>,
}

/// A position in a proof tree.
#[derive(Debug, Serialize)]
struct Branch<'a> {
    /// The move that leads here.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    mv: Option<&'a str>,
    fen: &'a str,
    /// The same for all images of a position, and for no other.
    class: &'a str,
    /// 1 where the first player is to move, 2 where the second is.
    mover: u8,
    /// What is known of the mover's value without search.
    at_least: String,
    at_most: String,
    /// How far a win of the mover is from being proven and from being disproven, null for never.
    win: [Option<u32>; 2],
    /// The same for at least a draw.
    draw: [Option<u32>; 2],
}

impl<'a> Branch<'a> {
    fn new(mv: Option<&'a str>, node: &'a Node) -> Self {
        let Node { fen, class, side, bounds, win, draw } = node;
        Self {
            mv,
            fen,
            class,
            mover: if *side == Side::P1 { 1 } else { 2 },
            at_least: bounds.least.to_string(),
            at_most: bounds.most.to_string(),
            win: *win,
            draw: *draw,
        }
    }
}

/// The object of a position and what its moves lead to.
pub(super) fn expansion(node: &Node, moves: &[(String, Node)]) -> Result<String, CliError> {
    let moves = moves.iter().map(|(mv, node)| Branch::new(Some(mv), node)).collect();
    written(&Expansion { schema: SCHEMA, node: Branch::new(None, node), moves })
}
