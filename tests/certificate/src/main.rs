//! Checks a certificate that `zermelo solve` wrote, by its own rules of ultimate tic-tac-toe.
//! docs/certificates.md describes the format and why a wrong certificate cannot pass.

use std::collections::HashMap;
use std::fs::File;
use std::hash::{BuildHasher, Hash, RandomState};
use std::io::{BufReader, Read, Write};

/// The nine cells of a board, numbered row by row from the top left, as a set of bits.
const FULL: u16 = 511;
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
/// Marks a choice among all open boards, so that it differs from being sent to the only one.
const FREE: u16 = 512;
/// The prime modulo which hashes are added up.
const PRIME: u128 = (1 << 61) - 1;
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

/// A position, as far as the rest of the game depends on it.
#[derive(Clone, Copy)]
pub(crate) struct Position {
    /// Whether a won board is played on until it is full.
    open: bool,
    /// Whether the player with more boards wins if nobody has a line.
    count: bool,
    /// The stones of each player on each board that is not closed.
    stones: [[u16; 9]; 2],
    won: [u16; 2],
    closed: u16,
    /// The boards the player to move may choose, with `FREE` if no board is named.
    choice: u16,
    mover: usize,
}

impl Position {
    fn empty(&self, board: usize) -> u16 {
        FULL & !(self.stones[0][board] | self.stones[1][board])
    }

    /// The legal moves in the order of certificates, each a board and a cell.
    pub(crate) fn moves(&self) -> impl Iterator<Item = (usize, usize)> {
        bits(self.choice).flat_map(|board| bits(self.empty(board)).map(move |cell| (board, cell)))
    }

    fn after(mut self, (board, cell): (usize, usize)) -> Self {
        self.stones[self.mover][board] |= 1 << cell;
        let is_won = (self.won[0] | self.won[1]) >> board & 1 == 1;
        if !is_won && has_line(self.stones[self.mover][board]) {
            self.won[self.mover] |= 1 << board;
        }
        self.close(board);
        self.choose(Some(cell));
        self.mover ^= 1;
        self
    }

    /// Closes a board if it is full, or won unless won boards are played on.
    fn close(&mut self, board: usize) {
        let is_won = (self.won[0] | self.won[1]) >> board & 1 == 1;
        if is_won && !self.open || self.empty(board) == 0 {
            self.closed |= 1 << board;
            self.stones.iter_mut().for_each(|stones| stones[board] = 0);
        }
    }

    /// Sends the player to move to a board, or leaves the choice if none is named or it is closed.
    fn choose(&mut self, board: Option<usize>) {
        let open = FULL & !self.closed;
        let forced = board.map(|board| 1 << board).filter(|forced| open & forced != 0);
        self.choice = forced.unwrap_or(open | FREE);
    }

    /// The boards that a player has won or can still win.
    fn winnable(&self, player: usize) -> u16 {
        let can_win = |board: &usize| has_line(FULL & !self.stones[player ^ 1][*board]);
        let open = bits(FULL & !(self.closed | self.won[player ^ 1])).filter(can_win);
        open.fold(self.won[player], |all, board| all | 1 << board)
    }

    /// Whether a player wins, or at least draws if not `win`, in a game that is over.
    pub(crate) fn final_result(&self, player: usize, win: bool) -> Option<bool> {
        let [own, other] = [self.won[player], self.won[player ^ 1]];
        if has_line(own) || has_line(other) {
            return Some(has_line(own));
        }
        let lead = if self.count { own.count_ones() as i32 - other.count_ones() as i32 } else { 0 };
        (self.closed == FULL).then_some(lead > 0 || lead == 0 && !win)
    }

    /// Whether a player wins, or at least draws if not `win`, where the rules decide it.
    fn result(&self, player: usize, win: bool) -> Option<bool> {
        if let Some(result) = self.final_result(player, win) {
            return Some(result);
        }
        let (own, winnable) = (self.won[player], self.winnable(player ^ 1));
        // The most boards the opponent can win beyond those the player has already.
        let lead = winnable.count_ones() as i32 - own.count_ones() as i32;
        let is_safe = !has_line(winnable)
            && if win { self.count && lead < 0 } else { !self.count || lead <= 0 };
        let may_win = || {
            let completes = bits(self.choice).any(|board| has_line(own | 1 << board));
            completes || self.count && self.closed.count_ones() == 8
        };
        let wins = |mv| self.after(mv).final_result(player, true) == Some(true);
        let wins_at_once = self.mover == player && may_win() && self.moves().any(wins);
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
        let [x, o] = self.won.map(u16::count_ones);
        let lead = if self.count { 9 + x - o } else { 0 };
        (cells, boards, self.closed, won & !self.closed, self.choice, self.mover, lead)
    }

