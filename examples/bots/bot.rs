//! A bot for ultimate tic-tac-toe that speaks UGI and CodinGame's protocol: `rustc -O bot.rs`.
//!
//! Elo 1824 ± 44 with depth=8, which takes less than 0.1 s a move (docs/bots.md).

use std::time::{Duration, Instant};

// A move is 9 * board + cell: nine small boards of nine cells, each row by row from the top left.
// A set of cells, or of boards, is a number with one bit for each.
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const ALL: u16 = 0o777;
const WIN: i32 = 10_000;
const RESULTS: [&str; 3] = ["p2win", "draw", "p1win"];
const OPTION: &str = "option name UCI_Variant type combo default tixtax var tixtax var tixtax-count";

fn has_line(bits: u16) -> bool {
    LINES.iter().any(|line| bits & line == *line)
}

/// What the lines are worth that a player can still complete.
fn worth(own: u16, blocked: u16) -> i32 {
    let open = LINES.iter().filter(|line| *line & blocked == 0);
    open.map(|line| [1, 3, 9, 0][(line & own).count_ones() as usize]).sum()
}

/// Swaps 9 * board + cell with 9 * row + column.
fn transpose(square: usize) -> usize {
    9 * (square / 27 * 3 + square % 9 / 3) + square / 9 % 3 * 3 + square % 3
}

fn name(mv: usize) -> String {
    format!("{}{}", char::from(b"abcdefghi"[transpose(mv) % 9]), 9 - transpose(mv) / 9)
}

#[derive(Clone, Default)]
struct Position {
    by_count: bool,       // the rule if nobody gets a line of boards: more boards win
    cells: [[u16; 9]; 2], // of each player, in each board
    won: [u16; 2],        // the boards of each player
    closed: u16,          // the boards that are won or full; all of them when the game is over
    player: usize,
    last: Option<usize>, // the last move; its cell names the board to play in
    score: i32,
}

impl Position {
    fn put(&mut self, player: usize, mv: usize) {
        let (board, cell) = (mv / 9, mv % 9);
        self.cells[player][board] |= 1 << cell;
        let (own, other) = (self.cells[player][board], self.cells[1 - player][board]);
        self.won[player] |= u16::from(has_line(own)) << board;
        self.closed |= u16::from(has_line(own) || own | other == ALL) << board;
        self.closed |= u16::from(has_line(self.won[player])) * ALL;
    }

    fn after(&self, mv: usize) -> Position {
        let mut child = Position { player: 1 - self.player, last: Some(mv), ..self.clone() };
        child.put(self.player, mv);
        child.score = child.evaluate();
        child
    }

    fn moves(&self) -> Vec<usize> {
        let target = self.last.map(|mv| mv % 9).filter(|board| self.closed >> board & 1 == 0);
        let boards = target.map_or(ALL ^ self.closed, |board| 1 << board);
        let taken = |board: usize| self.cells[0][board] | self.cells[1][board];
        (0..81).filter(|mv| boards >> (mv / 9) & !taken(mv / 9) >> (mv % 9) & 1 == 1).collect()
    }

    /// Of a finished game: 1 if the first player has won, -1 if the second has, otherwise 0.
    fn winner(&self) -> i32 {
        let count = |won: u16| if self.by_count { won.count_ones() as i32 } else { 0 };
        let [x, o] = self.won.map(|won| if has_line(won) { 10 } else { count(won) });
        (x - o).signum()
    }

    /// The score of the player to move: the worth of lines of cells and, twelvefold, of boards.
    fn evaluate(&self) -> i32 {
        let ([x, o], [x_won, o_won], sign) = (self.cells, self.won, [1, -1][self.player]);
        let boards = worth(x_won, self.closed & !x_won) - worth(o_won, self.closed & !o_won);
        let open = (0..9).filter(|board| self.closed >> board & 1 == 0);
        let cells: i32 = open.map(|b| worth(x[b], o[b]) - worth(o[b], x[b])).sum();
        sign * if self.closed == ALL { WIN * self.winner() } else { 12 * boards + cells }
    }

