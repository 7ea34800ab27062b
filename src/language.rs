//! The languages of texts for people, and the table of texts of each.
//!
//! A text is one line in `data/texts.en.json` and one in `data/texts.zh.json`, under the same key. Terminal, server
//! and page read the same tables. `{name}` is a placeholder, `{Name}` the same with a capital letter, and
//! `{count|move|moves}` the singular if `count` is 1; `fill` in `browser/dom.js` does the same. A key that ends with `.you` addresses the user. An
//! English text `{error}` stands for the program's own message.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::printing::quote;

/// The tables as JSON, in the order of [`Language::ALL`]: a text, or a list of lines, by its key.
pub const TABLES: [&str; 2] =
    [include_str!("../data/texts.en.json"), include_str!("../data/texts.zh.json")];

static TEXTS: LazyLock<[HashMap<String, String>; 2]> = LazyLock::new(|| TABLES.map(parse));

/// What fills the placeholders of a text.
pub type Values<'a> = [(&'a str, &'a dyn Display)];

#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Text(String),
    Lines(Vec<String>),
}

fn parse(table: &str) -> HashMap<String, String> {
    let entries: HashMap<String, Entry> = serde_json::from_str(table).unwrap_or_default();
    let to_text = |entry| match entry {
        Entry::Text(text) => text,
        Entry::Lines(lines) => lines.join("\n"),
    };
    entries.into_iter().map(|(key, entry)| (key, to_text(entry))).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    #[default]
    English,
    Chinese,
}

/// A text in every language, in the order of [`Language::ALL`].
pub type Localized<T = &'static str> = [T; Language::ALL.len()];

impl Language {
    pub const ALL: [(&'static str, Self); 2] = [("en", Self::English), ("zh", Self::Chinese)];

    /// The language of a locale such as `zh_CN.UTF-8`; English if it is not supported or the
    /// encoding is not UTF-8.
    pub fn from_locale(locale: &str) -> Self {
        let (name, encoding) = locale.split_once('.').unwrap_or((locale, "UTF-8"));
        let is_utf8 = encoding
            .replace('-', "")
            .get(..4)
            .is_some_and(|start| start.eq_ignore_ascii_case("utf8"));
        let has_code = |(code, _): &&(&str, Self)| {
            name.get(..code.len()).is_some_and(|start| start.eq_ignore_ascii_case(code))
        };
        let found = Self::ALL.iter().find(has_code).filter(|_| is_utf8);
        found.map_or_else(Self::default, |(_, language)| *language)
    }

    pub fn code(self) -> &'static str {
        Self::ALL[self as usize].0
    }

    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.iter().find(|(own, _)| *own == code).map(|(_, language)| *language)
    }

    pub fn text(self, key: &str) -> &'static str {
        let text = TEXTS[self as usize].get(key);
        debug_assert!(text.is_some(), "no text {key}");
        text.map_or("", String::as_str)
    }

    pub(crate) fn has_text(self, key: &str) -> bool {
        TEXTS[self as usize].contains_key(key)
    }

    /// The text with this key, its placeholders replaced by `values`.
    pub fn fill(self, key: &str, values: &Values<'_>) -> String {
        fill(self.text(key), values)
    }

    /// The texts of the tournament report by the English ones, which its scripts contain; none in English.
    pub fn report_texts(self) -> Vec<(&'static str, &'static str)> {
        let texts = TEXTS[self as usize].iter();
        texts
            .filter_map(|(key, text)| Some((key.strip_prefix("report.")?, text.as_str())))
            .collect()
    }

    /// A typed text or file name in quotation marks, its control characters escaped.
    pub fn quote(self, text: &str) -> String {
        let quoted = quote(text);
        match self {
            Self::English => quoted,
            Self::Chinese => format!("“{}”", &quoted[1..quoted.len() - 1]),
        }
    }

    /// Joins sentences: with spaces where the language has them.
    pub fn join_sentences(self, sentences: &[String]) -> String {
        match self {
            Self::English => sentences.join(" "),
            Self::Chinese => sentences.concat(),
        }
    }

    pub fn pick<T: Clone>(self, texts: &Localized<T>) -> T {
        texts[self as usize].clone()
    }
}

