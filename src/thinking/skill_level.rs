//! Limited strength: human-like mistakes.
//!
//! A weaker level searches fewer nodes, considers only its five best moves, overlooks the refutation of
//! some of them, and misjudges each slightly.

use crate::rules::{Game, SplitMix, Value};
use crate::search::{Evaluator, Limits, Points, SearchReport};

/// Nodes searched at level 0.
const MIN_NODES: f64 = 64.0;
/// How often the nodes double from level 0 to full strength.
const NODE_DOUBLINGS: f64 = 12.0;
/// How many moves a level chooses from.
const CANDIDATES: usize = 5;
/// Scores beyond this are as clear as a win.
const CLEAR: Points = 1000;
/// Spread of the noise at level 0, in points.
const MAX_NOISE: f64 = 1200.0;
/// How often the noise halves from level 0 to full strength.
const NOISE_HALVINGS: f64 = 9.0;
/// Exponent of the level for the noise: below 1 it falls faster at low levels, where a few more
/// nodes gain little.
const NOISE_EXPONENT: f64 = 0.7;
/// How fast the share of overlooked refutations falls, from all at level 0 to none at full strength.
const BLINDNESS_EXPONENT: f64 = 2.2;

/// A level below full strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SkillLevel {
    /// Hundredths of a level, below [`SkillLevel::FULL_STRENGTH`].
    level: u32,
}

impl SkillLevel {
    /// The level of full strength, in hundredths.
    pub const FULL_STRENGTH: u32 = 2000;

    /// Returns the skill level of a level in hundredths; `None` at full strength.
    #[must_use]
    pub fn from_level(level: u32) -> Option<Self> {
        (level < Self::FULL_STRENGTH).then_some(Self { level })
    }

    /// Restricts the limits of a search to this level.
    #[must_use]
    pub fn weaken(self, limits: Limits) -> Limits {
        let nodes = (MIN_NODES * libm::exp2(NODE_DOUBLINGS * self.strength())) as u64;
        Limits { nodes: Some(limits.nodes.map_or(nodes, |own| own.min(nodes))), ..limits }
    }

    /// From 0 at level 0 to 1 at full strength.
    fn strength(self) -> f64 {
        f64::from(self.level) / f64::from(Self::FULL_STRENGTH)
    }

    /// Moves the line that this level prefers to the front. The report must contain all moves, best
    /// first.
    pub fn choose_line<G: Game>(
        self,
        report: &mut SearchReport<G::Move>,
        pos: &G,
        evaluator: &mut impl Evaluator<G>,
        seed: u64,
    ) {
        // The constant keeps the choices independent of a searcher that draws from the same seed.
        let mut random = SplitMix::new(seed ^ 0x5a17_c0de);
        // Between 0 and 1.
        let mut uniform = || (random.below(2000) as f64 + 0.5) / 2000.0;
        let noise =
            MAX_NOISE * libm::exp2(-NOISE_HALVINGS * libm::pow(self.strength(), NOISE_EXPONENT));
        let blindness = libm::pow(1.0 - self.strength(), BLINDNESS_EXPONENT);
        let mut preferred = (0, f64::NEG_INFINITY);
        for (index, line) in report.lines.iter().take(CANDIDATES).enumerate() {
            let points = if uniform() < blindness {
                first_impression(pos, *line.mv(), evaluator)
            } else {
                clear_points(line.score.points())
            };
            // Nearly normal, with unit variance.
            let deviation = 2.0 * (uniform() + uniform() + uniform()) - 3.0;
            let judged = points + noise * deviation;
            if judged > preferred.1 {
                preferred = (index, judged);
            }
        }
        if let Some(lines) = report.lines.get_mut(..=preferred.0) {
            lines.rotate_right(1);
        }
    }
}

/// The Elo of the levels of a game, on the scale of `rate`.
#[derive(Debug, Clone)]
pub struct LevelScale {
    /// By level; never falling.
    elos: Vec<u32>,
}

impl LevelScale {
    /// Elo of level 0, by definition.
    pub const MIN_ELO: u32 = 1000;
    /// Beyond the strongest level of every game.
    pub const MAX_ELO: u32 = 3000;

    /// Reads the levels among the references of a game; `None` if they were not measured.
    pub(super) fn from_references(text: &str) -> Option<Self> {
        let elo_of = |line: &str| line.strip_prefix("level-")?.split(' ').nth(2)?.parse().ok();
        let mut elos: Vec<u32> = text.lines().filter_map(elo_of).collect();
        // Two measurements of neighbours may be in the wrong order.
        elos.iter_mut().fold(0, |least, elo| {
            *elo = (*elo).max(least);
            *elo
        });
        (!elos.is_empty()).then_some(Self { elos })
    }

