//! The study of tic-tac-toe: counts, the value of every opening and reply, a strategy in rules, and
//! the program's results against every possible opponent.

mod openings;
mod strategy;

use super::census::{Census, OutcomeCounts, PlyCounts, census, section};
use super::{Datum, ReportFigure, Section, Study};
use crate::games::TicTacToe;
use crate::games::tictactoe::TicTacToeMove;
use crate::language::Localized;
use crate::rules::{Game, Move, Outcome, Record, Side, Value};
use crate::solve::{Minimax, Oracle, rank_moves};

type TicTacToeOracle = Minimax<TicTacToe>;

/// Reports counts, replies and refutations.
#[derive(Debug)]
pub struct TicTacToeStudy;

impl Study<TicTacToe> for TicTacToeStudy {
    fn analyze_game(_: &mut dyn FnMut() -> bool) -> Vec<Section> {
        let mut oracle = TicTacToeOracle::default();
        let census = census(&TicTacToe::start(), u32::MAX);
        vec![
            totals(&census, &mut oracle),
            section(&census, 0),
            replies(&mut oracle),
            continuations(&mut oracle),
            mistakes(&mut oracle),
            strategy::section(),
            results_against_all_opponents(&mut oracle),
        ]
    }

    fn figures() -> Vec<ReportFigure> {
        openings::figure(&mut TicTacToeOracle::default()).into_iter().collect()
    }

    fn chapter() -> Option<Localized> {
        Some([include_str!("chapters/tictactoe.en.md"), include_str!("chapters/tictactoe.zh.md")])
    }
}

/// The usual number of a cell: 1 to 9, row by row from the top left.
fn digit(cell: TicTacToeMove) -> usize {
    cell.code() + 1
}

fn totals(census: &Census<TicTacToe>, oracle: &mut TicTacToeOracle) -> Section {
    let sum = |count: fn(&PlyCounts) -> u64| census.plies.iter().map(count).sum::<u64>();
    let all = |results: fn(&PlyCounts) -> OutcomeCounts| {
        census.plies.iter().map(results).fold(OutcomeCounts::default(), OutcomeCounts::plus)
    };
    let (finished, games) = (all(|counts| counts.finished), all(|counts| counts.games));
    let value = oracle.exact(&TicTacToe::start());
    let positions = sum(|counts| counts.positions.unwrap_or_default());
    Section::facts("counts", ["All positions and games", "全部局面与对局"])
        .fact("value", ["value for the first player", "先手的价值"], value)
        .fact("positions", ["positions", "局面"], positions)
        .fact("classes", ["… up to symmetry", "… 对称归并后"], sum(|counts| counts.classes))
        .fact("finished", ["… finished", "… 终局"], finished.sum())
        .fact("finished_x", ["… … won by x", "… … x 胜"], finished.first)
        .fact("finished_o", ["… … won by o", "… … o 胜"], finished.second)
        .fact("finished_drawn", ["… … drawn", "… … 和棋"], finished.drawn)
        .fact("games", ["games", "对局"], games.sum())
        .fact("games_x", ["… won by x", "… x 胜"], games.first)
        .fact("games_o", ["… won by o", "… o 胜"], games.second)
        .fact("games_drawn", ["… drawn", "… 和棋"], games.drawn)
}

/// The value of a position for `side`.
fn value_for(side: Side, pos: &TicTacToe, oracle: &mut TicTacToeOracle) -> Value {
    let value = oracle.exact(pos).value();
    if pos.side() == side { value } else { value.flip() }
}

/// The moves with this value for the side making them.
fn moves_with_value(
    pos: &TicTacToe,
    value: Value,
    oracle: &mut TicTacToeOracle,
) -> Vec<TicTacToeMove> {
    let moves = pos.legal_moves().into_iter();
    moves.filter(|mv| value_for(pos.side(), &pos.after(*mv), oracle) == value).collect()
}

fn digits(cells: &[TicTacToeMove]) -> Datum {
    Datum::counts(cells.iter().map(|cell| digit(*cell)))
}

fn replies(oracle: &mut TicTacToeOracle) -> Section {
    let columns = [
        ("opening", ["opening", "开局"]),
        ("cell", ["cell", "格子"]),
        ("worth", ["after replies 1 to 9", "应 1 至 9 后"]),
        ("holding", ["drawing replies", "守和的应着"]),
    ];
    let title = ["Replies to each opening", "各开局的应着"];
    let mut table = Section::table("replies", title, &columns);
    for opening in TicTacToe::start().legal_moves() {
        let pos = TicTacToe::start().after(opening);
        let mut results = vec!['.'; TicTacToe::MOVE_CODES];
        for reply in pos.legal_moves() {
            results[reply.code()] = match value_for(Side::P1, &pos.after(reply), oracle) {
                Value::Win => 'W',
                Value::Draw => 'D',
                Value::Loss => 'L',
            };
        }
        table.row(vec![
            digit(opening).into(),
            opening.to_string().into(),
            results.into_iter().collect::<String>().into(),
            digits(&moves_with_value(&pos, Value::Draw, oracle)),
        ]);
    }
    table.remark([
        "Cells are numbered row by row from the top left: 1 is a3, 5 is b2, 9 is c1. W: x wins, \
         D: draw, L: o wins.",
        "格子从左上角起逐行编号：1 为 a3，5 为 b2，9 为 c1。W：x 胜，D：和棋，L：o 胜。",
    ])
}

