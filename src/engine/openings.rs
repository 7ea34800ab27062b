//! OpeningList: distinct unfinished positions to begin matches from, balanced if that is wanted.
//!
//! Where all games begin alike and few positions lie so deep, all of them are laid out and
//! shuffled, and it is known when there are no more. Elsewhere random games are played until
//! nothing new has come up for a long time. Either way the list depends on the request alone, and a
//! longer list begins with the shorter one.

use std::collections::HashSet;

use super::EngineError;
use super::settings::{EngineEvaluator, Settings};
use crate::rules::{Game, Record, SplitMix, Value};
use crate::search::{AlphaBeta, Limits, Points, Score, SearchControl, SearchTask, Searcher};
use crate::solve::Oracle;

/// Where there are more positions than this, they are not laid out: random games find them.
const LAID_OUT: usize = 100_000;

/// After so many random games in a row that brought nothing new, no more are played.
pub const MAX_FRUITLESS_GAMES: usize = 10_000;

/// Where the game is not solved, a position is balanced if this many hundredths are the most that a
/// short search sees either side ahead, …
pub const BALANCE_MARGIN: Points = 20;

/// … and this is how many positions the search visits. It begins with an empty table, so that what
/// was searched before makes no difference.
pub const BALANCE_NODES: u64 = 20_000;

/// MiB of table for that search; it has to be emptied each time.
const BALANCE_TABLE: usize = 1;

/// What is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningRequest {
    /// How many.
    pub count: usize,
    /// How many plies after the start of a game; the game's own number when not given.
    pub plies: Option<usize>,
    /// Where the random choices begin.
    pub seed: u64,
    /// Whether the chances have to be even: drawn positions where the game is solved; where it has
    /// no draws, won and lost ones by turns; where it is not solved, what a short search calls even.
    pub balanced: bool,
}

/// Why there are not more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpeningSupply {
    /// No more were asked for.
    Enough,
    /// No more exist.
    Exhausted,
    /// [`MAX_FRUITLESS_GAMES`] random games in a row brought no further one.
    GaveUp,
}

/// Positions to begin from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningList {
    /// Distinct FENs of unfinished positions.
    pub fens: Vec<String>,
    /// Why there are not more of them; anything but [`OpeningSupply::Enough`] where fewer were found than
    /// asked for.
    pub supply: OpeningSupply,
}

/// Makes openings of one game.
pub(super) fn generate<G: Game, O: Oracle<G>, E: EngineEvaluator<G>>(
    request: &OpeningRequest,
) -> Result<OpeningList, EngineError> {
    let plies = request.plies.unwrap_or(G::OPENING_PLIES);
    let mut random = SplitMix::new(request.seed);
    let mut bins = Bins::new(request.count, request.balanced && O::IS_SOLVED && !O::HAS_DRAWS);
    let mut scales = Scales::<G, O, E>::new(request.balanced)?;
    if begins_alike::<G>() && lie_close::<G>(plies) {
        let mut all = lay_out::<G>(plies);
        random.shuffle(&mut all);
        for (fen, pos) in all {
            if bins.are_full() {
                break;
            }
            bins.offer(fen, scales.weigh(&pos));
        }
        return Ok(bins.empty(OpeningSupply::Exhausted));
    }
    let (mut seen, mut fruitless) = (HashSet::new(), 0);
    while !bins.are_full() && fruitless < MAX_FRUITLESS_GAMES {
        fruitless += 1;
        let Some(pos) = random_opening::<G>(plies, &mut random) else { continue };
        let fen = pos.to_string();
        if !seen.contains(&fen) {
            seen.insert(fen.clone());
            if bins.offer(fen, scales.weigh(&pos)) {
                fruitless = 0;
            }
        }
    }
    Ok(bins.empty(OpeningSupply::GaveUp))
}

/// Whether all games begin with the start; a few are looked at.
fn begins_alike<G: Game>() -> bool {
    const SEEDS: u64 = 8;
    (0..SEEDS).all(|seed| G::random_start(&mut SplitMix::new(seed)) == G::start())
}

/// Whether no more than [`LAID_OUT`] different positions lie at any depth up to `plies`. Counts
/// keys, which costs a fraction of writing FENs.
fn lie_close<G: Game>(plies: usize) -> bool {
    let mut level = vec![G::start()];
    for _ in 0..plies {
        let (mut seen, mut next) = (HashSet::new(), Vec::new());
        for pos in level {
            let children = pos.legal_moves().into_iter().map(|mv| pos.after(mv));
            next.extend(children.filter(|child| seen.insert(child.key())));
            if next.len() > LAID_OUT {
                return false;
            }
        }
        level = next;
    }
    true
}

