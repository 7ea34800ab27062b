//! What is known of Pong Hau K'i: the graph of all its states.
//!
//! A state is a position seen by its mover, whatever the colours are called. It has a number:
//! 25 i + 5 j + k, where i < j are the mover's points and k is the empty one. A move leads to a state
//! that the other player sees, so its number is counted from that player's points.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::graph::{GraphNode, PositionGraph};
use super::{Datum, Section, Study};
use crate::games::PongHauKi;
use crate::games::ponghauki::{POINTS, PongHauKiMove};
use crate::rules::{ExactValue, Game, Side, Value, perft};
use crate::solve::{Oracle, Retrograde};

/// Tells of states and of how they hang together.
#[derive(Debug)]
pub struct PongHauKiStudy;

impl Study<PongHauKi> for PongHauKiStudy {
    fn game(_: &mut dyn FnMut() -> bool) -> Vec<Section> {
        let graph = StateGraph::new();
        vec![totals(&graph), table(&graph), blunders(&graph), strategy(&graph), lines_of_play()]
    }

    fn position(pos: &PongHauKi) -> Vec<Section> {
        let keeps = |mv: &PongHauKiMove| !leaves_pair(&pos.after(*mv), pos.side());
        let by_rule = pos.legal_moves().into_iter().filter(keeps);
        vec![
            Section::facts("state", "The state")
                .fact("number", "number, seen by the mover", number(pos))
                .fact("by_rule", "moves that leave no pair together", Datum::list(by_rule)),
        ]
    }

    fn graph() -> Option<PositionGraph> {
        drawn(&StateGraph::new())
    }
}

/// The number of a position as its mover sees it.
fn number(pos: &PongHauKi) -> usize {
    let own = |point: &usize| pos.pieces(pos.side()) >> point & 1 == 1;
    let points = (0..POINTS).filter(own).chain([pos.empty_point()]);
    points.fold(0, |number, point| POINTS * number + point)
}

/// The start, were it not for the rule for the first move.
fn without_rule() -> Option<PongHauKi> {
    let start = PongHauKi::start();
    PongHauKi::with_pieces(start.pieces(start.side()), start.empty_point(), start.side())
}

/// The position of a state, the first player being its mover.
fn position_of(number: usize) -> Option<PongHauKi> {
    let (first, second, empty) =
        (number / (POINTS * POINTS), number / POINTS % POINTS, number % POINTS);
    let own = 1 << first | 1 << second;
    PongHauKi::with_pieces(own, empty, Side::P1).filter(|_| first < second)
}

struct GraphState {
    pos: PongHauKi,
    value: ExactValue,
    /// The states that moves lead to.
    next: Vec<usize>,
    /// How many moves it is from the state behind the first move; `None` where no game leads to it.
    distance: Option<usize>,
}

struct StateGraph {
    /// By their numbers.
    states: BTreeMap<usize, GraphState>,
    /// The state behind the first move of the game.
    first: usize,
}

impl StateGraph {
    fn new() -> Self {
        let mut oracle = Retrograde::<PongHauKi>::default();
        let numbers = 0..POINTS * POINTS * POINTS;
        let mut state = |pos: PongHauKi| GraphState {
            pos,
            value: oracle.exact(&pos),
            next: pos.legal_moves().into_iter().map(|mv| number(&pos.after(mv))).collect(),
            distance: None,
        };
        let known = numbers.filter_map(|number| Some((number, state(position_of(number)?))));
        let mut states: BTreeMap<usize, GraphState> = known.collect();
        let start = PongHauKi::start();
        let first = start.legal_moves().into_iter().next().map_or(0, |mv| number(&start.after(mv)));
        let mut queue = VecDeque::from([(first, 0)]);
        while let Some((number, distance)) = queue.pop_front() {
            let Some(state) = states.get_mut(&number) else { continue };
            if state.distance.is_none() {
                state.distance = Some(distance);
                queue.extend(state.next.iter().map(|next| (*next, distance + 1)));
            }
        }
        Self { states, first }
    }