    /// Alpha-beta. Returns the score of the player to move and the best move, `None` if all moves lose.
    fn search(&self, depth: u32, mut alpha: i32, beta: i32, deadline: Instant) -> (i32, Option<usize>) {
        if depth == 0 || self.closed == ALL || Instant::now() > deadline {
            return (self.score, None);
        }
        // The worst for the opponent first, so that the others are soon refuted.
        let mut children: Vec<Position> = self.moves().into_iter().map(|mv| self.after(mv)).collect();
        children.sort_by_key(|child| child.score);
        let mut best = None;
        for child in children {
            let score = -child.search(depth - 1, -beta, -alpha, deadline).0;
            if score > alpha {
                (alpha, best) = (score, child.last);
            }
            if alpha >= beta {
                break;
            }
        }
        (alpha, best)
    }

    /// Searches deeper and deeper until the time is up or the result is certain.
    fn think(&self, seconds: f64, max_depth: u32) -> (usize, String) {
        let deadline = Instant::now() + Duration::from_secs_f64(seconds);
        let (mut depth, mut score, mut best) = (0, 0, self.moves()[0]);
        while depth < max_depth && score < WIN {
            match self.search(depth + 1, -WIN, WIN, deadline) {
                (found, Some(mv)) if Instant::now() < deadline => (depth, score, best) = (depth + 1, found, mv),
                _ => break, // if every move loses, the last one seemed best
            }
        }
        (best, format!("info depth {depth} score cp {score} pv {}", name(best)))
    }
}

/// Reads `startpos` or `fen F`, and the moves after it.
fn read_position(text: &str, by_count: bool) -> Option<Position> {
    let find = |text: &str| (0..81).find(|mv| name(*mv) == text);
    let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
    let mut position = Position { by_count, ..Position::default() };
    if start != "startpos" {
        let [_, board, mover, _, last] = start.split(' ').collect::<Vec<_>>()[..] else { return None };
        let dots = |text: String, count: usize| text.replace(&count.to_string(), &".".repeat(count));
        for (square, stone) in (1..=9).fold(board.replace('/', ""), dots).chars().take(81).enumerate() {
            if let Some(player) = "xo".find(stone) {
                position.put(player, transpose(square));
            }
        }
        (position.player, position.last) = ("xo".find(mover)?, find(last));
    }
    moves.split_whitespace().try_fold(position, |position, name| {
        find(name).filter(|mv| position.moves().contains(mv)).map(|mv| position.after(mv))
    })
}

fn main() {
    let mut position = Position::default();
    let mut lines = std::io::stdin().lines().filter_map(Result::ok); // skips what is not UTF-8
    while let Some(line) = lines.next() {
        let (command, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match command {
            "ugi" => println!("id name bot.rs\nid author Zermelo\n{OPTION}\nugiok"),
            "isready" => println!("readyok"),
            "setoption" if rest.contains("UCI_Variant") => position.by_count = rest.ends_with("tixtax-count"),
            "position" => match read_position(rest, position.by_count) {
                Some(read) => position = read,
                None => println!("info string error: not a position: {rest}"),
            },
            "query" if rest == "p1turn" => println!("response {}", position.player == 0),
            "query" if rest == "gameover" => println!("response {}", position.closed == ALL),
            "query" if position.closed != ALL => println!("response none"),
            "query" => println!("response {}", RESULTS[(position.winner() + 1) as usize]),
            "go" if position.closed != ALL => {
                let limit = |name: &str| rest.split_once(name)?.1.split(' ').next()?.parse::<f64>().ok();
                let clock = limit(["p1time ", "p2time "][position.player]).unwrap_or(20_000.0);
                let seconds = 0.95 * limit("movetime ").unwrap_or(clock / 20.0) / 1000.0;
                let (mv, info) = position.think(seconds, limit("depth ").unwrap_or(81.0) as u32);
                println!("{info}\nbestmove {}", name(mv));
            }
            "quit" => break,
            // CodinGame: the opponent's move, then the number of legal moves and the moves.
            _ if command.parse::<i32>().is_ok() => {
                if let (Ok(row), Ok(column)) = (command.parse::<usize>(), rest.parse::<usize>()) {
                    position = position.after(transpose(9 * row + column));
                }
                let count = lines.next().and_then(|count| count.trim().parse().ok()).unwrap_or(0);
                lines.by_ref().take(count).for_each(drop);
                position.by_count = true;
                let mv = position.think(0.09, 81).0;
                println!("{} {}", transpose(mv) / 9, transpose(mv) % 9);
                position = position.after(mv);
            }
            _ => {}
        }
    }
}
