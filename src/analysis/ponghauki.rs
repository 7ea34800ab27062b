//! The study of Pong Hau K'i: the graph of all states.
//!
//! A state is a position from the point of view of the side to move, with colours ignored. Its number
//! is 25 i + 5 j + k, where i < j are the points of the side to move and k is the empty point. A move
//! leads to a state seen by the other player.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::census::PLIES_TITLE;
use super::graph::{GraphNode, PositionGraph};
use super::{Datum, ReportFigure, Section, Study};
use crate::games::PongHauKi;
use crate::games::ponghauki::{POINTS, PongHauKiMove};
use crate::language::{Language, Localized};
use crate::rules::{ExactValue, Game, Side, Value, perft};
use crate::solve::{Oracle, Retrograde};

/// Reports the graph of states, the blunders and a drawing strategy.
#[derive(Debug)]
pub struct PongHauKiStudy;

impl Study<PongHauKi> for PongHauKiStudy {
    fn analyze_game(_: &mut dyn FnMut() -> bool) -> Vec<Section> {
        let graph = StateGraph::new();
        vec![
            numbering(&graph),
            totals(&graph),
            values(&graph),
            coloured(),
            table(&graph),
            distances(&graph),
            blunders(&graph),
            strategy(&graph),
            lines_of_play(),
        ]
    }

    fn figures() -> Vec<ReportFigure> {
        let draw = |graph: PositionGraph| {
            ReportFigure {
            name: "graph",
            svg: Language::ALL.map(|(_, language)| graph.svg(language)),
            diagram: None,
            caption: [
                "All states and the moves between them. Blue is to move; green states are won, red \
                 ones lost, grey ones drawn."
                    .to_owned(),
                "全部状态及其间的着法。蓝方行棋；绿色为必胜，红色为必败，灰色为和棋。".to_owned(),
            ],
        }
        };
        Self::graph().map(draw).into_iter().collect()
    }

    fn chapter() -> Option<Localized> {
        Some([include_str!("chapters/ponghauki.en.md"), include_str!("chapters/ponghauki.zh.md")])
    }

    fn analyze_position(pos: &PongHauKi) -> Vec<Section> {
        let keeps = |mv: &PongHauKiMove| !leaves_pair(&pos.after(*mv), pos.side());
        let by_rule = pos.legal_moves().into_iter().filter(keeps);
        vec![
            Section::facts("state", ["State", "状态"])
                .fact("number", ["number, for the side to move", "编号（对行棋方）"], number(pos))
                .fact(
                    "by_rule",
                    ["moves that leave no pair above or below", "不把两子留在上面或下面两点的着法"],
                    Datum::list(by_rule),
                )
                .remark([
                    "A state's number is 25 i + 5 j + k: the side to move is on the points i < j, and \
                     k is empty. The points a3, c3, b2, a1, c1 count as 0 to 4.",
                    "状态编号为 25i + 5j + k：行棋方的两子在点 i < j，点 k 为空。\
                     a3、c3、b2、a1、c1 五点依次记为 0 至 4。",
                ]),
        ]
    }

    fn graph() -> Option<PositionGraph> {
        layout_graph(&StateGraph::new())
    }
}

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

fn is_reached(state: &GraphState) -> bool {
    state.distance.is_some()
}

/// The state number of the start position, worked out.
fn numbering(graph: &StateGraph) -> Section {
    let start = PongHauKi::start();
    let own = |point: &usize| start.pieces(start.side()) >> point & 1 == 1;
    let points: Vec<usize> = (0..POINTS).filter(own).collect();
    let other = PongHauKi::with_pieces(start.pieces(!start.side()), start.empty_point(), Side::P1);
    let first = points.first().copied();
    Section::facts("numbering", ["The number of the start position", "起始局面的编号"])
        .fact(
            "first_point",
            ["i, the first point of the side to move", "i：行棋方的第一个点"],
            first,
        )
        .fact("second_point", ["j, its second point", "j：第二个点"], points.get(1).copied())
        .fact("empty", ["k, the empty point", "k：空点"], start.empty_point())
        .fact("start", ["number of the start position", "起始局面的编号"], number(&start))
        .fact(
            "start_other_side",
            ["… seen by the other player", "… 从对方看"],
            other.as_ref().map(number),
        )
        .fact(
            "first",
            ["number after the forced first move", "规定的第一步之后的编号"],
            graph.first,
        )
}

