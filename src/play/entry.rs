//! What a person types: an answer, a command or a move. Knows no position. Imports the languages.

use super::messages::Language;

/// A command, or whatever else it may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry<'a> {
    Hint,
    Undo,
    Redo,
    Flip,
    Moves,
    Eval,
    Board,
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

/// From what stands behind its word to a command, where that is one.
type Reader = fn(&str) -> Option<Entry<'_>>;

/// The words for each command, in every language.
const WORDS: [(&[&str], Reader); 13] = [
    (&["hint", "提示"], |rest| rest.is_empty().then_some(Entry::Hint)),
    (&["undo", "u", "悔棋"], |rest| rest.is_empty().then_some(Entry::Undo)),
    (&["redo", "r", "重做"], |rest| rest.is_empty().then_some(Entry::Redo)),
    (&["flip", "换边"], |rest| rest.is_empty().then_some(Entry::Flip)),
    (&["moves", "着法"], |rest| rest.is_empty().then_some(Entry::Moves)),
    (&["eval", "评估"], |rest| rest.is_empty().then_some(Entry::Eval)),
    (&["board", "棋盘"], |rest| rest.is_empty().then_some(Entry::Board)),
    (&["save", "保存"], |rest| Some(Entry::Save(rest))),
    (&["load", "读取"], |rest| Some(Entry::Load(rest))),
    (&["level", "级别"], |rest| Some(Entry::Level(rest))),
    (&["new", "新局"], |rest| rest.is_empty().then_some(Entry::New)),
    (&["help", "?", "？", "帮助"], |rest| rest.is_empty().then_some(Entry::Help)),
    (&["quit", "q", "exit", "退出"], |rest| rest.is_empty().then_some(Entry::Quit)),
];

impl<'a> Entry<'a> {
    /// Reads a line.
    pub(super) fn of(line: &'a str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let is_word = |own: &str| own.eq_ignore_ascii_case(word);
        let command = WORDS.iter().find(|(words, _)| words.iter().any(|own| is_word(own)));
        match command.and_then(|(_, read)| read(rest.trim())) {
            Some(entry) => entry,
            None if line.is_empty() => Self::Empty,
            None => Self::Other(line),
        }
    }
}

/// The commands as they are completed in a language: the first word is English, the last Chinese.
pub(super) fn commands(language: Language) -> impl Iterator<Item = String> {
    let word = move |words: &[&str]| match language {
        Language::English => words[0].to_owned(),
        Language::Chinese => words[words.len() - 1].to_owned(),
    };
    WORDS.iter().map(move |(words, _)| word(words))
}

/// Whether a word is a command that wants the name of a file.
#[must_use]
pub fn wants_file(word: &str) -> bool {
    matches!(Entry::of(&format!("{word} file")), Entry::Save(_) | Entry::Load(_))
}

/// A line as it would be with narrow letters: input of Chinese makes them wide.
pub(super) fn narrow(line: &str) -> String {
    let narrow = |letter: char| match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xfee0).unwrap_or(letter),
        '\u{3000}' => ' ',
        letter => letter,
    };
    line.chars().map(narrow).collect()
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
            ("undo 3", Entry::Other("undo 3")),
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
