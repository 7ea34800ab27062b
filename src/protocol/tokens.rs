//! Parsers for words and numbers that remember where they failed.

use std::str::FromStr;

use nom::bytes::complete::take_while1;
use nom::character::complete::space0;
use nom::error::ErrorKind;
use nom::sequence::preceded;
use nom::{IResult, Parser};

use super::ProtocolError;

/// Why a parser failed: the rest of the line at that place, and what it wanted there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ParseFault<'a> {
    pub rest: &'a str,
    pub cause: FaultCause,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum FaultCause {
    Expected(&'static str),
    Twice,
}

impl<'a> nom::error::ParseError<&'a str> for ParseFault<'a> {
    fn from_error_kind(rest: &'a str, _: ErrorKind) -> Self {
        Self { rest, cause: FaultCause::Expected("a word") }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

pub(super) type ParseResult<'a, T> = IResult<&'a str, T, ParseFault<'a>>;

pub(super) fn failure<T>(rest: &str, cause: FaultCause) -> ParseResult<'_, T> {
    Err(nom::Err::Failure(ParseFault { rest, cause }))
}

/// What parts words. Other white space does not: a word that holds some is a wrong word.
pub(super) const BLANKS: [char; 2] = [' ', '\t'];

/// The next word, which must be there.
pub(super) fn word<'a>(input: &'a str, expected: &'static str) -> ParseResult<'a, &'a str> {
    let mut parser = preceded(space0, take_while1(|letter: char| !BLANKS.contains(&letter)));
    parser
        .parse(input)
        .or_else(|_: nom::Err<ParseFault<'a>>| failure(input, FaultCause::Expected(expected)))
}

/// The next word, if there is one.
pub(super) fn any_word(input: &str) -> Option<(&str, &str)> {
    word(input, "").ok()
}

/// The next word as a number, which must fit its type and pass a test.
pub(super) fn number<'a, T: FromStr>(
    input: &'a str,
    expected: &'static str,
    fits: impl Fn(&T) -> bool,
) -> ParseResult<'a, T> {
    let (rest, text) = word(input, expected)?;
    let plain = text.strip_prefix('-').unwrap_or(text).bytes().all(|byte| byte.is_ascii_digit());
    match text.parse().ok().filter(|number| plain && fits(number)) {
        Some(number) => Ok((rest, number)),
        None => failure(input, FaultCause::Expected(expected)),
    }
}

/// All words to the end of the line.
pub(super) fn all_words(input: &str) -> Vec<&str> {
    input.split(BLANKS).filter(|word| !word.is_empty()).collect()
}

/// Nothing more may follow.
pub(super) fn end<T>(input: &str, value: T) -> ParseResult<'_, T> {
    match any_word(input) {
        None => Ok(("", value)),
        Some(_) => failure(input, FaultCause::Expected("the end of the line")),
    }
}

/// The error that tells about a fault: the word at the place where the parser failed, and the word
/// before it. The place is found by address, since the parser may have looked at a part of the
/// line only.
pub(super) fn describe(line: &str, fault: &ParseFault<'_>) -> ProtocolError {
    let place = (fault.rest.as_ptr() as usize).wrapping_sub(line.as_ptr() as usize);
    let (before, behind) = line.split_at_checked(place).unwrap_or((line, ""));
    let after = all_words(before).last().copied().unwrap_or_default().to_owned();
    match (fault.cause.clone(), any_word(behind)) {
        (FaultCause::Twice, _) => ProtocolError::Twice(after),
        (FaultCause::Expected(expected), None) => ProtocolError::Missing { after, expected },
        (FaultCause::Expected(expected), Some((_, found))) => {
            ProtocolError::Wrong { found: found.to_owned(), after, expected }
        }
    }
}
