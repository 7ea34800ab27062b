//! The options as the client sees them: their names, their types, what each may be.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use super::settings::{ELO_MAX, ELO_MIN, SEARCHERS, SKILL_MAX, Settings};
use super::{EngineError, memory, registry};
use crate::eval::{EvalFile, Net};

/// What has to be done beside changing a value.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum OptionEffect {
    None,
    /// Another game is put up.
    ChangeGame(&'static registry::GameEntry),
    /// Searchers have to be made anew.
    DropSearcher,
    /// Searchers forget.
    ClearSearcher,
    /// The log goes elsewhere.
    OpenLog(String),
}

enum OptionKind {
    Check { default: bool, set: fn(&mut Settings, bool) },
    Spin { default: u64, min: u64, max: u64, set: fn(&mut Settings, u64) },
    Combo { default: &'static str, choices: fn() -> Vec<&'static str>, set: Setter },
    Button,
    Text { default: &'static str, set: Setter },
}

type Setter = fn(&mut Settings, &str) -> Result<OptionEffect, EngineError>;

struct OptionSpec {
    name: &'static str,
    kind: OptionKind,
    drops_searcher: bool,
}

const fn option(name: &'static str, kind: OptionKind) -> OptionSpec {
    OptionSpec { name, kind, drops_searcher: false }
}

/// The most that `Hash` can be told; the machine's memory sets the real bound.
const HASH_MAX: u64 = 1 << 20;

/// The options in the order in which they are listed.
const OPTIONS: &[OptionSpec] = &[
    option("UCI_Variant", GAME),
    option("Variant", GAME),
    OptionSpec {
        name: "Hash",
        kind: OptionKind::Spin {
            default: 16,
            min: 1,
            max: HASH_MAX,
            set: |o, v| o.hash = v as usize,
        },
        drops_searcher: true,
    },
    option("Threads", spin(1, 1, 256, |o, v| o.threads = v as usize)),
    option("MultiPV", spin(1, 1, 256, |o, v| o.lines = v as usize)),
    option("Ponder", check(|o, v| o.ponder = v)),
    option("Move Overhead", spin(10, 0, 5000, |o, v| o.overhead = Duration::from_millis(v))),
    option("Clear Hash", OptionKind::Button),
    option("UCI_ShowWDL", check(|o, v| o.show_wdl = v)),
    option("UCI_AnalyseMode", check(|o, v| o.analyse = v)),
    option("UCI_LimitStrength", check(|o, v| o.limit_strength = v)),
    option(
        "UCI_Elo",
        spin(ELO_MAX as u64, ELO_MIN as u64, ELO_MAX as u64, |o, v| o.elo = v as u32),
    ),
    option("Skill Level", spin(SKILL_MAX as u64, 0, SKILL_MAX as u64, |o, v| o.skill = v as u32)),
    option(
        "Searcher",
        OptionKind::Combo {
            default: SEARCHERS[0].0,
            choices: || SEARCHERS.map(|(name, _)| name).to_vec(),
            set: set_searcher,
        },
    ),
    option("Seed", spin(0, 0, i64::MAX as u64, |o, v| o.seed = v)),
    option("EvalFile", OptionKind::Text { default: EMBEDDED, set: set_net }),
    option("Drops", check(|o, v| o.drops = v)),
    option(
        "Log File",
        OptionKind::Text {
            default: "<empty>",
            set: |_, path| Ok(OptionEffect::OpenLog(path.to_owned())),
        },
    ),
];

const GAME: OptionKind = OptionKind::Combo {
    default: registry::GAMES[0].id,
    choices: || {
        let names = |entry: &'static registry::GameEntry| {
            std::iter::once(entry.id).chain(entry.aliases.iter().copied())
        };
        registry::GAMES.iter().flat_map(names).collect()
    },
    set: |_, name| registry::find(name).map(OptionEffect::ChangeGame),
};

const EMBEDDED: &str = "<embedded>";

const fn check(set: fn(&mut Settings, bool)) -> OptionKind {
    OptionKind::Check { default: false, set }
}

const fn spin(default: u64, min: u64, max: u64, set: fn(&mut Settings, u64)) -> OptionKind {
    OptionKind::Spin { default, min, max, set }
}

fn set_searcher(settings: &mut Settings, name: &str) -> Result<OptionEffect, EngineError> {
    if let Some((_, choice)) = SEARCHERS.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)) {
        settings.searcher = *choice;
    }
    Ok(OptionEffect::DropSearcher)
}

fn set_net(settings: &mut Settings, path: &str) -> Result<OptionEffect, EngineError> {
    settings.net = match path {
        "" | EMBEDDED => None,
        path => {
            let refuse = |source| EngineError::Weights { path: path.to_owned(), source };
            Some(Net::new(&EvalFile::load(Path::new(path)).map_err(refuse)?)?)
        }
    };
    Ok(OptionEffect::DropSearcher)
}

/// The `option` lines of the handshake.
pub(super) fn option_lines() -> String {
    let mut text = String::new();
    for OptionSpec { name, kind, .. } in OPTIONS {
        let _ = match kind {
            OptionKind::Check { default, .. } => {
                writeln!(text, "option name {name} type check default {default}")
            }
            OptionKind::Spin { default, min, max, .. } => {
                writeln!(text, "option name {name} type spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices, .. } => {
                let choices = choices().join(" var ");
                writeln!(text, "option name {name} type combo default {default} var {choices}")
            }
            OptionKind::Button => writeln!(text, "option name {name} type button"),
            OptionKind::Text { default, .. } => {
                writeln!(text, "option name {name} type string default {default}")
            }
        };
    }
    text
}

/// Sets an option in `settings`, or refuses and changes nothing.
pub(super) fn set(
    settings: &mut Settings,
    name: &str,
    value: &str,
) -> Result<OptionEffect, EngineError> {
    let wanted: Vec<&str> = name.split_whitespace().collect();
    let wanted = wanted.join(" ");
    let Some(description) = OPTIONS.iter().find(|own| own.name.eq_ignore_ascii_case(&wanted))
    else {
        let expected = OPTIONS.iter().map(|own| own.name).collect::<Vec<_>>().join(", ");
        return Err(EngineError::UnknownOption { found: wanted, expected });
    };
    let refuse = |expected: String| EngineError::Value {
        option: description.name,
        found: value.to_owned(),
        expected,
    };
    match &description.kind {
        OptionKind::Check { set, .. } => {
            let value = match value.to_ascii_lowercase().as_str() {
                "true" => true,
                "false" => false,
                _ => return Err(refuse("true or false".to_owned())),
            };
            set(settings, value);
        }
        OptionKind::Spin { min, max, set, .. } => {
            let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
            let number =
                value.parse().ok().filter(|number| digits && (min..=max).contains(&number));
            let range = || refuse(format!("a whole number from {min} to {max}"));
            set(settings, number.ok_or_else(range)?);
        }
        OptionKind::Combo { choices, set, .. } => {
            let choices = choices();
            if !choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)) {
                return Err(refuse(format!("one of {}", choices.join(", "))));
            }
            return set(settings, value);
        }
        // There is one button.
        OptionKind::Button if value.is_empty() => return Ok(OptionEffect::ClearSearcher),
        OptionKind::Button => return Err(refuse("no value, it is a button".to_owned())),
        OptionKind::Text { default, set } => {
            return set(settings, if value == *default { "" } else { value });
        }
    }
    Ok(if description.drops_searcher { OptionEffect::DropSearcher } else { OptionEffect::None })
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
