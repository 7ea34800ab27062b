//! `KEY=VALUE` settings from the command line.
//!
//! Each entry keeps the text it was written in, so that an error can show the line and underline
//! the mistake. The type that reads a list decides which keys and values it accepts.

use std::fmt::Display;

use crate::printing::{expected_names, is_printable, printable, quote};

/// The entries that follow one use of a flag.
#[derive(Debug, Clone, Default)]
pub struct KeyValues {
    /// The flag and its arguments as they were typed.
    line: String,
    entries: Vec<KeyValue>,
}

#[derive(Debug, Clone)]
struct KeyValue {
    key: String,
    value: String,
    /// Its column in the line.
    column: usize,
}

#[derive(Debug, Clone)]
pub enum Rejection {
    /// The key does not exist; holds the accepted keys, separated by blanks.
    UnknownKey(&'static str),
    /// The value is invalid; describes what is accepted.
    Expected(String),
    /// Anything else, as a complete message.
    Message(String),
}

impl Rejection {
    /// An invalid value; `expected` describes what is accepted.
    pub(crate) fn expected(expected: impl Display) -> Self {
        Self::Expected(expected.to_string())
    }
}

/// An invalid entry, shown in its line with a marker below it.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{reason}\n    {line}\n    {:column$}{}", "", "^".repeat(*width))]
pub struct KeyValueError {
    reason: String,
    line: String,
    column: usize,
    width: usize,
}

impl KeyValues {
    /// Splits the arguments of a command-line flag into entries.
    ///
    /// # Errors
    /// Fails if an argument has no `=`.
    pub fn from_arguments(flag: &str, arguments: &[String]) -> Result<Self, KeyValueError> {
        let mut line = flag.to_owned();
        for argument in arguments {
            let quote = if argument.contains(' ') { "'" } else { "" };
            line.push_str(&format!(" {quote}{argument}{quote}"));
        }
        let mut values = Self { line, entries: Vec::new() };
        let mut column = flag.chars().count() + 1;
        for argument in arguments {
            let quotes = usize::from(argument.contains(' '));
            let Some((key, value)) = argument.split_once('=') else {
                let reason = format!("{} after {flag}, expected KEY=VALUE", quote(argument));
                return Err(values.error_at(reason, column + quotes, argument));
            };
            let (key, value) = (key.to_owned(), value.to_owned());
            values.entries.push(KeyValue { key, value, column: column + quotes });
            column += argument.chars().count() + 2 * quotes + 1;
        }
        Ok(values)
    }

    /// Passes each key and value to `accept` and locates what it rejects.
    /// Returns the first rejected, repeated or unprintable entry.
    pub(crate) fn for_each(
        &self,
        mut accept: impl FnMut(&str, &str) -> Result<(), Rejection>,
    ) -> Result<(), KeyValueError> {
        for (number, entry) in self.entries.iter().enumerate() {
            let KeyValue { key, value, column } = entry;
            let at_key = |reason| self.error_at(reason, *column, key);
            if self.entries[..number].iter().any(|earlier| earlier.key == *key) {
                return Err(at_key(format!("{} is given twice", printable(key))));
            }
            if value.chars().any(char::is_control) {
                let key = printable(key);
                let reason = format!("{key} contains a control character, expected plain text");
                return Err(at_key(reason));
            }
            accept(key, value).map_err(|rejection| match rejection {
                Rejection::UnknownKey(known) => {
                    let expected = expected_names(key, known, " ");
                    at_key(format!("unknown key {}{expected}", quote(key)))
                }
                Rejection::Expected(expected) => {
                    let reason =
                        format!("{} for {}, expected {expected}", quote(value), printable(key));
                    self.error_at(reason, column + key.chars().count() + 1, value)
                }
                Rejection::Message(reason) => at_key(reason),
            })?;
        }
        Ok(())
    }

    /// An error about the list as a whole, such as a missing key; it marks the flag.
    pub(crate) fn error(&self, flag: &str, reason: &str) -> KeyValueError {
        let line = if self.line.is_empty() { flag.to_owned() } else { self.line.clone() };
        Self { line, entries: Vec::new() }.error_at(reason.to_owned(), 0, flag)
    }

    fn error_at(&self, reason: String, column: usize, marked: &str) -> KeyValueError {
        // One column for each character, so that the marker stays in place.
        let line = self.line.replace(|letter| !is_printable(letter), "\u{fffd}");
        KeyValueError { reason, line, column, width: marked.chars().count().max(1) }
    }
}

/// Splits a command into words, as a shell does; on Windows a backslash is a letter. `None` if a quote is not closed.
pub(crate) fn split_words(text: &str) -> Option<Vec<String>> {
    if cfg!(windows) { shlex::split(&text.replace('\\', r"\\")) } else { shlex::split(text) }
}

/// Joins words so that [`split_words`] finds them again.
pub(crate) fn join_words(words: &[impl AsRef<str>]) -> String {
    let words = words.iter().map(AsRef::as_ref);
    if cfg!(windows) {
        let is_plain = |word: &str| !word.is_empty() && !word.contains([' ', '\t', '\'', '"']);
        let quote = |word: &str| match word {
            plain if is_plain(plain) => plain.to_owned(),
            quoting if quoting.contains('"') => format!("'{quoting}'"),
            other => format!("\"{other}\""),
        };
        words.map(quote).collect::<Vec<_>>().join(" ")
    } else {
        // Fails for null bytes only, which arguments do not contain.
        shlex::try_join(words).unwrap_or_default()
    }
}

/// Parses a value out of a fixed set of names.
/// Fails if `value` is not one of the names.
pub(crate) fn parse_choice<T: Copy>(value: &str, choices: &[(&str, T)]) -> Result<T, Rejection> {
    let names = || choices.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" or ");
    choices
        .iter()
        .find(|(name, _)| *name == value)
        .map(|(_, choice)| *choice)
        .ok_or_else(|| Rejection::Expected(names()))
}

/// Parses `true` or `false`.
/// Fails on anything else.
pub(crate) fn parse_bool(value: &str) -> Result<bool, Rejection> {
    parse_choice(value, &[("true", true), ("false", false)])
}

/// Parses a number that satisfies `is_valid`.
/// Fails if `value` is not a number or not a valid one.
pub(crate) fn parse_number<T: std::str::FromStr>(
    value: &str,
    expected: impl Display,
    is_valid: impl Fn(&T) -> bool,
) -> Result<T, Rejection> {
    value.parse().ok().filter(is_valid).ok_or_else(|| Rejection::expected(expected))
}

#[cfg(test)]
mod tests {
    use super::{join_words, split_words};

    #[test]
    fn joined_words_are_found_again() {
        let words = ["cmd.exe", r"C:\bots\my bot.py", r"\\server\x\", "", "it's", "\"x\"", "a\tb"];
        assert_eq!(split_words(&join_words(&words)).unwrap(), words);
        let typed = if cfg!(windows) { r"-u C:\bot.py" } else { r"-u C:\\bot.py" };
        assert_eq!(split_words(typed).unwrap(), ["-u", r"C:\bot.py"]);
        assert_eq!(split_words("\"open"), None);
    }
}
