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

/// All files; the first is the page itself.
pub static FILES: &[PageFile] = &[
    html("index.html", include_str!("index.html")),
    style("components.css", browser::STYLE),
    style("app.css", include_str!("app.css")),
    texts("texts.en.json", language::TABLES[0]),
    texts("texts.zh.json", language::TABLES[1]),
    script("dom.js", browser::DOM),
    script("board.js", browser::BOARD),
    script("charts.js", browser::CHARTS),
    script("tournament.js", browser::TOURNAMENT),
    script("app.js", include_str!("app.js")),
    script("analyse.js", include_str!("analyse.js")),
    script("atlas.js", include_str!("atlas.js")),
    script("board_view.js", include_str!("board_view.js")),
    script("clock.js", include_str!("clock.js")),
    script("coach.js", include_str!("coach.js")),
    script("connection.js", include_str!("connection.js")),
    script("controls.js", include_str!("controls.js")),
    script("engine_reply.js", include_str!("engine_reply.js")),
    script("engine_session.js", include_str!("engine_session.js")),
    script("engines.js", include_str!("engines.js")),
    script("explore.js", include_str!("explore.js")),
    script("game.js", include_str!("game.js")),
    script("learn.js", include_str!("learn.js")),
    script("lines.js", include_str!("lines.js")),
    script("links.js", include_str!("links.js")),
    script("games_file.js", include_str!("games_file.js")),
    script("gif.js", include_str!("gif.js")),
    script("imported_game.js", include_str!("imported_game.js")),
    script("kept_games.js", include_str!("kept_games.js")),
    script("my_games.js", include_str!("my_games.js")),
    script("share.js", include_str!("share.js")),
    script("moves.js", include_str!("moves.js")),
    script("new_game.js", include_str!("new_game.js")),
    script("own_mistakes.js", include_str!("own_mistakes.js")),
    script("players.js", include_str!("players.js")),
    script("play.js", include_str!("play.js")),
    script("position_editor.js", include_str!("position_editor.js")),
    script("positions.js", include_str!("positions.js")),
    script("progress.js", include_str!("progress.js")),
    script("proof.js", include_str!("proof.js")),
    script("puzzle_card.js", include_str!("puzzle_card.js")),
    script("puzzle_history.js", include_str!("puzzle_history.js")),
    script("puzzle_log.js", include_str!("puzzle_log.js")),
    script("puzzle_tasks.js", include_str!("puzzle_tasks.js")),
    script("puzzles.js", include_str!("puzzles.js")),
    script("ratings.js", include_str!("ratings.js")),
    script("records.js", include_str!("records.js")),
    script("review.js", include_str!("review.js")),
    script("review_summary.js", include_str!("review_summary.js")),
    script("settings.js", include_str!("settings.js")),
    script("sounds.js", include_str!("sounds.js")),
    script("storage.js", include_str!("storage.js")),
    script("tab.js", include_str!("tab.js")),
    script("tabs.js", include_str!("tabs.js")),
    script("texts.js", include_str!("texts.js")),
    script("transport.js", include_str!("transport.js")),
    script("turn.js", include_str!("turn.js")),
    script("values.js", include_str!("values.js")),
    script("watch.js", include_str!("watch.js")),
    script("widgets.js", include_str!("widgets.js")),
];

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
