//! `analyze`: what is known of a game, or of a position.
//!
//! What is particular to a game is told by its [`Study`]; here is what can be said of positions of
//! any game, their exact value first of all.

use std::time::Duration;

use super::settings::EngineEvaluator;
use super::solving::{GameSolver, Solution, SolveError, SolveObserver, Solver, SolverOptions};
use crate::analysis::{AnalysisReport, Section, Study};
use crate::rules::{Game, Outcome, Record, Side};
use crate::search::SearchControl;
use crate::solve::{Oracle, rank_moves};

/// What is to be told.
pub struct AnalysisRequest<'a> {
    /// The position; of the game, if there is none.
    pub fen: Option<&'a str>,
    /// How long proofs may take.
    pub time: Duration,
    /// Stops them earlier.
    pub control: &'a SearchControl,
    /// Is told how far they are.
    pub observer: &'a mut dyn SolveObserver,
}

/// Memory for the proof of a value, in MiB.
const MEMORY: usize = 1024;

pub(super) fn report<G, O, E, S>(enquiry: AnalysisRequest<'_>) -> Result<AnalysisReport, SolveError>
where
    G: Game,
    O: Oracle<G>,
    E: EngineEvaluator<G>,
    S: Study<G>,
{
    let AnalysisRequest { fen, time, control, observer } = enquiry;
    let Some(fen) = fen else {
        let mut stop = || control.is_stopped() || control.has_elapsed(time);
        return Ok(AnalysisReport { game: G::ID, sections: S::game(&mut stop) });
    };
    let pos: G = super::error::parse_fen(fen)?;
    let mut sections = vec![of_any(&pos)];
    sections.extend(S::position(&pos));
    if pos.outcome().is_none() {
        let means = SolverOptions { mebibytes: MEMORY, threads: 1, verify: false };
        let mut solver = GameSolver::<G, O, E>::new(means)?;
        let solution = solver.solve(fen, Some(time), None, control, observer)?;
        sections.push(value(&solution));
    }
    if O::IS_SOLVED && pos.outcome().is_none() {
        sections.push(moves(&pos, &mut O::default()));
    }
    Ok(AnalysisReport { game: G::ID, sections })
}

fn of_any<G: Game>(pos: &G) -> Section {
    let result = match pos.outcome() {
        None => "in play",
        Some(Outcome::Win(Side::P1)) => "the first player has won",
        Some(Outcome::Win(Side::P2)) => "the second player has won",
        Some(Outcome::Draw) => "drawn",
    };
    Section::facts("position", "The position")
        .fact("fen", "FEN", pos.to_string())
        .fact("result", "result", result)
        .fact("moves", "moves", pos.move_count())
}

fn value(solution: &Solution) -> Section {
    let Solution { bounds, plies, best, .. } = solution;
    let value = bounds.value().map_or("unknown".to_owned(), |value| value.to_string());
    Section::facts("value", "Its value for the mover")
        .fact("value", "value", value)
        .fact("at_least", "at least", bounds.least.to_string())
        .fact("at_most", "at most", bounds.most.to_string())
        .fact("plies", "plies to the end", plies.map(u32::from))
        .fact("best", "best move", best.clone())
}

fn moves<G: Game>(pos: &G, oracle: &mut impl Oracle<G>) -> Section {
    let columns = [
        ("move", "move"),
        ("value", "value"),
        ("plies", "plies"),
        ("traps", "replies that give something away"),
    ];
    let mut table = Section::table("moves", "Move by move, the best first", &columns);
    for advice in rank_moves(oracle, &Record::new(*pos)) {
        let plies = advice.exact.plies().map(u32::from);
        table.row(vec![
            advice.mv.to_string().into(),
            advice.exact.value().to_string().into(),
            plies.into(),
            advice.traps.into(),
        ]);
    }
    table
}