    /// The numbers of some states.
    fn which(&self, wanted: impl Fn(&GraphState) -> bool) -> Vec<usize> {
        self.states.iter().filter(|(_, state)| wanted(state)).map(|(number, _)| *number).collect()
    }

    /// Moves that give away what the state is worth.
    fn blunders(&self) -> Vec<Blunder> {
        let moves = self.states.iter().flat_map(|(from, state)| {
            let had = state.value.value();
            state.next.iter().map(move |to| {
                let gets = self.states[to].value.value().flip();
                Blunder { from: *from, to: *to, had, gets }
            })
        });
        moves.filter(|blunder| blunder.gets < blunder.had).collect()
    }
}

/// A move that gives something away.
struct Blunder {
    from: usize,
    to: usize,
    /// What the mover had, …
    had: Value,
    /// … and what it has left.
    gets: Value,
}

fn is_worth(value: Value) -> impl Fn(&GraphState) -> bool {
    move |state| state.value.value() == value
}

fn numbers(numbers: &[usize]) -> Datum {
    Datum::List(numbers.iter().map(|number| (*number).into()).collect())
}

fn totals(graph: &StateGraph) -> Section {
    let reached = |state: &GraphState| state.distance.is_some();
    let moves = |states: &[usize]| {
        states.iter().map(|number| graph.states[number].next.len()).sum::<usize>()
    };
    let all = graph.which(|_| true);
    let within = graph.which(reached);
    let degree = |degree| graph.which(|state| state.next.len() == degree).len();
    let drawn = graph.which(is_worth(Value::Draw));
    let drawn_within = graph.which(|state| reached(state) && is_worth(Value::Draw)(state));
    let longest = graph.states.values().filter_map(|state| state.value.plies()).max();
    let coloured = coloured();
    let (start, side) = (PongHauKi::start(), PongHauKi::start().side());
    let other = PongHauKi::with_pieces(start.pieces(!side), start.empty_point(), side);
    let mut oracle = Retrograde::default();
    let mut value = |pos: &PongHauKi| oracle.exact(pos).to_string();
    Section::facts("states", "Pong Hau K'i: states, seen by their mover")
        .fact("value", "value for the first player", value(&start))
        .fact(
            "value_without_rule",
            "… without the rule for the first move",
            without_rule().as_ref().map(&mut value),
        )
        .fact("start", "the start", number(&start))
        .fact("start_other_side", "… seen by the other player", other.as_ref().map(number))
        .fact("first", "the state behind the first move", graph.first)
        .fact("states", "states", all.len())
        .fact("moves", "… moves between them", moves(&all))
        .fact("reached", "… reached from the first", within.len())
        .fact("moves_reached", "… … moves between those", moves(&within))
        .fact("not_reached", "… not reached", numbers(&graph.which(|state| !reached(state))))
        .fact(
            "farthest",
            "moves to the farthest",
            graph.states.values().filter_map(|state| state.distance).max().unwrap_or(0),
        )
        .fact("without_moves", "states without a move", degree(0))
        .fact("one_move", "… with one", degree(1))
        .fact("two_moves", "… with two", degree(2))
        .fact("lost", "lost", numbers(&graph.which(is_worth(Value::Loss))))
        .fact("won", "won", numbers(&graph.which(is_worth(Value::Win))))
        .fact("longest_win", "plies of the longest win", u32::from(longest.unwrap_or(0)))
        .fact(
            "longest_chain",
            "states in the longest chain of decided ones",
            u32::from(longest.unwrap_or(0)) + 1,
        )
        .fact("drawn", "drawn", drawn.len())
        .fact("drawn_reached", "… reached", drawn_within.len())
        .fact("coloured", "positions, colours and mover told apart", coloured.all.sum())
        .fact("coloured_won", "… won", coloured.all.won)
        .fact("coloured_lost", "… lost", coloured.all.lost)
        .fact("coloured_drawn", "… drawn", coloured.all.drawn)
        .fact("coloured_reached", "… reached", coloured.reached)
}

