//! Reports as sections of facts and tables, with figures and a chapter of prose around them.
//!
//! JSON holds the data of the sections under names that are the same in all languages. All formats
//! for readers are rendered from one [`Document`], so they cannot disagree.

use serde_json::{Map, Value as Json, json};

use super::board_svg::BoardSvg;
use super::chapter;
use super::datum::Datum;
use super::heat_map::{HeatMap, MoveRating};
use crate::document::{Block, Column, Document, Figure, Inline, Table};
use crate::language::{Language, Localized};
use crate::rules::Game;

/// The version of the JSON format.
const SCHEMA: u32 = 2;

/// The content of a section. Each fact and column has a name in JSON and a label for readers.
#[derive(Debug, Clone, PartialEq)]
enum SectionBody {
    Facts(Vec<(&'static str, Localized, Datum)>),
    Table { columns: Vec<(&'static str, Localized)>, rows: Vec<Vec<Datum>> },
}

/// A titled section of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    name: &'static str,
    title: Localized,
    body: SectionBody,
    /// Notes below the section, for readers only.
    remarks: Vec<Localized<String>>,
}

impl Section {
    /// Creates a section of facts.
    #[must_use]
    pub fn facts(name: &'static str, title: Localized) -> Self {
        Self { name, title, body: SectionBody::Facts(Vec::new()), remarks: Vec::new() }
    }

    /// Creates a section with a table.
    #[must_use]
    pub fn table(
        name: &'static str,
        title: Localized,
        columns: &[(&'static str, Localized)],
    ) -> Self {
        let body = SectionBody::Table { columns: columns.to_vec(), rows: Vec::new() };
        Self { name, title, body, remarks: Vec::new() }
    }

    /// Adds a fact.
    #[must_use]
    pub fn fact(mut self, name: &'static str, label: Localized, datum: impl Into<Datum>) -> Self {
        if let SectionBody::Facts(facts) = &mut self.body {
            facts.push((name, label, datum.into()));
        }
        self
    }

    /// Adds a row to the table.
    pub fn row(&mut self, row: Vec<Datum>) {
        if let SectionBody::Table { rows, .. } = &mut self.body {
            rows.push(row);
        }
    }

    /// Adds a note below the section.
    #[must_use]
    pub fn remark(mut self, remark: Localized<impl Into<String>>) -> Self {
        self.remarks.push(remark.map(Into::into));
        self
    }

    /// The name of the section in JSON.
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// The names of the facts; empty for a table.
    pub(super) fn fact_names(&self) -> Vec<&'static str> {
        match &self.body {
            SectionBody::Facts(facts) => facts.iter().map(|(name, ..)| *name).collect(),
            SectionBody::Table { .. } => Vec::new(),
        }
    }

    /// Finds a fact by its name, or a cell of a table by `ROW.COLUMN`: the content of the row's first
    /// cell and the name of the column.
    pub(super) fn find(&self, path: &str) -> Option<&Datum> {
        match &self.body {
            SectionBody::Facts(facts) => {
                facts.iter().find(|(name, ..)| *name == path).map(|(.., datum)| datum)
            }
            SectionBody::Table { columns, rows } => {
                let (key, column) = path.split_once('.')?;
                let column = columns.iter().position(|(name, _)| *name == column)?;
                let is_key = |cell: &Datum| {
                    let json = cell.json();
                    json.as_str().map_or_else(|| json.to_string(), str::to_owned) == key
                };
                rows.iter().find(|row| row.first().is_some_and(is_key))?.get(column)
            }
        }
    }

    fn json(&self) -> Json {
        match &self.body {
            SectionBody::Facts(facts) => {
                facts.iter().map(|(name, _, datum)| ((*name).to_owned(), datum.json())).collect()
            }
            SectionBody::Table { columns, rows } => {
                let object = |row: &Vec<Datum>| -> Json {
                    let pairs = columns.iter().zip(row);
                    pairs.map(|((name, _), datum)| ((*name).to_owned(), datum.json())).collect()
                };
                rows.iter().map(object).collect()
            }
        }
    }

    /// The section as a table for readers.
    pub(super) fn table_in(&self, language: Language) -> Table {
        let pick = |texts: &Localized| language.pick(texts).to_owned();
        let (columns, rows) = match &self.body {
            SectionBody::Facts(facts) => {
                let column = Column { label: String::new(), is_numeric: false };
                let row = |(_, label, datum): &(_, Localized, Datum)| {
                    vec![pick(label), datum.text(language)]
                };
                (vec![column.clone(), column], facts.iter().map(row).collect())
            }
            SectionBody::Table { columns, rows } => {
                let is_numeric = |index: usize| {
                    let mut cells = rows.iter().map(|row: &Vec<Datum>| &row[index]);
                    cells.all(|cell| cell.is_number() || *cell == Datum::Missing)
                };
                let column = |(index, (_, label)): (usize, &(_, Localized))| Column {
                    label: pick(label),
                    is_numeric: is_numeric(index),
                };
                let row = |row: &Vec<Datum>| row.iter().map(|cell| cell.text(language)).collect();
                (columns.iter().enumerate().map(column).collect(), rows.iter().map(row).collect())
            }
        };
        let notes = self.remarks.iter().map(|remark| language.pick(remark)).collect();
        Table { caption: pick(&self.title), columns, rows, notes }
    }
}

/// A figure of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportFigure {
    /// The name by which a chapter inserts it.
    pub name: &'static str,
    /// The picture in SVG.
    pub svg: Localized<String>,
    /// The same content in characters.
    pub diagram: Option<Localized<String>>,
    /// The caption.
    pub caption: Localized<String>,
}

impl ReportFigure {
    /// Draws a position, with the values of its moves if there are any; `None` if the game has no
    /// board to draw.
    #[must_use]
    pub fn of_position<G: Game>(
        name: &'static str,
        pos: &G,
        ratings: &[MoveRating],
        caption: Localized,
    ) -> Option<Self> {
        let layout = G::layout()?;
        let (shown, labels) = (pos.spot_contents(), pos.extra_labels());
        let heat = HeatMap::new(&layout, ratings);
        let board = BoardSvg { layout: &layout, shown: &shown, labels: &labels, heat: Some(&heat) };
        Some(Self {
            name,
            svg: Language::ALL.map(|(_, language)| board.svg(language)),
            diagram: Some(Language::ALL.map(|_| pos.diagram())),
            caption: caption.map(str::to_owned),
        })
    }

    pub(super) fn figure_in(&self, language: Language) -> Figure {
        Figure {
            svg: language.pick(&self.svg),
            diagram: self.diagram.as_ref().map(|diagram| language.pick(diagram)),
            caption: language.pick(&self.caption),
            file: None,
        }
    }
}

/// A report about a game or a position.
#[derive(Debug, Clone, PartialEq)]
pub struct AnalysisReport {
    /// The game's id.
    pub game: &'static str,
    /// The sections in order.
    pub sections: Vec<Section>,
    /// The figures; `--svg` writes the first one.
    pub figures: Vec<ReportFigure>,
    /// The prose around the sections and figures, in Markdown; `None` lists them one after the other.
    pub chapter: Option<Localized>,
}

impl AnalysisReport {
    /// The report as JSON, with one field per section.
    #[must_use]
    pub fn json(&self) -> Json {
        let mut object = Map::new();
        object.insert("schema".to_owned(), json!(SCHEMA));
        object.insert("game".to_owned(), json!(self.game));
        for section in &self.sections {
            object.insert(section.name.to_owned(), section.json());
        }
        Json::Object(object)
    }

    /// The report for readers. `title` is the heading of a report without a chapter.
    #[must_use]
    pub fn document(&self, language: Language, title: &str) -> Document {
        let blocks = match self.chapter {
            Some(_) => chapter::compose(self, language).blocks,
            None => {
                let heading = Block::Heading(1, vec![Inline::Text(title.to_owned())]);
                let figures = self.figures.iter().map(|own| Block::Figure(own.figure_in(language)));
                let tables = self.sections.iter().map(|own| Block::Table(own.table_in(language)));
                std::iter::once(heading).chain(figures).chain(tables).collect()
            }
        };
        Document { title: title.to_owned(), language, blocks }
    }

    /// What is wrong with the chapter in a language: Markdown that cannot be parsed, placeholders
    /// without a value, and results that it never mentions. Empty if all is well.
    #[must_use]
    pub fn chapter_problems(&self, language: Language) -> Vec<String> {
        chapter::compose(self, language).problems
    }
}
