//! The rule of `tixtax-count` against a brute-force solver that knows it on its own, without any game
//! of the library: legal moves, outcomes, values, and the moves that keep them.

use crate::common::{lines, run_program};
use zermelo::eval::{HandcraftedEval, Net};
use zermelo::games::TixTaxCount;
use zermelo::rules::{ExactValue, Game, Outcome, Record, Side, SplitMix, Value, perft};
use zermelo::search::{AlphaBeta, EvalGuide, Evaluator, SearchControl, SearchTask, Searcher};
use zermelo::solve::Prover;

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// A position: boards of cells, each row by row from the top left; 1 for `x`, 2 for `o`.
#[derive(Clone, Copy)]
struct Position {
    cells: [[u8; 9]; 9],
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

fn is_closed(cells: &[u8; 9]) -> bool {
    winner(cells).is_some() || !cells.contains(&0)
}

impl Position {
    fn start() -> Self {
        Self { cells: [[0; 9]; 9], mover: 1, last: None }
    }

    fn owners(&self) -> [u8; 9] {
        self.cells.map(|cells| winner(&cells).unwrap_or(0))
    }

    /// The board the mover must play in.
    fn forced(&self) -> Option<usize> {
        self.last.map(|(_, cell)| cell).filter(|board| !is_closed(&self.cells[*board]))
    }

    fn has_line(&self) -> bool {
        winner(&self.owners()).is_some()
    }

    /// The winner of a finished game, 0 for a draw; a draw for every game without a line unless the
    /// boards count.
    fn result(&self, boards_count: bool) -> Option<u8> {
        let owners = self.owners();
        if let Some(winner) = winner(&owners) {
            return Some(winner);
        }
        if !self.cells.iter().all(is_closed) {
            return None;
        }
        let [first, second] = [1, 2].map(|side| owners.iter().filter(|own| **own == side).count());
        Some(match first.cmp(&second) {
            std::cmp::Ordering::Greater if boards_count => 1,
            std::cmp::Ordering::Less if boards_count => 2,
            _ => 0,
        })
    }

    fn moves(&self) -> Vec<(usize, usize)> {
        if self.result(true).is_some() {
            return Vec::new();
        }
        let forced = self.forced();
        let is_open = |board: &usize| match forced {
            Some(forced) => *board == forced,
            None => !is_closed(&self.cells[*board]),
        };
        let free = |board: usize| (0..9).filter(move |cell| self.cells[board][*cell] == 0);
        (0..9)
            .filter(is_open)
            .flat_map(|board| free(board).map(move |cell| (board, cell)))
            .collect()
    }

    fn after(&self, (board, cell): (usize, usize)) -> Self {
        let mut next = *self;
        next.cells[board][cell] = self.mover;
        next.mover = 3 - self.mover;
        next.last = Some((board, cell));
        next
    }

    /// The value for the mover: -1, 0 or 1.
    fn negamax(&self, boards_count: bool) -> i32 {
        match self.result(boards_count) {
            Some(0) => 0,
            Some(winner) if winner == self.mover => 1,
            Some(_) => -1,
            None => {
                let mut best = -1;
                for mv in self.moves() {
                    best = best.max(-self.after(mv).negamax(boards_count));
                    if best == 1 {
                        break;
                    }
                }
                best
            }
        }
    }

    fn open_cells(&self) -> usize {
        let open = self.cells.iter().filter(|cells| !is_closed(cells));
        open.map(|cells| cells.iter().filter(|cell| **cell == 0).count()).sum()
    }

