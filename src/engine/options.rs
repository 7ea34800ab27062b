//! The options offered to clients: names, types and valid values.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use crate::eval::{EvalFile, Net};
use crate::platform::available_mebibytes;
#[cfg(feature = "tuning")]
use crate::search::{PARAMETERS, Parameter};
use crate::thinking::LevelScale;
use crate::thinking::settings::{SEARCHERS, SKILL_MAX, Settings};
use crate::thinking::{EngineError, GameSpec, registry};

/// What a changed option requires besides storing the value.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum OptionEffect {
    None,
    ChangeGame(&'static GameSpec),
    ClearSearcher,
    OpenLog(String),
}

/// The type of an option. All check boxes are off by default.
enum OptionKind {
    Check(fn(&mut Settings, bool)),
    Spin {
        default: u64,
        min: u64,
        max: u64,
        set: fn(&mut Settings, u64),
    },
    /// The first choice is the default.
    Combo {
        choices: fn() -> Vec<&'static str>,
        set: Setter,
    },
    Button,
    File {
        default: &'static str,
        set: Setter,
    },
}

type Setter = fn(&mut Settings, &str) -> Result<OptionEffect, EngineError>;

impl OptionKind {
    /// Whether the value is the name of a file. A locked session does not offer these options.
    fn is_file(&self) -> bool {
        matches!(self, Self::File { .. })
    }
}

/// The largest value accepted for `Hash`, in MiB; the available memory is checked separately.
const HASH_MAX: u64 = 1 << 20;
const THREADS_MAX: u64 = 256;

/// Which options a client may set, and how large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionPolicy {
    /// Whether the options that name files are disabled, for clients that must not choose files on
    /// this machine.
    pub locked: bool,
    /// The largest value for `Hash`, in MiB.
    pub max_hash: u64,
    pub max_threads: u64,
}

impl Default for OptionPolicy {
    fn default() -> Self {
        Self { locked: false, max_hash: HASH_MAX, max_threads: THREADS_MAX }
    }
}

impl OptionPolicy {
    fn offered(self) -> impl Iterator<Item = &'static (&'static str, OptionKind)> {
        OPTIONS.iter().filter(move |(_, kind)| !(self.locked && kind.is_file()))
    }

    /// The largest value of an option whose largest value is otherwise `max`.
    fn max(self, name: &str, max: u64) -> u64 {
        match name {
            "Hash" => max.min(self.max_hash),
            "Threads" => max.min(self.max_threads),
            _ => max,
        }
    }
}

/// The options, in the order in which they are listed.
const OPTIONS: &[(&str, OptionKind)] = &[
    ("UCI_Variant", GAME),
    ("Variant", GAME),
    ("Hash", spin(16, 1, HASH_MAX, |o, v| o.hash = v as usize)),
    ("Threads", spin(1, 1, THREADS_MAX, |o, v| o.threads = v as usize)),
    ("MultiPV", spin(1, 1, 256, |o, v| o.multi_pv = v as usize)),
    ("Ponder", OptionKind::Check(|o, v| o.ponder = v)),
    ("Move Overhead", spin(10, 0, 5000, |o, v| o.move_overhead = Duration::from_millis(v))),
    ("Clear Hash", OptionKind::Button),
    ("UCI_ShowWDL", OptionKind::Check(|o, v| o.show_wdl = v)),
    ("UCI_AnalyseMode", OptionKind::Check(|o, v| o.analyse = v)),
    ("UCI_LimitStrength", OptionKind::Check(|o, v| o.limit_strength = v)),
    (
        "UCI_Elo",
        spin(
            LevelScale::MAX_ELO as u64,
            LevelScale::MIN_ELO as u64,
            LevelScale::MAX_ELO as u64,
            |o, v| o.elo = v as u32,
        ),
    ),
    ("Skill Level", spin(SKILL_MAX as u64, 0, SKILL_MAX as u64, |o, v| o.skill = v as u32)),
    (
        "Searcher",
        OptionKind::Combo {
            choices: || SEARCHERS.map(|(name, _)| name).to_vec(),
            set: set_searcher,
        },
    ),
    ("Seed", spin(0, 0, i64::MAX as u64, |o, v| o.seed = v)),
    ("EvalFile", OptionKind::File { default: EMBEDDED, set: set_net }),
    ("Drops", OptionKind::Check(|o, v| o.drops = v)),
    (
        "Log File",
        OptionKind::File {
            default: "<empty>",
            set: |_, path| Ok(OptionEffect::OpenLog(path.to_owned())),
        },
    ),
];

const GAME: OptionKind = OptionKind::Combo {
    choices: || {
        let names =
            |spec: &'static GameSpec| std::iter::once(spec.id).chain(spec.aliases.iter().copied());
        registry::games().iter().flat_map(names).collect()
    },
    set: |_, name| registry::find(name).map(OptionEffect::ChangeGame),
};

/// The default of `EvalFile`: the network compiled into the program.
const EMBEDDED: &str = "<embedded>";

