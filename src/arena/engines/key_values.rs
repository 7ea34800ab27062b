//! `KEY=VALUE` settings from the command line. The type that reads a list decides which keys and values it accepts.

use std::fmt::Display;

use crate::printing::{expected_names, printable, quote};

/// The keys and values that follow one use of a flag.
#[derive(Debug, Clone, Default)]
pub struct KeyValues(Vec<(String, String)>);

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

/// What is wrong with the settings of a flag.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct KeyValueError(pub(crate) String);

impl KeyValues {
    /// Splits the arguments of a command-line flag into entries. Fails if an argument has no `=`.
    pub fn from_arguments(flag: &str, arguments: &[String]) -> Result<Self, KeyValueError> {
        let split = |argument: &String| match argument.split_once('=') {
            Some((key, value)) => Ok((key.to_owned(), value.to_owned())),
            None => {
                let argument = quote(argument);
                Err(KeyValueError(format!("{argument} after {flag}, expected KEY=VALUE")))
            }
        };
        arguments.iter().map(split).collect::<Result<_, _>>().map(Self)
    }

    /// Passes each key and value to `accept`.
    /// Fails at the first rejected, repeated or unprintable entry.
    pub(crate) fn for_each(
        &self,
        mut accept: impl FnMut(&str, &str) -> Result<(), Rejection>,
    ) -> Result<(), KeyValueError> {
        for (number, (key, value)) in self.0.iter().enumerate() {
            let name = printable(key);
            if self.0[..number].iter().any(|(earlier, _)| earlier == key) {
                return Err(KeyValueError(format!("{name} is given twice")));
            }
            if value.chars().any(char::is_control) {
                let reason = format!("{name} contains a control character, expected plain text");
                return Err(KeyValueError(reason));
            }
            accept(key, value).map_err(|rejection| {
                KeyValueError(match rejection {
                    Rejection::UnknownKey(known) => {
                        format!("unknown key {}{}", quote(key), expected_names(key, known, " "))
                    }
                    Rejection::Expected(expected) => {
                        format!("{} for {name}, expected {expected}", quote(value))
                    }
                    Rejection::Message(reason) => reason,
                })
            })?;
        }
        Ok(())
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
