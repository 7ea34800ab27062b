//! Checks a certificate that `zermelo solve` wrote, by its own rules of ultimate tic-tac-toe.
//! docs/certificates.md describes the format and why a wrong certificate cannot pass.

use std::collections::HashMap;
use std::fs::File;
use std::hash::{BuildHasher, Hash, RandomState};
use std::io::{BufReader, Read};

/// The nine cells of a board, numbered row by row from the top left, as a set of bits.
const FULL: u16 = 511;
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
/// The number of classes into which hashes are divided, to find out which position is wrong.
const CLASSES: usize = 1 << 12;

/// The cells of the complete lines of a set.
fn in_lines(cells: u16) -> u16 {
    LINES.iter().filter(|line| cells & **line == **line).fold(0, |all, line| all | line)
}

fn has_line(cells: u16) -> bool {
    LINES.iter().any(|line| cells & line == *line)
}

fn bits(set: u16) -> impl Iterator<Item = usize> {
    (0..9).filter(move |bit| set >> bit & 1 == 1)
}

#[derive(Clone, Copy)]
struct Position {
    /// Whether a won board is played on until it is full.
    open: bool,
    /// The stones of each player on each board that is not closed.
    stones: [[u16; 9]; 2],
    won: [u16; 2],
    closed: u16,
    /// The boards the player to move may choose.
    choice: u16,
    mover: usize,
}

impl Position {
    fn empty(&self, board: usize) -> u16 {
        FULL & !(self.stones[0][board] | self.stones[1][board])
    }

    /// The legal moves in the order of certificates, each a board and a cell.
    fn moves(&self) -> impl Iterator<Item = (usize, usize)> {
        bits(self.choice).flat_map(|board| bits(self.empty(board)).map(move |cell| (board, cell)))
    }

    fn after(mut self, (board, cell): (usize, usize)) -> Self {
        self.stones[self.mover][board] |= 1 << cell;
        self.settle(board, self.mover);
        self.choose(cell);
        self.mover ^= 1;
        self
    }

    /// Wins and closes a board if a player's stones do.
    fn settle(&mut self, board: usize, player: usize) {
        let is_won = self.won.iter().any(|won| won >> board & 1 == 1);
        let wins = !is_won && has_line(self.stones[player][board]);
        self.won[player] |= u16::from(wins) << board;
        if wins && !self.open || self.empty(board) == 0 {
            self.closed |= 1 << board;
            self.stones.iter_mut().for_each(|stones| stones[board] = 0);
        }
    }

    /// Sends the player to move to a board, or leaves the choice if it is closed.
    fn choose(&mut self, board: usize) {
        let open = FULL & !self.closed;
        self.choice = if open >> board & 1 == 1 { 1 << board } else { open };
    }

    /// The boards that a player has won or can still win.
    fn winnable(&self, player: usize) -> u16 {
        let can_win = |board: &usize| has_line(FULL & !self.stones[player ^ 1][*board]);
        let open = bits(FULL & !(self.closed | self.won[player ^ 1])).filter(can_win);
        open.fold(self.won[player], |all, board| all | 1 << board)
    }

    /// Whether a player wins, or at least draws if not `win`, where the rules decide it.
    fn result(&self, player: usize, win: bool) -> Option<bool> {
        let [own, other] = [self.won[player], self.won[player ^ 1]];
        if has_line(own) || has_line(other) {
            return Some(has_line(own));
        } else if self.closed == FULL {
            return Some(!win);
        }
        let is_safe = !win && !has_line(self.winnable(player ^ 1));
        let can_win = || bits(self.choice).any(|board| has_line(own | 1 << board));
        let wins = |mv| has_line(self.after(mv).won[player]);
        let wins_at_once = self.mover == player && can_win() && self.moves().any(wins);
        (is_safe || wins_at_once).then_some(true)
    }

    /// What the rest of the game depends on: of a stone or won board, only the place it takes if it is
    /// on no line that its owner can complete.
    fn shape(&self) -> impl Hash {
        let won = self.won[0] | self.won[1];
        let boards = [0, 1].map(|player| self.won[player] & in_lines(self.winnable(player)));
        let cells: [_; 9] = std::array::from_fn(|board| {
            let [x, o] = self.stones.map(|stones| stones[board]);
            let undecided = if won >> board & 1 == 1 { 0 } else { FULL };
            [x | o, x & in_lines(undecided & !o), o & in_lines(undecided & !x)]
        });
        (cells, boards, self.closed, won & !self.closed, self.choice, self.mover)
    }

    fn parse(rule: &str, fen: &str) -> Option<Self> {
        let open = ["tixtax", "tixtax-open"].iter().position(|id| *id == rule)? == 1;
        let fields: Vec<&str> = fen.split(' ').collect();
        let mover = "xo".find(fields.get(1)?)?;
        let mut pos = Self { open, stones: [[0; 9]; 2], won: [0; 2], closed: 0, choice: 0, mover };
        let (mut row, mut column) = (0, 0);
        for letter in fields[0].chars() {
            if let Some(player) = "xo".find(letter) {
                let board = pos.stones[player].get_mut(row / 3 * 3 + column / 3)?;
                *board |= 1 << (row % 3 * 3 + column % 3);
            }
            column += if letter == '/' { 0 } else { letter.to_digit(10).unwrap_or(1) as usize };
            (row, column) = (row + column / 9, column % 9);
        }
        for board in 0..9 {
            let owner = fields.get(4).and_then(|owners| "XO".find(owners.get(board..=board)?));
            let has_line = |player: &usize| has_line(pos.stones[*player][board]);
            pos.settle(board, owner.or([0, 1].into_iter().find(has_line)).unwrap_or(0));
        }
        let last = |names: &str, at| Some(names.find(fields.get(3)?.get(at..=at)?)? % 3);
        let sent = last("abcdefghi", 0).zip(last("987654321", 1));
        pos.choose(sent.map_or(9, |(column, row)| 3 * row + column));
        (row == 9).then_some(pos)
    }
}

