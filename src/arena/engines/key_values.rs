//! `KEY=VALUE` settings from the command line or a file.
//!
//! Each entry keeps the text it was written in, so that an error can show the line and underline
//! the mistake. The type that reads a list decides which keys and values it accepts.

use std::fmt::Display;

use serde::Deserialize;
use toml::{Spanned, Table, Value};

use crate::printing::{expected_names, is_printable, printable, quote};

/// The entries that follow one `--engine` flag, or one table of a file.
#[derive(Debug, Clone, Default)]
pub struct KeyValues {
    entries: Vec<KeyValue>,
    /// The place of the table in its file.
    start: usize,
}

/// A key, its value, the line where they were written and their column in it.
#[derive(Debug, Clone, Default)]
struct KeyValue {
    key: String,
    value: String,
    line: String,
    column: usize,
}

/// A table of a file. `KeyValues::locate` completes it.
impl<'de> Deserialize<'de> for KeyValues {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let table = Spanned::<Table>::deserialize(deserializer)?;
        Ok(Self::from_table(table.get_ref(), table.span().start))
    }
}

/// Why an entry is rejected.
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
        let mut column = flag.chars().count() + 1;
        let mut entries = Vec::new();
        for argument in arguments {
            let quotes = usize::from(argument.contains(' '));
            let (key, value) = argument.split_once('=').unwrap_or((argument, ""));
            let (key, value) = (key.to_owned(), value.to_owned());
            entries.push(KeyValue { key, value, line: line.clone(), column: column + quotes });
            column += argument.chars().count() + 2 * quotes + 1;
            if let (Some(entry), false) = (entries.last(), argument.contains('=')) {
                let reason = format!("{} after {flag}, expected KEY=VALUE", quote(argument));
                return Err(entry.error(reason, 0, argument));
            }
        }
        Ok(Self { entries, start: 0 })
    }

    /// Collects the entries of a table, nested ones with dotted keys. `start` is its place in the
    /// file.
    pub(crate) fn from_table(table: &Table, start: usize) -> Self {
        let mut entries = Self { entries: Vec::new(), start };
        entries.push_table("", table);
        entries
    }

    fn push_table(&mut self, prefix: &str, table: &Table) {
        for (key, value) in table {
            let key = format!("{prefix}{key}");
            match value {
                Value::Table(inner) => self.push_table(&format!("{key}."), inner),
                value => {
                    let value = to_argument(value);
                    self.entries.push(KeyValue { key, value, ..KeyValue::default() });
                }
            }
        }
    }

    /// Finds the lines of the entries in the text of their file, for error messages.
    pub(crate) fn locate(&mut self, text: &str) {
        let text = &text[self.start.min(text.len())..];
        for KeyValue { key, line: own_line, column, .. } in &mut self.entries {
            let last = key.rsplit('.').next().unwrap_or(key);
            // The line that starts with the key, or with the inline table that contains it.
            let has_key = |line: &&str| {
                let (before, _) = line.split_once('=').unwrap_or((line, ""));
                let name = before.trim();
                name == last
                    || name.ends_with(&format!(".{last}"))
                    || line.contains(&format!("{{ {last}"))
            };
            let found = text.lines().find(has_key);
            let line = found.or_else(|| text.lines().find(|line| line.contains(last)));
            let line = line.unwrap_or(last).trim();
            *column = line.find(key.as_str()).map_or(0, |at| line[..at].chars().count());
            line.clone_into(own_line);
        }
    }

    /// Passes each key and value to `accept` and locates what it rejects.
    /// Returns the first rejected, repeated or unprintable entry.
    pub(crate) fn for_each(
        &self,
        mut accept: impl FnMut(&str, &str) -> Result<(), Rejection>,
    ) -> Result<(), KeyValueError> {
        for (number, entry) in self.entries.iter().enumerate() {
            let KeyValue { key, value, .. } = entry;
            if self.entries[..number].iter().any(|earlier| earlier.key == *key) {
                return Err(entry.error(format!("{} is given twice", printable(key)), 0, key));
            }
            if value.chars().any(char::is_control) {
                let key_name = printable(key);
                let reason =
                    format!("{key_name} contains a control character, expected plain text");
                return Err(entry.error(reason, 0, key));
            }
            accept(key, value).map_err(|rejection| match rejection {
                Rejection::UnknownKey(known) => {
                    let reason =
                        format!("unknown key {}{}", quote(key), expected_names(key, known, " "));
                    entry.error(reason, 0, key)
                }
                Rejection::Expected(expected) => {
                    let reason =
                        format!("{} for {}, expected {expected}", quote(value), printable(key));
                    entry.error(reason, key.chars().count() + 1, value)
                }
                Rejection::Message(reason) => entry.error(reason, 0, key),
            })?;
        }
        Ok(())
    }

    /// An error about the list as a whole, such as a missing key; it marks the start of the line.
    pub(crate) fn error(&self, flag: &str, reason: &str) -> KeyValueError {
        let line = self.entries.first().map_or(flag, |entry| &entry.line).to_owned();
        let marked = line.split(' ').next().unwrap_or_default().to_owned();
        KeyValue { line, ..KeyValue::default() }.error(reason.to_owned(), 0, &marked)
    }
}

impl KeyValue {
    fn error(&self, reason: String, offset: usize, marked: &str) -> KeyValueError {
        // In a file, blanks and quotes may separate the key from its value.
        let rest = self.line.chars().skip(self.column + offset).collect::<String>();
        let skipped = match rest.find(marked) {
            Some(at) if offset > 0 => rest[..at].chars().count(),
            _ => 0,
        };
        KeyValueError {
            reason,
            // One column for each character, so that the marker stays in place.
            line: self.line.replace(|letter| !is_printable(letter), "\u{fffd}"),
            column: self.column + offset + skipped,
            width: marked.chars().count().max(1),
        }
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

/// Returns a value as it would be written on the command line.
pub(crate) fn to_argument(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => join_words(&items.iter().map(to_argument).collect::<Vec<_>>()),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(boolean) => boolean.to_string(),
        Value::Datetime(datetime) => datetime.to_string(),
        Value::Table(_) => String::new(),
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
