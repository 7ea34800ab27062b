//! The search for a proof: depth first, and back as soon as another branch is more promising.
//!
//! A node is left when one of its distances has reached the limit that its parent set, which is
//! where the parent would rather look elsewhere. So the tree is grown in the order of a best-first
//! search, with no more in memory than the way from the root and the table.

use std::collections::TryReserveError;

use super::table::{Distance, Entry, NEVER, Number, Table};
use super::{Bounds, Guide, Question, tail};
use crate::rules::{Game, Side, Value};

/// What the distances of a position begin with that nobody leans to either way. Distances are whole
/// numbers, so it also says how finely promises are told apart.
const UNIT: f32 = 64.0;
/// Promises beyond this are not believed.
const FIRMEST_PROMISE: f32 = 9.0;
/// The favourite among the moves is left for another when it has fallen behind it by this part.
/// Without it the search would run to and fro between moves that are nearly alike (Pawlewicz and
/// Lew, 2007).
const PATIENCE: f32 = 0.25;
/// How many nodes pass between two looks at the stop flag.
const POLL: u64 = 256;

/// A move with what is known of the position behind it.
#[derive(Debug, Clone, Copy)]
struct Branch<M> {
    mv: M,
    key: u64,
    /// As the opponent sees it, who is to move there.
    distance: Distance,
}

/// What the branches of a node come to.
struct Summary {
    distance: Distance,
    /// The branch with the shortest way to a proof, …
    favourite: usize,
    /// … and how long the second shortest is.
    second: Number,
}

/// Counts nodes and knows when it is enough.
#[derive(Debug, Default)]
struct Meter {
    nodes: u64,
    last: u64,
    stopped: bool,
}

impl Meter {
    /// Counts a node; `false` when it is time to stop.
    fn count(&mut self, stop: &mut dyn FnMut() -> bool) -> bool {
        self.stopped |= self.nodes >= self.last;
        self.count_on(stop)
    }

    /// Counts a node, whatever was asked for; `false` when told to stop.
    fn count_on(&mut self, stop: &mut dyn FnMut() -> bool) -> bool {
        self.stopped |= self.nodes.is_multiple_of(POLL) && stop();
        self.nodes += 1;
        !self.stopped
    }
}

/// Proves values of positions. What it found out stays in its table, so that it can be asked for
/// some work at a time, and about other positions of the same game.
#[derive(Debug)]
pub struct Prover<G: Game, H> {
    table: Table,
    guide: H,
    /// The branches of the nodes on the way from the root, each node's behind its parent's.
    branches: Vec<Branch<G::Move>>,
    question: Question,
    meter: Meter,
    /// With so many plies left or fewer, a position is searched through.
    tail: u32,
}

impl<G: Game, H: Guide<G>> Prover<G, H> {
    /// A prover with a table of at most this size.
    ///
    /// # Errors
    /// When the memory for the table is not to be had.
    pub fn new(guide: H, bytes: usize) -> Result<Self, TryReserveError> {
        Ok(Self {
            table: Table::new(bytes)?,
            guide,
            branches: Vec::new(),
            question: Question::Wins,
            meter: Meter::default(),
            tail: tail::PLIES,
        })
    }

    /// Forgets all proofs.
    pub fn forget(&mut self) {
        self.table.clear();
    }

