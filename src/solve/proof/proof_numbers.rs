//! Proof and disproof numbers: initial estimates, and how a node's numbers follow from its children.

use super::endgame;
use crate::rules::Game;

/// A proof or disproof number: the estimated effort to settle a position, a weighted count of open
/// leaves.
pub(super) type Number = u32;

/// The number of a result that is impossible.
pub(super) const INFINITE: Number = Number::MAX;

/// The initial number of a position with even odds at the endgame boundary; a larger unit resolves
/// finer differences in odds.
const UNIT: f32 = 64.0;
/// This many more plies to the end double the initial proof number.
const PLIES_DOUBLING_PROOF: f32 = 6.0;
/// This many more plies to the end double the initial disproof number, which also grows with the number
/// of safe moves.
const PLIES_DOUBLING_DISPROOF: f32 = 9.0;
/// The effort to refute all unsafe moves together, relative to one safe move. Above 0, so that
/// a position without safe moves keeps a disproof number in proportion to its odds. With a value of 1,
/// proofs of 30 positions took 1.01 times the nodes, no measurable difference.
const UNSAFE_MOVES_EFFORT: f32 = 0.5;
/// Odds are clamped to this factor.
const MAX_ODDS: f32 = 1000.0;
/// The 1+ε trick: the search leaves a child only when its number exceeds the second best by this
/// fraction. It avoids switching back and forth between nearly equal children (Pawlewicz and Lew,
/// 2007).
const EPSILON: f32 = 0.12;

/// Proof and disproof number of a position, for the side to move: the proof number estimates the
/// effort to prove that it reaches its target (see [`super::ProofGoal::target`]), the disproof number
/// the effort to prove that it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProofNumbers {
    pub proof: Number,
    pub disproof: Number,
}

impl ProofNumbers {
    pub(super) const PROVEN: Self = Self { proof: 0, disproof: INFINITE };
    pub(super) const DISPROVEN: Self = Self { proof: INFINITE, disproof: 0 };
    /// Thresholds that are never reached: the search of a node ends only with a result.
    pub(super) const NO_LIMIT: Self = Self { proof: INFINITE, disproof: INFINITE };
    /// The numbers of a child before they are initialized.
    pub(super) const UNINITIALIZED: Self = Self { proof: INFINITE, disproof: INFINITE };

    pub(super) fn solved(proven: bool) -> Self {
        if proven { Self::PROVEN } else { Self::DISPROVEN }
    }

    /// Initial numbers of a new position. The better the odds of a proof, the smaller the proof
    /// number and the larger the disproof number. The disproof number also grows with the number of
    /// moves that have to be refuted, and both grow with the plies left. Moves that let the opponent win
    /// at once are left out, which made proofs of 30 positions a fifth smaller.
    pub(super) fn estimate<G: Game>(pos: &G, odds: f32) -> Self {
        let odds = odds.clamp(1.0 / MAX_ODDS, MAX_ODDS);
        let plies = pos.max_plies_left().unwrap_or_default() as f32 - endgame::PLIES as f32;
        let number = |doubling: f32, factor: f32| {
            let unit = UNIT * libm::exp2f(plies / doubling);
            ((unit * factor) as Number).clamp(1, INFINITE - 1)
        };
        let moves = UNSAFE_MOVES_EFFORT + pos.safe_move_count() as f32;
        Self {
            proof: number(PLIES_DOUBLING_PROOF, 1.0 / odds),
            disproof: number(PLIES_DOUBLING_DISPROOF, odds * moves),
        }
    }

    /// Proof and disproof number, `None` for infinity.
    pub(super) fn finite(self) -> [Option<Number>; 2] {
        [self.proof, self.disproof].map(|number| (number != INFINITE).then_some(number))
    }

