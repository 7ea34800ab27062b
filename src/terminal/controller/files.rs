//! The commands `save` and `load`.

use super::setup::Reply;
use super::{CONTINUE, Completions, Console, Controller, Flow, NO, PlayError, QUIT, YES};
use crate::interact::game::recorded_level;
use crate::language::Values;
use crate::records::GameNumbers;
use crate::terminal::files::{LoadError, RecordFile};

impl<C: Console> Controller<'_, C> {
    pub(super) fn save(&mut self, path: &str) -> Flow {
        let language = self.options.language;
        let file = language.quote(path);
        let is_own = self.saved_file.as_deref() == Some(path);
        if !is_own && self.console.file_exists(path) {
            let question = language.fill("ask.overwrite", &[("file", &file)]);
            match self.ask_or_cancel(&question, &[(NO, false), (YES, true)])? {
                Reply::Quit => return QUIT,
                Reply::Cancelled | Reply::Answer(false) => {
                    self.say("file.notSaved", &[])?;
                    return CONTINUE;
                }
                Reply::Answer(true) => {}
            }
        }
        let text = self.game.to_record(self.options.level).to_pgn();
        match self.console.write_file(path, &text) {
            Ok(()) => {
                self.saved_file = Some(path.to_owned());
                self.say("file.saved", &[("file", &file)])?;
            }
            Err(problem) => {
                let reason = problem.text(language);
                self.say("file.cannotSave", &[("file", &file), ("reason", &reason)])?;
            }
        }
        CONTINUE
    }

    /// Loads a game of a record: `FILE`, or `FILE N` for the one with that number.
    pub(super) fn load(&mut self, arguments: &str) -> Flow {
        let (path, wanted) = match arguments.rsplit_once(char::is_whitespace) {
            // The name of a file may end with a number.
            Some((path, number)) if !self.console.file_exists(arguments) => {
                number.parse().map_or((arguments, None), |number| (path.trim_end(), Some(number)))
            }
            _ => (arguments, None),
        };
        let quoted = self.options.language.quote(path);
        let input = self.console.open_file(path).map_err(LoadError::from);
        let file = match input.and_then(RecordFile::read) {
            Ok(file) => file,
            Err(error) => return self.refuse_load(&quoted, &error),
        };
        let named = file.numbers().as_slice().iter().copied().find(|number| *number > 0);
        let number = match (wanted, named) {
            (None, Some(first)) if file.numbers().as_slice().len() > 1 => {
                if self.console.is_interactive() {
                    match self.ask_game(&quoted, file.numbers())? {
                        Reply::Answer(number) => Some(number),
                        Reply::Cancelled => {
                            self.say("file.notLoaded", &[])?;
                            return CONTINUE;
                        }
                        Reply::Quit => return QUIT,
                    }
                } else {
                    let numbers = file.numbers().to_string();
                    let values: &Values<'_> =
                        &[("file", &quoted), ("number", &first), ("numbers", &numbers)];
                    self.say("file.firstGame", values)?;
                    Some(first)
                }
            }
            (wanted, _) => wanted,
        };
        match file.load(number, self.game.players) {
            Ok((record, game)) => {
                self.game = game;
                self.options.level = recorded_level(record).unwrap_or(self.options.level);
                // The file may contain more games, so saving to it needs a confirmation.
                self.saved_file = None;
                self.is_announced = false;
                let number = number.filter(|_| file.numbers().as_slice().len() > 1);
                let key = if number.is_some() { "file.loadedGame" } else { "file.loaded" };
                let (title, plies) =
                    (self.options.language.game_title(self.game.spec.id), self.game.plies());
                let number = number.unwrap_or_default();
                let values: &Values<'_> =
                    &[("file", &quoted), ("number", &number), ("game", &title), ("count", &plies)];
                self.say_and_show(key, values)?;
                CONTINUE
            }
            Err(error) => self.refuse_load(&quoted, &error),
        }
    }

    fn refuse_load(&mut self, quoted: &str, error: &LoadError) -> Flow {
        let reason = error.text(self.options.language);
        self.say("file.cannotLoad", &[("file", &quoted), ("reason", &reason)])?;
        CONTINUE
    }

    /// Asks which game of a record to load.
    fn ask_game(&mut self, quoted: &str, numbers: &GameNumbers) -> Result<Reply<u32>, PlayError> {
        let language = self.options.language;
        let values: &Values<'_> = &[("file", &quoted), ("numbers", numbers)];
        let question = language.fill("ask.recordedGame", values);
        loop {
            let text = match self.read_reply(&question, &Completions::default())? {
                Reply::Answer(text) => text,
                Reply::Cancelled => return Ok(Reply::Cancelled),
                Reply::Quit => return Ok(Reply::Quit),
            };
            match text.parse() {
                Ok(number) if numbers.find(number).is_ok() => return Ok(Reply::Answer(number)),
                _ => {
                    let found = language.quote(&text);
                    self.say("file.invalidNumber", &[("found", &found), ("numbers", numbers)])?;
                }
            }
        }
    }
}
