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

/// The hash table of that search, in MiB; small, because it is cleared every time.
const BALANCE_HASH: usize = 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningRequest {
    /// The number of openings.
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
/// `game` checks for balance.
///
/// # Errors
/// Fails if its search cannot allocate its memory.
pub(super) fn generate<G: Game, O: ExactSolver<G>>(
    request: &OpeningRequest,
    game: Box<dyn AnyGame>,
) -> Result<OpeningList, EngineError> {
    let alternates = request.balanced && O::IS_SOLVED && !O::HAS_DRAWS;
    list_openings::<G>(request, alternates, Balance::new(game, request))
}

/// Returns whether a game has so few openings that a match soon repeats them.
pub(super) fn are_few<G: Game>() -> bool {
    !G::HAS_RANDOM_START && can_enumerate::<G>(G::OPENING_PLIES, FEW_OPENINGS)
}

fn list_openings<G: Game>(
    request: &OpeningRequest,
    alternates: bool,
    mut balance: Balance,
) -> Result<OpeningList, EngineError> {
    let plies = request.plies.unwrap_or(G::OPENING_PLIES);
    let mut random = SplitMix::new(request.seed);
    let mut bins = OpeningBins::new(request.count, alternates);
    if !G::HAS_RANDOM_START && can_enumerate::<G>(plies, MAX_ENUMERATED) {
        let mut all = enumerate::<G>(plies);
        random.shuffle(&mut all);
        for (fen, _) in all {
            if bins.are_full() {
                break;
            }
            let value = balance.value(&fen)?;
            bins.offer(fen, value);
        }
        return Ok(bins.into_list(OpeningSupply::Exhausted));
    }
    let (mut seen, mut fruitless) = (HashSet::new(), 0);
    while !bins.are_full() && fruitless < MAX_FRUITLESS_GAMES {
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
struct Balance {
    /// `None` if every position counts as balanced.
    game: Option<Box<dyn AnyGame>>,
}

impl Balance {
    fn new(mut game: Box<dyn AnyGame>, request: &OpeningRequest) -> Self {
        game.configure(&Settings { hash: BALANCE_HASH, ..Settings::default() });
        Self { game: request.balanced.then_some(game) }
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
            search.run(&SearchControl::default(), &mut |_| {})?.score()
        };
        Ok(match score {
            Score::Exact(value) | Score::ByLine(value) => value.value(),
            Score::Estimate(points) if points > BALANCE_MARGIN => Value::Win,
            Score::Estimate(points) if points < -BALANCE_MARGIN => Value::Loss,
            Score::Estimate(_) => Value::Draw,
        })
    }
}

/// Collects openings. Balanced openings go to one bin; in a game without draws, won and lost
/// openings go to a bin each, so that they can alternate.
struct OpeningBins {
    alternates: bool,
    capacities: [usize; 2],
    fens: [Vec<String>; 2],
}

impl OpeningBins {
    fn new(count: usize, alternates: bool) -> Self {
        let capacities = if alternates { [count.div_ceil(2), count / 2] } else { [count, 0] };
        Self { alternates, capacities, fens: [Vec::new(), Vec::new()] }
    }

    fn are_full(&self) -> bool {
        self.fens.iter().zip(self.capacities).all(|(bin, capacity)| bin.len() >= capacity)
    }

    /// Adds an opening if its value qualifies and its bin has room; returns whether it was added.
    fn offer(&mut self, fen: String, value: Value) -> bool {
        let bin = match (self.alternates, value) {
            (false, Value::Draw) | (true, Value::Win) => 0,
            (true, Value::Loss) => 1,
            _ => return false,
        };
        let has_room = self.fens[bin].len() < self.capacities[bin];
        if has_room {
            self.fens[bin].push(fen);
        }
        has_room
    }

    /// Merges the bins, alternating as long as both last. `shortage` is the reason reported if the
    /// list is shorter than requested.
    fn into_list(self, shortage: OpeningSupply) -> OpeningList {
        let is_full = self.are_full();
        let [mut first, mut second] = self.fens;
        if self.alternates {
            first.truncate(second.len() + 1);
            second.truncate(first.len() + 1);
        }
        let mut fens = Vec::with_capacity(first.len() + second.len());
        let (mut first, mut second) = (first.into_iter(), second.into_iter());
        loop {
            let length = fens.len();
            fens.extend(first.next());
            fens.extend(second.next());
            if fens.len() == length {
                break;
            }
        }
        OpeningList { fens, supply: if is_full { OpeningSupply::Enough } else { shortage } }
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
            find("nim").unwrap().openings(&request).unwrap().fens
        };
        let long = nim(31);
        assert_eq!(nim(8), long[..8]);
        let tictactoe = |count| find("tictactoe").unwrap().openings(&request(count)).unwrap().fens;
        assert_eq!(tictactoe(4), tictactoe(9)[..4]);
    }

    #[test]
    fn few_openings_are_recognized_by_counting_them() {
        let few = games().iter().filter(|game| game.has_few_openings());
        assert_eq!(few.map(|game| game.id).collect::<Vec<_>>(), ["tictactoe", "ponghauki"]);
    }

    #[test]
    fn the_list_reports_why_it_ended() {
        let supply = |request| find("tictactoe").unwrap().openings(&request).unwrap();
        assert_eq!(supply(request(9)).supply, OpeningSupply::Enough);
        assert_eq!(supply(request(10)).supply, OpeningSupply::Exhausted);
        let over = OpeningRequest { plies: Some(9), ..request(1) };
        assert_eq!(supply(over), OpeningList { fens: vec![], supply: OpeningSupply::Exhausted });
        let over = OpeningRequest { plies: Some(49), ..request(1) };
        let nim = find("nim").unwrap().openings(&over).unwrap();
        assert_eq!(nim, OpeningList { fens: vec![], supply: OpeningSupply::GaveUp });
    }

    #[test]
    fn wins_and_losses_alternate_until_one_runs_out() {
        let mut bins = OpeningBins::new(9, true);
        for name in ["a", "b", "c", "d", "e", "f"] {
            assert_eq!(
                bins.offer(name.to_owned(), Value::Win),
                name != "f",
                "the bin has room for 5"
            );
        }
        assert!(!bins.offer("g".to_owned(), Value::Draw));
        assert!(bins.offer("h".to_owned(), Value::Loss));
        let openings = bins.into_list(OpeningSupply::GaveUp);
        assert_eq!(
            openings,
            OpeningList {
                fens: ["a", "h", "b"].map(String::from).to_vec(),
                supply: OpeningSupply::GaveUp
            }
        );
    }
}
