//! Parsing lines into commands.

use nom::Finish;

use super::command::{PerftOptions, PositionLine, ProtocolCommand, Query};
use super::go::{parse_go, perft_depth};
use super::tokens::{
    BLANKS, ParseErrorCause, ParseResult, all_words, end, failure, next_word, number,
    to_protocol_error, word,
};
use super::{LineReader, ProtocolError, RawLine};
use crate::rules::StartPosition;

const COMMANDS: &str = "uci ugi ucinewgame uginewgame isready setoption position moves \
    query go stop ponderhit perft d fen legal values eval bench help debug quit";

/// Parses a command; returns `None` for a blank line or a comment.
///
/// # Errors
/// Fails if the line is not a valid command; the error quotes the invalid word and lists what is
/// expected instead.
pub fn parse<'a>(raw: &RawLine<'a>) -> Result<Option<ProtocolCommand<'a>>, ProtocolError> {
    let Some(line) = decode(raw)? else { return Ok(None) };
    let Some((rest, name)) = next_word(line) else { return Ok(None) };
    let parsed = parse_command(name, rest).finish();
    let (_, command) = parsed.map_err(|error| to_protocol_error(line, &error))?;
    Ok(Some(command))
}

/// Parses a line of a list of positions: the arguments of `position`, with or without that word, or
/// a bare FEN or move list. Returns `None` for a blank line or a comment.
///
/// # Errors
/// Fails if the line is too long or not UTF-8, or if the arguments after `position`, `startpos`,
/// `fen` or `random` are invalid.
pub fn parse_position_line<'a>(
    raw: &RawLine<'a>,
) -> Result<Option<PositionLine<'a>>, ProtocolError> {
    let Some(line) = decode(raw)? else { return Ok(None) };
    let Some((rest, name)) = next_word(line) else { return Ok(None) };
    let parsed = match name {
        "position" => position(rest),
        "startpos" | "fen" | "random" => position(line),
        _ => {
            let (bare, moves) = split_at_word(line, "moves");
            return Ok(Some(PositionLine::Bare { text: bare, moves: moves.map(all_words) }));
        }
    };
    let parsed = parsed.finish().map_err(|error| to_protocol_error(line, &error));
    let (_, (setup, moves)) = parsed?;
    Ok(Some(PositionLine::Explicit { setup, moves }))
}

/// Decodes a line; returns `None` for a comment.
fn decode<'a>(raw: &RawLine<'a>) -> Result<Option<&'a str>, ProtocolError> {
    let (RawLine::Complete(bytes) | RawLine::Truncated(bytes)) = *raw;
    let is_comment = bytes.trim_ascii_start().starts_with(b"#");
    if is_comment {
        return Ok(None);
    }
    let text = || String::from_utf8_lossy(bytes).into_owned();
    if matches!(raw, RawLine::Truncated(_)) {
        let limit = LineReader::<&[u8]>::LIMIT;
        return Err(ProtocolError::TooLong { start: text(), limit });
    }
    std::str::from_utf8(bytes).map(Some).map_err(|_| ProtocolError::NotUtf8(text()))
}

fn parse_command<'a>(name: &'a str, rest: &'a str) -> ParseResult<'a, ProtocolCommand<'a>> {
    match name {
        "uci" => end(rest, ProtocolCommand::Uci),
        "ugi" => end(rest, ProtocolCommand::Ugi),
        "ucinewgame" | "uginewgame" => end(rest, ProtocolCommand::NewGame),
        "isready" => end(rest, ProtocolCommand::IsReady),
        "setoption" => set_option(rest),
        "position" => {
            let (rest, (setup, moves)) = position(rest)?;
            Ok((rest, ProtocolCommand::Position { setup, moves }))
        }
        "moves" => moves(rest),
        "query" => query(rest),
        "go" => parse_go(rest),
        "stop" => end(rest, ProtocolCommand::Stop),
        "ponderhit" => end(rest, ProtocolCommand::PonderHit),
        "perft" => perft(rest),
        "d" => end(rest, ProtocolCommand::Show),
        "fen" => end(rest, ProtocolCommand::Fen),
        "legal" => end(rest, ProtocolCommand::Legal),
        "values" => end(rest, ProtocolCommand::Values),
        "eval" => end(rest, ProtocolCommand::Eval),
        "bench" => end(rest, ProtocolCommand::Bench),
        "help" => end(rest, ProtocolCommand::Help),
        "debug" => debug(rest),
        "quit" => end(rest, ProtocolCommand::Quit),
        _ => failure(name, ParseErrorCause::UnknownCommand(COMMANDS)),
    }
}

