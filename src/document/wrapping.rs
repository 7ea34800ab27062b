//! Line breaking for text in any of the languages.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Wraps a text to a width in columns; words that are longer are broken.
pub fn wrap_text(text: &str, width: usize) -> Vec<String> {
    /// Narrower columns are not wrapped further.
    const MIN_WIDTH: usize = 8;
    wrap(text, width.max(MIN_WIDTH), true)
}

/// Wraps a text to a width in columns; words that are longer stay whole.
pub(super) fn wrap_words(text: &str, width: usize) -> Vec<String> {
    wrap(text, width, false)
}

fn wrap(text: &str, width: usize, breaks_words: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for word in split_words(paragraph) {
            if !line.is_empty() && line.width() + word.trim_end().width() > width {
                lines.push(line.trim_end().to_owned());
                line.clear();
            }
            line += word;
            while breaks_words && line.trim_end().width() > width {
                let rest = line.split_off(prefix_length(&line, width));
                lines.push(std::mem::replace(&mut line, rest));
            }
        }
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// The length of the longest prefix that fits into a width, in bytes.
fn prefix_length(line: &str, width: usize) -> usize {
    let mut used = 0;
    let mut letters = line.char_indices();
    let exceeds = |(_, letter): &(usize, char)| {
        used += letter.width().unwrap_or(0);
        used > width
    };
    letters.find(exceeds).map_or(line.len(), |(at, _)| at)
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