/// How many positions there are of each value.
#[derive(Default)]
struct ValueCounts {
    won: usize,
    drawn: usize,
    lost: usize,
}

impl ValueCounts {
    fn sum(&self) -> usize {
        self.won + self.drawn + self.lost
    }
}

struct Coloured {
    all: ValueCounts,
    reached: usize,
}

/// ValueCounts positions with colours and mover.
fn coloured() -> Coloured {
    let mut oracle = Retrograde::<PongHauKi>::default();
    let mut all = ValueCounts::default();
    for number in 0..POINTS * POINTS * POINTS {
        let Some(pos) = position_of(number) else { continue };
        // Both sides may be the mover.
        for pos in
            [Some(pos), PongHauKi::with_pieces(pos.pieces(Side::P1), pos.empty_point(), Side::P2)]
        {
            let Some(pos) = pos else { continue };
            *match oracle.exact(&pos).value() {
                Value::Win => &mut all.won,
                Value::Draw => &mut all.drawn,
                Value::Loss => &mut all.lost,
            } += 1;
        }
    }
    let start = PongHauKi::start();
    let mut seen: BTreeSet<u64> = BTreeSet::new();
    let mut open: Vec<PongHauKi> =
        start.legal_moves().into_iter().map(|mv| start.after(mv)).collect();
    while let Some(pos) = open.pop() {
        if seen.insert(pos.repetition_key()) {
            open.extend(pos.legal_moves().into_iter().map(|mv| pos.after(mv)));
        }
    }
    Coloured { all, reached: seen.len() }
}

fn table(graph: &StateGraph) -> Section {
    let columns = [
        ("state", "state"),
        ("board", "a3 c3 / b2 / a1 c1"),
        ("value", "value"),
        ("next", "moves to"),
        ("distance", "from the first"),
    ];
    let mut table = Section::table("graph", "The whole graph", &columns);
    for (number, state) in &graph.states {
        let board = state.pos.to_string().split(' ').next().unwrap_or_default().replace('/', " / ");
        table.row(vec![
            (*number).into(),
            board.into(),
            state.value.to_string().into(),
            numbers(&state.next),
            state.distance.into(),
        ]);
    }
    table.remark("x is to move; a digit stands for so many empty points.")
}

fn blunders(graph: &StateGraph) -> Section {
    let columns =
        [("from", "from"), ("to", "to"), ("had", "had"), ("gets", "gets"), ("reached", "reached")];
    let mut table = Section::table("blunders", "Moves that give something away", &columns);
    for Blunder { from, to, had, gets } in graph.blunders() {
        let reached = graph.states[&from].distance.is_some();
        let [had, gets] = [had, gets].map(|value| value.to_string().into());
        table.row(vec![from.into(), to.into(), had, gets, reached.into()]);
    }
    table
}

/// Whether the two pieces of a side stand together on the upper pair of points or the lower one.
fn leaves_pair(pos: &PongHauKi, side: Side) -> bool {
    let start = PongHauKi::start();
    [Side::P1, Side::P2].into_iter().any(|home| pos.pieces(side) == start.pieces(home))
}