fn totals(graph: &StateGraph) -> Section {
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
    let longest = u32::from(longest.unwrap_or(0));
    let farthest = graph.states.values().filter_map(|state| state.distance).max();
    let mut oracle = Retrograde::<PongHauKi>::default();
    let value = oracle.exact(&PongHauKi::start());
    let value_without_rule = without_rule().map(|pos| oracle.exact(&pos));
    Section::facts("states", ["The states in numbers", "状态统计"])
        .fact("value", ["value of the start position", "起始局面的价值"], value)
        .fact(
            "value_without_rule",
            ["… without the rule for the first move", "… 若没有第一步的规定"],
            value_without_rule,
        )
        .fact("states", ["states", "状态"], all.len())
        .fact("moves", ["… moves between them", "… 其间的着法"], moves(&all))
        .fact("reached", ["… reached in games", "… 对局中可到达"], within.len())
        .fact("moves_reached", ["… … moves between those", "… … 其间的着法"], moves(&within))
        .fact("farthest", ["moves to the farthest state", "到最远状态的步数"], farthest)
        .fact("without_moves", ["states without a move", "无路可走的状态"], degree(0))
        .fact("one_move", ["… with one move", "… 只有一种走法"], degree(1))
        .fact("two_moves", ["… with two moves", "… 有两种走法"], degree(2))
        .fact("won", ["won states", "必胜状态"], count(Value::Win))
        .fact("won_reached", ["… reached in games", "… 对局中可到达"], count_within(Value::Win))
        .fact("lost", ["lost states", "必败状态"], count(Value::Loss))
        .fact("lost_reached", ["… reached in games", "… 对局中可到达"], count_within(Value::Loss))
        .fact("drawn", ["drawn states", "和棋状态"], count(Value::Draw))
        .fact("drawn_reached", ["… reached in games", "… 对局中可到达"], count_within(Value::Draw))
        .fact("longest_win", ["longest win in plies", "最长的取胜步数"], longest)
        .fact(
            "longest_chain",
            ["states in the longest chain of won and lost ones", "胜负状态的最长链（状态数）"],
            longest + 1,
        )
}

