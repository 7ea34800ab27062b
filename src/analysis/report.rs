//! Reports as sections of facts and tables. Text and JSON are generated from the same report, so they
//! cannot disagree.

use std::fmt;

use serde_json::{Map, Value as Json, json};

use crate::printing::signed;

use crate::printing::decimal;

/// The version of the JSON format.
const SCHEMA: u32 = 1;

/// A value in a report.
#[derive(Debug, Clone, PartialEq)]
pub enum Datum {
    /// A count.
    Count(u64),
    /// A number too large for a count, printed as a power of ten.
    Size(f64),
    /// A measurement, and the number of decimals to print.
    Measure(f64, usize),
    /// A measurement printed with its sign, and the number of decimals.
    Signed(f64, usize),
    /// A text, such as a position or a move.
    Text(String),
    /// A list.
    List(Vec<Datum>),
    /// Unknown or not applicable.
    Missing,
}

impl Datum {
    /// A list of texts.
    pub fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> Self {
        Self::List(items.into_iter().map(|item| Self::Text(item.to_string())).collect())
    }

    fn json(&self) -> Json {
        match self {
            Self::Count(count) => json!(count),
            Self::Size(size) => json!(size),
            Self::Measure(measure, _) | Self::Signed(measure, _) => json!(measure),
            Self::Text(text) => json!(text),
            Self::List(items) => items.iter().map(Self::json).collect(),
            Self::Missing => Json::Null,
        }
    }

    fn is_number(&self) -> bool {
        matches!(self, Self::Count(_) | Self::Size(_) | Self::Measure(..) | Self::Signed(..))
    }
}

impl From<u64> for Datum {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<bool> for Datum {
    fn from(flag: bool) -> Self {
        if flag { "yes" } else { "no" }.into()
    }
}

impl From<u32> for Datum {
    fn from(count: u32) -> Self {
        Self::Count(count.into())
    }
}

impl<T: Into<Datum>> From<Option<T>> for Datum {
    fn from(datum: Option<T>) -> Self {
        datum.map_or(Self::Missing, Into::into)
    }
}

impl From<usize> for Datum {
    fn from(count: usize) -> Self {
        Self::Count(count as u64)
    }
}

impl From<&str> for Datum {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Datum {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(f, "{count}"),
            Self::Size(size) => write!(f, "{size:.1e}"),
            Self::Measure(measure, decimals) => f.write_str(&decimal(*measure, *decimals)),
            Self::Signed(measure, decimals) => f.write_str(&signed(*measure, *decimals)),
            Self::Text(text) => f.write_str(text),
            Self::List(items) if items.is_empty() => f.write_str("-"),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(ToString::to_string).collect();
                f.write_str(&items.join(" "))
            }
            Self::Missing => f.write_str("-"),
        }
    }
}

