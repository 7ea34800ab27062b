//! A position and what its moves lead to, as nodes of a proof tree that is kept elsewhere: by
//! somebody who shares out its leaves among many machines.
//!
//! The numbers are those that the prover itself begins with, so that both prefer the same branches.

use super::proof_numbers::ProofNumbers;
use super::{Guide, ProofGoal, ValueBounds};
use crate::rules::{Game, Notation, Value};

/// A position as one node among others.
#[derive(Debug, Clone, PartialEq)]
pub struct ProofNode<G> {
    /// The position.
    pub pos: G,
    /// The same for all images of the position, and for no other.
    pub class: String,
    /// What the rules tell of its value for the mover.
    pub bounds: ValueBounds,
    /// How far it is from a win of the mover being proven, and from its being disproven; `None` for
    /// never.
    pub win: [Option<u32>; 2],
    /// The same for at least a draw.
    pub draw: [Option<u32>; 2],
}

impl<G: Game> ProofNode<G> {
    /// The node of a position that nothing is known of beyond the rules.
    pub fn new<H: Guide<G>>(pos: &G, guide: &mut H) -> Self {
        let pos = *pos;
        let names = (0..G::SYMMETRIES).map(|symmetry| name(&pos.image(symmetry)));
        let class = names.min().unwrap_or_default();
        let mut bounds = ValueBounds::OPEN;
        for question in [ProofGoal::Wins, ProofGoal::Holds] {
            if let Some(answer) = question.known(&pos) {
                bounds = question.narrow(bounds, answer);
            }
        }
        let bounds = bounds.turned(pos.side());
        guide.reset(&pos);
        let mut distance = |aim: Value| {
            let known = match bounds {
                ValueBounds { least, .. } if least >= aim => Some(true),
                ValueBounds { most, .. } if most < aim => Some(false),
                _ => None,
            };
            let distance = match known {
                Some(wish) => ProofNumbers::settled(wish),
                None => ProofNumbers::likely(&pos, guide.odds(&pos, aim)),
            };
            distance.numbers()
        };
        let (win, draw) = (distance(Value::Win), distance(Value::Draw));
        Self { pos, class, bounds, win, draw }
    }

    /// What the moves lead to, classes that several lead to once, each with the first such move.
    pub fn branches<H: Guide<G>>(&self, guide: &mut H) -> Vec<(G::Move, Self)> {
        let mut branches: Vec<(G::Move, Self)> = Vec::new();
        for mv in self.pos.legal_moves() {
            let leaf = Self::new(&self.pos.after(mv), guide);
            if branches.iter().all(|(_, other)| other.class != leaf.class) {
                branches.push((mv, leaf));
            }
        }
        branches
    }
}

/// A text that equal positions share: the notation that leaves out by which stone the mover was
/// sent, where the game has it.
fn name<G: Game>(pos: &G) -> String {
    pos.write_as(Notation::Compact).unwrap_or_else(|| pos.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{TicTacToe, TixTax, TixTaxOpen};
    use crate::rules::SplitMix;
    use crate::solve::{Prover, UniformGuide, reference};

    #[test]
    fn images_are_one_node() {
        fn check<G: Game>() {
            let mut random = SplitMix::new(3);
            for _ in 0..50 {
                let mut pos = G::start();
                for _ in 0..random.below(30) {
                    if pos.outcome().is_none() {
                        pos.play_unchecked(pos.random_move(&mut random));
                    }
                }
                let leaf = ProofNode::new(&pos, &mut UniformGuide);
                for symmetry in 0..G::SYMMETRIES {
                    let image = pos.image(symmetry);
                    let turned = ProofNode::new(&image, &mut UniformGuide);
                    assert_eq!(ProofNode { pos, ..turned }, leaf, "{pos} {symmetry}");
                }
            }
        }
        check::<TixTax>();
        check::<TixTaxOpen>();
        check::<TicTacToe>();
    }

    #[test]
    fn the_first_moves_are_fifteen() {
        let leaf = ProofNode::new(&TixTax::start(), &mut UniformGuide);
        let branches = leaf.branches(&mut UniformGuide);
        assert_eq!(branches.len(), 15);
        assert!(branches.iter().all(|(_, branch)| branch.bounds == ValueBounds::OPEN));
    }

    #[test]
    fn what_is_said_without_search_is_true() {
        let mut random = SplitMix::new(11);
        let mut settled = 0;
        for _ in 0..200 {
            let mut pos = TixTax::start();
            while pos.outcome().is_none() && pos.max_plies_left().is_some_and(|left| left > 10) {
                pos.play_unchecked(pos.random_move(&mut random));
            }
            let leaf = ProofNode::new(&pos, &mut UniformGuide);
            let mut prover = Prover::new(UniformGuide, 1 << 20).unwrap();
            let value = prover.prove(&pos, u64::MAX, &mut || false).value().unwrap();
            assert_eq!(reference::negamax(&pos).value(), value);
            assert!((leaf.bounds.least..=leaf.bounds.most).contains(&value), "{pos}");
            settled += usize::from(leaf.bounds != ValueBounds::OPEN);
            for (aim, numbers) in [(Value::Win, leaf.win), (Value::Draw, leaf.draw)] {
                match leaf.bounds {
                    ValueBounds { least, .. } if least >= aim => {
                        assert_eq!(numbers, [Some(0), None])
                    }
                    ValueBounds { most, .. } if most < aim => assert_eq!(numbers, [None, Some(0)]),
                    _ => assert!(numbers.iter().all(|number| *number > Some(0)), "{pos}"),
                }
            }
        }
        assert!(settled > 20, "{settled}");
    }
}
