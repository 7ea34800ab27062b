//! A self-contained HTML page that shows games: the report of a tournament, the review of games.
//!
//! All numbers and positions are computed here and embedded as JSON; the scripts only display them
//! and do not know the games. Text from players is escaped or inserted as text nodes, so it
//! cannot become markup.

mod games;

use std::collections::BTreeMap;

use serde::Serialize;

pub use self::games::in_progress_json;
use self::games::{ReportGame, embedded_games};
use crate::browser;
use crate::document::escape_html;
use crate::language::{self, Language, Values};
use crate::records::{GameRecord, Termination};
use crate::rules::drawing::BoardLayout;

const SHELL: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// In order of dependency, after the shared components.
const SCRIPTS: [&str; 5] = [
    include_str!("page_data.js"),
    include_str!("frames.js"),
    include_str!("games.js"),
    include_str!("graphs.js"),
    include_str!("viewer.js"),
];
/// Runs after all others.
const MAIN_SCRIPT: &str = include_str!("page.js");

/// The maximum number of embedded games. A page with more games embeds half of them from their start
/// and half from their end.
pub const MAX_GAMES: usize = 2000;

/// Shown without scripts.
const NEEDS_SCRIPTS: &str =
    "This page needs JavaScript to display its data. It loads nothing from the network.";

pub(crate) struct ViewerPage<'a> {
    pub title: &'a str,
    /// What the page is, in English.
    pub kicker: &'a str,
    pub language: Language,
    /// HTML below the title.
    pub head: &'a str,
    /// HTML above the games.
    pub sections: &'a str,
    /// Scripts of these parts.
    pub scripts: &'a str,
}

/// The data of the viewer, serialized for its scripts. The field names are the keys that they use.
#[derive(Debug, Serialize)]
pub(crate) struct ViewerData {
    /// Whether the page shows the review of games instead of a tournament.
    is_review: bool,
    /// Whether boards are seen from the second player's side.
    is_flipped: bool,
    /// The texts of the page in its language, by their English ones; empty in English.
    texts: BTreeMap<&'static str, &'static str>,
    /// The players; other fields refer to them by index.
    names: Vec<String>,
    /// The names of the terminations that are faults.
    faults: Vec<&'static str>,
    layouts: BTreeMap<String, BoardLayout>,
    games: Vec<ReportGame>,
    /// The number of games omitted in the middle.
    left_out: usize,
}

impl ViewerData {
    pub(crate) fn of_tournament(games: &[GameRecord], names: &[&str]) -> Self {
        let is_fault = |termination: &&Termination| termination.is_fault();
        let (embedded, layouts) = embedded_games(games, names);
        Self {
            is_review: false,
            is_flipped: false,
            texts: BTreeMap::new(),
            names: names.iter().map(ToString::to_string).collect(),
            faults: Termination::ALL.iter().filter(is_fault).map(|fault| fault.as_str()).collect(),
            layouts,
            games: embedded,
            left_out: games.len().saturating_sub(MAX_GAMES),
        }
    }

    pub(crate) fn of_review(games: &[GameRecord], language: Language, is_flipped: bool) -> Self {
        let mut names: Vec<&str> = Vec::new();
        for name in games.iter().flat_map(|game| &game.players) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        let texts = language.report_texts().into_iter().collect();
        Self { is_review: true, is_flipped, texts, ..Self::of_tournament(games, &names) }
    }
}

impl ViewerPage<'_> {
    /// Renders the page. `data` contains [`ViewerData`].
    pub(crate) fn render(&self, data: &impl Serialize) -> String {
        let texts = self.language.report_texts();
        let translate = |text| {
            let own = texts.iter().find(|(english, _)| *english == text);
            escape_html(own.map_or(text, |(_, own)| *own))
        };
        let values: &Values<'_> = &[
            ("language", &self.language.code()),
            ("title", &escape_html(self.title)),
            ("style", &[browser::STYLE, STYLE].concat()),
            ("kicker", &translate(self.kicker)),
            ("head", &self.head),
            ("noscript", &translate(NEEDS_SCRIPTS)),
            ("sections", &self.sections),
            ("games", &translate("Games")),
            ("data", &escape_json(&serde_json::to_string(data).unwrap_or_default())),
            ("scripts", &self.all_scripts()),
        ];
        language::fill(SHELL, values)
    }

    fn all_scripts(&self) -> String {
        let components = [browser::DOM, browser::CHARTS, browser::BOARD];
        let components: String = components.into_iter().map(browser::to_classic_script).collect();
        [&components, &SCRIPTS.concat(), self.scripts, MAIN_SCRIPT].concat()
    }
}

/// Escapes JSON for a script element, so that no string can close the element.
fn escape_json(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
