//! The values of the options, and the skill level and evaluators derived from them. Names, types and
//! ranges of the options are in `options`.

use std::time::Duration;

use super::skill_level::{LevelScale, SkillLevel};
use crate::eval::{EmbeddedNet, Net};
use crate::games::tixtax::Ultimate;
use crate::rules::{Game, Notation};
use crate::search::{Evaluator, OutOfMemory};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearcherChoice {
    /// The exact solver if the game is solved, otherwise alpha-beta, or MCTS if the game has no evaluation.
    Auto,
    AlphaBeta,
    /// Monte-Carlo tree search.
    Mcts,
    Random,
}

pub const SEARCHERS: [(&str, SearcherChoice); 4] = [
    ("auto", SearcherChoice::Auto),
    ("alphabeta", SearcherChoice::AlphaBeta),
    ("mcts", SearcherChoice::Mcts),
    ("random", SearcherChoice::Random),
];

/// The values of all options.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `Hash`, in MiB.
    pub hash: usize,
    pub(crate) threads: usize,
    pub(crate) multi_pv: usize,
    pub(crate) ponder: bool,
    pub(crate) move_overhead: Duration,
    pub(crate) show_wdl: bool,
    pub(crate) analyse: bool,
    pub(crate) limit_strength: bool,
    pub(crate) elo: u32,
    /// What `elo` means in the game that is played.
    pub(crate) level_scale: LevelScale,
    pub(crate) skill: u32,
    pub(crate) searcher: SearcherChoice,
    pub(crate) seed: u64,
    /// The network loaded from `EvalFile`; `None` for the embedded one.
    pub(crate) net: Option<Net>,
    /// Whether moves are sent as drops, if the game supports that notation.
    pub(crate) drops: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash: 16,
            threads: 1,
            multi_pv: 1,
            ponder: false,
            move_overhead: Duration::from_millis(10),
            show_wdl: false,
            analyse: false,
            limit_strength: false,
            elo: LevelScale::MAX_ELO,
            level_scale: LevelScale::default(),
            skill: SKILL_MAX,
            searcher: SearcherChoice::Auto,
            seed: 0,
            net: None,
            drops: false,
        }
    }
}

pub(crate) const SKILL_MAX: u32 = 20;

impl Settings {
    /// The notation of the moves sent to the client.
    pub(crate) fn notation(&self) -> Notation {
        if self.drops { Notation::Drops } else { Notation::Own }
    }

    /// What a searcher is built from: it lasts as long as this stays the same.
    pub(super) fn build_key(&self) -> (usize, SearcherChoice, Option<u32>) {
        (self.hash, self.searcher, self.net.as_ref().map(Net::fingerprint))
    }

    /// The skill level: that of `Skill Level`, or that of `UCI_Elo` if it is lower and
    /// `UCI_LimitStrength` is set. `None` at full strength and in analysis mode.
    pub(crate) fn skill_level(&self) -> Option<SkillLevel> {
        let by_skill = self.skill * SkillLevel::FULL_STRENGTH / SKILL_MAX;
        let by_elo = self.level_scale.level(self.elo);
        let level = if self.limit_strength { by_skill.min(by_elo) } else { by_skill };
        if self.analyse { None } else { SkillLevel::from_level(level) }
    }
}

/// An evaluator of `G` that can be built from the settings: any with a default, and the networks.
pub trait EngineEvaluator<G: Game>: Evaluator<G> {
    /// Builds the evaluator.
    ///
    /// # Errors
    /// Fails if its memory cannot be allocated.
    fn from_settings(settings: &Settings) -> Result<Self, OutOfMemory>;
}

impl<G: Game, E: Evaluator<G> + Default> EngineEvaluator<G> for E {
    fn from_settings(_: &Settings) -> Result<Self, OutOfMemory> {
        Ok(Self::default())
    }
}

impl<R: EmbeddedNet> EngineEvaluator<Ultimate<R>> for Net {
    fn from_settings(settings: &Settings) -> Result<Self, OutOfMemory> {
        settings.net.clone().map_or_else(R::embedded_net, Ok)
    }
}
