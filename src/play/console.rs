//! Where a person is spoken to: a terminal, a pipe or a test.

use std::io::{self, BufRead};
use std::sync::Arc;

use super::text::Line;
use crate::search::SearchControl;

/// How it may look.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Whether there are neither colours nor, for the board, letters beyond ASCII.
    pub plain: bool,
    /// How many columns there are, …
    pub columns: usize,
    /// … and rows.
    pub rows: usize,
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A line.
    Line(String),
    /// There will be no more.
    End,
    /// Ctrl-C.
    Interrupt,
}

/// Where a person is spoken to.
pub trait Console {
    /// How it looks now; a terminal may have been resized.
    fn look(&self) -> Look;

    /// Says lines.
    ///
    /// # Errors
    /// When nobody can hear them.
    fn say(&mut self, lines: &[Line]) -> io::Result<()>;

    /// Asks for a line; `words` are completed.
    ///
    /// # Errors
    /// When input cannot be read.
    fn ask(&mut self, prompt: &str, words: &[String]) -> io::Result<Heard>;

    /// Does some work while the person waits, who may stop it.
    ///
    /// # Errors
    /// When the person cannot be told.
    fn wait<T: Send>(
        &mut self,
        label: &str,
        control: &Arc<SearchControl>,
        work: impl FnOnce() -> T + Send,
    ) -> io::Result<T>;

    /// Whether a file is there.
    fn exists(&self, path: &str) -> bool;

    /// Opens a file to read it.
    ///
    /// # Errors
    /// When it cannot be read; the text says why.
    fn open(&self, path: &str) -> Result<Box<dyn BufRead>, String>;

    /// Writes a file, all of it or nothing.
    ///
    /// # Errors
    /// When it cannot be written; the text says why.
    fn write(&mut self, path: &str, text: &str) -> Result<(), String>;
}
