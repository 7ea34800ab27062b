//! What was said in one step, kept within bounds: engines may say a great deal.

use crate::rules::quote;

/// So many lines are kept from the beginning and from the end.
const KEPT: usize = 24;

/// So many letters of a line are kept.
const LETTERS: usize = 240;

/// The lines of a step.
#[derive(Debug, Default)]
pub(super) struct Exchange {
    first: Vec<String>,
    last: std::collections::VecDeque<String>,
    left_out: usize,
    remarks: Vec<String>,
}

impl Exchange {
    /// Keeps a line that went one way or the other; `sign` says which.
    pub(super) fn note(&mut self, sign: char, text: &str) {
        let mut line: String = format!("{sign} ");
        for (count, letter) in text.chars().enumerate() {
            if count == LETTERS {
                line.push_str(&format!("… ({} bytes)", text.len()));
                break;
            }
            if letter.is_control() {
                line.extend(letter.escape_debug());
            } else {
                line.push(letter);
            }
        }
        if self.first.len() < KEPT {
            self.first.push(line);
            return;
        }
        self.last.push_back(line);
        if self.last.len() > KEPT {
            self.last.pop_front();
            self.left_out += 1;
        }
    }

    /// Keeps a remark; the same one once, and not too many.
    pub(super) fn remark(&mut self, remark: String) {
        const MOST: usize = 5;
        if self.remarks.len() < MOST && !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }

    /// Keeps that a line is of no protocol.
    pub(super) fn remark_strange(&mut self, line: &str) {
        self.remark(format!("says {}, which is no line of the protocol", quote(line)));
    }

    /// The lines and the remarks; forgets them.
    pub(super) fn take(&mut self) -> (Vec<String>, Vec<String>) {
        let mut own = std::mem::take(self);
        let mut lines = own.first;
        if own.left_out > 0 {
            lines.push(format!("… {} more lines …", own.left_out));
        }
        lines.extend(own.last.drain(..));
        (lines, own.remarks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_never_long() {
        let mut exchange = Exchange::default();
        for _ in 0..100 {
            exchange.note('<', &"x".repeat(1000));
            exchange.remark("once".to_owned());
        }
        let (lines, remarks) = exchange.take();
        assert_eq!(lines.len(), 2 * KEPT + 1);
        assert_eq!(lines[KEPT], "… 52 more lines …");
        assert!(lines.iter().all(|line| line.chars().count() < 270));
        assert_eq!(remarks, ["once"]);
        exchange.note('>', "\0\t\u{1b}[2J");
        assert_eq!(exchange.take().0, ["> \\0\\t\\u{1b}[2J"]);
    }
}
