//! Fills the chapters of `src/analysis/chapters` with computed results.
//!
//! A chapter is Markdown of the subset that [`parse_markdown`] accepts. `{section.fact}` stands for a
//! fact and `{section.row.column}` for a cell of a table whose row begins with that cell. A paragraph
//! `{{section}}` inserts a section as a table, and `{{figure name}}` a figure. No number that the
//! program computes is written in the text.

use std::collections::BTreeSet;

use super::report::AnalysisReport;
use crate::document::{Block, Inline, parse_markdown, plain_text};
use crate::language::Language;

/// A chapter with its results.
pub(super) struct FilledChapter {
    pub(super) blocks: Vec<Block>,
    /// What is wrong with the text of the chapter.
    pub(super) problems: Vec<String>,
}

/// Parses the chapter of a report and inserts the results.
pub(super) fn compose(report: &AnalysisReport, language: Language) -> FilledChapter {
    let text = report.chapter.map_or("", |texts| language.pick(&texts));
    let parsed = parse_markdown(text);
    let mut composer =
        ChapterComposer { report, language, used: BTreeSet::new(), problems: vec![] };
    let blocks = match parsed {
        Ok(blocks) => blocks.into_iter().map(|block| composer.fill_block(block)).collect(),
        Err(error) => {
            composer.problems.push(error.to_string());
            vec![Block::Diagram(text.to_owned())]
        }
    };
    composer.check_unused();
    FilledChapter { blocks, problems: composer.problems }
}

struct ChapterComposer<'a> {
    report: &'a AnalysisReport,
    language: Language,
    /// The placeholders and inserts so far.
    used: BTreeSet<String>,
    problems: Vec<String>,
}

impl ChapterComposer<'_> {
    fn fill_block(&mut self, block: Block) -> Block {
        let fill_all = |own: &mut Self, mut parts: Vec<Inline>| {
            parts.iter_mut().for_each(|part| part.map_text(&mut |text| own.fill(text)));
            parts
        };
        match block {
            Block::Heading(level, parts) => Block::Heading(level, fill_all(self, parts)),
            Block::Paragraph(parts) => {
                let text = plain_text(&parts);
                match text.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}")) {
                    Some(name) => self.insert(name),
                    None => Block::Paragraph(fill_all(self, parts)),
                }
            }
            Block::List { is_numbered, items } => {
                let items = items.into_iter().map(|item| fill_all(self, item)).collect();
                Block::List { is_numbered, items }
            }
            Block::Diagram(lines) => Block::Diagram(self.fill(&lines)),
            block @ (Block::Table(_) | Block::Figure(_)) => block,
        }
    }

    /// The section or figure of a name.
    fn insert(&mut self, name: &str) -> Block {
        if !self.used.insert(name.to_owned()) {
            self.problems.push(format!("{{{{{name}}}}} is inserted twice"));
        }
        let block = match name.strip_prefix("figure ") {
            Some(name) => {
                let figure = self.report.figures.iter().find(|figure| figure.name == name);
                figure.map(|figure| Block::Figure(figure.figure_in(self.language)))
            }
            None => {
                let section = self.report.sections.iter().find(|section| section.name() == name);
                section.map(|section| Block::Table(section.table_in(self.language)))
            }
        };
        block.unwrap_or_else(|| {
            self.problems.push(format!("{{{{{name}}}}} does not exist"));
            Block::Paragraph(vec![Inline::Text(format!("{{{{{name}}}}}"))])
        })
    }

    /// Replaces the placeholders of a text.
    fn fill(&mut self, text: &str) -> String {
        // Markdown does not recognize emphasis between a letter and certain punctuation.
        if text.contains(['*', '`']) {
            self.problems.push(format!("markup in the text: {text}"));
        }
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((path, end)) = after.split_once('}') else { break };
            filled += before;
            filled += &self.lookup(path).unwrap_or_else(|| {
                self.problems.push(format!("{{{path}}} does not exist"));
                format!("{{{path}}}")
            });
            rest = end;
        }
        filled + rest
    }

    fn lookup(&mut self, path: &str) -> Option<String> {
        let (section, datum) = path.split_once('.')?;
        let section = self.report.sections.iter().find(|own| own.name() == section)?;
        let datum = section.find(datum)?;
        self.used.insert(path.to_owned());
        Some(datum.in_sentence(self.language))
    }

    /// Every figure is inserted, and every section is inserted or all its facts are mentioned.
    fn check_unused(&mut self) {
        for figure in &self.report.figures {
            if !self.used.contains(&format!("figure {}", figure.name)) {
                self.problems.push(format!("the figure {} is missing", figure.name));
            }
        }
        for section in &self.report.sections {
            let (name, facts) = (section.name(), section.fact_names());
            let is_mentioned = |fact: &&str| self.used.contains(&format!("{name}.{fact}"));
            let is_used =
                self.used.contains(name) || !facts.is_empty() && facts.iter().all(is_mentioned);
            if !is_used {
                self.problems.push(format!("the section {name} is missing"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Section;
    use super::*;

    fn report(text: &'static str) -> AnalysisReport {
        let mut table =
            Section::table("rows", ["Rows", "行"], &[("key", ["", ""]), ("n", ["", ""])]);
        table.row(vec!["a".into(), 12_345_u64.into()]);
        let facts = Section::facts("facts", ["Facts", "事实"])
            .fact("one", ["One", "一"], 1_u32)
            .fact("two", ["Two", "二"], 2_u32);
        let chapter = Some([text, text]);
        AnalysisReport { game: "game", sections: vec![facts, table], figures: vec![], chapter }
    }

    fn problems(text: &'static str) -> Vec<String> {
        report(text).chapter_problems(Language::English)
    }

    #[test]
    fn placeholders_are_filled_from_facts_and_tables() {
        let report = report("{facts.one} of {rows.a.n} *{facts.two}*\n\n{{rows}}\n");
        assert_eq!(report.chapter_problems(Language::English), [""; 0]);
        let text = report.document(Language::English, "").markdown();
        assert!(text.starts_with("1 of 12,345 *2*\n\n**Rows**"), "{text}");
    }

    #[test]
    fn wrong_placeholders_and_forgotten_results_are_reported() {
        assert_eq!(problems("{{facts}}\n\n{{rows}}"), [""; 0]);
        assert_eq!(problems("{{facts}}\n\n{{rows}}\n\n{{rows}}"), ["{{rows}} is inserted twice"]);
        assert_eq!(problems("{facts.one}\n\n{{rows}}"), ["the section facts is missing"]);
        assert_eq!(problems("{{x}}\n\n{{facts}}\n\n{{rows}}"), ["{{x}} does not exist"]);
        assert_eq!(
            problems("**一。**二\n\n{{facts}}\n\n{{rows}}"),
            ["markup in the text: **一。**二"]
        );
        assert!(problems("{facts.three}{rows.b.n}\n\n{{facts}}\n\n{{rows}}").len() == 2);
        assert!(problems("> quote").iter().any(|problem| problem.contains("unsupported")));
    }
}
