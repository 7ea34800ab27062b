//! Text within a paragraph.

/// A piece of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inline {
    /// Plain text.
    Text(String),
    /// Emphasized text.
    Emphasis(Vec<Inline>),
    /// Strongly emphasized text.
    Strong(Vec<Inline>),
    /// Something to type, such as a command or a move.
    Code(String),
    /// A link: its text and its address.
    Link(Vec<Inline>, String),
}

impl Inline {
    /// Changes every text, including code.
    pub fn map_text(&mut self, change: &mut dyn FnMut(&str) -> String) {
        match self {
            Self::Text(text) | Self::Code(text) => *text = change(text),
            Self::Emphasis(parts) | Self::Strong(parts) | Self::Link(parts, _) => {
                parts.iter_mut().for_each(|part| part.map_text(change));
            }
        }
    }
}

/// The text without its markup. The address of a link follows its text.
#[must_use]
pub fn plain_text(parts: &[Inline]) -> String {
    parts.iter().map(plain).collect()
}

fn plain(part: &Inline) -> String {
    match part {
        Inline::Text(text) | Inline::Code(text) => text.clone(),
        Inline::Emphasis(parts) | Inline::Strong(parts) => plain_text(parts),
        Inline::Link(parts, address) => match plain_text(parts) {
            text if text == *address => text,
            text => format!("{text} <{address}>"),
        },
    }
}
