//! Reports of `analyze`: data, and the text that explains it.
//!
//! The data has names that are the same in all languages. Text, Markdown and pages are one
//! [`Document`], so they cannot disagree.

use serde_json::{Value as Json, json};

use super::merge;
use crate::document::{Document, Figure, fill_template};
use crate::language::{Language, Localized};
use crate::reasons::{Reason, phrases};

const SCHEMA: u32 = 2;

/// How the words in the data are written.
const WORDS: Localized = [
    include_str!("../../data/chapters/words.en.txt"),
    include_str!("../../data/chapters/words.zh.txt"),
];

/// A report about a game or a position.
#[derive(Debug, Clone, PartialEq)]
pub struct AnalysisReport {
    pub game: &'static str,
    /// An object of sections, each of which is an object of facts or a table.
    pub sections: Json,
    /// The reasons for and against moves of a position.
    pub reasons: Vec<(String, Vec<Reason>)>,
    /// The figures; `--svg` writes the first one.
    pub figures: Localized<Vec<Figure>>,
    /// The text around the data, as a template.
    pub text: Localized<String>,
}

impl AnalysisReport {
    /// The report as JSON, with one field per section.
    pub fn json(&self) -> Json {
        let data = self.data(|reasons| json!(reasons));
        merge(data, json!({ "schema": SCHEMA, "game": self.game }))
    }

    /// The report for readers. `title` is the name of the page.
    pub fn document(&self, language: Language, title: &str) -> Document {
        let data = self.data(|reasons| phrases::join(reasons, language).into());
        let data = merge(data, json!({ "title": title }));
        let (text, words) = (language.pick(&self.text), language.pick(&WORDS));
        let markdown = fill_template(&text, &data, language, words);
        Document::new(title, language, &markdown, &language.pick(&self.figures))
    }

    /// The sections, with the reasons in some form if there are any.
    fn data(&self, form: impl Fn(&[Reason]) -> Json) -> Json {
        let row =
            |(mv, reasons): &(String, Vec<Reason>)| json!({ "move": mv, "reasons": form(reasons) });
        let reasons: Vec<Json> = self.reasons.iter().map(row).collect();
        let section = if reasons.is_empty() { json!({}) } else { json!({ "reasons": reasons }) };
        merge(self.sections.clone(), section)
    }
}
