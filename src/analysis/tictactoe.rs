//! The study of tic-tac-toe: counts, the value of every opening and reply, and the program's results
//! against every possible opponent.

use super::census::{Census, OutcomeCounts, PlyCounts, census, section};
use super::{Datum, Section, Study};
use crate::games::TicTacToe;
use crate::games::tictactoe::TicTacToeMove;
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
            results_against_all_opponents(&mut oracle),
        ]
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
    Section::facts("counts", "Tic-tac-toe")
        .fact("value", "value for the first player", oracle.exact(&TicTacToe::start()).to_string())
        .fact("positions", "positions", sum(|counts| counts.positions.unwrap_or_default()))
        .fact("classes", "… up to symmetry", sum(|counts| counts.classes))
        .fact("finished", "… finished", finished.sum())
        .fact("finished_x", "… … won by x", finished.first)
        .fact("finished_o", "… … won by o", finished.second)
        .fact("finished_drawn", "… … drawn", finished.drawn)
        .fact("games", "games", games.sum())
        .fact("games_x", "… won by x", games.first)
        .fact("games_o", "… won by o", games.second)
        .fact("games_drawn", "… drawn", games.drawn)
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
    Datum::List(cells.iter().map(|cell| digit(*cell).into()).collect())
}

fn replies(oracle: &mut TicTacToeOracle) -> Section {
    let columns = [
        ("opening", "opening"),
        ("cell", "cell"),
        ("worth", "result for x after replies 1 to 9"),
        ("holding", "drawing replies"),
    ];
    let mut table = Section::table("replies", "Replies to each opening", &columns);
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
    table
        .remark("Cells are numbered row by row from the top left: 1 is a3, 5 is b2, 9 is c1.")
        .remark("W: x wins, D: draw; no opening loses.")
}

fn continuations(oracle: &mut TicTacToeOracle) -> Section {
    let columns = [
        ("opening", "opening"),
        ("reply", "reply"),
        ("winning", "winning moves for x"),
        ("plies", "plies"),
    ];
    let mut table = Section::table("continuations", "Losing replies and how to win", &columns);
    for opening in TicTacToe::start().legal_moves() {
        let opened = TicTacToe::start().after(opening);
        for reply in moves_with_value(&opened, Value::Loss, oracle) {
            let pos = opened.after(reply);
            let plies = oracle.exact(&pos).plies().unwrap_or_default();
            table.row(vec![
                digit(opening).into(),
                digit(reply).into(),
                digits(&moves_with_value(&pos, Value::Win, oracle)),
                u32::from(plies).into(),
            ]);
        }
    }
    table.remark("Plies: the length of the fastest win.")
}

fn results_against_all_opponents(oracle: &mut TicTacToeOracle) -> Section {
    let columns = [
        ("zermelo", "Zermelo plays"),
        ("games", "games"),
        ("won", "won"),
        ("drawn", "drawn"),
        ("lost", "lost"),
        ("won_by_chance", "won %"),
        ("drawn_by_chance", "drawn %"),
        ("lost_by_chance", "lost %"),
    ];
    let title = "Zermelo against every possible opponent";
    let mut table = Section::table("opponents", title, &columns);
    for (side, name) in [(Side::P1, "first"), (Side::P2, "second")] {
        let mut tally = ResultTally::default();
        tally.play(&Record::new(TicTacToe::start()), side, 1.0, oracle);
        let [won, drawn, lost] = tally.games;
        let mut row = vec![name.into(), (won + drawn + lost).into()];
        row.extend([won, drawn, lost].map(Datum::from));
        row.extend(tally.probabilities.map(|probability| Datum::Measure(100.0 * probability, 2)));
        table.row(row);
    }
    table
        .remark("Games: one for each line of play the opponent can choose.")
        .remark("%: results against an opponent that plays random moves.")
}

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
