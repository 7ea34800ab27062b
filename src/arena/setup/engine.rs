//! How an engine is started and what it plays under, from words. Imports words and clocks.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::arena::clock::PlayLimits;
use crate::arena::key_values::{self, KeyValueError, KeyValues, Rejection};

/// Which language an engine speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// The universal chess interface.
    Uci,
    /// Its sister for all games.
    Ugi,
}

/// How to start an engine and how it plays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EngineSetup {
    /// Its name in the tournament.
    pub name: String,
    /// The program.
    pub cmd: String,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Where it is started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// What it speaks.
    pub proto: Protocol,
    /// Options that are set, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
    /// What it plays under.
    pub limits: PlayLimits,
    /// How many milliseconds beyond its time are forgiven.
    pub timemargin: u64,
    /// A file that keeps all it says on its standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
}

/// What is forgiven when nothing else is said: as much as a busy machine may take to wake a
/// process up.
const TIME_MARGIN: u64 = 50;

/// The program that is meant by `cmd=zermelo` and by no `cmd` at all.
const OURSELVES: &str = "zermelo";

impl EngineSetup {
    const KEYS: &'static [&'static str] = &[
        "cmd",
        "name",
        "proto",
        "dir",
        "args",
        "option.NAME",
        "tc",
        "st",
        "nodes",
        "depth",
        "timemargin",
        "stderr",
    ];

    /// An engine from what is said of each and of this one; its name may still be empty.
    ///
    /// # Errors
    /// When a word makes no sense.
    pub fn from_key_values(
        each: &KeyValues,
        own: &KeyValues,
        proto: Protocol,
    ) -> Result<Self, KeyValueError> {
        let mut engine = Self::ourselves(proto);
        let mut own_limits = PlayLimits::default();
        engine.take_each(each)?;
        own.read(|key, value| match own_limits.set(key, value) {
            Some(result) => result,
            None => engine.take(key, value),
        })?;
        // An engine with a limit of its own does not play under those of each as well.
        if own_limits.is_set() {
            engine.limits = own_limits;
        }
        if !engine.limits.is_set() {
            let reason = "no limit: say tc=SECONDS+INCREMENT, st=SECONDS, nodes=N or depth=N, \
                          here or behind --each";
            return Err(own.lacks("--engine", reason));
        }
        Ok(engine)
    }

    /// An engine from what is said of it alone, without limits of play: who asks for them each
    /// time needs none.
    ///
    /// # Errors
    /// When a word makes no sense, as one of a limit.
    pub fn without_limits(own: &KeyValues, proto: Protocol) -> Result<Self, KeyValueError> {
        const KEYS: &[&str] = &["cmd", "proto", "dir", "args", "option.NAME", "timemargin"];
        let mut engine = Self::ourselves(proto);
        own.read(|key, value| {
            if !KEYS.contains(&key) && !key.starts_with("option.") {
                return Err(Rejection::UnknownKey(KEYS));
            }
            engine.take(key, value)
        })?;
        engine.name = engine.default_name();
        Ok(engine)
    }

    /// This very program, without limits or a name.
    fn ourselves(proto: Protocol) -> Self {
        Self {
            name: String::new(),
            cmd: OURSELVES.to_owned(),
            args: Vec::new(),
            dir: None,
            proto,
            options: Vec::new(),
            limits: PlayLimits::default(),
            timemargin: TIME_MARGIN,
            stderr: None,
        }
    }

    /// Takes what is said of all engines.
    fn take_each(&mut self, each: &KeyValues) -> Result<(), KeyValueError> {
        each.read(|key, value| match key {
            "name" => Err(Rejection::Message("engines cannot all have one name".to_owned())),
            _ => self.take(key, value),
        })
    }

    /// Whether what is said of all engines makes sense by itself.
    ///
    /// # Errors
    /// When it does not.
    pub fn check_each(each: &KeyValues, proto: Protocol) -> Result<(), KeyValueError> {
        Self::ourselves(proto).take_each(each)
    }

    fn take(&mut self, key: &str, value: &str) -> Result<(), Rejection> {
        if let Some(result) = self.limits.set(key, value) {
            return result;
        }
        let given = |what: &str| match value {
            "" => Err(Rejection::expected(what)),
            value => Ok(value.to_owned()),
        };
        match key {
            "cmd" => self.cmd = given("a program")?,
            "name" => self.name = given("a name")?,
            "proto" => {
                self.proto = key_values::parse_choice(
                    value,
                    &[("uci", Protocol::Uci), ("ugi", Protocol::Ugi)],
                )?;
            }
            "dir" => self.dir = Some(given("a folder")?),
            "args" => {
                self.args = shlex::split(value)
                    .ok_or_else(|| Rejection::expected("arguments with their quotes closed"))?;
            }
            "timemargin" => {
                self.timemargin = key_values::parse_number(value, "milliseconds", |_| true)?;
            }
            "stderr" => self.stderr = Some(given("a file")?),
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

    /// The name an engine has when it is given none.
    #[must_use]
    pub fn default_name(&self) -> String {
        let stem = Path::new(&self.cmd).file_stem();
        stem.map_or_else(|| self.cmd.clone(), |stem| stem.to_string_lossy().into_owned())
    }

    /// Whether this very program is meant.
    #[must_use]
    pub fn is_ourselves(&self) -> bool {
        self.cmd == OURSELVES
    }

    /// What is forgiven beyond the time.
    #[must_use]
    pub fn margin(&self) -> Duration {
        Duration::from_millis(self.timemargin)
    }
}
