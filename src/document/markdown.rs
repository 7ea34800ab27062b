//! Reads the Markdown of documents.
//!
//! Headings, paragraphs, lists of single paragraphs, fenced code blocks, tables, pictures, emphasis,
//! code and links become blocks; the texts of documents contain nothing else.

use std::iter::Peekable;

use pulldown_cmark::{Alignment, Event, Options, Parser, Tag, TagEnd};

use super::{Block, Column, Document, Figure, TextPart, TextStyle, plain_text};
use crate::language::Language;

impl Document {
    /// Reads a document. Pictures that are not among `figures` are left out.
    pub fn new(title: &str, language: Language, markdown: &str, figures: &[Figure]) -> Self {
        let blocks = parse_blocks(markdown, figures);
        Self { title: title.to_owned(), language, blocks }
    }
}

type Events<'a> = Peekable<Parser<'a>>;

fn parse_blocks(markdown: &str, figures: &[Figure]) -> Vec<Block> {
    let mut events = Parser::new_ext(markdown, Options::ENABLE_TABLES).peekable();
    let mut blocks = Vec::new();
    while let Some(event) = events.next() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let text = plain_text(&text_parts(&mut events));
                blocks.push(Block::Heading { level: level as u8, text });
            }
            Event::Start(Tag::Paragraph) => match events.peek() {
                Some(Event::Start(Tag::Image { dest_url, .. })) => {
                    let figure = figures.iter().find(|figure| *figure.name == **dest_url);
                    let caption = plain_text(&text_parts(&mut events));
                    blocks.extend(figure.map(|Figure { svg, diagram, .. }| Block::Figure {
                        svg: svg.clone(),
                        diagram: diagram.clone(),
                        caption,
                    }));
                }
                _ => blocks.push(Block::Paragraph { parts: text_parts(&mut events) }),
            },
            Event::Start(Tag::List(first)) => {
                let mut items = Vec::new();
                while let Some(Event::Start(Tag::Item)) = events.next() {
                    items.push(text_parts(&mut events));
                }
                blocks.push(Block::List { is_numbered: first.is_some(), items });
            }
            Event::Start(Tag::CodeBlock(_)) => {
                blocks.push(Block::Diagram { text: plain_text(&text_parts(&mut events)) });
            }
            Event::Start(Tag::Table(alignments)) => {
                let caption = blocks.pop_if(|block| is_caption(block));
                let caption = match caption {
                    Some(Block::Paragraph { parts }) => plain_text(&parts),
                    _ => String::new(),
                };
                blocks.push(parse_table(caption, &alignments, &mut events));
            }
            Event::Start(Tag::BlockQuote(_)) => {
                events.next();
                let note = plain_text(&text_parts(&mut events));
                if let Some(Block::Table { notes, .. }) = blocks.last_mut() {
                    notes.push(note);
                }
            }
            _ => {}
        }
    }
    blocks
}

/// Whether a block is a paragraph in bold type.
fn is_caption(block: &Block) -> bool {
    matches!(block, Block::Paragraph { parts }
        if matches!(&parts[..], [TextPart { style: TextStyle::Strong, .. }]))
}

fn parse_table(caption: String, alignments: &[Alignment], events: &mut Events<'_>) -> Block {
    let mut rows: Vec<Vec<String>> = Vec::new();
    loop {
        match events.next() {
            Some(Event::Start(Tag::TableHead | Tag::TableRow)) => rows.push(Vec::new()),
            Some(Event::Start(Tag::TableCell)) => {
                let cell = plain_text(&text_parts(events));
                rows.last_mut().into_iter().for_each(|row| row.push(cell.clone()));
            }
            None | Some(Event::End(TagEnd::Table)) => break,
            Some(_) => {}
        }
    }
    let labels = rows.remove(0).into_iter().zip(alignments);
    let columns =
        labels.map(|(label, own)| Column { label, is_numeric: *own == Alignment::Right }).collect();
    Block::Table { caption, columns, rows, notes: Vec::new() }
}

/// Reads up to the end of the element that was started.
fn text_parts(events: &mut Events<'_>) -> Vec<TextPart> {
    let mut parts: Vec<TextPart> = Vec::new();
    while let Some(event) = events.next() {
        let (text, style) = match event {
            Event::Text(text) => (text.to_string(), TextStyle::Plain),
            Event::SoftBreak => (" ".to_owned(), TextStyle::Plain),
            Event::Code(text) => (text.to_string(), TextStyle::Code),
            Event::Start(Tag::Emphasis) => (plain_text(&text_parts(events)), TextStyle::Emphasis),
            Event::Start(Tag::Strong) => (plain_text(&text_parts(events)), TextStyle::Strong),
            Event::Start(Tag::Link { dest_url, .. }) => {
                let label = plain_text(&text_parts(events));
                let link = [label, dest_url.to_string()];
                let text = format!("{} <{}>", link[0], link[1]);
                parts.push(TextPart { text, style: TextStyle::Link, link: Some(link) });
                continue;
            }
            Event::Start(_) => (plain_text(&text_parts(events)), TextStyle::Plain),
            Event::End(_) => break,
            _ => continue,
        };
        match parts.last_mut() {
            Some(last) if style == TextStyle::Plain && last.style == style => last.text += &text,
            _ => parts.push(TextPart { text, style, link: None }),
        }
    }
    parts
}
