//! Verification of a proof: walks it again from the root, through every reply to each move that keeps
//! the value, down to positions that the rules decide.
//!
//! The verifier trusts no result of the prover, which only suggests moves; a suggested move that does
//! not keep the value is reported as an error in the proof. Results are reused only for identical
//! positions, never for symmetric images or positions that share a value key.

use super::{ProofNumberHeuristic, Prover, ValueBounds};
use crate::rules::{Game, Side, Value};

/// The result of verifying a proof. `P` is the position type, or its FEN where the game is not known
/// at compile time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verification<P> {
    Confirmed {
        positions: u64,
        /// The longest a win takes on the lines visited, in plies; 0 for other values.
        plies: u16,
    },
    /// The proof is wrong: no move keeps the claimed value in this position.
    Refuted(P),
    Stopped,
}

impl<G: Game> Verification<G> {
    /// The same result with its position as FEN.
    #[must_use]
    pub fn with_fen(self) -> Verification<String> {
        match self {
            Self::Confirmed { positions, plies } => Verification::Confirmed { positions, plies },
            Self::Refuted(pos) => Verification::Refuted(pos.to_string()),
            Self::Stopped => Verification::Stopped,
        }
    }
}

/// Why a walk ended early.
enum WalkError<G> {
    Refuted(G),
    Stopped,
}

/// "`side` reaches at least `target` from `pos`."
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PositionClaim<G> {
    pos: G,
    side: Side,
    target: Value,
}

/// A confirmed claim with the longest win in plies.
type ConfirmedClaim<G> = (PositionClaim<G>, u16);

/// Verifies proofs.
pub struct Verifier<G> {
    /// Confirmed claims, a direct-mapped cache.
    confirmed: Vec<Option<ConfirmedClaim<G>>>,
    positions: u64,
}

impl<G: Game> Verifier<G> {
    /// Creates a verifier with a cache of at most this size.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let count = (bytes / size_of::<Option<ConfirmedClaim<G>>>()).max(1);
        let mut confirmed = Vec::new();
        // Without a cache the verification is slower, but correct.
        let count = confirmed.try_reserve_exact(count).map_or(1, |()| count);
        confirmed.resize(count, None);
        Self { confirmed, positions: 0 }
    }

    /// Verifies that the value of a position lies within `bounds`. `prover` suggests the moves; where
    /// its table no longer has the proof, it searches again. `watch` is called regularly with the
    /// number of positions visited and returns whether to stop.
    pub fn verify<H: ProofNumberHeuristic<G>>(
        &mut self,
        prover: &mut Prover<G, H>,
        pos: &G,
        bounds: ValueBounds,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Verification<G> {
        self.positions = 0;
        let mover = pos.side();
        let claims = [(mover, bounds.lower), (mover.other(), bounds.upper.flip())];
        let mut walk = ProofWalk { verifier: self, prover, watch };
        let mut longest = 0;
        for (side, target) in claims {
            match walk.reaches(pos, side, target) {
                Ok(Some(plies)) => longest = longest.max(plies),
                Ok(None) => return Verification::Refuted(*pos),
                Err(WalkError::Refuted(pos)) => return Verification::Refuted(pos),
                Err(WalkError::Stopped) => return Verification::Stopped,
            }
        }
        Verification::Confirmed { positions: self.positions, plies: longest }
    }

    fn slot(&self, pos: &G) -> usize {
        ((u128::from(pos.key()) * self.confirmed.len() as u128) >> 64) as usize
    }
}

struct ProofWalk<'a, G: Game, H> {
    verifier: &'a mut Verifier<G>,
    prover: &'a mut Prover<G, H>,
    watch: &'a mut dyn FnMut(u64) -> bool,
}