/// `name N… [value V…]`; names and values may contain spaces.
fn set_option(input: &str) -> ParseResult<'_, ProtocolCommand<'_>> {
    const EXPECTED: &str = "'name' and an option";
    let (rest, keyword) = word(input, EXPECTED)?;
    if keyword != "name" {
        return failure(input, ParseErrorCause::Expected(EXPECTED));
    }
    let (name, value) = split_at_word(rest, "value");
    if name.is_empty() {
        return failure(rest, ParseErrorCause::Expected("the name of an option"));
    }
    Ok(("", ProtocolCommand::SetOption { name, value: value.unwrap_or_default() }))
}

/// `startpos`, `fen F…` or `random SEED [PLIES]`, then `[moves M…]`.
fn position(input: &str) -> ParseResult<'_, (StartPosition<'_>, Vec<&str>)> {
    const EXPECTED: &str = "startpos, fen or random";
    let (rest, keyword) = word(input, EXPECTED)?;
    let (arguments, moves) = split_at_word(rest, "moves");
    let (_, setup) = match keyword {
        "startpos" => match next_word(arguments) {
            None => Ok(("", StartPosition::Initial)),
            Some(_) => failure(rest, ParseErrorCause::Expected("moves or the end of the line")),
        },
        "fen" if arguments.is_empty() => failure(rest, ParseErrorCause::Expected("a FEN")),
        "fen" => Ok(("", StartPosition::Fen(arguments))),
        "random" => random(arguments),
        _ => failure(input, ParseErrorCause::Expected(EXPECTED)),
    }?;
    Ok(("", (setup, moves.map(all_words).unwrap_or_default())))
}

fn random(input: &str) -> ParseResult<'_, StartPosition<'_>> {
    const MAX_PLIES: u32 = 1000;
    let (rest, seed) =
        number(input, "a seed, a whole number from 0 to 18446744073709551615", |_: &u64| true)?;
    if next_word(rest).is_none() {
        return Ok(("", StartPosition::Random { seed, plies: None }));
    }
    let is_valid = |plies: &u32| *plies <= MAX_PLIES;
    let (rest, plies) = number(rest, "a number of plies from 0 to 1000, or moves", is_valid)?;
    end(rest, StartPosition::Random { seed, plies: Some(plies) })
}

fn moves(input: &str) -> ParseResult<'_, ProtocolCommand<'_>> {
    word(input, "one or more moves")?;
    Ok(("", ProtocolCommand::Moves(all_words(input))))
}

fn query(input: &str) -> ParseResult<'_, ProtocolCommand<'_>> {
    const EXPECTED: &str = "gameover, p1turn or result";
    let (rest, subject) = word(input, EXPECTED)?;
    let query = match subject {
        "gameover" => Query::GameOver,
        "p1turn" => Query::P1Turn,
        "result" => Query::Result,
        _ => return failure(input, ParseErrorCause::Expected(EXPECTED)),
    };
    end(rest, ProtocolCommand::Query(query))
}