/// Follows every line of play in which one side keeps to the rule, as far as new positions come up.
fn strategy(graph: &StateGraph) -> Section {
    let columns = [
        ("keeper", "who keeps to it"),
        ("positions", "positions"),
        ("moves", "moves followed"),
        ("stuck", "without such a move"),
        ("lost", "lost"),
    ];
    let title = "Never leave your two pieces together above or below";
    let mut table = Section::table("strategy", title, &columns);
    for (keeper, name) in [(Side::P1, "first player"), (Side::P2, "second player")] {
        let (mut seen, mut open) = (BTreeSet::new(), vec![PongHauKi::start()]);
        let (mut moves, mut stuck, mut lost) = (0_u32, 0_u32, 0_u32);
        while let Some(pos) = open.pop() {
            if !seen.insert(pos.key()) {
                continue;
            }
            let own = pos.side() == keeper;
            let next = pos.legal_moves().into_iter().map(|mv| pos.after(mv));
            let next: Vec<_> = next.filter(|next| !own || !leaves_pair(next, keeper)).collect();
            lost += u32::from(own && pos.outcome().is_some());
            stuck += u32::from(own && pos.outcome().is_none() && next.is_empty());
            moves += next.len() as u32;
            open.extend(next);
        }
        let row = [seen.len() as u32, moves, stuck, lost].map(Datum::from);
        table.row([vec![name.into()], row.to_vec()].concat());
    }
    let leaves_pair_behind = |state: usize| {
        let pos = &graph.states[&state].pos;
        leaves_pair(pos, !pos.side())
    };
    let mut losing = graph.blunders().into_iter().filter(|own| own.gets == Value::Loss);
    let kept = losing.all(|blunder| leaves_pair_behind(blunder.to));
    let remark = if kept {
        "Every move that loses what was no loss breaks this rule."
    } else {
        "Not every move that loses what was no loss breaks this rule."
    };
    table
        .remark("Every line of play is followed until its positions were seen before.")
        .remark(remark)
}

fn lines_of_play() -> Section {
    const PLIES: u32 = 10;
    let columns = [
        ("ply", "plies"),
        ("sequences", "sequences of moves"),
        ("without_rule", "without the rule for the first move"),
    ];
    let mut table = Section::table("plies", "Ply by ply", &columns);
    let (start, free) = (PongHauKi::start(), without_rule());
    for ply in 0..=PLIES {
        let without = free.map(|free| perft(&free, ply));
        table.row(vec![ply.into(), perft(&start, ply).into(), without.into()]);
    }
    table.remark("Positions may come back; the third occurrence that ends a game is not looked at.")
}

/// Where the states stand in the picture: chosen so that few lines cross and the picture is its own
/// mirror image, as the graph is when top and bottom change places.
#[rustfmt::skip]
const PLACES: &[(usize, [i8; 2])] = &[
    (7, [-1, 1]), (8, [2, 1]), (9, [-1, 0]), (11, [-1, 2]), (13, [-1, 5]), (14, [2, 4]),
    (16, [2, 6]), (17, [0, 4]), (19, [-2, 6]), (21, [2, 5]), (22, [-3, 4]), (23, [3, 1]),
    (35, [2, 0]), (38, [-5, 4]), (39, [1, 3]), (40, [-3, 1]), (42, [3, 4]), (44, [-2, 5]),
    (45, [-1, 4]), (47, [0, 6]), (48, [1, 4]), (65, [1, 5]), (66, [-2, 4]), (69, [1, 2]),
    (70, [5, 4]), (71, [-1, 3]), (73, [-2, 0]), (95, [-2, 1]), (96, [1, 0]), (97, [1, 1]),
];

fn drawn(graph: &StateGraph) -> Option<PositionGraph> {
    let places: BTreeMap<usize, [i8; 2]> = PLACES.iter().copied().collect();
    let order: Vec<usize> = graph.states.keys().copied().collect();
    let place_of = |number: &usize| order.iter().position(|own| own == number);
    let node = |(number, state): (&usize, &GraphState)| GraphNode {
        name: number.to_string(),
        shown: state.pos.spot_contents(),
        value: state.value.value(),
        reached: state.distance.is_some(),
        place: places.get(number).copied().unwrap_or_default(),
    };
    let nodes = graph.states.iter().map(node).collect();
    let arrows = graph.states.iter().flat_map(|(number, state)| {
        state.next.iter().filter_map(move |next| Some((place_of(number)?, place_of(next)?)))
    });
    Some(PositionGraph {
        title: format!(
            "The states of Pong Hau K'i, seen by the side to move (blue); games go on from {}",
            graph.first
        ),
        layout: PongHauKi::layout()?,
        arrows: arrows.collect(),
        nodes,
    })
}
