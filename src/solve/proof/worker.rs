//! The search for a proof: depth first, and back as soon as another branch is more promising.
//!
//! A node is left when one of its distances has reached the limit that its parent set, which is
//! where the parent would rather look elsewhere. So the tree is grown in the order of a best-first
//! search, with no more in memory than the way from the root and the table.
//!
//! Threads that work on the same question share the table. Each takes a branch on which somebody
//! works already for longer than it is, so that they part where there is more than one promising
//! way (virtual proof numbers: Kaneko, 2010).

use std::sync::atomic::{AtomicU8, Ordering};

use super::endgame::EndgameSearch;
use super::proof_numbers::{ChildSummary, Number, ProofChild, ProofNumbers, summarize};
use super::table::{ProofEntry, ProofTable};
use super::{Guide, ProofGoal, ValueBounds, wishes_for_yes};
use crate::rules::Game;

/// How many nodes pass between two looks at the stop flag.
const POLL: u64 = 256;
/// How many nodes pass between two looks at what the other threads have settled of the way.
const NEWS: u64 = 4096;
/// So many plies from the root threads take care to part. Farther down they seldom meet, and to look
/// out for each other would take more time than it saves.
const CARE: usize = 8;

/// What a thread has to do with.
pub(super) struct ProofContext<'a> {
    pub table: &'a ProofTable,
    /// Where the other threads are; `None` when there are none.
    pub crowd: Option<&'a ThreadOccupancy>,
    pub stop: &'a mut dyn FnMut() -> bool,
}

/// On how many ways each position lies just now that threads are on. Positions share counters,
/// which makes one of them look busy by mistake at times.
pub(super) struct ThreadOccupancy(Vec<AtomicU8>);

impl ThreadOccupancy {
    const COUNTERS: usize = 1 << 16;

    pub(super) fn new() -> Self {
        Self(std::iter::repeat_with(AtomicU8::default).take(Self::COUNTERS).collect())
    }

    fn at(&self, key: u64) -> &AtomicU8 {
        &self.0[key as usize % Self::COUNTERS]
    }

    fn count(&self, key: u64) -> Number {
        self.at(key).load(Ordering::Relaxed).into()
    }

    fn enter(&self, key: u64) {
        self.at(key).fetch_add(1, Ordering::Relaxed);
    }

    fn leave(&self, key: u64) {
        self.at(key).fetch_sub(1, Ordering::Relaxed);
    }
}

/// Counts nodes and knows when it is enough.
#[derive(Debug, Default)]
struct NodeBudget {
    nodes: u64,
    last: u64,
    stopped: bool,
}

impl NodeBudget {
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

/// One thread's search. What it counts is on lines of memory that no other thread needs: two threads
/// are 1.8 times as fast as one so, and 1.6 times without.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct ProofWorker<G: Game, H> {
    pub guide: H,
    /// The branches of the nodes on the way from the root, each node's behind its parent's.
    branches: Vec<ProofChild<G::Move>>,
    /// The keys of those nodes.
    way: Vec<u64>,
    /// The place on the way of a node that another thread has settled: what is below is given up.
    given_up: Option<usize>,
    /// After so many nodes the table is asked for news of the way.
    next_news: u64,
    question: ProofGoal,
    meter: NodeBudget,
    /// For the last plies.
    pub tail: EndgameSearch<G::Move>,
}

impl<G: Game, H: Guide<G>> ProofWorker<G, H> {
    pub(super) fn new(guide: H) -> Self {
        Self {
            guide,
            branches: Vec::new(),
            way: Vec::new(),
            given_up: None,
            next_news: 0,
            question: ProofGoal::Wins,
            meter: NodeBudget::default(),
            tail: EndgameSearch::new(),
        }
    }

    /// How many positions were looked at so far.
    pub(super) fn nodes(&self) -> u64 {
        self.meter.nodes
    }

    /// From now on so many nodes are enough.
    pub(super) fn allow(&mut self, nodes: u64) {
        self.meter.last = self.meter.nodes.saturating_add(nodes);
    }

    /// Whether those nodes are used up.
    pub(super) fn has_used_all(&self) -> bool {
        self.meter.nodes >= self.meter.last
    }

    /// Works on a question about a position until it has the answer, is told to stop or has used up
    /// its nodes.
    pub(super) fn answer(
        &mut self,
        pos: &G,
        question: ProofGoal,
        mut errand: ProofContext<'_>,
    ) -> Option<bool> {
        self.guide.reset(pos);
        self.question = question;
        self.given_up = None;
        self.meter.stopped = false;
        let distance = self.settle(pos, pos.value_key(), ProofNumbers::UNLIMITED, &mut errand)?;
        distance.verdict().map(|wish| wish == wishes_for_yes(pos))
    }

