//! The values in a report.

use serde_json::{Value as Json, json};

use super::reasons::{Reason, phrases};
use crate::language::{Language, Localized};
use crate::printing::{decimal, grouped, signed};
use crate::rules::{ExactValue, Value};

/// A value in a report.
#[derive(Debug, Clone, PartialEq)]
pub enum Datum {
    /// A count.
    Count(u64),
    /// A number too large for a count, printed as a power of ten.
    Size(f64),
    /// A measurement, and the number of decimals to print.
    Measure(f64, usize),
    /// A measurement printed with its sign, and the number of decimals.
    Signed(f64, usize),
    /// A text that is the same in all languages, such as a position or a move.
    Text(String),
    /// A word: its name in JSON, and the word in each language.
    Term(String, Localized<String>),
    /// A list.
    List(Vec<Datum>),
    /// Reasons for and against a move.
    Reasons(Vec<Reason>),
    /// Unknown or not applicable.
    Missing,
}

impl Datum {
    /// A list of texts.
    pub fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> Self {
        Self::List(items.into_iter().map(|item| Self::Text(item.to_string())).collect())
    }

    /// A list of counts.
    pub fn counts<T: Into<Self>>(items: impl IntoIterator<Item = T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }

    /// A word with its name in JSON.
    #[must_use]
    pub fn term(name: &str, words: Localized) -> Self {
        Self::Term(name.to_owned(), words.map(str::to_owned))
    }

    pub(super) fn json(&self) -> Json {
        match self {
            Self::Count(count) => json!(count),
            Self::Size(size) => json!(size),
            Self::Measure(measure, _) | Self::Signed(measure, _) => json!(measure),
            Self::Text(text) | Self::Term(text, _) => json!(text),
            Self::List(items) => items.iter().map(Self::json).collect(),
            Self::Reasons(reasons) => json!(reasons),
            Self::Missing => Json::Null,
        }
    }

    /// The value in a table.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::Count(count) => grouped(*count),
            Self::Size(size) => format!("{size:.1e}"),
            Self::Measure(measure, decimals) => decimal(*measure, *decimals),
            Self::Signed(measure, decimals) => signed(*measure, *decimals),
            Self::Text(text) => text.clone(),
            Self::Term(_, words) => language.pick(words),
            Self::List(items) if items.is_empty() => MISSING.to_owned(),
            Self::List(items) => Self::join(items, " ", language),
            Self::Reasons(reasons) => phrases::join(reasons, language),
            Self::Missing => MISSING.to_owned(),
        }
    }

    /// The value within a sentence.
    pub(super) fn in_sentence(&self, language: Language) -> String {
        match self {
            Self::List(items) => Self::join(items, language.pick(&[", ", "、"]), language),
            datum => datum.text(language),
        }
    }

    fn join(items: &[Self], separator: &str, language: Language) -> String {
        let items: Vec<String> = items.iter().map(|item| item.text(language)).collect();
        items.join(separator)
    }

    pub(super) fn is_number(&self) -> bool {
        matches!(self, Self::Count(_) | Self::Size(_) | Self::Measure(..) | Self::Signed(..))
    }
}

/// Stands for an unknown value or an empty list.
const MISSING: &str = "-";

impl From<u64> for Datum {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<u32> for Datum {
    fn from(count: u32) -> Self {
        Self::Count(count.into())
    }
}

impl From<u8> for Datum {
    fn from(count: u8) -> Self {
        Self::Count(count.into())
    }
}

impl From<usize> for Datum {
    fn from(count: usize) -> Self {
        Self::Count(count as u64)
    }
}

impl From<bool> for Datum {
    fn from(flag: bool) -> Self {
        if flag { Self::term("yes", ["yes", "是"]) } else { Self::term("no", ["no", "否"]) }
    }
}

impl From<Value> for Datum {
    fn from(value: Value) -> Self {
        Self::term(&value.to_string(), value_words(value))
    }
}

impl From<ExactValue> for Datum {
    fn from(exact: ExactValue) -> Self {
        let Some(plies) = exact.plies() else { return exact.value().into() };
        let [english, chinese] = value_words(exact.value());
        let words = [format!("{english} in {plies}"), format!("{chinese}（{plies} 步）")];
        Self::Term(exact.value().to_string(), words)
    }
}

/// The words for a value.
pub(super) fn value_words(value: Value) -> Localized {
    match value {
        Value::Win => ["win", "必胜"],
        Value::Draw => ["draw", "和棋"],
        Value::Loss => ["loss", "必败"],
    }
}

impl<T: Into<Datum>> From<Option<T>> for Datum {
    fn from(datum: Option<T>) -> Self {
        datum.map_or(Self::Missing, Into::into)
    }
}

impl From<&str> for Datum {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Datum {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}
