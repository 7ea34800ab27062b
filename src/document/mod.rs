//! Documents for readers, written in Markdown.
//!
//! A [`Document`] is Markdown with its numbers filled in ([`fill_template`]) and its pictures. Text
//! and page are rendered from its [`Block`]s, so the formats cannot disagree.

pub mod columns;
mod html;
mod markdown;
mod template;
mod text;
mod wrapping;

pub use html::escape_html;
pub use template::fill_template;
pub use wrapping::wrap_text;

use serde::Serialize;

use crate::language::Language;

#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    pub title: String,
    pub language: Language,
    pub blocks: Vec<Block>,
}

/// A picture, which `![caption](name)` in Markdown inserts.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    pub name: &'static str,
    pub svg: String,
    /// The same content in characters, for formats without pictures.
    pub diagram: Option<String>,
}

/// A part of a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Block {
    Heading {
        /// Its level, from 1.
        level: u8,
        text: String,
    },
    Paragraph {
        parts: Vec<TextPart>,
    },
    List {
        is_numbered: bool,
        items: Vec<Vec<TextPart>>,
    },
    /// Lines in a fixed-width font.
    Diagram {
        text: String,
    },
    Table {
        /// The paragraph in bold type before it.
        caption: String,
        columns: Vec<Column>,
        /// The rows, with a cell for each column.
        rows: Vec<Vec<String>>,
        /// The quotations after it.
        notes: Vec<String>,
    },
    Figure {
        svg: String,
        /// The same content in characters.
        #[serde(skip)]
        diagram: Option<String>,
        caption: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Column {
    /// The label; a table whose labels are all empty has no header.
    pub label: String,
    /// Whether the cells are numbers, which are aligned to the right.
    pub is_numeric: bool,
}

/// A piece of text within a paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TextPart {
    /// The text without its markup. The address of a link follows its label.
    pub text: String,
    pub style: TextStyle,
    /// The label and the address of a link.
    #[serde(skip)]
    pub link: Option<[String; 2]>,
}

/// How a piece of text is set off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TextStyle {
    Plain,
    Emphasis,
    Strong,
    /// Something to type, such as a command or a move.
    Code,
    Link,
}

/// The text of a paragraph without its markup.
pub fn plain_text(parts: &[TextPart]) -> String {
    parts.iter().map(|part| part.text.as_str()).collect()
}

fn has_header(columns: &[Column]) -> bool {
    columns.iter().any(|column| !column.label.is_empty())
}
