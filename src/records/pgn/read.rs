//! Reads games from text.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_till1, take_while_m_n, take_while1};
use nom::character::complete::{char, digit1, multispace0, none_of, one_of, space1};
use nom::combinator::{all_consuming, fail, map_opt, map_res, opt, recognize, value};
use nom::multi::{fold_many0, many0};
use nom::sequence::{delimited, preceded, separated_pair, terminated};
use nom::{IResult, Parser};

use super::RecordError;
use crate::printing::quote;
use crate::records::{
    EngineScore, GameRecord, Glyph, MoveRecord, Seconds, Termination, ValueKeepingMoves,
    parse_result, parse_timestamp, result_text,
};
use crate::rules::ExactValue;
use crate::search::Score;

/// What could be read of an invalid game.
#[derive(Debug, Clone, PartialEq)]
pub struct PartialGame {
    /// The game: its tags and the moves before the error.
    pub game: GameRecord,
    /// Whether the error is among its moves.
    pub is_move_invalid: bool,
}

type Parsed<'a, T> = IResult<&'a str, T>;

const A_TAG: &str = "a tag such as [Result \"1-0\"]";

/// Parses a game: tags, moves and result. Returns what could be read, and the first error.
pub(in crate::records) fn parse_game(
    text: &str,
    first_line: usize,
) -> (PartialGame, Option<RecordError>) {
    let error = |rest: &str, reason: String| {
        let before = &text[..text.len() - rest.len()];
        let before = if rest.is_empty() { before.trim_end() } else { before };
        RecordError::Game { line: first_line + before.matches('\n').count(), reason }
    };
    let unexpected = |rest: &str, expected: &str| {
        let found = rest.split_whitespace().next().map_or("nothing".to_owned(), quote);
        Err(error(rest, format!("found {found}, expected {expected}")))
    };
    let mut game = GameRecord { fen: "startpos".to_owned(), ..GameRecord::default() };
    let mut is_move_invalid = false;
    let mut parse = || {
        let mut tags = many0(terminated(parse_tag, multispace0));
        let Ok((rest, tags)) = tags.parse(text) else { return unexpected(text, A_TAG) };
        if rest.starts_with('[') {
            // The rest of a broken tag is not a move.
            return unexpected(rest, A_TAG);
        }
        let Ok((rest, moves)) = many0(parse_move).parse(rest) else {
            return unexpected(rest, "a move or a result");
        };
        game.moves = moves;
        let ending = parse_result_word(rest);
        game.result = ending.as_ref().map_or(None, |(_, result)| *result);
        if game.result.is_none() {
            game.termination = Termination::Unterminated;
        }
        let has_result = ending.is_ok();
        let mut invalid_tag = None;
        for (name, content) in tags.into_iter().filter(|(name, _)| has_result || name != "Result") {
            invalid_tag = invalid_tag.or(apply_tag(&mut game, &name, content).err());
        }
        let Ok((rest, _)) = ending else {
            is_move_invalid = true;
            return unexpected(rest.trim_start(), "a move with its comment, or the result");
        };
        match (rest.trim(), invalid_tag) {
            ("", Some(reason)) => Err(error(text, reason)),
            ("", None) if game.game.is_empty() => {
                Err(error(text, "no tag Game, expected [Game \"…\"]".to_owned()))
            }
            ("", None) => Ok(()),
            _ => unexpected(rest.trim_start(), "nothing after the result"),
        }
    };
    let result = parse();
    (PartialGame { game, is_move_invalid }, result.err())
}

fn apply_tag(game: &mut GameRecord, name: &str, content: String) -> Result<(), String> {
    let number = |text: &str| {
        text.parse::<u32>().map_err(|_| format!("{} in tag {name}, expected a number", quote(text)))
    };
    match name {
        "Game" => game.game = content,
        "Number" => game.number = number(&content)?,
        "Round" => game.round = number(&content)?,
        "Pair" => game.pair = number(&content)?,
        "Started" => {
            game.started = parse_timestamp(&content).ok_or_else(|| {
                format!(
                    "{} in tag Started, expected a time such as 2000-01-31T12:00:00Z",
                    quote(&content)
                )
            })?;
        }
        "White" => game.players[0] = content,
        "Black" => game.players[1] = content,
        "FEN" => game.fen = content,
        "Begins" => game.second_begins = content == "Black",
        "Result" if parse_result(&content) != Some(game.result) => {
            return Err(format!(
                "{} in tag Result, expected {} as after the moves",
                quote(&content),
                result_text(game.result)
            ));
        }
        "Termination" => {
            // The words of version 0.2.
            let word = match &*content {
                "garbage" => "protocol-error",
                "start" => "start-failure",
                word => word,
            };
            let has_name = |termination: &Termination| termination.as_str() == word;
            game.termination = Termination::ALL.into_iter().find(has_name).ok_or_else(|| {
                let words = Termination::ALL.map(Termination::as_str).join(" ");
                format!("{} in tag Termination, expected one of: {words}", quote(&content))
            })?;
        }
        "Reason" => game.reason = content,
        "WhiteLimits" => game.limits[0] = content,
        "BlackLimits" => game.limits[1] = content,
        // A seed that is not a number is kept as an unknown tag.
        "WhiteSeed" if content.parse::<i64>().is_ok() => game.seeds[0] = content.parse().ok(),
        "BlackSeed" if content.parse::<i64>().is_ok() => game.seeds[1] = content.parse().ok(),
        "FalseMateClaim" | "BrokenClaim" => game.broken_claims.push(content),
        "Stderr" => game.stderr = Some(content),
        "Result" => {}
        _ => game.tags.push((name.to_owned(), content)),
    }
    Ok(())
}