impl<G: Game, H: ProofNumberHeuristic<G>> ProofWalk<'_, G, H> {
    /// Returns the longest win in plies (0 for a draw) if `side` reaches at least `target`, otherwise
    /// `None`.
    fn reaches(&mut self, pos: &G, side: Side, target: Value) -> Result<Option<u16>, WalkError<G>> {
        if let Some(known) = self.result_without_search(pos, side, target) {
            return Ok(known);
        }
        self.verifier.positions += 1;
        if self.verifier.positions.is_multiple_of(1024) && self.is_stopped() {
            return Err(WalkError::Stopped);
        }
        let longest = if pos.side() == side {
            self.some_move_reaches(pos, side, target)?
        } else {
            self.all_moves_reach(pos, side, target)?
        };
        let longest = longest.map(|plies| if target == Value::Win { plies + 1 } else { 0 });
        if let Some(plies) = longest {
            let slot = self.verifier.slot(pos);
            self.verifier.confirmed[slot] =
                Some((PositionClaim { pos: *pos, side, target }, plies));
        }
        Ok(longest)
    }

    /// The result of [`Self::reaches`] if the rules decide it or the claim was confirmed before.
    fn result_without_search(&self, pos: &G, side: Side, target: Value) -> Option<Option<u16>> {
        if let Some(outcome) = pos.outcome() {
            return Some((outcome.value_for(side) >= target).then_some(0));
        }
        // `can_still_win` and `has_secured_win` are part of the rules, so they may be trusted.
        if target == Value::Loss || target == Value::Draw && !pos.can_still_win(side.other()) {
            return Some(Some(0));
        }
        if target == Value::Win && !pos.can_still_win(side) {
            return Some(None);
        }
        if target == Value::Win && pos.has_secured_win(side) {
            return Some(Some(pos.max_plies_left().map_or(u16::MAX, |left| left as u16)));
        }
        let (confirmed, plies) = self.verifier.confirmed[self.verifier.slot(pos)]?;
        (confirmed == PositionClaim { pos: *pos, side, target }).then_some(Some(plies))
    }

    fn is_stopped(&mut self) -> bool {
        (self.watch)(self.verifier.positions)
    }

    /// Checks that `side` reaches its target after every move of the opponent.
    fn all_moves_reach(
        &mut self,
        pos: &G,
        side: Side,
        target: Value,
    ) -> Result<Option<u16>, WalkError<G>> {
        let mut longest = 0;
        for mv in pos.legal_moves() {
            let Some(plies) = self.reaches(&pos.after(mv), side, target)? else { return Ok(None) };
            longest = longest.max(plies);
        }
        Ok(Some(longest))
    }

    /// With `side` to move: one move has to reach its target. A move to a position that is confirmed or
    /// decided is preferred to the one that the prover suggests, since it leaves nothing to walk.
    fn some_move_reaches(
        &mut self,
        pos: &G,
        side: Side,
        target: Value,
    ) -> Result<Option<u16>, WalkError<G>> {
        let known = |mv| self.result_without_search(&pos.after(mv), side, target).flatten();
        if let Some(plies) = pos.legal_moves().into_iter().find_map(known) {
            return Ok(Some(plies));
        }
        let positions = self.verifier.positions;
        let mut stop = || (self.watch)(positions);
        let Some(mv) = self.prover.find_answer(pos, target, &mut stop) else {
            return Err(if self.is_stopped() {
                WalkError::Stopped
            } else {
                WalkError::Refuted(*pos)
            });
        };
        let longest = self.reaches(&pos.after(mv), side, target)?;
        if longest.is_some() { Ok(longest) } else { Err(WalkError::Refuted(*pos)) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::prover::tests::{late_positions, never};
    use super::*;
    use crate::games::{TixTax, TixTaxCount, TixTaxOpen};
    use crate::rules::ExactValue;
    use crate::solve::{UniformHeuristic, reference};

    fn never_stop(_: u64) -> bool {
        false
    }

    const VALUES: [Value; 3] = [Value::Loss, Value::Draw, Value::Win];

    /// Verifies all bounds of late positions, with and without a cache: exactly those that contain the
    /// value are confirmed.
    fn confirms_exactly_the_true_bounds<G: Game>(plies: u32) {
        let mut prover = Prover::new(UniformHeuristic, 1 << 20).unwrap();
        for mut verifier in [Verifier::new(0), Verifier::new(1 << 20)] {
            for pos in late_positions::<G>(12, plies) {
                let value = prover.prove(&pos, u64::MAX, &mut never).value().unwrap();
                for lower in VALUES {
                    for upper in VALUES.into_iter().filter(|upper| lower <= *upper) {
                        let bounds = ValueBounds { lower, upper };
                        let result = verifier.verify(&mut prover, &pos, bounds, &mut never_stop);
                        let confirmed = matches!(result, Verification::Confirmed { .. });
                        let expected = lower <= value && value <= upper;
                        assert_eq!(confirmed, expected, "{pos} {bounds:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn wrong_bounds_are_refuted() {
        confirms_exactly_the_true_bounds::<TixTax>(10);
        confirms_exactly_the_true_bounds::<TixTax>(20);
        confirms_exactly_the_true_bounds::<TixTaxOpen>(18);
        confirms_exactly_the_true_bounds::<TixTaxCount>(18);
    }

    #[test]
    fn cache_saves_repeated_visits() {
        let mut prover = Prover::new(UniformHeuristic, 1 << 20).unwrap();
        let mut visited = [0; 2];
        for pos in late_positions::<TixTax>(6, 32) {
            let value = prover.prove(&pos, u64::MAX, &mut never).value().unwrap();
            for (sum, bytes) in visited.iter_mut().zip([1 << 20, 1 << 7]) {
                let bounds = ValueBounds::exactly(value);
                let result =
                    Verifier::new(bytes).verify(&mut prover, &pos, bounds, &mut never_stop);
                let Verification::Confirmed { positions, .. } = result else { panic!("{pos}") };
                *sum += positions;
            }
        }
        let [with, without] = visited;
        assert!(with * 5 < without * 4, "{with} against {without}");
    }

    /// The reported plies lie between the fastest win and the end of the game.
    #[test]
    fn reported_win_length_is_between_fastest_win_and_game_end() {
        let mut prover = Prover::new(UniformHeuristic, 1 << 20).unwrap();
        let mut wins = 0;
        for pos in late_positions::<TixTax>(60, 10) {
            let exact = reference::negamax(&pos);
            let mut verifier = Verifier::new(1 << 16);
            let bounds = ValueBounds::exactly(exact.value());
            let result = verifier.verify(&mut prover, &pos, bounds, &mut never_stop);
            let Verification::Confirmed { plies, .. } = result else { panic!("{pos}") };
            let ExactValue::Win(fastest) = exact else { continue };
            wins += 1;
            let left = pos.max_plies_left().unwrap() as u16;
            assert!((fastest..=left).contains(&plies), "{pos}: {fastest}, {plies}, {left}");
        }
        assert!(wins > 10);
    }
}
