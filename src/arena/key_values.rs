//! Words of the form `KEY=VALUE`, from the command line or a file, that know where they stand.
//!
//! What a word means is said by who reads its group; what is wrong with it is shown in its place.
//! Imports nothing.

use std::fmt::Display;

/// Some words that belong together: those behind one `--engine`, or one table of a file.
#[derive(Debug, Clone, Default)]
pub struct KeyValues {
    words: Vec<KeyValue>,
}

/// A key, its value and where they stand.
#[derive(Debug, Clone)]
struct KeyValue {
    key: String,
    value: String,
    place: SourceLocation,
}

/// A line somebody wrote, and where in it a word begins.
#[derive(Debug, Clone, Default)]
struct SourceLocation {
    line: String,
    column: usize,
}

/// What may be wrong with a word.
#[derive(Debug, Clone)]
pub enum Rejection {
    /// There is no such key; these there are.
    UnknownKey(&'static [&'static str]),
    /// The value should be something else.
    Expected(String),
    /// The group lacks something, or its words do not go together.
    Message(String),
}

impl Rejection {
    /// A value that should have been this.
    pub fn expected(expected: impl Display) -> Self {
        Self::Expected(expected.to_string())
    }
}

/// A word that makes no sense, shown where it stands.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{reason}\n    {line}\n    {:column$}{}", "", "^".repeat(*width))]
pub struct KeyValueError {
    reason: String,
    line: String,
    column: usize,
    width: usize,
}

impl KeyValues {
    /// The words behind a flag of the command line.
    ///
    /// # Errors
    /// When one has no `=`.
    pub fn from_arguments(flag: &str, arguments: &[String]) -> Result<Self, KeyValueError> {
        let shown =
            |word: &String| if word.contains(' ') { format!("'{word}'") } else { word.clone() };
        let line = [flag.to_owned()].into_iter().chain(arguments.iter().map(shown));
        let line = line.collect::<Vec<_>>().join(" ");
        let mut column = flag.chars().count() + 1;
        let mut words = Vec::new();
        for argument in arguments {
            let quote = usize::from(argument.contains(' '));
            let place = SourceLocation { line: line.clone(), column: column + quote };
            column += argument.chars().count() + 2 * quote + 1;
            let Some((key, value)) = argument.split_once('=') else {
                let reason = format!("\"{argument}\" behind {flag}, expected KEY=VALUE");
                return Err(place.error(reason, 0, argument));
            };
            words.push(KeyValue { key: key.to_owned(), value: value.to_owned(), place });
        }
        Ok(Self { words })
    }

    /// A group of one more word; `line` is what stands in the file, for messages.
    pub fn push(&mut self, key: &str, value: String, line: &str) {
        let column = line.find(key).map_or(0, |at| line[..at].chars().count());
        let place = SourceLocation { line: line.to_owned(), column };
        self.words.push(KeyValue { key: key.to_owned(), value, place });
    }

    /// Hands each word to `take`; what that finds wrong is shown in its place.
    ///
    /// # Errors
    /// The first that is wrong.
    pub fn read(
        &self,
        mut take: impl FnMut(&str, &str) -> Result<(), Rejection>,
    ) -> Result<(), KeyValueError> {
        for (number, word) in self.words.iter().enumerate() {
            let KeyValue { key, value, place } = word;
            if self.words[..number].iter().any(|before| before.key == *key) {
                return Err(place.error(format!("{key} is given twice"), 0, key));
            }
            if value.chars().any(char::is_control) {
                let reason = format!("{key} holds a control character, expected plain text");
                return Err(place.error(reason, 0, key));
            }
            take(key, value).map_err(|wrong| match wrong {
                Rejection::UnknownKey(known) => {
                    let known = known.join(" ");
                    place.error(format!("unknown key \"{key}\", expected one of: {known}"), 0, key)
                }
                Rejection::Expected(expected) => {
                    let reason = format!("\"{value}\" for {key}, expected {expected}");
                    place.error(reason, key.chars().count() + 1, value)
                }
                Rejection::Message(reason) => place.error(reason, 0, key),
            })?;
        }
        Ok(())
    }

    /// The error of a group that lacks something: points at its beginning.
    #[must_use]
    pub fn lacks(&self, flag: &str, reason: &str) -> KeyValueError {
        let place =
            self.words.first().map(|word| SourceLocation { column: 0, ..word.place.clone() });
        let place = place.unwrap_or(SourceLocation { line: flag.to_owned(), column: 0 });
        let width = place.line.split(' ').next().unwrap_or_default().to_owned();
        place.error(reason.to_owned(), 0, &width)
    }
}

impl SourceLocation {
    fn error(&self, reason: String, offset: usize, pointed_at: &str) -> KeyValueError {
        // In a file, blanks and quotes may stand between the key and its value.
        let behind = self.line.chars().skip(self.column + offset).collect::<String>();
        let skipped = match behind.find(pointed_at) {
            Some(at) if offset > 0 => behind[..at].chars().count(),
            _ => 0,
        };
        KeyValueError {
            reason,
            line: self.line.replace(char::is_control, "\u{fffd}"),
            column: self.column + offset + skipped,
            width: pointed_at.chars().count().max(1),
        }
    }
}

/// Reads a value that has a fixed set of words.
///
/// # Errors
/// When it is none of them.
pub fn parse_choice<T: Copy>(value: &str, words: &[(&str, T)]) -> Result<T, Rejection> {
    let known = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" or ");
    words
        .iter()
        .find(|(word, _)| *word == value)
        .map(|(_, meaning)| *meaning)
        .ok_or_else(|| Rejection::Expected(known()))
}

/// Reads `true` or `false`.
///
/// # Errors
/// When it is neither.
pub fn parse_bool(value: &str) -> Result<bool, Rejection> {
    parse_choice(value, &[("true", true), ("false", false)])
}

/// Reads a number that passes a test.
///
/// # Errors
/// When it is none or does not pass.
pub fn parse_number<T: std::str::FromStr>(
    value: &str,
    expected: impl Display,
    fits: impl Fn(&T) -> bool,
) -> Result<T, Rejection> {
    value.parse().ok().filter(fits).ok_or_else(|| Rejection::expected(expected))
}
