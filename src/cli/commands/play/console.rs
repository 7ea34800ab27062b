//! The console on stdin and stdout: a terminal with line editing, or plain lines from a pipe.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, StdinLock, Write};
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustyline::completion::{Completer, FilenameCompleter, Pair, longest_common_prefix, unescape};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{
    Cmd, CompletionType, ConditionalEventHandler, Config, Context, Editor, Event, EventContext,
    EventHandler, Helper, KeyEvent, RepeatCount,
};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::signals::{InputMode, Interrupts};
use crate::printing::{is_printable, printable, printable_path};
use crate::protocol::{LineReader, RawLine};
use crate::search::SearchControl;
use crate::terminal::files::FileProblem;
use crate::terminal::text::TextLine;
use crate::terminal::{Completions, Console, ConsoleFormat, ConsoleInput, takes_file_name};

/// The number of characters of a piped line that are echoed.
const MAX_ECHO: usize = 200;

pub(super) struct Terminal {
    lines: LineSource,
    is_output_terminal: bool,
    has_cursor: bool,
    /// Whether stdin is a terminal, which echoes what is typed.
    is_input_terminal: bool,
    plain: bool,
    interrupts: Interrupts,
    /// Restores the terminal when it is dropped.
    _unbuffered: Option<UnbufferedInput>,
}

enum LineSource {
    /// The line editor. A paste can contain several lines; the rest of them is kept.
    Editor {
        editor: Box<Editor<WordCompleter, DefaultHistory>>,
        pasted: VecDeque<String>,
        /// Set by a key that ends the editing of a line.
        ended_by: Arc<Mutex<Option<ConsoleInput>>>,
    },
    Reader(LineReader<StdinLock<'static>>),
}

/// Whether `TERM` names a terminal that the line editor does not support.
fn is_dumb_terminal() -> bool {
    const UNSUPPORTED_TERMS: [&str; 3] = ["dumb", "cons25", "emacs"];
    let term = std::env::var("TERM").unwrap_or_default();
    UNSUPPORTED_TERMS.iter().any(|name| name.eq_ignore_ascii_case(&term))
}

/// Opens the line editor without the key bindings that wait for a further key, which would consume
/// lines typed ahead.
fn open_editor(
    ended_by: &Arc<Mutex<Option<ConsoleInput>>>,
) -> io::Result<Editor<WordCompleter, DefaultHistory>> {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .completion_prompt_limit(usize::MAX)
        .build();
    let mut editor = Editor::with_config(config).map_err(to_io_error)?;
    editor.set_helper(Some(WordCompleter::default()));
    for (key, input) in [
        (KeyEvent::ctrl('C'), ConsoleInput::Interrupt),
        (KeyEvent::ctrl('\\'), ConsoleInput::Interrupt),
        (KeyEvent::ctrl('D'), ConsoleInput::End),
    ] {
        let handler = EndingKey { input, ended_by: Arc::clone(ended_by) };
        editor.bind_sequence(key, EventHandler::Conditional(Box::new(handler)));
    }
    // History search and quoted insert: editing keys pressed during these violate an assertion of the
    // line editor, too.
    for key in ['Q', 'R', 'S', 'V'] {
        editor.bind_sequence(KeyEvent::ctrl(key), EventHandler::Simple(Cmd::Noop));
    }
    Ok(editor)
}

impl Terminal {
    /// Opens the console. Output is plain if `ascii` is set, stdout is not a capable terminal or
    /// `NO_COLOR` is set. `confirmation` is printed when Ctrl-C has to be confirmed by another one.
    pub(super) fn new(ascii: bool, confirmation: String) -> io::Result<Self> {
        let is_output_terminal = io::stdout().is_terminal();
        let is_input_terminal = io::stdin().is_terminal();
        let has_cursor = is_output_terminal && !is_dumb_terminal();
        let is_edited = is_input_terminal && has_cursor;
        let lines = if is_edited {
            let ended_by = Arc::default();
            let editor = open_editor(&ended_by)?;
            LineSource::Editor { editor: Box::new(editor), pasted: VecDeque::new(), ended_by }
        } else {
            LineSource::Reader(LineReader::new(io::stdin().lock()))
        };
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let plain = ascii || !has_cursor || no_colour;
        let mode = match (is_edited, is_input_terminal) {
            (true, _) => InputMode::Edited,
            (false, true) => InputMode::Typed { confirmation },
            (false, false) => InputMode::Piped,
        };
        // First, because a signal restores the present settings of the terminal.
        let interrupts = Interrupts::listen(mode)?;
        let _unbuffered = is_edited.then(UnbufferedInput::new);
        Ok(Self {
            lines,
            is_output_terminal,
            has_cursor,
            is_input_terminal,
            plain,
            interrupts,
            _unbuffered,
        })
    }
}

impl Console for Terminal {
    fn format(&self) -> ConsoleFormat {
        let [columns, rows] = if self.is_output_terminal { screen_size() } else { DEFAULT_SIZE };
        ConsoleFormat { plain: self.plain, columns, rows }
    }