/// All unfinished positions that lie `plies` plies from the start, in a fixed order.
fn lay_out<G: Game>(plies: usize) -> Vec<(String, G)> {
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

/// A position `plies` random plies from a random start; `None` if the game was over by then.
fn random_opening<G: Game>(plies: usize, random: &mut SplitMix) -> Option<G> {
    let mut pos = G::random_start(random);
    for _ in 0..plies {
        if pos.outcome().is_some() {
            return None;
        }
        pos = pos.after(pos.random_move(random));
    }
    pos.outcome().is_none().then_some(pos)
}

/// Tells positions apart by their value, if balance is wanted.
enum Scales<G: Game, O, E> {
    Indifferent,
    Exact(O),
    Search(AlphaBeta<G, E>),
}

impl<G: Game, O: Oracle<G>, E: EngineEvaluator<G>> Scales<G, O, E> {
    fn new(balanced: bool) -> Result<Self, EngineError> {
        if !balanced {
            return Ok(Self::Indifferent);
        }
        if O::IS_SOLVED {
            return Ok(Self::Exact(O::default()));
        }
        let evaluator = E::from_settings(&Settings::default())?;
        Ok(Self::Search(AlphaBeta::new(evaluator, BALANCE_TABLE)?))
    }

    /// The value for the mover; positions that are as good as even count as drawn.
    fn weigh(&mut self, pos: &G) -> Value {
        match self {
            Self::Indifferent => Value::Draw,
            Self::Exact(oracle) => oracle.exact(pos).value(),
            Self::Search(searcher) => {
                let task = SearchTask {
                    limits: Limits { nodes: Some(BALANCE_NODES), ..Limits::default() },
                    ..SearchTask::new(Record::new(*pos))
                };
                searcher.clear();
                let report = searcher.search(&task, &SearchControl::default(), &mut |_| {});
                match report.lines.first().map(|line| line.score) {
                    Some(Score::Proven(exact)) => exact.value(),
                    Some(Score::Estimate(points)) if points > BALANCE_MARGIN => Value::Win,
                    Some(Score::Estimate(points)) if points < -BALANCE_MARGIN => Value::Loss,
                    _ => Value::Draw,
                }
            }
        }
    }
}

/// Where openings are gathered: in one bin if they are even, else the won and the lost in one each.
struct Bins {
    by_turns: bool,
    room: [usize; 2],
    fens: [Vec<String>; 2],
}

impl Bins {
    fn new(count: usize, by_turns: bool) -> Self {
        let room = if by_turns { [count.div_ceil(2), count / 2] } else { [count, 0] };
        Self { by_turns, room, fens: [Vec::new(), Vec::new()] }
    }

    fn are_full(&self) -> bool {
        self.fens.iter().zip(self.room).all(|(bin, room)| bin.len() >= room)
    }

    /// Takes an opening if it is of a wanted kind and there is room; whether it was taken.
    fn offer(&mut self, fen: String, value: Value) -> bool {
        let bin = match (self.by_turns, value) {
            (false, Value::Draw) | (true, Value::Win) => 0,
            (true, Value::Loss) => 1,
            _ => return false,
        };
        let taken = self.fens[bin].len() < self.room[bin];
        if taken {
            self.fens[bin].push(fen);
        }
        taken
    }

    /// What was gathered, the two kinds by turns as long as both last; `short` is why there is not
    /// more where that is less than was asked for.
    fn empty(self, short: OpeningSupply) -> OpeningList {
        let full = self.are_full();
        let [mut first, mut second] = self.fens;
        if self.by_turns {
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
        OpeningList { fens, supply: if full { OpeningSupply::Enough } else { short } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Nim, TicTacToe};
    use crate::search::ZeroEval;
    use crate::solve::{Minimax, SpragueGrundy};

    fn request(count: usize) -> OpeningRequest {
        OpeningRequest { count, plies: Some(1), seed: 5, balanced: false }
    }

    #[test]
    fn a_longer_list_begins_with_the_shorter() {
        let nim = |count| {
            let request = OpeningRequest { balanced: true, plies: None, ..request(count) };
            generate::<Nim, SpragueGrundy, ZeroEval>(&request).unwrap().fens
        };
        let long = nim(31);
        assert_eq!(nim(8), long[..8]);
        let tictactoe = |count| {
            generate::<TicTacToe, Minimax<TicTacToe>, ZeroEval>(&request(count)).unwrap().fens
        };
        assert_eq!(tictactoe(4), tictactoe(9)[..4]);
    }

    #[test]
    fn the_supply_is_told() {
        let supply =
            |request| generate::<TicTacToe, Minimax<TicTacToe>, ZeroEval>(&request).unwrap();
        assert_eq!(supply(request(9)).supply, OpeningSupply::Enough);
        assert_eq!(supply(request(10)).supply, OpeningSupply::Exhausted);
        let over = OpeningRequest { plies: Some(9), ..request(1) };
        assert_eq!(supply(over), OpeningList { fens: vec![], supply: OpeningSupply::Exhausted });
        let over = OpeningRequest { plies: Some(49), ..request(1) };
        let nim = generate::<Nim, SpragueGrundy, ZeroEval>(&over).unwrap();
        assert_eq!(nim, OpeningList { fens: vec![], supply: OpeningSupply::GaveUp });
    }

    #[test]
    fn the_kinds_stay_even_when_one_runs_out() {
        let mut bins = Bins::new(9, true);
        for name in ["a", "b", "c", "d", "e", "f"] {
            assert_eq!(bins.offer(name.to_owned(), Value::Win), name != "f", "there is room for 5");
        }
        assert!(!bins.offer("g".to_owned(), Value::Draw));
        assert!(bins.offer("h".to_owned(), Value::Loss));
        let openings = bins.empty(OpeningSupply::GaveUp);
        assert_eq!(
            openings,
            OpeningList {
                fens: ["a", "h", "b"].map(String::from).to_vec(),
                supply: OpeningSupply::GaveUp
            }
        );
    }
}
