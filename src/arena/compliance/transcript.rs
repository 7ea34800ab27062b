//! The lines exchanged in one step, bounded in number and length.

use crate::printing::{plural, printable};

/// The number of lines kept from the beginning and from the end.
const KEPT_LINES: usize = 24;

/// The number of characters kept of a line.
const KEPT_CHARACTERS: usize = 240;

const MAX_REMARKS: usize = 5;

#[derive(Debug, Default)]
pub(super) struct EngineTranscript {
    first: Vec<String>,
    last: std::collections::VecDeque<String>,
    dropped: usize,
    remarks: Vec<String>,
}

impl EngineTranscript {
    /// Records a line; `direction` is `>` for lines to the engine and `<` for lines from it.
    pub(super) fn record(&mut self, direction: char, text: &str) {
        let kept: String = text.chars().take(KEPT_CHARACTERS).collect();
        let mut line = format!("{direction} {}", printable(&kept));
        if kept.len() < text.len() {
            line.push_str(&format!("… ({} bytes)", text.len()));
        }
        if self.first.len() < KEPT_LINES {
            self.first.push(line);
            return;
        }
        self.last.push_back(line);
        if self.last.len() > KEPT_LINES {
            self.last.pop_front();
            self.dropped += 1;
        }
    }

    /// Adds a remark unless it is a duplicate or there are too many.
    pub(super) fn remark(&mut self, remark: String) {
        if self.remarks.len() < MAX_REMARKS && !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }

    /// Takes the lines and the remarks, leaving the transcript empty.
    pub(super) fn take(&mut self) -> (Vec<String>, Vec<String>) {
        let mut own = std::mem::take(self);
        let mut lines = own.first;
        if own.dropped > 0 {
            lines.push(format!("… {} …", plural(own.dropped, "more line")));
        }
        lines.extend(own.last.drain(..));
        (lines, own.remarks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_transcripts_are_abridged() {
        let mut transcript = EngineTranscript::default();
        for _ in 0..100 {
            transcript.record('<', &"x".repeat(1000));
            transcript.remark("once".to_owned());
        }
        let (lines, remarks) = transcript.take();
        assert_eq!(lines.len(), 2 * KEPT_LINES + 1);
        assert_eq!(lines[KEPT_LINES], "… 52 more lines …");
        assert!(lines.iter().all(|line| line.chars().count() < 270));
        assert_eq!(remarks, ["once"]);
        transcript.record('>', "\0\t\u{1b}[2J");
        assert_eq!(transcript.take().0, ["> \\0\\t\\u{1b}[2J"]);
    }
}
