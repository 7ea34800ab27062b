//! The named levels of the engine.

use crate::engine::ThinkOptions;
use crate::search::Handicap;

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
    named(ThinkOptions::MAX_SKILL, "full strength", "全力"),
];

const fn named(level: u32, english: &'static str, chinese: &'static str) -> NamedLevel {
    NamedLevel { level, english, chinese }
}

impl NamedLevel {
    /// The measured playing strength.
    #[must_use]
    pub fn elo(self) -> u32 {
        Handicap::elo_of_level(100 * self.level)
    }
}

/// Parses a level: a number from 0 to 20, or a name in either language.
pub(super) fn parse_level(text: &str) -> Option<u32> {
    let has_name =
        |own: &&NamedLevel| own.english.eq_ignore_ascii_case(text) || own.chinese == text;
    match text.parse() {
        Ok(level) => (level <= ThinkOptions::MAX_SKILL).then_some(level),
        Err(_) => NAMED_LEVELS.iter().find(has_name).map(|own| own.level),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_numbers_or_names() {
        for (text, level) in [
            ("0", Some(0)),
            ("20", Some(20)),
            ("Expert", Some(15)),
            ("full strength", Some(20)),
            ("大师", Some(18)),
            ("21", None),
            ("-1", None),
            ("", None),
        ] {
            assert_eq!(parse_level(text), level, "{text}");
        }
    }

    #[test]
    fn named_levels_rise_to_full_strength() {
        assert!(NAMED_LEVELS.is_sorted_by(|low, high| low.level < high.level));
        assert!(NAMED_LEVELS.is_sorted_by(|low, high| low.elo() < high.elo()));
        assert_eq!(NAMED_LEVELS[9].level, ThinkOptions::MAX_SKILL);
        assert_eq!([0, 7, 9].map(|index| NAMED_LEVELS[index].elo()), [1000, 2290, 2670]);
    }
}
