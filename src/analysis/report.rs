//! What was found out, in one form for people and for scripts: sections of facts and tables.
//!
//! The text and the object are made from the same report, so that they cannot differ.

use std::fmt;

use serde_json::{Map, Value as Json, json};

/// The version of the objects.
const SCHEMA: u32 = 1;

/// A thing that was found out.
#[derive(Debug, Clone, PartialEq)]
pub enum Datum {
    /// A number of things.
    Count(u64),
    /// A number beyond all counting, told by its size.
    Size(f64),
    /// A measure, written with so many decimals.
    Measure(f64, usize),
    /// A word, a position, a line.
    Text(String),
    /// Several of a kind.
    List(Vec<Datum>),
    /// Nothing is known, or nothing is there to be known.
    Nothing,
}

impl Datum {
    /// A list of whatever can be written.
    pub fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> Self {
        Self::List(items.into_iter().map(|item| Self::Text(item.to_string())).collect())
    }

    fn json(&self) -> Json {
        match self {
            Self::Count(count) => json!(count),
            Self::Size(size) => json!(size),
            Self::Measure(measure, _) => json!(measure),
            Self::Text(text) => json!(text),
            Self::List(items) => items.iter().map(Self::json).collect(),
            Self::Nothing => Json::Null,
        }
    }

    fn is_number(&self) -> bool {
        matches!(self, Self::Count(_) | Self::Size(_) | Self::Measure(..))
    }
}

impl From<u64> for Datum {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<bool> for Datum {
    fn from(is_so: bool) -> Self {
        if is_so { "yes" } else { "no" }.into()
    }
}

impl From<u32> for Datum {
    fn from(count: u32) -> Self {
        Self::Count(count.into())
    }
}

impl<T: Into<Datum>> From<Option<T>> for Datum {
    fn from(datum: Option<T>) -> Self {
        datum.map_or(Self::Nothing, Into::into)
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
            Self::Measure(measure, decimals) => write!(f, "{measure:.decimals$}"),
            Self::Text(text) => f.write_str(text),
            Self::List(items) if items.is_empty() => f.write_str("-"),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(ToString::to_string).collect();
                f.write_str(&items.join(" "))
            }
            Self::Nothing => f.write_str("-"),
        }
    }
}

/// Facts, each with the name it has in objects and the words it has for people.
#[derive(Debug, Clone, PartialEq)]
enum Body {
    Facts(Vec<(&'static str, String, Datum)>),
    Table { columns: Vec<(&'static str, String)>, rows: Vec<Vec<Datum>> },
}

/// Things that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    name: &'static str,
    title: String,
    body: Body,
    /// What has to be said about it.
    remarks: Vec<String>,
}

impl Section {
    /// A section of facts.
    pub fn facts(name: &'static str, title: &str) -> Self {
        Self { name, title: title.to_owned(), body: Body::Facts(Vec::new()), remarks: Vec::new() }
    }

    /// A section with a table.
    pub fn table(name: &'static str, title: &str, columns: &[(&'static str, &str)]) -> Self {
        let columns = columns.iter().map(|(name, words)| (*name, (*words).to_owned())).collect();
        let body = Body::Table { columns, rows: Vec::new() };
        Self { name, title: title.to_owned(), body, remarks: Vec::new() }
    }

    /// Adds a fact.
    #[must_use]
    pub fn fact(mut self, name: &'static str, words: &str, datum: impl Into<Datum>) -> Self {
        if let Body::Facts(facts) = &mut self.body {
            facts.push((name, words.to_owned(), datum.into()));
        }
        self
    }

    /// Adds a row to the table.
    pub fn row(&mut self, row: Vec<Datum>) {
        if let Body::Table { rows, .. } = &mut self.body {
            rows.push(row);
        }
    }

    /// Adds a remark.
    #[must_use]
    pub fn remark(mut self, remark: impl Into<String>) -> Self {
        self.remarks.push(remark.into());
        self
    }

    fn json(&self) -> Json {
        match &self.body {
            Body::Facts(facts) => {
                facts.iter().map(|(name, _, datum)| ((*name).to_owned(), datum.json())).collect()
            }
            Body::Table { columns, rows } => {
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
            Body::Facts(facts) => {
                let width = facts.iter().map(|(_, words, _)| words.chars().count()).max();
                for (_, words, datum) in facts {
                    writeln!(f, "  {words:<width$}  {datum}", width = width.unwrap_or(0))?;
                }
            }
            Body::Table { columns, rows } => write_table(f, columns, rows)?,
        }
        self.remarks.iter().try_for_each(|remark| writeln!(f, "  {remark}"))
    }
}

/// Numbers to the right, all else to the left; what does not fit into the last column goes on below.
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
        rows.iter().all(|row| row[column].is_number() || row[column] == Datum::Nothing)
    };
    let shapes: Vec<(usize, bool)> =
        (0..columns.len()).map(|column| (width(column), is_number(column))).collect();
    let heads: Vec<String> = columns.iter().map(|(_, words)| words.clone()).collect();
    for line in std::iter::once(&heads).chain(&texts) {
        let Some((last, others)) = line.split_last() else { continue };
        let mut text = String::new();
        for (cell, (width, right)) in others.iter().zip(&shapes) {
            text += &if *right { format!("  {cell:>width$}") } else { format!("  {cell:<width$}") };
        }
        let margin = text.chars().count() + 2;
        if shapes.last().is_some_and(|(_, right)| *right) {
            let width = width(columns.len() - 1);
            text += &format!("  {last:>width$}");
        } else {
            text = text + "  " + &wrapped(last, margin);
        }
        writeln!(f, "{}", text.trim_end())?;
    }
    Ok(())
}

/// Words in lines that begin at a margin, which the first has already.
fn wrapped(words: &str, margin: usize) -> String {
    /// No line is longer than this.
    const WIDTH: usize = 100;
    let mut text = String::new();
    let mut at = margin;
    for word in words.split(' ') {
        let length = word.chars().count();
        if at > margin && at + 1 + length > WIDTH {
            text += &format!("\n{:margin$}", "");
            at = margin;
        } else if at > margin {
            text.push(' ');
            at += 1;
        }
        text += word;
        at += length;
    }
    text
}

/// All that was found out about a game or a position.
#[derive(Debug, Clone, PartialEq)]
pub struct AnalysisReport {
    /// The game.
    pub game: &'static str,
    /// What was found out.
    pub sections: Vec<Section>,
}

impl AnalysisReport {
    /// As an object: the sections by their names.
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
