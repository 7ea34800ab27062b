//! A second look at a proof: it is walked again from the root, every reply to every move that keeps
//! the value, down to positions that the rules decide.
//!
//! Nothing that the prover found out is believed. Its table only tells which move to try first; a
//! move that it names and that does not keep the value is a mistake in the proof, and reported.
//! Nothing is carried over from one position to another, be it an image of it or one that differs
//! only in what can no longer matter: a position that was walked before counts only if it is the
//! same to the last stone.

use super::{Guide, Prover, ValueBounds};
use crate::rules::{Game, Side, Value};

/// With so many plies left or fewer, all moves are tried, without asking the prover.
const NEAR_END: u32 = 14;

/// What came of a second look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verification<G> {
    /// The proof holds.
    Holds {
        /// How many positions were walked through.
        positions: u64,
        /// How many plies a win takes at most, played as it was walked; 0 for anything else.
        plies: u16,
    },
    /// It does not, for no move here keeps what is claimed of the position.
    Fails(G),
    /// It was stopped before the end.
    Stopped,
}

/// Why a walk ended before the end.
enum Broken<G> {
    Fails(G),
    Stopped,
}

/// Something that was found true of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Claim<G> {
    pos: G,
    side: Side,
    aim: Value,
}

/// A claim with how many plies it takes at most for a win.
type Found<G> = (Claim<G>, u16);

/// Walks through proofs.
pub struct Verifier<G> {
    /// What was found true, each in the place that its key gives it; a later one takes the place of
    /// an earlier one.
    known: Vec<Option<Found<G>>>,
    positions: u64,
}

impl<G: Game> Verifier<G> {
    /// With so much memory for positions that were walked through.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let count = (bytes / size_of::<Option<Found<G>>>()).max(1);
        let mut known = Vec::new();
        // Without the memory it takes longer, no more.
        let count = known.try_reserve_exact(count).map_or(1, |()| count);
        known.resize(count, None);
        Self { known, positions: 0 }
    }

    /// Whether the value of a position lies within these bounds. The prover that found them is asked
    /// for moves; where it has forgotten them, it searches again. `watch` hears now and then how many
    /// positions were walked through, and says whether to stop.
    pub fn verify<H: Guide<G>>(
        &mut self,
        prover: &mut Prover<G, H>,
        pos: &G,
        bounds: ValueBounds,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Verification<G> {
        self.positions = 0;
        let mover = pos.side();
        let claims = [(mover, bounds.least), (mover.other(), bounds.most.flip())];
        let mut walk = Walk { verifier: self, prover, watch };
        let mut longest = 0;
        for (side, aim) in claims {
            match walk.gets(pos, side, aim) {
                Ok(Some(plies)) => longest = longest.max(plies),
                Ok(None) => return Verification::Fails(*pos),
                Err(Broken::Fails(pos)) => return Verification::Fails(pos),
                Err(Broken::Stopped) => return Verification::Stopped,
            }
        }
        Verification::Holds { positions: self.positions, plies: longest }
    }

    fn place(&self, pos: &G) -> usize {
        ((u128::from(pos.key()) * self.known.len() as u128) >> 64) as usize
    }
}

/// One walk.
struct Walk<'a, G: Game, H> {
    verifier: &'a mut Verifier<G>,
    prover: &'a mut Prover<G, H>,
    watch: &'a mut dyn FnMut(u64) -> bool,
}

