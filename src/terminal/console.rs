//! The interface to the user: a terminal, a pipe or a test.

use std::io::{self, BufRead};
use std::sync::Arc;

use super::files::FileProblem;
use super::text::TextLine;
use crate::search::SearchControl;

#[derive(Debug, Clone, Copy)]
pub struct ConsoleFormat {
    /// No colours, and boards in ASCII.
    pub plain: bool,
    pub columns: usize,
    pub rows: usize,
}

/// The answer to a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConsoleInput {
    Line(String),
    End,
    /// Ctrl-C.
    Interrupt,
}

/// What the console may complete at a prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completions {
    /// Commands, or the answers to a question.
    pub words: Vec<String>,
    pub moves: Vec<String>,
}

/// Where a game is played.
pub trait Console {
    /// The current format; a terminal may have been resized.
    fn format(&self) -> ConsoleFormat;

    /// Whether somebody answers questions, rather than a script.
    fn is_interactive(&self) -> bool;

    /// Prints lines. Fails if the output is closed.
    fn print(&mut self, lines: &[TextLine]) -> io::Result<()>;

    /// Prompts for a line. Fails if the input cannot be read.
    fn read_line(&mut self, prompt: &str, completions: &Completions) -> io::Result<ConsoleInput>;

    /// Runs a task and shows `label` meanwhile; Ctrl-C stops it through `control`. Fails if the
    /// output is closed.
    fn run_interruptible<T: Send>(
        &mut self,
        label: &str,
        control: &Arc<SearchControl>,
        task: impl FnOnce() -> T + Send,
    ) -> io::Result<T>;

    fn file_exists(&self, path: &str) -> bool;

    /// Opens a file for reading. Returns the reason if it cannot be opened.
    fn open_file(&self, path: &str) -> Result<Box<dyn BufRead>, FileProblem>;

    /// Writes a whole file atomically. Returns the reason if it cannot be written.
    fn write_file(&mut self, path: &str, text: &str) -> Result<(), FileProblem>;
}
