//! Parsers for words and numbers that record where they failed.

use std::str::FromStr;

use nom::bytes::complete::take_while1;
use nom::character::complete::space0;
use nom::error::ErrorKind;
use nom::sequence::preceded;
use nom::{IResult, Parser};

use super::ProtocolError;

/// A parse failure: the rest of the line at that point, and the cause.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ParseError<'a> {
    pub rest: &'a str,
    pub cause: ParseErrorCause,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum ParseErrorCause {
    Expected(&'static str),
    Duplicate,
    /// The word adjusts a clock that is not given.
    NoClock,
    /// The word is none of these commands.
    UnknownCommand(&'static str),
}

impl<'a> nom::error::ParseError<&'a str> for ParseError<'a> {
    fn from_error_kind(rest: &'a str, _: ErrorKind) -> Self {
        Self { rest, cause: ParseErrorCause::Expected("a word") }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

pub(super) type ParseResult<'a, T> = IResult<&'a str, T, ParseError<'a>>;

pub(super) fn failure<T>(rest: &str, cause: ParseErrorCause) -> ParseResult<'_, T> {
    Err(nom::Err::Failure(ParseError { rest, cause }))
}

/// The characters that separate words. Other white space is part of a word, which is then invalid.
pub(super) const BLANKS: [char; 2] = [' ', '\t'];

pub(super) fn word<'a>(input: &'a str, expected: &'static str) -> ParseResult<'a, &'a str> {
    let mut parser = preceded(space0, take_while1(|letter: char| !BLANKS.contains(&letter)));
    parser
        .parse(input)
        .or_else(|_: nom::Err<ParseError<'a>>| failure(input, ParseErrorCause::Expected(expected)))
}

/// Splits off the next word, if any: the rest of the input and the word.
pub(super) fn next_word(input: &str) -> Option<(&str, &str)> {
    word(input, "").ok()
}

/// Parses the next word as a number that satisfies `is_valid`.
pub(super) fn number<'a, T: FromStr>(
    input: &'a str,
    expected: &'static str,
    is_valid: impl Fn(&T) -> bool,
) -> ParseResult<'a, T> {
    let (rest, text) = word(input, expected)?;
    // Stricter than `FromStr`, which accepts a leading plus sign.
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse().ok().filter(|number| is_plain && is_valid(number)) {
        Some(number) => Ok((rest, number)),
        None => failure(input, ParseErrorCause::Expected(expected)),
    }
}

/// Splits the rest of the line into words.
pub(super) fn all_words(input: &str) -> Vec<&str> {
    input.split(BLANKS).filter(|word| !word.is_empty()).collect()
}

/// Returns `value` if the input is used up, otherwise fails.
pub(super) fn end<T>(input: &str, value: T) -> ParseResult<'_, T> {
    match next_word(input) {
        None => Ok(("", value)),
        Some(_) => failure(input, ParseErrorCause::Expected("the end of the line")),
    }
}

/// Converts to an error that quotes the offending word and the word before it. The position
/// is found by address, because the parser may have been given only a part of the line.
pub(super) fn to_protocol_error(line: &str, error: &ParseError<'_>) -> ProtocolError {
    let offset = (error.rest.as_ptr() as usize).wrapping_sub(line.as_ptr() as usize);
    let (before, rest) = line.split_at_checked(offset).unwrap_or((line, ""));
    let after = all_words(before).last().copied().unwrap_or_default().to_owned();
    let found = next_word(rest).map(|(_, word)| word.to_owned());
    match error.cause {
        ParseErrorCause::Duplicate => ProtocolError::Duplicate(after),
        ParseErrorCause::NoClock => ProtocolError::NoClock(found.unwrap_or_default()),
        ParseErrorCause::UnknownCommand(expected) => {
            ProtocolError::UnknownCommand { found: found.unwrap_or_default(), expected }
        }
        ParseErrorCause::Expected(expected) => match found {
            None => ProtocolError::Missing { after, expected },
            Some(found) => ProtocolError::Unexpected { found, after, expected },
        },
    }
}
