//! What an engine said at its first handshake; later steps look at it again.

use super::Identity;
use super::lines::OptionLine;
use crate::arena::player;

/// What an engine said at its first handshake.
#[derive(Debug, Default)]
pub(super) struct Greeting {
    pub(super) lines: Vec<String>,
}

impl Greeting {
    /// Who it says it is.
    pub(super) fn identity(&self) -> Identity {
        let behind = |start: &str| {
            let mut lines = self.lines.iter();
            lines.find_map(|line| line.strip_prefix(start)).map(|text| text.trim().to_owned())
        };
        Identity { name: behind("id name "), author: behind("id author ") }
    }

    /// The option that chooses a game, with its values.
    pub(super) fn variants(&self) -> Option<(String, Vec<String>)> {
        self.lines.iter().find_map(|line| player::variant_option(line))
    }

    /// The options, each with its line.
    pub(super) fn options(&self) -> Vec<(&str, OptionLine)> {
        let lines = self.lines.iter().map(String::as_str);
        let is_option = |line: &&str| line.split_whitespace().next() == Some("option");
        lines.filter(is_option).map(|line| (line, OptionLine::read(line))).collect()
    }
}