impl<G: Game, H: Guide<G>> Walk<'_, G, H> {
    /// Whether `side` can bring about `aim` or more: the plies that takes at most for a win.
    fn gets(&mut self, pos: &G, side: Side, aim: Value) -> Result<Option<u16>, Broken<G>> {
        if let Some(outcome) = pos.outcome() {
            return Ok((outcome.value_for(side) >= aim).then_some(0));
        }
        // These are rules of the game, too.
        if aim == Value::Loss || aim == Value::Draw && !pos.can_still_win(side.other()) {
            return Ok(Some(0));
        }
        if aim == Value::Win && !pos.can_still_win(side) {
            return Ok(None);
        }
        let claim = Claim { pos: *pos, side, aim };
        let place = self.verifier.place(pos);
        if let Some((known, plies)) = self.verifier.known[place]
            && known == claim
        {
            return Ok(Some(plies));
        }
        self.verifier.positions += 1;
        if self.verifier.positions.is_multiple_of(1024) && self.is_stopped() {
            return Err(Broken::Stopped);
        }
        let behind = if pos.side() == side {
            self.finds(pos, side, aim)?
        } else {
            self.withstands_all(pos, side, aim)?
        };
        let plies = behind.map(|plies| if aim == Value::Win { plies + 1 } else { 0 });
        if let Some(plies) = plies {
            self.verifier.known[place] = Some((claim, plies));
        }
        Ok(plies)
    }

    fn is_stopped(&mut self) -> bool {
        (self.watch)(self.verifier.positions)
    }

    /// `side` is not to move: whether every move leaves it what it aims at, and the longest way.
    fn withstands_all(
        &mut self,
        pos: &G,
        side: Side,
        aim: Value,
    ) -> Result<Option<u16>, Broken<G>> {
        let mut longest = 0;
        for mv in pos.legal_moves() {
            let Some(plies) = self.gets(&pos.after(mv), side, aim)? else { return Ok(None) };
            longest = longest.max(plies);
        }
        Ok(Some(longest))
    }

    /// `side` is to move: whether it has a move, and the way behind it.
    fn finds(&mut self, pos: &G, side: Side, aim: Value) -> Result<Option<u16>, Broken<G>> {
        if pos.max_plies_left().is_some_and(|left| left <= NEAR_END) {
            let mut moves = pos.legal_moves();
            moves.sort_by_cached_key(|mv| pos.reply_count(*mv));
            for mv in moves {
                let way = self.gets(&pos.after(mv), side, aim)?;
                if way.is_some() {
                    return Ok(way);
                }
            }
            return Ok(None);
        }
        let positions = self.verifier.positions;
        let mut stop = || (self.watch)(positions);
        let Some(mv) = self.prover.find_optimal_move(pos, aim, u64::MAX, &mut stop) else {
            return Err(if self.is_stopped() { Broken::Stopped } else { Broken::Fails(*pos) });
        };
        let way = self.gets(&pos.after(mv), side, aim)?;
        if way.is_some() { Ok(way) } else { Err(Broken::Fails(*pos)) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::prover::tests::{late, never};
    use super::*;
    use crate::games::{TixTax, TixTaxOpen};
    use crate::rules::ExactValue;
    use crate::solve::{UniformGuide, reference};

    /// Never stops.
    fn on(_: u64) -> bool {
        false
    }

    const VALUES: [Value; 3] = [Value::Loss, Value::Draw, Value::Win];

    /// What is true holds and nothing else does, however little is kept of what was walked through.
    fn tells_true_from_false<G: Game>(plies: u32) {
        let mut prover = Prover::new(UniformGuide, 1 << 20).unwrap();
        for mut verifier in [Verifier::new(0), Verifier::new(1 << 20)] {
            for pos in late::<G>(12, plies) {
                let value = prover.prove(&pos, u64::MAX, &mut never).value().unwrap();
                for least in VALUES {
                    for most in VALUES.into_iter().filter(|most| least <= *most) {
                        let bounds = ValueBounds { least, most };
                        let found = verifier.verify(&mut prover, &pos, bounds, &mut on);
                        let holds = matches!(found, Verification::Holds { .. });
                        assert_eq!(holds, least <= value && value <= most, "{pos} {bounds:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_not_true_is_found_out() {
        tells_true_from_false::<TixTax>(10);
        tells_true_from_false::<TixTax>(20);
        tells_true_from_false::<TixTaxOpen>(18);
    }

    /// With memory for it no position is walked through twice, so there are fewer of them.
    #[test]
    fn what_was_walked_through_is_known() {
        let mut prover = Prover::new(UniformGuide, 1 << 20).unwrap();
        let mut walked = [0; 2];
        for pos in late::<TixTax>(8, 18) {
            let value = prover.prove(&pos, u64::MAX, &mut never).value().unwrap();
            for (sum, bytes) in walked.iter_mut().zip([1 << 20, 1 << 7]) {
                let bounds = ValueBounds::exactly(value);
                let found = Verifier::new(bytes).verify(&mut prover, &pos, bounds, &mut on);
                let Verification::Holds { positions, .. } = found else { panic!("{pos}") };
                *sum += positions;
            }
        }
        let [with, without] = walked;
        assert!(with * 3 < without * 2, "{with} against {without}");
    }

    /// Where all moves are tried, what is told of the plies lies between the fastest win and the end.
    #[test]
    fn a_win_takes_no_longer_than_is_told() {
        let mut prover = Prover::new(UniformGuide, 1 << 20).unwrap();
        let mut wins = 0;
        for pos in late::<TixTax>(60, 10) {
            let exact = reference::negamax(&pos);
            let mut verifier = Verifier::new(1 << 16);
            let bounds = ValueBounds::exactly(exact.value());
            let found = verifier.verify(&mut prover, &pos, bounds, &mut on);
            let Verification::Holds { plies, .. } = found else { panic!("{pos}") };
            let ExactValue::Win(fastest) = exact else { continue };
            wins += 1;
            let left = pos.max_plies_left().unwrap() as u16;
            assert!((fastest..=left).contains(&plies), "{pos}: {fastest}, {plies}, {left}");
        }
        assert!(wins > 10);
    }
}
