//! `puzzle` and `rate_puzzle`: positions with exactly one right move, and the ratings of puzzles and solver.

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::{RequestContext, RequestError};
use crate::rules::StartPosition;
use crate::teaching::glicko::Rating;
use crate::thinking::puzzles::{MAX_DIFFICULTY, Puzzle, PuzzleSelection, PuzzleShortage};
use crate::thinking::registry;

/// The highest puzzle number of a seed; limited because all earlier puzzles are generated first.
const MAX_NUMBER: usize = 200;
/// The interval between reports, in positions examined.
const PROGRESS_INTERVAL: u64 = 100;
/// Of this many puzzles the one whose rating is nearest to the wanted one is chosen.
const CANDIDATES: usize = 24;
/// The most puzzles that a request may say have been seen.
const MAX_SEEN: usize = 200;

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
    /// A rating: of the first puzzles of the seed, the nearest one, rather than one with a number.
    #[serde(default)]
    near: Option<f64>,
    /// The FENs of the puzzles that were seen before, the latest first: they are chosen only if there are no others,
    /// the latest last.
    #[serde(default)]
    seen: Vec<String>,
}

fn first() -> usize {
    1
}

impl PuzzleRequest {
    /// The puzzle; null if there is no further one.
    pub(super) fn answer(&self, context: &mut RequestContext<'_>) -> Result<Json, RequestError> {
        let spec = registry::find(&self.game)?;
        self.check()?;
        let selection = PuzzleSelection { seed: self.seed, difficulty: self.difficulty };
        let mut generator = spec.puzzles(&selection);
        let progress = &mut context.progress;
        let mut examined = |examined: u64| {
            if examined > 0 && examined.is_multiple_of(PROGRESS_INTERVAL) {
                progress(json!({ "examined": examined }));
            }
        };
        let mut found = Vec::new();
        let count = if self.near.is_some() { CANDIDATES } else { self.number };
        while found.len() < count {
            match generator.next(context.control, &mut examined) {
                Ok(puzzle) => found.push(puzzle),
                Err(PuzzleShortage::Stopped) => return Err(RequestError::cancelled()),
                Err(PuzzleShortage::Exhausted | PuzzleShortage::GaveUp) => break,
            }
        }
        let puzzle = match self.near {
            Some(rating) => self.nearest(rating, found),
            None => found.into_iter().nth(self.number - 1),
        };
        let Some(puzzle) = puzzle else { return Ok(Json::Null) };
        let mut game = spec.open();
        game.set_position(&StartPosition::from_text(&puzzle.fen), &[])?;
        let layout = game.layout();
        let spots = layout.map(|layout| layout.spots_of_move(puzzle.solution()));
        Ok(json!({
            "fen": puzzle.fen,
            "side": game.side().index(),
            "difficulty": puzzle.difficulty,
            "rating": puzzle.rating(),
            "value": puzzle.value.value().to_string(),
            "solution": puzzle.solution(),
            "solution_spots": spots.unwrap_or_default(),
            "line": puzzle.line,
            "to_find": puzzle.to_find,
        }))
    }

    fn check(&self) -> Result<(), RequestError> {
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
        if self.seen.len() > MAX_SEEN {
            let reason =
                format!("{} puzzles in seen, expected at most {MAX_SEEN}", self.seen.len());
            return Err(RequestError::new(reason));
        }
        Ok(())
    }

    /// The puzzle nearest to a rating, of those that were not seen or not for the longest time.
    fn nearest(&self, rating: f64, puzzles: Vec<Puzzle>) -> Option<Puzzle> {
        let recency = |puzzle: &Puzzle| {
            let seen = self.seen.iter().position(|fen| *fen == puzzle.fen);
            seen.map_or(0, |at| self.seen.len() - at)
        };
        let distance = |puzzle: &Puzzle| (puzzle.rating().rating - rating).abs();
        puzzles.into_iter().min_by(|one, other| {
            recency(one).cmp(&recency(other)).then(distance(one).total_cmp(&distance(other)))
        })
    }
}

/// Asks for the ratings after a puzzle was tried.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatePuzzleRequest {
    solver: Rating,
    puzzle: Rating,
    solved: bool,
}

impl RatePuzzleRequest {
    pub(super) fn answer(&self) -> Result<Json, RequestError> {
        let Self { solver, puzzle, solved } = *self;
        for (name, rating) in [("solver", solver), ("puzzle", puzzle)] {
            if !rating.is_plausible() {
                let found = json!(rating);
                return Err(RequestError::new(format!(
                    "implausible rating of the {name}: {found}"
                )));
            }
        }
        let score = f64::from(u8::from(solved));
        Ok(json!({
            "solver": solver.after(&[(puzzle, score)]),
            "puzzle": puzzle.after(&[(solver, 1.0 - score)]),
        }))
    }
}
