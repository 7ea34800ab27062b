//! Tournament reports: a self-contained HTML file.
//!
//! All numbers and positions are computed here and embedded as JSON; the script only displays them
//! and does not know the games. Text from players is escaped or inserted as text nodes, so it
//! cannot become markup.

mod curves;
mod data;
mod embedded_games;
pub mod match_progress;

use super::tournament::scoreboard::Scoreboard;
use super::tournament::sprt_progress::SprtProgress;
use crate::browser;
use crate::document::escape_html;
use crate::language::{self, Values};
use crate::records::GameRecord;

const SHELL: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// In order of dependency, after the shared components.
const SCRIPTS: [&str; 6] = [
    include_str!("page_data.js"),
    include_str!("sections.js"),
    include_str!("frames.js"),
    include_str!("games.js"),
    include_str!("viewer.js"),
    include_str!("page.js"),
];

/// The maximum number of embedded games. A report on a larger tournament embeds half of them from its
/// start and half from its end.
pub const MAX_GAMES: usize = 2000;

#[derive(Debug)]
pub struct HtmlReport<'a> {
    /// The heading.
    pub title: String,
    /// The settings of the tournament, as labels and values.
    pub setup: Vec<(String, String)>,
    /// The totals.
    pub scoreboard: &'a Scoreboard,
    /// The SPRT, if there is one.
    pub sprt: Option<&'a SprtProgress>,
    /// All games, in the order in which they ended.
    pub games: &'a [GameRecord],
    /// The review of the games, to show instead of the tournament's tables.
    pub review: Option<ReviewPage<'a>>,
}

/// What a page shows instead of a tournament's tables.
#[derive(Debug, Clone, Copy)]
pub struct ReviewPage<'a> {
    pub html: &'a str,
    /// The language code of the page.
    pub language: &'a str,
    /// The texts of the page in that language, by their English ones.
    pub texts: &'a [(&'a str, &'a str)],
}

/// Above the title of a review.
const REVIEW: &str = "Review";

/// Shown without scripts.
const NEEDS_SCRIPTS: &str =
    "This page needs JavaScript to display its data. It loads nothing from the network.";

/// Returns the data of a report as JSON.
pub(crate) fn data_json(report: &HtmlReport<'_>) -> String {
    serde_json::to_string(&data::page_data(report)).unwrap_or_default()
}

/// Returns the games that are being played as JSON.
pub fn in_progress_json(games: &[GameRecord]) -> String {
    embedded_games::in_progress_json(games)
}

/// Renders a report as HTML.
#[must_use]
pub fn render_html(report: &HtmlReport<'_>) -> String {
    let translate = |text: &'static str| {
        let texts = report.review.as_ref().map_or(&[][..], |review| review.texts);
        texts.iter().find(|(english, _)| *english == text).map_or(text, |(_, own)| own)
    };
    let kicker = if report.review.is_some() { translate(REVIEW) } else { "Tournament report" };
    let language = report.review.as_ref().map_or("en", |review| review.language);
    let style = [browser::STYLE, STYLE].concat();
    let values: &Values<'_> = &[
        ("language", &language),
        ("title", &escape_html(&report.title)),
        ("style", &style),
        ("kicker", &escape_html(kicker)),
        ("noscript", &escape_html(translate(NEEDS_SCRIPTS))),
        ("review", &report.review.as_ref().map_or("", |review| review.html)),
        ("data", &escape_json(&data_json(report))),
        ("scripts", &scripts()),
    ];
    language::fill(SHELL, values)
}

/// The scripts as one classic script.
fn scripts() -> String {
    let components = [browser::DOM, browser::CHARTS, browser::TOURNAMENT, browser::BOARD];
    components.into_iter().map(browser::to_classic_script).collect::<String>() + &SCRIPTS.concat()
}

/// Escapes JSON for a script element, so that no string can close the element.
fn escape_json(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
