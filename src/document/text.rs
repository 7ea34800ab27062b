//! Documents as plain text.

use unicode_width::UnicodeWidthStr;

use super::columns::format_wrapped_table;
use super::wrapping::wrap_words;
use super::{Block, Column, Document, has_header, plain_text};

/// Spaces before the lines of tables and diagrams.
const INDENT: usize = 2;

impl Document {
    /// Renders the document as text, wrapped to a width in columns.
    pub fn text(&self, width: usize) -> String {
        let blocks: Vec<String> = self.blocks.iter().map(|own| self.block(own, width)).collect();
        blocks.join("\n")
    }

    fn block(&self, block: &Block, width: usize) -> String {
        match block {
            Block::Heading { level, text } => {
                let rule = if *level == 1 { "=" } else { "-" }.repeat(text.width());
                format!("{text}\n{rule}\n")
            }
            Block::Paragraph { parts } => hanging("", &plain_text(parts), width),
            Block::List { is_numbered: true, items } => (1..)
                .zip(items)
                .map(|(number, parts)| {
                    hanging(&format!("{number:>3}. "), &plain_text(parts), width)
                })
                .collect(),
            Block::List { items, .. } => {
                items.iter().map(|parts| hanging("  - ", &plain_text(parts), width)).collect()
            }
            Block::Diagram { text } => indented(text),
            Block::Table { caption, columns, rows, notes } => {
                let notes = notes.iter().map(|note| hanging("  ", note, width));
                let caption = if caption.is_empty() { "" } else { &hanging("", caption, width) };
                format!("{caption}{}{}", table(columns, rows, width), notes.collect::<String>())
            }
            Block::Figure { diagram: Some(text), caption, .. } => {
                format!("{}\n{}", indented(text), hanging("", &format!("[{caption}]"), width))
            }
            Block::Figure { caption, .. } => {
                let label = self.language.text("document.picture");
                hanging("", &format!("[{label}: {caption}]"), width)
            }
        }
    }
}

fn indented(text: &str) -> String {
    let indent = |line: &str| format!("{}\n", format!("{:INDENT$}{line}", "").trim_end());
    text.trim_end().lines().map(indent).collect()
}

/// Wraps a text behind a label; the other lines are indented by the width of the label.
fn hanging(label: &str, text: &str, width: usize) -> String {
    /// A narrower column is not wrapped further.
    const MIN_WIDTH: usize = 20;
    let margin = label.width();
    let mut output = String::new();
    let mut start = label.to_owned();
    for line in wrap_words(text, width.saturating_sub(margin).max(MIN_WIDTH)) {
        output += &format!("{}\n", (start + &line).trim_end());
        start = " ".repeat(margin);
    }
    output
}

/// Aligns numbers to the right; prose in the last column wraps.
fn table(columns: &[Column], rows: &[Vec<String>], width: usize) -> String {
    let labels = columns.iter().map(|column| column.label.clone()).collect();
    let header: Option<Vec<String>> = has_header(columns).then_some(labels);
    let rows: Vec<Vec<String>> = header.into_iter().chain(rows.iter().cloned()).collect();
    let right: Vec<usize> = (0..columns.len()).filter(|index| columns[*index].is_numeric).collect();
    indented(&format_wrapped_table(&rows, &right, width.saturating_sub(INDENT)).join("\n"))
}