    /// Works on a position until one of its distances is as long as its limit or nought. `None` if
    /// it was stopped before there was anything to tell.
    fn settle(
        &mut self,
        pos: &G,
        key: u64,
        limits: ProofNumbers,
        errand: &mut ProofContext<'_>,
    ) -> Option<ProofNumbers> {
        let (first, began) = (self.branches.len(), self.meter.nodes);
        if !self.expand(pos, errand) {
            self.branches.truncate(first);
            return None;
        }
        self.way.push(key);
        let distance = loop {
            let mut summary = summarize(&self.branches[first..]);
            let distance = summary.distance;
            if distance.verdict().is_some() || distance.reaches(limits) || self.meter.stopped {
                break distance;
            }
            if let Some(place) = self.given_up {
                if place + 1 < self.way.len() {
                    break distance;
                }
                self.given_up = None;
                if let Some(settled) = self.look_up(pos, key, errand.table) {
                    break settled;
                }
            }
            if let Some(crowd) = self.crowd_here(errand) {
                let count = |key| crowd.count(key);
                summary = summary.spread(&self.branches[first..], limits, count);
            }
            self.work_on_favourite(pos, first, summary, limits, errand);
        };
        self.way.pop();
        self.branches.truncate(first);
        self.remember(pos, key, distance, self.meter.nodes - began, errand.table);
        Some(distance)
    }

    /// Works on the branch that is nearest to a proof, then brings up to date what is known.
    fn work_on_favourite(
        &mut self,
        pos: &G,
        first: usize,
        summary: ChildSummary,
        limits: ProofNumbers,
        errand: &mut ProofContext<'_>,
    ) {
        let favourite = first + summary.favourite;
        let ProofChild { mv, key, distance } = self.branches[favourite];
        let child = pos.after(mv);
        self.guide.played(pos, mv, &child);
        let limits = summary.child_limits(distance, limits);
        let crowd = self.crowd_here(errand);
        if let Some(crowd) = crowd {
            crowd.enter(key);
        }
        if let Some(distance) = self.settle(&child, key, limits, errand) {
            self.branches[favourite].distance = distance;
        }
        self.guide.undone();
        if let Some(crowd) = crowd {
            crowd.leave(key);
            self.consult(pos, first, errand.table);
        }
    }

