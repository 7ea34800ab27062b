//! The files of the page, which are served as they are.
//!
//! The page is written as plain ES modules: there is no build step, and every file lies in one folder
//! from the browser's point of view.

use crate::{browser, language};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageFile {
    /// The name, relative to the address of the page.
    pub name: &'static str,
    pub content_type: &'static str,
    pub content: &'static str,
}

/// The files that are shared with other pages, and the modules of the page with the given names.
macro_rules! files {
    ($($name:literal)*) => {
        &[
            html("index.html", include_str!("index.html")),
            style("components.css", browser::STYLE),
            style("app.css", include_str!("app.css")),
            texts("texts.en.json", language::TABLES[0]),
            texts("texts.zh.json", language::TABLES[1]),
            script("dom.js", browser::DOM),
            script("board.js", browser::BOARD),
            script("charts.js", browser::CHARTS),
            script("tournament.js", browser::TOURNAMENT),
            $(script(concat!($name, ".js"), include_str!(concat!($name, ".js")))),*
        ]
    };
}

/// All files; the first is the page itself.
pub static FILES: &[PageFile] = files! {
    "app" "address" "analyse" "atlas" "board_view" "checks" "clock" "coach" "connection" "controls" "engine_reply"
    "engine_session" "engines" "explore" "failure" "game" "learn" "ladder" "lines" "links" "games_file"
    "marks" "imported_game" "kept_games" "my_games" "share" "moves" "new_game" "own_mistakes" "picture" "players"
    "play" "position_editor" "positions" "progress" "proof" "puzzle_card" "puzzle_history"
    "puzzle_log" "puzzle_tasks" "puzzles" "ratings" "records" "review" "review_run" "review_summary" "settings"
    "sounds" "storage" "tab" "tabs" "texts" "transport" "turn" "values" "watch" "widgets"
};

const fn html(name: &'static str, content: &'static str) -> PageFile {
    PageFile { name, content_type: "text/html; charset=utf-8", content }
}

const fn style(name: &'static str, content: &'static str) -> PageFile {
    PageFile { name, content_type: "text/css; charset=utf-8", content }
}

const fn script(name: &'static str, content: &'static str) -> PageFile {
    PageFile { name, content_type: "text/javascript; charset=utf-8", content }
}

const fn texts(name: &'static str, content: &'static str) -> PageFile {
    PageFile { name, content_type: "application/json; charset=utf-8", content }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scripts() -> impl Iterator<Item = &'static PageFile> {
        FILES.iter().filter(|file| file.name.ends_with(".js"))
    }

    #[test]
    fn imported_modules_are_served() {
        for file in scripts() {
            let imports = file.content.split("from \"./").skip(1);
            assert_eq!(imports.clone().count(), file.content.matches("from \"").count());
            for name in imports.filter_map(|rest| rest.split('"').next()) {
                assert!(FILES.iter().any(|other| other.name == name), "{}: {name}", file.name);
            }
        }
    }
}