    fn fen(&self) -> String {
        let mut text = String::new();
        for row in 0..9 {
            let mut empty = 0;
            for column in 0..9 {
                let cell = self.cells[row / 3 * 3 + column / 3][row % 3 * 3 + column % 3];
                if cell == 0 {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &empty.to_string();
                }
                empty = 0;
                text.push(if cell == 1 { 'x' } else { 'o' });
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text.push(if row < 8 { '/' } else { ' ' });
        }
        let seconds = self.cells.iter().flatten().filter(|cell| **cell == 2).count();
        let mover = if self.mover == 1 { 'x' } else { 'o' };
        let last = self.last.filter(|_| self.forced().is_some()).map_or("-".to_owned(), name);
        format!("{text}{mover} {} {last}", seconds + 1)
    }
}

/// The name of a cell: the file from the left, the rank from the bottom.
fn name((board, cell): (usize, usize)) -> String {
    let (row, column) = (board / 3 * 3 + cell / 3, board % 3 * 3 + cell % 3);
    format!("{}{}", (b'a' + column as u8) as char, 9 - row)
}

fn random_game(random: &mut SplitMix, mut visit: impl FnMut(&Position)) {
    let mut pos = Position::start();
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
/// would be decided by a line are kept, the others are rarer and all kept.
fn late_positions(count: usize, open_cells: usize) -> Vec<Position> {
    let (mut random, mut found) = (SplitMix::new(26), Vec::new());
    while found.len() < count {
        let mut late = Vec::new();
        let mut has_line = false;
        random_game(&mut random, |pos| {
            if pos.open_cells() <= open_cells && pos.result(true).is_none() {
                late.push(*pos);
            }
            has_line |= pos.has_line();
        });
        if !late.is_empty() && (!has_line || random.below(3) == 0) {
            found.push(late[random.below(late.len())]);
        }
    }
    found
}

fn value_of(points: i32) -> Value {
    match points {
        -1 => Value::Loss,
        0 => Value::Draw,
        _ => Value::Win,
    }
}

#[test]
fn moves_and_outcomes_of_random_games_follow_the_rule() {
    let mut random = SplitMix::new(27);
    let (mut by_line, mut by_count, mut drawn) = (0, 0, 0);
    for _ in 0..300 {
        random_game(&mut random, |pos| {
            let fen = pos.fen();
            let library: TixTaxCount = fen.parse().unwrap();
            assert_eq!(library.to_string(), fen);
            let mut expected: Vec<String> = pos.moves().into_iter().map(name).collect();
            let mut found: Vec<String> =
                library.legal_moves().iter().map(ToString::to_string).collect();
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{fen}");
            let outcome = pos.result(true).map(|winner| match winner {
                0 => Outcome::Draw,
                1 => Outcome::Win(Side::P1),
                _ => Outcome::Win(Side::P2),
            });
            assert_eq!(library.outcome(), outcome, "{fen}");
            match outcome {
                Some(Outcome::Win(_)) if pos.has_line() => by_line += 1,
                Some(Outcome::Win(_)) => by_count += 1,
                Some(Outcome::Draw) => drawn += 1,
                None => {}
            }
        });
    }
    assert!(by_line > 50 && by_count > 30 && drawn > 10, "{by_line} {by_count} {drawn}");
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

/// The value that alpha-beta proves.
fn searched<E: Evaluator<TixTaxCount>>(
    searcher: &mut AlphaBeta<TixTaxCount, E>,
    pos: TixTaxCount,
) -> Option<Value> {
    let task = SearchTask::new(Record::new(pos));
    let report = searcher.search(&task, &SearchControl::default(), &mut |_| {});
    report.proven.map(ExactValue::value)
}

#[test]
fn late_values_agree_with_brute_force() {
    let positions = late_positions(400, 9);
    let fens: Vec<String> = positions.iter().map(Position::fen).collect();
    let arguments =
        ["solve", "--game", "tixtax-count", "--file", "-", "--verify", "--memory", "64"];
    let output = run_program(&arguments, fens.join("\n").as_bytes());
    assert_eq!(output.status.code(), Some(0), "{:?}", lines(&output.stderr));
    let answers = lines(&output.stdout);
    assert_eq!(answers.len(), positions.len());

    let net = Net::embedded().unwrap();
    let mut by_net = AlphaBeta::new(net.clone(), 1).unwrap();
    let mut by_hand = AlphaBeta::new(HandcraftedEval::default(), 1).unwrap();
    let mut prover = Prover::new(EvalGuide(net), 16 << 20).unwrap();
    let (mut values, mut changed) = ([0; 3], 0);
    for ((pos, fen), answer) in positions.iter().zip(&fens).zip(answers) {
        let best = pos.negamax(true);
        values[(best + 1) as usize] += 1;
        changed += u32::from(best != pos.negamax(false));
        let expected = value_of(best);
        let words: Vec<&str> = answer.split_whitespace().collect();
        assert_eq!(words[0], expected.to_string(), "solve: {fen}");
        let mv = pos.moves().into_iter().find(|mv| name(*mv) == words[2]).unwrap();
        assert_eq!(-pos.after(mv).negamax(true), best, "solve: {} in {fen}", words[2]);
        let library: TixTaxCount = fen.parse().unwrap();
        assert_eq!(searched(&mut by_net, library), Some(expected), "alpha-beta: {fen}");
        assert_eq!(searched(&mut by_hand, library), Some(expected), "alpha-beta by hand: {fen}");
        let proven = prover.prove(&library, u64::MAX, &mut || false).value();
        assert_eq!(proven, Some(expected), "prover: {fen}");
    }
    assert!(values.iter().all(|count| *count > 40), "losses, draws, wins: {values:?}");
    assert!(changed > 100, "the count decides only {changed}");
}