fn parse_tag(input: &str) -> Parsed<'_, (String, String)> {
    let digits = take_while_m_n(2, 2, |letter: char| letter.is_ascii_hexdigit());
    let number = map_res(digits, |digits| u8::from_str_radix(digits, 16)).map(char::from);
    let letter = alt((
        preceded(
            char('\\'),
            alt((value('\n', char('n')), preceded(char('x'), number), one_of("\"\\"))),
        ),
        none_of("\"\\\n"),
    ));
    let content = fold_many0(letter, String::new, |mut text, letter| {
        text.push(letter);
        text
    });
    let name = take_while1(|letter: char| letter.is_alphanumeric() || letter == '_');
    let quoted = delimited(char('"'), content, char('"'));
    let (rest, (name, content)) =
        delimited(char('['), separated_pair(name, space1, quoted), char(']')).parse(input)?;
    Ok((rest, (name.to_owned(), content)))
}

/// Parses an optional move number, a move, its glyphs, its comment and its variations.
fn parse_move(input: &str) -> Parsed<'_, MoveRecord> {
    let mv =
        map_opt(take_till(|letter: char| letter.is_whitespace() || letter == '{'), |word: &str| {
            let plain = word.trim_end_matches(['!', '?']);
            // A word with a dollar sign is a glyph, here without its move.
            let is_move =
                !plain.is_empty() && !plain.starts_with('$') && parse_result(plain).is_none();
            is_move.then(|| plain.to_owned())
        });
    let (rest, mv) = preceded((multispace0, opt(parse_move_number)), mv).parse(input)?;
    let (rest, notes) = many0(preceded(multispace0, parse_note)).parse(rest)?;
    let mut record = MoveRecord { mv, ..MoveRecord::default() };
    let mut variation = None;
    for note in notes {
        match note {
            Note::Glyph(glyph) => record.mark = record.mark.or(Glyph::from_nag(glyph)),
            Note::Variation(line) => variation = variation.or(Some(line)),
            Note::Comment(comment) => comment.split(',').for_each(|field| {
                apply_field(&mut record, &field.split_whitespace().collect::<Vec<_>>().join(" "));
            }),
        }
    }
    // Variations of other programs need not be best lines.
    if record.best.is_some() {
        record.best_line = variation.unwrap_or_default();
    }
    Ok((rest, record))
}

enum Note<'a> {
    Glyph(u32),
    Comment(&'a str),
    Variation(Vec<String>),
}

fn parse_note(input: &str) -> Parsed<'_, Note<'_>> {
    let glyph = preceded(char('$'), parse_number).map(Note::Glyph);
    alt((glyph, parse_comment.map(Note::Comment), parse_variation.map(Note::Variation)))
        .parse(input)
}

fn parse_comment(input: &str) -> Parsed<'_, &str> {
    let content = take_till(|letter| letter == '}');
    delimited(char('{'), content, char('}')).parse(input)
}

/// Parses a move number with its points and the space after it.
fn parse_move_number(input: &str) -> Parsed<'_, ()> {
    let points = take_while1(|letter| letter == '.');
    (digit1, points, multispace0).map(|_| ()).parse(input)
}

/// The maximum nesting of variations; deeper ones are refused.
const MAX_NESTING: usize = 64;

/// Parses a variation and returns its moves, without comments, glyphs and variations inside it.
fn parse_variation(input: &str) -> Parsed<'_, Vec<String>> {
    parse_nested_variation(input, MAX_NESTING)
}

fn parse_nested_variation(input: &str, depth: usize) -> Parsed<'_, Vec<String>> {
    let comment = parse_comment.map(|_| None);
    let glyph = (char('$'), digit1).map(|_| None);
    let nested = |input| match depth {
        0 => fail().parse(input),
        _ => parse_nested_variation(input, depth - 1),
    };
    let nested = nested.map(|_| None);
    let number = parse_move_number.map(|()| None);
    let is_end = |letter: char| letter.is_whitespace() || "{}()".contains(letter);
    let mv = take_till1(is_end).map(|mv: &str| {
        let plain = mv.trim_end_matches(['!', '?']);
        (!plain.is_empty()).then(|| plain.to_owned())
    });
    let item = preceded(multispace0, alt((comment, glyph, nested, number, mv)));
    let (rest, items) = delimited(char('('), many0(item), (multispace0, char(')'))).parse(input)?;
    Ok((rest, items.into_iter().flatten().collect()))
}

