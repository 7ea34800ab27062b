//! A scripted console: a function chooses each line of input from the output so far.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use zermelo::interact::PlayerKind;
use zermelo::language::Language;
use zermelo::search::SearchControl;
use zermelo::terminal::PlayOptions;
use zermelo::terminal::files::FileProblem;
use zermelo::terminal::text::TextLine;
use zermelo::terminal::{Completions, Console, ConsoleFormat, ConsoleInput, Controller, PlayError};
use zermelo::thinking::{SearchRequest, registry};

/// Types what a function returns, given the completions and all lines printed so far.
pub(crate) struct Script<F> {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    pub(crate) plain: bool,
    pub(crate) interactive: bool,
    pub(crate) printed: Vec<String>,
    next_input: F,
}

impl<F: FnMut(&Completions, &[String]) -> ConsoleInput> Script<F> {
    pub(crate) fn new(next_input: F) -> Self {
        Self {
            columns: 80,
            rows: 24,
            plain: true,
            interactive: true,
            printed: Vec::new(),
            next_input,
        }
    }

    pub(crate) fn has_printed(&self, text: &str) -> bool {
        self.printed.iter().any(|line| line.contains(text))
    }

    /// Asserts that texts were printed in this order, perhaps with others between them.
    pub(crate) fn assert_printed(&self, parts: &[&str]) {
        let printed = self.printed.join(" ");
        let mut rest = &printed[..];
        for part in parts {
            let at = rest.find(part).unwrap_or_else(|| panic!("{part}: {printed}"));
            rest = &rest[at + part.len()..];
        }
    }

    pub(crate) fn play(&mut self, options: PlayOptions) -> Result<(), PlayError> {
        Controller::new(self, options)?.run()
    }
}

impl<F: FnMut(&Completions, &[String]) -> ConsoleInput> Console for Script<F> {
    fn format(&self) -> ConsoleFormat {
        ConsoleFormat { plain: self.plain, columns: self.columns, rows: self.rows }
    }

    fn is_interactive(&self) -> bool {
        self.interactive
    }

    fn print(&mut self, lines: &[TextLine]) -> io::Result<()> {
        let columns = self.columns;
        for line in lines {
            assert!(line.width() <= columns, "{} of {columns}: {line:?}", line.width());
            self.printed.push(line.render(!self.plain));
        }
        Ok(())
    }

    fn read_line(&mut self, _: &str, completions: &Completions) -> io::Result<ConsoleInput> {
        Ok((self.next_input)(completions, &self.printed))
    }

    fn run_interruptible<T: Send>(
        &mut self,
        _: &str,
        _: &Arc<SearchControl>,
        task: impl FnOnce() -> T + Send,
    ) -> io::Result<T> {
        Ok(task())
    }

    fn file_exists(&self, path: &str) -> bool {
        Path::new(path).exists()
    }

    fn open_file(&self, path: &str) -> Result<Box<dyn BufRead>, FileProblem> {
        Ok(Box::new(BufReader::new(File::open(path)?)))
    }

    fn write_file(&mut self, path: &str, text: &str) -> Result<(), FileProblem> {
        Ok(std::fs::write(path, text)?)
    }
}

/// A quick game against the engine in which the person moves first.
pub(crate) fn options(game: &str) -> PlayOptions {
    PlayOptions {
        game: registry::find(game).unwrap(),
        opponent: Some(PlayerKind::Engine),
        first_mover: Some(PlayerKind::Human),
        level: SearchRequest::<String>::MAX_SKILL,
        coach: false,
        asks_game: false,
        asks_level: false,
        move_time: Duration::from_millis(5),
        fen: None,
        is_random: false,
        seed: 1,
        lessons: None,
        puzzles: None,
        language: Language::English,
    }
}

/// The same between two human players.
pub(crate) fn two_human_options(game: &str) -> PlayOptions {
    PlayOptions { opponent: Some(PlayerKind::Human), ..options(game) }
}

/// Types these lines, then ends the input.
pub(crate) fn lines<'a>(
    lines: &'a [&'a str],
) -> impl FnMut(&Completions, &[String]) -> ConsoleInput + 'a {
    let mut lines = lines.iter();
    move |_, _| {
        lines.next().map_or(ConsoleInput::End, |line| ConsoleInput::Line((*line).to_owned()))
    }
}
