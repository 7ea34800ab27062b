//! Nodes for a proof tree kept by another program, for example one that distributes its leaves over
//! many machines.
//!
//! The numbers are computed as the prover's own initial estimates are.

use super::ValueBounds;
use super::proof_numbers::ProofNumbers;
use crate::rules::{GameNotation, Notation, Side, Value};

/// A position as a node of a proof tree. `P` is the position, or its FEN where the game is not known
/// at compile time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofNode<P> {
    pub position: P,
    /// A text shared by all symmetric images of the position and by no other position.
    pub class: String,
    pub side: Side,
    /// Bounds of the value for the side to move that follow from the rules without search.
    pub bounds: ValueBounds,
    /// Proof and disproof number of a win for the side to move; `None` is infinity.
    pub win: [Option<u32>; 2],
    /// The same for at least a draw.
    pub draw: [Option<u32>; 2],
}

impl<G: GameNotation> ProofNode<G> {
    /// Creates the node of a position. `odds` estimates the odds that its side to move wins, and that it
    /// at least draws; it is only called for positions with open bounds.
    pub fn new(pos: &G, odds: &mut impl FnMut(&G) -> [f32; 2]) -> Self {
        Self::with_class(pos, symmetry_class(pos), odds)
    }

    fn with_class(pos: &G, class: String, odds: &mut impl FnMut(&G) -> [f32; 2]) -> Self {
        let bounds = ValueBounds::OPEN.narrowed_by_rules(pos).relative_to(pos.side());
        let [win, draw] = if bounds.value().is_some() { [1.0; 2] } else { odds(pos) };
        let numbers = |target: Value, odds: f32| {
            let numbers = match bounds {
                ValueBounds { lower, .. } if lower >= target => ProofNumbers::PROVEN,
                ValueBounds { upper, .. } if upper < target => ProofNumbers::DISPROVEN,
                _ => ProofNumbers::estimate(pos, odds),
            };
            numbers.finite()
        };
        let (win, draw) = (numbers(Value::Win, win), numbers(Value::Draw, draw));
        Self { position: *pos, class, side: pos.side(), bounds, win, draw }
    }

    /// Returns one child per class of symmetric positions, with the first move that leads to it.
    pub fn children(&self, odds: &mut impl FnMut(&G) -> [f32; 2]) -> Vec<(G::Move, Self)> {
        let mut children: Vec<(G::Move, Self)> = Vec::new();
        for mv in self.position.legal_moves() {
            let child = self.position.after(mv);
            let class = symmetry_class(&child);
            if children.iter().all(|(_, other)| other.class != class) {
                children.push((mv, Self::with_class(&child, class, odds)));
            }
        }
        children
    }

    #[must_use]
    pub fn with_fen(self) -> ProofNode<String> {
        let Self { position, class, side, bounds, win, draw } = self;
        ProofNode { position: position.to_string(), class, side, bounds, win, draw }
    }
}

/// A text shared by all symmetric images of a position and by no other position.
fn symmetry_class<G: GameNotation>(pos: &G) -> String {
    let images = (0..G::SYMMETRIES).map(|symmetry| canonical_text(&pos.image(symmetry)));
    images.min().unwrap_or_default()
}

/// A text that equal positions share: the compact notation, where the game has it, since it leaves
/// out the last move.
fn canonical_text<G: GameNotation>(pos: &G) -> String {
    pos.write_as(Notation::Compact).unwrap_or_else(|| pos.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{TicTacToe, TixTax, TixTaxCount, TixTaxOpen};
    use crate::rules::random_positions::random_late_position;
    use crate::rules::{Game, SplitMix};
    use crate::solve::{Prover, UniformHeuristic, reference};

    fn even<G>(_: &G) -> [f32; 2] {
        [1.0; 2]
    }

    #[test]
    fn symmetric_positions_are_one_node() {
        fn check<G: GameNotation>() {
            let mut random = SplitMix::new(3);
            for _ in 0..50 {
                let mut pos = G::start();
                for _ in 0..random.below(30) {
                    if pos.outcome().is_none() {
                        pos.play_unchecked(pos.random_move(&mut random));
                    }
                }
                let node = ProofNode::new(&pos, &mut even);
                for symmetry in 0..G::SYMMETRIES {
                    let image = ProofNode::new(&pos.image(symmetry), &mut even);
                    assert_eq!(ProofNode { position: pos, ..image }, node, "{pos} {symmetry}");
                }
            }
        }
        check::<TixTax>();
        check::<TixTaxOpen>();
        check::<TixTaxCount>();
        check::<TicTacToe>();
    }

    #[test]
    fn start_position_has_fifteen_children() {
        let node = ProofNode::new(&TixTax::start(), &mut even);
        let children = node.children(&mut even);
        assert_eq!(children.len(), 15);
        assert!(children.iter().all(|(_, child)| child.bounds == ValueBounds::OPEN));
    }

    #[test]
    fn bounds_without_search_contain_the_value() {
        let mut random = SplitMix::new(11);
        let mut decided = 0;
        for _ in 0..200 {
            let pos = random_late_position(TixTax::start(), 10, &mut random);
            let node = ProofNode::new(&pos, &mut even);
            let mut prover = Prover::new(UniformHeuristic, 1 << 20).unwrap();
            let value = prover.prove(&pos, u64::MAX, &mut || false).value().unwrap();
            assert_eq!(reference::negamax(&pos).value(), value);
            assert!((node.bounds.lower..=node.bounds.upper).contains(&value), "{pos}");
            decided += usize::from(node.bounds != ValueBounds::OPEN);
            for (target, numbers) in [(Value::Win, node.win), (Value::Draw, node.draw)] {
                match node.bounds {
                    ValueBounds { lower, .. } if lower >= target => {
                        assert_eq!(numbers, [Some(0), None]);
                    }
                    ValueBounds { upper, .. } if upper < target => {
                        assert_eq!(numbers, [None, Some(0)]);
                    }
                    _ => assert!(numbers.iter().all(|number| *number > Some(0)), "{pos}"),
                }
            }
        }
        assert!(decided > 20, "{decided}");
    }
}
