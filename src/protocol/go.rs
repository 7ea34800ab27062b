//! Parsing the arguments of `go`, which come in any order, each at most once.

use super::tokens::{ParseErrorCause, ParseResult, failure, next_word, number, word};
use super::{GoOptions, PerftOptions, ProtocolCommand};

const ARGUMENTS: &str = "depth, nodes, movetime, wtime, btime, winc, binc, movestogo, p1time, \
    p2time, p1inc, p2inc, mate, infinite, ponder, searchmoves or perft";
const EXPECTED_DEPTH: &str = "a whole number from 1 to 4294967295";
const EXPECTED_COUNT: &str = "a whole number from 1 to 18446744073709551615";
const EXPECTED_MILLISECONDS: &str = "a whole number of milliseconds of at most 18 digits";

pub(super) fn parse_go(input: &str) -> ParseResult<'_, ProtocolCommand<'_>> {
    let (mut go, mut perft) = (GoOptions::default(), None);
    let mut rest = input;
    // The first argument that adjusts a clock.
    let mut adjustment = None;
    while let Some((_, name)) = next_word(rest) {
        if ["winc", "binc", "p1inc", "p2inc", "movestogo"].contains(&name) {
            adjustment.get_or_insert(rest);
        }
        rest = parse_argument(rest, &mut go, &mut perft)?.0;
    }
    if let Some(adjustment) = adjustment
        && go.time == [None; 2]
    {
        return failure(adjustment, ParseErrorCause::NoClock);
    }
    match perft {
        None => Ok((rest, ProtocolCommand::Go(go))),
        Some(depth) if go == GoOptions::default() => {
            Ok((rest, ProtocolCommand::Perft(PerftOptions { depth, divide: true })))
        }
        Some(_) => failure(input, ParseErrorCause::Expected("perft alone, or a search without it")),
    }
}

fn parse_argument<'a>(
    input: &'a str,
    go: &mut GoOptions<'a>,
    perft: &mut Option<u32>,
) -> ParseResult<'a, ()> {
    let (rest, name) = word(input, ARGUMENTS)?;
    match name {
        "depth" => once(rest, &mut go.depth, depth),
        "nodes" => {
            once(rest, &mut go.nodes, |input| number(input, EXPECTED_COUNT, |count| *count > 0))
        }
        "movetime" => once(rest, &mut go.move_time, milliseconds),
        "wtime" | "p1time" => once(rest, &mut go.time[0], milliseconds),
        "btime" | "p2time" => once(rest, &mut go.time[1], milliseconds),
        "winc" | "p1inc" => once(rest, &mut go.increment[0], milliseconds),
        "binc" | "p2inc" => once(rest, &mut go.increment[1], milliseconds),
        // Some runners send 0 if the time control has no move count.
        "movestogo" => once(rest, &mut go.moves_to_go, |input| {
            number(input, "a whole number from 0 to 4294967295", |_| true)
        }),
        "mate" => once(rest, &mut go.mate, depth),
        "perft" => once(rest, perft, perft_depth),
        "infinite" => flag(rest, &mut go.infinite),
        "ponder" => flag(rest, &mut go.ponder),
        "searchmoves" => search_moves(rest, go),
        _ => failure(input, ParseErrorCause::Expected(ARGUMENTS)),
    }
}

fn depth(input: &str) -> ParseResult<'_, u32> {
    number(input, EXPECTED_DEPTH, |number| *number > 0)
}

/// Bounded, because in a game of unbounded length a deep count would never end.
pub(super) fn perft_depth(input: &str) -> ParseResult<'_, u32> {
    number(input, "a depth from 1 to 64", |depth| (1..=64).contains(depth))
}

fn milliseconds(input: &str) -> ParseResult<'_, i64> {
    number(input, EXPECTED_MILLISECONDS, |_| true)
}

/// Parses the value of an argument that may appear only once.
fn once<'a, T>(
    input: &'a str,
    slot: &mut Option<T>,
    parse: impl Fn(&'a str) -> ParseResult<'a, T>,
) -> ParseResult<'a, ()> {
    let (rest, value) = parse(input)?;
    match slot.replace(value) {
        None => Ok((rest, ())),
        Some(_) => failure(input, ParseErrorCause::Duplicate),
    }
}

fn flag<'a>(rest: &'a str, flag: &mut bool) -> ParseResult<'a, ()> {
    if std::mem::replace(flag, true) {
        failure(rest, ParseErrorCause::Duplicate)
    } else {
        Ok((rest, ()))
    }
}

/// Takes the words up to the next argument; they are resolved to moves later.
fn search_moves<'a>(input: &'a str, go: &mut GoOptions<'a>) -> ParseResult<'a, ()> {
    if !go.search_moves.is_empty() {
        return failure(input, ParseErrorCause::Duplicate);
    }
    let (mut rest, first) = word(input, "one or more moves")?;
    if is_argument(first) {
        return failure(input, ParseErrorCause::Expected("one or more moves"));
    }
    go.search_moves.push(first);
    while let Some((after, word)) = next_word(rest) {
        if is_argument(word) {
            break;
        }
        go.search_moves.push(word);
        rest = after;
    }
    Ok((rest, ()))
}

fn is_argument(word: &str) -> bool {
    ARGUMENTS.split([',', ' ']).any(|name| name == word && name != "or")
}
