//! The files of the page, which are served as they are.
//!
//! The page is written as plain ES modules: there is no build step, and every file lies in one folder
//! from the browser's point of view.

use crate::browser;

/// A file of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageFile {
    /// The name, relative to the address of the page.
    pub name: &'static str,
    /// The MIME type.
    pub content_type: &'static str,
    /// The contents.
    pub content: &'static str,
}

/// All files; the first is the page itself.
pub static FILES: [PageFile; 27] = [
    html("index.html", include_str!("index.html")),
    style("components.css", browser::STYLE),
    style("app.css", include_str!("app.css")),
    texts("texts.en.json", include_str!("texts.en.json")),
    texts("texts.zh.json", include_str!("texts.zh.json")),
    script("dom.js", browser::DOM),
    script("board.js", browser::BOARD),
    script("charts.js", browser::CHARTS),
    script("tournament.js", browser::TOURNAMENT),
    script("app.js", include_str!("app.js")),
    script("analyse.js", include_str!("analyse.js")),
    script("board_view.js", include_str!("board_view.js")),
    script("connection.js", include_str!("connection.js")),
    script("engines.js", include_str!("engines.js")),
    script("explore.js", include_str!("explore.js")),
    script("game.js", include_str!("game.js")),
    script("moves.js", include_str!("moves.js")),
    script("play.js", include_str!("play.js")),
    script("puzzles.js", include_str!("puzzles.js")),
    script("records.js", include_str!("records.js")),
    script("review.js", include_str!("review.js")),
    script("storage.js", include_str!("storage.js")),
    script("tab.js", include_str!("tab.js")),
    script("texts.js", include_str!("texts.js")),
    script("transport.js", include_str!("transport.js")),
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
    use std::collections::BTreeMap;

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

    /// Keys that are put together, such as `tab.${name}`, are not found.
    #[test]
    fn both_languages_have_every_text_of_the_page() {
        let texts = |name: &str| -> BTreeMap<String, String> {
            let file = FILES.iter().find(|file| file.name == name).unwrap();
            serde_json::from_str(file.content).unwrap()
        };
        let (english, chinese) = (texts("texts.en.json"), texts("texts.zh.json"));
        assert!(english.keys().eq(chinese.keys()));
        for (key, text) in &english {
            let places = |text: &str| text.matches('{').count();
            assert_eq!(places(text), places(&chinese[key]), "{key}");
        }
        for file in scripts() {
            for (at, call) in file.content.match_indices("t(\"") {
                let is_word = |letter: char| letter.is_alphanumeric() || "_.$".contains(letter);
                if file.content[..at].ends_with(is_word) {
                    continue;
                }
                let key = file.content[at + call.len()..].split('"').next().unwrap();
                assert!(english.contains_key(key), "{}: no text {key}", file.name);
            }
        }
    }

    #[test]
    fn nothing_is_inline_or_inserted_as_markup() {
        let page = FILES[0].content;
        for forbidden in ["<style", "style=", "onclick=", "http://127", "https://"] {
            assert!(!page.contains(forbidden), "{forbidden}");
        }
        for file in scripts() {
            for forbidden in
                ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("]
            {
                assert!(!file.content.contains(forbidden), "{}: {forbidden}", file.name);
            }
        }
    }
}
