//! Ultimate tic-tac-toe against a brute-force solver that knows its rules on its own, without any game of
//! the library: legal moves, outcomes and, late in the game, the value of every move.

use std::collections::BTreeMap;

use crate::common::{Client, lines, number_from_env, run_program};
use zermelo::eval::HandcraftedEval;
use zermelo::games::{TixTax, TixTaxCount, TixTaxOpen};
use zermelo::rules::{Game, Outcome, Record, Side, SplitMix, perft};
use zermelo::search::{AlphaBeta, Evaluator, SearchControl, SearchTask, Searcher};

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
/// By the points for the mover, from -1.
const VALUES: [&str; 3] = ["loss", "draw", "win"];

#[derive(Clone, Copy, PartialEq)]
enum Rule {
    Closed,
    Open,
    Count,
}

/// A position: boards of cells, each row by row from the top left; 1 for `x`, 2 for `o`.
#[derive(Clone, Copy)]
struct Position {
    rule: Rule,
    cells: [[u8; 9]; 9],
    /// Who had the first line on each board; 0 for nobody.
    owners: [u8; 9],
    mover: u8,
    /// The board and the cell of the last move.
    last: Option<(usize, usize)>,
}

/// The owner of three cells in a line.
fn winner(cells: &[u8; 9]) -> Option<u8> {
    let line = LINES
        .iter()
        .find(|[a, b, c]| cells[*a] != 0 && cells[*a] == cells[*b] && cells[*a] == cells[*c]);
    line.map(|line| cells[line[0]])
}

impl Position {
    fn start(rule: Rule) -> Self {
        Self { rule, cells: [[0; 9]; 9], owners: [0; 9], mover: 1, last: None }
    }

    fn is_closed(&self, board: usize) -> bool {
        self.rule != Rule::Open && self.owners[board] != 0 || !self.cells[board].contains(&0)
    }

    fn open_boards(&self) -> impl Iterator<Item = usize> {
        (0..9).filter(|board| !self.is_closed(*board))
    }

    /// The board the mover must play in.
    fn forced(&self) -> Option<usize> {
        self.last.map(|(_, cell)| cell).filter(|board| !self.is_closed(*board))
    }

    /// The winner of a finished game, 0 for a draw.
    fn result(&self) -> Option<u8> {
        if let Some(winner) = winner(&self.owners) {
            return Some(winner);
        }
        if self.open_boards().next().is_some() {
            return None;
        }
        let [first, second] =
            [1, 2].map(|side| self.owners.iter().filter(|own| **own == side).count());
        Some(match first.cmp(&second) {
            std::cmp::Ordering::Greater if self.rule == Rule::Count => 1,
            std::cmp::Ordering::Less if self.rule == Rule::Count => 2,
            _ => 0,
        })
    }

    fn moves(&self) -> Vec<(usize, usize)> {
        if self.result().is_some() {
            return Vec::new();
        }
        let forced = self.forced();
        let boards = self.open_boards().filter(|board| forced.is_none_or(|own| own == *board));
        let free = |board: usize| (0..9).filter(move |cell| self.cells[board][*cell] == 0);
        boards.flat_map(|board| free(board).map(move |cell| (board, cell))).collect()
    }

    fn after(&self, (board, cell): (usize, usize)) -> Self {
        let mut next = *self;
        next.cells[board][cell] = self.mover;
        if next.owners[board] == 0 && winner(&next.cells[board]).is_some() {
            next.owners[board] = self.mover;
        }
        next.mover = 3 - self.mover;
        next.last = Some((board, cell));
        next
    }

    /// The value for the mover: -1, 0 or 1.
    fn negamax(&self) -> i32 {
        match self.result() {
            Some(0) => 0,
            Some(winner) if winner == self.mover => 1,
            Some(_) => -1,
            None => {
                let mut best = -1;
                for mv in self.moves() {
                    best = best.max(-self.after(mv).negamax());
                    if best == 1 {
                        break;
                    }
                }
                best
            }
        }
    }

    fn open_cells(&self) -> usize {
        let free = |board: usize| self.cells[board].iter().filter(|cell| **cell == 0).count();
        self.open_boards().map(free).sum()
    }

