//! The study of Pong Hau K'i: the graph of all states.
//!
//! A state is a position from the point of view of the side to move, with colours ignored. Its number
//! is 25 i + 5 j + k, where i < j are the points of the side to move and k is the empty point. A move
//! leads to a state seen by the other player.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::graph::{GraphNode, PositionGraph};
use super::{Datum, Section, Study};
use crate::games::PongHauKi;
use crate::games::ponghauki::{POINTS, PongHauKiMove};
use crate::rules::{ExactValue, Game, Side, Value, perft};
use crate::solve::{Oracle, Retrograde};

/// Reports the graph of states, the blunders and a drawing strategy.
#[derive(Debug)]
pub struct PongHauKiStudy;

impl Study<PongHauKi> for PongHauKiStudy {
    fn analyze_game(_: &mut dyn FnMut() -> bool) -> Vec<Section> {
        let graph = StateGraph::new();
        vec![totals(&graph), table(&graph), blunders(&graph), strategy(&graph), lines_of_play()]
    }

    fn analyze_position(pos: &PongHauKi) -> Vec<Section> {
        let keeps = |mv: &PongHauKiMove| !leaves_pair(&pos.after(*mv), pos.side());
        let by_rule = pos.legal_moves().into_iter().filter(keeps);
        vec![
            Section::facts("state", "State")
                .fact("number", "number, for the side to move", number(pos))
                .fact("by_rule", "moves that leave no pair above or below", Datum::list(by_rule))
                .remark(NUMBERING)
                .remark("The points a3, c3, b2, a1, c1 count as 0 to 4."),
        ]
    }

    fn graph() -> Option<PositionGraph> {
        layout_graph(&StateGraph::new())
    }
}

/// What a state number means.
const NUMBERING: &str =
    "A state's number is 25 i + 5 j + k: the side to move is on the points i < j, and k is empty.";

/// The state number of a position.
fn number(pos: &PongHauKi) -> usize {
    let own = |point: &usize| pos.pieces(pos.side()) >> point & 1 == 1;
    let points = (0..POINTS).filter(own).chain([pos.empty_point()]);
    points.fold(0, |number, point| POINTS * number + point)
}

/// The start position without the rule for the first move.
fn without_rule() -> Option<PongHauKi> {
    let start = PongHauKi::start();
    PongHauKi::with_pieces(start.pieces(start.side()), start.empty_point(), start.side())
}

/// The position with this state number and the first player to move; `None` if the number is not
/// valid.
fn position_of(number: usize) -> Option<PongHauKi> {
    let (first, second, empty) =
        (number / (POINTS * POINTS), number / POINTS % POINTS, number % POINTS);
    let own = 1 << first | 1 << second;
    PongHauKi::with_pieces(own, empty, Side::P1).filter(|_| first < second)
}

struct GraphState {
    pos: PongHauKi,
    value: ExactValue,
    /// The states after each move.
    next: Vec<usize>,
    /// Moves from the state after the first move; `None` if no game reaches it.
    distance: Option<usize>,
}

struct StateGraph {
    /// The states by number.
    states: BTreeMap<usize, GraphState>,
    /// The state after the first move of the game.
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

    /// The numbers of all states that match.
    fn numbers_where(&self, wanted: impl Fn(&GraphState) -> bool) -> Vec<usize> {
        self.states.iter().filter(|(_, state)| wanted(state)).map(|(number, _)| *number).collect()
    }