    /// Whether the side to move reaches its target, once that is settled.
    pub(super) fn result(self) -> Option<bool> {
        match self {
            Self { proof: 0, .. } => Some(true),
            Self { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }

    pub(super) fn reaches(self, thresholds: Self) -> bool {
        self.proof >= thresholds.proof || self.disproof >= thresholds.disproof
    }
}

/// A move with the key and numbers of the position after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProofChild<M> {
    pub mv: M,
    pub key: u64,
    /// From the opponent's point of view, who is to move there.
    pub numbers: ProofNumbers,
}

/// A node's numbers and its most-proving child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ChildSummary {
    /// From the point of view of the side to move at the node.
    pub numbers: ProofNumbers,
    /// Index of the most-proving child, the one with the least disproof number.
    pub most_proving: usize,
    /// The second least disproof number.
    second: Number,
}

/// Computes a node's numbers: its proof number is the least disproof number of its children, since
/// one child is enough for a proof; its disproof number is the sum of their proof numbers, since a
/// disproof has to cover all of them.
pub(super) fn summarize<M>(children: &[ProofChild<M>]) -> ChildSummary {
    let (mut proof, mut second, mut most_proving) = (INFINITE, INFINITE, 0);
    let (mut disproof, mut impossible) = (0, false);
    for (index, child) in children.iter().enumerate() {
        let ProofNumbers { proof: child_proof, disproof: child_disproof } = child.numbers;
        if child_disproof < proof {
            (second, proof, most_proving) = (proof, child_disproof, index);
        } else {
            second = second.min(child_disproof);
        }
        disproof += u64::from(child_proof);
        impossible |= child_proof == INFINITE;
    }
    let disproof =
        if impossible { INFINITE } else { disproof.min(u64::from(INFINITE) - 1) as Number };
    ChildSummary { numbers: ProofNumbers { proof, disproof }, most_proving, second }
}

impl ChildSummary {
    /// Virtual proof numbers: selects the most-proving child again with the number of each child
    /// raised for every thread below it (`occupancy` returns how many there are). If a proof is
    /// likely, one child will do and the raise is small, so threads separate only between nearly
    /// equal children. Otherwise all children have to be disproven and threads share them out.
    ///
    /// Considers only children below the threshold, so that a search of the selected child makes
    /// progress.
    pub(super) fn with_virtual_numbers<M>(
        self,
        children: &[ProofChild<M>],
        thresholds: ProofNumbers,
        occupancy: impl Fn(u64) -> Number,
    ) -> Self {
        let ProofNumbers { proof, disproof } = self.numbers;
        // The best of the factors tried on two threads (`research/prover.md`).
        let raise_per_thread = |number: Number| {
            if proof < disproof { number / 16 } else { number.saturating_mul(64) }
        };
        let (mut least, mut second, mut most_proving) = (INFINITE, INFINITE, self.most_proving);
        for (index, child) in children.iter().enumerate() {
            let number = child.numbers.disproof;
            let raise = raise_per_thread(number).saturating_mul(occupancy(child.key));
            let virtual_number = number.saturating_add(raise);
            if virtual_number < least && number < thresholds.proof {
                (second, least, most_proving) = (least, virtual_number, index);
            } else {
                second = second.min(virtual_number);
            }
        }
        Self { most_proving, second, ..self }
    }

