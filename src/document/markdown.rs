//! The Markdown of documents: parser and writer.
//!
//! The parser accepts headings, paragraphs, lists of single paragraphs, fenced code blocks without a
//! language, emphasis, code and links, and refuses everything else.

use std::fmt::Write;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag};

use super::{Block, Document, Figure, Inline, Table};

/// Markdown that the parser refuses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unsupported Markdown: {0}")]
pub struct UnsupportedMarkdown(String);

type Events<'a> = std::iter::Peekable<Parser<'a>>;

fn unsupported<T>(event: &Event<'_>) -> Result<T, UnsupportedMarkdown> {
    Err(UnsupportedMarkdown(format!("{event:?}")))
}

/// Parses a text.
///
/// # Errors
/// Fails on Markdown outside of the subset.
pub fn parse_markdown(text: &str) -> Result<Vec<Block>, UnsupportedMarkdown> {
    let mut events = Parser::new(text).peekable();
    let mut blocks = Vec::new();
    while let Some(event) = events.next() {
        blocks.push(match event {
            Event::Start(Tag::Heading { level, .. }) => {
                Block::Heading(heading_level(level), inlines(&mut events)?)
            }
            Event::Start(Tag::Paragraph) => Block::Paragraph(inlines(&mut events)?),
            Event::Start(Tag::List(first)) => {
                let mut items = Vec::new();
                while let Some(event) = events.next() {
                    match event {
                        Event::Start(Tag::Item) => items.push(inlines(&mut events)?),
                        Event::End(_) => break,
                        event => return unsupported(&event),
                    }
                }
                Block::List { is_numbered: first.is_some(), items }
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language)))
                if language.is_empty() =>
            {
                let mut lines = String::new();
                for event in events.by_ref() {
                    match event {
                        Event::Text(text) => lines += &text,
                        _ => break,
                    }
                }
                Block::Diagram(lines)
            }
            event => return unsupported(&event),
        });
    }
    Ok(blocks)
}

fn heading_level(level: HeadingLevel) -> u8 {
    level as u8
}

/// Parses up to the end of the element that was started.
fn inlines(events: &mut Events<'_>) -> Result<Vec<Inline>, UnsupportedMarkdown> {
    let mut parts: Vec<Inline> = Vec::new();
    let push_text = |parts: &mut Vec<Inline>, text: &str| match parts.last_mut() {
        Some(Inline::Text(last)) => *last += text,
        _ => parts.push(Inline::Text(text.to_owned())),
    };
    while let Some(event) = events.next() {
        match event {
            Event::Text(text) => push_text(&mut parts, &text),
            Event::SoftBreak => push_text(&mut parts, LINE_BREAK),
            Event::Code(text) => parts.push(Inline::Code(text.to_string())),
            Event::Start(Tag::Emphasis) => parts.push(Inline::Emphasis(inlines(events)?)),
            Event::Start(Tag::Strong) => parts.push(Inline::Strong(inlines(events)?)),
            Event::Start(Tag::Link { dest_url, .. }) => {
                parts.push(Inline::Link(inlines(events)?, dest_url.to_string()));
            }
            Event::End(_) => break,
            event => return unsupported(&event),
        }
    }
    parts.iter_mut().for_each(|part| part.map_text(&mut |text| join_lines(text)));
    Ok(parts)
}

/// Marks a line break within a paragraph until [`join_lines`] replaces it.
const LINE_BREAK: &str = "\n";

/// Replaces the line breaks of a paragraph by spaces, except between Chinese characters and beside
/// Chinese punctuation.
fn join_lines(text: &str) -> String {
    let mut joined = String::new();
    let mut lines = text.split(LINE_BREAK).peekable();
    while let Some(line) = lines.next() {
        joined += line;
        let Some(next) = lines.peek() else { break };
        let is_joined = match [line.chars().next_back(), next.chars().next()] {
            [Some(left), Some(right)] => {
                let letters = [left, right].map(char::is_alphanumeric);
                let wide = [left, right].map(is_wide);
                wide == [true; 2] || wide[0] && !letters[0] || wide[1] && !letters[1]
            }
            [left, right] => left.or(right).is_some_and(is_wide),
        };
        if !is_joined {
            joined.push(' ');
        }
    }
    joined
}

fn is_wide(letter: char) -> bool {
    unicode_width::UnicodeWidthChar::width(letter) == Some(2)
}

