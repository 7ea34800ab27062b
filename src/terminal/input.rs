//! Parses what the user types: answers, commands and moves. Independent of the position.

use crate::language::{Language, Localized};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PlayInput<'a> {
    Hint,
    Explain(&'a str),
    Undo,
    Redo,
    Flip,
    Moves,
    Eval,
    Board,
    Review,
    Save(&'a str),
    Load(&'a str),
    Level(&'a str),
    New(&'a str),
    Resign,
    Rules,
    Help,
    Quit,
    Empty,
    /// Not a command, so probably a move.
    Move(&'a str),
}

/// A word that is understood in every language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keyword {
    words: Localized,
    aliases: &'static [&'static str],
}

impl Keyword {
    /// Whether the word is typed in full.
    fn is_exactly(&self, word: &str) -> bool {
        self.words.iter().any(|own| own.eq_ignore_ascii_case(word))
    }

    /// Whether the word is typed in full or as an alias.
    fn matches(&self, word: &str) -> bool {
        self.is_exactly(word) || self.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(word))
    }
}

/// Turns the text after a command's word into the command, or `None` if it takes no such argument.
type ArgumentParser = fn(&str) -> Option<PlayInput<'_>>;

const COMMANDS: [(Keyword, ArgumentParser); 17] = [
    (keyword("hint", "提示", &[]), |rest| rest.is_empty().then_some(PlayInput::Hint)),
    (keyword("explain", "解释", &["why"]), |rest| Some(PlayInput::Explain(rest))),
    (keyword("undo", "悔棋", &["u"]), |rest| rest.is_empty().then_some(PlayInput::Undo)),
    (keyword("redo", "重走", &["r", "重做"]), |rest| {
        rest.is_empty().then_some(PlayInput::Redo)
    }),
    (keyword("flip", "换边", &[]), |rest| rest.is_empty().then_some(PlayInput::Flip)),
    (keyword("moves", "着法", &[]), |rest| rest.is_empty().then_some(PlayInput::Moves)),
    (keyword("eval", "评估", &[]), |rest| rest.is_empty().then_some(PlayInput::Eval)),
    (keyword("board", "棋盘", &[]), |rest| rest.is_empty().then_some(PlayInput::Board)),
    (keyword("review", "复盘", &[]), |rest| rest.is_empty().then_some(PlayInput::Review)),
    (keyword("save", "保存", &[]), |rest| Some(PlayInput::Save(rest))),
    (keyword("load", "读取", &[]), |rest| Some(PlayInput::Load(rest))),
    (keyword("level", "级别", &[]), |rest| Some(PlayInput::Level(rest))),
    (keyword("new", "新局", &[]), |rest| Some(PlayInput::New(rest))),
    (keyword("resign", "认输", &[]), |rest| rest.is_empty().then_some(PlayInput::Resign)),
    (keyword("rules", "规则", &[]), |rest| rest.is_empty().then_some(PlayInput::Rules)),
    (keyword("help", "帮助", &["?", "？"]), |rest| rest.is_empty().then_some(PlayInput::Help)),
    (keyword("quit", "退出", &["q", "exit"]), |rest| rest.is_empty().then_some(PlayInput::Quit)),
];

pub(crate) const fn keyword(
    english: &'static str,
    chinese: &'static str,
    aliases: &'static [&'static str],
) -> Keyword {
    Keyword { words: [english, chinese], aliases }
}

pub(crate) const YES: Keyword = keyword("yes", "是", &["y", "好"]);
pub(crate) const NO: Keyword = keyword("no", "否", &["n", "不"]);

impl<'a> PlayInput<'a> {
    /// Parses a line. Moves take precedence over aliases, so that `u` or `q` can be moves of a game;
    /// a command typed in full is always that command. `is_move` decides whether a text is a move.
    pub(crate) fn parse(line: &'a str, is_move: impl FnOnce(&str) -> bool) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let command = COMMANDS.iter().find(|(keyword, _)| keyword.matches(word));
        let input = command.and_then(|(keyword, parse_argument)| {
            let input = parse_argument(rest.trim())?;
            (keyword.is_exactly(word) || !is_move(line)).then_some(input)
        });
        match input {
            Some(input) => input,
            None if line.is_empty() => Self::Empty,
            None => Self::Move(line),
        }
    }
}

pub(crate) fn command_words(language: Language) -> Vec<String> {
    choice_words(&COMMANDS, language)
}

pub(crate) fn choice_words<T>(choices: &[(Keyword, T)], language: Language) -> Vec<String> {
    choices.iter().map(|(keyword, _)| language.pick(&keyword.words).to_owned()).collect()
}

pub fn takes_file_name(word: &str) -> bool {
    let line = format!("{word} file");
    matches!(PlayInput::parse(&line, |_| false), PlayInput::Save(_) | PlayInput::Load(_))
}

/// Replaces full-width letters, as Chinese input methods produce them, by ASCII.
pub(crate) fn to_half_width(line: &str) -> String {
    let half_width = |letter: char| match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xfee0).unwrap_or(letter),
        '\u{3000}' => ' ',
        letter => letter,
    };
    line.chars().map(half_width).collect()
}

