//! `puzzle`: positions with exactly one right move.

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::{RequestContext, RequestError};
use crate::language::Language;
use crate::protocol::PositionSetup;
use crate::rules::Value;
use crate::teaching::puzzles::{self, MAX_DIFFICULTY, PuzzleSelection, PuzzleShortage};
use crate::thinking::registry;

/// The highest puzzle number of a seed; limited because all earlier puzzles are generated first.
const MAX_NUMBER: usize = 200;
/// The interval between reports, in positions examined.
const PROGRESS_INTERVAL: u64 = 100;

/// Asks for a puzzle.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleRequest {
    game: String,
    /// From 1 to [`MAX_DIFFICULTY`]; absent for any.
    #[serde(default)]
    difficulty: Option<u8>,
    #[serde(default)]
    seed: u64,
    /// Its number among the puzzles of the seed, from 1.
    #[serde(default = "first")]
    number: usize,
}

fn first() -> usize {
    1
}

impl PuzzleRequest {
    /// The puzzle; null if there is no further one.
    pub(super) fn answer(
        &self,
        language: Language,
        context: &mut RequestContext<'_>,
    ) -> Result<Json, RequestError> {
        let entry = registry::find(&self.game)?;
        if let Some(difficulty) =
            self.difficulty.filter(|difficulty| !(1..=MAX_DIFFICULTY).contains(difficulty))
        {
            let reason = format!("invalid difficulty {difficulty}, expected 1 to {MAX_DIFFICULTY}");
            return Err(RequestError::new(reason));
        }
        if !(1..=MAX_NUMBER).contains(&self.number) {
            let reason = format!("invalid number {}, expected 1 to {MAX_NUMBER}", self.number);
            return Err(RequestError::new(reason));
        }
        let selection = PuzzleSelection { seed: self.seed, difficulty: self.difficulty };
        let mut generator = puzzles::generator(entry, &selection);
        let progress = &mut context.progress;
        let mut examined = |examined: u64| {
            if examined > 0 && examined.is_multiple_of(PROGRESS_INTERVAL) {
                progress(json!({ "examined": examined }));
            }
        };
        let mut puzzle = None;
        for _ in 0..self.number {
            puzzle = match generator.next(context.control, &mut examined) {
                Ok(puzzle) => Some(puzzle),
                Err(PuzzleShortage::Stopped) => return Err(RequestError::cancelled()),
                Err(PuzzleShortage::Exhausted | PuzzleShortage::GaveUp) => return Ok(Json::Null),
            };
        }
        let Some(puzzle) = puzzle else { return Ok(Json::Null) };
        let mut game = entry.open();
        game.set_position(&PositionSetup::from_text(&puzzle.fen), &[])?;
        let layout = game.layout();
        let spots = layout.map(|layout| layout.spots_of_move(puzzle.solution()));
        let is_win = puzzle.value.value() == Value::Win;
        Ok(json!({
            "fen": puzzle.fen,
            "side": game.side().index(),
            "difficulty": puzzle.difficulty,
            "goal": language.text(if is_win { "puzzle.goalWin" } else { "puzzle.goalHold" }),
            "solution": puzzle.solution(),
            "solution_spots": spots.unwrap_or_default(),
            "line": puzzle.line,
        }))
    }
}
