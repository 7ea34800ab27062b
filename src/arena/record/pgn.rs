//! The text format of records: tags, then moves with comments, as in PGN.
//!
//! ```text
//! [Game "tictactoe"]
//! [White "alphabeta"]
//! [Black "random"]
//! [Result "1-0"]
//! [Termination "normal"]
//! …
//!
//! 1. a3 {+0.00/9 0.0012s, 5478 nodes} b3 {0.0001s} 2. a2 {+M5/5 0.0002s} 1-0
//! ```
//!
//! A game ends with its result and a blank line; without them it is incomplete and not read. Lines
//! that start with `%` are directives for programs and not part of a game. Unknown fields of
//! comments are ignored, unknown tags are kept.

use std::fmt::{self, Write};
use std::io::{self, BufRead};

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_till, take_while_m_n, take_while1};
use nom::character::complete::{char, digit1, multispace0, none_of, one_of, space1};
use nom::combinator::{all_consuming, map_opt, map_res, opt, recognize, value};
use nom::multi::{fold_many0, many0};
use nom::sequence::{delimited, preceded, separated_pair, terminated};
use nom::{IResult, Parser};

use super::{
    EngineScore, GameRecord, MAX_LENGTH, MoveRecord, MoveValue, SearchInfo, Seconds, Termination,
};
use super::{parse_result, result_text};
use crate::printing::quote;
use crate::rules::{ExactValue, Value};

/// Why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A game is invalid.
    #[error("line {line}: {reason}")]
    Game {
        /// The line of the error or of the game's first tag, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

/// The maximum width of lines of moves.
const MAX_WIDTH: usize = 100;

impl GameRecord {
    /// Returns the game as it is written to a record, including the blank line.
    #[must_use]
    pub fn to_pgn(&self) -> String {
        let mut text = String::new();
        let [white, black] = &self.players;
        let numbers = [self.number, self.round, self.pair].map(|number| number.to_string());
        let started = super::format_timestamp(self.started);
        let tags = [
            ("Game", self.game.as_str()),
            ("Number", &numbers[0]),
            ("Round", &numbers[1]),
            ("Pair", &numbers[2]),
            ("Started", &started),
            ("White", white),
            ("Black", black),
            ("FEN", &self.fen),
            ("Result", result_text(self.result)),
            ("Termination", self.termination.as_str()),
            ("Reason", &self.reason),
            ("WhiteLimits", &self.limits[0]),
            ("BlackLimits", &self.limits[1]),
        ];
        let seeds = ["WhiteSeed", "BlackSeed"].into_iter().zip(self.seeds);
        let seeds: Vec<_> =
            seeds.filter_map(|(name, seed)| Some((name, seed?.to_string()))).collect();
        let seeds = seeds.iter().map(|(name, seed)| (*name, seed.as_str()));
        let first_mover = self.second_begins.then_some(("Begins", "Black"));
        let claims = self.broken_claims.iter().map(|claim| ("BrokenClaim", claim.as_str()));
        let unknown = self.tags.iter().map(|(name, content)| (name.as_str(), content.as_str()));
        let stderr = self.stderr.iter().map(|text| ("Stderr", text.as_str()));
        let optional = seeds.chain(first_mover).chain(claims).chain(stderr).chain(unknown);
        for (name, content) in tags.into_iter().chain(optional) {
            text.push_str(&format!("[{name} \"{}\"]\n", escape(content)));
        }
        text.push('\n');
        let mut words = Vec::new();
        for (ply, mv) in self.moves.iter().enumerate() {
            let number = ply / 2 + 1;
            if ply % 2 == 0 {
                words.push(format!("{number}."));
            } else if starts_with_number(&mv.mv) {
                words.push(format!("{number}..."));
            }
            words.push(mv.mv.clone());
            words.extend(mv.is_blunder().then(|| BLUNDER.to_owned()));
            words.push(format!("{{{}}}", Comment(mv)));
        }
        words.push(result_text(self.result).to_owned());
        text.push_str(&wrap(&words));
        text.push_str("\n\n");
        text
    }
}

/// The mark of a blunder: "very poor move" in PGN.
const BLUNDER: &str = "$4";

/// Returns whether a move could be mistaken for a move with its number, and so needs a number
/// itself.
fn starts_with_number(mv: &str) -> bool {
    let rest = mv.trim_start_matches(|letter: char| letter.is_ascii_digit());
    rest.len() < mv.len() && rest.starts_with('.')
}

fn wrap(words: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        if width > 0 {
            // At the start of a line, `%` would make it a directive.
            let fits = width + 1 + length <= MAX_WIDTH || word.starts_with('%');
            text.push(if fits { ' ' } else { '\n' });
            width = if fits { width + 1 } else { 0 };
        }
        text.push_str(word);
        width += length;
    }
    text
}

