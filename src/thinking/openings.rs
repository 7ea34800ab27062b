//! Openings: distinct unfinished positions to start matches from, optionally balanced.
//!
//! If the game has a fixed starting position and few enough positions at the requested depth, they
//! are enumerated and shuffled, which shows when there are no more. Otherwise they are reached by
//! random games until those stop finding new ones. Either way the list depends only on the request,
//! and a longer list starts with the shorter one.

use std::collections::HashSet;

use super::{AnyGame, EngineError, SearchRequest, Settings};
use crate::rules::StartPosition;
use crate::rules::random_positions::after_random_moves;
use crate::rules::{Game, SplitMix, Value};
use crate::search::{Limits, Points, Score, SearchControl};
use crate::solve::ExactSolver;

/// Positions are enumerated only if no depth has more of them than this.
const MAX_ENUMERATED: usize = 100_000;

/// A game with at most this many openings of its default length has few of them.
const FEW_OPENINGS: usize = 1000;

/// Random play gives up after this many games in a row without a new opening.
pub const MAX_FRUITLESS_GAMES: usize = 10_000;

/// In an unsolved game, a position is balanced if a short search scores it within this many
/// hundredths of zero.
pub const BALANCE_MARGIN: Points = 20;

/// The node limit of that search. It starts with an empty hash table, so that the result does not
/// depend on earlier searches.
pub const BALANCE_NODES: u64 = 20_000;

/// A solved game without a draw among this many openings counts as one without draws.
const DRAWLESS_SAMPLE: usize = 100;

/// The hash table of that search, in MiB; small, because it is cleared every time.
const BALANCE_HASH: usize = 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningRequest {
    pub count: usize,
    /// The number of plies from the start; `None` for the game's default.
    pub plies: Option<usize>,
    pub seed: u64,
    /// Whether the openings must be balanced: drawn positions if the game is solved; if it has no
    /// draws, won and lost positions alternately; if it is unsolved, positions that a short search
    /// scores as even.
    pub balanced: bool,
}

/// Why the list ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpeningSupply {
    /// The list has the requested length.
    Enough,
    /// No more openings exist.
    Exhausted,
    /// [`MAX_FRUITLESS_GAMES`] random games in a row found no new opening.
    GaveUp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningList {
    /// Distinct FENs of unfinished positions.
    pub fens: Vec<String>,
    /// Why the list ended; not [`OpeningSupply::Enough`] if it is shorter than requested.
    pub supply: OpeningSupply,
}

/// Generates openings of a game for matches.
///
/// `game` checks for balance. If `control` is stopped, the list is short.
///
/// # Errors
/// Fails if its search cannot allocate its memory.
pub(super) fn generate<G: Game, O: ExactSolver<G>>(
    request: &OpeningRequest,
    game: Box<dyn AnyGame>,
    control: &SearchControl,
) -> Result<OpeningList, EngineError> {
    let may_alternate = request.balanced && O::IS_SOLVED;
    list_openings::<G>(request, may_alternate, Balance::new(game, request, control))
}

/// Returns whether a game has so few openings that a match soon repeats them.
pub(super) fn are_few<G: Game>() -> bool {
    !G::HAS_RANDOM_START && can_enumerate::<G>(G::OPENING_PLIES, FEW_OPENINGS)
}

fn list_openings<G: Game>(
    request: &OpeningRequest,
    may_alternate: bool,
    mut balance: Balance<'_>,
) -> Result<OpeningList, EngineError> {
    let plies = request.plies.unwrap_or(G::OPENING_PLIES);
    let mut random = SplitMix::new(request.seed);
    let mut bins = OpeningBins::new(request.count, may_alternate);
    if !G::HAS_RANDOM_START && can_enumerate::<G>(plies, MAX_ENUMERATED) {
        let mut all = enumerate::<G>(plies);
        random.shuffle(&mut all);
        for (fen, _) in all {
            if bins.are_full() || balance.control.is_stopped() {
                break;
            }
            let value = balance.value(&fen)?;
            bins.offer(fen, value);
        }
        return Ok(bins.into_list(OpeningSupply::Exhausted));
    }
    let (mut seen, mut fruitless) = (HashSet::new(), 0);
    while !bins.are_full() && fruitless < MAX_FRUITLESS_GAMES && !balance.control.is_stopped() {
        fruitless += 1;
        let start = G::random_start(&mut random);
        let Some(pos) = after_random_moves(start, plies, &mut random) else { continue };
        let fen = pos.to_string();
        if !seen.contains(&fen) {
            seen.insert(fen.clone());
            let value = balance.value(&fen)?;
            if bins.offer(fen, value) {
                fruitless = 0;
            }
        }
    }
    Ok(bins.into_list(OpeningSupply::GaveUp))
}