fn parse_result_word(input: &str) -> Parsed<'_, Option<crate::rules::Outcome>> {
    let word = take_till(char::is_whitespace);
    preceded(multispace0, map_opt(word, parse_result)).parse(input)
}

/// Applies a field of a comment; unknown fields are ignored.
fn apply_field(record: &mut MoveRecord, field: &str) {
    if let Ok((_, ((score, depth), time))) = all_consuming(parse_search_info).parse(field) {
        record.info.score = score;
        record.info.depth = depth;
        record.time = time;
    } else if field == "book" {
        record.is_book = true;
    } else if let Some(nodes) = field.strip_suffix(" nodes") {
        record.info.nodes = nodes.parse().ok();
    } else if let Some(over) = field.strip_suffix(" over") {
        record.over = all_consuming(parse_seconds).parse(over).ok().map(|(_, seconds)| seconds);
    } else if let Some(value) = field.strip_prefix("worth ") {
        record.value = parse_value(value);
    } else if let Some(best) = field.strip_prefix("best ") {
        record.best = parse_value(best);
    } else if let Some(keep) = field.strip_prefix("keep ") {
        record.keep = all_consuming(parse_keeping).parse(keep).ok().map(|(_, keep)| keep);
    }
}

type ScoreAndDepth = (Option<EngineScore>, Option<u32>);

/// Parses `+0.35/12 0.1002s`, in which score and depth are optional.
fn parse_search_info(input: &str) -> Parsed<'_, (ScoreAndDepth, Seconds)> {
    let depth = preceded(char('/'), parse_number);
    let (rest, score_and_depth) = (opt(parse_score), opt(depth)).parse(input)?;
    let (rest, time) = preceded(multispace0, parse_seconds).parse(rest)?;
    Ok((rest, (score_and_depth, time)))
}

/// Parses `1/8`, or `~1/8` if it is estimated.
fn parse_keeping(input: &str) -> Parsed<'_, ValueKeepingMoves> {
    let counts = separated_pair(parse_number, char('/'), parse_number);
    let keeping = |(about, (count, legal)): (Option<char>, _)| ValueKeepingMoves {
        count,
        legal,
        is_proven: about.is_none(),
    };
    (opt(char('~')), counts).map(keeping).parse(input)
}

fn parse_number<T: std::str::FromStr>(input: &str) -> Parsed<'_, T> {
    map_res(digit1, str::parse).parse(input)
}

fn parse_seconds(input: &str) -> Parsed<'_, Seconds> {
    let number = map_res(recognize((digit1, char('.'), digit1)), str::parse);
    map_opt(terminated(number, char('s')), Seconds::from_recorded).parse(input)
}

/// Parses a sign as a factor. It is wider than the results, whose negative range is larger than the
/// positive one.
fn parse_sign(input: &str) -> Parsed<'_, i64> {
    one_of("+-").map(|sign| if sign == '-' { -1 } else { 1 }).parse(input)
}

/// Parses `+0.35` as hundredths.
fn parse_hundredths(input: &str) -> Parsed<'_, i32> {
    let hundredths = map_opt(digit1, |digits: &str| {
        (digits.len() == 2).then(|| digits.parse::<i64>().ok()).flatten()
    });
    let number = (parse_sign, separated_pair(parse_number::<u32>, char('.'), hundredths));
    map_opt(number, |(sign, (units, hundredths))| {
        i32::try_from(sign * (i64::from(units) * 100 + hundredths)).ok()
    })
    .parse(input)
}

fn parse_score(input: &str) -> Parsed<'_, EngineScore> {
    let number = separated_pair(parse_sign, char('M'), parse_number::<u32>);
    let mate = map_opt(number, |(sign, plies)| i32::try_from(sign * i64::from(plies)).ok());
    alt((mate.map(EngineScore::Mate), parse_hundredths.map(EngineScore::Cp))).parse(input)
}

pub(in super::super) fn parse_value(text: &str) -> Option<Score> {
    let plies = |word| preceded((tag(word), space1), parse_number::<u16>);
    let proven = alt((
        tag("draw").map(|_| ExactValue::Draw),
        plies("win").map(ExactValue::Win),
        plies("loss").map(ExactValue::Loss),
    ));
    let value = alt((proven.map(Score::Exact), parse_hundredths.map(Score::Estimate)));
    all_consuming(value).parse(text).ok().map(|(_, value)| value)
}
