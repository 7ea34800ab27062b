//! The options as the client sees them: their names, their types, what each may be.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use super::settings::{ELO_MAX, ELO_MIN, SEARCHERS, SKILL_MAX, Settings};
use super::{EngineError, memory, registry};
use crate::eval::{EvalFile, Net};

/// What has to be done beside changing a value.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Nothing,
    /// Another game is put up.
    Game(&'static registry::Entry),
    /// Searchers have to be made anew.
    Rebuild,
    /// Searchers forget.
    Forget,
    /// The log goes elsewhere.
    Log(String),
}

enum Kind {
    Check { default: bool, set: fn(&mut Settings, bool) },
    Spin { default: u64, min: u64, max: u64, set: fn(&mut Settings, u64) },
    Combo { default: &'static str, choices: fn() -> Vec<&'static str>, set: Setter },
    Button,
    Text { default: &'static str, set: Setter },
}

type Setter = fn(&mut Settings, &str) -> Result<Effect, EngineError>;

struct Description {
    name: &'static str,
    kind: Kind,
    rebuilds: bool,
}

const fn option(name: &'static str, kind: Kind) -> Description {
    Description { name, kind, rebuilds: false }
}

/// The most that `Hash` can be told; the machine's memory sets the real bound.
const HASH_MAX: u64 = 1 << 20;

/// The options in the order in which they are listed.
const DESCRIPTIONS: &[Description] = &[
    option("UCI_Variant", GAME),
    option("Variant", GAME),
    Description {
        name: "Hash",
        kind: Kind::Spin { default: 16, min: 1, max: HASH_MAX, set: |o, v| o.hash = v as usize },
        rebuilds: true,
    },
    option("Threads", spin(1, 1, 256, |o, v| o.threads = v as usize)),
    option("MultiPV", spin(1, 1, 256, |o, v| o.lines = v as usize)),
    option("Ponder", check(|o, v| o.ponder = v)),
    option("Move Overhead", spin(10, 0, 5000, |o, v| o.overhead = Duration::from_millis(v))),
    option("Clear Hash", Kind::Button),
    option("UCI_ShowWDL", check(|o, v| o.chances = v)),
    option("UCI_AnalyseMode", check(|o, v| o.analyse = v)),
    option("UCI_LimitStrength", check(|o, v| o.limit_strength = v)),
    option(
        "UCI_Elo",
        spin(ELO_MAX as u64, ELO_MIN as u64, ELO_MAX as u64, |o, v| o.elo = v as u32),
    ),
    option("Skill Level", spin(SKILL_MAX as u64, 0, SKILL_MAX as u64, |o, v| o.skill = v as u32)),
    option(
        "Searcher",
        Kind::Combo {
            default: SEARCHERS[0].0,
            choices: || SEARCHERS.map(|(name, _)| name).to_vec(),
            set: set_searcher,
        },
    ),
    option("Seed", spin(0, 0, i64::MAX as u64, |o, v| o.seed = v)),
    option("EvalFile", Kind::Text { default: EMBEDDED, set: set_net }),
    option("Drops", check(|o, v| o.drops = v)),
    option(
        "Log File",
        Kind::Text { default: "<empty>", set: |_, path| Ok(Effect::Log(path.to_owned())) },
    ),
];

const GAME: Kind = Kind::Combo {
    default: registry::GAMES[0].id,
    choices: || {
        let names = |entry: &'static registry::Entry| {
            std::iter::once(entry.id).chain(entry.aliases.iter().copied())
        };
        registry::GAMES.iter().flat_map(names).collect()
    },
    set: |_, name| registry::find(name).map(Effect::Game),
};

const EMBEDDED: &str = "<embedded>";

const fn check(set: fn(&mut Settings, bool)) -> Kind {
    Kind::Check { default: false, set }
}

const fn spin(default: u64, min: u64, max: u64, set: fn(&mut Settings, u64)) -> Kind {
    Kind::Spin { default, min, max, set }
}

fn set_searcher(settings: &mut Settings, name: &str) -> Result<Effect, EngineError> {
    if let Some((_, choice)) = SEARCHERS.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)) {
        settings.searcher = *choice;
    }
    Ok(Effect::Rebuild)
}

fn set_net(settings: &mut Settings, path: &str) -> Result<Effect, EngineError> {
    settings.net = match path {
        "" | EMBEDDED => None,
        path => {
            let refuse = |source| EngineError::Weights { path: path.to_owned(), source };
            Some(Net::new(&EvalFile::load(Path::new(path)).map_err(refuse)?)?)
        }
    };
    Ok(Effect::Rebuild)
}

/// The `option` lines of the handshake.
pub(super) fn listing() -> String {
    let mut text = String::new();
    for Description { name, kind, .. } in DESCRIPTIONS {
        let _ = match kind {
            Kind::Check { default, .. } => {
                writeln!(text, "option name {name} type check default {default}")
            }
            Kind::Spin { default, min, max, .. } => {
                writeln!(text, "option name {name} type spin default {default} min {min} max {max}")
            }
            Kind::Combo { default, choices, .. } => {
                let choices = choices().join(" var ");
                writeln!(text, "option name {name} type combo default {default} var {choices}")
            }
            Kind::Button => writeln!(text, "option name {name} type button"),
            Kind::Text { default, .. } => {
                writeln!(text, "option name {name} type string default {default}")
            }
        };
    }
    text
}

/// Sets an option in `settings`, or refuses and changes nothing.
pub(super) fn set(settings: &mut Settings, name: &str, value: &str) -> Result<Effect, EngineError> {
    let wanted: Vec<&str> = name.split_whitespace().collect();
    let wanted = wanted.join(" ");
    let Some(description) = DESCRIPTIONS.iter().find(|own| own.name.eq_ignore_ascii_case(&wanted))
    else {
        let expected = DESCRIPTIONS.iter().map(|own| own.name).collect::<Vec<_>>().join(", ");
        return Err(EngineError::UnknownOption { found: wanted, expected });
    };
    let refuse = |expected: String| EngineError::Value {
        option: description.name,
        found: value.to_owned(),
        expected,
    };
    match &description.kind {
        Kind::Check { set, .. } => {
            let value = match value.to_ascii_lowercase().as_str() {
                "true" => true,
                "false" => false,
                _ => return Err(refuse("true or false".to_owned())),
            };
            set(settings, value);
        }
        Kind::Spin { min, max, set, .. } => {
            let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
            let number =
                value.parse().ok().filter(|number| digits && (min..=max).contains(&number));
            let range = || refuse(format!("a whole number from {min} to {max}"));
            set(settings, number.ok_or_else(range)?);
        }
        Kind::Combo { choices, set, .. } => {
            let choices = choices();
            if !choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)) {
                return Err(refuse(format!("one of {}", choices.join(", "))));
            }
            return set(settings, value);
        }
        // There is one button.
        Kind::Button if value.is_empty() => return Ok(Effect::Forget),
        Kind::Button => return Err(refuse("no value, it is a button".to_owned())),
        Kind::Text { default, set } => {
            return set(settings, if value == *default { "" } else { value });
        }
    }
    Ok(if description.rebuilds { Effect::Rebuild } else { Effect::Nothing })
}

/// Refuses a table that would not fit the memory that is free, what the present one gives back
/// included.
pub(super) fn check_memory(present: usize, wanted: usize) -> Result<(), EngineError> {
    let available =
        memory::available_mebibytes().map_or(usize::MAX, |free| free.saturating_add(present));
    if wanted > present && wanted > available {
        return Err(EngineError::Memory { wanted, available });
    }
    Ok(())
}
