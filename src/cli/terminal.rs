//! Standard output and standard error, which escape untrusted text on a terminal.

use std::io::{self, IsTerminal, Stderr, Stdout, Write};

use clap::error::{ContextKind, ContextValue};

use crate::printing::{PrintableWriter, is_printable, printable};

/// Standard output, with everything escaped that could control a terminal.
pub(super) fn stdout() -> PrintableWriter<Stdout> {
    PrintableWriter(io::stdout())
}

/// Standard error, with everything escaped that could control a terminal.
pub(super) fn stderr() -> PrintableWriter<Stderr> {
    PrintableWriter(io::stderr())
}

/// Standard output for a file's content: unchanged in a pipe, escaped on a terminal.
pub(super) fn file_stdout() -> Box<dyn Write> {
    if io::stdout().is_terminal() { Box::new(stdout()) } else { Box::new(io::stdout()) }
}

/// Prints help, or an error whose quoted arguments are escaped.
pub(super) fn print_usage(mut usage: clap::Error) -> io::Result<()> {
    let escaped: Vec<_> = usage
        .context()
        .filter_map(|(kind, value)| match value {
            ContextValue::String(text) if !text.chars().all(is_printable) => {
                Some((kind, ContextValue::String(printable(text).to_string())))
            }
            _ => None,
        })
        .collect();
    if !escaped.is_empty() {
        // Suggestions repeat the argument.
        usage.remove(ContextKind::Suggested);
    }
    for (kind, value) in escaped {
        usage.insert(kind, value);
    }
    usage.print()
}
