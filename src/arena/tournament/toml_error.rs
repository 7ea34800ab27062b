//! Errors in TOML files, in the same form as errors in `KEY=VALUE` settings.

use std::fmt;

use crate::printing::{expected_names, is_printable, printable, quote};

/// What is wrong with a TOML file, with the line and a marker below the mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TomlError {
    reason: String,
    /// Where it is; `None` if the parser does not know.
    place: Option<TomlPlace>,
}

/// A marked part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TomlPlace {
    number: usize,
    line: String,
    column: usize,
    width: usize,
}

impl TomlError {
    pub(crate) fn new(text: &str, error: &toml::de::Error) -> Self {
        let Some((place, marked)) =
            error.span().and_then(|span| locate(text, span.start, span.end))
        else {
            return Self { reason: error.message().to_owned(), place: None };
        };
        let setting = place.line.split_once('=').map_or("", |(name, _)| name.trim());
        let reason = describe(error.message(), setting, marked);
        Self { reason, place: Some(place) }
    }
}

/// Finds the line with the mistake and returns the part of it that is marked.
fn locate(text: &str, start: usize, end: usize) -> Option<(TomlPlace, &str)> {
    let (before, after) = text.split_at_checked(start)?;
    let begin = before.rfind('\n').map_or(0, |at| at + 1);
    let line = text[begin..].lines().next().unwrap_or_default();
    let shown = line.trim_start();
    let indent = line.len() - shown.len();
    let marked = after.get(..end.saturating_sub(start))?.lines().next().unwrap_or_default();
    let place = TomlPlace {
        number: before.matches('\n').count() + 1,
        // One column for each character, so that the marker stays in place.
        line: shown.replace(|letter| !is_printable(letter), "\u{fffd}"),
        column: text[begin..start].chars().count().saturating_sub(indent),
        width: marked.chars().count().max(1),
    };
    Some((place, marked))
}

/// Puts the message of the parser into the words of the other errors.
fn describe(message: &str, setting: &str, marked: &str) -> String {
    let mut names = message.split('`').skip(1).step_by(2);
    let is_unknown = |kind: &str| message.starts_with(&format!("unknown {kind} "));
    if (is_unknown("field") || is_unknown("variant"))
        && let Some(found) = names.next()
    {
        let expected = expected_names(found, &names.collect::<Vec<_>>().join(" "), " ");
        return match is_unknown("field") {
            true => format!("unknown setting {}{expected}", quote(found)),
            false => format!("{} for {setting}{expected}", quote(found)),
        };
    }
    let is_value = ["invalid type", "invalid value"].iter().any(|start| message.starts_with(start));
    match message.rsplit_once(", expected ") {
        Some((_, expected)) if is_value => {
            let expected = match expected {
                "u16" => "a whole number from 0 to 65535",
                "u32" | "u64" => "a whole number from 0",
                "f64" => "a number",
                "a boolean" => "true or false",
                "path string" => "a string",
                "a sequence" => "a list",
                "a map" => "a table",
                other => other,
            };
            format!("{} for {setting}, expected {expected}", printable(marked))
        }
        _ => message.to_owned(),
    }
}

impl std::error::Error for TomlError {}

impl fmt::Display for TomlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reason, place } = self;
        let Some(TomlPlace { number, line, column, width }) = place else {
            return f.write_str(reason);
        };
        let marker = "^".repeat(*width);
        write!(f, "line {number}: {reason}\n    {line}\n    {:column$}{marker}", "")
    }
}
