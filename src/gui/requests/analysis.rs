//! `analysis`: what is known about a game or a position, as a chapter of text, tables and figures.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::setup::GameSetup;
use super::{RequestContext, RequestError, time_limit};
use crate::document::{Block, Column, Document, Figure, Inline, Table, plain_text};
use crate::interact::messages::{Language, Message};
use crate::thinking::analyzing::{self, AnalysisTask};
use crate::thinking::registry;
use crate::thinking::solving::{SaveCheckpoint, SolveObserver, SolveProgress};

const DEFAULT_MS: u64 = 5000;
const MAX_MS: u64 = 60_000;

/// Asks for the analysis of a game or of a position.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// The game as a whole, …
    #[serde(default)]
    game: Option<String>,
    /// … or a position of it.
    #[serde(default)]
    setup: Option<GameSetup>,
    /// Time for proofs and searches.
    #[serde(default)]
    ms: Option<u64>,
}

#[derive(Debug, Serialize)]
pub(super) struct AnalysisAnswer {
    title: String,
    blocks: Vec<BlockAnswer>,
    /// The same facts, as `zermelo analyze --json` prints them.
    data: Json,
}

/// A part of the chapter.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum BlockAnswer {
    Heading {
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
    Diagram {
        text: String,
    },
    Table {
        caption: String,
        columns: Vec<ColumnAnswer>,
        rows: Vec<Vec<String>>,
        notes: Vec<String>,
    },
    Figure {
        svg: String,
        caption: String,
    },
}

#[derive(Debug, Serialize)]
struct TextPart {
    text: String,
    /// `plain`, `emphasis`, `strong`, `code` or `link`.
    style: &'static str,
}

#[derive(Debug, Serialize)]
struct ColumnAnswer {
    label: String,
    is_numeric: bool,
}

impl AnalysisRequest {
    pub(super) fn answer(
        &self,
        language: Language,
        context: &RequestContext<'_>,
    ) -> Result<AnalysisAnswer, RequestError> {
        let time = time_limit(self.ms, DEFAULT_MS, MAX_MS)?;
        let (entry, fen) = match (&self.game, &self.setup) {
            (Some(game), None) => (registry::find(game)?, None),
            (None, Some(setup)) => {
                let game = setup.open()?;
                (game.entry, Some(game.position.fen()))
            }
            _ => return Err(RequestError::new("expected either game or setup")),
        };
        let control = context.control.child();
        let task = AnalysisTask {
            fen: fen.as_deref(),
            time,
            control: &control,
            observer: &mut Unobserved,
        };
        let report = analyzing::report(entry, task);
        let report = report.map_err(|error| RequestError::new(error.to_string()))?;
        let title = language.render(&Message::Title(entry.id));
        let Document { title, blocks, .. } = report.document(language, &title);
        Ok(AnalysisAnswer {
            title,
            blocks: blocks.into_iter().map(to_block).collect(),
            data: report.json(),
        })
    }
}

fn to_block(block: Block) -> BlockAnswer {
    match block {
        Block::Heading(level, parts) => BlockAnswer::Heading { level, text: plain_text(&parts) },
        Block::Paragraph(parts) => BlockAnswer::Paragraph { parts: to_parts(&parts) },
        Block::List { is_numbered, items } => BlockAnswer::List {
            is_numbered,
            items: items.iter().map(|item| to_parts(item)).collect(),
        },
        Block::Diagram(text) => BlockAnswer::Diagram { text },
        Block::Table(Table { caption, columns, rows, notes }) => {
            let to_column =
                |Column { label, is_numeric }: Column| ColumnAnswer { label, is_numeric };
            let columns = columns.into_iter().map(to_column).collect();
            BlockAnswer::Table { caption, columns, rows, notes }
        }
        Block::Figure(Figure { svg, caption, .. }) => BlockAnswer::Figure { svg, caption },
    }
}

fn to_parts(parts: &[Inline]) -> Vec<TextPart> {
    let to_part = |part: &Inline| {
        let style = match part {
            Inline::Text(_) => "plain",
            Inline::Emphasis(_) => "emphasis",
            Inline::Strong(_) => "strong",
            Inline::Code(_) => "code",
            Inline::Link(..) => "link",
        };
        TextPart { text: plain_text(std::slice::from_ref(part)), style }
    };
    parts.iter().map(to_part).collect()
}

/// Ignores the progress of proofs.
struct Unobserved;

impl SolveObserver for Unobserved {
    fn progress(&mut self, _: &SolveProgress) {}

    fn verifying(&mut self, _: u64, _: Duration) {}

    fn save(&mut self, _: bool, _: SaveCheckpoint<'_>) {}
}
