//! Documents for readers: headings, paragraphs, lists, tables and figures.
//!
//! A [`Document`] is rendered as text, Markdown or HTML, so the formats cannot disagree. Prose is
//! parsed from a subset of Markdown ([`parse_markdown`]).

pub mod columns;
mod html;
mod inline;
mod markdown;
mod text;
mod wrapping;

pub use html::escape_html;
pub use inline::{Inline, plain_text};
pub use markdown::{UnsupportedMarkdown, parse_markdown};
pub use wrapping::wrap_text;

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
}

/// A part of a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A heading and its level, from 1.
    Heading(u8, Vec<Inline>),
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// A list.
    List {
        /// Whether the items are numbered.
        is_numbered: bool,
        /// The items.
        items: Vec<Vec<Inline>>,
    },
    /// Lines in a fixed-width font.
    Diagram(String),
    /// A table.
    Table(Table),
    /// A picture.
    Figure(Figure),
}

/// A table.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The caption above it.
    pub caption: String,
    /// The columns. A table without labels has no header.
    pub columns: Vec<Column>,
    /// The rows, with a cell for each column.
    pub rows: Vec<Vec<String>>,
    /// Notes below it.
    pub notes: Vec<String>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The label; empty in a table without a header.
    pub label: String,
    /// Whether the cells are numbers, which are aligned to the right.
    pub is_numeric: bool,
}

impl Table {
    fn has_header(&self) -> bool {
        self.columns.iter().any(|column| !column.label.is_empty())
    }
}

/// A picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The picture in SVG.
    pub svg: String,
    /// The same content in characters, for formats without pictures.
    pub diagram: Option<String>,
    /// The caption.
    pub caption: String,
    /// The file of the picture, for formats that refer to it.
    pub file: Option<String>,
}
