//! The JSON lines that `zermelo solve` writes.

use serde::Serialize;

use super::value_text;
use crate::cli::error::CliError;
use crate::rules::Side;
use crate::solve::{ProofNode, Verification};
use crate::thinking::solving::{ExpandedNode, Solution};

const SCHEMA: u32 = 1;

/// The result of one position. Fields may be added; existing ones keep their name and meaning as long
/// as `schema` stays the same.
#[derive(Debug, Serialize)]
struct SolutionJson<'a> {
    schema: u32,
    fen: &'a str,
    /// `win`, `draw`, `loss` or `unknown`, for the side to move.
    value: String,
    /// Proven bounds of the value.
    at_least: String,
    at_most: String,
    plies: Option<u16>,
    best: Option<&'a str>,
    nodes: u64,
    seconds: f64,
    /// The number of positions the verification visited; null if there was none or it did not confirm
    /// the proof.
    verified: Option<u64>,
}

pub(super) fn format_solution(solution: &Solution) -> Result<String, CliError> {
    let bounds = solution.bounds;
    to_line(&SolutionJson {
        schema: SCHEMA,
        fen: &solution.fen,
        value: value_text(solution),
        at_least: bounds.lower.to_string(),
        at_most: bounds.upper.to_string(),
        plies: solution.plies,
        best: solution.best.as_deref(),
        nodes: solution.nodes,
        seconds: solution.time.as_secs_f64(),
        verified: match solution.verification {
            Some(Verification::Confirmed { positions, .. }) => Some(positions),
            _ => None,
        },
    })
}

fn to_line(object: &impl Serialize) -> Result<String, CliError> {
    serde_json::to_string(object).map_err(|error| CliError::Failed(error.to_string()))
}

/// The output of `--expand`: a position and its children.
#[derive(Debug, Serialize)]
struct ExpansionJson<'a> {
    schema: u32,
    #[serde(flatten)]
    node: ProofNodeJson<'a>,
    moves: Vec<ProofNodeJson<'a>>,
}

#[derive(Debug, Serialize)]
struct ProofNodeJson<'a> {
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    mv: Option<&'a str>,
    fen: &'a str,
    /// The same for all symmetric images of a position, and different for all others.
    class: &'a str,
    /// The side to move: 1 for the first player, 2 for the second.
    mover: u8,
    /// Bounds of the value for the side to move, without search.
    at_least: String,
    at_most: String,
    /// Proof and disproof number of a win for the side to move; null is infinity.
    win: [Option<u32>; 2],
    /// The same for at least a draw.
    draw: [Option<u32>; 2],
}

impl<'a> ProofNodeJson<'a> {
    fn new(mv: Option<&'a str>, node: &'a ProofNode<String>) -> Self {
        let ProofNode { position, class, side, bounds, win, draw } = node;
        Self {
            mv,
            fen: position,
            class,
            mover: if *side == Side::P1 { 1 } else { 2 },
            at_least: bounds.lower.to_string(),
            at_most: bounds.upper.to_string(),
            win: *win,
            draw: *draw,
        }
    }
}

pub(super) fn format_expansion((node, children): &ExpandedNode) -> Result<String, CliError> {
    let moves = children.iter().map(|(mv, node)| ProofNodeJson::new(Some(mv), node)).collect();
    to_line(&ExpansionJson { schema: SCHEMA, node: ProofNodeJson::new(None, node), moves })
}
