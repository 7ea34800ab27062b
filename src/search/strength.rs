//! Playing weaker than one can: fewer nodes, and a hand that shakes.

use super::{Limits, SearchReport};
use crate::rules::SplitMix;

/// How many nodes the lowest level searches, …
const LEAST_NODES: f64 = 64.0;
/// … and how often they are doubled on the way up.
const DOUBLINGS: f64 = 12.0;
/// How far the hand of the lowest level shakes, in points, …
const MOST_SPREAD: f64 = 2400.0;
/// … and how often that is halved on the way up, …
const HALVINGS: f64 = 9.0;
/// … sooner at its beginning, where a few nodes more bring little: the way counts to this power.
const SOONER: f64 = 0.7;

/// Levels, in hundredths, and what they are worth in Elo, measured level against level
/// (`docs/experiments.md`); the lowest is worth 1000 by definition.
const SCALE: [(u32, u32); 5] =
    [(0, Handicap::MIN_ELO), (500, 1360), (1000, 1840), (1500, 2290), (2000, Handicap::MAX_ELO)];

/// A level below full strength.
///
/// The search gets few nodes and tells about all moves; to each score noise is added, and the move
/// that then looks best is played. The lower the level, the fewer the nodes and the louder the
/// noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handicap {
    /// Hundredths of a level, from 0 up to below [`Handicap::FULL_STRENGTH`].
    level: u32,
}

impl Handicap {
    /// The level, in hundredths, from which on nothing is held back.
    pub const FULL_STRENGTH: u32 = 2000;

    /// What the lowest level is worth.
    pub const MIN_ELO: u32 = 1000;
    /// What full strength is worth, at a tenth of a second a move.
    pub const MAX_ELO: u32 = 2670;

    /// The level, in hundredths, that is worth so many points of Elo.
    #[must_use]
    pub fn level_for_elo(elo: u32) -> u32 {
        let elo = elo.clamp(Self::MIN_ELO, Self::MAX_ELO);
        let above = SCALE.iter().position(|(_, worth)| *worth >= elo).unwrap_or(0).max(1);
        let [(low, least), (high, most)] = [SCALE[above - 1], SCALE[above]];
        low + (high - low) * (elo - least) / (most - least)
    }

    /// The handicap of a level in hundredths; `None` at full strength.
    #[must_use]
    pub fn from_level(level: u32) -> Option<Self> {
        (level < Self::FULL_STRENGTH).then_some(Self { level })
    }

    /// The limits a weakened search works under.
    #[must_use]
    pub fn weaken(self, limits: Limits) -> Limits {
        let nodes = (LEAST_NODES * libm::exp2(DOUBLINGS * self.strength())) as u64;
        Limits { nodes: Some(limits.nodes.map_or(nodes, |own| own.min(nodes))), ..limits }
    }

    /// From 0 at the lowest level to 1 where nothing is held back.
    fn strength(self) -> f64 {
        f64::from(self.level) / f64::from(Self::FULL_STRENGTH)
    }

    /// Brings the line that looks best to a shaking hand to the front. The report must tell about
    /// all moves.
    pub fn choose_line<M>(self, report: &mut SearchReport<M>, seed: u64) {
        let mut random = SplitMix::new(seed ^ 0x5a17_c0de);
        let spread = MOST_SPREAD * libm::exp2(-HALVINGS * libm::pow(self.strength(), SOONER));
        let mut noise = || {
            // The sum of three even throws from -1 to 1 is nearly bell-shaped, and spreads by one.
            let mut throw = || random.below(2001) as f64 / 1000.0 - 1.0;
            ((throw() + throw() + throw()) * spread) as i64
        };
        let looks = |line: &super::PvLine<M>, noise: i64| {
            i64::from(line.score.points().clamp(-1000, 1000)) + noise
        };
        let noisy: Vec<i64> = report.lines.iter().map(|line| looks(line, noise())).collect();
        if let Some(best) = (0..noisy.len()).max_by_key(|index| (noisy[*index], usize::MAX - index))
        {
            report.lines[..=best].rotate_right(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{PvLine, Score};
    use std::time::Duration;

    fn report() -> SearchReport<u8> {
        let line = |index: u8| PvLine {
            score: Score::Estimate(-100 * i32::from(index)),
            moves: vec![index],
            draw_share: None,
        };
        let lines = (0..8).map(line).collect();
        SearchReport {
            depth: 1,
            selective_depth: 1,
            lines,
            proven: None,
            nodes: 1,
            time: Duration::ZERO,
            hash_full: 0,
        }
    }

    #[test]
    fn the_higher_the_level_the_oftener_the_best_move() {
        let best_moves = |level: u32| {
            let choose = |seed| {
                let mut report = report();
                Handicap::from_level(level).unwrap().choose_line(&mut report, seed);
                assert_eq!(report.lines.len(), 8);
                report.best_move() == Some(0)
            };
            (0..1000).filter(|seed| choose(*seed)).count()
        };
        let counts = [0, 500, 1000, 1500, 1999].map(best_moves);
        assert!(counts.is_sorted(), "{counts:?}");
        assert!(counts[0] < 500 && counts[4] == 1000, "{counts:?}");
        assert_eq!(Handicap::from_level(2000), None);
    }

    #[test]
    fn more_elo_is_a_higher_level() {
        let elos = Handicap::MIN_ELO - 10..=Handicap::MAX_ELO + 10;
        let levels: Vec<u32> = elos.map(Handicap::level_for_elo).collect();
        assert!(levels.is_sorted());
        assert_eq!((levels[0], levels[levels.len() - 1]), (0, 2000));
        for (level, elo) in SCALE {
            assert_eq!(Handicap::level_for_elo(elo), level);
        }
        let steps = levels.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(steps.max().unwrap() <= 3, "no jumps");
    }
}
