//! The console of a terminal, with line editing; and of a pipe, where lines are read as they are.

use std::io::{self, IsTerminal, StdinLock, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use unicode_width::UnicodeWidthChar;

use super::signals::Interrupts;
use crate::play::text::Line;
use crate::play::{Console, Heard, Look};
use crate::protocol::{LineReader, RawLine};
use crate::search::Control;

/// How much of a line from elsewhere is shown.
const ECHO: usize = 200;

/// Standard input and output.
pub(super) struct Terminal {
    input: Input,
    /// Whether what is written is seen on a terminal.
    is_seen: bool,
    plain: bool,
    interrupts: Interrupts,
}

enum Input {
    /// A person types.
    Editor(Box<Editor<Words, DefaultHistory>>),
    /// Lines come from elsewhere.
    Lines(LineReader<StdinLock<'static>>),
}

impl Terminal {
    /// Without colours and letters beyond ASCII if so wished, or where there is no terminal, or
    /// where `NO_COLOR` asks for that.
    pub(super) fn new(ascii: bool) -> io::Result<Self> {
        let is_seen = io::stdout().is_terminal();
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let is_typed = io::stdin().is_terminal() && is_seen && !is_dumb;
        let input = if is_typed {
            let config = Config::builder().completion_type(CompletionType::List).build();
            let mut editor = Editor::with_config(config).map_err(io_error)?;
            editor.set_helper(Some(Words::default()));
            Input::Editor(Box::new(editor))
        } else {
            Input::Lines(LineReader::new(io::stdin().lock()))
        };
        let plain = ascii || !is_seen || is_dumb || is_set("NO_COLOR");
        Ok(Self { input, is_seen, plain, interrupts: Interrupts::listen(is_typed)? })
    }
}

impl Console for Terminal {
    fn look(&self) -> Look {
        const USUAL: usize = 80;
        let size = terminal_size::terminal_size().filter(|_| self.is_seen);
        let columns = size.map_or(USUAL, |(width, _)| usize::from(width.0));
        Look { plain: self.plain, columns: if columns == 0 { USUAL } else { columns } }
    }

    fn say(&mut self, lines: &[Line]) -> io::Result<()> {
        let text: String = lines.iter().map(|line| line.paint(!self.plain) + "\n").collect();
        let mut output = io::stdout().lock();
        output.write_all(text.as_bytes())?;
        output.flush()
    }

    fn ask(&mut self, prompt: &str, words: &[String]) -> io::Result<Heard> {
        if self.interrupts.take() {
            return Ok(Heard::Interrupt);
        }
        match &mut self.input {
            Input::Editor(editor) => {
                if let Some(helper) = editor.helper_mut() {
                    helper.words = words.to_vec();
                }
                match editor.readline(prompt) {
                    Ok(line) => {
                        editor.add_history_entry(&line).map_err(io_error)?;
                        Ok(Heard::Line(line))
                    }
                    Err(ReadlineError::Eof) => Ok(Heard::End),
                    Err(ReadlineError::Interrupted) => Ok(Heard::Interrupt),
                    Err(error) => Err(io_error(error)),
                }
            }
            Input::Lines(lines) => {
                let mut output = io::stdout().lock();
                output.write_all(prompt.as_bytes())?;
                output.flush()?;
                let heard = match lines.next_line()? {
                    None => Heard::End,
                    Some(RawLine::Complete(bytes) | RawLine::Cut(bytes)) => {
                        Heard::Line(String::from_utf8_lossy(bytes).into_owned())
                    }
                };
                // Nobody has seen it typed.
                let echo = if let Heard::Line(line) = &heard { line } else { "" };
                let echo: String = echo.chars().take(ECHO).collect();
                writeln!(output, "{}", echo.escape_debug())?;
                Ok(heard)
            }
        }
    }

    fn wait<T: Send>(
        &mut self,
        label: &str,
        control: &Arc<Control>,
        work: impl FnOnce() -> T + Send,
    ) -> io::Result<T> {
        self.interrupts.stop(Some(control));
        let done = std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel(1);
            scope.spawn(move || sender.send(work()));
            let mut spinner = Spinner::new(self, label);
            loop {
                match receiver.recv_timeout(Spinner::PAUSE) {
                    Ok(done) => break spinner.clear().map(|()| done),
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(error) = spinner.turn() {
                            // Nobody waits any longer.
                            control.stop();
                            break Err(error);
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => {
                        break Err(io::Error::other("the thread that thinks has died"));
                    }
                }
            }
        });
        self.interrupts.stop(None);
        done
    }

    fn write(&mut self, path: &Path, text: &str) -> Result<(), String> {
        let write = |output: &mut dyn Write| Ok(output.write_all(text.as_bytes())?);
        crate::cli::replace(path, write).map_err(|error| {
            let text = error.to_string();
            let own = format!("{}: ", path.display());
            text.strip_prefix(&own).unwrap_or(&text).to_owned()
        })
    }
}

fn io_error(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        error => io::Error::other(error),
    }
}

/// Shows that something is going on, where that is seen.
struct Spinner {
    label: Option<String>,
    signs: &'static [char],
    turns: usize,
}

impl Spinner {
    const PAUSE: Duration = Duration::from_millis(100);

    fn new(terminal: &Terminal, label: &str) -> Self {
        let mut room = terminal.look().columns.saturating_sub(4);
        let fits = |letter: &char| {
            let width = letter.width().unwrap_or(0);
            room = room.saturating_sub(width);
            room > 0
        };
        let label: String = label.chars().take_while(fits).collect();
        let signs: &[char] = if terminal.plain {
            &['|', '/', '-', '\\']
        } else {
            &['⠋', '⠙', '⠸', '⠴', '⠦', '⠇']
        };
        Self { label: terminal.is_seen.then_some(label), signs, turns: 0 }
    }

    fn turn(&mut self) -> io::Result<()> {
        let Some(label) = &self.label else { return Ok(()) };
        let sign = self.signs[self.turns % self.signs.len()];
        self.turns += 1;
        let mut output = io::stdout().lock();
        write!(output, "\r{sign} {label}\x1b[K")?;
        output.flush()
    }

    fn clear(&self) -> io::Result<()> {
        if self.label.is_none() || self.turns == 0 {
            return Ok(());
        }
        let mut output = io::stdout().lock();
        write!(output, "\r\x1b[K")?;
        output.flush()
    }
}

/// Completes words, and names of files where one is wanted.
#[derive(Default)]
struct Words {
    words: Vec<String>,
    files: FilenameCompleter,
}

impl Completer for Words {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        at: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        const WITH_FILES: [&str; 4] = ["save", "load", "保存", "读取"];
        let typed = line[..at].trim_start();
        if let Some((word, _)) = typed.split_once(' ') {
            return match WITH_FILES.iter().any(|own| own.eq_ignore_ascii_case(word)) {
                true => self.files.complete(line, at, context),
                false => Ok((at, Vec::new())),
            };
        }
        let begins = |word: &&String| word.starts_with(typed);
        let pair = |word: &String| Pair { display: word.clone(), replacement: word.clone() };
        Ok((at - typed.len(), self.words.iter().filter(begins).map(pair).collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}
