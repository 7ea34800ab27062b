//! The settings of one engine: how to start it, its options and its limits.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::key_values::{
    KeyValueError, KeyValues, Rejection, join_words, parse_choice, parse_number, split_words,
};
use super::time_control::{PlayLimits, parse_positive_seconds};
use crate::printing::printable;
use crate::protocol::reply::Dialect;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Universal Chess Interface.
    Uci,
    /// Universal Game Interface.
    Ugi,
    /// The protocol of CodinGame's bots, which have no handshake and play from the start position.
    Codingame,
}

impl Protocol {
    pub const NAMES: [(&'static str, Self); 3] =
        [("uci", Self::Uci), ("ugi", Self::Ugi), ("codingame", Self::Codingame)];

    pub(crate) fn name(self) -> &'static str {
        Self::NAMES.into_iter().find(|(_, protocol)| *protocol == self).map_or("", |(name, _)| name)
    }

    /// Returns whether engines can be given a position, rather than only the moves from the start.
    pub(crate) fn sets_positions(self) -> bool {
        self.dialect().is_some()
    }

    /// Returns the dialect of UCI and UGI; `None` for the protocol of CodinGame's bots.
    pub(crate) fn dialect(self) -> Option<Dialect> {
        match self {
            Self::Uci => Some(Dialect::Uci),
            Self::Ugi => Some(Dialect::Ugi),
            Self::Codingame => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EngineSetup {
    pub name: String,
    pub cmd: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// The folder it is started in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    pub proto: Protocol,
    /// Options to set, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
    /// Its time control and other limits.
    pub limits: PlayLimits,
    /// Tolerated time overrun in milliseconds.
    pub timemargin: u64,
    /// A file that receives its standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
}

/// The default limit, also that of CodinGame's contest.
const DEFAULT_MOVE_TIME: Duration = Duration::from_millis(100);

/// Default time margin in milliseconds: what a busy machine may need to wake up a process.
const DEFAULT_TIME_MARGIN: u64 = 50;

/// The value of `cmd`, also its default, that stands for the running program.
pub(super) const SELF_COMMAND: &str = "zermelo";

impl EngineSetup {
    const KEYS: &'static str = "cmd name proto dir args option.NAME tc st firsttime nodes depth \
                                timemargin stderr";

    /// Reads an engine from the settings of all engines and its own; its name may remain empty.
    /// Without a limit it has a tenth of a second per move. Fails if a setting is invalid.
    pub fn from_key_values(
        each: &KeyValues,
        own: &KeyValues,
        proto: Protocol,
    ) -> Result<Self, KeyValueError> {
        let mut engine = Self::default_engine(proto);
        let mut own_limits = PlayLimits::default();
        engine.apply_each(each)?;
        own.for_each(|key, value| match own_limits.set(key, value) {
            Some(result) => result,
            None => engine.apply(key, value),
        })?;
        engine.split_command();
        // Limits of a single engine replace those of all engines.
        if own_limits.is_set() {
            engine.limits = own_limits;
        }
        if engine.proto == Protocol::Codingame {
            engine.limits = engine.limits.completed_for_contest();
        } else if !engine.limits.is_set() {
            engine.limits.move_time = Some(DEFAULT_MOVE_TIME);
        }
        Ok(engine)
    }

    /// Reads an engine from its own settings alone, which must not include limits of play. Fails if
    /// a setting is invalid.
    pub fn without_limits(own: &KeyValues, proto: Protocol) -> Result<Self, KeyValueError> {
        const KEYS: &str = "cmd proto dir args option.NAME timemargin";
        let mut engine = Self::default_engine(proto);
        own.for_each(|key, value| {
            if KEYS.split(' ').all(|known| known != key) && !key.starts_with("option.") {
                return Err(Rejection::UnknownKey(KEYS));
            }
            engine.apply(key, value)
        })?;
        engine.split_command();
        engine.name = engine.default_name();
        Ok(engine)
    }

    /// The running program, without a name or limits.
    fn default_engine(proto: Protocol) -> Self {
        Self {
            name: String::new(),
            cmd: SELF_COMMAND.to_owned(),
            args: Vec::new(),
            dir: None,
            proto,
            options: Vec::new(),
            limits: PlayLimits::default(),
            timemargin: DEFAULT_TIME_MARGIN,
            stderr: None,
        }
    }

    fn apply_each(&mut self, each: &KeyValues) -> Result<(), KeyValueError> {
        each.for_each(|key, value| match key {
            "name" => Err(Rejection::Message("engines cannot share one name".to_owned())),
            _ => self.apply(key, value),
        })
    }

    /// Checks the settings of all engines on their own. Fails if a setting is invalid.
    pub fn check_each(each: &KeyValues, proto: Protocol) -> Result<(), KeyValueError> {
        Self::default_engine(proto).apply_each(each)
    }

    fn apply(&mut self, key: &str, value: &str) -> Result<(), Rejection> {
        if let Some(result) = self.limits.set(key, value) {
            return result;
        }
        let non_empty = |what: &str| match value {
            "" => Err(Rejection::expected(what)),
            value => Ok(value.to_owned()),
        };
        match key {
            "cmd" => self.cmd = non_empty("a program")?,
            "name" => self.name = non_empty("a name")?,
            "proto" => {
                self.proto = parse_choice(value, &Protocol::NAMES)?;
            }
            "dir" => self.dir = Some(non_empty("a folder")?),
            "args" => {
                self.args = split_words(value)
                    .ok_or_else(|| Rejection::expected("arguments with balanced quotes"))?;
            }
            "timemargin" => {
                self.timemargin = parse_number(value, "a whole number of milliseconds", |_| true)?;
            }
            "stderr" => self.stderr = Some(non_empty("a file")?),
            _ => match key.strip_prefix("option.").filter(|name| !name.is_empty()) {
                None => return Err(Rejection::UnknownKey(Self::KEYS)),
                Some(name) => {
                    self.options.retain(|(own, _)| !own.eq_ignore_ascii_case(name));
                    self.options.push((name.to_owned(), value.to_owned()));
                }
            },
        }
        Ok(())
    }

    /// Takes a command with blanks as a program and its arguments, unless a file has this name.
    fn split_command(&mut self) {
        let is_file = Path::new(self.dir.as_deref().unwrap_or(".")).join(&self.cmd).exists();
        if self.args.is_empty()
            && self.cmd.contains(' ')
            && !is_file
            && let Some([cmd, args @ ..]) = split_words(&self.cmd).as_deref()
        {
            (self.cmd, self.args) = (cmd.clone(), args.to_vec());
        }
    }

    /// Returns the name of an engine that has not been given one.
    pub(crate) fn default_name(&self) -> String {
        let stem = Path::new(&self.cmd).file_stem();
        stem.map_or_else(|| self.cmd.clone(), |stem| stem.to_string_lossy().into_owned())
    }

    /// Returns the program with its arguments and its folder, quoted and escaped for display.
    pub(crate) fn command_line(&self) -> String {
        let words: Vec<_> = std::iter::once(&self.cmd).chain(&self.args).collect();
        let text = join_words(&words);
        match &self.dir {
            Some(dir) => format!("{} (in {})", printable(&text), printable(&join_words(&[dir]))),
            None => printable(&text).to_string(),
        }
    }

    pub(crate) fn margin(&self) -> Duration {
        Duration::from_millis(self.timemargin)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "[f64; 2]", try_from = "[f64; 2]")]
pub struct Timeouts {
    /// For answers without a search: the handshake, `isready`, `quit`.
    pub reply: Duration,
    /// For a move without a time limit.
    pub search: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { reply: Duration::from_secs(10), search: Duration::from_secs(600) }
    }
}

impl From<Timeouts> for [f64; 2] {
    fn from(timeouts: Timeouts) -> Self {
        [timeouts.reply, timeouts.search].map(|time| time.as_secs_f64())
    }
}

impl TryFrom<[f64; 2]> for Timeouts {
    type Error = String;

    fn try_from([reply, search]: [f64; 2]) -> Result<Self, String> {
        let time = |name, seconds: f64| {
            parse_positive_seconds(&seconds.to_string())
                .map_err(|expected| format!("{name} = {seconds}, {expected}"))
        };
        Ok(Self { reply: time("reply timeout", reply)?, search: time("move timeout", search)? })
    }
}