/// Replaces the placeholders of a text by `values`.
pub fn fill(text: &str, values: &Values<'_>) -> String {
    let filled = replace_placeholders(text, |place| Some(replacement(place, values)));
    filled.unwrap_or_default()
}

/// Replaces each `{…}` of a text; `None` if one of them has no replacement. What is inserted is not
/// searched for placeholders.
pub(crate) fn replace_placeholders(
    text: &str,
    mut replacement: impl FnMut(&str) -> Option<String>,
) -> Option<String> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, (place, after))) =
        rest.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    {
        filled += before;
        filled += &replacement(place)?;
        rest = after;
    }
    Some(filled + rest)
}

/// What a placeholder stands for.
fn replacement(place: &str, values: &Values<'_>) -> String {
    let (name, words) = place.split_once('|').unwrap_or((place, ""));
    let value = values.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
    debug_assert!(value.is_some(), "no value for {place}");
    let value = value.map_or(String::new(), |(_, value)| value.to_string());
    match words.split_once('|') {
        Some((singular, plural)) => if value == "1" { singular } else { plural }.to_owned(),
        None if name.starts_with(char::is_uppercase) => capitalized(&value),
        None => value,
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn placeholders_are_replaced() {
        let english = |key, values: &Values<'_>| Language::English.fill(key, values);
        assert_eq!(english("command.undone", &[("count", &1)]), "Took back 1 move.");
        assert_eq!(english("command.undone", &[("count", &2)]), "Took back 2 moves.");
        let values: &Values<'_> = &[("player", &"you"), ("move", &"{move}")];
        assert_eq!(english("status.lastMove", values), "You played {move}.");
        assert_eq!(Language::Chinese.quote("a\"b"), "“a\\\"b”");
    }

    #[test]
    fn every_language_has_every_text_with_the_same_placeholders() {
        let places = |text: &str| -> BTreeSet<String> {
            let places = text.split('{').skip(1).filter_map(|rest| rest.split(['}', '|']).next());
            places.map(str::to_lowercase).collect()
        };
        let [english, chinese] = &*TEXTS;
        let keys = |table: &HashMap<String, String>| -> BTreeSet<String> {
            table.keys().cloned().collect()
        };
        assert!(english.len() > 300, "the tables are empty");
        for (source, table) in TABLES.iter().zip(&*TEXTS) {
            let lines = source.lines().filter(|line| line.starts_with("  \""));
            assert_eq!(lines.count(), table.len(), "a key stands twice");
        }
        let mut of_chinese = keys(chinese);
        of_chinese.retain(|key| !key.starts_with("report."));
        assert_eq!(keys(english), of_chinese);
        for (key, text) in english.iter().filter(|(_, text)| *text != "{error}") {
            assert_eq!(places(text), places(&chinese[key]), "{key}");
        }
    }

    #[test]
    fn the_order_of_localized_texts_is_that_of_the_list() {
        for (index, (code, language)) in Language::ALL.into_iter().enumerate() {
            assert_eq!((language as usize, language.code()), (index, code));
        }
        assert_eq!(Language::Chinese.pick(&["win", "胜"]), "胜");
    }

    #[test]
    fn the_locale_selects_the_language() {
        for (locale, language) in [
            ("zh_CN.UTF-8", Language::Chinese),
            ("ZH", Language::Chinese),
            ("zh_TW.utf8@radical", Language::Chinese),
            ("zh_CN.GBK", Language::English),
            ("en_GB", Language::English),
            ("C", Language::English),
            ("", Language::English),
            ("汉", Language::English),
        ] {
            assert_eq!(Language::from_locale(locale), language, "{locale}");
        }
    }
}
