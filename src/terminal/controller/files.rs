//! The commands `save` and `load`.

use super::setup::Reply;
use super::{
    CONTINUE, Completions, Console, Controller, Flow, Keyword, Message, PlayError, QUIT, keyword,
    quote,
};
use crate::interact::files::{LoadError, RecordFile};
use crate::interact::game::recorded_level;
use crate::records::GameNumbers;

impl<C: Console> Controller<'_, C> {
    pub(super) fn save(&mut self, path: &str) -> Flow {
        const YES_OR_NO: &[(Keyword, bool)] =
            &[(keyword("no", "否", &["n"]), false), (keyword("yes", "是", &["y"]), true)];
        let quoted = quote(path);
        let is_own = self.saved_file.as_deref() == Some(path);
        if !is_own && self.console.file_exists(path) {
            match self.ask_or_cancel(Message::AskOverwrite(&quoted), YES_OR_NO)? {
                Reply::Quit => return QUIT,
                Reply::Cancelled | Reply::Answer(false) => {
                    self.print(Message::NotSaved)?;
                    return CONTINUE;
                }
                Reply::Answer(true) => {}
            }
        }
        let text = self.game.to_record(self.options.level).to_pgn();
        match self.console.write_file(path, &text) {
            Ok(()) => {
                self.saved_file = Some(path.to_owned());
                self.print(Message::Saved(&quoted))?;
            }
            Err(problem) => self.print(Message::CannotSave(&quoted, &problem))?,
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
        let quoted = quote(path);
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
                            self.print(Message::NotLoaded)?;
                            return CONTINUE;
                        }
                        Reply::Quit => return QUIT,
                    }
                } else {
                    let numbers = file.numbers().to_string();
                    self.print(Message::FirstGameTaken(&quoted, first, &numbers))?;
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
                let (id, plies) = (self.game.entry.id, self.game.plies());
                let number = number.filter(|_| file.numbers().as_slice().len() > 1);
                self.print_and_show(Message::Loaded(&quoted, number, id, plies))?;
                CONTINUE
            }
            Err(error) => self.refuse_load(&quoted, &error),
        }
    }

    fn refuse_load(&mut self, quoted: &str, error: &LoadError) -> Flow {
        self.print(Message::CannotLoad(quoted, error))?;
        CONTINUE
    }

    /// Asks which game of a record to load.
    fn ask_game(&mut self, quoted: &str, numbers: &GameNumbers) -> Result<Reply<u32>, PlayError> {
        let listed = numbers.to_string();
        loop {
            let question = Message::AskGame(quoted, &listed);
            let text = match self.read_reply(question, &Completions::default())? {
                Reply::Answer(text) => text,
                Reply::Cancelled => return Ok(Reply::Cancelled),
                Reply::Quit => return Ok(Reply::Quit),
            };
            match text.parse() {
                Ok(number) if numbers.find(number).is_ok() => return Ok(Reply::Answer(number)),
                _ => self.print(Message::InvalidGameNumber(&quote(&text), &listed))?,
            }
        }
    }
}
