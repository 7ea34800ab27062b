//! Notation shared by the games: `nom` parsers and writers of FEN fields, squares and numbers, and
//! sets of squares as bits of a `u64`.

use std::str::FromStr;

use nom::IResult;
use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{anychar, char, digit1, one_of, satisfy};
use nom::combinator::{all_consuming, map_opt, verify};
use nom::multi::{many1, separated_list1};

use crate::printing::plural;
use crate::rules::drawing::SpotContent;
use crate::rules::{FenError, Side};

/// Splits a FEN into its `COUNT` fields.
pub(crate) fn split_fields<'a, const COUNT: usize>(
    fen: &'a str,
    expected: &'static str,
) -> Result<[&'a str; COUNT], FenError> {
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    let found = fields.len();
    fields.try_into().map_err(|_| FenError::Fields { found, expected })
}

pub(crate) fn parse_field<'a, T>(
    field: &'static str,
    text: &'a str,
    expected: &'static str,
    parser: impl Parser<&'a str, Output = T, Error = nom::error::Error<&'a str>>,
) -> Result<T, FenError> {
    all_consuming(parser)
        .parse(text)
        .map(|(_, value)| value)
        .map_err(|_| FenError::unreadable(field, text, expected))
}

/// Parses a decimal number that fits its type.
pub(crate) fn number<T: FromStr>(input: &str) -> IResult<&str, T> {
    map_opt(digit1, |digits: &str| digits.parse().ok()).parse(input)
}

/// Parses a decimal count of any length; those beyond 64 bits become the largest number of 64 bits.
pub(crate) fn saturating_count(input: &str) -> IResult<&str, u64> {
    digit1.map(|digits: &str| digits.parse().unwrap_or(u64::MAX)).parse(input)
}

/// Parses one of two letters: the first for `P1`, the second for `P2`. Upper case is accepted unless
/// the letters differ only in case.
pub(crate) fn side(letters: [char; 2]) -> impl Fn(&str) -> IResult<&str, Side> {
    move |input| {
        map_opt(anychar, |letter: char| {
            let find = |letter| letters.iter().position(|own| *own == letter);
            let index = find(letter).or_else(|| find(letter.to_ascii_lowercase()))?;
            Some(if index == 0 { Side::P1 } else { Side::P2 })
        })
        .parse(input)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Square {
    Empty,
    Stone(Side),
}

impl Square {
    /// A stone of the side for which `has_stone` returns true, or an empty square.
    pub(crate) fn from_stones(has_stone: impl Fn(Side) -> bool) -> Self {
        let side = [Side::P1, Side::P2].into_iter().find(|side| has_stone(*side));
        side.map_or(Self::Empty, Self::Stone)
    }

    pub(crate) fn letter(self, letters: [char; 2]) -> char {
        match self {
            Self::Empty => SpotContent::EMPTY,
            Self::Stone(side) => letters[side.index()],
        }
    }
}

/// The squares of each side as bit sets, numbered in the order they are read; at most 64 squares.
pub(crate) fn stone_sets(ranks: &[Vec<Square>]) -> [u64; 2] {
    let mut sets = [0; 2];
    for (number, square) in ranks.iter().flatten().enumerate() {
        if let Square::Stone(side) = square {
            sets[side.index()] |= 1 << number;
        }
    }
    sets
}

/// The members of a bit set in ascending order.
pub(crate) fn bits(set: u64) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let bit = left.trailing_zeros() as usize;
        left &= left.checked_sub(1)?;
        Some(bit)
    })
}

/// Checks that the numbers of stones fit the side to move in a game where each move of `x` and then
/// `o` adds a stone.
pub(crate) fn check_stone_counts([first, second]: [u32; 2], mover: Side) -> Result<(), FenError> {
    let stones = plural(first, "stone");
    if first != second && first != second + 1 {
        let reason =
            format!("{stones} of x and {second} of o, expected equal numbers or one more of x");
        return Err(FenError::impossible("board", reason));
    }
    if (first == second) != (mover == Side::P1) {
        let reason = format!("{stones} of x and {second} of o: the other side is to move");
        return Err(FenError::impossible("mover", reason));
    }
    Ok(())
}

