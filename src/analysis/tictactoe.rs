//! What `analyze` computes about tic-tac-toe: counts, the value of every opening and reply, a strategy
//! in rules, and the program's results against every possible opponent.

mod openings;
mod strategy;

use serde_json::{Value as Json, json};

use super::census::{Census, OutcomeCounts, PlyCounts, census, ply_table};
use super::{Figure, GameAnalysis};
use crate::games::TicTacToe;
use crate::games::tictactoe::TicTacToeMove;
use crate::language::{Language, Localized};
use crate::rules::{Game, Move, Outcome, Record, Side, Value};
use crate::solve::{ExactSolver, Minimax, rank_moves};

type TicTacToeSolver = Minimax<TicTacToe>;

/// Counts, replies and refutations.
#[derive(Debug)]
pub struct TicTacToeAnalysis;

impl GameAnalysis<TicTacToe> for TicTacToeAnalysis {
    fn analyze_game(_: &mut dyn FnMut() -> bool) -> Json {
        let mut exact_solver = TicTacToeSolver::default();
        let census = census(&TicTacToe::start(), u32::MAX);
        json!({
            "counts": totals(&census, &mut exact_solver),
            "plies": ply_table(&census, 0),
            "replies": replies(&mut exact_solver),
            "continuations": continuations(&mut exact_solver),
            "mistakes": mistakes(&mut exact_solver),
            "rules": strategy::results(),
            "opponents": results_against_all_opponents(&mut exact_solver),
        })
    }

    fn figures(language: Language) -> Vec<Figure> {
        openings::figure(&mut TicTacToeSolver::default(), language).into_iter().collect()
    }

    fn chapter() -> Localized {
        [
            include_str!("../../data/chapters/tictactoe.en.md"),
            include_str!("../../data/chapters/tictactoe.zh.md"),
        ]
    }
}

/// The usual number of a cell: 1 to 9, row by row from the top left.
fn digit(cell: TicTacToeMove) -> usize {
    cell.code() + 1
}

fn totals(census: &Census<TicTacToe>, exact_solver: &mut TicTacToeSolver) -> Json {
    let sum = |count: fn(&PlyCounts) -> u64| census.plies.iter().map(count).sum::<u64>();
    let all = |results: fn(&PlyCounts) -> OutcomeCounts| {
        census.plies.iter().map(results).fold(OutcomeCounts::default(), OutcomeCounts::plus)
    };
    let (finished, games) = (all(|counts| counts.finished), all(|counts| counts.games));
    let value = exact_solver.exact(&TicTacToe::start()).value();
    json!({
        "value": value.to_string(),
        "positions": sum(|counts| counts.positions.unwrap_or_default()),
        "classes": sum(|counts| counts.classes),
        "finished": finished.sum(),
        "finished_x": finished.first,
        "finished_o": finished.second,
        "finished_drawn": finished.drawn,
        "games": games.sum(),
        "games_x": games.first,
        "games_o": games.second,
        "games_drawn": games.drawn,
    })
}

/// The value of a position for `side`.
fn value_for(side: Side, pos: &TicTacToe, exact_solver: &mut TicTacToeSolver) -> Value {
    let value = exact_solver.exact(pos).value();
    if pos.side() == side { value } else { value.flip() }
}

/// The moves with this value for the side making them.
fn moves_with_value(
    pos: &TicTacToe,
    value: Value,
    exact_solver: &mut TicTacToeSolver,
) -> Vec<TicTacToeMove> {
    let moves = pos.legal_moves().into_iter();
    moves.filter(|mv| value_for(pos.side(), &pos.after(*mv), exact_solver) == value).collect()
}

fn digits(cells: &[TicTacToeMove]) -> Vec<usize> {
    cells.iter().map(|cell| digit(*cell)).collect()
}

fn letter(value: Value) -> char {
    match value {
        Value::Win => 'W',
        Value::Draw => 'D',
        Value::Loss => 'L',
    }
}

fn replies(exact_solver: &mut TicTacToeSolver) -> Json {
    let row = |opening: TicTacToeMove| {
        let pos = TicTacToe::start().after(opening);
        let mut results = vec!['.'; TicTacToe::MOVE_CODES];
        for reply in pos.legal_moves() {
            results[reply.code()] = letter(value_for(Side::P1, &pos.after(reply), exact_solver));
        }
        json!({
            "opening": digit(opening),
            "cell": opening.to_string(),
            "worth": String::from_iter(results),
            "holding": digits(&moves_with_value(&pos, Value::Draw, exact_solver)),
        })
    };
    TicTacToe::start().legal_moves().into_iter().map(row).collect()
}

fn continuations(exact_solver: &mut TicTacToeSolver) -> Json {
    let mut rows = Vec::new();
    for opening in TicTacToe::start().legal_moves() {
        let opened = TicTacToe::start().after(opening);
        for reply in moves_with_value(&opened, Value::Loss, exact_solver) {
            let winning = moves_with_value(&opened.after(reply), Value::Win, exact_solver);
            rows.push(json!({
                "opening": digit(opening),
                "reply": digit(reply),
                "winning": digits(&winning),
            }));
        }
    }
    rows.into()
}

/// The number of losing replies to the first move, and how fast all of them lose.
fn mistakes(exact_solver: &mut TicTacToeSolver) -> Json {
    let (mut replies, mut longest) = (0_u32, 0);
    for opening in TicTacToe::start().legal_moves() {
        let opened = TicTacToe::start().after(opening);
        for reply in moves_with_value(&opened, Value::Loss, exact_solver) {
            replies += 1;
            longest =
                longest.max(exact_solver.exact(&opened.after(reply)).plies().unwrap_or_default());
        }
    }
    json!({ "replies": replies, "plies": longest })
}

/// One game for each line of play that the opponent can choose, and the results in per cent against
/// random moves.
fn results_against_all_opponents(exact_solver: &mut TicTacToeSolver) -> Json {
    let row = |(side, name)| {
        let mut tally = ResultTally::default();
        tally.play(&Record::new(TicTacToe::start()), side, 1.0, exact_solver);
        let [won, drawn, lost] = tally.games;
        let [won_by_chance, drawn_by_chance, lost_by_chance] =
            tally.probabilities.map(|probability| 100.0 * probability);
        json!({
            "zermelo": name,
            "games": won + drawn + lost,
            "won": won,
            "drawn": drawn,
            "lost": lost,
            "won_by_chance": won_by_chance,
            "drawn_by_chance": drawn_by_chance,
            "lost_by_chance": lost_by_chance,
        })
    };
    SIDES.into_iter().map(row).collect()
}

/// The sides and their names in tables.
const SIDES: [(Side, &str); 2] = [(Side::P1, "first"), (Side::P2, "second")];

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
        exact_solver: &mut TicTacToeSolver,
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
            rank_moves(exact_solver, record).first().map(|(mv, _)| *mv).into_iter().collect()
        } else {
            pos.legal_moves().into_iter().collect()
        };
        let probability = probability / moves.len() as f64;
        for mv in moves {
            self.play(&Record::new(pos.after(mv)), side, probability, exact_solver);
        }
    }
}