    /// All moves that worsen the value.
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

/// A move that worsens the value.
struct Blunder {
    from: usize,
    to: usize,
    /// The value before the move, for the side making it.
    had: Value,
    /// The value after the move, for the same side.
    gets: Value,
}

fn has_value(value: Value) -> impl Fn(&GraphState) -> bool {
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
    let all = graph.numbers_where(|_| true);
    let within = graph.numbers_where(reached);
    let degree = |degree| graph.numbers_where(|state| state.next.len() == degree).len();
    let drawn = graph.numbers_where(has_value(Value::Draw));
    let drawn_within = graph.numbers_where(|state| reached(state) && has_value(Value::Draw)(state));
    let longest = graph.states.values().filter_map(|state| state.value.plies()).max();
    let coloured = coloured();
    let (start, side) = (PongHauKi::start(), PongHauKi::start().side());
    let other = PongHauKi::with_pieces(start.pieces(!side), start.empty_point(), side);
    let mut oracle = Retrograde::default();
    let mut value = |pos: &PongHauKi| oracle.exact(pos).to_string();
    Section::facts("states", "Pong Hau K'i: states, for the side to move")
        .fact("value", "value for the first player", value(&start))
        .fact(
            "value_without_rule",
            "… without the rule for the first move",
            without_rule().as_ref().map(&mut value),
        )
        .fact("start", "the start", number(&start))
        .fact("start_other_side", "… for the other player", other.as_ref().map(number))
        .fact("first", "the state after the first move", graph.first)
        .fact("states", "states", all.len())
        .fact("moves", "… moves between them", moves(&all))
        .fact("reached", "… reached from the first", within.len())
        .fact("moves_reached", "… … moves between those", moves(&within))
        .fact(
            "not_reached",
            "… not reached",
            numbers(&graph.numbers_where(|state| !reached(state))),
        )
        .fact(
            "farthest",
            "moves to the farthest state",
            graph.states.values().filter_map(|state| state.distance).max().unwrap_or(0),
        )
        .fact("without_moves", "states without a move", degree(0))
        .fact("one_move", "… with one move", degree(1))
        .fact("two_moves", "… with two moves", degree(2))
        .fact("lost", "lost", numbers(&graph.numbers_where(has_value(Value::Loss))))
        .fact("won", "won", numbers(&graph.numbers_where(has_value(Value::Win))))
        .fact("longest_win", "longest win in plies", u32::from(longest.unwrap_or(0)))
        .fact(
            "longest_chain",
            "states in the longest chain of won and lost ones",
            u32::from(longest.unwrap_or(0)) + 1,
        )
        .fact("drawn", "drawn", drawn.len())
        .fact("drawn_reached", "… reached", drawn_within.len())
        .fact("coloured", "positions, with colours and side to move", coloured.all.sum())
        .fact("coloured_won", "… won", coloured.all.won)
        .fact("coloured_lost", "… lost", coloured.all.lost)
        .fact("coloured_drawn", "… drawn", coloured.all.drawn)
        .fact("coloured_reached", "… reached", coloured.reached)
        .remark(NUMBERING)
        .remark(
            "The points a3, c3, b2, a1, c1 count as 0 to 4. At the start, 25 · 0 + 5 · 1 + 2 = 7.",
        )
}

/// Counts of positions by value.
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

struct ColouredCounts {
    all: ValueCounts,
    reached: usize,
}

/// Counts all positions by value, told apart by colours and side to move.
fn coloured() -> ColouredCounts {
    let mut oracle = Retrograde::<PongHauKi>::default();
    let mut all = ValueCounts::default();
    for number in 0..POINTS * POINTS * POINTS {
        let Some(pos) = position_of(number) else { continue };
        // Either side may be to move.
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
    ColouredCounts { all, reached: seen.len() }
}

fn table(graph: &StateGraph) -> Section {
    let columns = [
        ("state", "state"),
        ("board", "a3 c3 / b2 / a1 c1"),
        ("value", "value"),
        ("next", "moves to"),
        ("distance", "distance"),
    ];
    let mut table = Section::table("graph", "All states", &columns);
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
    table
        .remark("x is to move; digits count empty points.")
        .remark("The distance is from the state after the first move, in moves.")
}

fn blunders(graph: &StateGraph) -> Section {
    let columns = [
        ("from", "from"),
        ("to", "to"),
        ("had", "before"),
        ("gets", "after"),
        ("reached", "reached"),
    ];
    let mut table = Section::table("blunders", "Blunders: moves that worsen the value", &columns);
    for Blunder { from, to, had, gets } in graph.blunders() {
        let reached = graph.states[&from].distance.is_some();
        let [had, gets] = [had, gets].map(|value| value.to_string().into());
        table.row(vec![from.into(), to.into(), had, gets, reached.into()]);
    }
    table
}

/// Whether both pieces of a side stand on the upper pair of points or on the lower pair.
fn leaves_pair(pos: &PongHauKi, side: Side) -> bool {
    let start = PongHauKi::start();
    [Side::P1, Side::P2].into_iter().any(|home| pos.pieces(side) == start.pieces(home))
}

/// Explores every line of play in which one side follows the rule.
fn strategy(graph: &StateGraph) -> Section {
    let columns = [
        ("keeper", "followed by"),
        ("positions", "positions"),
        ("moves", "moves"),
        ("stuck", "no such move"),
        ("lost", "lost"),
    ];
    let title = "Rule: never leave both your pieces on the upper or the lower pair of points";
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
    let breaks_rule = |state: usize| {
        let pos = &graph.states[&state].pos;
        leaves_pair(pos, !pos.side())
    };
    let mut losing = graph.blunders().into_iter().filter(|own| own.gets == Value::Loss);
    let all_break_rule = losing.all(|blunder| breaks_rule(blunder.to));
    let remark = if all_break_rule {
        "Every move that turns a win or draw into a loss breaks this rule."
    } else {
        "Not every move that turns a win or draw into a loss breaks this rule."
    };
    table.remark("Every line of play is followed until its positions repeat.").remark(remark)
}

fn lines_of_play() -> Section {
    const PLIES: u32 = 10;
    let columns = [
        ("ply", "plies"),
        ("sequences", "move sequences"),
        ("without_rule", "without the rule for the first move"),
    ];
    let mut table = Section::table("plies", "Counts by ply", &columns);
    let (start, free) = (PongHauKi::start(), without_rule());
    for ply in 0..=PLIES {
        let without = free.map(|free| perft(&free, ply));
        table.row(vec![ply.into(), perft(&start, ply).into(), without.into()]);
    }
    table.remark("Positions may repeat; the draw by threefold repetition is ignored.")
}

/// Columns and rows of the states in the drawing, chosen so that few lines cross and the drawing is
/// symmetric, as the graph is under exchange of top and bottom.
#[rustfmt::skip]
const PLACES: &[(usize, [i8; 2])] = &[
    (7, [-1, 1]), (8, [2, 1]), (9, [-1, 0]), (11, [-1, 2]), (13, [-1, 5]), (14, [2, 4]),
    (16, [2, 6]), (17, [0, 4]), (19, [-2, 6]), (21, [2, 5]), (22, [-3, 4]), (23, [3, 1]),
    (35, [2, 0]), (38, [-5, 4]), (39, [1, 3]), (40, [-3, 1]), (42, [3, 4]), (44, [-2, 5]),
    (45, [-1, 4]), (47, [0, 6]), (48, [1, 4]), (65, [1, 5]), (66, [-2, 4]), (69, [1, 2]),
    (70, [5, 4]), (71, [-1, 3]), (73, [-2, 0]), (95, [-2, 1]), (96, [1, 0]), (97, [1, 1]),
];

fn layout_graph(graph: &StateGraph) -> Option<PositionGraph> {
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
            "The states of Pong Hau K'i, for the side to move (blue); games continue from {}",
            graph.first
        ),
        layout: PongHauKi::layout()?,
        arrows: arrows.collect(),
        nodes,
    })
}
