//! Fills Markdown templates with data.
//!
//! `{section.field}` stands for a value of the data, and `{section.key.field}` for one in the row of a
//! table, namely in the row of which some field is `key`. `{path:.2}` has two decimals, a `+` before
//! the dot adds a sign, and `{path:e}` is a power of ten. A line with a field of a table is repeated for each
//! row. A part of a template between lines of `---` is left out if the data lacks one of its values.

use serde_json::Value as Json;

use crate::language::{Language, replace_placeholders};
use crate::printing::{decimal, grouped, signed};

/// Fills a template. `words` has a line `word = translation` for each word in the data that is not
/// written as it is.
pub fn fill_template(template: &str, data: &Json, language: Language, words: &str) -> String {
    let template_filler = TemplateFiller { data, language, words };
    let parts = template.split("\n---\n").filter_map(|part| template_filler.fill_part(part));
    parts.collect()
}

struct TemplateFiller<'a> {
    data: &'a Json,
    language: Language,
    words: &'a str,
}

impl TemplateFiller<'_> {
    fn fill_part(&self, part: &str) -> Option<String> {
        let mut filled = String::new();
        for line in part.lines() {
            match self.table_of(line) {
                Some(rows) => {
                    for row in rows {
                        filled += &self.fill_line(line, Some(row))?;
                    }
                }
                None => filled += &self.fill_line(line, None)?,
            }
        }
        Some(filled)
    }

    fn table_of(&self, line: &str) -> Option<&Vec<Json>> {
        let (path, _) = line.strip_prefix("| {")?.split_once('}')?;
        self.data.get(path.split_once('.')?.0)?.as_array()
    }

    fn fill_line(&self, line: &str, row: Option<&Json>) -> Option<String> {
        let filled = replace_placeholders(line, |place| {
            let (path, format) = place.split_once(':').unwrap_or((place, ""));
            let value = match row {
                Some(row) => row.get(path.split_once('.')?.1),
                None => find(self.data, path),
            };
            Some(escape(&self.text(value?, format, line.starts_with('|'))))
        });
        Some(filled? + "\n")
    }

    fn text(&self, value: &Json, format: &str, is_cell: bool) -> String {
        const MISSING: &str = "-";
        let float = value.as_f64().unwrap_or_default();
        match value {
            Json::Null => MISSING.to_owned(),
            Json::Array(items) if items.is_empty() => MISSING.to_owned(),
            Json::Array(items) => {
                let items: Vec<String> =
                    items.iter().map(|item| self.text(item, format, is_cell)).collect();
                let separator = if is_cell { " " } else { self.language.text("list.separator") };
                items.join(separator)
            }
            Json::String(word) => self.translate(word).to_owned(),
            Json::Number(number) => match (format, number.as_u64()) {
                ("e", _) => format!("{float:.1e}"),
                ("", Some(count)) => grouped(count),
                (format, _) => {
                    let digits = format.trim_start_matches(['+', '.']).parse().unwrap_or(1);
                    if format.starts_with('+') {
                        signed(float, digits)
                    } else {
                        decimal(float, digits)
                    }
                }
            },
            other => other.to_string(),
        }
    }

    fn translate<'a>(&'a self, word: &'a str) -> &'a str {
        let pairs = self.words.lines().filter_map(|line| line.split_once(" = "));
        pairs.into_iter().find(|(own, _)| *own == word).map_or(word, |(_, translation)| translation)
    }
}

fn find<'a>(data: &'a Json, path: &str) -> Option<&'a Json> {
    let is_key = |field: &Json, key: &str| match field {
        Json::String(text) => text == key,
        Json::Number(number) => number.to_string() == key,
        _ => false,
    };
    let mut found = data;
    for name in path.split('.') {
        found = match found {
            Json::Array(rows) => rows.iter().find(|row| {
                row.as_object().is_some_and(|row| row.values().any(|field| is_key(field, name)))
            })?,
            other => other.get(name)?,
        };
    }
    Some(found)
}

/// Escapes what Markdown would interpret.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if "\\`*_[]<>|#".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fill(template: &str) -> String {
        let rows = json!([{ "key": "a", "n": 12_345 }, { "key": "b|", "n": 0.5 }]);
        let data = json!({ "facts": { "one": 1, "list": [1, 2], "none": null }, "rows": rows });
        fill_template(template, &data, Language::English, "a = one\nc = two")
    }

    #[test]
    fn placeholders_are_filled_from_facts_and_tables() {
        assert_eq!(fill("{facts.one} of {rows.a.n} *{facts.list}*"), "1 of 12,345 *1, 2*\n");
        assert_eq!(fill("| {rows.key} | {rows.n:.2} |"), "| one | 12345.00 |\n| b\\| | 0.50 |\n");
        assert_eq!(fill("| list | {facts.list} |\n\n{facts.none}"), "| list | 1 2 |\n\n-\n");
    }

    #[test]
    fn a_part_without_its_values_is_left_out() {
        assert_eq!(fill("one\n---\n{facts.two}\n---\n\n{facts.one}"), "one\n\n1\n");
        assert_eq!(fill("| {rows.other} |\n---\nlast"), "last\n");
    }
}