fn perft(input: &str) -> ParseResult<'_, ProtocolCommand<'_>> {
    let (rest, depth) = perft_depth(input)?;
    let (rest, divide) = match next_word(rest) {
        Some((rest, "divide")) => (rest, true),
        Some(_) => {
            return failure(rest, ParseErrorCause::Expected("divide or the end of the line"));
        }
        None => (rest, false),
    };
    end(rest, ProtocolCommand::Perft(PerftOptions { depth, divide }))
}

fn debug(input: &str) -> ParseResult<'_, ProtocolCommand<'_>> {
    const EXPECTED: &str = "on or off";
    let (rest, switch) = word(input, EXPECTED)?;
    match switch {
        "on" => end(rest, ProtocolCommand::Debug(true)),
        "off" => end(rest, ProtocolCommand::Debug(false)),
        _ => failure(input, ParseErrorCause::Expected(EXPECTED)),
    }
}

/// Splits the input at a keyword; the second part is `None` if the keyword is absent.
fn split_at_word<'a>(input: &'a str, keyword: &str) -> (&'a str, Option<&'a str>) {
    let mut rest = input;
    while let Some((after, word)) = next_word(rest) {
        if word == keyword {
            let before = input.len() - after.len() - word.len();
            return (input[..before].trim_matches(BLANKS), Some(after.trim_matches(BLANKS)));
        }
        rest = after;
    }
    (input.trim_matches(BLANKS), None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::GoOptions;

    fn parsed_command(line: &str) -> Option<ProtocolCommand<'_>> {
        parse(&RawLine::Complete(line.as_bytes())).unwrap()
    }

    fn error_text(line: &str) -> String {
        parse(&RawLine::Complete(line.as_bytes())).unwrap_err().to_string()
    }

    #[test]
    fn parses_commands() {
        assert_eq!(parsed_command("  uci\t"), Some(ProtocolCommand::Uci));
        assert_eq!(parsed_command(""), None);
        assert_eq!(parsed_command("   # go depth 3"), None);
        assert_eq!(
            parsed_command("setoption name Move  Overhead value 20 ms"),
            Some(ProtocolCommand::SetOption { name: "Move  Overhead", value: "20 ms" })
        );
        assert_eq!(
            parsed_command("setoption name Clear Hash"),
            Some(ProtocolCommand::SetOption { name: "Clear Hash", value: "" })
        );
        assert_eq!(
            parsed_command("position fen 3/3/3 x moves a1 b2"),
            Some(ProtocolCommand::Position {
                setup: StartPosition::Fen("3/3/3 x"),
                moves: vec!["a1", "b2"]
            })
        );
        assert_eq!(
            parsed_command("position random 7 4"),
            Some(ProtocolCommand::Position {
                setup: StartPosition::Random { seed: 7, plies: Some(4) },
                moves: vec![]
            })
        );
    }

    #[test]
    fn parses_position_lists() {
        let parsed = |line: &'static str| parse_position_line(&RawLine::Complete(line.as_bytes()));
        let position =
            |setup, moves: &[&'static str]| PositionLine::Explicit { setup, moves: moves.to_vec() };
        let bare = |text, moves: Option<&[&'static str]>| PositionLine::Bare {
            text,
            moves: moves.map(<[&str]>::to_vec),
        };
        for (line, expected) in [
            ("position startpos moves a1", position(StartPosition::Initial, &["a1"])),
            (" startpos", position(StartPosition::Initial, &[])),
            ("fen 3/3/3 x", position(StartPosition::Fen("3/3/3 x"), &[])),
            ("position fen 3/3/3 x moves a1", position(StartPosition::Fen("3/3/3 x"), &["a1"])),
            ("position random 7", position(StartPosition::Random { seed: 7, plies: None }, &[])),
            ("3/3/3 x", bare("3/3/3 x", None)),
            ("3/3/3 x moves  a1\tb2 ", bare("3/3/3 x", Some(&["a1", "b2"]))),
            ("a1 b2", bare("a1 b2", None)),
            ("moves a1", bare("", Some(&["a1"]))),
        ] {
            assert_eq!(parsed(line).unwrap(), Some(expected), "{line}");
        }
        for line in ["", " \t", "# 3/3/3 x"] {
            assert_eq!(parsed(line), Ok(None));
        }
        for line in ["position", "position 3/3/3 x", "startpos a1", "fen"] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }

    #[test]
    fn go_accepts_arguments_in_any_order() {
        let go = GoOptions {
            depth: Some(3),
            time: [Some(-5), Some(900)],
            search_moves: vec!["a1", "b2"],
            ponder: true,
            ..GoOptions::default()
        };
        let lines = [
            "go depth 3 wtime -5 btime 900 searchmoves a1 b2 ponder",
            "go ponder searchmoves a1 b2 p2time 900 p1time -5 depth 3",
        ];
        for line in lines {
            assert_eq!(parsed_command(line), Some(ProtocolCommand::Go(go.clone())));
        }
        assert!(!GoOptions::default().is_bounded());
    }

    #[test]
    fn errors_quote_the_word_and_list_what_is_expected() {
        let cases = [
            ("position", "missing argument after \"position\", expected startpos, fen or random"),
            ("position here", "\"here\" after \"position\", expected startpos, fen or random"),
            ("position random x moves é", "\"x\" after \"random\", expected a seed"),
            ("position random moves a1", "\"moves\" after \"random\""),
            ("position random x   ", "\"x\" after \"random\""),
            ("go\u{a0}depth 3", "unknown command \"go\\u{a0}depth\""),
            ("go depth 1\u{2003}junk", "after \"depth\", expected a whole number"),
            ("uci\u{b}x", "unknown command"),
            ("perft 65", "\"65\" after \"perft\", expected a depth from 1 to 64"),
            ("go perft 2 searchmoves z9", "expected perft alone"),
            ("go perft 4294967295", "expected a depth from 1 to 64"),
            ("position fen", "missing argument after \"fen\", expected a FEN"),
            ("position startpos e5", "\"e5\" after \"startpos\""),
            (
                "go depth",
                "missing argument after \"depth\", expected a whole number from 1 to 4294967295",
            ),
            ("go depth 0", "\"0\" after \"depth\""),
            ("go depth +4", "\"+4\" after \"depth\""),
            ("go depth 4 depth 5", "duplicate argument \"depth\""),
            ("go winc 100", "\"winc\" without a clock, expected wtime or btime"),
            ("go depth 3 binc 0", "\"binc\" without a clock"),
            ("go p2inc 5 movestogo 3", "\"p2inc\" without a clock"),
            ("go ponder movestogo 40", "\"movestogo\" without a clock"),
            ("go infinite infinite", "duplicate argument \"infinite\""),
            ("go nodes 99999999999999999999", "\"99999999999999999999\""),
            ("go fast", "\"fast\" after \"go\", expected depth"),
            ("query winner", "\"winner\" after \"query\""),
            ("perft 3 4", "\"4\" after \"3\", expected divide"),
            ("debug maybe", "expected on or off"),
            ("setoption Hash 3", "\"Hash\" after \"setoption\""),
            ("setoption name value 3", "expected the name of an option"),
            ("quit now", "\"now\" after \"quit\", expected the end of the line"),
            ("jump", "unknown command \"jump\", expected one of: uci"),
            ("u\0ci", "unknown command \"u\\0ci\""),
            ("moves", "missing argument after \"moves\", expected one or more moves"),
        ];
        for (line, message) in cases {
            let error = error_text(line);
            assert!(error.contains(message), "{line}: {error}");
        }
        let error = parse(&RawLine::Complete(b"go \xff")).unwrap_err().to_string();
        assert!(error.contains("not UTF-8"), "{error}");
        let error = parse(&RawLine::Truncated(b"go go go")).unwrap_err().to_string();
        assert!(error.contains("65536 bytes"), "{error}");
        assert_eq!(parse(&RawLine::Truncated(b"# long")), Ok(None));
    }
}
