//! Makes the files of the page smaller without a parser: removes comments and insignificant
//! whitespace, and shortens words. Tests check what it assumes about the sources.

use std::collections::BTreeMap;

/// Removes comments, indentation and empty lines. Comments end on their line or fill whole lines, and
/// no text contains their delimiters.
pub(super) fn without_comments(source: &str) -> String {
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

/// Also removes spaces and line ends without meaning. Strings begin and end on the same line,
/// statements end in `;` or `}`, and regular expressions have no quotes, spaces or `#`.
pub(super) fn script(source: &str) -> String {
    let stripped = without_comments(source);
    let mut text = String::with_capacity(stripped.len());
    let mut follows_declaration = false;
    for mut line in stripped.lines() {
        if text.ends_with('\n') && continues_the_line_before(line) {
            text.pop();
        }
        let declared = line.strip_prefix("const ").or_else(|| line.strip_prefix("let "));
        if let Some(declared) = declared.filter(|_| follows_declaration) {
            text.pop();
            text.push(',');
            line = declared;
        }
        follows_declaration = declared.is_some_and(is_one_statement);
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
                    let around = (text.chars().next_back(), rest.peek().copied());
                    if let (Some(before), Some(after)) = around
                        && separate_without_space(before, after)
                    {
                        continue;
                    }
                }
                (None, '}') if text.ends_with(';') => _ = text.pop(),
                (None, '>') => drop_parentheses_of_parameter(&mut text),
                _ => {}
            }
            text.push(letter);
        }
        if !text.ends_with([';', '{', '}', ',', '(', '[']) {
            text.push('\n');
        }
    }
    with_short_names(&text)
}

/// Shortens `(name)=` at the end of a text, the start of an arrow function, to `name=`.
fn drop_parentheses_of_parameter(text: &mut String) {
    let Some(function) = text.strip_suffix(")=") else { return };
    let Some((before, name)) = function.rsplit_once('(') else { return };
    // `async (a) =>` and the like would become one word.
    let follows_a_word = before.ends_with(is_word_letter);
    if !follows_a_word && !name.is_empty() && name.chars().all(is_word_letter) {
        *text = format!("{before}{name}=");
    }
}

fn is_word_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '$'
}

/// Whether a text is exactly one complete statement.
fn is_one_statement(text: &str) -> bool {
    let (mut depth, mut quote) = (0, None);
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(_), '\\') => _ = letters.next(),
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '`') => quote = Some(letter),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ';') if depth == 0 => return letters.as_str().is_empty(),
            _ => {}
        }
    }
    false
}

/// Whether a statement cannot begin like this.
fn continues_the_line_before(line: &str) -> bool {
    line.starts_with([')', '}', ']', '.', '?', ':', '&', '|', '=']) || line.starts_with("+ ")
}

/// Whether two characters of code mean the same without a space between them.
fn separate_without_space(before: char, after: char) -> bool {
    // `a + +b` differs from `a ++b`.
    let is_operator = |letter| "+-*!".contains(letter);
    let is_close = |letter| "=(){},;:?<>&|[]\"`".contains(letter);
    is_close(before)
        || is_close(after)
        || (before != after && (is_operator(before) || is_operator(after)))
}

/// Replaces the private names of classes, `#name`, by `#a`, `#b`, … and words and numbers by shorter
/// ones of the same meaning.
fn with_short_names(script: &str) -> String {
    let mut short: BTreeMap<&str, String> = BTreeMap::new();
    let mut text = String::with_capacity(script.len());
    let mut quote = None;
    let mut rest = script;
    while let Some(letter) = rest.chars().next() {
        let is_in_word =
            text.ends_with(|before: char| before.is_alphanumeric() || "_$.".contains(before));
        if quote.is_none() && !is_in_word && letter.is_ascii_alphanumeric() {
            let (word, after) = split_word(rest);
            text.push_str(match word {
                // Type checking finds assignments to constants.
                "const" => "let",
                "true" => "!0",
                "false" => "!1",
                "undefined" => "void 0",
                "0" if after.starts_with('.') => "",
                word => word,
            });
            rest = after;
            continue;
        }
        let (this, after) = rest.split_at(letter.len_utf8());
        rest = after;
        text.push_str(this);
        match (quote, letter) {
            (Some(_), '\\') => {
                let length = rest.chars().next().map_or(0, char::len_utf8);
                text.push_str(&rest[..length]);
                rest = &rest[length..];
            }
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '`') => quote = Some(letter),
            (None | Some('`'), '#') if quote.is_none() || text.ends_with(".#") => {
                let (name, after) = split_word(rest);
                let next = short.len();
                text.push_str(short.entry(name).or_insert_with(|| short_name(next)));
                rest = after;
            }
            _ => {}
        }
    }
    text
}

