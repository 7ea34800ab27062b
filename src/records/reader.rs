//! Reads the games of a file one by one, from text or from JSON lines.

use std::io::{self, BufRead};

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::pgn::{PartialGame, RecordError, parse_game};
use super::{GameRecord, MAX_LENGTH, SCHEMA, read_line};

/// The format of a file of games. Both start with a header line that holds the settings of a
/// tournament as JSON, if it is the record of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFormat {
    /// Text that resembles PGN.
    Text,
    Json,
}

/// A line of JSON, tagged with its type and schema version.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum JsonLine<S, G> {
    Tournament {
        schema: u32,
        setup: S,
    },
    Game {
        schema: u32,
        #[serde(flatten)]
        game: G,
    },
}

impl RecordFormat {
    /// Detects the format from the first bytes of a file.
    pub fn detect(start: &[u8]) -> Self {
        if start.first() == Some(&b'{') { Self::Json } else { Self::Text }
    }

    /// Returns the start of a header line. The JSON of the header follows in text, and includes it in
    /// JSON lines.
    pub fn header_start(self) -> &'static str {
        match self {
            Self::Text => "% zermelo-match ",
            Self::Json => "{\"type\":\"tournament\"",
        }
    }

    /// Returns the JSON of a header line; `None` if the line is something else.
    pub fn header_json(self, line: &str) -> Option<&str> {
        let json = line.strip_prefix(self.header_start())?;
        Some(if self == Self::Text { json } else { line })
    }

    /// Returns the header line of a tournament with these settings.
    pub fn header<S: Serialize>(self, setup: &S) -> String {
        let line = JsonLine::<_, ()>::Tournament { schema: SCHEMA, setup }.to_text();
        match self {
            // The blank line separates the header from the first game.
            Self::Text => format!("{}{line}\n", self.header_start()),
            Self::Json => line,
        }
    }

    /// Returns a game as it is written to the file.
    pub fn game(self, game: &GameRecord) -> String {
        match self {
            Self::Text => game.to_pgn(),
            Self::Json => JsonLine::<(), _>::Game { schema: SCHEMA, game }.to_text(),
        }
    }
}

impl<S: Serialize, G: Serialize> JsonLine<S, G> {
    fn to_text(&self) -> String {
        // Serializing plain data does not fail.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// Reads the games of a file one by one.
#[derive(Debug)]
pub struct GameReader<R> {
    input: R,
    /// Set when the first line is read.
    format: Option<RecordFormat>,
    line: usize,
    /// Length up to the end of the last complete game, including headers and comments.
    complete_bytes: u64,
    header: Option<String>,
    /// The beginning of the last invalid game.
    partial: Option<PartialGame>,
}

impl<R: BufRead> GameReader<R> {
    pub fn new(input: R) -> Self {
        Self { input, format: None, line: 0, complete_bytes: 0, header: None, partial: None }
    }

    /// Returns the format, which the first byte tells. Fails if the input cannot be read.
    pub fn format(&mut self) -> io::Result<RecordFormat> {
        if let Some(format) = self.format {
            return Ok(format);
        }
        let format = RecordFormat::detect(self.input.fill_buf()?);
        self.format = Some(format);
        Ok(format)
    }

    /// Returns the length of the input up to the end of the last complete game read.
    pub fn complete_bytes(&self) -> u64 {
        self.complete_bytes
    }

    pub fn header(&self) -> Option<&str> {
        self.header.as_deref()
    }

    /// Returns what could be read of the last invalid game; `None` if not even its name.
    pub fn take_partial(&mut self) -> Option<PartialGame> {
        self.partial.take()
    }

    /// Returns the next game; `None` at the end of the input or if the rest is an incomplete game.
    /// Fails if the input cannot be read or a complete game is invalid.
    pub fn next_game(&mut self) -> Result<Option<GameRecord>, RecordError> {
        match self.format()? {
            RecordFormat::Text => self.next_text(),
            RecordFormat::Json => self.next_json(),
        }
    }

    fn next_text(&mut self) -> Result<Option<GameRecord>, RecordError> {
        let mut text = String::new();
        let mut length = 0;
        let mut first_line = self.line + 1;
        let mut in_moves = false;
        loop {
            let mut bytes = Vec::new();
            length += self.read_line(&mut bytes)?;
            if bytes.pop_if(|byte| *byte == b'\n').is_none() {
                return Ok(None);
            }
            let line = String::from_utf8_lossy(&bytes);
            let line = line.trim_end_matches('\r');
            // Editors may start a file with a byte order mark.
            let line = if self.line == 1 { line.trim_start_matches('\u{feff}') } else { line };
            let is_comment = line.starts_with('%');
            if let Some(header) = RecordFormat::Text.header_json(line) {
                self.header = Some(header.to_owned());
            }
            if text.is_empty() && (line.is_empty() || is_comment) {
                first_line = self.line + 1;
                self.complete_bytes += length;
                length = 0;
            } else if line.is_empty() && in_moves {
                break;
            } else if !is_comment {
                in_moves |= !line.is_empty() && !line.starts_with('[');
                text.push_str(line);
                text.push('\n');
                if text.len() > MAX_LENGTH {
                    let reason = "game too long, expected a blank line after its moves";
                    return Err(RecordError::Game { line: first_line, reason: reason.to_owned() });
                }
            }
        }
        let (partial, error) = parse_game(&text, first_line);
        if let Some(error) = error {
            self.partial = Some(partial).filter(|partial| !partial.game.game.is_empty());
            return Err(error);
        }
        self.complete_bytes += length;
        Ok(Some(partial.game))
    }

    fn next_json(&mut self) -> Result<Option<GameRecord>, RecordError> {
        loop {
            let mut bytes = Vec::new();
            let length = self.read_line(&mut bytes)?;
            if bytes.pop_if(|byte| *byte == b'\n').is_none() {
                return Ok(None);
            }
            let line = String::from_utf8_lossy(&bytes);
            let fail = |reason| Err(RecordError::Game { line: self.line, reason });
            let game = match serde_json::from_str::<JsonLine<IgnoredAny, GameRecord>>(&line) {
                _ if line.trim().is_empty() => None,
                Ok(JsonLine::Game { schema: SCHEMA, game }) => Some(game),
                Ok(JsonLine::Game { .. }) => {
                    return fail(format!("not a game of schema version {SCHEMA}"));
                }
                Err(error) if RecordFormat::Json.header_json(&line).is_none() => {
                    return fail(describe_json_error(&error));
                }
                // Who uses the header says what is wrong with it.
                Ok(JsonLine::Tournament { .. }) | Err(_) => {
                    self.header = Some(line.into_owned());
                    None
                }
            };
            self.complete_bytes += length;
            if game.is_some() {
                return Ok(game);
            }
        }
    }

    /// Reads a line with its line break, if there is one; returns its length.
    fn read_line(&mut self, line: &mut Vec<u8>) -> io::Result<u64> {
        let read = read_line(&mut self.input, line)?;
        self.line += 1;
        Ok(read as u64)
    }
}

impl<R: BufRead> Iterator for GameReader<R> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_game().transpose()
    }
}

/// Describes why a line is not valid JSON; the caller names the line.
pub fn describe_json_error(error: &serde_json::Error) -> String {
    error.to_string().replace(" at line 1 column ", " at column ")
}
