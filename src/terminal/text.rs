//! Styled text, independent of whether the console has colours.

use anstyle::{Ansi256Color, AnsiColor, Color, Effects, Style};
use unicode_width::UnicodeWidthStr;

use crate::document::wrap_text;
use crate::printing::printable;
use crate::rules::drawing::PieceColour;

/// The role of a text; the colours follow from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextStyle {
    #[default]
    Plain,
    Dim,
    Bold,
    Piece(PieceColour),
    /// Part of the board that the mover must play in.
    Playable,
    /// Pieces that decided the game.
    Winning,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextSpan {
    pub text: String,
    pub style: TextStyle,
    /// Shown in reverse video: the last move.
    pub inverted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextLine {
    pub spans: Vec<TextSpan>,
}

impl TextLine {
    pub fn styled(text: impl AsRef<str>, style: TextStyle) -> Self {
        let text = printable(text.as_ref()).to_string();
        Self { spans: vec![TextSpan { text, style, inverted: false }] }
    }

    pub fn plain(text: impl AsRef<str>) -> Self {
        Self::styled(text, TextStyle::Plain)
    }

    /// Appends text, extending the last span if it has the same style.
    pub fn push(&mut self, text: &str, style: TextStyle, inverted: bool) {
        match self.spans.last_mut() {
            Some(last) if (last.style, last.inverted) == (style, inverted) => last.text += text,
            _ => self.spans.push(TextSpan { text: text.to_owned(), style, inverted }),
        }
    }

    pub fn width(&self) -> usize {
        self.spans.iter().map(|span| span.text.width()).sum()
    }

    /// Pads this line to `width` columns and appends another.
    pub fn append_at(&mut self, width: usize, other: &Self) {
        let missing = width.saturating_sub(self.width());
        self.push(&" ".repeat(missing), TextStyle::Plain, false);
        other.spans.iter().for_each(|span| self.push(&span.text, span.style, span.inverted));
    }

    /// Renders the line, with ANSI escapes if `has_colours`.
    pub fn render(&self, has_colours: bool) -> String {
        let render = |span: &TextSpan| {
            let style = ansi_style(span);
            if has_colours && style != Style::new() {
                format!("{style}{}{style:#}", span.text)
            } else {
                span.text.clone()
            }
        };
        self.spans.iter().map(render).collect()
    }
}

/// Wraps lines to a width. Lines of several styles are short and stay whole.
pub fn wrap(lines: &[TextLine], width: usize) -> Vec<TextLine> {
    let wrap_line = |line: &TextLine| match &line.spans[..] {
        [span] => wrap_text(&span.text, width)
            .into_iter()
            .map(|text| TextLine::styled(text, span.style))
            .collect(),
        _ => vec![line.clone()],
    };
    lines.iter().flat_map(wrap_line).collect()
}

/// Arranges short texts in columns, row by row.
pub(crate) fn arrange_in_columns(entries: &[String], width: usize) -> Vec<String> {
    const GAP: usize = 3;
    let entry_width = entries.iter().map(|entry| entry.width()).max().unwrap_or(0);
    let per_row = ((width + GAP) / (entry_width + GAP)).max(1);
    let pad = |entry: &String| entry.clone() + &" ".repeat(entry_width + GAP - entry.width());
    let row = |entries: &[String]| entries.iter().map(pad).collect::<String>();
    entries.chunks(per_row).map(|entries| row(entries).trim_end().to_owned()).collect()
}

fn ansi_style(span: &TextSpan) -> Style {
    let coloured = |colour: Color| Style::new().fg_color(Some(colour)).bold();
    let style = match span.style {
        TextStyle::Plain => Style::new(),
        TextStyle::Dim => Style::new().effects(Effects::DIMMED),
        TextStyle::Bold | TextStyle::Piece(PieceColour::Black) => Style::new().bold(),
        TextStyle::Piece(PieceColour::Blue) => coloured(Ansi256Color(33).into()),
        TextStyle::Piece(PieceColour::Orange) => coloured(Ansi256Color(208).into()),
        TextStyle::Piece(PieceColour::Red) => coloured(AnsiColor::Red.into()),
        TextStyle::Playable => coloured(AnsiColor::Green.into()),
        TextStyle::Winning => coloured(AnsiColor::Magenta.into()),
    };
    if span.inverted { style.invert() } else { style }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(text: &str, width: usize) -> Vec<String> {
        let lines = wrap(&[TextLine::plain(text)], width);
        assert!(lines.iter().all(|line| line.width() <= width), "{lines:?}");
        lines.iter().map(|line| line.render(false)).collect()
    }

    #[test]
    fn lines_break_between_words_and_between_chinese_characters() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("incomprehensible", 10), ["incomprehe", "nsible"]);
        assert_eq!(wrapped("轮到你走了，请落子。", 10), ["轮到你走", "了，请落", "子。"]);
        assert_eq!(wrapped("", 8), [""]);
    }

    #[test]
    fn columns_fill_the_width_row_by_row() {
        let entries = ["b2 draw", "a1 loss in 4", "c3 5%"].map(str::to_owned);
        let arranged = |width| arrange_in_columns(&entries, width);
        assert_eq!(arranged(80), ["b2 draw        a1 loss in 4   c3 5%"]);
        assert_eq!(arranged(27), ["b2 draw        a1 loss in 4", "c3 5%"]);
        assert_eq!(arranged(26), ["b2 draw", "a1 loss in 4", "c3 5%"]);
        assert_eq!(arrange_in_columns(&[], 80), [""; 0]);
    }

    #[test]
    fn latin_words_moves_and_punctuation_stay_whole_in_chinese() {
        assert_eq!(wrapped("press Ctrl-C now", 10), ["press", "Ctrl-C now"]);
        assert_eq!(wrapped("输入格子a3b2。", 10), ["输入格子", "a3b2。"]);
        assert_eq!(wrapped("再按一次Ctrl-C退出", 12), ["再按一次", "Ctrl-C退出"]);
        assert_eq!(wrapped("输入一个“悔棋”", 9), ["输入一个", "“悔棋”"]);
        assert_eq!(wrapped("输入“悔棋”退回", 10), ["输入“悔棋”", "退回"]);
        assert_eq!(wrapped("电脑（20 级）", 10), ["电脑（20", "级）"]);
        assert_eq!(wrapped("命令：提示 悔棋 帮助", 18), ["命令：提示 悔棋", "帮助"]);
    }

    #[test]
    fn consoles_without_colours_get_plain_text() {
        let mut line = TextLine::plain("a ");
        line.push("X", TextStyle::Piece(PieceColour::Blue), true);
        assert_eq!((line.render(false).as_str(), line.width()), ("a X", 3));
        let coloured = line.render(true);
        assert!(coloured.starts_with("a \x1b[") && coloured.ends_with("\x1b[0m"), "{coloured:?}");
    }
}
