//! Documents as plain text.

use unicode_width::UnicodeWidthStr;

use super::columns::format_wrapped_table;
use super::wrapping::wrap_words;
use super::{Block, Document, Figure, Inline, Table, plain_text};
use crate::language::Language;

/// Spaces before the lines of tables and diagrams.
const INDENT: usize = 2;

impl Document {
    /// Renders the document as text, wrapped to a width in columns.
    #[must_use]
    pub fn text(&self, width: usize) -> String {
        let blocks: Vec<String> =
            self.blocks.iter().map(|own| block(own, width, self.language)).collect();
        blocks.join("\n")
    }
}

fn block(block: &Block, width: usize, language: Language) -> String {
    match block {
        Block::Heading(level, parts) => {
            let text = plain_text(parts);
            let rule = if *level == 1 { "=" } else { "-" }.repeat(text.width());
            format!("{text}\n{rule}\n")
        }
        Block::Paragraph(parts) => lines(&wrap_words(&plain_text(parts), width)),
        Block::List { is_numbered, items } => {
            let item = |(index, parts): (usize, &Vec<Inline>)| {
                let label = match is_numbered {
                    true => format!("{:>3}. ", index + 1),
                    false => "  - ".to_owned(),
                };
                hanging(&label, &plain_text(parts), width)
            };
            items.iter().enumerate().map(item).collect()
        }
        Block::Diagram(text) => indented(text),
        Block::Table(own) => table(own, width),
        Block::Figure(own) => figure(own, width, language),
    }
}

fn lines(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn indented(text: &str) -> String {
    let indent = |line: &str| format!("{:INDENT$}{line}", "").trim_end().to_owned();
    lines(&text.trim_end().lines().map(indent).collect::<Vec<_>>())
}

/// Wraps a text behind a label; the other lines are indented by the width of the label.
fn hanging(label: &str, text: &str, width: usize) -> String {
    /// A narrower column is not wrapped further.
    const MIN_WIDTH: usize = 20;
    let margin = label.width();
    let wrapped = wrap_words(text, width.saturating_sub(margin).max(MIN_WIDTH));
    let mut output = String::new();
    for (index, line) in wrapped.iter().enumerate() {
        let start = if index == 0 { label.to_owned() } else { " ".repeat(margin) };
        output += (start + line).trim_end();
        output.push('\n');
    }
    output
}

fn figure(figure: &Figure, width: usize, language: Language) -> String {
    let caption = &figure.caption;
    match &figure.diagram {
        Some(text) => indented(text) + "\n" + &lines(&wrap_words(&format!("[{caption}]"), width)),
        None => {
            let label = language.pick(&["Picture, in other formats only", "图片，仅见于其他格式"]);
            lines(&wrap_words(&format!("[{label}: {caption}]"), width))
        }
    }
}

/// Writes a table with numbers aligned to the right; prose in the last column wraps.
fn table(table: &Table, width: usize) -> String {
    let mut text = String::new();
    if !table.caption.is_empty() {
        text += &lines(&wrap_words(&table.caption, width));
    }
    let labels = || table.columns.iter().map(|column| column.label.clone()).collect();
    let header: Option<Vec<String>> = table.has_header().then(labels);
    let rows: Vec<Vec<String>> = header.into_iter().chain(table.rows.iter().cloned()).collect();
    let is_numeric = |index: &usize| table.columns[*index].is_numeric;
    let right: Vec<usize> = (0..table.columns.len()).filter(is_numeric).collect();
    let aligned = format_wrapped_table(&rows, &right, width.saturating_sub(INDENT));
    text += &indented(&aligned.join("\n"));
    for note in &table.notes {
        text += &hanging(&" ".repeat(INDENT), note, width);
    }
    text
}
