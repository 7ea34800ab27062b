//! Text with colours, before it is known whether there are any.

use anstyle::{Ansi256Color, AnsiColor, Color, Effects, Style};
use textwrap::core::Word;
use textwrap::{Options, WordSeparator};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::rules::drawing::PieceColour;

/// What a piece of text is, for who chooses its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ink {
    /// Text like any other.
    #[default]
    Plain,
    /// What matters less.
    Dim,
    /// What matters more.
    Bold,
    /// A piece.
    Tone(PieceColour),
    /// Where the mover may play.
    Lit,
    /// What decided the game.
    Decided,
}

/// Text of one ink.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The text.
    pub text: String,
    /// Its ink.
    pub ink: Ink,
    /// Whether it stands out as the last thing that happened.
    pub marked: bool,
}

/// A line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// Its pieces, from the left.
    pub spans: Vec<Span>,
}

impl Line {
    /// A line of one ink.
    pub fn of(text: impl Into<String>, ink: Ink) -> Self {
        Self { spans: vec![Span { text: text.into(), ink, marked: false }] }
    }

    /// A line like any other.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::of(text, Ink::Plain)
    }

    /// Adds text, to the last span where that is of the same ink.
    pub fn push(&mut self, text: &str, ink: Ink, marked: bool) {
        match self.spans.last_mut() {
            Some(last) if (last.ink, last.marked) == (ink, marked) => last.text += text,
            _ => self.spans.push(Span { text: text.to_owned(), ink, marked }),
        }
    }

    /// How many columns it takes.
    #[must_use]
    pub fn width(&self) -> usize {
        self.spans.iter().map(|span| span.text.width()).sum()
    }

    /// Puts another line behind this one, which is first brought to a width.
    pub fn join(&mut self, width: usize, other: &Self) {
        let missing = width.saturating_sub(self.width());
        self.push(&" ".repeat(missing), Ink::Plain, false);
        other.spans.iter().for_each(|span| self.push(&span.text, span.ink, span.marked));
    }

    /// For a terminal with colours, or without.
    #[must_use]
    pub fn paint(&self, has_colours: bool) -> String {
        let paint = |span: &Span| {
            let style = style(span);
            match has_colours && style != Style::new() {
                true => format!("{style}{}{style:#}", span.text),
                false => span.text.clone(),
            }
        };
        self.spans.iter().map(paint).collect()
    }
}

/// Chinese is broken between any two letters, but no line begins with what closes.
const WORDS: WordSeparator =
    WordSeparator::Custom(|text| Box::new(words(text).into_iter().map(Word::from)));

/// Breaks lines between words so that they fit. Lines of several inks are short, and stay whole.
#[must_use]
pub fn wrap(lines: &[Line], width: usize) -> Vec<Line> {
    let width = width.max(8);
    let broken = |line: &Line| match &line.spans[..] {
        [span] => textwrap::wrap(&span.text, Options::new(width).word_separator(WORDS))
            .into_iter()
            .map(|text| Line::of(text, span.ink))
            .collect(),
        _ => vec![line.clone()],
    };
    lines.iter().flat_map(broken).collect()
}

/// The pieces between which a text may be broken, each with the blanks behind it.
fn words(text: &str) -> Vec<&str> {
    const CLOSING: &str = "，。：；！？、）」”";
    let is_wide = |letter: char| letter.width() == Some(2);
    let (mut pieces, mut begin, mut before) = (Vec::new(), 0, None);
    for (at, letter) in text.char_indices() {
        let may_break = before.is_some_and(|before| {
            before == ' ' || is_wide(before) && before != '（' || is_wide(letter)
        });
        if may_break && letter != ' ' && !CLOSING.contains(letter) {
            pieces.push(&text[begin..at]);
            begin = at;
        }
        before = Some(letter);
    }
    pieces.push(&text[begin..]);
    pieces
}

fn style(span: &Span) -> Style {
    let coloured = |colour: Color| Style::new().fg_color(Some(colour)).bold();
    let style = match span.ink {
        Ink::Plain => Style::new(),
        Ink::Dim => Style::new().effects(Effects::DIMMED),
        Ink::Bold | Ink::Tone(PieceColour::Black) => Style::new().bold(),
        Ink::Tone(PieceColour::Blue) => coloured(Ansi256Color(33).into()),
        Ink::Tone(PieceColour::Orange) => coloured(Ansi256Color(208).into()),
        Ink::Tone(PieceColour::Red) => coloured(AnsiColor::Red.into()),
        Ink::Lit => coloured(AnsiColor::Green.into()),
        Ink::Decided => coloured(AnsiColor::Magenta.into()),
    };
    if span.marked { style.invert() } else { style }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_chinese_anywhere() {
        let texts = |text: &str, width| {
            let lines = wrap(&[Line::plain(text)], width);
            assert!(lines.iter().all(|line| line.width() <= width), "{lines:?}");
            lines.iter().map(|line| line.paint(false)).collect::<Vec<_>>()
        };
        assert_eq!(texts("one two three", 8), ["one two", "three"]);
        assert_eq!(texts("incomprehensible", 10), ["incomprehe", "nsible"]);
        assert_eq!(texts("轮到你走了，请落子。", 10), ["轮到你走", "了，请落", "子。"]);
        assert_eq!(texts("", 8), [""]);
    }

    #[test]
    fn colours_are_left_out_where_there_are_none() {
        let mut line = Line::plain("a ");
        line.push("X", Ink::Tone(PieceColour::Blue), true);
        assert_eq!((line.paint(false).as_str(), line.width()), ("a X", 3));
        let painted = line.paint(true);
        assert!(painted.starts_with("a \x1b[") && painted.ends_with("\x1b[0m"), "{painted:?}");
    }
}
