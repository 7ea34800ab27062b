//! CodinGame's protocol for ultimate tic-tac-toe: squares as row and column, the turns that a bot
//! reads and the answers it sends.
//!
//! A turn is a line with the opponent's move (`-1 -1` if the bot begins), a line with the number of
//! legal moves, and a line for each of them. The answer is one line; words behind the move are a
//! message. There is no handshake and no `quit`.

use std::fmt::{self, Write};
use std::io::{self, BufRead};

use super::tokens::all_words;
use super::{LineReader, RawLine};
use crate::printing::quote;

/// The contest's time limits of the first turn of a game and of each later one, in milliseconds.
pub const TURN_LIMITS_MS: [u64; 2] = [1000, 100];

/// The rows and columns of the board.
pub const BOARD_SIZE: u8 = 9;

/// A square: its row from the top and its column from the left, both from 0. `Display` writes
/// `ROW COL`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowColumn {
    pub row: u8,
    pub column: u8,
}

impl fmt::Display for RowColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.row, self.column)
    }
}

impl RowColumn {
    fn on_board((row, column): (i64, i64)) -> Option<Self> {
        let fits = |number: i64| u8::try_from(number).ok().filter(|number| *number < BOARD_SIZE);
        Some(Self { row: fits(row)?, column: fits(column)? })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BotAnswer {
    Square(RowColumn),
    /// Two numbers that are not a square of the board.
    OffBoard(i64, i64),
}

/// Parses the answer of a bot: two numbers and any text behind them. Returns `None` if the line does
/// not start with two numbers.
#[must_use]
pub fn parse_answer(line: &str) -> Option<BotAnswer> {
    let numbers = pair(all_words(line).get(..2)?)?;
    let square = RowColumn::on_board(numbers);
    Some(square.map_or(BotAnswer::OffBoard(numbers.0, numbers.1), BotAnswer::Square))
}

/// Formats a turn, without its last line break.
#[must_use]
pub fn turn_text(opponent: Option<RowColumn>, legal: &[RowColumn]) -> String {
    let mut text = opponent.map_or_else(|| "-1 -1".to_owned(), |square| square.to_string());
    let _ = write!(text, "\n{}", legal.len());
    for square in legal {
        let _ = write!(text, "\n{square}");
    }
    text
}

/// A place in the input: the turn and the line, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputPlace {
    pub turn: u32,
    pub line: u64,
}

impl fmt::Display for InputPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "turn {}, line {}", self.turn, self.line)
    }
}

/// Why a turn cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TurnError {
    #[error("{place}: unexpected {}, expected {expected}", quote(found))]
    Unexpected { place: InputPlace, found: String, expected: String },
    #[error("{place}: unexpected end of input, expected {expected}")]
    EndOfInput { place: InputPlace, expected: String },
    #[error(transparent)]
    Io(#[from] io::Error),
}

#[derive(Debug)]
pub struct TurnReader<R> {
    lines: LineReader<R>,
    place: InputPlace,
}

impl<R: BufRead> TurnReader<R> {
    pub fn new(input: R) -> Self {
        Self { lines: LineReader::new(input), place: InputPlace { turn: 0, line: 0 } }
    }

    /// The place of the last line read.
    #[must_use]
    pub fn place(&self) -> InputPlace {
        self.place
    }

    /// Reads the first line of a turn, the opponent's move; `None` if the bot begins.
    ///
    /// # Errors
    /// Fails if the line is missing or malformed, or says in a later turn that the bot begins.
    pub fn opponent_move(&mut self) -> Result<Option<RowColumn>, TurnError> {
        self.place.turn += 1;
        let expected = match self.place.turn {
            1 => "the opponent's move as ROW COL, each from 0 to 8, or -1 -1 if there is none yet",
            _ => "the opponent's move as ROW COL, each from 0 to 8",
        };
        let is_first = self.place.turn == 1;
        self.parse_line(expected.to_owned(), |words| match pair(words)? {
            (-1, -1) if is_first => Some(None),
            numbers => RowColumn::on_board(numbers).map(Some),
        })
    }

    /// Reads the rest of a turn, the list of legal moves.
    ///
    /// # Errors
    /// Fails if the list is incomplete or malformed.
    pub fn legal_moves(&mut self) -> Result<Vec<RowColumn>, TurnError> {
        let max = i64::from(BOARD_SIZE) * i64::from(BOARD_SIZE);
        let expected = format!("the number of legal moves, from 0 to {max}");
        let count = self.parse_line(expected, |words| match words {
            [count] => number(count).filter(|count| (0..=max).contains(count)),
            _ => None,
        })?;
        (1..=count)
            .map(|position| {
                let last = BOARD_SIZE - 1;
                let expected =
                    format!("legal move {position} of {count} as ROW COL, each from 0 to {last}");
                self.parse_line(expected, |words| RowColumn::on_board(pair(words)?))
            })
            .collect()
    }

