//! The files of the page.
//!
//! The page is written as plain ES modules: there is no build step, and every file lies in one folder
//! from the browser's point of view. It loads one script made of all modules, and one style sheet.

mod bundle;

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::{browser, language};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFile {
    /// The name, relative to the address of the page.
    pub name: &'static str,
    pub content_type: &'static str,
    pub content: Cow<'static, str>,
}

/// The modules that are shared with other pages, and those of the page with the given names.
macro_rules! modules {
    ($($name:literal)*) => {
        vec![
            script("dom.js", browser::DOM),
            script("board.js", browser::BOARD),
            script("charts.js", browser::CHARTS),
            script("tournament.js", browser::TOURNAMENT),
            $(script(concat!($name, ".js"), include_str!(concat!($name, ".js")))),*
        ]
    };
}

/// All files; the first is the page itself.
pub static FILES: LazyLock<Vec<PageFile>> = LazyLock::new(|| {
    let modules = all_modules();
    let own = [
        file("index.html", "text/html; charset=utf-8", include_str!("index.html")),
        file(
            "page.css",
            "text/css; charset=utf-8",
            [browser::STYLE, include_str!("app.css")].concat(),
        ),
        script("page.js", bundle::bundle("app.js", &modules)),
        file("texts.en.json", "application/json; charset=utf-8", language::TABLES[0]),
        file("texts.zh.json", "application/json; charset=utf-8", language::TABLES[1]),
    ];
    own.into_iter().chain(modules).collect()
});

fn all_modules() -> Vec<PageFile> {
    modules! {
        "app" "address" "analyse" "atlas" "board_view" "checks" "clock" "coach" "connection"
        "controls" "engine_reply" "engine_session" "engines" "explore" "failure" "game" "learn"
        "ladder" "lines" "links" "games_file" "marks" "imported_game" "kept_games" "my_games" "share" "moves"
        "new_game" "own_mistakes" "picture" "players" "play" "position_editor" "positions"
        "progress" "proof" "puzzle_card" "puzzle_history" "puzzle_log" "puzzle_tasks" "puzzles"
        "ratings" "records" "review" "review_run" "review_summary" "settings" "sounds" "storage"
        "tab" "tabs" "texts" "transport" "turn" "values" "watch" "widgets"
    }
}

fn script(name: &'static str, content: impl Into<Cow<'static, str>>) -> PageFile {
    file(name, "text/javascript; charset=utf-8", content)
}

fn file(
    name: &'static str,
    content_type: &'static str,
    content: impl Into<Cow<'static, str>>,
) -> PageFile {
    PageFile { name, content_type, content: content.into() }
}

#[cfg(test)]
mod tests {
    use super::bundle::imports;
    use super::*;

    fn scripts() -> impl Iterator<Item = &'static PageFile> {
        FILES.iter().filter(|file| file.name.ends_with(".js"))
    }

    #[test]
    fn imported_modules_are_served() {
        for file in scripts() {
            assert_eq!(imports(&file.content).count(), file.content.matches("from \"").count());
            for name in imports(&file.content) {
                assert!(FILES.iter().any(|other| other.name == name), "{}: {name}", file.name);
            }
        }
    }
}