    /// How many positions were looked at so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.meter.nodes
    }

    /// What is known of the value of a position for its mover.
    #[must_use]
    pub fn bounds(&self, pos: &G) -> Bounds {
        let entry = self.table.probe(pos.value_key());
        let mut bounds = entry.map_or(Bounds::OPEN, |entry| entry.bounds);
        for question in [Question::Wins, Question::Holds] {
            if let Some(answer) = question.known(pos) {
                bounds = question.narrow(bounds, answer);
            }
        }
        bounds.turned(pos.side())
    }

    /// Works on the value of a position until it is known, for about so many nodes, or until `stop`
    /// says so. What is found is kept: work that is asked for again goes on where it ended, if it
    /// was enough to get down to where something is open.
    pub fn work(&mut self, pos: &G, nodes: u64, stop: &mut dyn FnMut() -> bool) -> Bounds {
        self.work_within(pos, Bounds::OPEN, nodes, stop)
    }

    /// As [`Prover::work`], where something is known of the value from elsewhere.
    pub fn work_within(
        &mut self,
        pos: &G,
        known: Bounds,
        nodes: u64,
        stop: &mut dyn FnMut() -> bool,
    ) -> Bounds {
        self.meter.last = self.meter.nodes.saturating_add(nodes);
        // Where positions come back, what follows one is no proof of its value.
        self.meter.stopped = G::CYCLIC;
        // Proofs of the root are kept here, whatever happens to them in the table.
        let own = self.bounds(pos);
        let both = Bounds { least: own.least.max(known.least), most: own.most.min(known.most) };
        let mut bounds = both.turned(pos.side());
        while bounds.value().is_none() && !self.meter.stopped {
            self.guide.reset(pos);
            self.question = self.next_question(pos, bounds);
            let never = Distance { proof: NEVER, disproof: NEVER };
            let distance = self.settle(pos, pos.value_key(), never, stop);
            if let Some(wish) = distance.and_then(Distance::verdict) {
                bounds = self.question.narrow(bounds, wish == wishes_for_yes(pos));
            }
        }
        bounds.turned(pos.side())
    }

    /// How the game goes on from a position of this value, both sides keeping to it, to its end; or
    /// as far as can be told in so many nodes.
    pub fn line(
        &mut self,
        pos: &G,
        mut value: Value,
        nodes: u64,
        stop: &mut dyn FnMut() -> bool,
    ) -> Vec<G::Move> {
        let end = self.meter.nodes.saturating_add(nodes);
        let (mut line, mut pos) = (Vec::new(), *pos);
        while pos.outcome().is_none()
            && let Some(mv) = self.keeping_move(&pos, value, end, stop)
        {
            line.push(mv);
            pos.play_unchecked(mv);
            value = value.flip();
        }
        line
    }

    /// A move that keeps the value; the first of those that are known to, else the first that is
    /// found to.
    fn keeping_move(
        &mut self,
        pos: &G,
        value: Value,
        end: u64,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<G::Move> {
        // No move leaves the opponent less than the value.
        let known = Bounds { least: value.flip(), most: Value::Win };
        let keeps = |bounds: Bounds| bounds.most <= known.least;
        let moves: Vec<G::Move> = pos.legal_moves().into_iter().collect();
        let at_hand = moves.iter().find(|mv| keeps(self.bounds(&pos.after(**mv))));
        at_hand.copied().or_else(|| {
            moves.into_iter().find(|mv| {
                let nodes = end.saturating_sub(self.meter.nodes);
                !stop() && keeps(self.work_within(&pos.after(*mv), known, nodes, stop))
            })
        })
    }

    /// The question whose answer is more likely to end the matter: whether the side that is ahead
    /// wins.
    fn next_question(&mut self, pos: &G, bounds: Bounds) -> Question {
        match bounds {
            Bounds { least: Value::Draw, .. } => Question::Wins,
            Bounds { most: Value::Draw, .. } => Question::Holds,
            _ if (self.guide.promise(pos) > 0.0) == wishes_for_yes(pos) => Question::Wins,
            _ => Question::Holds,
        }
    }

    /// Works on a position until one of its distances is as long as its limit or nought. `None` if
    /// it was stopped before there was anything to tell.
    fn settle(
        &mut self,
        pos: &G,
        key: u64,
        limits: Distance,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Distance> {
        let (first, began) = (self.branches.len(), self.meter.nodes);
        if !self.expand(pos, stop) {
            self.branches.truncate(first);
            return None;
        }
        let distance = loop {
            let summary = summarize(&self.branches[first..]);
            let Summary { distance, favourite, .. } = summary;
            let enough = distance.proof >= limits.proof || distance.disproof >= limits.disproof;
            if distance.verdict().is_some() || enough || self.meter.stopped {
                break distance;
            }
            let favourite = first + favourite;
            let Branch { mv, key, distance: before } = self.branches[favourite];
            let child = pos.after(mv);
            self.guide.played(pos, mv, &child);
            let limits = child_limits(&summary, before, limits);
            if let Some(distance) = self.settle(&child, key, limits, stop) {
                self.branches[favourite].distance = distance;
            }
            self.guide.undone();
        };
        self.branches.truncate(first);
        self.remember(pos, key, distance, self.meter.nodes - began);
        Some(distance)
    }

    /// Finds out what is known of each move, or guesses, up to the first that proves the wish;
    /// `false` if it was stopped before the end.
    fn expand(&mut self, pos: &G, stop: &mut dyn FnMut() -> bool) -> bool {
        for mv in pos.legal_moves() {
            if !self.meter.count(stop) {
                return false;
            }
            let branch = self.look_at(pos, mv, stop);
            self.branches.push(branch);
            if branch.distance == Distance::DISPROVEN {
                break;
            }
        }
        true
    }

    /// The position behind a move: what the rules say of it, or the table, or a short search to the
    /// end; else what it promises.
    fn look_at(&mut self, pos: &G, mv: G::Move, stop: &mut dyn FnMut() -> bool) -> Branch<G::Move> {
        let (child, question) = (pos.after(mv), self.question);
        let settled = |answer| Distance::settled(answer == wishes_for_yes(&child));
        if let Some(answer) = question.known(&child) {
            return Branch { mv, key: 0, distance: settled(answer) };
        }
        let key = child.value_key();
        if let Some(entry) = self.table.probe(key) {
            if let Some(answer) = question.answer(entry.bounds) {
                return Branch { mv, key, distance: settled(answer) };
            }
            if entry.question == question {
                return Branch { mv, key, distance: entry.distance };
            }
        }
        if child.plies_left().is_some_and(|left| left <= self.tail) {
            // Not to be left half done, or little work at a time would never come to an end.
            let began = self.meter.nodes;
            let wish = tail::search(&child, question, &mut || self.meter.count_on(stop));
            if let Some(wish) = wish {
                self.remember(&child, key, Distance::settled(wish), self.meter.nodes - began);
                return Branch { mv, key, distance: Distance::settled(wish) };
            }
        }
        Branch { mv, key, distance: self.guess(pos, mv, &child) }
    }

    /// How far a position that nothing is known of is likely to be from its answers: the nearer to
    /// a proof, the more it promises; the farther from being disproven, the more moves there are.
    fn guess(&mut self, pos: &G, mv: G::Move, child: &G) -> Distance {
        self.guide.played(pos, mv, child);
        let promise = self.guide.promise(child).clamp(-FIRMEST_PROMISE, FIRMEST_PROMISE);
        self.guide.undone();
        let odds = libm::expf(promise);
        let moves = child.move_count() as f32;
        let number = |length: f32| (length as Number).clamp(1, NEVER - 1);
        Distance { proof: number(UNIT / odds), disproof: number(UNIT * odds * (1.0 + moves)) }
    }

    fn remember(&mut self, pos: &G, key: u64, distance: Distance, work: u64) {
        let question = self.question;
        let known = self.table.probe(key);
        let mut bounds = known.map_or(Bounds::OPEN, |entry| entry.bounds);
        if let Some(wish) = distance.verdict() {
            bounds = question.narrow(bounds, wish == wishes_for_yes(pos));
        }
        // Of two that took as much, what is proven is worth more.
        let work = 2 * work.max(1).ilog2() as u8 + u8::from(distance.verdict().is_some());
        let work = work.max(known.map_or(0, |entry| entry.work));
        self.table.store(key, Entry { bounds, question, distance, work });
    }
}

/// Whether the mover wishes for a "yes": the questions are about the first player.
fn wishes_for_yes<G: Game>(pos: &G) -> bool {
    pos.side() == Side::P1
}

/// One branch proves the wish, all have to be disproven for it to fail: its way to a proof is as
/// long as the shortest of theirs, the ways to a disproof add up. A branch is seen by the opponent,
/// whose disproof is the mover's proof.
fn summarize<M>(branches: &[Branch<M>]) -> Summary {
    let (mut proof, mut second, mut favourite) = (NEVER, NEVER, 0);
    let (mut disproof, mut never) = (0, false);
    for (index, branch) in branches.iter().enumerate() {
        let Distance { proof: own, disproof: other } = branch.distance;
        if other < proof {
            (second, proof, favourite) = (proof, other, index);
        } else {
            second = second.min(other);
        }
        disproof += u64::from(own);
        never |= own == NEVER;
    }
    let disproof = if never { NEVER } else { disproof.min(u64::from(NEVER) - 1) as Number };
    Summary { distance: Distance { proof, disproof }, favourite, second }
}

/// How long to stay with the favourite: until its node has reached its limits or another branch is
/// clearly nearer to a proof.
fn child_limits(summary: &Summary, favourite: Distance, limits: Distance) -> Distance {
    let Summary { distance, second, .. } = *summary;
    // The others' part of the sum stays as it is. Where there is no limit there is none below, not
    // even when the sum is more than can be counted.
    let proof = match limits.disproof {
        NEVER => NEVER,
        limit => limit.saturating_sub(distance.disproof).saturating_add(favourite.proof),
    };
    let patient = second.saturating_add(1).max((second as f32 * (1.0 + PATIENCE)) as Number);
    Distance { proof: proof.min(NEVER), disproof: limits.proof.min(patient) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{PongHauKi, TicTacToe, TixTax, TixTaxOpen};
    use crate::rules::SplitMix;
    use crate::solve::{Minimax, Oracle, Unguided, reference};
    use std::collections::HashMap;

    /// A prover that keeps books to the end of the game.
    fn bookkeeper<G: Game>(bytes: usize) -> Prover<G, Unguided> {
        Prover { tail: 0, ..Prover::new(Unguided, bytes).unwrap() }
    }

    fn never() -> bool {
        false
    }

    /// Positions of random games with so many plies left at most, and more than half of it.
    fn late<G: Game>(count: usize, plies: u32) -> impl Iterator<Item = G> {
        let mut random = SplitMix::new(7);
        let game = move || {
            let mut pos = G::start();
            while pos.outcome().is_none() && pos.plies_left().unwrap() > plies {
                pos.play_unchecked(pos.random_move(&mut random));
            }
            Some(pos)
        };
        std::iter::from_fn(game)
            .filter(move |pos| pos.plies_left().is_some_and(|left| left > plies / 2))
            .take(count)
    }

    #[test]
    fn every_value_of_tictactoe_is_proven() {
        let mut oracle = Minimax::<TicTacToe>::default();
        let mut prover = bookkeeper(1 << 20);
        let mut open = vec![TicTacToe::start()];
        let mut seen = HashMap::new();
        while let Some(pos) = open.pop() {
            if seen.insert(pos, ()).is_none() {
                let value = prover.work(&pos, u64::MAX, &mut never).value();
                assert_eq!(value, Some(oracle.exact(&pos).value()), "{pos}");
                open.extend(pos.legal_moves().into_iter().map(|mv| pos.after(mv)));
            }
        }
        assert_eq!(seen.len(), 5478);
    }

    fn late_values_are_right<G: Game>() {
        let (mut small, mut large) = (bookkeeper(1 << 12), bookkeeper(1 << 20));
        let mut usual = Prover::new(Unguided, 1 << 16).unwrap();
        for pos in late::<G>(60, 10) {
            let value = Some(reference::negamax(&pos).value());
            for prover in [&mut small, &mut large, &mut usual] {
                assert_eq!(prover.work(&pos, u64::MAX, &mut never).value(), value, "{pos}");
            }
        }
    }

    #[test]
    fn late_values_of_tixtax_are_right_whatever_the_table() {
        late_values_are_right::<TixTax>();
        late_values_are_right::<TixTaxOpen>();
    }

    /// Everything that can follow a late position, by key: what shares a key shares the value.
    #[test]
    fn what_cannot_matter_any_more_is_left_out_of_the_key() {
        fn merged<G: Game>() -> usize {
            let (mut known, mut merged) = (HashMap::new(), 0);
            for pos in late::<G>(12, 8) {
                let mut open = vec![pos];
                while let Some(pos) = open.pop() {
                    let moves: Vec<G::Move> = pos.legal_moves().into_iter().collect();
                    open.extend(moves.iter().map(|mv| pos.after(*mv)));
                    if pos.outcome().is_some() || moves.len() > 20 {
                        continue;
                    }
                    match known.get(&pos.value_key()) {
                        None => {
                            let value = reference::negamax(&pos).value();
                            known.insert(pos.value_key(), (pos, moves, value));
                        }
                        Some((other, other_moves, value)) if *other != pos => {
                            merged += 1;
                            assert_eq!(*other_moves, moves, "{other} and {pos}");
                            if merged % 64 == 0 {
                                let own = reference::negamax(&pos).value();
                                assert_eq!(*value, own, "{other} and {pos}");
                            }
                        }
                        Some(_) => {}
                    }
                }
            }
            merged
        }
        let merged = [merged::<TixTax>(), merged::<TixTaxOpen>()];
        assert!(merged[0] > 1000 && merged[1] > 100, "{merged:?}");
    }

    #[test]
    fn work_goes_on_where_it_ended() {
        let pos: TixTax =
            "4xooxx/oxx1o3x/3o2o1x/2xooox2/xx4oxo/2ox1xx1o/5o1xo/ooo2o2x/xx5xo x 21 -"
                .parse()
                .unwrap();
        let mut at_once = Prover::new(Unguided, 1 << 22).unwrap();
        assert_eq!(at_once.work(&pos, u64::MAX, &mut never).value(), Some(Value::Loss));
        let mut bit_by_bit = Prover::new(Unguided, 1 << 22).unwrap();
        let mut parts = 0;
        while bit_by_bit.work(&pos, 1000, &mut never).value().is_none() {
            parts += 1;
        }
        assert!(parts > 3 && bit_by_bit.nodes() < 4 * at_once.nodes(), "{parts}");
        assert_eq!(bit_by_bit.bounds(&pos).value(), Some(Value::Loss));
    }

    #[test]
    fn a_proven_line_keeps_the_value_to_the_end() {
        let mut prover = Prover::new(Unguided, 1 << 20).unwrap();
        for pos in late::<TixTax>(40, 16) {
            let value = prover.work(&pos, u64::MAX, &mut never).value().unwrap();
            let line = prover.line(&pos, value, u64::MAX, &mut never);
            let mut end = pos;
            line.iter().for_each(|mv| end.play(*mv).unwrap());
            assert_eq!(end.outcome().map(|outcome| outcome.value_for(pos.side())), Some(value));
        }
    }

    #[test]
    fn stopping_proves_nothing() {
        let pos = TixTax::start();
        let mut prover = Prover::new(Unguided, 1 << 20).unwrap();
        assert_eq!(prover.work(&pos, u64::MAX, &mut || true), Bounds::OPEN);
        assert_eq!(prover.work(&pos, 10_000, &mut never), Bounds::OPEN);
        assert!((10_000..12_000).contains(&prover.nodes()), "{}", prover.nodes());
    }

    #[test]
    fn nothing_is_proven_where_positions_come_back() {
        let mut prover = Prover::new(Unguided, 1 << 20).unwrap();
        assert_eq!(prover.work(&PongHauKi::start(), u64::MAX, &mut never), Bounds::OPEN);
    }
}
