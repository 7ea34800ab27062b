//! What `analyze` computes about Pong Hau K'i: the graph of all states.
//!
//! A state is a position from the point of view of the side to move, with colours ignored. Its number
//! is 25 i + 5 j + k, where i < j are the points of the side to move and k is the empty point. A move
//! leads to a state seen by the other player.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Value as Json, json};

use super::graph::{GraphNode, PositionGraph};
use super::{Figure, GameAnalysis, names, yes_or_no};
use crate::games::PongHauKi;
use crate::games::ponghauki::{POINTS, PongHauKiMove};
use crate::language::{Language, Localized};
use crate::rules::{ExactValue, Game, GameDrawing, Side, Value, perft};
use crate::solve::{ExactSolver, Retrograde};

/// The graph of states, the blunders and a drawing strategy.
#[derive(Debug)]
pub struct PongHauKiAnalysis;

impl GameAnalysis<PongHauKi> for PongHauKiAnalysis {
    fn analyze_game(_: &mut dyn FnMut() -> bool) -> Json {
        let graph = StateGraph::new();
        json!({
            "numbering": numbering(&graph),
            "states": totals(&graph),
            "values": values(&graph),
            "graph": table(&graph),
            "blunders": blunders(&graph),
            "strategy": strategy(),
            "plies": lines_of_play(),
        })
    }

    fn analyze_position(pos: &PongHauKi) -> Json {
        let keeps = |mv: &PongHauKiMove| !leaves_pair(&pos.after(*mv), pos.side());
        let by_rule = names(pos.legal_moves().into_iter().filter(keeps));
        json!({ "state": { "number": number(pos), "by_rule": by_rule } })
    }

    fn figures(language: Language) -> Vec<Figure> {
        let draw = |graph: PositionGraph| Figure {
            name: "graph",
            svg: graph.svg(language),
            diagram: None,
        };
        Self::graph().map(draw).into_iter().collect()
    }

    fn chapter() -> Localized {
        [
            include_str!("../../data/chapters/ponghauki.en.md"),
            include_str!("../../data/chapters/ponghauki.zh.md"),
        ]
    }

    fn position_text() -> Localized {
        [
            include_str!("../../data/chapters/ponghauki.position.en.md"),
            include_str!("../../data/chapters/ponghauki.position.zh.md"),
        ]
    }

    fn graph() -> Option<PositionGraph> {
        layout_graph(&StateGraph::new())
    }
}

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
    states: BTreeMap<usize, GraphState>,
    /// The state after the first move of the game.
    first: usize,
}

