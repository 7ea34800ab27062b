//! Writes games as text.

use std::fmt::{self, Write};

use super::super::{GameRecord, MoveRecord, SearchInfo, format_timestamp, result_text};
use crate::review::KeepingMoves;

/// The maximum width of lines of moves.
const MAX_WIDTH: usize = 100;

impl GameRecord {
    /// Returns the game as it is written to a record, including the blank line.
    #[must_use]
    pub fn to_pgn(&self) -> String {
        let mut text = String::new();
        let [white, black] = &self.players;
        let numbers = [self.number, self.round, self.pair].map(|number| number.to_string());
        let started = format_timestamp(self.started);
        let tags = [
            ("Game", self.game.as_str()),
            ("Number", &numbers[0]),
            ("Round", &numbers[1]),
            ("Pair", &numbers[2]),
            ("Started", &started),
            ("White", white),
            ("Black", black),
            ("FEN", &self.fen),
            ("Result", result_text(self.result)),
            ("Termination", self.termination.as_str()),
            ("Reason", &self.reason),
            ("WhiteLimits", &self.limits[0]),
            ("BlackLimits", &self.limits[1]),
        ];
        let seeds = ["WhiteSeed", "BlackSeed"].into_iter().zip(self.seeds);
        let seeds: Vec<_> =
            seeds.filter_map(|(name, seed)| Some((name, seed?.to_string()))).collect();
        let seeds = seeds.iter().map(|(name, seed)| (*name, seed.as_str()));
        let first_mover = self.second_begins.then_some(("Begins", "Black"));
        let claims = self.broken_claims.iter().map(|claim| ("BrokenClaim", claim.as_str()));
        let unknown = self.tags.iter().map(|(name, content)| (name.as_str(), content.as_str()));
        let stderr = self.stderr.iter().map(|text| ("Stderr", text.as_str()));
        let optional = seeds.chain(first_mover).chain(claims).chain(stderr).chain(unknown);
        for (name, content) in tags.into_iter().chain(optional) {
            text.push_str(&format!("[{name} \"{}\"]\n", escape(content)));
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
            words.push(format!("{{{}}}", Comment(mv)));
            words.extend(variation(ply, &mv.best_line));
        }
        words.push(result_text(self.result).to_owned());
        text.push_str(&wrap(&words));
        text.push_str("\n\n");
        text
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

/// Formats the comment of a move: fields separated by commas.
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
        if let Some(score) = score {
            write!(f, "{score}")?;
        }
        if let Some(depth) = depth {
            write!(f, "/{depth}")?;
        }
        if score.is_some() || depth.is_some() {
            f.write_char(' ')?;
        }
        match is_book {
            true => f.write_str("book")?,
            false => write!(f, "{time}")?,
        }
        if let Some(nodes) = nodes {
            write!(f, ", {nodes} nodes")?;
        }
        if let Some(over) = over {
            write!(f, ", {over} over")?;
        }
        if let Some(value) = move_value {
            write!(f, ", worth {value}")?;
        }
        if let Some(best) = best {
            write!(f, ", best {best}")?;
        }
        if let Some(KeepingMoves { count, legal, is_proven }) = keep {
            let about = if *is_proven { "" } else { "~" };
            write!(f, ", keep {about}{count}/{legal}")?;
        }
        Ok(())
    }
}
