//! The questions before the first game, and `new GAME`.

use super::{
    CONTINUE, Completions, Console, ConsoleInput, Controller, Flow, PlayError, PlayInput,
    PlayerKind, QUIT, find_choice, input,
};
use crate::interact::levels::{NAMED_LEVELS, level_list, level_name, parse_level};
use crate::language::Values;
use crate::terminal::input::{Keyword, keyword};
use crate::thinking::GameSpec;
use crate::thinking::registry::{self, games};

/// The reply to a question that can be cancelled.
pub(super) enum Reply<T> {
    Answer(T),
    /// Ctrl-C, Ctrl-D, an empty line or `cancel`.
    Cancelled,
    Quit,
}

impl<C: Console> Controller<'_, C> {
    /// Asks for the settings that the options leave open: game, and unless there are lessons or puzzles opponent,
    /// level and side.
    pub(super) fn ask_settings(&mut self) -> Flow {
        const OPPONENTS: &[(Keyword, PlayerKind)] = &[
            (keyword("engine", "电脑", &["e", "zermelo"]), PlayerKind::Engine),
            (keyword("human", "真人", &["h", "person", "p", "人"]), PlayerKind::Human),
        ];
        const FIRST_MOVERS: &[(Keyword, PlayerKind)] = &[
            (keyword("you", "你", &["y", "me", "m", "i", "我"]), PlayerKind::Human),
            (keyword("engine", "电脑", &["e", "zermelo"]), PlayerKind::Engine),
        ];
        if self.options.asks_game {
            let Some(spec) = self.ask_which_game()? else { return QUIT };
            self.options.game = spec;
        }
        self.print(&self.options.language.game_title(self.options.game.id))?;
        if self.options.lessons.is_some() || self.options.puzzles.is_some() {
            return CONTINUE;
        }
        if self.options.opponent.is_none() {
            let Some(answer) = self.ask("ask.opponent", OPPONENTS)? else { return QUIT };
            self.options.opponent = Some(answer);
        }
        let has_engine = self.options.opponent == Some(PlayerKind::Engine);
        if has_engine && self.options.asks_level {
            let Some(level) = self.ask_level()? else { return QUIT };
            self.options.level = level;
        }
        if has_engine && self.options.first_mover.is_none() {
            let Some(answer) = self.ask("ask.first", FIRST_MOVERS)? else {
                return QUIT;
            };
            self.options.first_mover = Some(answer);
        }
        CONTINUE
    }

    /// Asks for the game, by number or name.
    fn ask_which_game(&mut self) -> Result<Option<&'static GameSpec>, PlayError> {
        if let [only] = games() {
            return Ok(Some(only));
        }
        let language = self.options.language;
        let line = |(number, spec): (usize, &GameSpec)| {
            format!("{number}  {:<13} {}\n", spec.id, language.game_title(spec.id))
        };
        self.print(&(1..).zip(games()).map(line).collect::<String>())?;
        let words: Vec<String> = games().iter().map(|spec| spec.id.to_owned()).collect();
        let parse = |line: &str| match line.parse::<usize>() {
            _ if line.is_empty() => games().first(),
            Ok(number) => games().get(number.wrapping_sub(1)),
            Err(_) => registry::find(line).ok(),
        };
        self.ask_until_valid(language.text("ask.game"), words, parse)
    }

    /// Asks for the engine's level, by number or name.
    fn ask_level(&mut self) -> Result<Option<u32>, PlayError> {
        let language = self.options.language;
        self.print(&level_list(self.options.game, language))?;
        let default = self.options.level;
        let words = NAMED_LEVELS.iter().rev().map(|level| level_name(*level, language).to_owned());
        let completions = Completions { words: words.collect(), moves: Vec::new() };
        let question = language.fill("ask.level", &[("default", &default)]);
        loop {
            let Some(line) = self.read_line(&question, &completions)? else { return Ok(None) };
            match parse_level(&line) {
                _ if line.trim().is_empty() => return Ok(Some(default)),
                Ok(level) => return Ok(Some(level)),
                Err(_) if PlayInput::parse(&line, |_| false) == PlayInput::Quit => return Ok(None),
                Err(error) => self.say_invalid_level(line.trim(), &error)?,
            }
        }
    }

    /// Starts a game: of the same kind, or of the kind named.
    pub(super) fn start_new_game(&mut self, name: &str) -> Result<(), PlayError> {
        let spec = if name.is_empty() { Ok(self.game.spec) } else { registry::find(name) };
        match spec {
            Ok(spec) => {
                if spec != self.game.spec {
                    self.print_how_to_play(spec)?;
                }
                self.start_game(spec)
            }
            Err(_) => {
                let ids: Vec<&str> = games().iter().map(|spec| spec.id).collect();
                let found = self.options.language.quote(name);
                self.say("game.unknown", &[("found", &found), ("games", &ids.join(" "))])
            }
        }
    }

    /// Repeats a question until it is answered; returns `None` if the user quits.
    pub(super) fn ask<T: Copy>(
        &mut self,
        question: &str,
        choices: &[(Keyword, T)],
    ) -> Result<Option<T>, PlayError> {
        let language = self.options.language;
        let words = input::choice_words(choices, language);
        self.ask_until_valid(language.text(question), words, |line| find_choice(line, choices))
    }

    /// Repeats a question until it is answered or cancelled.
    pub(super) fn ask_or_cancel<T: Copy>(
        &mut self,
        question: &str,
        choices: &[(Keyword, T)],
    ) -> Result<Reply<T>, PlayError> {
        let words = input::choice_words(choices, self.options.language);
        let completions = Completions { words, moves: Vec::new() };
        loop {
            let text = match self.read_reply(question, &completions)? {
                Reply::Answer(text) => text,
                Reply::Cancelled => return Ok(Reply::Cancelled),
                Reply::Quit => return Ok(Reply::Quit),
            };
            if let Some(answer) = find_choice(&text, choices) {
                return Ok(Reply::Answer(answer));
            }
            self.say_invalid_answer(&text, &completions.words)?;
        }
    }

    /// Reads the reply to a question that can be cancelled.
    pub(super) fn read_reply(
        &mut self,
        question: &str,
        completions: &Completions,
    ) -> Result<Reply<String>, PlayError> {
        const CANCEL: &[(Keyword, ())] = &[(keyword("cancel", "取消", &["c"]), ())];
        Ok(match self.console.read_line(question, completions)? {
            ConsoleInput::End | ConsoleInput::Interrupt => Reply::Cancelled,
            ConsoleInput::Line(line) => match input::to_half_width(&line).trim() {
                text if find_choice(text, CANCEL).is_some() => Reply::Cancelled,
                text if PlayInput::parse(text, |_| false) == PlayInput::Quit => Reply::Quit,
                text => Reply::Answer(text.to_owned()),
            },
        })
    }

    fn say_invalid_answer(&mut self, found: &str, words: &[String]) -> Result<(), PlayError> {
        let language = self.options.language;
        let default = words.first().map_or("", String::as_str);
        let (found, answers) = (language.quote(found), words.join(language.text("ask.or")));
        let values: &Values<'_> =
            &[("found", &found), ("answers", &answers), ("default", &default)];
        self.say("ask.invalid", values)
    }

    /// Repeats a question until `parse` accepts the answer; returns `None` if the user quits. The
    /// first word is the default.
    fn ask_until_valid<T>(
        &mut self,
        question: &str,
        words: Vec<String>,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, PlayError> {
        let completions = Completions { words, moves: Vec::new() };
        loop {
            let Some(line) = self.read_line(question, &completions)? else { return Ok(None) };
            if let Some(answer) = parse(line.trim()) {
                return Ok(Some(answer));
            }
            if PlayInput::parse(&line, |_| false) == PlayInput::Quit {
                return Ok(None);
            }
            self.say_invalid_answer(line.trim(), &completions.words)?;
        }
    }
}
