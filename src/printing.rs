//! Output for people: untrusted text escaped for a terminal, numbers without a negative zero, counts
//! with their nouns, and suggestions for mistyped names.
//!
//! Engine names, records, paths and arguments may contain escape sequences, or characters that
//! reorder or hide what follows. All such text is printed by these functions; the output streams of
//! `cli` escape whatever is missed.

use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::path::Path;

/// Untrusted text on one line; characters that are not text in any language are escaped.
#[derive(Debug, Clone, Copy)]
pub struct Printable<'a>(&'a str);

/// Prints untrusted text on one line.
pub fn printable(text: &str) -> Printable<'_> {
    Printable(text)
}

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|letter| {
            if is_printable(letter) { f.write_char(letter) } else { letter.escape_debug().fmt(f) }
        })
    }
}

/// Prints untrusted text that may have several lines.
pub fn printable_lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| printable(line).to_string()).collect();
    lines.join("\n")
}

/// Prints a path on one line; an empty one is shown as `""`.
pub fn printable_path(path: &Path) -> String {
    match path.to_string_lossy() {
        empty if empty.is_empty() => "\"\"".to_owned(),
        text => printable(&text).to_string(),
    }
}

/// Quotes input for a message: at most 60 characters on one line, with quotes and unusual spaces
/// escaped as well. Backslashes stay as they are, for the sake of Windows paths.
pub fn quote(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    let mut quoted = String::from("\"");
    for (count, letter) in text.chars().enumerate() {
        if count == MAX_CHARS {
            quoted.push('…');
            break;
        }
        match letter {
            '"' => quoted.push_str("\\\""),
            ' ' | '\u{3000}' => quoted.push(letter),
            letter if letter.is_whitespace() || !is_printable(letter) => {
                quoted.extend(letter.escape_debug());
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

/// Whether a character is text, rather than a control character, a line break, or an invisible
/// character that reorders or hides its neighbours. The joiners of Persian and Indic scripts are
/// text.
pub fn is_printable(letter: char) -> bool {
    !matches!(
        letter,
        '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// A stream for people, such as standard output: escapes what [`printable_lines`] escapes.
#[derive(Debug)]
pub struct PrintableWriter<W>(pub W);

impl<W: Write> Write for PrintableWriter<W> {
    /// Writes whole characters only, as `write!` passes them.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        self.0.write_all(printable_lines(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Returns `; did you mean "position"?` if one of the names is similar to the one found, else nothing.
pub fn did_you_mean<'a>(found: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    most_similar(found, names)
        .map_or(String::new(), |name| format!("; did you mean {}?", quote(name)))
}

/// Returns the name most similar to the one found, unless all are too different.
pub fn most_similar<'a>(found: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let found = found.to_lowercase();
    let distance = |name: &str| strsim::osa_distance(&found, &name.to_lowercase());
    let similar = names.into_iter().map(|name| (distance(name), name));
    // At most one letter in three differs.
    let length = |name: &str| name.chars().count().max(found.chars().count());
    let similar = similar.filter(|(distance, name)| 3 * distance <= length(name));
    similar.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// Returns the end of a message about an unknown name: a similar name if there is one, and all names
/// in a list separated by `separator`.
pub fn expected_names(found: &str, list: &str, separator: &str) -> String {
    match did_you_mean(found, list.split(separator)) {
        none if none.is_empty() => format!(", expected one of: {list}"),
        similar => format!("{similar} expected one of: {list}"),
    }
}

/// Formats a number with `digits` decimals. A number that rounds to zero has no sign.
pub fn decimal(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    match text.strip_prefix('-') {
        Some(size) if is_zero(size) => size.to_owned(),
        _ => text,
    }
}

/// Formats a number with its sign and `digits` decimals. A number that rounds to zero is positive.
pub fn signed(number: f64, digits: usize) -> String {
    let text = decimal(number, digits);
    if text.starts_with('-') { text } else { format!("+{text}") }
}

/// Replaces negative zero by zero, for numbers that are written unrounded.
pub fn without_negative_zero(number: f64) -> f64 {
    // Negative zero is the only number that this changes.
    number + 0.0
}

/// Formats a count with commas between groups of three digits, from five digits on.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let is_start = |index: usize| index > 0 && (digits.len() - index).is_multiple_of(3);
    let group = |(index, digit)| [is_start(index).then_some(','), Some(digit)];
    digits.chars().enumerate().flat_map(group).flatten().collect()
}

/// Formats a count with its noun: `1 game`, `2 games`, `0 plies`. Takes the noun in the singular.
pub fn plural<T: Copy + fmt::Display + PartialEq + From<u8>>(count: T, noun: &str) -> String {
    match noun.strip_suffix("ly") {
        _ if count == T::from(1) => format!("{count} {noun}"),
        Some(stem) => format!("{count} {stem}lies"),
        None => format!("{count} {noun}s"),
    }
}

fn is_zero(size: &str) -> bool {
    size.chars().all(|letter| matches!(letter, '0' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A title, a colour, C1 controls, reordering and invisible characters.
    const HOSTILE: &str = "a\u{1b}]0;t\u{7}\u{9b}31m\r\n\u{202e}\u{2066}\u{200f}\u{feff}\u{e0041}b";

    #[test]
    fn controls_and_invisible_characters_are_escaped() {
        let escaped =
            "a\\u{1b}]0;t\\u{7}\\u{9b}31m\\r\\n\\u{202e}\\u{2066}\\u{200f}\\u{feff}\\u{e0041}b";
        assert_eq!(printable(HOSTILE).to_string(), escaped);
        assert_eq!(quote(HOSTILE), format!("\"{escaped}\""));
        assert_eq!(printable_lines("a\n\tb\n"), "a\n\\tb\n");
        assert_eq!(printable_path(Path::new("a\u{1b}\n")), "a\\u{1b}\\n");
        assert_eq!(printable_path(Path::new("")), "\"\"");
        let mut written = PrintableWriter(Vec::new());
        writeln!(written, "{HOSTILE}").unwrap();
        assert_eq!(String::from_utf8(written.0).unwrap(), escaped.replace("\\n", "\n") + "\n");
    }

    #[test]
    fn ordinary_text_of_any_language_is_left_alone() {
        for text in [
            "zermelo \"x\" C:\\y",
            "策梅洛",
            "Zermèlo e\u{301}",
            "می\u{200c}روم",
            "क्\u{200d}ष",
            "👩\u{200d}🔬",
            "a\u{3000}b",
        ] {
            assert_eq!(printable(text).to_string(), text);
            assert_eq!(printable_lines(text), text);
        }
        assert_eq!(quote("it's"), "\"it's\"");
    }

    #[test]
    fn quotes_stay_short_and_unambiguous() {
        assert_eq!(quote("a\0b\n"), r#""a\0b\n""#);
        assert_eq!(quote(r#"a"\b"#), r#""a\"\b""#);
        assert_eq!(quote("go\u{a0}x"), "\"go\\u{a0}x\"");
        assert_eq!(quote(&"x".repeat(1000)).chars().count(), 63);
    }

    #[test]
    fn similar_names_are_suggested() {
        let suggested = |found| did_you_mean(found, ["go", "stop", "moves", "position", "match"]);
        for (found, name) in
            [("postion", "position"), ("mtach", "match"), ("STOP", "stop"), ("Mvoes", "moves")]
        {
            assert_eq!(suggested(found), format!("; did you mean \"{name}\"?"));
        }
        assert_eq!(["g", "jump", "", "x".repeat(1000).as_str()].map(suggested), [""; 4]);
        assert_eq!(
            expected_names("sotp", "go stop", " "),
            "; did you mean \"stop\"? expected one of: go stop"
        );
        assert_eq!(expected_names("jump", "go, stop", ", "), ", expected one of: go, stop");
    }

    #[test]
    fn long_counts_are_grouped() {
        let grouped = [0, 999, 5478, 10_000, 255_168, 1_234_567].map(grouped);
        assert_eq!(grouped, ["0", "999", "5478", "10,000", "255,168", "1,234,567"]);
    }

    #[test]
    fn nouns_agree_with_their_counts() {
        let counted = [plural(0_u8, "game"), plural(1_u32, "game"), plural(2_usize, "game")];
        assert_eq!(counted, ["0 games", "1 game", "2 games"]);
        assert_eq!([plural(1, "ply"), plural(12_u64, "ply")], ["1 ply", "12 plies"]);
    }

    #[test]
    fn negative_zero_is_never_printed() {
        for number in [-0.0, -0.04, -1e-9, 0.0, 0.04] {
            assert_eq!(
                (decimal(number, 1), signed(number, 1)),
                ("0.0".to_owned(), "+0.0".to_owned())
            );
            assert_eq!((decimal(number, 0), signed(number, 0)), ("0".to_owned(), "+0".to_owned()));
        }
        assert_eq!(
            (decimal(-0.05, 2), signed(-0.06, 1), signed(12.0, 0)),
            ("-0.05".to_owned(), "-0.1".to_owned(), "+12".to_owned())
        );
        assert_eq!(
            (signed(f64::INFINITY, 1), decimal(f64::NEG_INFINITY, 1)),
            ("+inf".to_owned(), "-inf".to_owned())
        );
        assert_eq!(without_negative_zero(-0.0).to_string(), "0");
    }
}
