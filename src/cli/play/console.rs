//! The console of a terminal, with line editing; and of a pipe, where lines are read as they are.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, StdinLock, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use rustyline::completion::{Completer, FilenameCompleter, Pair, unescape};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use unicode_width::UnicodeWidthChar;

use super::signals::{Interrupts, Mode};
use crate::play::text::Line;
use crate::play::{Console, Heard, Look, wants_file};
use crate::protocol::{LineReader, RawLine};
use crate::search::SearchControl;

/// How much of a line from elsewhere is shown.
const ECHO: usize = 200;

/// Standard input and output.
pub(super) struct Terminal {
    input: Input,
    /// Whether what is written is seen on a terminal; whether that one can write over a line.
    is_seen: bool,
    is_able: bool,
    /// Whether lines are typed, and so are seen before they are read.
    is_typed: bool,
    plain: bool,
    interrupts: Interrupts,
}

enum Input {
    /// A person types. What was pasted are several lines at once.
    Editor { editor: Box<Editor<Words, DefaultHistory>>, pasted: VecDeque<String> },
    /// Lines come as they are.
    Lines(LineReader<StdinLock<'static>>),
}

/// Whether the terminal is one that the line editor can do nothing with; by the names it knows.
fn is_simple_terminal() -> bool {
    const SIMPLE: [&str; 3] = ["dumb", "cons25", "emacs"];
    let term = std::env::var("TERM").unwrap_or_default();
    SIMPLE.iter().any(|name| name.eq_ignore_ascii_case(&term))
}

impl Terminal {
    /// Without colours and letters beyond ASCII if so wished, or where there is no terminal, or
    /// where `NO_COLOR` asks for that. `confirmation` is said at a Ctrl-C that the next one has to
    /// confirm.
    pub(super) fn new(ascii: bool, confirmation: String) -> io::Result<Self> {
        let is_seen = io::stdout().is_terminal();
        let is_typed = io::stdin().is_terminal();
        let is_able = is_seen && !is_simple_terminal();
        let is_edited = is_typed && is_able;
        let input = if is_edited {
            let config = Config::builder().completion_type(CompletionType::List).build();
            let mut editor = Editor::with_config(config).map_err(io_error)?;
            editor.set_helper(Some(Words::default()));
            Input::Editor { editor: Box::new(editor), pasted: VecDeque::new() }
        } else {
            Input::Lines(LineReader::new(io::stdin().lock()))
        };
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let plain = ascii || !is_able || no_colour;
        let mode = match (is_edited, is_typed) {
            (true, _) => Mode::Edited,
            (false, true) => Mode::Typed { confirmation },
            (false, false) => Mode::Piped,
        };
        Ok(Self { input, is_seen, is_able, is_typed, plain, interrupts: Interrupts::listen(mode)? })
    }
}

impl Console for Terminal {
    fn look(&self) -> Look {
        const USUAL: [u16; 2] = [80, 24];
        let size = terminal_size::terminal_size().filter(|_| self.is_seen);
        let size = size.map(|(columns, rows)| [columns.0, rows.0]);
        // A terminal of no size is one whose size nobody knows.
        let size = size.filter(|size| !size.contains(&0)).unwrap_or(USUAL);
        let [columns, rows] = size.map(usize::from);
        Look { plain: self.plain, columns, rows }
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
            Input::Editor { editor, pasted } => {
                if let Some(line) = pasted.pop_front() {
                    writeln!(io::stdout(), "{prompt}{}", line.escape_debug())?;
                    return Ok(Heard::Line(line));
                }
                if let Some(helper) = editor.helper_mut() {
                    helper.words = words.to_vec();
                }
                match editor.readline(prompt) {
                    Ok(typed) => {
                        editor.add_history_entry(&typed).map_err(io_error)?;
                        pasted.extend(typed.lines().skip(1).map(str::to_owned));
                        Ok(Heard::Line(typed.lines().next().unwrap_or_default().to_owned()))
                    }
                    Err(ReadlineError::Eof) => Ok(Heard::End),
                    Err(ReadlineError::Interrupted) => Ok(Heard::Interrupt),
                    // Letters of another encoding: they mean nothing here, and harm nothing.
                    Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                        writeln!(io::stdout())?;
                        Ok(Heard::Line(char::REPLACEMENT_CHARACTER.to_string()))
                    }
                    Err(error) => Err(io_error(error)),
                }
            }
            Input::Lines(lines) => {
                let mut output = io::stdout().lock();
                output.write_all(prompt.as_bytes())?;
                output.flush()?;
                let heard = match lines.next_line()? {
                    None => Heard::End,
                    Some(RawLine::Complete(bytes) | RawLine::Truncated(bytes)) => {
                        Heard::Line(String::from_utf8_lossy(bytes).into_owned())
                    }
                };
                match &heard {
                    // It was seen when it was typed.
                    Heard::Line(_) if self.is_typed => {}
                    Heard::Line(line) => {
                        let echo: String = line.chars().take(ECHO).collect();
                        writeln!(output, "{}", echo.escape_debug())?;
                    }
                    _ => writeln!(output)?,
                }
                Ok(heard)
            }
        }
    }

    fn wait<T: Send>(
        &mut self,
        label: &str,
        control: &Arc<SearchControl>,
        work: impl FnOnce() -> T + Send,
    ) -> io::Result<T> {
        let _quiet = Quiet::new(matches!(self.input, Input::Editor { .. }));
        self.interrupts.stop(Some(control));
        let done = std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel(1);
            let worker = scope.spawn(move || sender.send(work()));
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
                        let _ = worker.join();
                        break Err(io::Error::other("the thread that thinks has died"));
                    }
                }
            }
        });
        self.interrupts.stop(None);
        done
    }

    fn exists(&self, path: &str) -> bool {
        place(path).symlink_metadata().is_ok()
    }

    fn open(&self, path: &str) -> Result<Box<dyn BufRead>, String> {
        let path = place(path);
        let data = path.metadata().map_err(|error| reason(&error))?;
        if !data.is_file() {
            return Err("not a regular file".to_owned());
        }
        let file = File::open(path).map_err(|error| reason(&error))?;
        Ok(Box::new(BufReader::new(file)))
    }

    fn write(&mut self, path: &str, text: &str) -> Result<(), String> {
        let path = place(path);
        let write = |output: &mut dyn Write| Ok(output.write_all(text.as_bytes())?);
        crate::cli::replace_file(&path, write).map_err(|error| {
            let text = error.to_string();
            let own = format!("{}: ", path.display());
            plainly(text.strip_prefix(&own).unwrap_or(&text))
        })
    }
}