    fn fen(&self) -> String {
        let mut text = String::new();
        for row in 0..9 {
            for column in 0..9 {
                let cell = self.cells[row / 3 * 3 + column / 3][row % 3 * 3 + column % 3];
                text.push([' ', 'x', 'o'][usize::from(cell)]);
            }
            text.push('/');
        }
        for run in (1..10).rev() {
            text = text.replace(&" ".repeat(run), &run.to_string());
        }
        let seconds = self.cells.iter().flatten().filter(|cell| **cell == 2).count();
        let mover = if self.mover == 1 { 'x' } else { 'o' };
        let last = self.last.filter(|_| self.forced().is_some()).map_or("-".to_owned(), name);
        let fen = format!("{} {mover} {} {last}", text.trim_end_matches('/'), seconds + 1);
        let owner = |board: usize| match self.owners[board] {
            0 if self.is_closed(board) => '#',
            owner => ['.', 'X', 'O'][usize::from(owner)],
        };
        match self.rule {
            Rule::Open => format!("{fen} {}", (0..9).map(owner).collect::<String>()),
            _ => fen,
        }
    }
}

/// The name of a cell: the file from the left, the rank from the bottom.
fn name((board, cell): (usize, usize)) -> String {
    let (row, column) = (board / 3 * 3 + cell / 3, board % 3 * 3 + cell % 3);
    format!("{}{}", (b'a' + column as u8) as char, 9 - row)
}

fn random_game(rule: Rule, random: &mut SplitMix, mut visit: impl FnMut(&Position)) {
    let mut pos = Position::start(rule);
    loop {
        visit(&pos);
        let moves = pos.moves();
        if moves.is_empty() {
            return;
        }
        pos = pos.after(moves[random.below(moves.len())]);
    }
}

/// Unfinished positions with at most `open_cells`, one per random game. A third of the games that
/// are decided by a line are kept, the others are rarer and all kept.
fn late_positions(rule: Rule, count: usize, open_cells: usize) -> Vec<Position> {
    let (mut random, mut found) = (SplitMix::new(26), Vec::new());
    while found.len() < count {
        let mut late = Vec::new();
        let mut has_line = false;
        random_game(rule, &mut random, |pos| {
            if pos.open_cells() <= open_cells && pos.result().is_none() {
                late.push(*pos);
            }
            has_line |= winner(&pos.owners).is_some();
        });
        if !late.is_empty() && (!has_line || random.below(3) == 0) {
            found.push(late[random.below(late.len())]);
        }
    }
    found
}

/// Plays random games and returns how many were decided by a line, by the number of boards, and drawn.
fn follow_random_games<G: Game>(rule: Rule) -> [usize; 3] {
    let (mut random, mut ends) = (SplitMix::new(27), [0; 3]);
    for _ in 0..300 {
        random_game(rule, &mut random, |pos| {
            let fen = pos.fen();
            let library: G = fen.parse().unwrap();
            assert_eq!(library.to_string(), fen);
            let mut expected: Vec<String> = pos.moves().into_iter().map(name).collect();
            let mut found: Vec<String> =
                library.legal_moves().iter().map(ToString::to_string).collect();
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{fen}");
            let result = pos.result();
            let outcome = result.map(|winner| match winner {
                0 => Outcome::Draw,
                1 => Outcome::Win(Side::P1),
                _ => Outcome::Win(Side::P2),
            });
            assert_eq!(library.outcome(), outcome, "{fen}");
            let end = if winner(&pos.owners).is_some() { 0 } else { 1 };
            result.into_iter().for_each(|winner| ends[if winner == 0 { 2 } else { end }] += 1);
        });
    }
    ends
}

#[test]
fn moves_and_outcomes_of_random_games_follow_the_rules() {
    let [by_line, by_count, drawn] = follow_random_games::<TixTaxCount>(Rule::Count);
    assert!(by_line > 50 && by_count > 30 && drawn > 10, "{by_line} {by_count} {drawn}");
    for [by_line, by_count, drawn] in
        [follow_random_games::<TixTax>(Rule::Closed), follow_random_games::<TixTaxOpen>(Rule::Open)]
    {
        assert!(by_line > 50 && by_count == 0 && drawn > 10, "{by_line} {by_count} {drawn}");
    }
}

