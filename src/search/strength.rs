//! Playing weaker than one can: fewer nodes, and a hand that shakes.

use super::{Limits, Report};
use crate::rules::SplitMix;

/// A level below full strength.
///
/// The search gets few nodes and tells about all moves; to each score noise is added, and the move
/// that then looks best is played. The lower the level, the fewer the nodes and the louder the
/// noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handicap {
    /// Hundredths of a level, from 0 up to below [`Handicap::FULL`].
    level: u32,
}

impl Handicap {
    /// The level, in hundredths, from which on nothing is held back.
    pub const FULL: u32 = 2000;

    /// The handicap of a level in hundredths; `None` at full strength.
    #[must_use]
    pub fn of_level(level: u32) -> Option<Self> {
        (level < Self::FULL).then_some(Self { level })
    }

    /// The limits a weakened search works under.
    #[must_use]
    pub fn restrain(self, limits: Limits) -> Limits {
        // Doubles every two levels, from 64 nodes.
        let nodes = 64 << (self.level / 200);
        Limits { nodes: Some(limits.nodes.map_or(nodes, |own| own.min(nodes))), ..limits }
    }

    /// Brings the line that looks best to a shaking hand to the front. The report must tell about
    /// all moves.
    pub fn choose<M>(self, report: &mut Report<M>, seed: u64) {
        let mut random = SplitMix::new(seed ^ 0x5a17_c0de);
        let amplitude = i64::from(Self::FULL - self.level);
        let mut noise = || {
            // The sum of three even throws is nearly bell-shaped.
            let mut throw = || random.below(2001) as i64 - 1000;
            (throw() + throw() + throw()) * amplitude * amplitude / (3000 * 1500)
        };
        let looks = |line: &super::Line<M>, noise: i64| {
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
    use crate::search::{Line, Score};
    use std::time::Duration;

    fn report() -> Report<u8> {
        let line = |index: u8| Line {
            score: Score::Estimate(-100 * i32::from(index)),
            moves: vec![index],
            draw_share: None,
        };
        let lines = (0..8).map(line).collect();
        Report {
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
                Handicap::of_level(level).unwrap().choose(&mut report, seed);
                assert_eq!(report.lines.len(), 8);
                report.best() == Some(0)
            };
            (0..1000).filter(|seed| choose(*seed)).count()
        };
        let counts = [0, 500, 1000, 1500, 1999].map(best_moves);
        assert!(counts.is_sorted(), "{counts:?}");
        assert!(counts[0] < 500 && counts[4] == 1000, "{counts:?}");
        assert_eq!(Handicap::of_level(2000), None);
    }
}
