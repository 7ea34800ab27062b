//! Writes games as text.

use std::borrow::Cow;
use std::fmt;

use crate::records::ValueKeepingMoves;
use crate::records::{
    GameRecord, MoveRecord, SearchInfo, Seconds, format_timestamp, result_text, worth_text,
};

/// The maximum width of lines of moves.
const MAX_WIDTH: usize = 100;

impl GameRecord {
    /// Returns the game as it is written to a record, including the blank line.
    pub fn to_pgn(&self) -> String {
        let mut text = String::new();
        for (name, content) in self.pgn_tags() {
            text.push_str(&format!("[{name} \"{}\"]\n", escape(&content)));
        }
        text.push('\n');
        let mut words = Vec::new();
        // Black's first move is numbered `1...` if Black begins.
        let first_ply = usize::from(self.second_begins);
        for (ply, mv) in (first_ply..).zip(&self.moves) {
            let number = ply / 2 + 1;
            if ply % 2 == 0 {
                words.push(format!("{number}."));
            } else if ply == first_ply || needs_number(&mv.mv) {
                words.push(format!("{number}..."));
            }
            words.push(mv.mv.clone());
            words.extend(mv.mark.map(|mark| format!("${}", mark.nag())));
            let comment = Comment(mv).to_string();
            words.extend((!comment.is_empty()).then(|| format!("{{{comment}}}")));
            words.extend(variation(ply, &mv.best_line));
        }
        words.push(result_text(self.result).to_owned());
        text.push_str(&wrap(&words));
        text.push_str("\n\n");
        text
    }

    /// Returns the tags. Those that are not known are left out.
    fn pgn_tags(&self) -> Vec<(&str, Cow<'_, str>)> {
        let number = |name, number: u32| (number > 0).then(|| (name, number.to_string().into()));
        let seed = |(name, seed): (_, Option<i64>)| Some((name, seed?.to_string().into()));
        let text = |(name, text)| (name, Cow::Borrowed(text));
        let [white, black] = &self.players;
        let mut tags = vec![text(("Game", &*self.game))];
        tags.extend(number("Number", self.number));
        tags.extend(number("Round", self.round));
        tags.extend(number("Pair", self.pair));
        tags.extend((self.started > 0).then(|| ("Started", format_timestamp(self.started).into())));
        tags.extend([("White", &**white), ("Black", black), ("FEN", &self.fen)].map(text));
        tags.push(text(("Result", result_text(self.result))));
        tags.push(text(("Termination", self.termination.as_str())));
        let [white_limits, black_limits] = &self.limits;
        let optional = [
            ("Reason", &self.reason),
            ("WhiteLimits", white_limits),
            ("BlackLimits", black_limits),
        ];
        tags.extend(
            optional
                .into_iter()
                .filter(|(_, text)| !text.is_empty())
                .map(|(name, text)| (name, text.into())),
        );
        tags.extend(["WhiteSeed", "BlackSeed"].into_iter().zip(self.seeds).filter_map(seed));
        tags.extend(self.second_begins.then_some(text(("Begins", "Black"))));
        tags.extend(self.broken_claims.iter().map(|claim| text(("FalseMateClaim", claim))));
        tags.extend(self.stderr.iter().map(|stderr| text(("Stderr", stderr))));
        tags.extend(self.tags.iter().map(|(name, content)| text((name, content))));
        tags
    }
}

/// Returns whether a move could be mistaken for a move with its number or for a variation, and so
/// needs a number itself.
fn needs_number(mv: &str) -> bool {
    let rest = mv.trim_start_matches(|letter: char| letter.is_ascii_digit());
    mv.starts_with('(') || rest.len() < mv.len() && rest.starts_with('.')
}

/// Returns the words of a variation that replaces the move at `ply`; none if the line is empty.
fn variation(ply: usize, line: &[String]) -> Vec<String> {
    let mut words = Vec::with_capacity(line.len() + 1);
    for (ply, mv) in (ply..).zip(line) {
        let number = ply / 2 + 1;
        match ply % 2 {
            0 => words.push(format!("{number}.")),
            _ if words.is_empty() => words.push(format!("{number}...")),
            _ => {}
        }
        words.push(mv.clone());
    }
    if let [first, .., last] = &mut words[..] {
        first.insert(0, '(');
        last.push(')');
    }
    words
}

fn wrap(words: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        if width > 0 {
            // At the start of a line, `%` would make it a directive.
            let fits = width + 1 + length <= MAX_WIDTH || word.starts_with('%');
            text.push(if fits { ' ' } else { '\n' });
            width = if fits { width + 1 } else { 0 };
        }
        text.push_str(word);
        width += length;
    }
    text
}

/// Escapes the content of a tag: quotes, backslashes and line breaks with a backslash, other
/// control characters as `\x1b`.
fn escape(content: &str) -> String {
    let mut text = String::with_capacity(content.len());
    for letter in content.chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            '\n' => text.push_str("\\n"),
            // All control characters fit in two digits.
            letter if letter.is_control() => {
                text.push_str(&format!("\\x{:02x}", u32::from(letter)));
            }
            letter => text.push(letter),
        }
    }
    text
}

/// Formats the comment of a move: fields separated by commas. A move without a search and a clock has no time.
struct Comment<'a>(&'a MoveRecord);

impl fmt::Display for Comment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MoveRecord {
            info: SearchInfo { score, depth, nodes },
            time,
            is_book,
            over,
            value: move_value,
            best,
            keep,
            ..
        } = self.0;
        let mut search = score.map_or_else(String::new, |score| score.to_string());
        search.extend(depth.map(|depth| format!("/{depth}")));
        let is_timed = !search.is_empty() || *time != Seconds::default();
        search.push_str(if search.is_empty() { "" } else { " " });
        let mut fields = Vec::new();
        if *is_book {
            fields.push(format!("{search}book"));
        } else if is_timed {
            fields.push(format!("{search}{time}"));
        }
        fields.extend(nodes.map(|nodes| format!("{nodes} nodes")));
        fields.extend(over.map(|over| format!("{over} over")));
        fields.extend(move_value.map(|value| format!("worth {}", worth_text(value))));
        fields.extend(best.map(|best| format!("best {}", worth_text(best))));
        fields.extend(keep.as_ref().map(|ValueKeepingMoves { count, legal, is_proven }| {
            format!("keep {}{count}/{legal}", if *is_proven { "" } else { "~" })
        }));
        f.write_str(&fields.join(", "))
    }
}
