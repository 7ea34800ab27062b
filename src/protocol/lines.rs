//! Reading lines of bounded length. Overlong lines are truncated, so that a client cannot exhaust the
//! memory.

use std::io::{self, BufRead};

/// A line without its line ending.
#[derive(Debug, PartialEq, Eq)]
pub enum RawLine<'a> {
    Complete(&'a [u8]),
    /// The first [`LineReader::LIMIT`] bytes of a longer line.
    Truncated(&'a [u8]),
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Splits the input into lines that end with `\n`, `\r\n` or the end of input. Skips a byte order mark
/// at the start.
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    line: Vec<u8>,
    at_start: bool,
}

impl<R: BufRead> LineReader<R> {
    /// The maximum line length in bytes, about a hundred times the length of the longest game.
    pub const LIMIT: usize = 1 << 16;

    pub fn new(input: R) -> Self {
        Self { input, line: Vec::new(), at_start: true }
    }

    /// Reads the next line; returns `None` at the end of input.
    ///
    /// # Errors
    /// Fails if the input cannot be read.
    pub fn next_line(&mut self) -> io::Result<Option<RawLine<'_>>> {
        self.line.clear();
        let mut length = 0;
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() && length == 0 {
                return Ok(None);
            }
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let chunk = &buffer[..end.unwrap_or(buffer.len())];
            // One extra byte, for the carriage return of a line of maximum length.
            let room = Self::LIMIT + 1 - self.line.len();
            self.line.extend_from_slice(&chunk[..chunk.len().min(room)]);
            length += chunk.len();
            let used = chunk.len() + usize::from(end.is_some());
            let at_end = buffer.is_empty();
            self.input.consume(used);
            if end.is_some() || at_end {
                break;
            }
        }
        if length == self.line.len() && self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        let is_truncated = self.line.len() > Self::LIMIT;
        self.line.truncate(Self::LIMIT);
        let line = match self.line.strip_prefix(BYTE_ORDER_MARK) {
            Some(line) if self.at_start => line,
            _ => &self.line,
        };
        self.at_start = false;
        Ok(Some(if is_truncated { RawLine::Truncated(line) } else { RawLine::Complete(line) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<(bool, Vec<u8>)> {
        // A tiny buffer, so that lines are assembled from several reads.
        let mut reader = LineReader::new(io::BufReader::with_capacity(3, input));
        let mut lines = Vec::new();
        while let Some(line) = reader.next_line().unwrap() {
            lines.push(match line {
                RawLine::Complete(bytes) => (true, bytes.to_vec()),
                RawLine::Truncated(bytes) => (false, bytes.to_vec()),
            });
        }
        lines
    }

    #[test]
    fn all_line_endings_are_accepted() {
        let expected: Vec<(bool, Vec<u8>)> =
            [&b"uci"[..], b"", b"is\rready", b"quit"].map(|line| (true, line.to_vec())).into();
        assert_eq!(lines(b"uci\r\n\nis\rready\nquit"), expected);
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\n"), [(true, vec![])]);
    }

    #[test]
    fn a_byte_order_mark_is_skipped_at_the_start_only() {
        let uci = || (true, b"uci".to_vec());
        assert_eq!(lines("\u{feff}uci\nuci".as_bytes()), [uci(), uci()]);
        let marked = (true, "\u{feff}uci".as_bytes().to_vec());
        assert_eq!(lines("uci\n\u{feff}uci".as_bytes()), [uci(), marked]);
        let long = [BYTE_ORDER_MARK, &[b'x'; LineReader::<&[u8]>::LIMIT]].concat();
        assert!(!lines(&long)[0].0);
    }

    /// A reader that is interrupted before every byte and fails at the end.
    struct InterruptedReader(&'static [u8], bool);

    impl io::Read for InterruptedReader {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            match (self.1, self.0.split_first()) {
                (true, _) => Err(io::ErrorKind::Interrupted.into()),
                (false, None) => Err(io::ErrorKind::NotConnected.into()),
                (false, Some((first, rest))) => {
                    (buffer[0], self.0) = (*first, rest);
                    Ok(1)
                }
            }
        }
    }

    #[test]
    fn interrupted_reads_are_retried_and_failures_reported() {
        let mut reader =
            LineReader::new(io::BufReader::new(InterruptedReader(b"uci\nquit\n", false)));
        for expected in [&b"uci"[..], b"quit"] {
            assert_eq!(reader.next_line().unwrap(), Some(RawLine::Complete(expected)));
        }
        assert_eq!(reader.next_line().unwrap_err().kind(), io::ErrorKind::NotConnected);
    }

    #[test]
    fn a_line_of_maximum_length_accepts_all_line_endings() {
        let longest = vec![b'x'; LineReader::<&[u8]>::LIMIT];
        for end in [&b"\n"[..], b"\r\n", b""] {
            assert_eq!(lines(&[&longest[..], end].concat()), [(true, longest.clone())]);
        }
        assert!(!lines(&[&longest[..], b"x"].concat())[0].0);
    }

    #[test]
    fn an_overlong_line_is_truncated_and_the_rest_skipped() {
        let mut input = vec![b'x'; 3 << 20];
        input.extend_from_slice(b"\nquit\n");
        let lines = lines(&input);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0], (false, vec![b'x'; LineReader::<&[u8]>::LIMIT]));
        assert_eq!(lines[1], (true, b"quit".to_vec()));
    }
}