/// Escapes the content of a tag: quotes, backslashes and line breaks with a backslash, other
/// control characters as `\x1b`.
fn escape(content: &str) -> String {
    let mut text = String::with_capacity(content.len());
    for letter in content.chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            '\n' => text.push_str("\\n"),
            // All control characters fit in two digits.
            letter if letter.is_control() => {
                text.push_str(&format!("\\x{:02x}", u32::from(letter)));
            }
            letter => text.push(letter),
        }
    }
    text
}

/// Formats the comment of a move: fields separated by commas.
struct Comment<'a>(&'a MoveRecord);

impl fmt::Display for Comment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MoveRecord {
            info: SearchInfo { score, depth, nodes },
            time,
            over,
            value: move_value,
            best,
            ..
        } = self.0;
        if let Some(score) = score {
            write!(f, "{score}")?;
        }
        if let Some(depth) = depth {
            write!(f, "/{depth}")?;
        }
        if score.is_some() || depth.is_some() {
            f.write_char(' ')?;
        }
        write!(f, "{time}")?;
        if let Some(nodes) = nodes {
            write!(f, ", {nodes} nodes")?;
        }
        if let Some(over) = over {
            write!(f, ", {over} over")?;
        }
        if let Some(value) = move_value {
            write!(f, ", worth {value}")?;
        }
        if let Some(best) = best {
            write!(f, ", best {best}")?;
        }
        Ok(())
    }
}

/// Reads the games of a text record one by one.
#[derive(Debug)]
pub struct PgnReader<R> {
    input: R,
    line: usize,
    /// Length up to the end of the last complete game, including directives.
    complete_bytes: u64,
    /// The last directive.
    directive: Option<String>,
}

impl<R: BufRead> PgnReader<R> {
    /// Creates a reader.
    pub fn new(input: R) -> Self {
        Self { input, line: 0, complete_bytes: 0, directive: None }
    }

    /// Returns the length of the input up to the end of the last complete game read.
    #[must_use]
    pub fn complete_bytes(&self) -> u64 {
        self.complete_bytes
    }

    /// Returns the last directive so far, including its `%`.
    #[must_use]
    pub fn last_directive(&self) -> Option<&str> {
        self.directive.as_deref()
    }

    /// Returns the next game; `None` at the end of the input or if the rest is an incomplete game.
    ///
    /// # Errors
    /// Fails if the input cannot be read or a complete game is invalid.
    pub fn next_game(&mut self) -> Result<Option<GameRecord>, RecordError> {
        let mut text = String::new();
        let mut length = 0;
        let mut first_line = self.line + 1;
        let mut in_moves = false;
        loop {
            let mut bytes = Vec::new();
            let read = super::read_line(&mut self.input, &mut bytes)?;
            self.line += 1;
            length += read as u64;
            if bytes.pop_if(|byte| *byte == b'\n').is_none() {
                return Ok(None);
            }
            let line = String::from_utf8_lossy(&bytes);
            let line = line.trim_end_matches('\r');
            if line.starts_with('%') {
                self.directive = Some(line.to_owned());
            }
            match line {
                _ if text.is_empty() && (line.is_empty() || line.starts_with('%')) => {
                    first_line = self.line + 1;
                    self.complete_bytes += length;
                    length = 0;
                }
                _ if line.starts_with('%') => {}
                "" if in_moves => break,
                _ => {
                    in_moves |= !line.is_empty() && !line.starts_with('[');
                    text.push_str(line);
                    text.push('\n');
                    if text.len() > MAX_LENGTH {
                        let reason = "game too long, expected a blank line after its moves";
                        let reason = reason.to_owned();
                        return Err(RecordError::Game { line: first_line, reason });
                    }
                }
            }
        }
        let game = parse_game(&text, first_line)?;
        self.complete_bytes += length;
        Ok(Some(game))
    }
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_game().transpose()
    }
}

type Parsed<'a, T> = IResult<&'a str, T>;

const A_TAG: &str = "a tag such as [Result \"1-0\"]";

