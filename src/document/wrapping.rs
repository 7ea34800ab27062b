//! Line breaking for text in any of the languages.

use textwrap::core::Word;
use textwrap::{Options, WordSeparator, WordSplitter};
use unicode_width::UnicodeWidthChar;

/// Splits Chinese between any two characters, except before closing and after opening punctuation.
const WORD_SEPARATOR: WordSeparator =
    WordSeparator::Custom(|text| Box::new(split_words(text).into_iter().map(Word::from)));

/// Wraps a text to a width in columns; words that are longer are broken.
#[must_use]
pub fn wrap_text(text: &str, width: usize) -> Vec<String> {
    /// Narrower columns are not wrapped further.
    const MIN_WIDTH: usize = 8;
    wrap(text, Options::new(width.max(MIN_WIDTH)))
}

/// Wraps a text to a width in columns; words that are longer stay whole.
pub(super) fn wrap_words(text: &str, width: usize) -> Vec<String> {
    wrap(text, Options::new(width).break_words(false))
}

fn wrap(text: &str, options: Options<'_>) -> Vec<String> {
    let options = options.word_separator(WORD_SEPARATOR).word_splitter(WordSplitter::NoHyphenation);
    textwrap::wrap(text, &options).into_iter().map(String::from).collect()
}

/// Splits a text where a line may break; spaces stay at the end of the part before them. Two Chinese
/// characters on their own are one word, such as a command in a list, and stay together.
fn split_words(text: &str) -> Vec<&str> {
    const CLOSING: &str = "，。：；！？、）】》」』”’…";
    const OPENING: &str = "（【《「『“‘";
    const MAX_WORD: usize = 2;
    let is_wide = |letter: char| letter.width() == Some(2);
    let is_han =
        |letter: char| is_wide(letter) && !CLOSING.contains(letter) && !OPENING.contains(letter);
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let (mut words, mut begin, mut previous) = (Vec::new(), 0, ' ');
    for run in letters.chunk_by(|(_, left), (_, right)| is_han(*left) && is_han(*right)) {
        for (index, (at, letter)) in run.iter().copied().enumerate() {
            let may_break = if index > 0 {
                run.len() > MAX_WORD
            } else {
                let is_boundary = previous == ' '
                    || is_wide(previous)
                    || CLOSING.contains(previous)
                    || is_wide(letter)
                    || OPENING.contains(letter);
                is_boundary && !OPENING.contains(previous)
            };
            if may_break && at > 0 && letter != ' ' && !CLOSING.contains(letter) {
                words.push(&text[begin..at]);
                begin = at;
            }
            previous = letter;
        }
    }
    words.push(&text[begin..]);
    words
}
