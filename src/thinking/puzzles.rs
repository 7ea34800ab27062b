//! Puzzles: positions in which exactly one move keeps the value of the position, often several times in a row.
//!
//! The value of every move is exact: from the exact solver of a solved game, otherwise from an exhaustive
//! search near the end of the game. Positions are enumerated if the game has few of them, otherwise
//! taken from random games. The list depends only on the selection; a longer list starts with
//! the shorter one.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::vec;

use crate::rules::random_positions::random_late_position;
use crate::rules::{ExactValue, Game, Record, SplitMix, Value, symmetric_key};
use crate::search::SearchControl;
use crate::solve::{ExactSearch, ExactSolver, principal_variation};

/// Positions are enumerated only if the game has at most this many.
const MAX_ENUMERATED: usize = 20_000;

/// Random play gives up after this many positions in a row without a new puzzle.
pub const MAX_FRUITLESS_POSITIONS: usize = 20_000;

/// Random play of an unsolved game stops when a random number of plies is left, at most this many.
const MAX_PLIES_LEFT: usize = 16;
/// The smallest such number.
const MIN_PLIES_LEFT: usize = 3;

/// The most moves to find in one puzzle.
pub const MAX_MOVES_TO_FIND: usize = 5;

pub const MAX_DIFFICULTY: u8 = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PuzzleSelection {
    pub seed: u64,
    /// The difficulty, 1 to [`MAX_DIFFICULTY`]; `None` for any.
    pub difficulty: Option<u8>,
}

/// A position in which exactly one move keeps the value: a win, or a draw where every other move
/// loses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Puzzle {
    /// The position.
    pub fen: String,
    /// The value of the position: a win or a draw.
    pub value: ExactValue,
    /// The difficulty, from 1 to [`MAX_DIFFICULTY`]: half of `depth`, rounded up.
    pub difficulty: u8,
    /// The depth of the deepest refutation, in plies.
    ///
    /// A wrong move is refuted by the loss it leads to or by the win it misses, whichever is nearer.
    pub depth: u16,
    /// The solution and best play after it, to the end of the game or to the first repetition. Of equally good
    /// replies, the opponent chooses one after which most moves have to be found.
    pub line: Vec<String>,
    /// How many moves of the line the side to move has to find: up to this one, each is the only one that keeps the
    /// value. At most [`MAX_MOVES_TO_FIND`]. The last one has alternatives; an earlier one may be the only legal move.
    pub to_find: usize,
    pub legal_moves: usize,
}

impl Puzzle {
    /// The move that keeps the value.
    #[must_use]
    pub fn solution(&self) -> &str {
        self.line.first().map_or("", String::as_str)
    }
}

/// Why there is no further puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PuzzleShortage {
    /// No more exist.
    Exhausted,
    /// [`MAX_FRUITLESS_POSITIONS`] positions in a row gave no new puzzle.
    GaveUp,
    Stopped,
}

/// Generates the puzzles of a selection one by one.
pub trait PuzzleGenerator: Send {
    /// Returns the next puzzle. Calls `examined` before each position, with the number examined so
    /// far.
    ///
    /// # Errors
    /// Fails if no further puzzle is found.
    fn next(
        &mut self,
        control: &SearchControl,
        examined: &mut dyn FnMut(u64),
    ) -> Result<Puzzle, PuzzleShortage>;
}

pub(super) fn generator<G: Game, O: ExactSolver<G>>(
    selection: &PuzzleSelection,
) -> Box<dyn PuzzleGenerator> {
    if O::IS_SOLVED {
        Box::new(GamePuzzles::<G, O>::new(selection, true))
    } else {
        Box::new(GamePuzzles::<G, ExactSearch<G>>::new(selection, false))
    }
}

struct GamePuzzles<G: Game, O> {
    difficulty: Option<u8>,
    exact_solver: O,
    source: PositionSource<G>,
    /// Keys of the positions examined, one for all symmetric images.
    seen: HashSet<u64>,
    examined: u64,
}

impl<G: Game, O: ExactSolver<G>> GamePuzzles<G, O> {
    fn new(selection: &PuzzleSelection, is_solved: bool) -> Self {
        Self {
            difficulty: selection.difficulty,
            exact_solver: O::default(),
            source: PositionSource::new(SplitMix::new(selection.seed), is_solved),
            seen: HashSet::new(),
            examined: 0,
        }
    }
}

impl<G: Game, O: ExactSolver<G>> PuzzleGenerator for GamePuzzles<G, O> {
    fn next(
        &mut self,
        control: &SearchControl,
        examined: &mut dyn FnMut(u64),
    ) -> Result<Puzzle, PuzzleShortage> {
        let mut fruitless = 0;
        while fruitless < MAX_FRUITLESS_POSITIONS {
            if control.is_stopped() {
                return Err(PuzzleShortage::Stopped);
            }
            examined(self.examined);
            let Some(pos) = self.source.next() else { return Err(PuzzleShortage::Exhausted) };
            self.examined += 1;
            fruitless += 1;
            if pos.move_count() < 2 || !self.seen.insert(symmetric_key(&pos)) {
                continue;
            }
            if let Some(puzzle) = self.puzzle(&pos) {
                return Ok(puzzle);
            }
        }
        Err(PuzzleShortage::GaveUp)
    }
}