/// Parses a game: tags, moves and result.
fn parse_game(text: &str, first_line: usize) -> Result<GameRecord, RecordError> {
    let error = |rest: &str, reason: String| {
        let before = &text[..text.len() - rest.len()];
        let before = if rest.is_empty() { before.trim_end() } else { before };
        RecordError::Game { line: first_line + before.matches('\n').count(), reason }
    };
    let unexpected = |rest: &str, expected: &str| {
        let found = rest.split_whitespace().next().map_or("nothing".to_owned(), quote);
        error(rest, format!("found {found}, expected {expected}"))
    };
    let (rest, tags) = many0(terminated(parse_tag, multispace0))
        .parse(text)
        .map_err(|_| unexpected(text, A_TAG))?;
    if rest.starts_with('[') {
        // The rest of a broken tag is not a move.
        return Err(unexpected(rest, A_TAG));
    }
    let (rest, moves) =
        many0(parse_move).parse(rest).map_err(|_| unexpected(rest, "a move or a result"))?;
    let (rest, ending) = parse_result_word(rest)
        .map_err(|_| unexpected(rest.trim_start(), "a move with its comment, or the result"))?;
    if !rest.trim().is_empty() {
        return Err(unexpected(rest.trim_start(), "nothing after the result"));
    }
    let mut game = GameRecord {
        number: 0,
        round: 0,
        pair: 0,
        game: String::new(),
        players: Default::default(),
        fen: "startpos".to_owned(),
        second_begins: false,
        moves,
        result: ending,
        termination: if ending.is_some() { Termination::Normal } else { Termination::Unterminated },
        reason: String::new(),
        limits: Default::default(),
        seeds: [None; 2],
        started: 0,
        broken_claims: Vec::new(),
        stderr: None,
        tags: Vec::new(),
    };
    for (name, content) in tags {
        apply_tag(&mut game, &name, content).map_err(|reason| error(text, reason))?;
    }
    if game.game.is_empty() {
        return Err(error(text, "no tag Game, expected [Game \"…\"]".to_owned()));
    }
    Ok(game)
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
            game.started = super::parse_timestamp(&content).ok_or_else(|| {
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
            let has_name = |termination: &Termination| termination.as_str() == content;
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
        "BrokenClaim" => game.broken_claims.push(content),
        "Stderr" => game.stderr = Some(content),
        "Result" => {}
        _ => game.tags.push((name.to_owned(), content)),
    }
    Ok(())
}

/// Parses `[Name "content"]`.
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

/// Parses an optional move number, a move, its marks and its comment.
fn parse_move(input: &str) -> Parsed<'_, MoveRecord> {
    let number = (digit1, take_while1(|letter| letter == '.'), multispace0);
    let word = take_till(|letter: char| letter.is_whitespace() || letter == '{');
    let mv = map_opt(word, |word: &str| {
        let plain = word.trim_end_matches(['!', '?']);
        (!plain.is_empty() && parse_result(plain).is_none()).then(|| plain.to_owned())
    });
    let mark = (multispace0, char('$'), digit1);
    let comment = delimited(char('{'), opt(is_not("}")), char('}'));
    let (rest, mv) = preceded((multispace0, opt(number)), mv).parse(input)?;
    let (rest, _) = many0(mark).parse(rest)?;
    let (rest, comment) = opt(preceded(multispace0, comment)).parse(rest)?;
    let mut record = MoveRecord { mv, ..MoveRecord::default() };
    for field in comment.flatten().unwrap_or_default().split(',') {
        apply_field(&mut record, &field.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    Ok((rest, record))
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
    } else if let Some(nodes) = field.strip_suffix(" nodes") {
        record.info.nodes = nodes.parse().ok();
    } else if let Some(over) = field.strip_suffix(" over") {
        record.over = all_consuming(parse_seconds).parse(over).ok().map(|(_, seconds)| seconds);
    } else if let Some(value) = field.strip_prefix("worth ") {
        record.value = parse_value(value);
    } else if let Some(best) = field.strip_prefix("best ") {
        record.best = parse_value(best);
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

/// Parses the text of a [`MoveValue`].
pub(super) fn parse_value(text: &str) -> Option<MoveValue> {
    let plies = |word| preceded((tag(word), space1), parse_number::<u16>);
    let proven = alt((
        tag("draw").map(|_| ExactValue::Draw),
        plies("win").map(ExactValue::Win),
        plies("loss").map(ExactValue::Loss),
    ));
    let value = alt((proven.map(MoveValue::Proven), parse_hundredths.map(MoveValue::Estimated)));
    all_consuming(value).parse(text).ok().map(|(_, value)| value)
}

impl MoveRecord {
    /// Returns whether the move is proven to have worsened the result: from a win to a draw or a
    /// loss, or from a draw to a loss.
    #[must_use]
    pub fn is_blunder(&self) -> bool {
        let proven = |value: Option<MoveValue>| match value {
            Some(MoveValue::Proven(exact)) => Some(exact.value()),
            _ => None,
        };
        let is_worse = |(value, best): (Value, Value)| value < best;
        proven(self.value).zip(proven(self.best)).is_some_and(is_worse)
    }
}