    /// The thresholds for searching the most-proving child: it is left once its node has reached its
    /// own thresholds or another child is clearly better.
    pub(super) fn child_thresholds(
        &self,
        child: ProofNumbers,
        thresholds: ProofNumbers,
    ) -> ProofNumbers {
        let Self { numbers, second, .. } = *self;
        // The siblings' share of the sum stays as it is. An infinite threshold stays infinite, even
        // if the sum was capped.
        let proof = match thresholds.disproof {
            INFINITE => INFINITE,
            limit => limit.saturating_sub(numbers.disproof).saturating_add(child.proof),
        };
        let limit = second.saturating_add(1).max((second as f32 * (1.0 + EPSILON)) as Number);
        ProofNumbers { proof, disproof: thresholds.proof.min(limit) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::TixTax;

    fn children(numbers: &[(Number, Number)]) -> Vec<ProofChild<usize>> {
        let child = |(mv, &(proof, disproof))| ProofChild {
            mv,
            key: mv as u64,
            numbers: ProofNumbers { proof, disproof },
        };
        numbers.iter().enumerate().map(child).collect()
    }

    #[test]
    fn proof_takes_the_minimum_and_disproof_the_sum_of_the_children() {
        let summary = summarize(&children(&[(5, 9), (7, 3), (1, 4)]));
        assert_eq!(summary.numbers, ProofNumbers { proof: 3, disproof: 13 });
        assert_eq!((summary.most_proving, summary.second), (1, 4));
        assert_eq!(summarize(&children(&[(5, 9), (INFINITE, 0)])).numbers, ProofNumbers::PROVEN);
        assert_eq!(summarize(&children(&[(0, INFINITE)])).numbers, ProofNumbers::DISPROVEN);
        // A sum that overflows is capped below infinity.
        let large = summarize(&children(&[(INFINITE - 1, 1), (INFINITE - 1, 2)]));
        assert_eq!(large.numbers.disproof, INFINITE - 1);
    }

    #[test]
    fn estimates_grow_with_the_plies_left_and_follow_the_odds() {
        let far: TixTax = "9/9/9/9/4x4/9/9/9/9 o 1 e5".parse().unwrap();
        let near: TixTax = "xxx6/9/9/9/oo7/9/9/9/9 o 3 a9".parse().unwrap();
        let [far, near] = [far, near].map(|pos| (pos, ProofNumbers::estimate(&pos, 1.0)));
        assert_eq!((far.0.max_plies_left(), near.0.max_plies_left()), (Some(80), Some(70)));
        // The second position allows moves on many boards.
        assert!(far.1.proof > 2 * near.1.proof);
        let disproof_per_move = |(pos, numbers): (TixTax, ProofNumbers)| {
            numbers.disproof as usize / (1 + pos.move_count())
        };
        assert!(disproof_per_move(far) > 2 * disproof_per_move(near));
        let good_odds = ProofNumbers::estimate(&near.0, 7.0);
        assert!(good_odds.proof < near.1.proof && good_odds.disproof > near.1.disproof);
    }

    #[test]
    fn threads_separate_where_all_children_have_to_be_disproven() {
        let unlikely = children(&[(5, 90), (7, 30), (1, 40)]);
        let summary = summarize(&unlikely);
        let thresholds = |proof| ProofNumbers { proof, ..ProofNumbers::NO_LIMIT };
        let busy = |key| Number::from(key == 1);
        let most_proving = |children: &[_], proof| {
            let summary = summarize(children);
            summary.with_virtual_numbers(children, thresholds(proof), busy).most_proving
        };
        let unoccupied = summary.with_virtual_numbers(&unlikely, thresholds(INFINITE), |_| 0);
        assert_eq!(unoccupied, summary);
        assert_eq!(most_proving(&unlikely, INFINITE), 2);
        assert_eq!(most_proving(&unlikely, 40), 1, "child 2 has reached the threshold");
        let likely = children(&[(500, 90), (700, 30), (100, 40)]);
        assert_eq!(most_proving(&likely, INFINITE), 1);
        let nearly_equal = children(&[(500, 90), (700, 40), (100, 41)]);
        assert_eq!(most_proving(&nearly_equal, INFINITE), 2);
    }

    #[test]
    fn selected_child_is_always_below_its_thresholds() {
        let numbers = [1, 2, 60, 1 << 20, INFINITE - 1];
        for first in numbers {
            for second in numbers {
                let children = children(&[(first, second), (second, first)]);
                for limit in numbers {
                    let thresholds = ProofNumbers { proof: limit, disproof: limit };
                    let summary = summarize(&children);
                    if summary.numbers.reaches(thresholds) {
                        continue;
                    }
                    for occupied in [0, 1] {
                        let busy = |key| Number::from(key == occupied);
                        let summary = summary.with_virtual_numbers(&children, thresholds, busy);
                        let child = children[summary.most_proving].numbers;
                        let below = summary.child_thresholds(child, thresholds);
                        assert!(!child.reaches(below), "{children:?} {thresholds:?}");
                    }
                }
            }
        }
    }
}