impl<G: Game, O: ExactSolver<G>> GamePuzzles<G, O> {
    /// Returns the puzzle of the wanted difficulty that a position poses, if any.
    fn puzzle(&mut self, pos: &G) -> Option<Puzzle> {
        let moves = self.ranked_moves(pos);
        let (value, solution) = only_good_move(&moves)?;
        let wrong = moves.iter().skip(1);
        let depth = wrong.filter_map(|(exact, _)| refutation_depth(*exact, value)).max()?;
        let difficulty = u8::try_from(depth.div_ceil(2)).unwrap_or(MAX_DIFFICULTY);
        let difficulty = difficulty.clamp(1, MAX_DIFFICULTY);
        if self.difficulty.is_some_and(|wanted| wanted != difficulty) {
            return None;
        }
        let mut record = Record::new(*pos);
        let mut line = self.line_to_find(&record, solution, MAX_MOVES_TO_FIND);
        let to_find = line.len().div_ceil(2);
        if let Some(last) = line.pop() {
            for mv in &line {
                record.push(*mv).ok()?;
            }
            line.extend(principal_variation(&mut self.exact_solver, &record, last));
        }
        Some(Puzzle {
            fen: pos.to_string(),
            value,
            difficulty,
            depth,
            line: line.iter().map(ToString::to_string).collect(),
            to_find,
            legal_moves: moves.len(),
        })
    }

    /// The legal moves with their values, best first.
    fn ranked_moves(&mut self, pos: &G) -> Vec<(ExactValue, G::Move)> {
        let legal = pos.legal_moves().into_iter();
        let mut moves: Vec<_> =
            legal.map(|mv| (self.exact_solver.exact(&pos.after(mv)).before_move(), mv)).collect();
        moves.sort_by_key(|(exact, _)| Reverse(*exact));
        moves
    }

    /// Returns the line in which the most moves have to be found, from a move that is the only good one to the
    /// last such move with alternatives. The opponent's replies are as good as any.
    fn line_to_find(&mut self, record: &Record<G>, mv: G::Move, most: usize) -> Vec<G::Move> {
        let mut longest = Vec::new();
        let mut record = record.clone();
        if most > 1 && record.push(mv).is_ok() && !record.is_repetition() {
            let replies = self.ranked_moves(record.position());
            let best = replies.first().map(|(exact, _)| *exact);
            for (_, reply) in replies.into_iter().filter(|(exact, _)| Some(*exact) == best) {
                let rest = self.line_after_reply(&record, reply, most - 1);
                if rest.len() > longest.len() {
                    longest = rest;
                }
                if longest.len() == 2 * (most - 1) {
                    break;
                }
            }
        }
        longest.insert(0, mv);
        longest
    }

    /// The reply and the line to find after it; empty if there is nothing to find.
    fn line_after_reply(
        &mut self,
        record: &Record<G>,
        reply: G::Move,
        most: usize,
    ) -> Vec<G::Move> {
        let mut record = record.clone();
        if record.push(reply).is_err() || record.is_repetition() {
            return Vec::new();
        }
        let moves = self.ranked_moves(record.position());
        let Some((_, mv)) = only_good_move(&moves) else { return Vec::new() };
        let line = self.line_to_find(&record, mv, most);
        if moves.len() == 1 && line.len() == 1 {
            return Vec::new();
        }
        [vec![reply], line].concat()
    }
}

/// The move that keeps the value if every other one gives it away. `moves` are ranked.
fn only_good_move<M: Copy>(moves: &[(ExactValue, M)]) -> Option<(ExactValue, M)> {
    let (best, others) = moves.split_first()?;
    let value = best.0.value();
    let is_only = value > Value::Loss && others.iter().all(|(exact, _)| exact.value() < value);
    is_only.then_some(*best)
}

/// The depth at which a wrong move is refuted: by its loss or by the win it misses.
fn refutation_depth(wrong: ExactValue, best: ExactValue) -> Option<u16> {
    [wrong, best].into_iter().filter_map(ExactValue::plies).min()
}

/// Where positions come from.
enum PositionSource<G> {
    /// All positions of the game, shuffled.
    Enumerated(vec::IntoIter<G>),
    /// Random games. In an unsolved game they are played until few plies are left.
    Random { random: SplitMix, is_solved: bool },
}

impl<G: Game> PositionSource<G> {
    fn new(mut random: SplitMix, is_solved: bool) -> Self {
        if !is_solved && G::start().max_plies_left().is_none() {
            // No position is known to be near the end.
            return Self::Enumerated(Vec::new().into_iter());
        }
        match is_solved.then(enumerate::<G>).flatten() {
            Some(mut all) => {
                random.shuffle(&mut all);
                Self::Enumerated(all.into_iter())
            }
            None => Self::Random { random, is_solved },
        }
    }

    fn next(&mut self) -> Option<G> {
        match self {
            Self::Enumerated(positions) => positions.next(),
            Self::Random { random, is_solved: true } => Some(random_position(random)),
            Self::Random { random, is_solved: false } => {
                let plies = MIN_PLIES_LEFT + random.below(MAX_PLIES_LEFT - MIN_PLIES_LEFT + 1);
                Some(random_late_position(G::random_start(random), plies as u32, random))
            }
        }
    }
}

fn random_position<G: Game>(random: &mut SplitMix) -> G {
    let mut game = vec![G::random_start(random)];
    while let Some(pos) = game.last().filter(|pos| pos.outcome().is_none()) {
        game.push(pos.after(pos.random_move(random)));
    }
    game[random.below(game.len())]
}

/// Lists all positions of a game with a fixed start in a deterministic order; `None` if there are
/// more than [`MAX_ENUMERATED`].
fn enumerate<G: Game>() -> Option<Vec<G>> {
    if G::HAS_RANDOM_START {
        return None;
    }
    let (mut seen, mut all) = (HashSet::from([G::start().key()]), vec![G::start()]);
    let mut next = 0;
    while let Some(pos) = all.get(next).copied() {
        for mv in pos.legal_moves() {
            let child = pos.after(mv);
            if seen.insert(child.key()) {
                all.push(child);
            }
        }
        next += 1;
        if all.len() > MAX_ENUMERATED {
            return None;
        }
    }
    Some(all)
}
