//! How far a position is from the answers to a question, and how the distances of a node follow
//! from those of its branches.

use super::endgame;
use crate::rules::Game;

/// How much has to be settled, the right way, for an answer: open positions, each counted as more
/// the less it promises.
pub(super) type Number = u32;

/// No number of positions will do: the other answer is right.
pub(super) const INFINITE: Number = Number::MAX;

/// What the distances of a position begin with that nobody leans to either way. Distances are whole
/// numbers, so it also says how finely odds are told apart.
const UNIT: f32 = 64.0;
/// With so many plies more to the end a proof takes twice as much, …
const PLIES_THAT_DOUBLE_PROOFS: f32 = 6.0;
/// … and with so many a disproof, which grows with the number of moves as well.
const PLIES_THAT_DOUBLE_DISPROOFS: f32 = 9.0;
/// Odds beyond this are not believed.
const FIRMEST_ODDS: f32 = 1000.0;
/// The favourite among the moves is left for another when it has fallen behind it by this part.
/// Without it the search would run to and fro between moves that are nearly alike (Pawlewicz and
/// Lew, 2007).
const PATIENCE: f32 = 0.12;

/// How far the mover's wish is from being proven and from being disproven. The mover wishes for
/// "yes" if it is the first player, for "no" if it is the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProofNumbers {
    pub proof: Number,
    pub disproof: Number,
}

impl ProofNumbers {
    pub(super) const PROVEN: Self = Self { proof: 0, disproof: INFINITE };
    pub(super) const DISPROVEN: Self = Self { proof: INFINITE, disproof: 0 };
    /// As a limit: nothing but the answer ends the work.
    pub(super) const UNLIMITED: Self = Self { proof: INFINITE, disproof: INFINITE };

    pub(super) fn settled(wish_comes_true: bool) -> Self {
        if wish_comes_true { Self::PROVEN } else { Self::DISPROVEN }
    }

    /// How far a position that nothing is known of is likely to be from its answers: the nearer to
    /// a proof, the better the odds; the farther from being
    /// disproven, the more moves there are; and the farther from both, the more plies are left.
    pub(super) fn likely<G: Game>(pos: &G, odds: f32) -> Self {
        let odds = odds.clamp(1.0 / FIRMEST_ODDS, FIRMEST_ODDS);
        let ahead = pos.max_plies_left().unwrap_or_default() as f32 - endgame::PLIES as f32;
        let number = |doubling: f32, length: f32| {
            let unit = UNIT * libm::exp2f(ahead / doubling);
            ((unit * length) as Number).clamp(1, INFINITE - 1)
        };
        let moves = (1 + pos.move_count()) as f32;
        Self {
            proof: number(PLIES_THAT_DOUBLE_PROOFS, 1.0 / odds),
            disproof: number(PLIES_THAT_DOUBLE_DISPROOFS, odds * moves),
        }
    }

    /// As numbers for others than the search: proof and disproof, `None` for never.
    pub(super) fn numbers(self) -> [Option<Number>; 2] {
        [self.proof, self.disproof].map(|number| (number != INFINITE).then_some(number))
    }

    /// Whether the wish comes true, once that is known.
    pub(super) fn verdict(self) -> Option<bool> {
        match self {
            Self { proof: 0, .. } => Some(true),
            Self { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }

    /// Whether one of the two is as long as its limit.
    pub(super) fn reaches(self, limits: Self) -> bool {
        self.proof >= limits.proof || self.disproof >= limits.disproof
    }
}

/// A move with what is known of the position behind it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProofChild<M> {
    pub mv: M,
    pub key: u64,
    /// As the opponent sees it, who is to move there.
    pub distance: ProofNumbers,
}

/// What the branches of a node come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ChildSummary {
    /// As the mover sees it.
    pub distance: ProofNumbers,
    /// The branch to work on: the one with the shortest way to a proof, …
    pub favourite: usize,
    /// … and how long the second shortest is.
    second: Number,
}

/// One branch proves the wish, all have to be disproven for it to fail: its way to a proof is as
/// long as the shortest of theirs, the ways to a disproof add up. A branch is seen by the opponent,
/// whose disproof is the mover's proof.
pub(super) fn summarize<M>(branches: &[ProofChild<M>]) -> ChildSummary {
    let (mut proof, mut second, mut favourite) = (INFINITE, INFINITE, 0);
    let (mut disproof, mut never) = (0, false);
    for (index, branch) in branches.iter().enumerate() {
        let ProofNumbers { proof: own, disproof: other } = branch.distance;
        if other < proof {
            (second, proof, favourite) = (proof, other, index);
        } else {
            second = second.min(other);
        }
        disproof += u64::from(own);
        never |= own == INFINITE;
    }
    let disproof = if never { INFINITE } else { disproof.min(u64::from(INFINITE) - 1) as Number };
    ChildSummary { distance: ProofNumbers { proof, disproof }, favourite, second }
}

