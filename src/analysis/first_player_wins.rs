//! The win of the first player in ultimate tic-tac-toe with open boards, proven on the spot.

use serde_json::{Value as Json, json};

use super::board_svg::position_figure;
use super::{Figure, names};
use crate::games::TixTaxOpen;
use crate::games::tixtax::TixTaxMove;
use crate::language::Language;
use crate::rules::{Game, Side, Value};
use crate::solve::first_player_wins::{PlanHeuristic, PlanPhase, opening_positions, prove_opening};
use crate::solve::{Prover, ValueBounds, Verification, Verifier};

/// Memory for the prover and for the verifier.
const BYTES: usize = 64 << 20;

/// Draws a position at the end of the plan's first part.
pub(super) fn figure(language: Language) -> Option<Figure> {
    let mut pos = TixTaxOpen::start();
    while let phase @ (PlanPhase::Start | PlanPhase::Centre) = PlanPhase::of(&pos) {
        let follows = |mv: &TixTaxMove| pos.side() == Side::P2 || phase.includes(*mv);
        let mv = pos.legal_moves().into_iter().find(follows)?;
        pos = pos.after(mv);
    }
    position_figure("plan", &pos, &[], language)
}

/// Proves the win and reports it, or as much as is proven before `stop`.
pub(super) fn prove_on_the_spot(stop: &mut dyn FnMut() -> bool) -> Json {
    let positions = opening_positions();
    let mut prover = match Prover::new(PlanHeuristic::default(), BYTES) {
        Ok(prover) => prover,
        Err(error) => return json!({ "value": "unknown", "proof": error.to_string() }),
    };
    prove_opening(&mut prover, &positions, stop);
    let start = TixTaxOpen::start();
    let proven = prover.bounds(&start);
    let (mut verified, mut longest) = (None, None);
    let proof = if proven.value() == Some(Value::Win) {
        match Verifier::new(BYTES).verify(&mut prover, &start, proven, &mut |_| stop()) {
            Verification::Confirmed { positions, plies } => {
                (verified, longest) = (Some(positions), Some(plies));
                "verified".to_owned()
            }
            Verification::Stopped => "no time was left to verify it".to_owned(),
            Verification::Refuted(pos) => format!("wrong at {pos}"),
        }
    } else {
        "not finished; a longer --time proves more".to_owned()
    };
    let first_move = start.legal_moves().into_iter().find(|mv| PlanPhase::Start.includes(*mv));
    let opened = first_move.map_or(start, |mv| start.after(mv));
    let is_won = |pos: &TixTaxOpen| prover.bounds(pos) == won_by_first(pos);
    let replies: Vec<TixTaxMove> = opened.legal_moves().into_iter().collect();
    let lost_replies = replies.iter().filter(|mv| is_won(&opened.after(**mv)));
    json!({
        "value": proven.value().map_or_else(|| "unknown".to_owned(), |value| value.to_string()),
        "move": names(first_move.filter(|_| is_won(&opened))),
        "replies": names(&replies),
        "replies_lost": names(lost_replies),
        "first_part": positions.len(),
        "first_part_won": positions.iter().filter(|pos| is_won(pos)).count(),
        "nodes": prover.nodes(),
        "verified": verified,
        "longest": longest,
        "proof": proof,
    })
}

/// The bounds of a position that the first player wins.
fn won_by_first(pos: &TixTaxOpen) -> ValueBounds {
    ValueBounds::exactly(if pos.side() == Side::P1 { Value::Win } else { Value::Loss })
}
