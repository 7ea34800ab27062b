//! Tournament reports: a self-contained HTML file.
//!
//! All numbers and positions are computed here and embedded as JSON; the script only displays them
//! and does not know the games. Text from players is escaped or inserted as text nodes, so it
//! cannot become markup.

mod curves;
mod data;
mod games;

use super::record::GameRecord;
use super::scoreboard::Scoreboard;
use super::sprt_progress::SprtProgress;

const SHELL: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// In order of dependency.
const SCRIPTS: [&str; 8] = [
    include_str!("dom.js"),
    include_str!("tables.js"),
    include_str!("charts.js"),
    include_str!("board.js"),
    include_str!("games.js"),
    include_str!("viewer.js"),
    include_str!("refresh.js"),
    include_str!("page.js"),
];

/// The maximum number of embedded games. A report on a larger tournament embeds half of them from its
/// start and half from its end.
pub const MAX_GAMES: usize = 2000;

/// The contents of a report.
#[derive(Debug, Clone, Copy)]
pub struct HtmlReport<'a> {
    /// The heading.
    pub title: &'a str,
    /// The settings of the tournament, as labels and values.
    pub setup: &'a [(String, String)],
    /// The totals.
    pub scoreboard: &'a Scoreboard,
    /// The SPRT, if there is one.
    pub sprt: Option<&'a SprtProgress>,
    /// All games, in the order in which they ended.
    pub games: &'a [GameRecord],
    /// The interval in seconds at which the page reloads itself, if the tournament is running.
    pub refresh: Option<u64>,
    /// The review of the games as HTML, to show instead of the tournament's tables.
    pub review: Option<&'a str>,
}

/// Renders a report as HTML.
#[must_use]
pub fn render_html(report: &HtmlReport<'_>) -> String {
    let json = serde_json::to_string(&data::page_data(report)).unwrap_or_default();
    let parts = [
        ("{{title}}", escape_html(report.title)),
        ("{{style}}", STYLE.to_owned()),
        (
            "{{kicker}}",
            if report.review.is_some() { "Review" } else { "Tournament report" }.to_owned(),
        ),
        ("{{review}}", report.review.unwrap_or_default().to_owned()),
        ("{{data}}", escape_json(&json)),
        ("{{scripts}}", SCRIPTS.concat()),
    ];
    // A single pass, so that placeholders in inserted text are not replaced.
    let mut page = String::with_capacity(json.len() + 100_000);
    let mut rest = SHELL;
    for (placeholder, content) in parts {
        let (before, after) = rest.split_once(placeholder).unwrap_or((rest, ""));
        page.push_str(before);
        page.push_str(&content);
        rest = after;
    }
    page.push_str(rest);
    page
}

/// Escapes JSON for a script element, so that no string can close the element.
fn escape_json(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// Escapes text for HTML.
#[must_use]
pub fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
