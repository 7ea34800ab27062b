//! The chapters of `zermelo analyze`: complete in every language and format.

use std::sync::LazyLock;
use std::time::Duration;

use serde_json::Value as Json;
use zermelo::analysis::AnalysisReport;
use zermelo::document::{Block, Document, TextStyle, plain_text};
use zermelo::language::Language;
use zermelo::search::SearchControl;
use zermelo::thinking::GameSpec;
use zermelo::thinking::analyzing::AnalysisTask;
use zermelo::thinking::registry::games;

use crate::common::{Folder, run_program};

fn analyze(game: &GameSpec, fen: Option<&str>) -> AnalysisReport {
    let (control, time) = (SearchControl::default(), Duration::from_millis(300));
    let task = AnalysisTask { fen, time, control: &control, observer: &mut () };
    game.analyze(task).unwrap()
}

static REPORTS: LazyLock<Vec<AnalysisReport>> =
    LazyLock::new(|| games().iter().map(|game| analyze(game, None)).collect());

fn documents(report: &AnalysisReport) -> [Document; 2] {
    Language::ALL.map(|(_, language)| report.document(language, "title"))
}

/// The paths of the placeholders of a template.
fn placeholders(text: &str) -> Vec<&str> {
    let paths = text.split('{').skip(1).map(|rest| rest.split(['}', ':']).next().unwrap());
    paths.filter(|path| *path != "title").collect()
}

/// Every fact and column of a chapter's data, by the path of its placeholder.
fn paths(report: &AnalysisReport) -> Vec<String> {
    let sections = report.sections.as_object().unwrap();
    let of_section = |(name, section): (&String, &Json)| -> Vec<String> {
        let fields = section.get(0).unwrap_or(section).as_object().unwrap();
        fields.keys().map(|field| format!("{name}.{field}")).collect()
    };
    sections.iter().flat_map(of_section).collect()
}

#[test]
fn every_placeholder_has_a_value_and_every_result_has_a_place() {
    for report in REPORTS.iter() {
        for (text, document) in report.text.iter().zip(documents(report)) {
            let used = placeholders(text);
            for path in paths(report) {
                let is_used = used.contains(&&*path);
                assert!(is_used, "{}: {path} has no place", report.game);
            }
            // A placeholder without a value would empty the whole chapter.
            assert!(!document.blocks.is_empty(), "{}: {used:?}", report.game);
            let drawn = document.blocks.iter().filter(|own| matches!(own, Block::Figure { .. }));
            assert_eq!(drawn.count(), report.figures[0].len(), "{}", report.game);
        }
    }
}

/// Markdown does not recognize emphasis between a letter and certain punctuation.
#[test]
fn no_markup_is_left_in_the_text() {
    for document in REPORTS.iter().flat_map(documents) {
        for block in &document.blocks {
            let texts: Vec<String> = match block {
                Block::Paragraph { parts } => vec![plain_text(parts)],
                Block::List { items, .. } => items.iter().map(|item| plain_text(item)).collect(),
                _ => Vec::new(),
            };
            for text in texts {
                assert!(!text.contains(['*', '`', '{']), "{text}");
            }
        }
    }
}

#[test]
fn words_are_translated() {
    for report in REPORTS.iter() {
        let chinese = report.document(Language::Chinese, "");
        for block in &chinese.blocks {
            let Block::Table { rows, caption, .. } = block else { continue };
            for cell in rows.concat() {
                let letters = cell.chars().filter(char::is_ascii_lowercase).count();
                let is_english = letters > 2 && !cell.contains(|own: char| own.is_ascii_digit());
                let is_text =
                    is_english && !cell.contains(|own: char| !own.is_ascii() || own == '/');
                assert!(!is_text, "{}, {caption}: {cell}", report.game);
            }
        }
    }
}

/// What a block is, apart from its text.
fn shape(block: &Block) -> String {
    match block {
        Block::Heading { level, .. } => format!("heading {level}"),
        Block::Paragraph { .. } => "paragraph".to_owned(),
        Block::List { is_numbered, items } => format!("list {is_numbered} {}", items.len()),
        Block::Diagram { text } => format!("diagram {}", text.lines().count()),
        Block::Table { columns, rows, notes, .. } => {
            format!("table {} {} {}", columns.len(), rows.len(), notes.len())
        }
        Block::Figure { diagram, .. } => format!("figure {}", diagram.is_some()),
    }
}

