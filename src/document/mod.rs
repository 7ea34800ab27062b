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

/// A document.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The title of the page.
    pub title: String,
    /// The language of the text.
    pub language: Language,
    /// The content.
    pub blocks: Vec<Block>,
    markdown: String,
    figures: Vec<Figure>,
}

/// A picture, which `![caption](name)` in Markdown inserts.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Its name in the text.
    pub name: &'static str,
    /// The picture in SVG.
    pub svg: String,
    /// The same content in characters, for formats without pictures.
    pub diagram: Option<String>,
}

/// A part of a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Block {
    /// A heading.
    Heading {
        /// Its level, from 1.
        level: u8,
        /// Its text.
        text: String,
    },
    /// A paragraph.
    Paragraph {
        /// Its text.
        parts: Vec<TextPart>,
    },
    /// A list.
    List {
        /// Whether the items are numbered.
        is_numbered: bool,
        /// The items.
        items: Vec<Vec<TextPart>>,
    },
    /// Lines in a fixed-width font.
    Diagram {
        /// The lines.
        text: String,
    },
    /// A table.
    Table {
        /// The paragraph in bold type before it.
        caption: String,
        /// The columns.
        columns: Vec<Column>,
        /// The rows, with a cell for each column.
        rows: Vec<Vec<String>>,
        /// The quotations after it.
        notes: Vec<String>,
    },
    /// A picture.
    Figure {
        /// The picture in SVG.
        svg: String,
        /// The same content in characters.
        #[serde(skip)]
        diagram: Option<String>,
        /// The caption.
        caption: String,
    },
}

/// A column of a table.
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
    /// How it is set off.
    pub style: TextStyle,
    /// The label and the address of a link.
    #[serde(skip)]
    pub link: Option<[String; 2]>,
}

/// How a piece of text is set off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TextStyle {
    /// Not at all.
    Plain,
    /// Emphasized.
    Emphasis,
    /// Strongly emphasized.
    Strong,
    /// Something to type, such as a command or a move.
    Code,
    /// A link.
    Link,
}

/// The text of a paragraph without its markup.
#[must_use]
pub fn plain_text(parts: &[TextPart]) -> String {
    parts.iter().map(|part| part.text.as_str()).collect()
}

fn has_header(columns: &[Column]) -> bool {
    columns.iter().any(|column| !column.label.is_empty())
}