impl ChildSummary {
    /// The same with another favourite, where others are at work: `crowd` says on how many ways to a
    /// branch there are threads, each of which makes it look longer. Where the wish is likely to come
    /// true one branch will do, and work on others is mostly in vain: they part only if two are
    /// nearly alike. Where it is not, all branches have to be settled, and they share them out.
    ///
    /// Only branches within the limit are taken, so that there is something left to do there.
    pub(super) fn spread<M>(
        self,
        branches: &[ProofChild<M>],
        limits: ProofNumbers,
        crowd: impl Fn(u64) -> Number,
    ) -> Self {
        let ProofNumbers { proof, disproof } = self.distance;
        let weigh = |own: Number| match proof < disproof {
            true => own / 16,
            false => own.saturating_mul(64),
        };
        let (mut shortest, mut second, mut favourite) = (INFINITE, INFINITE, self.favourite);
        for (index, branch) in branches.iter().enumerate() {
            let own = branch.distance.disproof;
            let seeming = own.saturating_add(weigh(own).saturating_mul(crowd(branch.key)));
            if seeming < shortest && own < limits.proof {
                (second, shortest, favourite) = (shortest, seeming, index);
            } else {
                second = second.min(seeming);
            }
        }
        Self { favourite, second, ..self }
    }

    /// How long to stay with the favourite: until its node has reached its limits or another branch
    /// is clearly nearer to a proof.
    pub(super) fn child_limits(
        &self,
        favourite: ProofNumbers,
        limits: ProofNumbers,
    ) -> ProofNumbers {
        let Self { distance, second, .. } = *self;
        // The others' part of the sum stays as it is. Where there is no limit there is none below,
        // not even when the sum is more than can be counted.
        let proof = match limits.disproof {
            INFINITE => INFINITE,
            limit => limit.saturating_sub(distance.disproof).saturating_add(favourite.proof),
        };
        let patient = second.saturating_add(1).max((second as f32 * (1.0 + PATIENCE)) as Number);
        ProofNumbers { proof, disproof: limits.proof.min(patient) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::TixTax;

    fn branches(distances: &[(Number, Number)]) -> Vec<ProofChild<usize>> {
        let branch = |(mv, &(proof, disproof))| ProofChild {
            mv,
            key: mv as u64,
            distance: ProofNumbers { proof, disproof },
        };
        distances.iter().enumerate().map(branch).collect()
    }

    #[test]
    fn one_branch_proves_and_all_disprove() {
        let summary = summarize(&branches(&[(5, 9), (7, 3), (1, 4)]));
        assert_eq!(summary.distance, ProofNumbers { proof: 3, disproof: 13 });
        assert_eq!((summary.favourite, summary.second), (1, 4));
        assert_eq!(summarize(&branches(&[(5, 9), (INFINITE, 0)])).distance, ProofNumbers::PROVEN);
        assert_eq!(summarize(&branches(&[(0, INFINITE)])).distance, ProofNumbers::DISPROVEN);
        // More than can be counted is not never.
        let far = summarize(&branches(&[(INFINITE - 1, 1), (INFINITE - 1, 2)]));
        assert_eq!(far.distance.disproof, INFINITE - 1);
    }

    #[test]
    fn who_has_farther_to_go_is_farther_from_both_answers() {
        let far: TixTax = "9/9/9/9/4x4/9/9/9/9 o 1 e5".parse().unwrap();
        let near: TixTax = "xxx6/9/9/9/oo7/9/9/9/9 o 3 a9".parse().unwrap();
        let [far, near] = [far, near].map(|pos| (pos, ProofNumbers::likely(&pos, 1.0)));
        assert_eq!((far.0.max_plies_left(), near.0.max_plies_left()), (Some(80), Some(70)));
        // In the second there is a choice of many boards.
        assert!(far.1.proof > 2 * near.1.proof);
        let each = |(pos, distance): (TixTax, ProofNumbers)| {
            distance.disproof as usize / (1 + pos.move_count())
        };
        assert!(each(far) > 2 * each(near));
        let hopeful = ProofNumbers::likely(&near.0, 7.0);
        assert!(hopeful.proof < near.1.proof && hopeful.disproof > near.1.disproof);
    }

    #[test]
    fn threads_part_where_all_branches_have_to_be_settled() {
        let hopeless = branches(&[(5, 90), (7, 30), (1, 40)]);
        let summary = summarize(&hopeless);
        let limits = |proof| ProofNumbers { proof, ..ProofNumbers::UNLIMITED };
        let busy = |key| Number::from(key == 1);
        assert_eq!(summary.spread(&hopeless, limits(INFINITE), |_| 0), summary);
        assert_eq!(summary.spread(&hopeless, limits(INFINITE), busy).favourite, 2);
        assert_eq!(summary.spread(&hopeless, limits(40), busy).favourite, 1, "2 is too long");
        let hopeful = branches(&[(500, 90), (700, 30), (100, 40)]);
        assert_eq!(summarize(&hopeful).spread(&hopeful, limits(INFINITE), busy).favourite, 1);
        let alike = branches(&[(500, 90), (700, 40), (100, 41)]);
        assert_eq!(summarize(&alike).spread(&alike, limits(INFINITE), busy).favourite, 2);
    }

    #[test]
    fn a_child_always_has_something_to_do() {
        let numbers = [1, 2, 60, 1 << 20, INFINITE - 1];
        for first in numbers {
            for second in numbers {
                let branches = branches(&[(first, second), (second, first)]);
                for limit in numbers {
                    let limits = ProofNumbers { proof: limit, disproof: limit };
                    let summary = summarize(&branches);
                    if summary.distance.reaches(limits) {
                        continue;
                    }
                    for crowded in [0, 1] {
                        let busy = |key| Number::from(key == crowded);
                        let summary = summary.spread(&branches, limits, busy);
                        let favourite = branches[summary.favourite].distance;
                        let below = summary.child_limits(favourite, limits);
                        assert!(!favourite.reaches(below), "{branches:?} {limits:?}");
                    }
                }
            }
        }
    }
}