/// Finds the answer to a question among the choices; an empty line selects the first one.
pub(crate) fn find_choice<T: Copy>(line: &str, choices: &[(Keyword, T)]) -> Option<T> {
    let line = line.trim();
    let mut choices = choices.iter();
    let found = match line {
        "" => choices.next(),
        word => choices.find(|(keyword, _)| keyword.matches(word)),
    };
    found.map(|(_, choice)| *choice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Notation, SplitMix};
    use crate::thinking::registry;

    #[test]
    fn commands_are_recognized_in_both_languages_and_the_rest_may_be_moves() {
        for (line, input) in [
            ("  HINT ", PlayInput::Hint),
            ("悔棋", PlayInput::Undo),
            ("重走", PlayInput::Redo),
            ("explain 5 3", PlayInput::Explain("5 3")),
            ("解释", PlayInput::Explain("")),
            ("save  my game.pgn ", PlayInput::Save("my game.pgn")),
            ("load", PlayInput::Load("")),
            ("u", PlayInput::Undo),
            ("Q", PlayInput::Quit),
            ("", PlayInput::Empty),
            ("e5", PlayInput::Move("e5")),
            (" 5 3", PlayInput::Move("5 3")),
            ("undoing", PlayInput::Move("undoing")),
            ("undo 3", PlayInput::Move("undo 3")),
        ] {
            assert_eq!(PlayInput::parse(line, |_| false), input, "{line}");
        }
    }

    /// In a game whose files go up to `u`, `u` is a move and not an abbreviation of `undo`.
    #[test]
    fn moves_take_precedence_over_abbreviations_but_not_over_whole_words() {
        for line in ["u", "r", "Q", "?", "exit"] {
            assert_eq!(PlayInput::parse(line, |text| text == line), PlayInput::Move(line));
        }
        for (line, input) in
            [("undo", PlayInput::Undo), ("QUIT", PlayInput::Quit), ("退出", PlayInput::Quit)]
        {
            assert_eq!(PlayInput::parse(line, |_| true), input);
        }
    }

    #[test]
    fn no_move_of_any_game_is_spelled_like_a_command() {
        for game in registry::games() {
            let mut random = SplitMix::new(1);
            let mut position = game.open();
            for _ in 0..200 {
                let moves = position.legal_moves(Notation::Own);
                for name in &moves {
                    assert_eq!(PlayInput::parse(name, |_| true), PlayInput::Move(name));
                }
                if moves.is_empty() {
                    break;
                }
                position.play_moves(&[&moves[random.below(moves.len())]]).unwrap();
            }
        }
    }

    #[test]
    fn enter_selects_the_first_choice() {
        const CHOICES: &[(Keyword, u8)] =
            &[(keyword("yes", "是", &["y"]), 1), (keyword("no", "否", &["n"]), 2)];
        assert_eq!(
            ["", "是", "Y", "NO", "n", "x"].map(|line| find_choice(line, CHOICES)),
            [Some(1), Some(1), Some(1), Some(2), Some(2), None]
        );
    }
}
