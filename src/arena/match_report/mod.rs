//! Tournament reports: a page with the tables and curves of a tournament above its games.

mod curves;
mod data;
pub mod match_progress;

use super::tournament::scoreboard::Scoreboard;
use super::tournament::sprt_progress::SprtProgress;
use crate::browser;
use crate::language::Language;
use crate::records::GameRecord;
use crate::viewer::ViewerPage;

pub struct HtmlReport<'a> {
    pub title: String,
    /// The settings of the tournament, as labels and values.
    pub setup: Vec<(String, String)>,
    pub scoreboard: &'a Scoreboard,
    pub sprt: Option<&'a SprtProgress>,
    /// All games, in the order in which they ended.
    pub games: &'a [GameRecord],
}

pub(crate) fn data_json(report: &HtmlReport<'_>) -> String {
    serde_json::to_string(&data::page_data(report)).unwrap_or_default()
}

pub fn render_html(report: &HtmlReport<'_>) -> String {
    let page = ViewerPage {
        title: &report.title,
        kicker: "Tournament report",
        language: Language::English,
        head: include_str!("head.html"),
        sections: include_str!("sections.html"),
        scripts: &(browser::to_classic_script(browser::TOURNAMENT) + include_str!("sections.js")),
    };
    page.render(&data::page_data(report))
}
