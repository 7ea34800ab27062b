//! The record for people: tags, then moves with comments, in the manner of PGN.
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
//! A game ends with its result and a blank line; what lacks them was torn off and is no game. Lines
//! that begin with `%` are for programs and are passed over. Fields of comments that are not known
//! are passed over too; tags that are not known are kept. Imports the record and `rules`.

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
    EngineScore, GameRecord, LONGEST, MoveRecord, MoveValue, SearchInfo, Seconds, Termination,
};
use super::{read_result, result_text};
use crate::rules::{ExactValue, Value, quote};

/// Why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file cannot.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A game cannot.
    #[error("line {line}: {reason}")]
    Game {
        /// The line its first tag or the wrong word stands on, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

/// Where lines of moves are broken.
const WIDTH: usize = 100;

impl GameRecord {
    /// The game as it stands in a record, its blank line included.
    #[must_use]
    pub fn to_pgn(&self) -> String {
        let mut text = String::new();
        let [white, black] = &self.players;
        let numbers = [self.number, self.round, self.pair].map(|number| number.to_string());
        let started = super::clock_time(self.started);
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
            ("Termination", self.termination.word()),
            ("Reason", &self.reason),
            ("WhiteLimits", &self.limits[0]),
            ("BlackLimits", &self.limits[1]),
        ];
        let begins = self.second_begins.then_some(("Begins", "Black"));
        let claims = self.broken_claims.iter().map(|claim| ("BrokenClaim", claim.as_str()));
        let others = self.tags.iter().map(|(name, content)| (name.as_str(), content.as_str()));
        let stderr = self.stderr.iter().map(|words| ("Stderr", words.as_str()));
        for (name, content) in
            tags.into_iter().chain(begins).chain(claims).chain(stderr).chain(others)
        {
            text.push_str(&format!("[{name} \"{}\"]\n", escaped(content)));
        }
        text.push('\n');
        let mut words = Vec::new();
        for (ply, mv) in self.moves.iter().enumerate() {
            let number = ply / 2 + 1;
            if ply % 2 == 0 {
                words.push(format!("{number}."));
            } else if begins_with_number(&mv.mv) {
                words.push(format!("{number}..."));
            }
            words.push(mv.mv.clone());
            words.extend(mv.is_blunder().then(|| BLUNDER.to_owned()));
            words.push(format!("{{{}}}", Comment(mv)));
        }
        words.push(result_text(self.result).to_owned());
        text.push_str(&wrapped(&words));
        text.push_str("\n\n");
        text
    }
}

/// The mark of a move that threw a proven value away: "very poor move" in PGN.
const BLUNDER: &str = "$4";

/// Whether a move would be taken for one with its number, unless that stands before it.
fn begins_with_number(mv: &str) -> bool {
    let behind = mv.trim_start_matches(|letter: char| letter.is_ascii_digit());
    behind.len() < mv.len() && behind.starts_with('.')
}

fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        if width > 0 {
            // A line that begins so would be one for programs.
            let fits = width + 1 + length <= WIDTH || word.starts_with('%');
            text.push(if fits { ' ' } else { '\n' });
            width = if fits { width + 1 } else { 0 };
        }
        text.push_str(word);
        width += length;
    }
    text
}

/// What stands in a tag: quotes, backslashes and line ends with a backslash, other controls as `\x1b`.
fn escaped(content: &str) -> String {
    let mut text = String::with_capacity(content.len());
    for letter in content.chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            '\n' => text.push_str("\\n"),
            // None of them takes more than two digits.
            letter if letter.is_control() => {
                text.push_str(&format!("\\x{:02x}", u32::from(letter)));
            }
            letter => text.push(letter),
        }
    }
    text
}

/// What is said of a move: fields parted by commas.
struct Comment<'a>(&'a MoveRecord);

impl fmt::Display for Comment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MoveRecord {
            info: SearchInfo { score, depth, nodes },
            time,
            over,
            value: worth,
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
        if let Some(worth) = worth {
            write!(f, ", worth {worth}")?;
        }
        if let Some(best) = best {
            write!(f, ", best {best}")?;
        }
        Ok(())
    }
}

/// Reads the games of a record one by one.
#[derive(Debug)]
pub struct PgnReader<R> {
    input: R,
    line: usize,
    /// Bytes of whole games so far, with the lines for programs among them.
    whole: u64,
    /// The last line for programs.
    remark: Option<String>,
}

impl<R: BufRead> PgnReader<R> {
    /// Reads from `input`.
    pub fn new(input: R) -> Self {
        Self { input, line: 0, whole: 0, remark: None }
    }

    /// The length of the part of the file that ends with the last whole game that was read.
    #[must_use]
    pub fn whole_bytes(&self) -> u64 {
        self.whole
    }