impl Document {
    /// Renders the document as Markdown. Tables and figures follow GitHub's extensions.
    #[must_use]
    pub fn markdown(&self) -> String {
        let blocks: Vec<String> = self.blocks.iter().map(block).collect();
        blocks.join("\n")
    }
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading(level, parts) => {
            format!("{} {}\n", "#".repeat(usize::from(*level)), inline(parts))
        }
        Block::Paragraph(parts) => inline(parts) + "\n",
        Block::List { is_numbered, items } => {
            let item = |(index, parts): (usize, &Vec<Inline>)| match is_numbered {
                true => format!("{}. {}\n", index + 1, inline(parts)),
                false => format!("- {}\n", inline(parts)),
            };
            items.iter().enumerate().map(item).collect()
        }
        Block::Diagram(lines) => diagram(lines),
        Block::Table(own) => table(own),
        Block::Figure(own) => figure(own),
    }
}

fn diagram(lines: &str) -> String {
    format!("```\n{}\n```\n", lines.trim_end_matches('\n'))
}

fn figure(figure: &Figure) -> String {
    let caption = escape(&figure.caption);
    match (&figure.file, &figure.diagram) {
        (Some(file), _) => format!("![{caption}](<{file}>)\n"),
        (None, Some(lines)) => format!("{}\n*{caption}*\n", diagram(lines)),
        (None, None) => format!("*{caption}*\n"),
    }
}

fn table(table: &Table) -> String {
    let mut text = String::new();
    if !table.caption.is_empty() {
        let _ = writeln!(text, "**{}**\n", escape(&table.caption));
    }
    let row = |cells: &mut dyn Iterator<Item = &String>| {
        let cells: Vec<String> = cells.map(|cell| escape(cell)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    text += &row(&mut table.columns.iter().map(|column| &column.label));
    let rules = table.columns.iter().map(|column| if column.is_numeric { "--:" } else { "---" });
    let _ = writeln!(text, "| {} |", rules.collect::<Vec<_>>().join(" | "));
    text.extend(table.rows.iter().map(|cells| row(&mut cells.iter())));
    for note in &table.notes {
        let _ = write!(text, "\n{}\n", escape(note));
    }
    text
}

fn inline(parts: &[Inline]) -> String {
    let part = |part: &Inline| match part {
        Inline::Text(text) => escape(text),
        Inline::Emphasis(parts) => format!("*{}*", inline(parts)),
        Inline::Strong(parts) => format!("**{}**", inline(parts)),
        Inline::Code(text) => format!("`{text}`"),
        Inline::Link(parts, address) => format!("[{}](<{address}>)", inline(parts)),
    };
    parts.iter().map(part).collect()
}

/// Escapes what Markdown would interpret.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if "\\`*_[]<>|#".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    const TEXT: &str = "# A *short* text\n\nOne **bold** word,\nand `code`, and a [link](<https://example.org>).\n\n\
        - one\n- two\n\n1. first\n2. second\n\n```\n a | b\n```\n";

    #[test]
    fn a_text_of_the_subset_survives_parsing_and_writing() {
        let blocks = parse_markdown(TEXT).unwrap();
        let document = Document { title: String::new(), language: Language::English, blocks };
        assert_eq!(document.markdown(), TEXT.replace("word,\nand", "word, and"));
        let again = parse_markdown(&document.markdown()).unwrap();
        assert_eq!(again, document.blocks);
    }

    #[test]
    fn special_characters_are_escaped() {
        let text = Inline::Text("a*b* [c] | #1 <d> \\".to_owned());
        let blocks = vec![Block::Paragraph(vec![text])];
        let document = Document { title: String::new(), language: Language::English, blocks };
        assert_eq!(parse_markdown(&document.markdown()).unwrap(), document.blocks);
    }

    #[test]
    fn lines_of_chinese_are_joined_without_a_space() {
        for (lines, joined) in [
            ("一个\n词", "一个词"),
            ("two\nwords", "two words"),
            ("一，\n`a`", "一，"),
            ("变为\n0，", "变为 0，"),
            ("变为 0，\n4", "变为 0，4"),
        ] {
            let blocks = parse_markdown(lines).unwrap();
            let Block::Paragraph(parts) = &blocks[0] else { panic!("{blocks:?}") };
            assert_eq!(parts[0], Inline::Text(joined.to_owned()));
        }
    }

    #[test]
    fn other_markdown_is_refused() {
        for text in ["> quote", "a<b>c</b>", "---", "```rust\ncode\n```", "- a\n\n  b", "    code"]
        {
            assert!(parse_markdown(text).is_err(), "{text}");
        }
    }
}
