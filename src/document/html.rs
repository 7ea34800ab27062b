//! Documents as a single HTML page.

use std::fmt::Write;

use super::{Block, Document, Figure, Inline, Table};

const STYLE: &str = include_str!("page.css");

impl Document {
    /// Renders the document as a self-contained page for light and dark schemes, without scripts.
    #[must_use]
    pub fn html(&self) -> String {
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n",
            self.language.code(),
            escape_html(&self.title)
        );
        page.extend(self.blocks.iter().map(block));
        page + "</main>\n</body>\n</html>\n"
    }
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading(level, parts) => format!("<h{level}>{}</h{level}>\n", inline(parts)),
        Block::Paragraph(parts) => format!("<p>{}</p>\n", inline(parts)),
        Block::List { is_numbered, items } => {
            let name = if *is_numbered { "ol" } else { "ul" };
            let item = |parts: &Vec<Inline>| format!("<li>{}</li>\n", inline(parts));
            format!("<{name}>\n{}</{name}>\n", items.iter().map(item).collect::<String>())
        }
        Block::Diagram(lines) => format!("<pre>{}</pre>\n", escape_html(lines)),
        Block::Table(own) => table(own),
        Block::Figure(own) => figure(own),
    }
}

fn figure(figure: &Figure) -> String {
    let caption = escape_html(&figure.caption);
    let Figure { svg, .. } = figure;
    format!("<figure>\n{svg}<figcaption>{caption}</figcaption>\n</figure>\n")
}

fn table(table: &Table) -> String {
    let mut text = "<div class=\"table\">\n<table>\n".to_owned();
    if !table.caption.is_empty() {
        let _ = writeln!(text, "<caption>{}</caption>", escape_html(&table.caption));
    }
    let cell = |name: &str, is_numeric: bool, content: &str| {
        let class = if is_numeric { " class=\"number\"" } else { "" };
        format!("<{name}{class}>{}</{name}>", escape_html(content))
    };
    if table.has_header() {
        let labels = table.columns.iter();
        let labels = labels.map(|column| cell("th", column.is_numeric, &column.label));
        let _ = writeln!(text, "<thead><tr>{}</tr></thead>", labels.collect::<String>());
    }
    for row in &table.rows {
        let cells = table.columns.iter().zip(row);
        let cells = cells.map(|(column, content)| cell("td", column.is_numeric, content));
        let _ = writeln!(text, "<tr>{}</tr>", cells.collect::<String>());
    }
    text += "</table>\n";
    for note in &table.notes {
        let _ = writeln!(text, "<p class=\"note\">{}</p>", escape_html(note));
    }
    text + "</div>\n"
}

fn inline(parts: &[Inline]) -> String {
    let part = |part: &Inline| match part {
        Inline::Text(text) => escape_html(text),
        Inline::Emphasis(parts) => format!("<em>{}</em>", inline(parts)),
        Inline::Strong(parts) => format!("<strong>{}</strong>", inline(parts)),
        Inline::Code(text) => format!("<code>{}</code>", escape_html(text)),
        Inline::Link(parts, address) => {
            format!("<a href=\"{}\">{}</a>", escape_html(address), inline(parts))
        }
    };
    parts.iter().map(part).collect()
}

/// Escapes text for the content or a quoted attribute of an HTML element.
#[must_use]
pub fn escape_html(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}