/// Whether every depth up to `plies` has at most `limit` positions. Counts keys, which is much
/// cheaper than writing FENs.
fn can_enumerate<G: Game>(plies: usize, limit: usize) -> bool {
    let mut level = vec![G::start()];
    for _ in 0..plies {
        let (mut seen, mut next) = (HashSet::new(), Vec::new());
        for pos in level {
            let children = pos.legal_moves().into_iter().map(|mv| pos.after(mv));
            next.extend(children.filter(|child| seen.insert(child.key())));
            if next.len() > limit {
                return false;
            }
        }
        level = next;
    }
    true
}

/// Lists all unfinished positions `plies` plies from the start, in a deterministic order.
fn enumerate<G: Game>(plies: usize) -> Vec<(String, G)> {
    let mut level = vec![(G::start().to_string(), G::start())];
    for _ in 0..plies {
        let (mut seen, mut next) = (HashSet::new(), Vec::new());
        for (_, pos) in level {
            for mv in pos.legal_moves() {
                let child = pos.after(mv);
                let fen = child.to_string();
                if seen.insert(fen.clone()) {
                    next.push((fen, child));
                }
            }
        }
        level = next;
    }
    level.retain(|(_, pos)| pos.outcome().is_none());
    level
}

/// Decides whether positions are balanced.
struct Balance<'a> {
    /// `None` if every position counts as balanced.
    game: Option<Box<dyn AnyGame>>,
    control: &'a SearchControl,
}

impl<'a> Balance<'a> {
    fn new(
        mut game: Box<dyn AnyGame>,
        request: &OpeningRequest,
        control: &'a SearchControl,
    ) -> Self {
        game.configure(&Settings { hash: BALANCE_HASH, ..Settings::default() });
        Self { game: request.balanced.then_some(game), control }
    }

    /// The value of a position for the side to move; one that is scored as even counts as a draw.
    fn value(&mut self, fen: &str) -> Result<Value, EngineError> {
        let Some(game) = &mut self.game else { return Ok(Value::Draw) };
        game.set_position(&StartPosition::Fen(fen), &[])?;
        game.clear_searcher();
        let limits = Limits { nodes: Some(BALANCE_NODES), ..Limits::default() };
        let request = SearchRequest { limits, ..Settings::default().request() };
        let search = game.prepare(&request)?;
        // A known value is looked up faster without the line that follows it.
        let score = if search.is_known {
            game.evaluate()?
        } else {
            search.run(&self.control.child(), &mut |_| {})?.score()
        };
        Ok(match score {
            Score::Exact(value) | Score::ByLine(value) => value.value(),
            Score::Estimate(points) if points > BALANCE_MARGIN => Value::Win,
            Score::Estimate(points) if points < -BALANCE_MARGIN => Value::Loss,
            Score::Estimate(_) => Value::Draw,
        })
    }
}

/// Collects openings by their value. The list has the drawn ones; in a game without draws, won and lost
/// ones in turn.
struct OpeningBins {
    count: usize,
    /// Whether the game is solved, so that an opening that is not drawn is won or lost.
    may_alternate: bool,
    offered: usize,
    drawn: Vec<String>,
    won: Vec<String>,
    lost: Vec<String>,
}

impl OpeningBins {
    fn new(count: usize, may_alternate: bool) -> Self {
        let [drawn, won, lost] = [const { Vec::new() }; 3];
        Self { count, may_alternate, offered: 0, drawn, won, lost }
    }

    /// Whether the game turned out to have no draws.
    fn alternates(&self) -> bool {
        self.may_alternate && self.drawn.is_empty() && self.offered >= DRAWLESS_SAMPLE
    }

