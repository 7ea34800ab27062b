//! The named levels of the engine.

use crate::language::{Language, Values};
use crate::printing::{most_similar, quote};
use crate::thinking::{GameSpec, SearchRequest};

/// The levels that have a name, weakest first.
pub const NAMED_LEVELS: [u32; 10] =
    [0, 2, 4, 6, 8, 10, 12, 15, 18, SearchRequest::<String>::MAX_SKILL];

/// The level to start with: one that a newcomer can beat.
pub const DEFAULT_LEVEL: u32 = 2;

pub fn level_name(level: u32, language: Language) -> &'static str {
    language.text(&format!("level.{level}"))
}

/// Whether a text is the name of a level in any language, with a space, a hyphen or nothing between
/// words.
fn is_name(text: &str, level: u32) -> bool {
    let letters = |text: &str| text.replace([' ', '-', '_'], "").to_lowercase();
    let mut names = Language::ALL.iter().map(|(_, language)| level_name(level, *language));
    names.any(|name| letters(name) == letters(text))
}

/// The named levels, a line each, with their Elo in a game that has a scale.
pub fn level_list(spec: &GameSpec, language: Language) -> String {
    let scale = spec.level_scale();
    let name = |level: u32| {
        language.fill(
            "level.row",
            &[("level", &format!("{level:>2}")), ("name", &level_name(level, language))],
        )
    };
    let line = |level: u32| match &scale {
        Some(scale) => {
            let values: &Values<'_> = &[("row", &name(level)), ("elo", &scale.elo(level))];
            language.fill("level.rated", values)
        }
        None => name(level),
    };
    NAMED_LEVELS.map(line).join("\n")
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown level {}{} expected a number from 0 to {} or one of: {}",
    quote(found),
    self.similar().map_or(",".to_owned(), |name| format!("; did you mean {}?", quote(name))),
    SearchRequest::<String>::MAX_SKILL,
    level_names(*language)
)]
pub struct UnknownLevel {
    found: String,
    /// The language of the names to suggest.
    language: Language,
}

impl UnknownLevel {
    /// The most similar name, if one is similar.
    pub fn similar(&self) -> Option<&'static str> {
        most_similar(&self.found, NAMED_LEVELS.map(|level| level_name(level, self.language)))
    }
}

/// Parses a level: a number from 0 to 20, or a name in either language. Fails if the text is
/// neither.
pub fn parse_level(text: &str) -> Result<u32, UnknownLevel> {
    let text = text.trim();
    let parsed = match text.parse() {
        Ok(level) => Some(level).filter(|level| *level <= SearchRequest::<String>::MAX_SKILL),
        Err(_) => NAMED_LEVELS.into_iter().find(|level| is_name(text, *level)),
    };
    parsed.ok_or_else(|| {
        let is_english = text.is_ascii() && !text.is_empty();
        let language = if is_english { Language::English } else { Language::Chinese };
        UnknownLevel { found: text.to_owned(), language }
    })
}

pub fn level_names(language: Language) -> String {
    NAMED_LEVELS.map(|level| level_name(level, language)).join(", ")
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
        assert!(NAMED_LEVELS.is_sorted_by(|low, high| low < high));
        assert_eq!(NAMED_LEVELS[9], SearchRequest::<String>::MAX_SKILL);
    }
}
