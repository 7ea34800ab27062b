//! The commands `save` and `load`.

use std::io::Read;

use super::super::game::recorded_level;
use super::{
    CONTINUE, Completions, Console, Controller, Flow, Keyword, Message, PlayError, PlayGame,
    PlayInput, QUIT, keyword, quote,
};
use crate::arena::record::pgn::PgnReader;
use crate::arena::record::{GameNumbers, GameRecord, UnknownGame};

/// A record file that a game is loaded from.
struct RecordFile {
    /// The numbers of its games, up to the first invalid one.
    numbers: GameNumbers,
    /// What is wrong with the first invalid game.
    error: Option<String>,
}

impl<C: Console> Controller<'_, C> {
    pub(super) fn save(&mut self, path: &str) -> Flow {
        const YES_OR_NO: &[(Keyword, bool)] =
            &[(keyword("no", "否", &["n"]), false), (keyword("yes", "是", &["y"]), true)];
        let quoted = quote(path);
        let is_own = self.saved_file.as_deref() == Some(path);
        if !is_own && self.console.file_exists(path) {
            match self.ask(Message::AskOverwrite(&quoted), YES_OR_NO)? {
                None => return QUIT,
                Some(false) => {
                    self.print(Message::NotSaved)?;
                    return CONTINUE;
                }
                Some(true) => {}
            }
        }
        let text = self.game.to_record(self.options.level).to_pgn();
        match self.console.write_file(path, &text) {
            Ok(()) => {
                self.saved_file = Some(path.to_owned());
                self.print(Message::Saved(&quoted))?;
            }
            Err(reason) => self.print(Message::CannotSave(&quoted, &reason))?,
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
        let file = match RecordFile::read(self.console, path) {
            Ok(file) => file,
            Err(reason) => return self.refuse_load(&quoted, &reason),
        };
        let number = match (wanted, file.numbers.as_slice()) {
            (Some(number), _) => number,
            (None, [first]) => *first,
            (None, []) => 1,
            (None, [first, ..]) if !self.console.is_interactive() => {
                let (first, numbers) = (*first, file.numbers.to_string());
                self.print(Message::FirstGameTaken(&quoted, first, &numbers))?;
                first
            }
            (None, _) => match self.ask_game(&quoted, &file.numbers)? {
                Some(number) => number,
                None => return QUIT,
            },
        };
        let players = self.game.players;
        let loaded = file.read_game(self.console, path, number).and_then(|record| {
            let game = PlayGame::from_record(&record, players).map_err(|error| error.to_string());
            Ok((record, game?))
        });
        match loaded {
            Ok((record, game)) => {
                self.game = game;
                self.options.level = recorded_level(&record).unwrap_or(self.options.level);
                // The file may contain more games, so saving to it needs a confirmation.
                self.saved_file = None;
                self.is_announced = false;
                let (id, plies) = (self.game.entry.id, self.game.plies());
                let number = (file.numbers.as_slice().len() > 1).then_some(number);
                self.print_and_show(Message::Loaded(&quoted, number, id, plies))?;
                CONTINUE
            }
            Err(reason) => self.refuse_load(&quoted, &reason),
        }
    }

    fn refuse_load(&mut self, quoted: &str, reason: &str) -> Flow {
        self.print(Message::CannotLoad(quoted, reason))?;
        CONTINUE
    }

    /// Asks which game of a record to load; returns `None` if the person quits.
    fn ask_game(&mut self, quoted: &str, numbers: &GameNumbers) -> Result<Option<u32>, PlayError> {
        let (listed, first) = (numbers.to_string(), numbers.as_slice()[0]);
        let question = Message::AskGame(quoted, &listed, first);
        loop {
            let Some(line) = self.read_line(question, &Completions::default())? else {
                return Ok(None);
            };
            match line.trim() {
                "" => return Ok(Some(first)),
                text if PlayInput::parse(text, |_| false) == PlayInput::Quit => return Ok(None),
                text => match text.parse() {
                    Ok(number) if numbers.find(number).is_ok() => return Ok(Some(number)),
                    _ => self.print(Message::InvalidGameNumber(&quote(text), &listed))?,
                },
            }
        }
    }
}

impl RecordFile {
    /// Reads the numbers of the games.
    fn read(console: &impl Console, path: &str) -> Result<Self, String> {
        let (mut tags, mut error) = (Vec::new(), None);
        for game in open(console, path)? {
            match game {
                Ok(game) => tags.push(game.number),
                Err(reason) => {
                    error = Some(reason);
                    break;
                }
            }
        }
        Ok(Self { numbers: GameNumbers::from_tags(tags), error })
    }

    /// Reads the game with a number.
    fn read_game(
        &self,
        console: &impl Console,
        path: &str,
        number: u32,
    ) -> Result<GameRecord, String> {
        let unknown = |unknown: UnknownGame| self.error.clone().unwrap_or(unknown.to_string());
        let place = self.numbers.find(number).map_err(unknown)?;
        open(console, path)?.nth(place).unwrap_or_else(|| Err(UnknownGame::Empty.to_string()))
    }
}

/// Opens a record. Reading it ends at the first error.
fn open(
    console: &impl Console,
    path: &str,
) -> Result<impl Iterator<Item = Result<GameRecord, String>>, String> {
    // Editors may have removed the empty line that ends a record.
    let input = console.open_file(path)?.chain(&b"\n\n"[..]);
    Ok(PgnReader::new(input).map(|game| game.map_err(|error| error.to_string())))
}