#[test]
fn chapters_have_the_same_structure_in_every_language() {
    for report in REPORTS.iter() {
        let [english, chinese] =
            documents(report).map(|document| document.blocks.iter().map(shape).collect::<Vec<_>>());
        assert_eq!(english, chinese, "{}", report.game);
    }
}

/// The numbers in a text, without the commas between groups of digits.
fn numbers(text: &str) -> Vec<String> {
    let text = text.replace(',', "");
    let words = text.split(|letter: char| !letter.is_ascii_digit());
    let mut numbers: Vec<String> =
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect();
    numbers.sort();
    numbers
}

#[test]
fn tables_have_the_same_numbers_in_every_language() {
    for report in REPORTS.iter() {
        let [english, chinese] = documents(report).map(|document| document.blocks);
        for (left, right) in english.iter().zip(&chinese) {
            if let (Block::Table { rows, caption, .. }, Block::Table { rows: other, .. }) =
                (left, right)
            {
                let cells = |rows: &[Vec<String>]| numbers(&rows.concat().join(" "));
                assert_eq!(cells(rows), cells(other), "{caption}");
            }
        }
    }
}

/// The text of a page, without tags, style and pictures.
fn page_text(page: &str) -> String {
    let body = page.split_once("<main>").unwrap().1;
    let mut text = String::new();
    for part in body.split("<svg") {
        let part = part.split_once("</svg>").map_or(part, |(_, rest)| rest);
        text.extend(part.split('<').map(|tag| tag.split_once('>').map_or(tag, |(_, rest)| rest)));
        text.push(' ');
    }
    text.replace("&quot;", "\"").replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&")
}

/// The letters and digits of a text, without the characters that only lay it out.
fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

#[test]
fn every_format_contains_every_paragraph() {
    for document in REPORTS.iter().flat_map(documents) {
        let formats = [document.text(80), page_text(&document.html())];
        let formats = formats.map(|text| letters(&text));
        for block in &document.blocks {
            let parts: Vec<String> = match block {
                Block::Heading { text, .. } => vec![text.clone()],
                // A link adds its address to the text.
                Block::Paragraph { parts }
                    if !parts.iter().any(|part| part.style == TextStyle::Link) =>
                {
                    vec![plain_text(parts)]
                }
                Block::Diagram { text } => text.lines().map(str::to_owned).collect(),
                Block::Table { notes, .. } => notes.clone(),
                _ => Vec::new(),
            };
            for part in parts {
                for format in &formats {
                    assert!(format.contains(&letters(&part)), "{}: {part}", document.title);
                }
            }
        }
    }
}

#[test]
fn text_fits_into_eighty_columns() {
    for document in REPORTS.iter().flat_map(documents) {
        for line in document.text(80).lines() {
            let width = unicode_width::UnicodeWidthStr::width(line);
            assert!(width <= 80, "{width} columns: {line}");
        }
    }
}

#[test]
fn pages_are_complete_and_without_scripts() {
    for report in REPORTS.iter() {
        for (document, (code, _)) in documents(report).into_iter().zip(Language::ALL) {
            let page = document.html();
            assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\""), "{page:.60}");
            assert!(page.contains(&format!("lang=\"{code}\"")));
            assert!(page.contains("--ink: light-dark("));
            for word in ["<script", " src=", "@import", "url(http", "<link"] {
                assert!(!page.contains(word), "{}: {word}", report.game);
            }
            assert_eq!(page.matches("<svg").count(), report.figures[0].len());
            for tag in ["p", "li", "ul", "ol", "table", "figure", "strong", "em", "code", "a"] {
                let opened = page.matches(&format!("<{tag}>")).count()
                    + page.matches(&format!("<{tag} ")).count();
                assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "<{tag}>");
            }
        }
    }
}

/// A row shows either counts or a list of numbers, so that neither is mistaken for the other; only
/// the first cell, which names the row, may be a count beside a list.
#[test]
fn lists_and_counts_are_not_mixed() {
    let is_list =
        |cell: &Json| cell.as_array().is_some_and(|items| items.iter().any(Json::is_number));
    // Facts for the prose are not shown as a table.
    const PROSE: [&str; 2] = ["example", "cores"];
    for report in REPORTS.iter() {
        let Json::Object(sections) = report.json() else { panic!("{}", report.game) };
        for (name, section) in &sections {
            match section {
                Json::Array(rows) => {
                    for row in rows {
                        let cells = row.as_object().unwrap();
                        let counts = cells.values().filter(|cell| cell.is_number()).count();
                        let lists = cells.values().filter(|cell| is_list(cell)).count();
                        let is_key = cells.len() == 2 || name == "replies";
                        // A state has its number and its plies.
                        let has_two = ["continuations", "graph"].contains(&&**name);
                        let allowed = if has_two { 2 } else { usize::from(is_key) };
                        assert!(lists == 0 || counts <= allowed, "{} {name}: {row}", report.game);
                    }
                }
                Json::Object(facts) if !PROSE.contains(&&**name) => {
                    let has_list = facts.values().any(is_list);
                    let has_count = facts.values().any(Json::is_number);
                    assert!(!(has_list && has_count), "{} {name}", report.game);
                }
                _ => {}
            }
        }
    }
}