    /// Reads a line whose words `parse` accepts. Skips blank lines.
    fn parse_line<T>(
        &mut self,
        expected: String,
        parse: impl FnOnce(&[&str]) -> Option<T>,
    ) -> Result<T, TurnError> {
        loop {
            self.place.line += 1;
            let place = self.place;
            let Some(line) = self.lines.next_line()? else {
                return Err(TurnError::EndOfInput { place, expected });
            };
            let (bytes, is_complete) = match line {
                RawLine::Complete(bytes) => (bytes, true),
                RawLine::Truncated(bytes) => (bytes, false),
            };
            let line = String::from_utf8_lossy(bytes);
            if is_complete && line.trim_ascii().is_empty() {
                continue;
            }
            let parsed = if is_complete { parse(&all_words(&line)) } else { None };
            return parsed.ok_or_else(|| TurnError::Unexpected {
                place,
                found: line.into_owned(),
                expected,
            });
        }
    }
}

fn pair(words: &[&str]) -> Option<(i64, i64)> {
    let [row, column] = words else { return None };
    Some((number(row)?, number(column)?))
}

fn number(word: &str) -> Option<i64> {
    word.parse().ok().filter(|_| !word.starts_with('+'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(row: u8, column: u8) -> RowColumn {
        RowColumn { row, column }
    }

    /// Reads all turns and returns the error that ends them.
    fn error_of(input: &str) -> String {
        let mut turns = TurnReader::new(input.as_bytes());
        loop {
            let turn = turns.opponent_move().and_then(|_| turns.legal_moves());
            if let Err(error) = turn {
                return error.to_string();
            }
        }
    }

    #[test]
    fn turns_are_read_as_they_are_written() {
        let legal = [square(0, 0), square(8, 3)];
        let (first, second) = (turn_text(None, &legal), turn_text(Some(square(4, 7)), &[]));
        assert_eq!(first, "-1 -1\n2\n0 0\n8 3");
        let input = format!("{first}\r\n{second}");
        let mut turns = TurnReader::new(input.as_bytes());
        assert_eq!(turns.opponent_move().unwrap(), None);
        assert_eq!(turns.legal_moves().unwrap(), legal);
        assert_eq!(turns.opponent_move().unwrap(), Some(square(4, 7)));
        assert_eq!(turns.legal_moves().unwrap(), []);
        assert_eq!(turns.place(), InputPlace { turn: 2, line: 6 });
    }

    #[test]
    fn bad_turns_are_refused_with_their_place() {
        for (input, error) in [
            ("", "turn 1, line 1: unexpected end of input, expected the opponent's move as ROW"),
            ("4\n", "turn 1, line 1: unexpected \"4\", expected the opponent's move as ROW COL"),
            ("4 9\n", "turn 1, line 1: unexpected \"4 9\""),
            ("-1 0\n", "turn 1, line 1: unexpected \"-1 0\""),
            ("4 4 4\n", "turn 1, line 1: unexpected \"4 4 4\""),
            ("e5\n", "turn 1, line 1: unexpected \"e5\""),
            ("4 4\nx\n", "turn 1, line 2: unexpected \"x\", expected the number of legal moves"),
            ("4 4\n-1\n", "expected the number of legal moves, from 0 to 81"),
            ("4 4\n82\n", "turn 1, line 2: unexpected \"82\""),
            ("4 4\n", "turn 1, line 2: unexpected end of input, expected the number of legal"),
            (
                "4 4\n2\n3 3\n",
                "turn 1, line 4: unexpected end of input, expected legal move 2 of 2",
            ),
            ("4 4\n2\n3 3\n9\n", "turn 1, line 4: unexpected \"9\", expected legal move 2 of 2 as"),
            ("4 4\n\n1\n3 3\n\n", "turn 2, line 6: unexpected end of input, expected the opponent"),
            ("4 4\n1\n3 3\n-1 -1\n", "turn 2, line 4: unexpected \"-1 -1\""),
        ] {
            let found = error_of(input);
            assert!(found.contains(error), "{input:?}: {found}");
        }
    }

    #[test]
    fn answers_may_carry_a_message() {
        for line in ["4 7", " 4  7 ", "4 7 D12 E0.25 N81033", "4 7\tthinking", "4 7 8"] {
            assert_eq!(parse_answer(line), Some(BotAnswer::Square(square(4, 7))), "{line:?}");
        }
        assert_eq!(parse_answer("4 9"), Some(BotAnswer::OffBoard(4, 9)));
        assert_eq!(parse_answer("-1 -1 pass"), Some(BotAnswer::OffBoard(-1, -1)));
        for line in ["", "4", "hello", "e5", "4,7", "4 7;", "4.0 7", "bestmove e5", "4 x"] {
            assert_eq!(parse_answer(line), None, "{line:?}");
        }
    }
}
