//! What is known of tic-tac-toe: all of it.

use super::census::{Census, OutcomeCounts, census, section};
use super::{Datum, Section, Study};
use crate::games::TicTacToe;
use crate::games::tictactoe::TicTacToeMove;
use crate::rules::{Game, Move, Outcome, Record, Side, Value};
use crate::solve::{Minimax, Oracle, rank_moves};

type Solved = Minimax<TicTacToe>;

/// Tells of openings, replies and how they go on.
#[derive(Debug)]
pub struct TicTacToeStudy;

impl Study<TicTacToe> for TicTacToeStudy {
    fn game(_: &mut dyn FnMut() -> bool) -> Vec<Section> {
        let mut oracle = Solved::default();
        let census = census(&TicTacToe::start(), u32::MAX);
        vec![
            totals(&census, &mut oracle),
            section(&census, 0),
            replies(&mut oracle),
            continuations(&mut oracle),
            against_everybody(&mut oracle),
        ]
    }
}

/// How people number the cells: 1 to 9 row by row from the top left.
fn digit(cell: TicTacToeMove) -> usize {
    cell.code() + 1
}

fn totals(census: &Census<TicTacToe>, oracle: &mut Solved) -> Section {
    let sum =
        |count: fn(&super::census::PlyCounts) -> u64| census.levels.iter().map(count).sum::<u64>();
    let all = |results: fn(&super::census::PlyCounts) -> OutcomeCounts| {
        census.levels.iter().map(results).fold(OutcomeCounts::default(), OutcomeCounts::and)
    };
    let (finished, games) = (all(|level| level.finished), all(|level| level.games));
    Section::facts("counts", "Tic-tac-toe")
        .fact("value", "value for the first player", oracle.exact(&TicTacToe::start()).to_string())
        .fact("positions", "positions", sum(|level| level.positions.unwrap_or_default()))
        .fact("classes", "… up to symmetry", sum(|level| level.classes))
        .fact("finished", "… finished", finished.sum())
        .fact("finished_x", "… … x has won", finished.first)
        .fact("finished_o", "… … o has won", finished.second)
        .fact("finished_drawn", "… … drawn", finished.drawn)
        .fact("games", "games", games.sum())
        .fact("games_x", "… x wins", games.first)
        .fact("games_o", "… o wins", games.second)
        .fact("games_drawn", "… drawn", games.drawn)
}

/// The value of a position for a side.
fn value_for(side: Side, pos: &TicTacToe, oracle: &mut Solved) -> Value {
    let value = oracle.exact(pos).value();
    if pos.side() == side { value } else { value.flip() }
}

/// The moves that leave their maker this much.
fn moves_worth(pos: &TicTacToe, value: Value, oracle: &mut Solved) -> Vec<TicTacToeMove> {
    let moves = pos.legal_moves().into_iter();
    moves.filter(|mv| value_for(pos.side(), &pos.after(*mv), oracle) == value).collect()
}

fn digits(cells: &[TicTacToeMove]) -> Datum {
    Datum::List(cells.iter().map(|cell| digit(*cell).into()).collect())
}

fn replies(oracle: &mut Solved) -> Section {
    let columns = [
        ("opening", "opening"),
        ("cell", "cell"),
        ("worth", "what replies 1 to 9 are worth to x"),
        ("holding", "replies that hold"),
    ];
    let mut table = Section::table("replies", "Each reply to each opening", &columns);
    for opening in TicTacToe::start().legal_moves() {
        let pos = TicTacToe::start().after(opening);
        let mut worth = vec!['.'; TicTacToe::MOVE_CODES];
        for reply in pos.legal_moves() {
            worth[reply.code()] = match value_for(Side::P1, &pos.after(reply), oracle) {
                Value::Win => 'W',
                Value::Draw => 'D',
                Value::Loss => 'L',
            };
        }
        table.row(vec![
            digit(opening).into(),
            opening.to_string().into(),
            worth.into_iter().collect::<String>().into(),
            digits(&moves_worth(&pos, Value::Draw, oracle)),
        ]);
    }
    table
        .remark("Cells are numbered row by row from the top left: 1 is a3, 5 is b2, 9 is c1.")
        .remark("W: x wins, D: a draw; no opening loses.")
}

fn continuations(oracle: &mut Solved) -> Section {
    let columns =
        [("opening", "opening"), ("reply", "reply"), ("winning", "x wins with"), ("plies", "in")];
    let mut table = Section::table("continuations", "Where the reply loses", &columns);
    for opening in TicTacToe::start().legal_moves() {
        let opened = TicTacToe::start().after(opening);
        for reply in moves_worth(&opened, Value::Loss, oracle) {
            let pos = opened.after(reply);
            let plies = oracle.exact(&pos).plies().unwrap_or_default();
            table.row(vec![
                digit(opening).into(),
                digit(reply).into(),
                digits(&moves_worth(&pos, Value::Win, oracle)),
                u32::from(plies).into(),
            ]);
        }
    }
    table.remark("The number of plies is that of the fastest way.")
}

fn against_everybody(oracle: &mut Solved) -> Section {
    let columns = [
        ("zermelo", "Zermelo moves"),
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
        let mut tally = Tally::default();
        tally.play(&Record::new(TicTacToe::start()), side, 1.0, oracle);
        let [won, drawn, lost] = tally.games;
        let mut row = vec![name.into(), (won + drawn + lost).into()];
        row.extend([won, drawn, lost].map(Datum::from));
        row.extend(tally.chances.map(|chance| Datum::Measure(100.0 * chance, 2)));
        table.row(row);
    }
    table
        .remark("Games: one for each way in which the opponent can play; Zermelo plays as it does.")
        .remark("%: of the games against an opponent that draws its moves by lot.")
}

/// What comes of the games of one side as the engine plays it, won, drawn and lost.
#[derive(Default)]
struct Tally {
    games: [u64; 3],
    /// How often that happens to an opponent that draws its moves by lot.
    chances: [f64; 3],
}

impl Tally {
    fn play(&mut self, record: &Record<TicTacToe>, side: Side, chance: f64, oracle: &mut Solved) {
        if let Some(outcome) = record.outcome() {
            let place = match outcome {
                Outcome::Win(winner) if winner == side => 0,
                Outcome::Draw => 1,
                Outcome::Win(_) => 2,
            };
            self.games[place] += 1;
            self.chances[place] += chance;
            return;
        }
        let pos = record.position();
        let moves: Vec<TicTacToeMove> = if pos.side() == side {
            rank_moves(oracle, record).first().map(|best| best.mv).into_iter().collect()
        } else {
            pos.legal_moves().into_iter().collect()
        };
        let chance = chance / moves.len() as f64;
        for mv in moves {
            self.play(&Record::new(pos.after(mv)), side, chance, oracle);
        }
    }
}
