//! The languages of texts for people.

/// A language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese.
    Chinese,
}

/// A text in every language, in the order of [`Language::ALL`].
pub type Localized<T = &'static str> = [T; Language::ALL.len()];

impl Language {
    /// The languages by language code.
    pub const ALL: [(&'static str, Self); 2] = [("en", Self::English), ("zh", Self::Chinese)];

    /// The language of a locale such as `zh_CN.UTF-8`; English if it is not supported or the
    /// encoding is not UTF-8.
    #[must_use]
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

    /// The language code.
    #[must_use]
    pub fn code(self) -> &'static str {
        Self::ALL[self as usize].0
    }

    /// The language with a language code.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.iter().find(|(own, _)| *own == code).map(|(_, language)| *language)
    }

    /// Joins sentences: with spaces where the language has them.
    #[must_use]
    pub fn join_sentences(self, sentences: &[String]) -> String {
        match self {
            Self::English => sentences.join(" "),
            Self::Chinese => sentences.concat(),
        }
    }

    /// Selects the text in this language.
    #[must_use]
    pub fn pick<T: Clone>(self, texts: &Localized<T>) -> T {
        texts[self as usize].clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