    fn are_full(&self) -> bool {
        let lengths = [self.won.len(), self.lost.len()];
        let has_both = lengths[0] >= self.count.div_ceil(2) && lengths[1] >= self.count / 2;
        self.drawn.len() >= self.count || (self.alternates() && has_both)
    }

    /// Adds an opening if its bin has room; returns whether it was added.
    fn offer(&mut self, fen: String, value: Value) -> bool {
        let (bin, capacity) = match value {
            Value::Draw if self.alternates() => return false,
            Value::Draw => (&mut self.drawn, self.count),
            Value::Win => (&mut self.won, self.count.div_ceil(2)),
            Value::Loss => (&mut self.lost, self.count / 2),
        };
        self.offered += 1;
        let has_room = bin.len() < capacity;
        if has_room {
            bin.push(fen);
        }
        has_room
    }

    /// `shortage` is the reason reported if the list is shorter than requested.
    fn into_list(self, shortage: OpeningSupply) -> OpeningList {
        let supply = if self.are_full() { OpeningSupply::Enough } else { shortage };
        let mut fens = self.drawn;
        if self.may_alternate && fens.is_empty() {
            let (mut won, mut lost) = (self.won.into_iter(), self.lost.into_iter());
            while let Some(fen) =
                if fens.len().is_multiple_of(2) { won.next() } else { lost.next() }
            {
                fens.push(fen);
            }
        }
        OpeningList { fens, supply }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thinking::registry::{find, games};

    fn request(count: usize) -> OpeningRequest {
        OpeningRequest { count, plies: Some(1), seed: 5, balanced: false }
    }

    #[test]
    fn a_longer_list_starts_with_the_shorter_one() {
        let nim = |count| {
            let request = OpeningRequest { balanced: true, plies: None, ..request(count) };
            find("nim").unwrap().openings(&request, &SearchControl::default()).unwrap().fens
        };
        let long = nim(31);
        assert_eq!(nim(8), long[..8]);
        let tictactoe = |count| {
            find("tictactoe")
                .unwrap()
                .openings(&request(count), &SearchControl::default())
                .unwrap()
                .fens
        };
        assert_eq!(tictactoe(4), tictactoe(9)[..4]);
    }

    #[test]
    fn few_openings_are_recognized_by_counting_them() {
        let few = games().iter().filter(|game| game.has_few_openings());
        assert_eq!(few.map(|game| game.id).collect::<Vec<_>>(), ["tictactoe", "ponghauki"]);
    }

    #[test]
    fn the_list_reports_why_it_ended() {
        let supply = |request| {
            find("tictactoe").unwrap().openings(&request, &SearchControl::default()).unwrap()
        };
        assert_eq!(supply(request(9)).supply, OpeningSupply::Enough);
        assert_eq!(supply(request(10)).supply, OpeningSupply::Exhausted);
        let over = OpeningRequest { plies: Some(9), ..request(1) };
        assert_eq!(supply(over), OpeningList { fens: vec![], supply: OpeningSupply::Exhausted });
        let over = OpeningRequest { plies: Some(49), ..request(1) };
        let nim = find("nim").unwrap().openings(&over, &SearchControl::default()).unwrap();
        assert_eq!(nim, OpeningList { fens: vec![], supply: OpeningSupply::GaveUp });
    }

    #[test]
    fn wins_and_losses_alternate_where_nothing_is_drawn() {
        let list = |values: [Value; DRAWLESS_SAMPLE]| {
            let mut bins = OpeningBins::new(9, true);
            for (number, value) in values.into_iter().enumerate() {
                bins.offer(number.to_string(), value);
            }
            assert!(!bins.offer("late".to_owned(), Value::Draw) || !bins.drawn.is_empty());
            bins.into_list(OpeningSupply::GaveUp).fens
        };
        let mut values = [Value::Win; DRAWLESS_SAMPLE];
        values[40] = Value::Loss;
        assert_eq!(list(values), ["0", "40", "1"]);
        values[30] = Value::Draw;
        assert_eq!(list(values), ["30", "late"]);
    }
}
