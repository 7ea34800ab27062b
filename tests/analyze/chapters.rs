//! The chapters of `zermelo analyze`: complete in every language and format.

use std::sync::LazyLock;
use std::time::Duration;

use serde_json::Value as Json;
use zermelo::analysis::AnalysisReport;
use zermelo::document::{Block, Document, Inline, parse_markdown};
use zermelo::language::Language;
use zermelo::search::SearchControl;
use zermelo::thinking::analyzing::{self, AnalysisTask};
use zermelo::thinking::registry::{GAMES, GameEntry};
use zermelo::thinking::solving::{SaveCheckpoint, SolveObserver, SolveProgress};

use crate::common::{Folder, run_program};

struct Silent;

impl SolveObserver for Silent {
    fn progress(&mut self, _: &SolveProgress) {}

    fn verifying(&mut self, _: u64, _: Duration) {}

    fn save(&mut self, _: bool, _: SaveCheckpoint<'_>) {}
}

fn analyze(game: &GameEntry, fen: Option<&str>) -> AnalysisReport {
    let (control, time) = (SearchControl::default(), Duration::from_millis(300));
    let task = AnalysisTask { fen, time, control: &control, observer: &mut Silent };
    analyzing::report(game, task).unwrap()
}

/// The report on each game.
static REPORTS: LazyLock<Vec<AnalysisReport>> =
    LazyLock::new(|| GAMES.iter().map(|game| analyze(game, None)).collect());

fn documents(report: &AnalysisReport) -> [Document; 2] {
    Language::ALL.map(|(_, language)| report.document(language, "title"))
}

#[test]
fn every_placeholder_has_a_value_and_every_result_has_a_place() {
    for report in REPORTS.iter().filter(|report| report.chapter.is_some()) {
        for (code, language) in Language::ALL {
            let problems = report.chapter_problems(language);
            assert!(problems.is_empty(), "{} in {code}: {problems:#?}", report.game);
        }
    }
}

/// What a block is, apart from its text.
fn shape(block: &Block) -> String {
    match block {
        Block::Heading(level, _) => format!("heading {level}"),
        Block::Paragraph(_) => "paragraph".to_owned(),
        Block::List { is_numbered, items } => format!("list {is_numbered} {}", items.len()),
        Block::Diagram(lines) => format!("diagram {}", lines.lines().count()),
        Block::Table(table) => format!("table {} {}", table.columns.len(), table.rows.len()),
        Block::Figure(figure) => format!("figure {}", figure.diagram.is_some()),
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
            if let (Block::Table(left), Block::Table(right)) = (left, right) {
                let cells = |rows: &[Vec<String>]| numbers(&rows.concat().join(" "));
                assert_eq!(cells(&left.rows), cells(&right.rows), "{}", left.caption);
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
    fn words(parts: &[Inline]) -> String {
        let part = |part: &Inline| match part {
            Inline::Text(text) | Inline::Code(text) => text.clone(),
            Inline::Emphasis(parts) | Inline::Strong(parts) | Inline::Link(parts, _) => {
                words(parts)
            }
        };
        parts.iter().map(part).collect()
    }
    for document in REPORTS.iter().flat_map(documents) {
        let formats = [document.text(80), document.markdown(), page_text(&document.html())];
        let formats = formats.map(|text| letters(&text));
        for block in &document.blocks {
            let parts: Vec<String> = match block {
                // A link adds its address to the text.
                Block::Paragraph(parts) | Block::Heading(_, parts)
                    if !parts.iter().any(|part| matches!(part, Inline::Link(..))) =>
                {
                    vec![words(parts)]
                }
                Block::Diagram(lines) => lines.lines().map(str::to_owned).collect(),
                Block::Table(table) => table.notes.clone(),
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
            let width = textwrap::core::display_width(line);
            assert!(width <= 80, "{width} columns: {line}");
        }
    }
}

#[test]
fn markdown_can_be_read_again() {
    for document in REPORTS.iter().flat_map(documents) {
        let is_prose = |block: &&Block| !matches!(block, Block::Table(_) | Block::Figure(_));
        let blocks: Vec<Block> = document.blocks.iter().filter(is_prose).cloned().collect();
        let prose = Document { blocks, ..document };
        assert_eq!(parse_markdown(&prose.markdown()).unwrap(), prose.blocks);
    }
}

#[test]
fn pages_are_complete_and_without_scripts() {
    for report in REPORTS.iter() {
        for (document, (code, _)) in documents(report).into_iter().zip(Language::ALL) {
            let page = document.html();
            assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\""), "{page:.60}");
            assert!(page.contains(&format!("lang=\"{code}\"")));
            assert!(page.contains("prefers-color-scheme: dark"));
            for word in ["<script", " src=", "@import", "url(http", "<link"] {
                assert!(!page.contains(word), "{}: {word}", report.game);
            }
            assert_eq!(page.matches("<svg").count(), report.figures.len());
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
    for game in GAMES {
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
    // The boards where the next move has to be are green, and each stone is a path or a ring.
    for (game, boards, stones) in
        [("tixtax", 1, 2), ("tixtax-count", 1, 69 + 7), ("tixtax-open", 1, 17)]
    {
        let picture = draw(&folder, &[game, "--time", "0.1"]);
        assert_eq!(picture.matches("#d5efd3").count(), boards, "{game}");
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
    let arguments = ["analyze", "nim", "--markdown", "--html", html, "--svg", svg, "--lang", "zh"];
    let output = run_program(&arguments, b"");
    assert!(output.status.success(), "{output:?}");
    let markdown = String::from_utf8(output.stdout).unwrap();
    assert!(markdown.starts_with("# 尼姆"), "{markdown:.40}");
    assert!(markdown.contains(&format!("](<{svg}>)")), "the picture is not referred to");
    let page = std::fs::read_to_string(html).unwrap();
    assert!(page.contains("lang=\"zh\"") && page.matches("<svg").count() == 2);
    let picture = std::fs::read_to_string(svg).unwrap();
    assert!(page.contains(&picture), "the page shows another picture");
    let refused = run_program(&["analyze", "nim", "--markdown", "--json"], b"");
    assert_eq!(refused.status.code(), Some(2));
    let refused = run_program(&["analyze", "nim", "--html", html, "--svg", html], b"");
    assert_eq!(refused.status.code(), Some(2));
}