/// Where a file is that a person names: `~/` is home.
fn place(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
        _ => PathBuf::from(path),
    }
}

fn reason(error: &io::Error) -> String {
    plainly(&error.to_string())
}

/// The words of an error of the system, without its number.
fn plainly(text: &str) -> String {
    text.split(" (os error").next().unwrap_or(text).to_owned()
}

/// While there is one, what is typed is not shown; at its end it is forgotten, for it was typed
/// before the question was seen.
struct Quiet {
    #[cfg(unix)]
    before: Option<rustix::termios::Termios>,
}

#[cfg(unix)]
impl Quiet {
    fn new(is_edited: bool) -> Self {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let before = is_edited.then(|| tcgetattr(io::stdin()).ok()).flatten();
        if let Some(before) = &before {
            let mut quiet = before.clone();
            quiet.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON);
            // Should it not be possible, it is no more than untidy.
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &quiet);
        }
        Self { before }
    }
}

#[cfg(unix)]
impl Drop for Quiet {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some(before) = &self.before {
            let _ = tcsetattr(io::stdin(), OptionalActions::Flush, before);
        }
    }
}

#[cfg(not(unix))]
impl Quiet {
    fn new(_: bool) -> Self {
        Self {}
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
        Self { label: terminal.is_able.then_some(label), signs, turns: 0 }
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
        let typed = line[..at].trim_start();
        if let Some((word, _)) = typed.split_once(' ') {
            if !wants_file(word) {
                return Ok((at, Vec::new()));
            }
            let (start, mut files) = self.files.complete(line, at, context)?;
            // The rest of the line is the name: blanks need no backslash. What cannot be shown
            // cannot be chosen.
            for file in &mut files {
                file.replacement = unescape(&file.replacement, Some('\\')).into_owned();
            }
            files.retain(|file| !file.display.contains(char::is_control));
            return Ok((start, files));
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
