//! Protocol conformance: checks an engine step by step and records which steps pass.
//!
//! A step is a function over a `CheckContext`, which owns the engine process, the transcript of
//! the step and the results of earlier steps. After a failed step the engine is restarted, so that
//! one defect does not fail the steps that follow. Moves are checked against the rules where the
//! game is known; otherwise only their form is.

mod context;
mod engine_output;
mod game_rules;
mod handshake;
mod limits;
mod robustness;
mod search;
mod step;
mod transcript;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Serialize;

use super::engines::setup::{EngineSetup, Protocol};
use super::games::rules::Rules;
use crate::protocol::reply::Dialect;
use crate::records::SCHEMA;
use context::CheckContext;
use limits::LimitRule::{self, BestMove, Immediate, Patience, Quiet, QuietThenBestMove, Untimed};
pub use limits::StepLimits;
use step::{ConformanceStep, StepError, StepOutcome};

/// What to check, and how.
#[derive(Debug)]
pub struct ComplianceOptions<'a> {
    /// The engine. Its time margin is the tolerance for answers that exceed their time limit.
    pub engine: &'a EngineSetup,
    /// The dialect that it speaks.
    pub dialect: Dialect,
    /// The game.
    pub rules: Rules,
    /// The longest wait for any answer.
    pub patience: Duration,
    /// Stops the check when set.
    pub stop: &'a AtomicBool,
}

/// The result of a check.
#[derive(Debug, Serialize)]
pub struct ComplianceReport {
    /// The version of this format.
    pub schema: u32,
    /// The name and author reported by the engine.
    pub engine: EngineIdentity,
    /// The id of the game; `ugi` if the engine defines the rules.
    pub game: &'static str,
    /// The protocol.
    pub proto: Protocol,
    /// The steps in order; incomplete if the handshake failed or the check was interrupted.
    pub steps: Vec<StepReport>,
    /// The number of missing steps.
    pub not_run: usize,
    /// Whether the engine offers a choice of games.
    #[serde(skip)]
    pub offers_games: bool,
    /// The number of steps that failed because of an illegal move.
    #[serde(skip)]
    pub illegal_moves: usize,
}

impl ComplianceReport {
    /// Returns the number of steps with this status.
    #[must_use]
    pub fn count(&self, status: StepStatus) -> usize {
        self.steps.iter().filter(|step| step.status == status).count()
    }
}

/// The name and author reported by an engine.
#[derive(Debug, Clone, Default, Serialize)]
pub struct EngineIdentity {
    /// The text of `id name`.
    pub name: Option<String>,
    /// The text of `id author`.
    pub author: Option<String>,
}

/// The result of one step.
#[derive(Debug, Clone, Serialize)]
pub struct StepReport {
    /// The number of the step, from 1.
    pub number: usize,
    /// The name of the step.
    pub name: &'static str,
    /// Whether the step passed.
    pub status: StepStatus,
    /// The required behaviour; for a failed step, the requirement that was violated.
    pub expected: String,
    /// What the engine did instead, or why the step was skipped.
    pub found: Option<String>,
    /// The likely reason for a failed handshake.
    pub likely_reason: Option<String>,
    /// The time limits.
    #[serde(flatten)]
    pub limits: StepLimits,
    /// Observations that are not failures.
    pub remarks: Vec<String>,
    /// The transcript of the step: `> ` to the engine, `< ` from it. Long lines and long
    /// transcripts are abridged.
    pub exchanged: Vec<String>,
}

/// The status of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StepStatus {
    /// Passed.
    Ok,
    /// Failed.
    Fail,
    /// Not applicable to this engine, game or protocol, or not checkable after an earlier failure.
    Skip,
}

/// Runs the steps against an engine and calls `on_step` after each of them. A failed handshake ends
/// the check.
pub fn check_engine(
    options: &ComplianceOptions<'_>,
    mut on_step: impl FnMut(&StepReport),
) -> ComplianceReport {
    let mut context = CheckContext::new(options);
    let mut reports = Vec::new();
    for (index, step) in STEPS.iter().enumerate() {
        let Some(report) = run_step(index + 1, step, &mut context) else { break };
        on_step(&report);
        reports.push(report);
        if context.has_failed(STEPS[0].name) {
            break;
        }
    }
    ComplianceReport {
        schema: SCHEMA,
        engine: context.handshake.identity(),
        game: options.rules.name(),
        proto: options.engine.proto,
        not_run: STEPS.len() - reports.len(),
        offers_games: context.handshake.variants().is_some(),
        illegal_moves: context.illegal_moves,
        steps: reports,
    }
}

/// Runs one step; `None` if the check was interrupted.
fn run_step(
    number: usize,
    step: &ConformanceStep,
    context: &mut CheckContext<'_>,
) -> Option<StepReport> {
    let (status, expected, found) = match context.run(step) {
        Ok(()) => (StepStatus::Ok, step.expected.to_owned(), None),
        Err(StepError::Skip(reason)) => (StepStatus::Skip, step.expected.to_owned(), Some(reason)),
        Err(StepError::Fail { expected, found, .. }) => (StepStatus::Fail, expected, Some(found)),
        Err(StepError::Interrupted) => return None,
    };
    let (exchanged, remarks) = context.take_transcript();
    Some(StepReport {
        number,
        name: step.name,
        status,
        expected,
        found,
        likely_reason: context.likely_reason.take(),
        limits: context.limits,
        remarks,
        exchanged,
    })
}

