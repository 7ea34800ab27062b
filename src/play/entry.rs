//! What a person types: an answer, a command or a move. Knows no position.

/// A command, or whatever else it may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry<'a> {
    Hint,
    Undo,
    Redo,
    Flip,
    Moves,
    Eval,
    Save(&'a str),
    Load(&'a str),
    Level(&'a str),
    New,
    Help,
    Quit,
    /// Nothing at all.
    Empty,
    /// A move, perhaps.
    Other(&'a str),
}

/// From what stands behind its word to a command.
type Reader = fn(&str) -> Entry<'_>;

/// The words for each command, in every language.
const WORDS: [(&[&str], Reader); 12] = [
    (&["hint", "提示"], |_| Entry::Hint),
    (&["undo", "u", "悔棋"], |_| Entry::Undo),
    (&["redo", "r", "重做"], |_| Entry::Redo),
    (&["flip", "换边"], |_| Entry::Flip),
    (&["moves", "着法"], |_| Entry::Moves),
    (&["eval", "评估"], |_| Entry::Eval),
    (&["save", "保存"], |rest| Entry::Save(rest)),
    (&["load", "读取"], |rest| Entry::Load(rest)),
    (&["level", "级别"], |rest| Entry::Level(rest)),
    (&["new", "新局"], |_| Entry::New),
    (&["help", "?", "？", "帮助"], |_| Entry::Help),
    (&["quit", "q", "exit", "退出"], |_| Entry::Quit),
];

impl<'a> Entry<'a> {
    /// Reads a line.
    pub(super) fn of(line: &'a str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let is_word = |own: &str| own.eq_ignore_ascii_case(word);
        let command = WORDS.iter().find(|(words, _)| words.iter().any(|own| is_word(own)));
        match command {
            Some((_, entry)) => entry(rest.trim()),
            None if line.is_empty() => Self::Empty,
            None => Self::Other(line),
        }
    }
}

/// The commands as they are completed.
pub(super) fn commands() -> impl Iterator<Item = String> {
    WORDS.iter().map(|(words, _)| words[0].to_owned())
}

/// An answer to a question: which of the choices, the first if nothing is typed; `None` if it is
/// none of them.
pub(super) fn choose<T: Copy>(line: &str, choices: &[(&[&str], T)]) -> Option<T> {
    let line = line.trim();
    if line.is_empty() {
        return choices.first().map(|(_, choice)| *choice);
    }
    let is_it =
        |(words, _): &&(&[&str], T)| words.iter().any(|word| word.eq_ignore_ascii_case(line));
    choices.iter().find(is_it).map(|(_, choice)| *choice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_words_in_either_language_and_the_rest_may_be_moves() {
        for (line, entry) in [
            ("  HINT ", Entry::Hint),
            ("悔棋", Entry::Undo),
            ("save  my game.pgn ", Entry::Save("my game.pgn")),
            ("load", Entry::Load("")),
            ("", Entry::Empty),
            ("e5", Entry::Other("e5")),
            (" 5 3", Entry::Other("5 3")),
            ("undoing", Entry::Other("undoing")),
        ] {
            assert_eq!(Entry::of(line), entry, "{line}");
        }
    }

    #[test]
    fn enter_chooses_the_first_answer() {
        const CHOICES: &[(&[&str], u8)] = &[(&["yes", "是"], 1), (&["no"], 2)];
        assert_eq!(
            ["", "是", "NO", "x"].map(|line| choose(line, CHOICES)),
            [Some(1), Some(1), Some(2), None]
        );
    }
}
