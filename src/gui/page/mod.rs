//! The files of the page, as they are served.
//!
//! The page is written as plain ES modules: there is no build step, and every file lies in one folder
//! from the browser's point of view.

mod minify;

use std::sync::LazyLock;

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

fn html(name: &'static str, content: &str) -> PageFile {
    file(name, "text/html; charset=utf-8", minify::without_comments(content))
}

fn style(name: &'static str, content: &str) -> PageFile {
    file(name, "text/css; charset=utf-8", minify::style(content))
}

fn script(name: &'static str, content: &str) -> PageFile {
    file(name, "text/javascript; charset=utf-8", minify::script(content))
}

fn texts(name: &'static str, content: &str) -> PageFile {
    file(name, "application/json; charset=utf-8", minify::texts(content))
}

fn file(name: &'static str, content_type: &'static str, content: String) -> PageFile {
    PageFile { name, content_type, content: content.leak() }
}

/// The ES modules.
const SCRIPTS: [(&str, &str); 24] = [
    ("dom.js", browser::DOM),
    ("board.js", browser::BOARD),
    ("charts.js", browser::CHARTS),
    ("tournament.js", browser::TOURNAMENT),
    ("app.js", include_str!("app.js")),
    ("analyse.js", include_str!("analyse.js")),
    ("board_view.js", include_str!("board_view.js")),
    ("connection.js", include_str!("connection.js")),
    ("engine.js", include_str!("engine.js")),
    ("engines.js", include_str!("engines.js")),
    ("explore.js", include_str!("explore.js")),
    ("moves.js", include_str!("moves.js")),
    ("play.js", include_str!("play.js")),
    ("puzzles.js", include_str!("puzzles.js")),
    ("records.js", include_str!("records.js")),
    ("review.js", include_str!("review.js")),
    ("session.js", include_str!("session.js")),
    ("storage.js", include_str!("storage.js")),
    ("tab.js", include_str!("tab.js")),
    ("texts.js", include_str!("texts.js")),
    ("transport.js", include_str!("transport.js")),
    ("tree.js", include_str!("tree.js")),
    ("watch.js", include_str!("watch.js")),
    ("widgets.js", include_str!("widgets.js")),
];

/// All files; the first is the page itself. Comments, indentation and the like are left out.
pub static FILES: LazyLock<Vec<PageFile>> = LazyLock::new(|| {
    let mut files = vec![
        html("index.html", include_str!("index.html")),
        style("components.css", browser::STYLE),
        style("app.css", include_str!("app.css")),
        texts("texts.en.json", include_str!("texts.en.json")),
        texts("texts.zh.json", include_str!("texts.zh.json")),
    ];
    files.extend(SCRIPTS.map(|(name, source)| script(name, source)));
    files
});

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The page may take this many bytes before compression.
    const MAX_BYTES: usize = 150_000;

    /// What [`minify::script`] presumes: strings end on their line, no template contains another one,
    /// comments stand alone or are enclosed, and no regular expression has a quote, a
    /// space or a `#`.
    #[test]
    fn scripts_can_be_compacted_line_by_line() {
        for (name, source) in SCRIPTS {
            for line in minify::without_comments(source).lines() {
                for quote in ['"', '`'] {
                    let count = line.replace("\\\"", "").matches(quote).count();
                    assert!(count.is_multiple_of(2), "{name}: {line}");
                }
                let braces = |text: &str| text.matches('{').count() == text.matches('}').count();
                let mut templates = line.split('`').skip(1).step_by(2);
                assert!(templates.all(braces), "{name}: a template in a template: {line}");
                assert!(!line.contains(" // "), "{name}: a comment behind code: {line}");
                for start in ["(/", "= /", ", /", "return /"] {
                    for (_, rest) in line.match_indices(start).map(|(at, _)| line.split_at(at)) {
                        let expression = rest[start.len()..].split('/').next().unwrap();
                        let is_one = line.matches('/').count() >= 2;
                        assert!(!is_one || !expression.contains([' ', '#']), "{name}: {line}");
                    }
                }
            }
        }
    }

    fn scripts() -> impl Iterator<Item = &'static PageFile> {
        FILES.iter().filter(|file| file.name.ends_with(".js"))
    }

    #[test]
    fn the_page_is_small() {
        let bytes: usize = FILES.iter().map(|file| file.content.len()).sum();
        assert!(bytes <= MAX_BYTES, "{bytes} bytes");
    }

    #[test]
    fn imported_modules_are_served() {
        for file in scripts() {
            let imports = file.content.split("from\"./").skip(1);
            assert_eq!(imports.clone().count(), file.content.matches("from\"").count());
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