/// All steps in order; the first one is the handshake. Names are keys of the JSON report.
const STEPS: &[ConformanceStep] = &[
    ConformanceStep {
        needs_engine: false,
        ..step(
            "handshake",
            "uciok or ugiok after all options, within the patience",
            Patience,
            handshake::handshake,
        )
    },
    step("id", "a line id name and a line id author", Untimed, handshake::identity),
    step("option lines", "well formed, with distinct names", Untimed, handshake::options),
    step("game", "the game among those offered, if any are", Untimed, handshake::game),
    step("isready", "readyok within the patience", Patience, handshake::ready),
    step("options to their defaults", "no answer", Patience, handshake::defaults),
    step(
        "new game",
        "no answer to ucinewgame or uginewgame, then readyok",
        Patience,
        handshake::new_game,
    ),
    step(
        "go movetime 100",
        "a legal move in time",
        BestMove(search::MOVETIME_MS),
        search::movetime,
    ),
    step("score before bestmove", "an info line with an exact score", Untimed, search::exact_score),
    step("numbers in info lines", "non-negative integers", Untimed, search::info_numbers),
    step("pv", "legal moves; the last pv starts with the best move", Untimed, search::pv),
    step(
        "bestmove line",
        "bestmove M; under UCI optionally ponder and a legal move",
        Untimed,
        search::bestmove_line,
    ),
    step("go depth 1", "a legal move", Patience, search::depth),
    step("go nodes 1000", "a legal move", Patience, search::nodes),
    step("clock", "a legal move in time", BestMove(search::CLOCK_MS), search::clock),
    step(
        "clock with increments",
        "a legal move in time",
        BestMove(search::INCREMENT_CLOCK_MS),
        search::increment,
    ),
    step(
        "clock with movestogo",
        "a legal move in time",
        BestMove(search::CLOCK_MS),
        search::moves_to_go,
    ),
    step(
        "little time left",
        "a legal move in time",
        BestMove(search::LITTLE_TIME_MS),
        search::little_time,
    ),
    step("no time left", "a legal move immediately", Immediate, search::no_time),
    step("position fen", "legal moves there, and after a move", Patience, search::fens),
    step("position startpos with a long game", "a legal move", Patience, search::long_game),
    step("searchmoves", "the given move", Patience, search::search_moves),
    step("go infinite", "no bestmove before stop", Quiet, search::infinite),
    step(
        "isready during a search",
        "readyok within the patience",
        Patience,
        search::ready_in_search,
    ),
    step("stop", "a legal move immediately", Immediate, search::stop_search),
    step("stop and ponderhit while idle", "no answer", Patience, search::stop_while_idle),
    step(
        "go ponder, ponderhit",
        "no bestmove before ponderhit, then in time",
        QuietThenBestMove(search::PONDER_CLOCK_MS),
        search::ponder_hit,
    ),
    step("go ponder, stop", "a legal move immediately", Immediate, search::ponder_stop),
    step("finished game", "bestmove (none)", Patience, game_rules::finished_game),
    step("query", "exact, correct answers throughout a game", Patience, game_rules::queries),
    step(
        "unknown command",
        "readyok, and the position kept",
        Patience,
        robustness::unknown_command,
    ),
    step("garbage bytes", "readyok, and the position kept", Patience, robustness::garbage),
    step("empty lines", "readyok, and the position kept", Patience, robustness::empty_lines),
    step("very long line", "readyok, and the position kept", Patience, robustness::long_line),
    step(
        "illegal move in position",
        "readyok, and the next position accepted",
        Patience,
        robustness::illegal_move,
    ),
    step("broken fen", "readyok, and the next position accepted", Patience, robustness::broken_fen),
    step(
        "position set twice",
        "a search of the last position",
        Patience,
        robustness::position_twice,
    ),
    step(
        "determinism",
        "the same answer to the same depth or nodes (a remark, never a failure)",
        Patience,
        robustness::determinism,
    ),
    step(
        "game against itself",
        "legal moves and the correct result",
        Patience,
        game_rules::self_play,
    ),
    step("quit", "exit within the patience", Patience, robustness::quit),
    step("quit during a search", "exit within the patience", Patience, robustness::quit_in_search),
    step("end of input", "exit within the patience", Patience, robustness::end_of_input),
    step(
        "end of input during a search",
        "exit within the patience",
        Patience,
        robustness::end_of_input_in_search,
    ),
];

/// A step that needs a running engine.
const fn step(
    name: &'static str,
    expected: &'static str,
    limit: LimitRule,
    check: fn(&mut CheckContext<'_>) -> StepOutcome,
) -> ConformanceStep {
    ConformanceStep { name, expected, limit, needs_engine: true, check }
}
