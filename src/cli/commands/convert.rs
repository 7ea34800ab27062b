//! `zermelo convert`: converts positions and move lists between notations, line by line.

use std::io::{self, BufRead, Write};
use std::path::Path;

use crate::cli::error::CliError;
use crate::engine::convert::{ConversionTarget, Converter};
use crate::files::open_input;
use crate::printing::{plural, printable_path};
use crate::protocol::{LineReader, RawLine};
use crate::rules::Notation;
use crate::thinking::GameSpec;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Arguments {
    /// Target notation
    #[arg(long, value_name = "NOTATION")]
    to: TargetNotation,

    /// Files to read in order; `-` is stdin [default: stdin]
    #[arg(value_name = "FILE")]
    files: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum TargetNotation {
    /// The game's own notation
    Fen,
    /// `X;@........;…` with two-letter moves (TixTax)
    Compact,
    /// `3/3/3[PPPPPpppp] w - - 0 1` with moves such as `P@b2` (tic-tac-toe)
    Drops,
    /// A JSON object per line: position, moves, side to move, result, legal moves
    Json,
}

impl From<TargetNotation> for ConversionTarget {
    fn from(to: TargetNotation) -> Self {
        match to {
            TargetNotation::Fen => Self::Notation(Notation::Own),
            TargetNotation::Compact => Self::Notation(Notation::Compact),
            TargetNotation::Drops => Self::Notation(Notation::Drops),
            TargetNotation::Json => Self::Json,
        }
    }
}

pub(super) fn run(game: &'static GameSpec, arguments: &Arguments) -> Result<(), CliError> {
    let mut converter = Converter::new(game, arguments.to.into())?;
    let keeps_comments = arguments.to != TargetNotation::Json;
    let stdin = [String::from("-")];
    let files = if arguments.files.is_empty() { &stdin[..] } else { &arguments.files };
    let (mut refused, mut unreadable) = (0, 0_usize);
    for file in files {
        // With several files, error messages name the file.
        let place = if files.len() > 1 {
            format!("{}: ", printable_path(Path::new(file)))
        } else {
            String::new()
        };
        let mut report = |what: &dyn std::fmt::Display| {
            crate::cli::print_error(&format!("{place}{what}"));
            refused += 1;
        };
        let input: Box<dyn BufRead> = match file.as_str() {
            "-" => Box::new(io::stdin().lock()),
            path => match open_input(Path::new(path)) {
                Ok(file) => Box::new(file),
                Err(error) => {
                    crate::cli::print_error(&crate::cli::file_error(Path::new(path), &error));
                    unreadable += 1;
                    continue;
                }
            },
        };
        if let Some(error) = convert(&mut converter, input, keeps_comments, &mut report)? {
            crate::cli::print_error(&crate::cli::file_error(Path::new(file), &error));
            unreadable += 1;
        }
    }
    match (refused, unreadable) {
        (0, 0) => Ok(()),
        (0, files) => Err(CliError::Usage(format!("cannot read {}", plural(files, "file")))),
        (lines, _) => Err(CliError::Refused(lines)),
    }
}

/// Converts all lines of an input. Refused lines go to `report`; returns the error that ended the
/// reading, if any. Fails if writing fails.
fn convert(
    converter: &mut Converter,
    input: impl BufRead,
    keeps_comments: bool,
    report: &mut dyn FnMut(&dyn std::fmt::Display),
) -> io::Result<Option<io::Error>> {
    let mut stdout = io::stdout().lock();
    let mut lines = LineReader::new(input);
    for number in 1_u64.. {
        let raw = match lines.next_line() {
            Ok(Some(raw)) => raw,
            Ok(None) => break,
            Err(error) => return Ok(Some(error)),
        };
        match converter.convert(&raw) {
            Ok(Some(line)) => writeln!(stdout, "{line}")?,
            Ok(None) if keeps_comments => {
                let (RawLine::Complete(bytes) | RawLine::Truncated(bytes)) = raw;
                stdout.write_all(&[bytes, b"\n"].concat())?;
            }
            Ok(None) => {}
            Err(error) => report(&format!("line {number}: {error}")),
        }
    }
    Ok(None)
}