/// Walks through the proof in a certificate.
#[derive(Default)]
struct Checker {
    file: Option<BufReader<File>>,
    /// The number of bytes read, and their CRC-32 as in PNG.
    offset: u64,
    checksum: u32,
    positions: u64,
    /// The player who wins, or at least draws if not `win`.
    player: usize,
    win: bool,
    hasher: RandomState,
    /// For each class: the hashes of the positions referred to, minus those of the positions written
    /// out, each as often as it may be referred to.
    balances: Vec<i128>,
    /// A class that is not balanced, and for each hash the balance and where it was last changed.
    suspect: usize,
    suspects: HashMap<u64, (i64, u64)>,
}

impl Checker {
    fn read(&mut self) -> Result<u8, &'static str> {
        let (file, mut byte) = (self.file.as_mut().ok_or("no file")?, [0]);
        file.read_exact(&mut byte).map_err(|_| "the file is truncated")?;
        let shift = |sum: u32, _| (sum >> 1) ^ ((sum & 1) * 0xedb8_8320);
        self.checksum = !(0..8).fold(!self.checksum ^ u32::from(byte[0]), shift);
        self.offset += 1;
        Ok(byte[0])
    }

    fn prove(&mut self, pos: &Position) -> Result<(), &'static str> {
        self.positions += 1;
        match pos.result(self.player, self.win) {
            Some(true) => Ok(()),
            Some(false) => Err("the game ends with another result"),
            None if pos.mover == self.player => self.follow_answer(pos),
            None => pos.moves().try_for_each(|mv| self.prove(&pos.after(mv))),
        }
    }

    fn follow_answer(&mut self, pos: &Position) -> Result<(), &'static str> {
        let byte = self.read()?;
        let mv = pos.moves().nth(usize::from(byte & 127)).ok_or("the answer is no legal move")?;
        let next = pos.after(mv);
        if byte & 128 != 0 {
            self.balance(&next, 1);
            return Ok(());
        } else if next.result(self.player, self.win).is_none() {
            let count = self.read()?;
            self.balance(&next, -i64::from(count));
        }
        self.prove(&next)
    }

    fn balance(&mut self, pos: &Position, weight: i64) {
        if weight != 0 {
            let hash = self.hasher.hash_one((pos.shape(), self.player));
            let class = hash as usize % CLASSES;
            self.balances[class] += i128::from(weight) * i128::from(hash);
            if class == self.suspect {
                let entry = self.suspects.entry(hash).or_default();
                *entry = (entry.0 + weight, self.offset);
            }
        }
    }

    fn check(&mut self) -> Result<String, &'static str> {
        let mut title = String::new();
        while !title.ends_with('\n') && title.len() < 512 {
            title.push(self.read()?.into());
        }
        let claim = title.trim_end().strip_prefix("zermelo certificate 1 ");
        let claim = claim.ok_or("not a certificate of version 1")?;
        let fields: Vec<&str> = claim.splitn(4, ' ').collect();
        let [rule, lower, upper, fen] = fields[..] else { return Err("the claim is too short") };
        let value = |name| ["loss", "draw", "win"].iter().position(|value| *value == name);
        let parsed = (value(lower), value(upper), Position::parse(rule, fen));
        let (Some(lower), Some(upper), Some(pos)) = parsed else {
            return Err("the claim has an unknown rule, value or position");
        };
        let claims = [(pos.mover, lower), (pos.mover ^ 1, 2 - upper)];
        for (player, target) in claims.into_iter().filter(|claim| claim.1 > 0) {
            (self.player, self.win) = (player, target == 2);
            self.prove(&pos)?;
        }
        (0..4).try_for_each(|_| self.read().map(drop))?;
        // The checksum of data that its own checksum follows is always the same.
        let is_intact = self.checksum == 0x2144_df1c && self.read().is_err();
        is_intact.then(|| claim.to_owned()).ok_or("the proof ends here, but not with its checksum")
    }
}

/// Checks a certificate; returns its claim and the number of positions visited.
pub(crate) fn check(path: &str) -> Result<(String, u64), String> {
    let (hasher, mut suspect) = (RandomState::new(), CLASSES);
    loop {
        let file = Some(BufReader::new(File::open(path).map_err(|error| error.to_string())?));
        let (balances, hasher) = (vec![0; CLASSES], hasher.clone());
        let mut checker = Checker { file, hasher, balances, suspect, ..Checker::default() };
        let claim = checker.check().map_err(|error| format!("byte {}: {error}", checker.offset))?;
        if let Some((sum, offset)) = checker.suspects.values().find(|(sum, _)| *sum != 0) {
            return Err(format!("byte {offset}: {sum} references more than the count says"));
        }
        match checker.balances.iter().position(|balance| *balance != 0) {
            None => return Ok((claim, checker.positions)),
            Some(class) => suspect = class,
        }
    }
}

fn main() -> Result<(), String> {
    let result = check(&std::env::args().nth(1).unwrap_or_default());
    result.map(|(claim, positions)| println!("proven: {claim} ({positions} positions)"))
}
