//! The adapter of UCI and UGI, which differ in a few words and in the unit of mate scores.

use super::engine_setup::EngineSetup;
use super::option_line::OptionLine;
use super::time_control::SearchLimits;
use crate::protocol::reply::Dialect;
use crate::thinking::GameSpec;

#[derive(Debug, Clone, Copy)]
pub(crate) struct GamePosition<'a> {
    /// The start of the game: `startpos` or a FEN. With engine-defined rules, moves may follow.
    pub start: &'a str,
    pub moves: &'a [String],
}

pub(crate) const STARTPOS: &str = "startpos";

pub(crate) const MOVES_KEYWORD: &str = " moves ";

pub(crate) fn position_command(position: GamePosition<'_>) -> String {
    let GamePosition { start, moves } = position;
    let kind = if start.starts_with(STARTPOS) { "" } else { "fen " };
    let mut command = format!("position {kind}{start}");
    if !moves.is_empty() {
        let separator = if command.contains(MOVES_KEYWORD) { " " } else { MOVES_KEYWORD };
        command.push_str(separator);
        command.push_str(&moves.join(" "));
    }
    command
}

pub(crate) fn new_game_command(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Uci => "ucinewgame",
        Dialect::Ugi => "uginewgame",
    }
}

/// Returns the words for the time and the increment of the first and the second player.
pub(crate) fn clock_words(dialect: Dialect) -> [(&'static str, &'static str); 2] {
    match dialect {
        Dialect::Uci => [("wtime", "winc"), ("btime", "binc")],
        Dialect::Ugi => [("p1time", "p1inc"), ("p2time", "p2inc")],
    }
}

pub(crate) fn go_command(dialect: Dialect, limits: &SearchLimits) -> String {
    let mut words = vec!["go".to_owned()];
    for (clock, (time, increment)) in limits.clocks.iter().zip(clock_words(dialect)) {
        let Some((left, added)) = clock else { continue };
        words.push(format!("{time} {} {increment} {}", left.as_millis(), added.as_millis()));
    }
    words.extend(limits.moves_to_go.map(|moves| format!("movestogo {moves}")));
    words.extend(limits.move_time.map(|time| format!("movetime {}", time.as_millis())));
    words.extend(limits.nodes.map(|nodes| format!("nodes {nodes}")));
    words.extend(limits.depth.map(|depth| format!("depth {depth}")));
    words.join(" ")
}

/// The lines that an engine prints in its handshake.
#[derive(Debug, Clone, Default)]
pub(crate) struct HandshakeReply {
    pub(crate) lines: Vec<String>,
}

impl HandshakeReply {
    /// Returns the text after `id name `, for example.
    pub(crate) fn text_after(&self, prefix: &str) -> Option<String> {
        let text = self.lines.iter().find_map(|line| line.strip_prefix(prefix))?;
        Some(text.trim().to_owned())
    }

    /// Returns the options, each with the line that declares it.
    pub(crate) fn options(&self) -> impl Iterator<Item = (&str, OptionLine)> {
        let lines = self.lines.iter().map(String::as_str);
        let lines = lines.filter(|line| line.split_whitespace().next() == Some("option"));
        lines.map(|line| (line, OptionLine::parse(line)))
    }

    pub(crate) fn option(&self, name: &str) -> Option<OptionLine> {
        self.options().map(|(_, option)| option).find(|option| option.has_name(name))
    }

    /// Returns the option that selects a game.
    pub(crate) fn variants(&self) -> Option<OptionLine> {
        let mut options = self.options().map(|(_, option)| option);
        options.find(|option| option.vars().is_some() && is_variant_option(&option.name))
    }

    /// Returns the commands to send after the handshake: the game, then the options of the setup.
    ///
    /// The game is selected by the variant option, if the engine offers one and the setup does not
    /// set it; there is none if the rules are engine-defined.
    /// Returns a message if the engine offers only other games.
    pub(crate) fn setup_commands(
        &self,
        setup: &EngineSetup,
        game: Option<&GameSpec>,
    ) -> Result<Vec<String>, String> {
        let mut commands = Vec::new();
        let is_set = setup.options.iter().any(|(name, _)| is_variant_option(name));
        if let (Some(option), Some(game), false) = (self.variants(), game, is_set) {
            let offered = option.vars().unwrap_or_default();
            let mut names = [game.id].into_iter().chain(game.aliases.iter().copied());
            let is_offered =
                |name: &&str| offered.iter().any(|offered| offered.eq_ignore_ascii_case(name));
            let name = names.find(is_offered).ok_or_else(|| {
                format!("does not offer {}, only: {}", game.id, offered.join(" "))
            })?;
            commands.push(format!("setoption name {} value {name}", option.name));
        }
        commands.extend(setup.options.iter().map(|(name, value)| {
            let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
            format!("setoption name {name}{value}")
        }));
        Ok(commands)
    }
}

fn is_variant_option(name: &str) -> bool {
    name.eq_ignore_ascii_case("UCI_Variant") || name.eq_ignore_ascii_case("Variant")
}

/// Returns whether the word after `bestmove` means that there is no move.
pub(crate) fn is_no_move(word: &str) -> bool {
    matches!(word, "(none)" | "NULL" | "0000")
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct BestMoveLine<'a> {
    /// The word after `bestmove`, which may be `(none)` or the like.
    pub(crate) word: Option<&'a str>,
    /// The reply that the engine expects.
    pub(crate) ponder: Option<&'a str>,
    /// Unexpected words at the end.
    pub(crate) surplus: Vec<&'a str>,
}

impl<'a> BestMoveLine<'a> {
    pub(crate) fn parse(line: &'a str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["bestmove", rest @ ..] = words.as_slice() else { return None };
        let (ponder, surplus) = match rest {
            [_, "ponder", ponder, surplus @ ..] => (Some(*ponder), surplus),
            [_, surplus @ ..] => (None, surplus),
            [] => (None, [].as_slice()),
        };
        Some(Self { word: rest.first().copied(), ponder, surplus: surplus.to_vec() })
    }

    pub(crate) fn mv(&self) -> Option<&'a str> {
        self.word.filter(|word| !is_no_move(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variant_option_is_recognized() {
        let reply = |line: &str| HandshakeReply { lines: vec![line.to_owned()] };
        let line = "option name UCI_Variant type combo default chess var chess var tictactoe";
        let option = reply(line).variants().unwrap();
        assert_eq!((option.name.as_str(), option.vars().unwrap().len()), ("UCI_Variant", 2));
        assert!(reply("option name Hash type spin default 1 min 1 max 2").variants().is_none());
        assert!(reply("id name UCI_Variant type combo var chess").variants().is_none());
    }

    #[test]
    fn bestmove_lines_are_parsed() {
        let best = BestMoveLine::parse("bestmove a1 ponder b2 now").unwrap();
        assert_eq!((best.mv(), best.ponder, best.surplus), (Some("a1"), Some("b2"), vec!["now"]));
        assert_eq!(BestMoveLine::parse("bestmove (none)").unwrap().mv(), None);
        assert_eq!(BestMoveLine::parse("bestmove"), Some(BestMoveLine::default()));
        assert_eq!(BestMoveLine::parse("bestmove a1 ponder").unwrap().surplus, ["ponder"]);
        assert_eq!(BestMoveLine::parse("info string bestmove a1"), None);
    }
}