    /// The last line for programs so far, its `%` included.
    #[must_use]
    pub fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }

    /// The next game; `None` at the end, or where the rest is a game that was torn off.
    ///
    /// # Errors
    /// When the file cannot be read or a whole game makes no sense.
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
                self.remark = Some(line.to_owned());
            }
            match line {
                _ if text.is_empty() && (line.is_empty() || line.starts_with('%')) => {
                    first_line = self.line + 1;
                    self.whole += length;
                    length = 0;
                }
                _ if line.starts_with('%') => {}
                "" if in_moves => break,
                _ => {
                    in_moves |= !line.is_empty() && !line.starts_with('[');
                    text.push_str(line);
                    text.push('\n');
                    if text.len() > LONGEST {
                        let reason = "a game without end, expected a blank line behind its moves";
                        let reason = reason.to_owned();
                        return Err(RecordError::Game { line: first_line, reason });
                    }
                }
            }
        }
        let game = read_game(&text, first_line)?;
        self.whole += length;
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

const A_TAG: &str = "a tag, as [Result \"1-0\"]";

/// One game: its tags and its moves.
fn read_game(text: &str, first_line: usize) -> Result<GameRecord, RecordError> {
    let wrong = |rest: &str, reason: String| {
        let before = &text[..text.len() - rest.len()];
        let before = if rest.is_empty() { before.trim_end() } else { before };
        RecordError::Game { line: first_line + before.matches('\n').count(), reason }
    };
    let unreadable = |rest: &str, expected: &str| {
        let found = rest.split_whitespace().next().map_or("nothing".to_owned(), quote);
        wrong(rest, format!("{found} found, expected {expected}"))
    };
    let (rest, tags) = many0(terminated(read_tag, multispace0))
        .parse(text)
        .map_err(|_| unreadable(text, A_TAG))?;
    if rest.starts_with('[') {
        // What is left of a tag is no move.
        return Err(unreadable(rest, A_TAG));
    }
    let (rest, moves) =
        many0(parse_move).parse(rest).map_err(|_| unreadable(rest, "a move or a result"))?;
    let (rest, ending) = read_ending(rest)
        .map_err(|_| unreadable(rest.trim_start(), "a move with its comment, or the result"))?;
    if !rest.trim().is_empty() {
        return Err(unreadable(rest.trim_start(), "nothing behind the result"));
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
        termination: Termination::Normal,
        reason: String::new(),
        limits: Default::default(),
        started: 0,
        broken_claims: Vec::new(),
        stderr: None,
        tags: Vec::new(),
    };
    for (name, content) in tags {
        take_tag(&mut game, &name, content).map_err(|reason| wrong(text, reason))?;
    }
    if game.game.is_empty() {
        return Err(wrong(text, "no tag Game, expected [Game \"…\"]".to_owned()));
    }
    Ok(game)
}

fn take_tag(game: &mut GameRecord, name: &str, content: String) -> Result<(), String> {
    let number = |what: &str| {
        what.parse::<u32>().map_err(|_| format!("{} in tag {name}, expected a number", quote(what)))
    };
    match name {
        "Game" => game.game = content,
        "Number" => game.number = number(&content)?,
        "Round" => game.round = number(&content)?,
        "Pair" => game.pair = number(&content)?,
        "Started" => {
            game.started = super::read_clock_time(&content).ok_or_else(|| {
                format!("{} in tag Started, expected 2000-01-31T12:00:00Z", quote(&content))
            })?;
        }
        "White" => game.players[0] = content,
        "Black" => game.players[1] = content,
        "FEN" => game.fen = content,
        "Begins" => game.second_begins = content == "Black",
        "Result" if read_result(&content) != Some(game.result) => {
            return Err(format!(
                "{} in tag Result, expected {} as behind the moves",
                quote(&content),
                result_text(game.result)
            ));
        }
        "Termination" => {
            let is_it = |termination: &Termination| termination.word() == content;
            game.termination = Termination::ALL.into_iter().find(is_it).ok_or_else(|| {
                let words = Termination::ALL.map(Termination::word).join(" ");
                format!("{} in tag Termination, expected one of: {words}", quote(&content))
            })?;
        }
        "Reason" => game.reason = content,
        "WhiteLimits" => game.limits[0] = content,
        "BlackLimits" => game.limits[1] = content,
        "BrokenClaim" => game.broken_claims.push(content),
        "Stderr" => game.stderr = Some(content),
        "Result" => {}
        _ => game.tags.push((name.to_owned(), content)),
    }
    Ok(())
}

/// `[Name "content"]`.
fn read_tag(input: &str) -> Parsed<'_, (String, String)> {
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