    #[must_use]
    pub fn elo(&self, level: u32) -> u32 {
        self.elos[(level as usize).min(self.elos.len() - 1)]
    }

    /// The lowest level with this Elo, in hundredths.
    #[must_use]
    pub fn level(&self, elo: u32) -> u32 {
        let above = self.elos.partition_point(|own| *own < elo);
        if above == 0 || above == self.elos.len() {
            return 100 * above.min(self.elos.len() - 1) as u32;
        }
        let [low, high] = [self.elos[above - 1], self.elos[above]];
        100 * (above as u32 - 1) + 100 * (elo - low) / (high - low)
    }
}

impl Default for LevelScale {
    /// The scale of games that have none: steps of equal size.
    fn default() -> Self {
        Self { elos: (0..=20).map(|level| Self::MIN_ELO + 80 * level).collect() }
    }
}

/// What a move is worth to a player who overlooks the best reply: the mean over all replies.
fn first_impression<G: Game>(pos: &G, mv: G::Move, evaluator: &mut impl Evaluator<G>) -> f64 {
    let mut worth = |after: &G| match after.outcome().map(|outcome| outcome.value_for(pos.side())) {
        Some(Value::Win) => f64::from(CLEAR),
        Some(Value::Draw) => 0.0,
        Some(Value::Loss) => -f64::from(CLEAR),
        None => {
            evaluator.reset(after);
            clear_points(evaluator.evaluate(after))
        }
    };
    let child = pos.after(mv);
    if child.outcome().is_some() {
        return worth(&child);
    }
    let replies = child.legal_moves();
    let sum: f64 = replies.iter().map(|reply| worth(&child.after(*reply))).sum();
    sum / replies.len() as f64
}

/// Points with all clear scores alike, so that the noise can hide even a proven win.
fn clear_points(points: Points) -> f64 {
    points.clamp(-CLEAR, CLEAR).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::TicTacToe;
    use crate::rules::GameNotation;
    use crate::search::{PvLine, Score, ZeroEval};
    use crate::thinking::GameSpec;
    use crate::thinking::registry::games;

    #[test]
    fn higher_levels_play_the_best_of_five_moves_more_often() {
        let pos = TicTacToe::start();
        let counts = [0, 500, 1000, 1500, 1999].map(|level: u32| {
            let choose = |seed| {
                let line = |(mv, rank)| PvLine::new(Score::Estimate(-100 * rank), vec![mv]);
                let lines: Vec<_> = pos.legal_moves().into_iter().zip(0..).map(line).collect();
                let five: Vec<_> = lines[..5].iter().map(|line| *line.mv()).collect();
                let mut report = SearchReport { lines, ..SearchReport::default() };
                let skill_level = SkillLevel::from_level(level).unwrap();
                skill_level.choose_line(&mut report, &pos, &mut ZeroEval, seed);
                assert_eq!(report.lines.len(), 9);
                let chosen = report.best_move().unwrap();
                assert!(five.contains(&chosen), "{chosen}");
                chosen == five[0]
            };
            (0..1000).filter(|seed| choose(*seed)).count()
        });
        assert!(counts.is_sorted(), "{counts:?}");
        assert!(counts[0] < 300 && counts[4] == 1000, "{counts:?}");
        assert_eq!(SkillLevel::from_level(2000), None);
    }

    #[test]
    fn a_first_impression_sees_a_win_and_little_of_a_threat() {
        let pos: TicTacToe = "xo1/xo1/3 x".parse().unwrap();
        let impression =
            |text| first_impression(&pos, pos.parse_move(text).unwrap(), &mut ZeroEval);
        assert_eq!(impression("a1"), 1000.0);
        // One of the four replies loses.
        assert_eq!(impression("c1"), -250.0);
        assert_eq!(impression("b1"), 0.0);
    }

    #[test]
    fn levels_rise_with_elo() {
        let mut scales: Vec<_> = games().iter().filter_map(GameSpec::level_scale).collect();
        assert_eq!(scales.len(), 2);
        scales.push(LevelScale::default());
        for scale in scales {
            let elos = LevelScale::MIN_ELO - 10..=LevelScale::MAX_ELO + 10;
            let levels: Vec<u32> = elos.map(|elo| scale.level(elo)).collect();
            assert!(levels.is_sorted());
            assert_eq!((levels[0], levels[levels.len() - 1]), (0, SkillLevel::FULL_STRENGTH));
            let same = (0..=20).filter(|level| scale.level(scale.elo(*level)) == 100 * level);
            assert!(same.count() >= 20, "{scale:?}");
            let steps = levels.windows(2).map(|pair| pair[1] - pair[0]);
            assert!(steps.max().unwrap() < 110, "no level is left out: {scale:?}");
        }
    }
}