#[test]
fn positions_are_explained_in_every_language_and_format() {
    const CHINESE: &str = "局面 价值 着法";
    for game in games() {
        let report = analyze(game, Some(&game.open().fen()));
        let [english, chinese] = documents(&report);
        let shapes = |document: &Document| document.blocks.iter().map(shape).collect::<Vec<_>>();
        assert_eq!(shapes(&english), shapes(&chinese));
        for word in CHINESE.split(' ') {
            assert!(chinese.text(80).contains(word), "{}: {word}", game.id);
        }
        let page = english.html();
        assert_eq!(page.matches("<svg").count(), 1, "{}", game.id);
        assert!(page.contains("class=\"best\""), "{}: no arrow", game.id);
    }
}

#[test]
fn json_is_the_same_in_every_language() {
    for game in ["nim", "ponghauki", "tictactoe"] {
        let [english, chinese] = Language::ALL.map(|(code, _)| {
            let output = run_program(&["analyze", game, "--json", "--lang", code], b"");
            assert!(output.status.success(), "{output:?}");
            output.stdout
        });
        assert_eq!(english, chinese, "{game}");
    }
}

/// Draws a picture with `--svg`.
fn draw(folder: &Folder, arguments: &[&str]) -> String {
    let path = folder.file("picture.svg");
    let all = [&["analyze"], arguments, &["--svg", path.to_str().unwrap()]].concat();
    let output = run_program(&all, b"");
    assert!(output.status.success(), "{output:?}");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn every_game_has_a_picture() {
    let folder = Folder::new("analyze-pictures");
    let nim = draw(&folder, &["nim"]);
    assert_eq!(nim.matches("<circle").count(), 8 * 6);
    assert_eq!(nim.matches(">1</text>").count(), 8 * 2 + 1, "binary digits and a weight");
    let openings = draw(&folder, &["tictactoe"]);
    for (label, count) in [("W</text>", 7 + 4 + 4), ("D</text>", 1 + 4 + 4), ("L</text>", 0)] {
        assert_eq!(openings.matches(label).count(), count, "{label}");
    }
    assert!(!openings.contains("class=\"best\""));
    // The boards where the next move has to be have a colour of their own, and each stone is a path or a ring.
    for (game, boards, stones) in
        [("tixtax", 1, 2), ("tixtax-count", 1, 69 + 7), ("tixtax-open", 1, 17)]
    {
        let picture = draw(&folder, &[game, "--time", "0.1"]);
        assert_eq!(picture.matches("fill=\"#0b5c94\"").count(), boards, "{game}");
        let drawn = picture.matches("<path").count() + picture.matches("fill=\"none\"").count();
        assert_eq!(drawn, stones, "{game}");
    }
    let start = ["--fen", "9/9/9/9/9/9/9/9/9 x 1 -", "--time", "0.5"];
    let start = draw(&folder, &[&["tixtax"], &start[..]].concat());
    assert_eq!(start.matches("%</title>").count(), 81, "an estimate on every cell");
}

#[test]
fn the_command_writes_every_format() {
    let folder = Folder::new("analyze-formats");
    let [html, svg] = ["page.html", "picture.svg"].map(|name| folder.file(name));
    let [html, svg] = [&html, &svg].map(|path| path.to_str().unwrap());
    let arguments = ["analyze", "nim", "--html", html, "--svg", svg, "--lang", "zh"];
    let output = run_program(&arguments, b"");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("尼姆"), "{text:.40}");
    let page = std::fs::read_to_string(html).unwrap();
    assert!(page.contains("lang=\"zh\"") && page.matches("<svg").count() == 2);
    let picture = std::fs::read_to_string(svg).unwrap();
    let is_same = zermelo::browser::without_variables(&page).contains(&picture);
    assert!(is_same && !picture.contains("currentColor"), "the page shows another picture");
    let refused = run_program(&["analyze", "nim", "--html", html, "--svg", html], b"");
    assert_eq!(refused.status.code(), Some(2));
}
