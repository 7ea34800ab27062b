//! The named levels of the engine.

use super::messages::Language;
use crate::printing::{most_similar, quote};
use crate::search::Handicap;
use crate::thinking::Question;

/// A level with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedLevel {
    /// The level, 0 to 20.
    pub level: u32,
    /// Its name in English.
    pub english: &'static str,
    /// Its name in Chinese.
    pub chinese: &'static str,
}

/// The named levels, weakest first.
pub const NAMED_LEVELS: [NamedLevel; 10] = [
    named(0, "beginner", "入门"),
    named(2, "novice", "初学"),
    named(4, "casual", "休闲"),
    named(6, "hobby", "业余"),
    named(8, "intermediate", "中级"),
    named(10, "skilled", "熟练"),
    named(12, "advanced", "高级"),
    named(15, "expert", "专家"),
    named(18, "master", "大师"),
    named(Question::MAX_SKILL, "full strength", "全力"),
];

const fn named(level: u32, english: &'static str, chinese: &'static str) -> NamedLevel {
    NamedLevel { level, english, chinese }
}

impl NamedLevel {
    /// The name in a language.
    #[must_use]
    pub fn name(self, language: Language) -> &'static str {
        match language {
            Language::English => self.english,
            Language::Chinese => self.chinese,
        }
    }

    /// Whether this is its name in either language, with a space, a hyphen or nothing between words.
    fn is_called(self, text: &str) -> bool {
        let letters = |text: &str| text.replace([' ', '-', '_'], "").to_lowercase();
        letters(text) == letters(self.english) || text == self.chinese
    }

    /// The measured playing strength.
    #[must_use]
    pub fn elo(self) -> u32 {
        Handicap::elo_of_level(100 * self.level)
    }
}

/// The text is not a level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown level {}{} expected a number from 0 to {} or one of: {}",
    quote(found),
    self.similar().map_or(",".to_owned(), |name| format!("; did you mean {}?", quote(name))),
    Question::MAX_SKILL,
    level_names(*language)
)]
pub struct UnknownLevel {
    found: String,
    /// The language of the names to suggest.
    language: Language,
}

impl UnknownLevel {
    /// The most similar name, if one is similar.
    #[must_use]
    pub fn similar(&self) -> Option<&'static str> {
        most_similar(&self.found, NAMED_LEVELS.iter().map(|own| own.name(self.language)))
    }
}

/// Parses a level: a number from 0 to 20, or a name in either language.
///
/// # Errors
/// Fails if the text is neither.
pub fn parse_level(text: &str) -> Result<u32, UnknownLevel> {
    let text = text.trim();
    let parsed = match text.parse() {
        Ok(level) => Some(level).filter(|level| *level <= Question::MAX_SKILL),
        Err(_) => NAMED_LEVELS.iter().find(|own| own.is_called(text)).map(|own| own.level),
    };
    parsed.ok_or_else(|| {
        let is_english = text.is_ascii() && !text.is_empty();
        let language = if is_english { Language::English } else { Language::Chinese };
        UnknownLevel { found: text.to_owned(), language }
    })
}

/// The names of all levels, separated by commas.
#[must_use]
pub fn level_names(language: Language) -> String {
    NAMED_LEVELS.map(|own| own.name(language)).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_numbers_or_names() {
        for (text, level) in [
            ("0", Some(0)),
            (" 20 ", Some(20)),
            ("Expert", Some(15)),
            ("full strength", Some(20)),
            ("FULL-strength", Some(20)),
            ("大师", Some(18)),
            ("21", None),
            ("-1", None),
            ("strength", None),
            ("", None),
        ] {
            assert_eq!(parse_level(text).ok(), level, "{text}");
        }
    }

    #[test]
    fn unknown_levels_are_answered_with_a_similar_name_and_all_of_them() {
        let error = parse_level("experrt").unwrap_err();
        assert_eq!(error.similar(), Some("expert"));
        assert_eq!(
            error.to_string(),
            "unknown level \"experrt\"; did you mean \"expert\"? expected a number from 0 to 20 or one \
             of: beginner, novice, casual, hobby, intermediate, skilled, advanced, expert, master, \
             full strength"
        );
        let error = parse_level("大使").unwrap_err();
        assert_eq!(error.similar(), None);
        assert!(error.to_string().contains("入门, 初学"), "{error}");
        assert_eq!(parse_level("21").unwrap_err().similar(), None);
    }

    #[test]
    fn named_levels_rise_to_full_strength() {
        assert!(NAMED_LEVELS.is_sorted_by(|low, high| low.level < high.level));
        assert!(NAMED_LEVELS.is_sorted_by(|low, high| low.elo() < high.elo()));
        assert_eq!(NAMED_LEVELS[9].level, Question::MAX_SKILL);
        assert_eq!([0, 7, 9].map(|index| NAMED_LEVELS[index].elo()), [1000, 2280, 2640]);
    }
}