    fn is_interactive(&self) -> bool {
        self.is_input_terminal
    }

    fn print(&mut self, lines: &[TextLine]) -> io::Result<()> {
        let text: String = lines.iter().map(|line| line.render(!self.plain) + "\n").collect();
        let mut output = io::stdout().lock();
        output.write_all(text.as_bytes())?;
        output.flush()
    }

    fn read_line(&mut self, prompt: &str, completions: &Completions) -> io::Result<ConsoleInput> {
        if self.interrupts.take_pending() {
            return Ok(ConsoleInput::Interrupt);
        }
        match &mut self.lines {
            LineSource::Editor { editor, pasted, ended_by } => {
                if let Some(line) = pasted.pop_front() {
                    writeln!(io::stdout(), "{prompt}{}", printable(&line))?;
                    return Ok(ConsoleInput::Line(line));
                }
                if let Some(helper) = editor.helper_mut() {
                    helper.words = [&completions.words[..], &completions.moves].concat();
                }
                let read = editor.readline(prompt);
                let ended_by = ended_by.lock().unwrap_or_else(PoisonError::into_inner).take();
                match (read, ended_by) {
                    (Ok(_), Some(input)) => Ok(input),
                    (Ok(typed), None) => {
                        editor.add_history_entry(&typed).map_err(to_io_error)?;
                        pasted.extend(typed.lines().skip(1).map(str::to_owned));
                        let first = typed.lines().next().unwrap_or_default();
                        Ok(ConsoleInput::Line(first.to_owned()))
                    }
                    (Err(ReadlineError::Eof), _) => Ok(ConsoleInput::End),
                    (Err(ReadlineError::Interrupted), _) => Ok(ConsoleInput::Interrupt),
                    // Not UTF-8: treated as a line that is not a command. The line editor drops what
                    // it has read beyond.
                    (Err(ReadlineError::Io(error)), _)
                        if error.kind() == io::ErrorKind::InvalidData =>
                    {
                        writeln!(io::stdout())?;
                        Ok(ConsoleInput::Line(char::REPLACEMENT_CHARACTER.to_string()))
                    }
                    (Err(error), _) => Err(to_io_error(error)),
                }
            }
            LineSource::Reader(lines) => {
                // Not locked while it waits for a line, because the signal handler prints, too.
                let mut output = io::stdout();
                output.write_all(prompt.as_bytes())?;
                output.flush()?;
                let input = match lines.next_line()? {
                    None => ConsoleInput::End,
                    Some(RawLine::Complete(bytes) | RawLine::Truncated(bytes)) => {
                        ConsoleInput::Line(String::from_utf8_lossy(bytes).into_owned())
                    }
                };
                match &input {
                    // The terminal has echoed it.
                    ConsoleInput::Line(_) if self.is_input_terminal => {}
                    ConsoleInput::Line(line) => {
                        let echo: String = line.chars().take(MAX_ECHO).collect();
                        writeln!(output, "{}", printable(&echo))?;
                    }
                    _ => writeln!(output)?,
                }
                Ok(input)
            }
        }
    }

