//! `analyze`: facts about a game or a position.
//!
//! Each game's [`Study`] contributes what is specific to it; the sections that any game has, such as
//! the exact value of a position, are here.

use std::time::Duration;

use super::error::parse_fen;
use super::settings::EngineEvaluator;
use super::solving::{GameSolver, Solution, SolveError, SolveObserver, Solver, SolverOptions};
use crate::analysis::{AnalysisReport, Section, Study};
use crate::rules::{Game, Outcome, Record, Side};
use crate::search::SearchControl;
use crate::solve::{Oracle, rank_moves};

/// What to analyze.
pub struct AnalysisRequest<'a> {
    /// The position; `None` for the game as a whole.
    pub fen: Option<&'a str>,
    /// Time limit for proofs.
    pub time: Duration,
    /// Stops the analysis early.
    pub control: &'a SearchControl,
    /// Receives the progress of proofs.
    pub observer: &'a mut dyn SolveObserver,
}

/// Memory for the proof of a position's value, in MiB.
const MEMORY: usize = 1024;

/// Analyzes a game or a position.
pub(super) fn report<G, O, E, S>(request: AnalysisRequest<'_>) -> Result<AnalysisReport, SolveError>
where
    G: Game,
    O: Oracle<G>,
    E: EngineEvaluator<G>,
    S: Study<G>,
{
    let AnalysisRequest { fen, time, control, observer } = request;
    let Some(fen) = fen else {
        let mut stop = || control.is_stopped() || control.has_elapsed(time);
        return Ok(AnalysisReport { game: G::ID, sections: S::analyze_game(&mut stop) });
    };
    let pos: G = parse_fen(fen)?;
    let mut sections = vec![position_section(&pos)];
    sections.extend(S::analyze_position(&pos));
    if pos.outcome().is_none() {
        let options = SolverOptions { mebibytes: MEMORY, threads: 1, verify: false };
        let mut solver = GameSolver::<G, O, E>::new(options)?;
        let solution = solver.solve(fen, Some(time), None, control, observer)?;
        sections.push(value_section(&solution));
    }
    if O::IS_SOLVED && pos.outcome().is_none() {
        sections.push(moves_section(&pos, &mut O::default()));
    }
    Ok(AnalysisReport { game: G::ID, sections })
}

fn position_section<G: Game>(pos: &G) -> Section {
    let result = match pos.outcome() {
        None => "in play",
        Some(Outcome::Win(Side::P1)) => "the first player has won",
        Some(Outcome::Win(Side::P2)) => "the second player has won",
        Some(Outcome::Draw) => "drawn",
    };
    Section::facts("position", "Position")
        .fact("fen", "FEN", pos.to_string())
        .fact("result", "result", result)
        .fact("moves", "legal moves", pos.move_count())
}

fn value_section(solution: &Solution) -> Section {
    let Solution { bounds, plies, best, .. } = solution;
    let value = bounds.value().map_or("unknown".to_owned(), |value| value.to_string());
    Section::facts("value", "Value for the side to move")
        .fact("value", "value", value)
        .fact("at_least", "at least", bounds.lower.to_string())
        .fact("at_most", "at most", bounds.upper.to_string())
        .fact("plies", "plies to the end", plies.map(u32::from))
        .fact("best", "best move", best.clone())
}

fn moves_section<G: Game>(pos: &G, oracle: &mut impl Oracle<G>) -> Section {
    let columns =
        [("move", "move"), ("value", "value"), ("plies", "plies"), ("traps", "weaker replies")];
    let mut table = Section::table("moves", "Moves, best first", &columns);
    for ranked in rank_moves(oracle, &Record::new(*pos)) {
        let plies = ranked.exact.plies().map(u32::from);
        table.row(vec![
            ranked.mv.to_string().into(),
            ranked.exact.value().to_string().into(),
            plies.into(),
            ranked.traps.into(),
        ]);
    }
    table
}