/// The states by value; all drawn ones are left out.
fn values(graph: &StateGraph) -> Section {
    let numbers = |states: Vec<usize>| Datum::counts(states);
    Section::facts("values", ["States by number", "按编号列出的状态"])
        .fact("won", ["won", "必胜"], numbers(graph.numbers_where(has_value(Value::Win))))
        .fact("lost", ["lost", "必败"], numbers(graph.numbers_where(has_value(Value::Loss))))
        .fact(
            "not_reached",
            ["never reached in a game", "对局中无法到达"],
            numbers(graph.numbers_where(|state| !is_reached(state))),
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

/// Counts all positions by value, distinguishing colours and side to move.
fn coloured() -> Section {
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
    let title = ["Positions, distinguished by colours and side to move", "区分颜色与行棋方的局面"];
    Section::facts("coloured", title)
        .fact("positions", ["positions", "局面"], all.sum())
        .fact("won", ["… won", "… 必胜"], all.won)
        .fact("lost", ["… lost", "… 必败"], all.lost)
        .fact("drawn", ["… drawn", "… 和棋"], all.drawn)
        .fact("reached", ["… reached in games", "… 对局中可到达"], seen.len())
}

fn table(graph: &StateGraph) -> Section {
    let columns = [
        ("state", ["state", "状态"]),
        ("board", ["a3 c3 / b2 / a1 c1", "a3 c3 / b2 / a1 c1"]),
        ("value", ["value", "价值"]),
        ("plies", ["plies", "步数"]),
        ("next", ["moves to", "可走到"]),
    ];
    let mut table = Section::table("graph", ["All states", "全部状态"], &columns);
    for (number, state) in &graph.states {
        let board = state.pos.to_string().split(' ').next().unwrap_or_default().replace('/', " / ");
        let next = Datum::counts(state.next.iter().copied());
        let (value, plies) = (state.value.value(), state.value.plies().map(u32::from));
        table.row(vec![(*number).into(), board.into(), value.into(), plies.into(), next]);
    }
    table.remark([
        "x is to move; a digit in its board counts empty points. Plies are those to the end of the game: \
         in a loss in 0 plies there is no move left.",
        "轮到 x 走；棋盘一栏中的数字表示空点个数。步数为距终局的步数：0 步必败即已无路可走。",
    ])
}

/// The states by their distance from the state after the first move.
fn distances(graph: &StateGraph) -> Section {
    let mut by_distance: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, state) in &graph.states {
        if let Some(distance) = state.distance {
            by_distance.entry(distance).or_default().push(*number);
        }
    }
    let columns = [("distance", ["moves", "步数"]), ("states", ["states", "状态"])];
    let title = [
        "States by the moves needed to reach them after the first move",
        "第一步之后到达各状态所需的步数",
    ];
    let mut table = Section::table("distances", title, &columns);
    for (distance, states) in by_distance {
        table.row(vec![distance.into(), Datum::counts(states)]);
    }
    table
}

fn blunders(graph: &StateGraph) -> Section {
    let columns = [
        ("from", ["from", "从"]),
        ("to", ["to", "到"]),
        ("had", ["before", "走前"]),
        ("gets", ["after", "走后"]),
        ("reached", ["occurs in games", "对局中会出现"]),
    ];
    let title = ["Blunders: moves that worsen the value", "败着：使价值变差的着法"];
    let mut table = Section::table("blunders", title, &columns);
    for Blunder { from, to, had, gets } in graph.blunders() {
        let reached = is_reached(&graph.states[&from]);
        table.row(vec![from.into(), to.into(), had.into(), gets.into(), reached.into()]);
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
        ("keeper", ["followed by", "遵守者"]),
        ("positions", ["positions", "局面"]),
        ("moves", ["moves", "着法"]),
        ("stuck", ["no such move", "无此着法"]),
        ("lost", ["lost", "输"]),
    ];
    let title = [
        "Rule: never leave both your pieces on the upper or the lower pair of points",
        "规则：绝不让自己的两子同时停在上面两点或下面两点",
    ];
    let mut table = Section::table("strategy", title, &columns);
    for (keeper, name) in
        [(Side::P1, ["first player", "先手"]), (Side::P2, ["second player", "后手"])]
    {
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
        table.row([vec![Datum::term(name[0], name)], row.to_vec()].concat());
    }
    let breaks_rule = |state: usize| {
        let pos = &graph.states[&state].pos;
        leaves_pair(pos, !pos.side())
    };
    let mut losing = graph.blunders().into_iter().filter(|own| own.gets == Value::Loss);
    let all_break_rule = losing.all(|blunder| breaks_rule(blunder.to));
    let remark = if all_break_rule {
        [
            "Every move that turns a win or draw into a loss breaks this rule.",
            "凡是把胜局或和局走成败局的着法，都违反这条规则。",
        ]
    } else {
        [
            "Not every move that turns a win or draw into a loss breaks this rule.",
            "把胜局或和局走成败局的着法并不都违反这条规则。",
        ]
    };
    let method = [
        "Every line of play is followed until its positions repeat.",
        "每种下法都推演到局面重复为止。",
    ];
    table.remark(method).remark(remark)
}

fn lines_of_play() -> Section {
    const PLIES: u32 = 10;
    let columns = [
        ("ply", ["plies", "步数"]),
        ("sequences", ["move sequences", "走法序列"]),
        ("without_rule", ["without the rule for the first move", "若没有第一步的规定"]),
    ];
    let mut table = Section::table("plies", PLIES_TITLE, &columns);
    let (start, free) = (PongHauKi::start(), without_rule());
    for ply in 0..=PLIES {
        let without = free.map(|free| perft(&free, ply));
        table.row(vec![ply.into(), perft(&start, ply).into(), without.into()]);
    }
    table.remark([
        "Positions may repeat; the draw by threefold repetition is ignored.",
        "局面可以重复；不计三次重复判和的规则。",
    ])
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
        title: [
            format!(
                "The states of Pong Hau K'i, for the side to move (blue); games continue from {}",
                graph.first
            ),
            format!("区字棋的状态（蓝方行棋）；第一步之后的对局从 {} 开始", graph.first),
        ],
        layout: PongHauKi::layout()?,
        arrows: arrows.collect(),
        nodes,
    })
}