    fn run_interruptible<T: Send>(
        &mut self,
        label: &str,
        control: &Arc<SearchControl>,
        task: impl FnOnce() -> T + Send,
    ) -> io::Result<T> {
        self.interrupts.set_task(Some(control));
        let result = std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel(1);
            let worker = scope.spawn(move || sender.send(task()));
            let mut spinner = Spinner::new(self, label);
            loop {
                match receiver.recv_timeout(Spinner::INTERVAL) {
                    Ok(result) => break spinner.clear().map(|()| result),
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(error) = spinner.advance() {
                            // The output is closed: nobody needs the result.
                            control.stop();
                            break Err(error);
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => {
                        let _ = worker.join();
                        break Err(io::Error::other("the search thread panicked"));
                    }
                }
            }
        });
        self.interrupts.set_task(None);
        result
    }

    fn file_exists(&self, path: &str) -> bool {
        expand_home(path).symlink_metadata().is_ok()
    }

    fn open_file(&self, path: &str) -> Result<Box<dyn BufRead>, FileProblem> {
        let path = expand_home(path);
        if !path.metadata()?.is_file() {
            return Err(FileProblem::NotAFile);
        }
        Ok(Box::new(BufReader::new(File::open(path)?)))
    }

    fn write_file(&mut self, path: &str, text: &str) -> Result<(), FileProblem> {
        let path = expand_home(path);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if path.metadata().is_ok_and(|data| !data.is_file()) {
            return Err(FileProblem::NotAFile);
        }
        if folder.is_some_and(|folder| !folder.is_dir()) {
            return Err(FileProblem::NoFolder);
        }
        let write = |output: &mut dyn Write| Ok(output.write_all(text.as_bytes())?);
        crate::cli::replace_file(&path, write).map_err(|error| {
            let text = error.to_string();
            let prefix = format!("{}: ", printable_path(&path));
            FileProblem::from_text(text.strip_prefix(&prefix).unwrap_or(&text))
        })
    }
}

/// Columns and rows of a terminal that does not know its size.
const DEFAULT_SIZE: [usize; 2] = [80, 24];

fn screen_size() -> [usize; 2] {
    let size = terminal_size::terminal_size();
    size.map_or(DEFAULT_SIZE, |(columns, rows)| [columns.0, rows.0].map(usize::from))
}

fn expand_home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
    }
}

/// Keeps the terminal from echoing and interpreting what is typed while no line is being edited; the
/// next prompt reads it. In line mode the kernel would take a Ctrl-D or Ctrl-V for itself, and a Ctrl-S
/// would stop the output. Dropping it restores the terminal.
struct UnbufferedInput {
    #[cfg(unix)]
    original: Option<rustix::termios::Termios>,
}

#[cfg(unix)]
impl UnbufferedInput {
    fn new() -> Self {
        use rustix::termios::{InputModes, LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let original = tcgetattr(io::stdin()).ok();
        if let Some(original) = &original {
            let mut unbuffered = original.clone();
            unbuffered
                .local_modes
                .remove(LocalModes::ECHO | LocalModes::ICANON | LocalModes::IEXTEN);
            unbuffered.input_modes.remove(InputModes::IXON);
            // Failing only makes the screen untidy.
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &unbuffered);
        }
        Self { original }
    }
}

#[cfg(unix)]
impl Drop for UnbufferedInput {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some(original) = &self.original {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, original);
        }
    }
}

#[cfg(not(unix))]
impl UnbufferedInput {
    fn new() -> Self {
        Self {}
    }
}

fn to_io_error(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        error => io::Error::other(error),
    }
}

/// An animation on the terminal while a task runs.
struct Spinner {
    /// `None` if the terminal cannot move the cursor.
    label: Option<String>,
    frames: &'static [char],
    count: usize,
}

impl Spinner {
    const INTERVAL: Duration = Duration::from_millis(100);