/// Parses a rank of `width` squares: letters for stones, digits for runs of empty squares.
fn rank<'a>(
    width: usize,
    letters: [char; 2],
) -> impl Parser<&'a str, Output = Vec<Square>, Error = nom::error::Error<&'a str>> {
    let stone = side(letters).map(|side| vec![Square::Stone(side)]);
    let gap = map_opt(one_of("123456789"), |digit| {
        digit.to_digit(10).map(|count| vec![Square::Empty; count as usize])
    });
    verify(many1(alt((gap, stone))).map(|runs| runs.concat()), move |squares: &Vec<Square>| {
        squares.len() == width
    })
}

/// Parses a board of ranks separated by slashes, the top rank first. The error names the rank that
/// is wrong.
pub(crate) fn parse_board(
    text: &str,
    widths: &[usize],
    letters: [char; 2],
    expected: &'static str,
) -> Result<Vec<Vec<Square>>, FenError> {
    const FIELD: &str = "board";
    let not_slash = many1(satisfy(|letter| letter != '/'))
        .map(|letters: Vec<char>| letters.into_iter().collect::<String>());
    let ranks = parse_field(FIELD, text, expected, separated_list1(char('/'), not_slash))?;
    if ranks.len() != widths.len() {
        let reason = format!("{} ranks, expected {}", ranks.len(), widths.len());
        return Err(FenError::impossible(FIELD, reason));
    }
    let read = |(index, (text, width)): (usize, (&String, &usize))| {
        let (_, squares) = all_consuming(rank(*width, letters)).parse(text.as_str()).map_err(
            |_: nom::Err<nom::error::Error<&str>>| {
                let reason = format!(
                    "rank {} is {}, expected {width} squares of '{}', '{}' and digits",
                    widths.len() - index,
                    crate::printing::quote(text),
                    letters[0],
                    letters[1],
                );
                FenError::impossible(FIELD, reason)
            },
        )?;
        Ok(squares)
    };
    ranks.iter().zip(widths).enumerate().map(read).collect()
}

/// Writes a board in the form that [`parse_board`] reads.
pub(crate) fn write_board<'a>(
    ranks: impl Iterator<Item = &'a [Square]>,
    letters: [char; 2],
) -> String {
    let write_rank = |rank: &[Square]| {
        let mut text = String::new();
        for run in rank.chunk_by(|left, right| *left == Square::Empty && *right == Square::Empty) {
            match run[0] {
                Square::Empty => text.push_str(&run.len().to_string()),
                Square::Stone(side) => text.push(letters[side.index()]),
            }
        }
        text
    };
    ranks.map(write_rank).collect::<Vec<_>>().join("/")
}

/// Parses the name of a square on a board of the given size: a file letter, in either case, and a
/// rank digit. Returns file and rank, counted from 0.
pub(crate) fn square(files: usize, ranks: usize) -> impl Fn(&str) -> IResult<&str, (usize, usize)> {
    move |input| {
        let file = file(files);
        let rank = map_opt(anychar, |digit: char| {
            let rank = (digit as usize).checked_sub('1' as usize)?;
            (rank < ranks).then_some(rank)
        });
        (file, rank).parse(input)
    }
}

/// Parses the letter of a file, in either case. Returns the file, counted from 0.
pub(crate) fn file(files: usize) -> impl Fn(&str) -> IResult<&str, usize> {
    move |input| {
        map_opt(anychar, |letter: char| {
            let file = (letter.to_ascii_lowercase() as usize).checked_sub('a' as usize)?;
            (file < files).then_some(file)
        })
        .parse(input)
    }
}

/// The name of a square; file and rank are counted from 0.
pub(crate) fn square_name(file: usize, rank: usize) -> String {
    let letter = char::from(b'a' + file as u8);
    format!("{letter}{}", rank + 1)
}
