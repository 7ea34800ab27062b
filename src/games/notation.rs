//! Pieces of notation that the games share, as `nom` parsers, and the error that names a field.

use std::str::FromStr;

use nom::IResult;
use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{anychar, char, digit1, one_of, satisfy};
use nom::combinator::{all_consuming, map_opt, verify};
use nom::multi::{many1, separated_list1};

use crate::rules::drawing::SpotContent;
use crate::rules::{FenError, Side};

/// Splits a FEN into its fields, of which there must be `COUNT`.
pub(crate) fn fields<'a, const COUNT: usize>(
    fen: &'a str,
    expected: &'static str,
) -> Result<[&'a str; COUNT], FenError> {
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    let found = fields.len();
    fields.try_into().map_err(|_| FenError::Fields { found, expected })
}

/// Runs a parser over all of a field.
pub(crate) fn whole<'a, T>(
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

/// A decimal number that fits its type.
pub(crate) fn number<T: FromStr>(input: &str) -> IResult<&str, T> {
    map_opt(digit1, |digits: &str| digits.parse().ok()).parse(input)
}

/// One of two letters: the first for `P1`, the second for `P2`. Where the case does not tell them
/// apart, upper case is read too.
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

/// What stands on a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Square {
    Empty,
    Stone(Side),
}

impl Square {
    /// The square on which those sides stand for which `stands` is true: one at most.
    pub(crate) fn of(stands: impl Fn(Side) -> bool) -> Self {
        let side = [Side::P1, Side::P2].into_iter().find(|side| stands(*side));
        side.map_or(Self::Empty, Self::Stone)
    }

    /// As diagrams show it.
    pub(crate) fn letter(self, letters: [char; 2]) -> char {
        match self {
            Self::Empty => SpotContent::EMPTY,
            Self::Stone(side) => letters[side.index()],
        }
    }
}

/// The squares on which each side stands, as sets of their numbers in the order they are read.
pub(crate) fn stone_sets(ranks: &[Vec<Square>]) -> [u16; 2] {
    let mut sets = [0; 2];
    for (number, square) in ranks.iter().flatten().enumerate() {
        if let Square::Stone(side) = square {
            sets[side.index()] |= 1 << number;
        }
    }
    sets
}

/// Checks that the counts of stones fit a game in which `x` began and the sides took turns, and
/// that they fit the mover.
pub(crate) fn check_turn([first, second]: [u32; 2], mover: Side) -> Result<(), FenError> {
    if first != second && first != second + 1 {
        let reason = format!("{first} stones of x and {second} of o, x moves first in turn");
        return Err(FenError::impossible("board", reason));
    }
    if (first == second) != (mover == Side::P1) {
        let reason = format!("{first} stones of x and {second} of o: the other side is to move");
        return Err(FenError::impossible("mover", reason));
    }
    Ok(())
}

/// One rank of `width` squares: the letters of the two sides, and digits that count empty squares.
pub(crate) fn rank<'a>(
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

/// A board of ranks parted by slashes, the top rank first. A rank that does not fit is named by
/// its number.
pub(crate) fn board(
    text: &str,
    widths: &[usize],
    letters: [char; 2],
    expected: &'static str,
) -> Result<Vec<Vec<Square>>, FenError> {
    const FIELD: &str = "board";
    let not_slash = many1(satisfy(|letter| letter != '/'))
        .map(|letters: Vec<char>| letters.into_iter().collect::<String>());
    let ranks = whole(FIELD, text, expected, separated_list1(char('/'), not_slash))?;
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
                    crate::rules::quote(text),
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

/// Writes ranks in FEN form: letters for stones, digits for runs of empty squares.
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

/// A square's name: a file letter from `a` and a rank digit from 1, both below the given sizes;
/// the result counts from 0. Upper-case files are read too.
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

/// The letter of a file, counted from 0.
pub(crate) fn file(files: usize) -> impl Fn(&str) -> IResult<&str, usize> {
    move |input| {
        map_opt(anychar, |letter: char| {
            let file = (letter.to_ascii_lowercase() as usize).checked_sub('a' as usize)?;
            (file < files).then_some(file)
        })
        .parse(input)
    }
}

/// The name of a square given by file and rank, both counted from 0.
pub(crate) fn square_name(file: usize, rank: usize) -> String {
    let letter = char::from(b'a' + file as u8);
    format!("{letter}{}", rank + 1)
}
