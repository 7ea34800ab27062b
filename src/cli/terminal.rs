//! Standard output and standard error, which escape untrusted text on a terminal.

use std::io::{self, IsTerminal, Stderr, Stdout, Write};

use unicode_width::UnicodeWidthChar;

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

/// Prints the names of the columns of a list for people, which is not in a pipe.
pub(super) fn print_heading(names: &str) -> io::Result<()> {
    if io::stdout().is_terminal() { writeln!(io::stdout(), "{names}") } else { Ok(()) }
}

/// The width of standard output in columns; `None` if it is not a terminal or its width is
/// unknown.
pub(super) fn columns() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(width.0.into())
}

/// The width of standard error in columns; `None` if it is not a terminal or its width is unknown.
pub(super) fn stderr_columns() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(io::stderr())?;
    Some(width.0.into())
}

/// Cuts a progress line to one row: `\r` returns only to the start of the last row of a wrapped line.
pub(super) fn cut_to_row(line: &str, columns: Option<usize>) -> String {
    let mut free = columns.unwrap_or(usize::MAX);
    let fits = |letter: &char| {
        let rest = free.checked_sub(letter.width().unwrap_or(0));
        free = rest.unwrap_or(0);
        rest.is_some()
    };
    line.chars().take_while(fits).collect()
}

/// Standard output for a file's content: unchanged in a pipe, escaped on a terminal.
pub(super) fn file_stdout() -> Box<dyn Write> {
    if io::stdout().is_terminal() { Box::new(stdout()) } else { Box::new(io::stdout()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_lines_fit_into_a_row() {
        assert_eq!(cut_to_row("1 s, 30 nodes", Some(4)), "1 s,");
        assert_eq!(cut_to_row("策梅洛 1", Some(5)), "策梅");
        assert_eq!(cut_to_row("策梅洛 1", Some(80)), "策梅洛 1");
        assert_eq!(cut_to_row("策梅洛 1", None), "策梅洛 1");
    }
}