#[test]
fn perft_is_that_of_tixtax() {
    for line in include_str!("data/tixtax.perft").lines() {
        let (fen, expected) = line.split_once(';').unwrap();
        let pos: TixTaxCount = fen.trim().parse().unwrap();
        for (depth, expected) in (1..=5).zip(expected.split_whitespace()) {
            assert_eq!(perft(&pos, depth).to_string(), expected, "{fen} at depth {depth}");
        }
    }
}

/// Compares `solve`, `values`, `go` and a handcrafted alpha-beta search with brute force in late positions.
fn agrees_with_brute_force<G: Game>(rule: Rule, open_cells: usize)
where
    HandcraftedEval: Evaluator<G>,
{
    let count = number_from_env("POSITIONS", 150) as usize;
    let positions = late_positions(rule, count, open_cells);
    let fens: Vec<String> = positions.iter().map(Position::fen).collect();
    let arguments = ["solve", "--game", G::ID, "--file", "-", "--verify", "--memory", "64"];
    let output = run_program(&arguments, fens.join("\n").as_bytes());
    assert_eq!(output.status.code(), Some(0), "{:?}", lines(&output.stderr));
    let answers = lines(&output.stdout);
    assert_eq!(answers.len(), count);

    let mut engine = Client::in_memory();
    engine.ask(&format!("setoption name UCI_Variant value {}", G::ID));
    let mut alphabeta = AlphaBeta::<G, _>::new(HandcraftedEval::default(), 1).unwrap();
    let mut reached = BTreeMap::<&str, usize>::new();
    for ((pos, fen), answer) in positions.iter().zip(&fens).zip(answers) {
        let value = |points: i32| VALUES[(points + 1) as usize];
        let moves = pos.moves().into_iter();
        let moves: BTreeMap<String, i32> =
            moves.map(|mv| (name(mv), -pos.after(mv).negamax())).collect();
        let best = *moves.values().max().unwrap();
        *reached.entry(value(best)).or_default() += 1;
        if rule == Rule::Count && best != (Position { rule: Rule::Closed, ..*pos }).negamax() {
            *reached.entry("by count").or_default() += 1;
        }

        let words: Vec<&str> = answer.split_whitespace().collect();
        assert_eq!((words[0], moves[words[2]]), (value(best), best), "solve: {answer}");

        engine.send(&format!("position fen {fen}"));
        engine.send("values");
        let found: Vec<String> = moves.iter().map(|_| engine.line()).collect();
        assert_eq!(engine.line(), format!("{} moves", moves.len()));
        let found = found.iter().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" "));
        let expected = moves.iter().map(|(mv, points)| format!("{mv} {}", value(*points)));
        let [mut found, mut expected]: [Vec<String>; 2] = [found.collect(), expected.collect()];
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "values: {fen}");

        let claim = format!("info string proven {}", value(best));
        let said = engine.go("depth 20");
        assert!(said.iter().any(|line| line.starts_with(&claim)), "go: {fen} {said:?}");

        let task = SearchTask::new(Record::new(fen.parse().unwrap()));
        let report = alphabeta.search(&task, &SearchControl::default(), &mut |_| {});
        let proven = report.proven.map(|proven| proven.value().to_string());
        assert_eq!(proven.as_deref(), Some(value(best)), "alpha-beta: {fen}");
    }
    let is_reached = |value| reached.get(value).is_some_and(|reached| *reached > count / 20);
    // Under the open rule most games that last so long are drawn.
    assert!(rule == Rule::Open || VALUES.into_iter().all(is_reached), "{reached:?}");
    assert!(reached["draw"] < count, "{reached:?}");
    assert!(rule != Rule::Count || reached["by count"] > count / 4, "{reached:?}");
}

#[test]
fn late_values_of_tixtax_agree_with_brute_force() {
    agrees_with_brute_force::<TixTax>(Rule::Closed, 9);
}

#[test]
fn late_values_of_tixtax_open_agree_with_brute_force() {
    agrees_with_brute_force::<TixTaxOpen>(Rule::Open, 8);
}

#[test]
fn late_values_of_tixtax_count_agree_with_brute_force() {
    agrees_with_brute_force::<TixTaxCount>(Rule::Count, 9);
}
