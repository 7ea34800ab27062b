//! The numbers of the sober evaluation, and the file they come from.
//!
//! The file is text: `zermelo-eval 1`, then a name and a number a line; `#` begins a comment. All
//! names are needed, none may come twice.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use nom::Parser;
use nom::bytes::complete::take_while1;
use nom::character::complete::{i16, space1};
use nom::combinator::all_consuming;
use nom::sequence::separated_pair;

use crate::rules::quote;

const HEADER: &str = "zermelo-eval 1";
const EMBEDDED: &str = include_str!("sober.txt");
const WEIGHT: &str = "a name and a whole number from -10000 to 10000";
/// Weights within this cannot make a sum overflow.
const VALUE_LIMIT: i16 = 10_000;
/// No weights file is longer.
const SIZE_LIMIT: u64 = 1 << 16;

/// Why a weights file was refused.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// It cannot be read.
    #[error("cannot read {}: {source}", quote(path))]
    Io {
        /// The file.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is something else.
    #[error("the first line is {}, expected \"zermelo-eval 1\"", quote(.0))]
    Header(String),
    /// A line is no weight.
    #[error("line {number}: {} found, expected {expected}", quote(found))]
    Line {
        /// The line's number, from 1.
        number: usize,
        /// What stands there.
        found: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// A weight is not there.
    #[error("weight '{0}' is missing")]
    Missing(&'static str),
}

macro_rules! weights {
    ($($name:ident: $doc:literal,)*) => {
        /// The numbers of the sober evaluation, in hundredths of a small board unless the name
        /// says percent.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Weights {
            $(#[doc = $doc] pub $name: i16,)*
        }

        impl Weights {
            fn from_named(mut take: impl FnMut(&'static str) -> Option<i16>) -> Result<Self, WeightsError> {
                Ok(Self { $($name: take(stringify!($name)).ok_or(WeightsError::Missing(stringify!($name)))?,)* })
            }

            const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];
        }
    };
}

weights! {
    one_in_line: "A small line with one own stone and no other.",
    two_in_line: "A small line with two own stones and no other.",
    board_won: "A won small board.",
    centre_percent: "The worth of the middle board.",
    corner_percent: "The worth of a corner board.",
    edge_percent: "The worth of an edge board.",
    one_board_in_line: "A big line with one own board that can still be completed.",
    two_boards_in_line: "A big line with two own boards that can still be completed.",
    free_choice: "The mover may choose the board.",
    board_to_take: "The mover can win the board it is sent to.",
}

impl Weights {
    /// Reads a weights file.
    ///
    /// # Errors
    /// When the file cannot be read or is no weights file of this version.
    pub fn load(path: &Path) -> Result<Self, WeightsError> {
        let io = |source| WeightsError::Io { path: path.display().to_string(), source };
        // Opening a pipe or a device could wait for ever.
        if !std::fs::metadata(path).map_err(io)?.is_file() {
            return Err(io(std::io::Error::other("not a regular file")));
        }
        let mut bytes = Vec::new();
        File::open(path).map_err(io)?.take(SIZE_LIMIT).read_to_end(&mut bytes).map_err(io)?;
        Self::parse(&String::from_utf8_lossy(&bytes))
    }

    /// The weights that come with the program.
    #[must_use]
    pub fn embedded() -> Self {
        Self::parse(EMBEDDED).expect("a test reads the embedded file")
    }

    fn parse(text: &str) -> Result<Self, WeightsError> {
        let mut lines = text.lines();
        let header = lines.next().unwrap_or_default();
        if header.trim() != HEADER {
            return Err(WeightsError::Header(header.to_owned()));
        }
        let mut values = vec![None; Self::NAMES.len()];
        for (index, line) in lines.map(str::trim).enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |expected| WeightsError::Line {
                number: index + 2,
                found: line.to_owned(),
                expected,
            };
            let (name, value) = weight(line).ok_or_else(|| wrong(WEIGHT))?;
            let slot = Self::NAMES.iter().position(|own| *own == name);
            let slot = slot.ok_or_else(|| wrong("the name of a weight"))?;
            if values[slot].replace(value).is_some() {
                return Err(wrong("each weight once"));
            }
        }
        Self::from_named(|name| {
            let slot = Self::NAMES.iter().position(|own| *own == name)?;
            values[slot]
        })
    }
}

fn weight(line: &str) -> Option<(&str, i16)> {
    let name = take_while1(|letter: char| letter.is_ascii_lowercase() || letter == '_');
    let value = i16::<_, nom::error::Error<&str>>;
    let (_, pair) = all_consuming(separated_pair(name, space1, value)).parse(line).ok()?;
    (-VALUE_LIMIT..=VALUE_LIMIT).contains(&pair.1).then_some(pair)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_file_is_right() {
        assert_eq!(Weights::embedded().board_won, 100);
    }

    #[test]
    fn wrong_files_are_refused_with_a_reason() {
        let doubled = format!("{EMBEDDED}\nboard_won 7\n");
        let cut = EMBEDDED.replace("board_won 100", "");
        let cases = [
            ("", "first line"),
            ("zermelo-eval 2\n", "expected \"zermelo-eval 1\""),
            ("zermelo-eval 1\nboard_won x\n", "line 2"),
            ("zermelo-eval 1\nboard_won 99999\n", "line 2"),
            ("zermelo-eval 1\nboard_won -10001\n", "from -10000 to 10000"),
            ("zermelo-eval 1\n\nqueen 900\n", "line 3"),
            (&doubled, "each weight once"),
            (&cut, "'board_won' is missing"),
        ];
        for (text, reason) in cases {
            let error = Weights::parse(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text:?}: {error}");
        }
        let error = Weights::load(Path::new("/nowhere/at all")).unwrap_err().to_string();
        assert!(error.contains("/nowhere/at all"), "{error}");
    }
}
