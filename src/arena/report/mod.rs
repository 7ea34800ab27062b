//! A tournament as one page: an HTML file that needs nothing else, to be opened from disk or sent
//! around.
//!
//! The numbers and the positions of all games are worked out here and embedded as JSON; the script
//! of the page only shows them and knows no game. Whatever players say is data and becomes text, so
//! that no name can become markup. Imports the rest of the arena but its processes.

mod curves;
mod data;
mod games;

use super::record::GameRecord;
use super::scoreboard::Scoreboard;
use super::sprt_progress::SprtProgress;

const SHELL: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// In the order in which they need each other.
const SCRIPTS: [&str; 7] = [
    include_str!("dom.js"),
    include_str!("tables.js"),
    include_str!("charts.js"),
    include_str!("board.js"),
    include_str!("games.js"),
    include_str!("viewer.js"),
    include_str!("page.js"),
];

/// The page holds all games up to this many, else the first and the last half of as many.
pub const MAX_GAMES: usize = 2000;

/// What a page tells.
#[derive(Debug, Clone, Copy)]
pub struct HtmlReport<'a> {
    /// The heading.
    pub title: &'a str,
    /// What was played and how: a label and a value each.
    pub setup: &'a [(String, String)],
    /// The sums.
    pub scoreboard: &'a Scoreboard,
    /// The test that decided when to stop, if there was one.
    pub sprt: Option<&'a SprtProgress>,
    /// The games, in the order in which they ended. The curves are drawn from all of them.
    pub games: &'a [GameRecord],
}

/// The page.
#[must_use]
pub fn render_html(report: &HtmlReport<'_>) -> String {
    let json = serde_json::to_string(&data::page(report)).unwrap_or_default();
    let parts = [
        ("{{title}}", escaped(report.title)),
        ("{{style}}", STYLE.to_owned()),
        ("{{data}}", inert(&json)),
        ("{{scripts}}", SCRIPTS.concat()),
    ];
    // One pass from left to right: nothing that was put in is looked at again.
    let mut page = String::with_capacity(json.len() + 100_000);
    let mut rest = SHELL;
    for (mark, content) in parts {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        page.push_str(before);
        page.push_str(&content);
        rest = after;
    }
    page.push_str(rest);
    page
}

/// JSON that cannot end the element it stands in, whatever its strings say.
fn inert(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// Text as HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