const fn spin(default: u64, min: u64, max: u64, set: fn(&mut Settings, u64)) -> OptionKind {
    OptionKind::Spin { default, min, max, set }
}

fn set_searcher(settings: &mut Settings, name: &str) -> Result<OptionEffect, EngineError> {
    if let Some((_, choice)) =
        SEARCHERS.iter().find(|(candidate, _)| candidate.eq_ignore_ascii_case(name))
    {
        settings.searcher = *choice;
    }
    Ok(OptionEffect::None)
}

fn set_net(settings: &mut Settings, path: &str) -> Result<OptionEffect, EngineError> {
    settings.net = match path {
        "" | EMBEDDED => None,
        path => {
            let refuse = |source| EngineError::Weights { path: path.to_owned(), source };
            Some(Net::new(&EvalFile::load(Path::new(path)).map_err(refuse)?)?)
        }
    };
    Ok(OptionEffect::None)
}

pub(super) fn option_lines(policy: OptionPolicy) -> String {
    let mut text = String::new();
    for (name, kind) in policy.offered() {
        let _ = match kind {
            OptionKind::Check(_) => writeln!(text, "option name {name} type check default false"),
            OptionKind::Spin { default, min, max, .. } => {
                let max = policy.max(name, *max);
                writeln!(text, "option name {name} type spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { choices, .. } => {
                let choices = choices();
                let default = choices.first().unwrap_or(&"");
                let choices = choices.join(" var ");
                writeln!(text, "option name {name} type combo default {default} var {choices}")
            }
            OptionKind::Button => writeln!(text, "option name {name} type button"),
            OptionKind::File { default, .. } => {
                writeln!(text, "option name {name} type string default {default}")
            }
        };
    }
    #[cfg(feature = "tuning")]
    for Parameter { name, default, range, .. } in PARAMETERS {
        let (min, max) = (range.start(), range.end());
        let _ =
            writeln!(text, "option name {name} type spin default {default} min {min} max {max}");
    }
    text
}

/// Sets a parameter of the search; `None` if there is none of this name.
#[cfg(feature = "tuning")]
fn set_parameter(name: &str, value: &str) -> Option<Result<OptionEffect, EngineError>> {
    let Parameter { name, range, value: parameter, .. } =
        PARAMETERS.iter().find(|parameter| parameter.name.eq_ignore_ascii_case(name))?;
    let Some(number) = value.parse().ok().filter(|number| range.contains(number)) else {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        return Some(Err(EngineError::Value { option: name, found: value.to_owned(), expected }));
    };
    parameter.store(number, std::sync::atomic::Ordering::Relaxed);
    Some(Ok(OptionEffect::None))
}

/// Sets an option in `settings`; changes nothing if the name or the value is invalid, or if the
/// policy does not allow it.
pub(super) fn set(
    settings: &mut Settings,
    name: &str,
    value: &str,
    policy: OptionPolicy,
) -> Result<OptionEffect, EngineError> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let name = words.join(" ");
    #[cfg(feature = "tuning")]
    if let Some(effect) = set_parameter(&name, value) {
        return effect;
    }
    let option = OPTIONS.iter().find(|(own, _)| own.eq_ignore_ascii_case(&name));
    let Some((option, kind)) = option else {
        let expected = policy.offered().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        return Err(EngineError::UnknownOption { found: name, expected });
    };
    if policy.locked && kind.is_file() {
        return Err(EngineError::LockedOption(option));
    }
    let invalid = |expected| EngineError::Value { option, found: value.to_owned(), expected };
    let present = settings.hash;
    match kind {
        OptionKind::Check(set) => {
            let value = match value.to_ascii_lowercase().as_str() {
                "true" => true,
                "false" => false,
                _ => return Err(invalid("true or false".to_owned())),
            };
            set(settings, value);
        }
        OptionKind::Spin { min, max, set, .. } => {
            let max = &policy.max(option, *max);
            let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
            let number =
                value.parse().ok().filter(|number| digits && (min..=max).contains(&number));
            let range = || invalid(format!("a whole number from {min} to {max}"));
            set(settings, number.ok_or_else(range)?);
        }
        OptionKind::Combo { choices, set, .. } => {
            let choices = choices();
            if !choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)) {
                return Err(invalid(format!("one of {}", choices.join(", "))));
            }
            return set(settings, value);
        }
        // `Clear Hash` is the only button.
        OptionKind::Button if value.is_empty() => return Ok(OptionEffect::ClearSearcher),
        OptionKind::Button => return Err(invalid("no value (it is a button)".to_owned())),
        OptionKind::File { default, set } => {
            return set(settings, if value == *default { "" } else { value });
        }
    }
    check_memory(present, settings.hash)?;
    Ok(OptionEffect::None)
}

/// Refuses a hash table that does not fit into the available memory, counting what the present one
/// would release.
fn check_memory(present: usize, wanted: usize) -> Result<(), EngineError> {
    let available = available_mebibytes().map_or(usize::MAX, |free| free.saturating_add(present));
    if wanted > present && wanted > available {
        return Err(EngineError::Memory { wanted, available });
    }
    Ok(())
}
