//! Documents as a single HTML page.

use super::{Block, Column, Document, TextPart, TextStyle, has_header};

use crate::browser;

const STYLE: &str = include_str!("page.css");

impl Document {
    /// Renders the document as a self-contained page for light and dark schemes, without scripts.
    pub fn html(&self) -> String {
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{}</title>\n<style>\n{}{STYLE}</style>\n</head>\n<body>\n<main>\n",
            self.language.code(),
            escape_html(&self.title),
            browser::VARIABLES
        );
        page.extend(self.blocks.iter().map(block));
        page + "</main>\n</body>\n</html>\n"
    }
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading { level, text } => format!("<h{level}>{}</h{level}>\n", escape_html(text)),
        Block::Paragraph { parts } => format!("<p>{}</p>\n", inline(parts)),
        Block::List { is_numbered, items } => {
            let name = if *is_numbered { "ol" } else { "ul" };
            let items = items.iter().map(|parts| format!("<li>{}</li>\n", inline(parts)));
            format!("<{name}>\n{}</{name}>\n", items.collect::<String>())
        }
        Block::Diagram { text } => format!("<pre>{}</pre>\n", escape_html(text)),
        Block::Table { caption, columns, rows, notes } => {
            let mut text = "<div class=\"table\">\n<table>\n".to_owned();
            if !caption.is_empty() {
                text += &format!("<caption>{}</caption>\n", escape_html(caption));
            }
            if has_header(columns) {
                let labels = columns.iter().map(|column| &column.label);
                text += &format!("<thead>{}</thead>\n", row("th", columns, labels));
            }
            text.extend(rows.iter().map(|cells| row("td", columns, cells.iter()) + "\n"));
            text += "</table>\n";
            let notes = notes.iter().map(|note| escape_html(note));
            text.extend(notes.map(|note| format!("<p class=\"note\">{note}</p>\n")));
            text + "</div>\n"
        }
        Block::Figure { svg, caption, .. } => {
            let caption = escape_html(caption);
            format!("<figure>\n{svg}<figcaption>{caption}</figcaption>\n</figure>\n")
        }
    }
}

fn row<'a>(name: &str, columns: &[Column], cells: impl Iterator<Item = &'a String>) -> String {
    let cells = columns.iter().zip(cells).map(|(column, content)| {
        let class = if column.is_numeric { " class=\"number\"" } else { "" };
        format!("<{name}{class}>{}</{name}>", escape_html(content))
    });
    format!("<tr>{}</tr>", cells.collect::<String>())
}

fn inline(parts: &[TextPart]) -> String {
    let part = |TextPart { text, style, link }: &TextPart| match (style, link) {
        (_, Some([label, address])) => {
            format!("<a href=\"{}\">{}</a>", escape_html(address), escape_html(label))
        }
        (TextStyle::Emphasis, _) => format!("<em>{}</em>", escape_html(text)),
        (TextStyle::Strong, _) => format!("<strong>{}</strong>", escape_html(text)),
        (TextStyle::Code, _) => format!("<code>{}</code>", escape_html(text)),
        _ => escape_html(text),
    };
    parts.iter().map(part).collect()
}

/// Escapes text for the content or a quoted attribute of an HTML element.
pub fn escape_html(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}
