//! Standard output and standard error, which escape untrusted text on a terminal.

use std::io::{self, IsTerminal, Stderr, Stdout, Write};

use crate::printing::PrintableWriter;

/// Standard output, with everything escaped that could control a terminal.
pub(super) fn stdout() -> PrintableWriter<Stdout> {
    PrintableWriter(io::stdout())
}

/// Standard error, with everything escaped that could control a terminal.
pub(super) fn stderr() -> PrintableWriter<Stderr> {
    PrintableWriter(io::stderr())
}

/// Ends the line on which a terminal shows `^C`, after a question or a progress line.
pub(super) fn end_interrupted_line() {
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        let _ = writeln!(io::stderr());
    }
}

/// The width of standard output in columns; `None` if it is not a terminal or its width is
/// unknown.
pub(super) fn columns() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(usize::from(width.0)).filter(|columns| *columns > 0)
}

/// Standard output for a file's content: unchanged in a pipe, escaped on a terminal.
pub(super) fn file_stdout() -> Box<dyn Write> {
    if io::stdout().is_terminal() { Box::new(stdout()) } else { Box::new(io::stdout()) }
}