/// A move number, if it stands there; a move; its marks and its comment.
fn parse_move(input: &str) -> Parsed<'_, MoveRecord> {
    let number = (digit1, take_while1(|letter| letter == '.'), multispace0);
    let word = take_till(|letter: char| letter.is_whitespace() || letter == '{');
    let mv = map_opt(word, |word: &str| {
        let plain = word.trim_end_matches(['!', '?']);
        (!plain.is_empty() && read_result(plain).is_none()).then(|| plain.to_owned())
    });
    let mark = (multispace0, char('$'), digit1);
    let comment = delimited(char('{'), opt(is_not("}")), char('}'));
    let (rest, mv) = preceded((multispace0, opt(number)), mv).parse(input)?;
    let (rest, _) = many0(mark).parse(rest)?;
    let (rest, comment) = opt(preceded(multispace0, comment)).parse(rest)?;
    let mut record = MoveRecord { mv, ..MoveRecord::default() };
    for field in comment.flatten().unwrap_or_default().split(',') {
        take_field(&mut record, &field.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    Ok((rest, record))
}

fn read_ending(input: &str) -> Parsed<'_, Option<crate::rules::Outcome>> {
    let word = take_till(char::is_whitespace);
    preceded(multispace0, map_opt(word, read_result)).parse(input)
}

/// One field of a comment; what it is shows in its form.
fn take_field(record: &mut MoveRecord, field: &str) {
    if let Ok((_, (thought, time))) = all_consuming(read_thought).parse(field) {
        record.info.score = thought.0;
        record.info.depth = thought.1;
        record.time = time;
    } else if let Some(nodes) = field.strip_suffix(" nodes") {
        record.info.nodes = nodes.parse().ok();
    } else if let Some(over) = field.strip_suffix(" over") {
        record.over = all_consuming(read_seconds).parse(over).ok().map(|(_, seconds)| seconds);
    } else if let Some(worth) = field.strip_prefix("worth ") {
        record.value = read_worth(worth);
    } else if let Some(best) = field.strip_prefix("best ") {
        record.best = read_worth(best);
    }
}

type ScoreAndDepth = (Option<EngineScore>, Option<u32>);

/// `+0.35/12 0.1002s`, each part but the time as far as it is there.
fn read_thought(input: &str) -> Parsed<'_, (ScoreAndDepth, Seconds)> {
    let depth = preceded(char('/'), read_number);
    let (rest, thought) = (opt(read_score), opt(depth)).parse(input)?;
    let (rest, time) = preceded(multispace0, read_seconds).parse(rest)?;
    Ok((rest, (thought, time)))
}

fn read_number<T: std::str::FromStr>(input: &str) -> Parsed<'_, T> {
    map_res(digit1, str::parse).parse(input)
}

fn read_seconds(input: &str) -> Parsed<'_, Seconds> {
    let number = map_res(recognize((digit1, char('.'), digit1)), str::parse);
    map_opt(terminated(number, char('s')), Seconds::written).parse(input)
}

/// A sign as a factor. Numbers are wider than what they are read for, which reaches further down
/// than up.
fn read_sign(input: &str) -> Parsed<'_, i64> {
    one_of("+-").map(|sign| if sign == '-' { -1 } else { 1 }).parse(input)
}

/// `+0.35`, as hundredths.
fn read_points(input: &str) -> Parsed<'_, i32> {
    let hundredths = map_opt(digit1, |digits: &str| {
        (digits.len() == 2).then(|| digits.parse::<i64>().ok()).flatten()
    });
    let number = (read_sign, separated_pair(read_number::<u32>, char('.'), hundredths));
    map_opt(number, |(sign, (units, hundredths))| {
        i32::try_from(sign * (i64::from(units) * 100 + hundredths)).ok()
    })
    .parse(input)
}

fn read_score(input: &str) -> Parsed<'_, EngineScore> {
    let number = separated_pair(read_sign, char('M'), read_number::<u32>);
    let mate = map_opt(number, |(sign, plies)| i32::try_from(sign * i64::from(plies)).ok());
    alt((mate.map(EngineScore::Mate), read_points.map(EngineScore::Cp))).parse(input)
}

/// Reads what a [`MoveValue`] writes.
pub(super) fn read_worth(text: &str) -> Option<MoveValue> {
    let plies = |word| preceded((tag(word), space1), read_number::<u16>);
    let proven = alt((
        tag("draw").map(|_| ExactValue::Draw),
        plies("win").map(ExactValue::Win),
        plies("loss").map(ExactValue::Loss),
    ));
    let worth = alt((proven.map(MoveValue::Proven), read_points.map(MoveValue::Estimated)));
    all_consuming(worth).parse(text).ok().map(|(_, worth)| worth)
}

impl MoveRecord {
    /// Whether the move is known to have thrown a better value away: a win for a draw or a loss, a
    /// draw for a loss.
    #[must_use]
    pub fn is_blunder(&self) -> bool {
        let proven = |worth: Option<MoveValue>| match worth {
            Some(MoveValue::Proven(exact)) => Some(exact.value()),
            _ => None,
        };
        let lost = |(worth, best): (Value, Value)| worth < best;
        proven(self.value).zip(proven(self.best)).is_some_and(lost)
    }
}