fn continuations(oracle: &mut TicTacToeOracle) -> Section {
    let columns = [
        ("opening", ["opening", "开局"]),
        ("reply", ["reply", "应着"]),
        ("winning", ["winning moves for x", "x 的制胜着法"]),
    ];
    let title = ["Losing replies and how to win", "错误的应着及制胜方法"];
    let mut table = Section::table("continuations", title, &columns);
    for opening in TicTacToe::start().legal_moves() {
        let opened = TicTacToe::start().after(opening);
        for reply in moves_with_value(&opened, Value::Loss, oracle) {
            let pos = opened.after(reply);
            let winning = digits(&moves_with_value(&pos, Value::Win, oracle));
            table.row(vec![digit(opening).into(), digit(reply).into(), winning]);
        }
    }
    table
}

/// The number of losing replies to the first move, and how fast all of them lose.
fn mistakes(oracle: &mut TicTacToeOracle) -> Section {
    let (mut replies, mut longest) = (0_u32, 0);
    for opening in TicTacToe::start().legal_moves() {
        let opened = TicTacToe::start().after(opening);
        for reply in moves_with_value(&opened, Value::Loss, oracle) {
            replies += 1;
            longest = longest.max(oracle.exact(&opened.after(reply)).plies().unwrap_or_default());
        }
    }
    Section::facts("mistakes", ["Losing replies to the first move", "对第一步的错误应着"])
        .fact("replies", ["losing replies", "错误的应着"], replies)
        .fact("plies", ["plies in which x wins at most", "x 至多几步取胜"], u32::from(longest))
}

fn results_against_all_opponents(oracle: &mut TicTacToeOracle) -> Section {
    let columns = [
        ("zermelo", ["Zermelo plays", "Zermelo 执"]),
        ("games", ["games", "对局"]),
        ("won", ["won", "胜"]),
        ("drawn", ["drawn", "和"]),
        ("lost", ["lost", "负"]),
        ("won_by_chance", ["won %", "胜 %"]),
        ("drawn_by_chance", ["drawn %", "和 %"]),
        ("lost_by_chance", ["lost %", "负 %"]),
    ];
    let title = ["Zermelo against every possible opponent", "Zermelo 对所有可能的对手"];
    let mut table = Section::table("opponents", title, &columns);
    for (side, name) in SIDES {
        let mut tally = ResultTally::default();
        tally.play(&Record::new(TicTacToe::start()), side, 1.0, oracle);
        let [won, drawn, lost] = tally.games;
        let mut row = vec![Datum::term(name[0], name), (won + drawn + lost).into()];
        row.extend([won, drawn, lost].map(Datum::from));
        row.extend(tally.probabilities.map(|probability| Datum::Measure(100.0 * probability, 2)));
        table.row(row);
    }
    table.remark([
        "Games: one for each line of play the opponent can choose. %: results against an opponent \
         that plays random moves.",
        "对局：对手每种可能的下法各计一局。%：对手随机落子时的结果。",
    ])
}

/// The sides and their names in tables.
const SIDES: [(Side, Localized); 2] =
    [(Side::P1, ["first", "先手"]), (Side::P2, ["second", "后手"])];

/// The results of the engine on one side, as won, drawn and lost.
#[derive(Default)]
struct ResultTally {
    games: [u64; 3],
    /// Their probabilities against an opponent that plays random moves.
    probabilities: [f64; 3],
}

impl ResultTally {
    /// Counts all games below a position, reached with this probability.
    fn play(
        &mut self,
        record: &Record<TicTacToe>,
        side: Side,
        probability: f64,
        oracle: &mut TicTacToeOracle,
    ) {
        if let Some(outcome) = record.outcome() {
            let index = match outcome {
                Outcome::Win(winner) if winner == side => 0,
                Outcome::Draw => 1,
                Outcome::Win(_) => 2,
            };
            self.games[index] += 1;
            self.probabilities[index] += probability;
            return;
        }
        let pos = record.position();
        let moves: Vec<TicTacToeMove> = if pos.side() == side {
            rank_moves(oracle, record).first().map(|best| best.mv).into_iter().collect()
        } else {
            pos.legal_moves().into_iter().collect()
        };
        let probability = probability / moves.len() as f64;
        for mv in moves {
            self.play(&Record::new(pos.after(mv)), side, probability, oracle);
        }
    }
}
