//! Limited strength: fewer nodes, and noise added to the scores.

use super::{Limits, PvLine, SearchReport};
use crate::rules::SplitMix;

/// Nodes searched at level 0.
const MIN_NODES: f64 = 64.0;
/// How often the nodes double from level 0 to full strength.
const NODE_DOUBLINGS: f64 = 12.0;
/// Spread of the noise at level 0, in points.
const MAX_NOISE: f64 = 2400.0;
/// How often the noise halves from level 0 to full strength.
const NOISE_HALVINGS: f64 = 9.0;
/// Exponent of the level for the noise: below 1 it falls faster at low levels, where a few more
/// nodes gain little.
const NOISE_EXPONENT: f64 = 0.7;

/// Levels in hundredths and their Elo, measured level against level (`research/experiments.md`); level 0
/// is 1000 by definition.
const ELO_SCALE: [(u32, u32); 5] =
    [(0, Handicap::MIN_ELO), (500, 1380), (1000, 1840), (1500, 2280), (2000, Handicap::MAX_ELO)];

/// A level below full strength.
///
/// The search gets few nodes and reports all moves. Noise is added to each score, and the move with
/// the best noisy score is played. Lower levels have fewer nodes and more noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handicap {
    /// Hundredths of a level, below [`Handicap::FULL_STRENGTH`].
    level: u32,
}

impl Handicap {
    /// The level of full strength, in hundredths.
    pub const FULL_STRENGTH: u32 = 2000;

    /// Elo of level 0.
    pub const MIN_ELO: u32 = 1000;
    /// Elo of full strength, at a tenth of a second per move.
    pub const MAX_ELO: u32 = 2640;

    /// Returns the level of a playing strength, in hundredths.
    #[must_use]
    pub fn level_for_elo(elo: u32) -> u32 {
        let elo = elo.clamp(Self::MIN_ELO, Self::MAX_ELO);
        let above = ELO_SCALE.iter().position(|(_, bound)| *bound >= elo).unwrap_or(0).max(1);
        let [(low, min), (high, max)] = [ELO_SCALE[above - 1], ELO_SCALE[above]];
        low + (high - low) * (elo - min) / (max - min)
    }

    /// Returns the playing strength of a level in hundredths.
    #[must_use]
    pub fn elo_of_level(level: u32) -> u32 {
        let level = level.min(Self::FULL_STRENGTH);
        let above = ELO_SCALE.iter().position(|(bound, _)| *bound >= level).unwrap_or(0).max(1);
        let [(low, min), (high, max)] = [ELO_SCALE[above - 1], ELO_SCALE[above]];
        min + (max - min) * (level - low) / (high - low)
    }

    /// Returns the handicap of a level in hundredths; `None` at full strength.
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

    /// Moves the line with the best noisy score to the front. The report must contain all moves.
    pub fn choose_line<M>(self, report: &mut SearchReport<M>, seed: u64) {
        // The constant keeps the noise independent of a searcher that draws from the same seed.
        let mut random = SplitMix::new(seed ^ 0x5a17_c0de);
        let spread =
            MAX_NOISE * libm::exp2(-NOISE_HALVINGS * libm::pow(self.strength(), NOISE_EXPONENT));
        let mut noise = || {
            // The sum of three uniform numbers in [-1, 1] is nearly normal, with unit variance.
            let mut uniform = || random.below(2001) as f64 / 1000.0 - 1.0;
            ((uniform() + uniform() + uniform()) * spread) as i64
        };
        // Clamped, so that the noise of a low level can hide even a proven win.
        let noisy_score = |line: &PvLine<M>, noise: i64| {
            i64::from(line.score.points().clamp(-1000, 1000)) + noise
        };
        let scores: Vec<i64> = report.lines.iter().map(|line| noisy_score(line, noise())).collect();
        let best = (0..scores.len()).max_by_key(|index| (scores[*index], usize::MAX - index));
        if let Some(best) = best {
            report.lines[..=best].rotate_right(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Score;

    fn report() -> SearchReport<u8> {
        let line = |index: u8| PvLine::new(Score::Estimate(-100 * i32::from(index)), vec![index]);
        let lines = (0..8).map(line).collect();
        SearchReport { lines, ..SearchReport::default() }
    }

    #[test]
    fn higher_levels_play_the_best_move_more_often() {
        let counts = [0, 500, 1000, 1500, 1999].map(|level: u32| {
            let choose = |seed| {
                let mut report = report();
                Handicap::from_level(level).unwrap().choose_line(&mut report, seed);
                assert_eq!(report.lines.len(), 8);
                report.best_move() == Some(0)
            };
            (0..1000).filter(|seed| choose(*seed)).count()
        });
        assert!(counts.is_sorted(), "{counts:?}");
        assert!(counts[0] < 500 && counts[4] == 1000, "{counts:?}");
        assert_eq!(Handicap::from_level(2000), None);
    }

    #[test]
    fn levels_rise_with_elo() {
        let elos = Handicap::MIN_ELO - 10..=Handicap::MAX_ELO + 10;
        let levels: Vec<u32> = elos.map(Handicap::level_for_elo).collect();
        assert!(levels.is_sorted());
        assert_eq!((levels[0], levels[levels.len() - 1]), (0, 2000));
        for (level, elo) in ELO_SCALE {
            assert_eq!(Handicap::level_for_elo(elo), level);
            assert_eq!(Handicap::elo_of_level(level), elo);
        }
        let steps = levels.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(steps.max().unwrap() <= 3, "no jumps");
    }
}