    fn new(terminal: &Terminal, label: &str) -> Self {
        let mut free_columns = terminal.format().columns.saturating_sub(4);
        let fits = |letter: &char| {
            let width = letter.width().unwrap_or(0);
            free_columns = free_columns.saturating_sub(width);
            free_columns > 0
        };
        let label: String = label.chars().take_while(fits).collect();
        let frames: &[char] = if terminal.plain {
            &['|', '/', '-', '\\']
        } else {
            &['⠋', '⠙', '⠸', '⠴', '⠦', '⠇']
        };
        Self { label: terminal.has_cursor.then_some(label), frames, count: 0 }
    }

    fn advance(&mut self) -> io::Result<()> {
        let Some(label) = &self.label else { return Ok(()) };
        let frame = self.frames[self.count % self.frames.len()];
        self.count += 1;
        let mut output = io::stdout().lock();
        write!(output, "\r{frame} {label}\x1b[K")?;
        output.flush()
    }

    fn clear(&self) -> io::Result<()> {
        if self.label.is_none() || self.count == 0 {
            return Ok(());
        }
        let mut output = io::stdout().lock();
        write!(output, "\r\x1b[K")?;
        output.flush()
    }
}

/// Ctrl-C, and Ctrl-D on an empty line. The line editor would report them as errors and drop what was
/// typed after them, so they accept the line like Enter and record which key it was.
struct EndingKey {
    input: ConsoleInput,
    ended_by: Arc<Mutex<Option<ConsoleInput>>>,
}

impl ConditionalEventHandler for EndingKey {
    fn handle(
        &self,
        _: &Event,
        _: RepeatCount,
        _: bool,
        context: &EventContext<'_>,
    ) -> Option<Cmd> {
        if self.input == ConsoleInput::End && !context.line().is_empty() {
            return None;
        }
        let mut ended_by = self.ended_by.lock().unwrap_or_else(PoisonError::into_inner);
        *ended_by = Some(self.input.clone());
        Some(Cmd::AcceptLine)
    }
}

/// Completes words, and file names after commands that take one.
#[derive(Default)]
struct WordCompleter {
    words: Vec<String>,
    files: FilenameCompleter,
}

impl Completer for WordCompleter {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        at: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = line[..at].trim_start();
        if let Some((word, _)) = typed.split_once(' ') {
            if !takes_file_name(word) {
                return Ok((at, Vec::new()));
            }
            let (start, mut files) = self.files.complete(line, at, context)?;
            // The rest of the line is the file name, so spaces need no backslash.
            for file in &mut files {
                file.replacement = unescape(&file.replacement, Some('\\')).into_owned();
            }
            files.retain(|file| file.display.chars().all(is_printable));
            return Ok((start, files));
        }
        let is_candidate = |word: &&String| word.starts_with(typed);
        let to_pair = |word: &String| Pair { display: word.clone(), replacement: word.clone() };
        let candidates = self.words.iter().filter(is_candidate).map(to_pair).collect();
        Ok((at - typed.len(), fitting(candidates)))
    }
}

/// Returns the candidates if the screen has room for their list, otherwise only what they have in
/// common: for a longer list the editor would ask for confirmation and read the next lines as the
/// answer.
fn fitting(candidates: Vec<Pair>) -> Vec<Pair> {
    const SPACE: usize = 2;
    let [columns, rows] = screen_size();
    let width = candidates.iter().map(|pair| pair.display.width()).max().unwrap_or(0) + SPACE;
    let capacity = (columns / width).max(1) * rows.saturating_sub(2);
    if candidates.len() <= capacity {
        return candidates;
    }
    let common = longest_common_prefix(&candidates).unwrap_or_default().to_owned();
    let is_new = !common.is_empty();
    is_new.then(|| Pair { display: common.clone(), replacement: common }).into_iter().collect()
}

impl Hinter for WordCompleter {
    type Hint = String;
}

impl Highlighter for WordCompleter {}
impl Validator for WordCompleter {}
impl Helper for WordCompleter {}
