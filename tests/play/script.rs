//! A console without a terminal: what is typed is decided by a function that sees what was said.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use zermelo::engine::{ThinkOptions, registry};
use zermelo::play::messages::Language;
use zermelo::play::text::Line;
use zermelo::play::{Console, First, Heard, Host, Look, PlayError, Start, Wishes};
use zermelo::search::SearchControl;

/// Types what a function says, given the words that would be completed and all that was said.
pub(crate) struct Script<F> {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    pub(crate) plain: bool,
    pub(crate) said: Vec<String>,
    types: F,
}

impl<F: FnMut(&[String], &[String]) -> Heard> Script<F> {
    pub(crate) fn new(types: F) -> Self {
        Self { columns: 80, rows: 24, plain: true, said: Vec::new(), types }
    }

    /// Whether something was said, in part of a line.
    pub(crate) fn has_said(&self, text: &str) -> bool {
        self.said.iter().any(|line| line.contains(text))
    }

    pub(crate) fn play(&mut self, wishes: Wishes) -> Result<(), PlayError> {
        Host::new(self, wishes)?.run()
    }
}

impl<F: FnMut(&[String], &[String]) -> Heard> Console for Script<F> {
    fn look(&self) -> Look {
        Look { plain: self.plain, columns: self.columns, rows: self.rows }
    }

    fn say(&mut self, lines: &[Line]) -> io::Result<()> {
        let columns = self.columns;
        for line in lines {
            assert!(line.width() <= columns, "{} of {columns}: {line:?}", line.width());
            self.said.push(line.paint(!self.plain));
        }
        Ok(())
    }

    fn ask(&mut self, _: &str, words: &[String]) -> io::Result<Heard> {
        Ok((self.types)(words, &self.said))
    }

    fn wait<T: Send>(
        &mut self,
        _: &str,
        _: &Arc<SearchControl>,
        work: impl FnOnce() -> T + Send,
    ) -> io::Result<T> {
        Ok(work())
    }

    fn exists(&self, path: &str) -> bool {
        Path::new(path).exists()
    }

    fn open(&self, path: &str) -> Result<Box<dyn BufRead>, String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        Ok(Box::new(BufReader::new(file)))
    }

    fn write(&mut self, path: &str, text: &str) -> Result<(), String> {
        std::fs::write(path, text).map_err(|error| error.to_string())
    }
}

/// A quick game against the engine; the person begins.
pub(crate) fn wishes(game: &str) -> Wishes {
    Wishes {
        game: registry::find(game).unwrap(),
        against_person: Some(false),
        first: Some(First::Me),
        level: ThinkOptions::MAX_SKILL,
        time: Duration::from_millis(5),
        start: Start::Usual,
        seed: 1,
        language: Language::English,
    }
}

/// Types these lines one after the other, then nothing more.
pub(crate) fn lines<'a>(lines: &'a [&'a str]) -> impl FnMut(&[String], &[String]) -> Heard + 'a {
    let mut lines = lines.iter();
    move |_, _| lines.next().map_or(Heard::End, |line| Heard::Line((*line).to_owned()))
}

/// The legal moves among the words: those that are no commands.
pub(crate) fn moves(words: &[String]) -> Vec<&String> {
    let is_move = |word: &&String| word.contains(|letter: char| letter.is_ascii_digit());
    words.iter().filter(is_move).collect()
}
