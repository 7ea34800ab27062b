//! The files of the page, as they are served.
//!
//! The page is written as plain ES modules: there is no build step, and every file lies in one folder
//! from the browser's point of view.

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
    file(name, "text/html; charset=utf-8", without_comments(content))
}

fn style(name: &'static str, content: &str) -> PageFile {
    file(name, "text/css; charset=utf-8", compact_style(content))
}

fn script(name: &'static str, content: &str) -> PageFile {
    file(name, "text/javascript; charset=utf-8", compact_script(content))
}

fn texts(name: &'static str, content: &str) -> PageFile {
    file(name, "application/json; charset=utf-8", content.to_owned())
}

fn file(name: &'static str, content_type: &'static str, content: String) -> PageFile {
    PageFile { name, content_type, content: content.leak() }
}

/// The ES modules.
const SCRIPTS: [(&str, &str); 23] = [
    ("dom.js", browser::DOM),
    ("board.js", browser::BOARD),
    ("charts.js", browser::CHARTS),
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

/// All files; the first is the page itself. Comments and indentation are left out.
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

/// Removes comments, indentation and empty lines. Comments end on their line or fill whole lines, as
/// a test checks, and no text contains their delimiters.
fn without_comments(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    let mut in_comment = false;
    for line in source.lines().map(str::trim) {
        let mut rest = line;
        if in_comment {
            let Some((_, after)) = rest.split_once("*/") else { continue };
            (in_comment, rest) = (false, after.trim_start());
        }
        if rest.starts_with("//") {
            continue;
        }
        let before = text.len();
        while let Some((code, comment)) = rest.split_once("/*") {
            text.push_str(code);
            let Some((_, after)) = comment.split_once("*/") else {
                (in_comment, rest) = (true, "");
                break;
            };
            rest = after.trim_start();
        }
        text.push_str(rest);
        if text.len() > before {
            text.push('\n');
        }
    }
    text
}

/// Also removes the spaces beside these characters, where they have no meaning outside of strings. `+`
/// and `-` are not among them: `a + +b` differs from `a ++b`.
const CLOSE_FITTING: &str = "=(){},;:?<>&|[]";

/// Also removes spaces and line ends without meaning. Strings begin and end on the same line, as a
/// test checks.
fn compact_script(source: &str) -> String {
    let stripped = without_comments(source);
    let mut text = String::with_capacity(stripped.len());
    for line in stripped.lines() {
        let mut quote = None;
        let mut rest = line.chars().peekable();
        while let Some(letter) = rest.next() {
            match (quote, letter) {
                (Some(_), '\\') => {
                    text.push(letter);
                    text.extend(rest.next());
                    continue;
                }
                (Some(open), _) if open == letter => quote = None,
                (None, '"' | '`') => quote = Some(letter),
                (None, ' ') => {
                    let is_close = |letter: char| CLOSE_FITTING.contains(letter);
                    if text.ends_with(is_close) || rest.peek().copied().is_some_and(is_close) {
                        continue;
                    }
                }
                _ => {}
            }
            text.push(letter);
        }
        if !text.ends_with([';', '{', ',', '(', '[']) {
            text.push('\n');
        }
    }
    text
}

/// Also removes the spaces of a style sheet that have no meaning.
fn compact_style(source: &str) -> String {
    let spaces = [(" {", "{"), ("{ ", "{"), ("; ", ";"), (";}", "}"), (": ", ":"), (", ", ",")];
    spaces.iter().fold(without_comments(source), |text, (from, to)| text.replace(from, to))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The page may take this many bytes before compression.
    const MAX_BYTES: usize = 150_000;

    #[test]
    fn comments_and_indentation_are_left_out() {
        let source = "// One\n/**\n * Two\n */\nlet x;\n  f(/** @type {A} */ (y), z);\n\n/* Three */\n  z(`//`);\n";
        assert_eq!(without_comments(source), "let x;\nf((y), z);\nz(`//`);\n");
        let style = "/* A */\na, b { color: red; margin: 0 1px; }\n";
        assert_eq!(compact_style(style), "a,b{color:red;margin:0 1px}\n");
        let script = "const a = [ \"x = ( \\\" )\", `${b} = 1` ].map((y) => y - -1);\nif (a) {\n  f(1,\n    2);\n}\nreturn a\n";
        let compact =
            "const a=[\"x = ( \\\" )\",`${b} = 1`].map((y)=>y - -1);if(a){f(1,2);}\nreturn a\n";
        assert_eq!(compact_script(script), compact);
    }

    /// What [`compact_script`] presumes: strings end on their line, no template contains another one,
    /// comments stand alone or are enclosed, and no regular expression has a quote.
    #[test]
    fn scripts_can_be_compacted_line_by_line() {
        for (name, source) in SCRIPTS {
            for line in without_comments(source).lines() {
                for quote in ['"', '`'] {
                    let count = line.replace("\\\"", "").matches(quote).count();
                    assert!(count.is_multiple_of(2), "{name}: {line}");
                }
                let braces = |text: &str| text.matches('{').count() == text.matches('}').count();
                let mut templates = line.split('`').skip(1).step_by(2);
                assert!(templates.all(braces), "{name}: a template in a template: {line}");
                assert!(!line.contains(" // "), "{name}: a comment behind code: {line}");
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
            let imports = file.content.split("from \"./").skip(1);
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