    /// The other threads, where it takes care to part from them.
    fn crowd_here<'a>(&self, errand: &ProofContext<'a>) -> Option<&'a ThreadOccupancy> {
        errand.crowd.filter(|_| self.way.len() <= CARE)
    }

    /// Takes over what the table says of the branches that are not settled. It keeps the first digits
    /// of a distance: where that is all it says, the whole one stays. Or a branch could seem to be
    /// short of a limit that it has reached, and be entered and left again for ever.
    fn consult(&mut self, pos: &G, first: usize, table: &ProofTable) {
        for branch in &mut self.branches[first..] {
            if branch.distance.verdict().is_none()
                && let Some(entry) = table.probe(branch.key)
                && let Some(distance) = known(self.question, entry, !wishes_for_yes(pos))
                && distance != branch.distance.as_remembered()
            {
                branch.distance = distance;
            }
        }
    }

    /// Finds out what is known of each move, or guesses, up to the first that proves the wish;
    /// `false` if it was stopped before the end.
    ///
    /// All positions are made before the table is asked about any, so that the machine can fetch
    /// their entries at the same time.
    fn expand(&mut self, pos: &G, errand: &mut ProofContext<'_>) -> bool {
        let first = self.branches.len();
        for mv in pos.legal_moves() {
            if !self.count(errand) {
                return false;
            }
            let child = pos.after(mv);
            let answer = self.question.known(&child);
            let key = if answer.is_some() { 0 } else { child.value_key() };
            let distance = answer.map_or(ProofNumbers::UNLIMITED, |answer| {
                ProofNumbers::settled(answer == wishes_for_yes(&child))
            });
            self.branches.push(ProofChild { mv, key, distance });
            if self.is_proven_by(self.branches.len() - 1, first) {
                return true;
            }
        }
        errand.table.fetch(self.branches[first..].iter().map(|branch| branch.key));
        self.consult(pos, first, errand.table);
        if (first..self.branches.len()).any(|index| self.is_proven_by(index, first)) {
            return true;
        }
        for index in first..self.branches.len() {
            let ProofChild { mv, key, distance } = self.branches[index];
            if distance == ProofNumbers::UNLIMITED {
                self.branches[index].distance = self.look_at(pos, mv, key, errand);
                if self.is_proven_by(index, first) {
                    return true;
                }
            }
        }
        true
    }

    /// Whether a branch proves the wish; then no other is needed.
    fn is_proven_by(&mut self, index: usize, first: usize) -> bool {
        let proves = self.branches[index].distance == ProofNumbers::DISPROVEN;
        if proves {
            self.branches.swap(first, index);
            self.branches.truncate(first + 1);
        }
        proves
    }

    /// Counts a node; `false` when it is time to stop. Now and then looks whether another thread
    /// has settled what this one works on.
    fn count(&mut self, errand: &mut ProofContext<'_>) -> bool {
        if errand.crowd.is_some() && self.meter.nodes >= self.next_news {
            self.next_news = self.meter.nodes + NEWS;
            let is_settled = |key: &u64| {
                let entry = errand.table.probe(*key);
                entry.is_some_and(|entry| self.question.answer(entry.bounds).is_some())
            };
            self.given_up = self.way.iter().position(is_settled);
        }
        self.meter.count(errand.stop)
    }

    /// What the table says of a position.
    fn look_up(&self, pos: &G, key: u64, table: &ProofTable) -> Option<ProofNumbers> {
        let answer = self.question.answer(table.probe(key)?.bounds)?;
        Some(ProofNumbers::settled(answer == wishes_for_yes(pos)))
    }

    /// The position behind a move that the table does not know: a short search to the end, or else
    /// what it promises.
    fn look_at(
        &mut self,
        pos: &G,
        mv: G::Move,
        key: u64,
        errand: &mut ProofContext<'_>,
    ) -> ProofNumbers {
        let (child, question) = (pos.after(mv), self.question);
        if child.max_plies_left().is_some_and(|left| left <= self.tail.plies) {
            // Not to be left half done, or little work at a time would never come to an end.
            let began = self.meter.nodes;
            let meter = &mut self.meter;
            let mut count = || meter.count_on(errand.stop);
            if let Some(wish) = self.tail.search(&child, question, &mut count) {
                let distance = ProofNumbers::settled(wish);
                self.remember(&child, key, distance, self.meter.nodes - began, errand.table);
                return distance;
            }
        }
        let aim = question.aim(child.side());
        self.guide.played(pos, mv, &child);
        let odds = self.guide.odds(&child, aim);
        self.guide.undone();
        let distance = ProofNumbers::likely(&child, odds);
        // The node comes back many times before this branch has its turn.
        if errand.table.probe(key).is_none() {
            let entry = ProofEntry { bounds: ValueBounds::OPEN, question, distance, work: 0 };
            errand.table.store(key, entry);
        }
        distance
    }

    fn remember(&self, pos: &G, key: u64, distance: ProofNumbers, work: u64, table: &ProofTable) {
        let question = self.question;
        let known = table.probe(key);
        let mut bounds = known.map_or(ValueBounds::OPEN, |entry| entry.bounds);
        if let Some(wish) = distance.verdict() {
            bounds = question.narrow(bounds, wish == wishes_for_yes(pos));
        }
        // Of two that took as much, what is proven is worth more.
        let work = 2 * work.max(1).ilog2() as u8 + u8::from(distance.verdict().is_some());
        let work = work.max(known.map_or(0, |entry| entry.work));
        table.store(key, ProofEntry { bounds, question, distance, work });
    }
}

/// What an entry says about a question, where the mover wishes for this answer.
fn known(question: ProofGoal, entry: ProofEntry, wish: bool) -> Option<ProofNumbers> {
    let settled = question.answer(entry.bounds).map(|answer| ProofNumbers::settled(answer == wish));
    settled.or((entry.question == question).then_some(entry.distance))
}

#[cfg(test)]
mod tests {
    use super::super::UniformGuide;
    use super::*;
    use crate::games::TixTax;

    #[test]
    fn the_table_takes_no_digits_away() {
        let (pos, table) = (TixTax::start(), ProofTable::new(1 << 12).unwrap());
        let mv = pos.legal_moves()[0];
        let key = pos.after(mv).value_key();
        let mut worker = ProofWorker::<TixTax, _>::new(UniformGuide);
        let whole = ProofNumbers { proof: 1_636_483, disproof: 70 };
        worker.branches.push(ProofChild { mv, key, distance: whole });
        worker.remember(&pos.after(mv), key, whole, 1, &table);
        assert_ne!(table.probe(key).unwrap().distance, whole);
        worker.consult(&pos, 0, &table);
        assert_eq!(worker.branches[0].distance, whole);
        let news = ProofNumbers { proof: 1_636_480, disproof: 71 };
        worker.remember(&pos.after(mv), key, news, 1, &table);
        worker.consult(&pos, 0, &table);
        assert_eq!(worker.branches[0].distance, news);
    }

    #[test]
    fn who_enters_is_counted_until_he_leaves() {
        let crowd = ThreadOccupancy::new();
        for key in [7, 7, 8] {
            crowd.enter(key);
        }
        assert_eq!([7, 8, 9].map(|key| crowd.count(key)), [2, 1, 0]);
        crowd.leave(7);
        crowd.leave(8);
        assert_eq!([7, 8, 9].map(|key| crowd.count(key)), [1, 0, 0]);
    }
}