/// The content of a section. Each fact and column has a JSON key and a label for the text.
#[derive(Debug, Clone, PartialEq)]
enum SectionBody {
    Facts(Vec<(&'static str, String, Datum)>),
    Table { columns: Vec<(&'static str, String)>, rows: Vec<Vec<Datum>> },
}

/// A titled section of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    name: &'static str,
    title: String,
    body: SectionBody,
    /// Notes below the section, in the text only.
    remarks: Vec<String>,
}

impl Section {
    /// Creates a section of facts.
    pub fn facts(name: &'static str, title: &str) -> Self {
        Self {
            name,
            title: title.to_owned(),
            body: SectionBody::Facts(Vec::new()),
            remarks: Vec::new(),
        }
    }

    /// Creates a section with a table.
    pub fn table(name: &'static str, title: &str, columns: &[(&'static str, &str)]) -> Self {
        let columns = columns.iter().map(|(name, label)| (*name, (*label).to_owned())).collect();
        let body = SectionBody::Table { columns, rows: Vec::new() };
        Self { name, title: title.to_owned(), body, remarks: Vec::new() }
    }

    /// Adds a fact.
    #[must_use]
    pub fn fact(mut self, name: &'static str, label: &str, datum: impl Into<Datum>) -> Self {
        if let SectionBody::Facts(facts) = &mut self.body {
            facts.push((name, label.to_owned(), datum.into()));
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
    pub fn remark(mut self, remark: impl Into<String>) -> Self {
        self.remarks.push(remark.into());
        self
    }

    /// Adds notes below the section.
    #[must_use]
    pub fn remarks(mut self, remarks: impl IntoIterator<Item = String>) -> Self {
        self.remarks.extend(remarks);
        self
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
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        match &self.body {
            SectionBody::Facts(facts) => {
                let width = facts.iter().map(|(_, label, _)| label.chars().count()).max();
                for (_, label, datum) in facts {
                    writeln!(f, "  {label:<width$}  {datum}", width = width.unwrap_or(0))?;
                }
            }
            SectionBody::Table { columns, rows } => write_table(f, columns, rows)?,
        }
        self.remarks.iter().try_for_each(|remark| writeln!(f, "  {remark}"))
    }
}

/// Writes a table with numbers right-aligned and everything else left-aligned; the last column wraps.
fn write_table(
    f: &mut fmt::Formatter<'_>,
    columns: &[(&'static str, String)],
    rows: &[Vec<Datum>],
) -> fmt::Result {
    let texts: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect();
    let width = |column: usize| {
        let cells = texts.iter().map(|row| row[column].chars().count());
        cells.chain([columns[column].1.chars().count()]).max().unwrap_or(0)
    };
    let is_number = |column: usize| {
        rows.iter().all(|row| row[column].is_number() || row[column] == Datum::Missing)
    };
    let formats: Vec<(usize, bool)> =
        (0..columns.len()).map(|column| (width(column), is_number(column))).collect();
    let labels: Vec<String> = columns.iter().map(|(_, label)| label.clone()).collect();
    for line in std::iter::once(&labels).chain(&texts) {
        let Some((last, others)) = line.split_last() else { continue };
        let mut text = String::new();
        for (cell, (width, right)) in others.iter().zip(&formats) {
            text += &if *right { format!("  {cell:>width$}") } else { format!("  {cell:<width$}") };
        }
        let margin = text.chars().count() + 2;
        if formats.last().is_some_and(|(_, right)| *right) {
            let width = width(columns.len() - 1);
            text += &format!("  {last:>width$}");
        } else {
            text = text + "  " + &wrapped(last, margin);
        }
        writeln!(f, "{}", text.trim_end())?;
    }
    Ok(())
}

/// Wraps words; all lines but the first are indented by `margin`.
fn wrapped(words: &str, margin: usize) -> String {
    /// The maximum line length.
    const WIDTH: usize = 100;
    let mut text = String::new();
    let mut column = margin;
    for word in words.split(' ') {
        let length = word.chars().count();
        if column > margin && column + 1 + length > WIDTH {
            text += &format!("\n{:margin$}", "");
            column = margin;
        } else if column > margin {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += length;
    }
    text
}

/// A move and its expected score for the player who makes it, for drawings.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveRating {
    /// The move.
    pub mv: String,
    /// The expected score, from 0 for a loss to 1 for a win.
    pub expected: f64,
    /// Whether the score is the proven value.
    pub is_proven: bool,
}

/// A report about a game or a position.
#[derive(Debug, Clone, PartialEq)]
pub struct AnalysisReport {
    /// The game's id.
    pub game: &'static str,
    /// The moves of the position, best first; empty in a report on a game.
    pub ratings: Vec<MoveRating>,
    /// The sections in order.
    pub sections: Vec<Section>,
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
}

impl fmt::Display for AnalysisReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, section) in self.sections.iter().enumerate() {
            let gap = if index > 0 { "\n" } else { "" };
            write!(f, "{gap}{section}")?;
        }
        Ok(())
    }
}