    /// Reads the canonical FEN of a position that the rules allow, and no other text.
    pub(crate) fn parse(rule: &str, fen: &str) -> Option<Self> {
        let rule = ["tixtax", "tixtax-open", "tixtax-count"].iter().position(|id| *id == rule)?;
        let (open, count) = (rule == 1, rule == 2);
        let mut fields: Vec<&str> = fen.split(' ').collect();
        let owners = if open { fields.pop()? } else { "" };
        let [board, mover, number, last] = fields[..] else { return None };
        let spread = (1..10)
            .fold(board.to_owned(), |text, run| text.replace(&run.to_string(), &".".repeat(run)));
        let packed = (1..10)
            .rev()
            .fold(spread.clone(), |text, run| text.replace(&".".repeat(run), &run.to_string()));
        let rows: Vec<&[u8]> = spread.split('/').map(str::as_bytes).collect();
        let is_row = |row: &&[u8]| row.len() == 9 && row.iter().all(|cell| b".xo".contains(cell));
        if packed != board || rows.len() != 9 || !rows.iter().all(is_row) {
            return None;
        }
        let cell =
            |board: usize, cell: usize| rows[board / 3 * 3 + cell / 3][board % 3 * 3 + cell % 3];
        let stones = [b'x', b'o'].map(|player| {
            let cells = |board| (0..9).filter(move |index| cell(board, *index) == player);
            std::array::from_fn(|board| cells(board).fold(0, |set, index| set | 1 << index))
        });
        let mover = ["x", "o"].iter().position(|letter| *letter == mover)?;
        let counts = stones.map(|boards: [u16; 9]| boards.map(u16::count_ones).iter().sum::<u32>());
        let is_counted = counts[0] == counts[1] + mover as u32;
        let mut pos = Self { open, count, stones, won: [0; 2], closed: 0, choice: 0, mover };
        for board in 0..9 {
            let letter = owners.as_bytes().get(board).copied();
            let owner = match stones.map(|stones| has_line(stones[board])) {
                [true, true] => [b'X', b'O'].iter().position(|owner| Some(*owner) == letter)?,
                [x, o] => [x, o].iter().position(|has_line| *has_line).unwrap_or(2),
            };
            let full = if pos.empty(board) == 0 { b'#' } else { b'.' };
            if open && letter != Some([b'X', b'O', full][owner]) {
                return None;
            }
            pos.won.iter_mut().skip(owner).take(1).for_each(|won| *won |= 1 << board);
            pos.close(board);
        }
        pos.choose(None);
        if last != "-" {
            let &[file, rank] = last.as_bytes() else { return None };
            let (column, row) = (file.checked_sub(b'a')?.into(), b'9'.checked_sub(rank)?.into());
            let is_opponents = *rows.get::<usize>(row)?.get::<usize>(column)? == b"ox"[mover];
            pos.choose(is_opponents.then_some(row % 3 * 3 + column % 3));
        }
        let is_possible =
            is_counted && !has_line(pos.won[mover]) && owners.len() == if open { 9 } else { 0 };
        let is_written = number == (counts[1] + 1).to_string();
        (is_possible && is_written && (last == "-") == (pos.choice & FREE != 0)).then_some(pos)
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
    hashers: [RandomState; 2],
    /// For each class: two hashes of the positions referred to, minus those of the positions written
    /// out, each as often as it may be referred to, modulo the prime.
    balances: Vec<[u128; 2]>,
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
        let is_decided = next.result(self.player, self.win).is_some();
        if byte & 128 != 0 {
            self.balance(&next, 1);
            let error = "a reference leads to a position that the rules decide";
            return if is_decided { Err(error) } else { Ok(()) };
        } else if !is_decided {
            let count = self.read()?;
            self.balance(&next, -i64::from(count));
        }
        self.prove(&next)
    }

    fn balance(&mut self, pos: &Position, weight: i64) {
        if weight != 0 {
            let shape = (pos.shape(), self.player);
            let hashes = [0, 1].map(|index: usize| self.hashers[index].hash_one(&shape));
            let (hash, class) = (hashes[0], hashes[0] as usize % CLASSES);
            let factor = (PRIME as i128 + i128::from(weight)) as u128;
            for (sum, hash) in self.balances[class].iter_mut().zip(hashes) {
                *sum = (*sum + factor % PRIME * (u128::from(hash) % PRIME)) % PRIME;
            }
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
        let claim = title.strip_suffix('\n').and_then(|t| t.strip_prefix("zermelo certificate 1 "));
        let claim = claim.ok_or("not a certificate of version 1")?;
        if !claim.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return Err("the claim has bytes other than printable ASCII");
        }
        let fields: Vec<&str> = claim.splitn(4, ' ').collect();
        let [rule, lower, upper, fen] = fields[..] else { return Err("the claim is too short") };
        let value = |name| ["loss", "draw", "win"].iter().position(|value| *value == name);
        let parsed = (value(lower), value(upper), Position::parse(rule, fen));
        let (Some(lower), Some(upper), Some(pos)) = parsed else {
            return Err("the claim has an unknown rule or value, or not the canonical FEN");
        };
        if lower > upper {
            return Err("the claim has a lower bound above the upper bound");
        }
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

/// Checks a certificate; returns its claim and the number of positions visited, 0 if it claims nothing.
pub(crate) fn check(path: &str) -> Result<(String, u64), String> {
    let (hashers, mut suspect) = ([RandomState::new(), RandomState::new()], CLASSES);
    loop {
        let file = Some(BufReader::new(File::open(path).map_err(|error| error.to_string())?));
        let (balances, hashers) = (vec![[0; 2]; CLASSES], hashers.clone());
        let mut checker = Checker { file, hashers, balances, suspect, ..Checker::default() };
        let claim = checker.check().map_err(|error| format!("byte {}: {error}", checker.offset))?;
        if let Some((sum, offset)) = checker.suspects.values().find(|(sum, _)| *sum != 0) {
            return Err(format!("byte {offset}: {sum} references more than the count says"));
        }
        match checker.balances.iter().position(|balance| *balance != [0; 2]) {
            None => return Ok((claim, checker.positions)),
            Some(class) => suspect = class,
        }
    }
}

fn main() -> Result<(), String> {
    let path = std::env::args().nth(1).filter(|path| std::path::Path::new(path).is_file());
    let usage = "usage: zermelo-certificate FILE, which must exist and be no pipe";
    let (claim, positions) = check(&path.ok_or(usage)?)?;
    let verdict = if positions > 0 { "proven" } else { "vacuous" };
    let written = writeln!(std::io::stdout(), "{verdict}: {claim} ({positions} positions)");
    written.map_err(|error| format!("stdout: {error}"))
}
