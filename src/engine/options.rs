//! The options: what there is, what each may be, what is set.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use super::registry;
use super::{EngineError, memory};
use crate::eval::{Sober, Weights};
use crate::search::{Evaluator, Handicap, Level};
use std::path::Path;

/// Which searcher answers `go`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// The oracle where the game is solved, else alpha-beta.
    Auto,
    AlphaBeta,
    Mcts,
    Random,
}

const SEARCHERS: [(&str, Choice); 4] = [
    ("auto", Choice::Auto),
    ("alphabeta", Choice::AlphaBeta),
    ("mcts", Choice::Mcts),
    ("random", Choice::Random),
];

/// What is set.
#[derive(Debug, Clone)]
pub struct Options {
    pub(super) hash: usize,
    pub(super) threads: usize,
    pub(super) lines: usize,
    pub(super) ponder: bool,
    pub(super) overhead: Duration,
    pub(super) chances: bool,
    pub(super) analyse: bool,
    pub(super) limit_strength: bool,
    pub(super) elo: u32,
    pub(super) skill: u32,
    pub(super) searcher: Choice,
    pub(super) seed: u64,
    pub(super) weights: Option<Arc<Weights>>,
    pub(super) drops: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash: 16,
            threads: 1,
            lines: 1,
            ponder: false,
            overhead: Duration::from_millis(10),
            chances: false,
            analyse: false,
            limit_strength: false,
            elo: ELO_MAX,
            skill: SKILL_MAX,
            searcher: Choice::Auto,
            seed: 0,
            weights: None,
            drops: false,
        }
    }
}

const ELO_MIN: u32 = 1000;
const ELO_MAX: u32 = 2800;
const SKILL_MAX: u32 = 20;

impl Options {
    /// The handicap that the options ask for, if any. Elo is spread evenly over the levels.
    pub(super) fn handicap(&self) -> Option<Handicap> {
        let by_skill = self.skill * Handicap::FULL / SKILL_MAX;
        let by_elo = (self.elo - ELO_MIN) * Handicap::FULL / (ELO_MAX - ELO_MIN);
        let level = if self.limit_strength { by_skill.min(by_elo) } else { by_skill };
        if self.analyse { None } else { Handicap::of_level(level) }
    }
}

/// An evaluation that can be made from what is set.
pub(super) trait FromOptions {
    /// Makes it.
    fn from_options(options: &Options) -> Self;
}

impl FromOptions for Level {
    fn from_options(_: &Options) -> Self {
        Self
    }
}

impl FromOptions for Sober {
    fn from_options(options: &Options) -> Self {
        match &options.weights {
            Some(weights) => Self::new(weights),
            None => Self::embedded(),
        }
    }
}

/// A searcher's evaluation of `G` that the engine can make.
pub(super) trait Judge<G: crate::rules::Game>: Evaluator<G> + FromOptions {}

impl<G: crate::rules::Game, E: Evaluator<G> + FromOptions> Judge<G> for E {}

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
    Check { default: bool, set: fn(&mut Options, bool) },
    Spin { default: u64, min: u64, max: u64, set: fn(&mut Options, u64) },
    Combo { default: &'static str, choices: fn() -> Vec<&'static str>, set: Setter },
    Button { effect: Effect },
    Text { default: &'static str, set: Setter },
}

type Setter = fn(&mut Options, &str) -> Result<Effect, EngineError>;

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
    option("Clear Hash", Kind::Button { effect: Effect::Forget }),
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
    option("EvalFile", Kind::Text { default: EMBEDDED, set: set_weights }),
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

const fn check(set: fn(&mut Options, bool)) -> Kind {
    Kind::Check { default: false, set }
}

const fn spin(default: u64, min: u64, max: u64, set: fn(&mut Options, u64)) -> Kind {
    Kind::Spin { default, min, max, set }
}

fn set_searcher(options: &mut Options, name: &str) -> Result<Effect, EngineError> {
    if let Some((_, choice)) = SEARCHERS.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)) {
        options.searcher = *choice;
    }
    Ok(Effect::Rebuild)
}

fn set_weights(options: &mut Options, path: &str) -> Result<Effect, EngineError> {
    options.weights = match path {
        "" | EMBEDDED => None,
        path => {
            let refuse = |source| EngineError::Weights { path: path.to_owned(), source };
            Some(Arc::new(Weights::load(Path::new(path)).map_err(refuse)?))
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
            Kind::Button { .. } => writeln!(text, "option name {name} type button"),
            Kind::Text { default, .. } => {
                writeln!(text, "option name {name} type string default {default}")
            }
        };
    }
    text
}

/// Sets an option in `options`, or refuses and changes nothing.
pub(super) fn set(options: &mut Options, name: &str, value: &str) -> Result<Effect, EngineError> {
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
            set(options, value);
        }
        Kind::Spin { min, max, set, .. } => {
            let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
            let number =
                value.parse().ok().filter(|number| digits && (min..=max).contains(&number));
            let range = || refuse(format!("a whole number from {min} to {max}"));
            set(options, number.ok_or_else(range)?);
        }
        Kind::Combo { choices, set, .. } => {
            let choices = choices();
            if !choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)) {
                return Err(refuse(format!("one of {}", choices.join(", "))));
            }
            return set(options, value);
        }
        Kind::Button { effect } => {
            return match (value, effect) {
                ("", Effect::Forget) => Ok(Effect::Forget),
                _ => Err(refuse("no value, it is a button".to_owned())),
            };
        }
        Kind::Text { default, set } => {
            return set(options, if value == *default { "" } else { value });
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
