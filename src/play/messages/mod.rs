//! All that is said to a person, in each language.
//!
//! A [`Message`] is what there is to say; a language is one function that has words for every one of
//! them, so that none can be forgotten. Imports the scores of the search.

mod chinese;
mod english;

use crate::search::Score;

/// A language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese.
    Chinese,
}

impl Language {
    /// The languages by the names that locales begin with.
    pub const ALL: [(&'static str, Self); 2] = [("en", Self::English), ("zh", Self::Chinese)];

    /// The language of a locale, as `zh_CN.UTF-8`; English where it is none of ours, or where the
    /// locale has other letters than Unicode's.
    #[must_use]
    pub fn of_locale(locale: &str) -> Self {
        let (name, letters) = locale.split_once('.').unwrap_or((locale, "UTF-8"));
        let has_all = letters
            .replace('-', "")
            .get(..4)
            .is_some_and(|start| start.eq_ignore_ascii_case("utf8"));
        let is_it = |(own, _): &&(&str, Self)| {
            name.get(..own.len()).is_some_and(|start| start.eq_ignore_ascii_case(own))
        };
        let found = Self::ALL.iter().find(is_it).filter(|_| has_all);
        found.map_or_else(Self::default, |(_, language)| *language)
    }

    /// Says something.
    #[must_use]
    pub fn say(self, message: &Message<'_>) -> String {
        match self {
            Self::English => english::say(message),
            Self::Chinese => chinese::say(message),
        }
    }
}

/// A player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// The person, playing against the engine.
    You,
    /// The engine.
    Engine,
    /// The first of two persons.
    First,
    /// The second of two persons.
    Second,
}

/// A move that threw something away.
#[derive(Debug, Clone, Copy)]
pub struct Blunder<'a> {
    /// Whether nothing was thrown away before, or nothing after it.
    pub is_first: bool,
    /// Its ply, from 1.
    pub ply: usize,
    /// Who made it.
    pub who: Who,
    /// The move.
    pub mv: &'a str,
    /// What the position was worth to who made it.
    pub had: Score,
    /// What it was worth after it.
    pub got: Score,
    /// What would have been right, if that is known.
    pub right: Option<&'a str>,
}

/// What there is to say. Names of moves, files and positions are the same in all languages.
#[derive(Debug, Clone, Copy)]
pub enum Message<'a> {
    /// Which game is played.
    Title(&'a str),
    /// Whom does the person play?
    AskOpponent,
    /// Who makes the first move?
    AskFirst,
    /// An answer, quoted, that is none of those that were offered.
    NoAnswer(&'a str),
    /// A player, and its level if it is the engine.
    Player(Who, u32),
    /// Whose move it is.
    ToMove(Who),
    /// The numbers of the areas that may be played in.
    PlayIn(&'a [String]),
    /// What was played last.
    LastMove(Who, &'a str),
    /// What the numbers above the files are.
    Gaps,
    /// That there is help.
    HelpIsThere,
    /// Before what the person types.
    Prompt,
    /// The engine is at its move, and can be told to make it.
    Thinking,
    /// The engine looks at the position for the person, and can be told to answer.
    Looking,
    /// The game is being looked over.
    LookingOver,
    /// What a random game began with.
    Seed(u64),
    /// What was typed, quoted, is neither a move nor a command; a move that is one.
    Unreadable(&'a str, &'a str),
    /// What was typed, quoted, is short for several moves; which.
    Ambiguous(&'a str, &'a str),
    /// What was typed, quoted, cannot be played here; what can.
    Illegal(&'a str, &'a [String]),
    /// What was typed, quoted, cannot be played after the end.
    IsOver(&'a str),
    /// Nothing can be said of a game that is over.
    GameOver,
    /// How moves are typed in a game.
    HowToMove(&'a str),
    /// The commands.
    Commands,
    /// A move, what it is worth, and how it would go on.
    Hint(&'a str, Score, &'a [String]),
    /// What the position is worth to the mover.
    Eval(Score),
    /// The legal moves.
    Moves(&'a [String]),
    /// There is nothing to take back.
    NothingToUndo,
    /// There is nothing to play again.
    NothingToRedo,
    /// So many moves were taken back.
    Undone(usize),
    /// So many moves were played again.
    Redone(usize),
    /// The sides were changed.
    Flipped,
    /// There are no sides to change.
    NothingToFlip,
    /// The level was set.
    Level(u32),
    /// The level is asked for.
    LevelIs(u32),
    /// That, quoted, is no level.
    NoLevel(&'a str),
    /// A command wants the name of a file.
    NoFile(&'a str),
    /// The file is there already; shall it be replaced?
    AskReplace(&'a str),
    /// Nothing was written.
    NotSaved,
    /// The game is in the file.
    Saved(&'a str),
    /// It could not be written.
    CannotSave(&'a str, &'a str),
    /// A game of a file is on the board, with so many moves.
    Loaded(&'a str, &'a str, usize),
    /// There is no game in the file.
    NoGame(&'a str),
    /// It could not be read.
    CannotLoad(&'a str, &'a str),
    /// There is no memory to think with.
    CannotThink(&'a str),
    /// Who won, and at which game.
    Won(Who, &'a str),
    /// Nobody can.
    Drawn,
    /// A position came up for the third time.
    Repeated,
    /// A move that threw something away.
    ThrownAway(&'a Blunder<'a>),
    /// No such move is known; or there is none, if all values are known.
    NothingThrownAway(bool),
    /// Another game?
    AskAnother,
    /// What ends the program, for who pressed Ctrl-C.
    ReallyQuit,
    /// Good-bye.
    Bye,
}

/// How many points of a hundred the mover may expect.
fn expected(score: Score) -> f64 {
    let chances = score.chances(None);
    f64::from(chances.win) / 10.0 + f64::from(chances.draw) / 20.0
}

/// So many moves as a person wants to read.
fn some(moves: &[String], more: &str) -> String {
    const SHOWN: usize = 18;
    let shown = moves[..moves.len().min(SHOWN)].join(" ");
    if moves.len() > SHOWN { shown + more } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales_choose_the_language() {
        for (locale, language) in [
            ("zh_CN.UTF-8", Language::Chinese),
            ("ZH", Language::Chinese),
            ("zh_TW.utf8@radical", Language::Chinese),
            ("zh_CN.GBK", Language::English),
            ("en_GB", Language::English),
            ("C", Language::English),
            ("", Language::English),
            ("汉", Language::English),
        ] {
            assert_eq!(Language::of_locale(locale), language, "{locale}");
        }
    }
}