fn split_word(text: &str) -> (&str, &str) {
    text.split_at(text.find(|letter| !is_word_letter(letter)).unwrap_or(text.len()))
}

/// `a` to `z`, `aa`, `ab`, …
fn short_name(number: usize) -> String {
    let letter = char::from(b'a' + (number % 26) as u8);
    let before = if number < 26 { String::new() } else { short_name(number / 26 - 1) };
    format!("{before}{letter}")
}

/// Also removes the spaces and zeros of a style sheet that have no meaning.
pub(super) fn style(source: &str) -> String {
    let replacements = [
        (" {", "{"),
        ("{ ", "{"),
        ("; ", ";"),
        (": ", ":"),
        (", ", ","),
        (" > ", ">"),
        ("{\n", "{"),
        (";\n", ";"),
        (",\n", ","),
        (";}", "}"),
        ("}\n", "}"),
        (" 0.", " ."),
        (":0.", ":."),
        (",0.", ",."),
        ("(0.", "(."),
    ];
    replacements.iter().fold(without_comments(source), |text, (from, to)| text.replace(from, to))
}

/// Removes the line ends between the entries of an object.
pub(super) fn texts(source: &str) -> String {
    source.replace("\",\n\"", "\",\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_indentation_are_left_out() {
        let source = "// One\n/**\n * Two\n */\nlet x;\n  f(/** @type {A} */ (y), z);\n\n/* Three */\n  z(`//`);\n";
        assert_eq!(without_comments(source), "let x;\nf((y), z);\nz(`//`);\n");
    }

    #[test]
    fn styles_lose_spaces_and_zeros() {
        let source =
            "/* A */\na, b > c { color: red;\n  margin: 0 0.5px -0.5px; }\nd { top: 10.5px; }\n";
        assert_eq!(style(source), "a,b>c{color:red;margin:0 .5px -0.5px}d{top:10.5px}");
    }

    #[test]
    fn scripts_lose_spaces_and_line_ends() {
        for (source, compact) in [
            (
                "const a = [ \"x = ( \\\" )\", `${b} = 1` ].map((y) => y - -1);\n",
                "let a=[\"x = ( \\\" )\",`${b} = 1`].map(y=>y- -1);",
            ),
            (
                "if (a) {\n  f(1,\n    2);\n}\nelse g();\nreturn a\n",
                "if(a){f(1,2)}else g();return a\n",
            ),
            (
                "const b = c\n  .d(e)\n  + `f; }`\n  ? !g : h++ + 1;\n",
                "let b=c.d(e)+`f; }`?!g:h++ +1;",
            ),
            ("return !a;\n", "return!a;"),
            (
                "a(async (b) => c, (d) => \"(e) => f\", ([g]) => g, (h, i) => h);\n",
                "a(async(b)=>c,d=>\"(e) => f\",([g])=>g,(h,i)=>h);",
            ),
            (
                "f(true, 0.5, 10.25, a.const, \"0.5 true\");\n",
                "f(!0,.5,10.25,a.const,\"0.5 true\");",
            ),
            ("return a ? 0.5 : 0;\n", "return a?.5:0;"),
            (
                "const a = 1;\nlet b = () => { c; };\nconst d = \";\"; e();\nconst f =\n  g;\nlet h;\n",
                "let a=1,b=()=>{c},d=\";\";e();let f=\ng;let h;",
            ),
        ] {
            assert_eq!(script(source), compact);
        }
    }

    #[test]
    fn private_names_are_shortened_in_code_only() {
        let source = "class A {\n  #one = \"#one\";\n  #two() { return `#one ${this.#one}`; }\n  b() { this.#two(); }\n}\n";
        let compact = "class A{#a=\"#one\";#b(){return`#one ${this.#a}`}b(){this.#b()}}";
        assert_eq!(script(source), compact);
        assert_eq!([0, 25, 26, 27, 52].map(short_name), ["a", "z", "aa", "ab", "ba"]);
    }
}