impl StateGraph {
    fn new() -> Self {
        let mut exact_solver = Retrograde::<PongHauKi>::default();
        let numbers = 0..POINTS * POINTS * POINTS;
        let mut state = |pos: PongHauKi| GraphState {
            pos,
            value: exact_solver.exact(&pos),
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

    fn numbers_where(&self, wanted: impl Fn(&GraphState) -> bool) -> Vec<usize> {
        self.states.iter().filter(|(_, state)| wanted(state)).map(|(number, _)| *number).collect()
    }
}

fn has_value(value: Value) -> impl Fn(&GraphState) -> bool {
    move |state| state.value.value() == value
}

fn is_reached(state: &GraphState) -> bool {
    state.distance.is_some()
}

/// The state number of the start position, worked out.
fn numbering(graph: &StateGraph) -> Json {
    let start = PongHauKi::start();
    let own = |point: &usize| start.pieces(start.side()) >> point & 1 == 1;
    let points: Vec<usize> = (0..POINTS).filter(own).collect();
    let other = PongHauKi::with_pieces(start.pieces(!start.side()), start.empty_point(), Side::P1);
    json!({
        "first_point": points.first(),
        "second_point": points.get(1),
        "empty": start.empty_point(),
        "start": number(&start),
        "start_other_side": other.as_ref().map(number),
        "first": graph.first,
    })
}

fn totals(graph: &StateGraph) -> Json {
    let moves = |states: &[usize]| {
        states.iter().map(|number| graph.states[number].next.len()).sum::<usize>()
    };
    let all = graph.numbers_where(|_| true);
    let within = graph.numbers_where(is_reached);
    let degree = |degree| graph.numbers_where(|state| state.next.len() == degree).len();
    let count = |value| graph.numbers_where(has_value(value)).len();
    let count_within =
        |value| graph.numbers_where(|state| is_reached(state) && has_value(value)(state)).len();
    let longest = graph.states.values().filter_map(|state| state.value.plies()).max();
    let longest = longest.unwrap_or(0);
    let mut exact_solver = Retrograde::<PongHauKi>::default();
    let mut value = |pos: &PongHauKi| exact_solver.exact(pos).value().to_string();
    json!({
        "value": value(&PongHauKi::start()),
        "value_without_rule": without_rule().as_ref().map(value),
        "states": all.len(),
        "moves": moves(&all),
        "reached": within.len(),
        "moves_reached": moves(&within),
        "farthest": graph.states.values().filter_map(|state| state.distance).max(),
        "without_moves": degree(0),
        "one_move": degree(1),
        "two_moves": degree(2),
        "won": count(Value::Win),
        "won_reached": count_within(Value::Win),
        "lost": count(Value::Loss),
        "lost_reached": count_within(Value::Loss),
        "drawn": count(Value::Draw),
        "drawn_reached": count_within(Value::Draw),
        "longest_win": longest,
        "longest_chain": longest + 1,
    })
}

/// The states by value; all drawn ones are left out.
fn values(graph: &StateGraph) -> Json {
    json!({
        "won": graph.numbers_where(has_value(Value::Win)),
        "lost": graph.numbers_where(has_value(Value::Loss)),
        "not_reached": graph.numbers_where(|state| !is_reached(state)),
    })
}

fn table(graph: &StateGraph) -> Json {
    let row = |(number, state): (&usize, &GraphState)| {
        let board = state.pos.to_string().split(' ').next().unwrap_or_default().replace('/', " / ");
        json!({
            "state": number,
            "board": board,
            "value": state.value.value().to_string(),
            "plies": state.value.plies(),
            "next": state.next,
        })
    };
    graph.states.iter().map(row).collect()
}

/// All moves that worsen the value, for the side making them.
fn blunders(graph: &StateGraph) -> Json {
    let mut rows = Vec::new();
    for (from, state) in &graph.states {
        let had = state.value.value();
        for to in &state.next {
            let gets = graph.states[to].value.value().flip();
            if gets < had {
                rows.push(json!({
                    "from": from,
                    "to": to,
                    "had": had.to_string(),
                    "gets": gets.to_string(),
                    "reached": yes_or_no(is_reached(state)),
                }));
            }
        }
    }
    rows.into()
}

/// Whether both pieces of a side stand on the upper pair of points or on the lower pair.
fn leaves_pair(pos: &PongHauKi, side: Side) -> bool {
    let start = PongHauKi::start();
    [Side::P1, Side::P2].into_iter().any(|home| pos.pieces(side) == start.pieces(home))
}

/// Explores every line of play in which one side follows the rule.
fn strategy() -> Json {
    let explore = |(keeper, name)| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![PongHauKi::start()]);
        let (mut moves, mut stuck, mut lost) = (0, 0_u32, 0_u32);
        while let Some(pos) = open.pop() {
            if !seen.insert(pos.key()) {
                continue;
            }
            let own = pos.side() == keeper;
            let next = pos.legal_moves().into_iter().map(|mv| pos.after(mv));
            let next: Vec<_> = next.filter(|next| !own || !leaves_pair(next, keeper)).collect();
            lost += u32::from(own && pos.outcome().is_some());
            stuck += u32::from(own && pos.outcome().is_none() && next.is_empty());
            moves += next.len();
            open.extend(next);
        }
        json!({
            "keeper": name,
            "positions": seen.len(),
            "moves": moves,
            "stuck": stuck,
            "lost": lost,
        })
    };
    [(Side::P1, "first player"), (Side::P2, "second player")].into_iter().map(explore).collect()
}

fn lines_of_play() -> Json {
    const PLIES: u32 = 10;
    let (start, free) = (PongHauKi::start(), without_rule());
    let row = |ply| {
        let without_rule = free.as_ref().map(|free| perft(free, ply));
        json!({ "ply": ply, "sequences": perft(&start, ply), "without_rule": without_rule })
    };
    (0..=PLIES).map(row).collect()
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
        title: Language::ALL
            .map(|(_, language)| language.fill("graph.title", &[("first", &graph.first)])),
        layout: PongHauKi::layout()?,
        arrows: arrows.collect(),
        nodes,
    })
}
