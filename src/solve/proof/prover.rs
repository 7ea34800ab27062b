//! The prover: what it is asked, question by question, on one thread or several.

use std::sync::atomic::{AtomicBool, Ordering};

use super::table::ProofTable;
use super::worker::{ProofContext, ProofWorker, ThreadOccupancy};
use super::{Guide, ProofGoal, ValueBounds, wishes_for_yes};
use crate::rules::{Game, Value};
use crate::solve::OutOfMemory;

/// So many nodes of a thread pass between two looks at how full the table is.
const STRETCH: u64 = 500_000;

/// Proves values of positions. What it found out stays in its table, so that it can be asked for
/// some work at a time, and about other positions of the same game.
#[derive(Debug)]
pub struct Prover<G: Game, H> {
    table: ProofTable,
    /// One for each thread.
    workers: Vec<ProofWorker<G, H>>,
}

impl<G: Game, H> Prover<G, H> {
    pub(super) fn table(&self) -> &ProofTable {
        &self.table
    }

    pub(super) fn table_mut(&mut self) -> &mut ProofTable {
        &mut self.table
    }

    /// Forgets all proofs.
    pub fn clear(&mut self) {
        self.table.clear();
        self.workers.iter_mut().for_each(|worker| worker.tail.clear());
    }
}

impl<G: Game, H: Guide<G>> Prover<G, H> {
    /// A prover on one thread with a table of at most this size.
    ///
    /// # Errors
    /// When the memory for the table is not to be had.
    pub fn new(guide: H, bytes: usize) -> Result<Self, OutOfMemory> {
        let table = ProofTable::new(bytes).map_err(|()| OutOfMemory { mebibytes: bytes >> 20 })?;
        Ok(Self { table, workers: vec![ProofWorker::new(guide)] })
    }

    /// The same on several threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        let guide = self.workers[0].guide.clone();
        self.workers.resize_with(threads.max(1), || ProofWorker::new(guide.clone()));
        self
    }

    /// How many threads work.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Another proof begins: what was found out so far is the first to be forgotten when the table
    /// is full.
    pub fn age(&mut self) {
        self.table.age();
    }

    /// How many positions were looked at so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.workers.iter().map(ProofWorker::nodes).sum()
    }

    /// How full the table is, in thousandths.
    #[must_use]
    pub fn fullness(&self) -> u16 {
        self.table.fullness()
    }

    /// What is known of the value of a position for its mover.
    #[must_use]
    pub fn bounds(&self, pos: &G) -> ValueBounds {
        let entry = self.table.probe(pos.value_key());
        let mut bounds = entry.map_or(ValueBounds::OPEN, |entry| entry.bounds);
        for question in [ProofGoal::Wins, ProofGoal::Holds] {
            if let Some(answer) = question.known(pos) {
                bounds = question.narrow(bounds, answer);
            }
        }
        bounds.turned(pos.side())
    }

    /// Works on the value of a position until it is known, for about so many nodes, or until `stop`
    /// says so. What is found is kept: work that is asked for again goes on where it ended, if it
    /// was enough to get down to where something is open.
    pub fn prove(&mut self, pos: &G, nodes: u64, stop: &mut dyn FnMut() -> bool) -> ValueBounds {
        self.prove_within(pos, ValueBounds::OPEN, nodes, stop)
    }

    /// As [`Prover::prove`], where something is known of the value from elsewhere.
    pub fn prove_within(
        &mut self,
        pos: &G,
        known: ValueBounds,
        nodes: u64,
        stop: &mut dyn FnMut() -> bool,
    ) -> ValueBounds {
        // Proofs of the root are kept here, whatever happens to them in the table.
        let own = self.bounds(pos);
        let both =
            ValueBounds { least: own.least.max(known.least), most: own.most.min(known.most) };
        // Where positions come back, what follows one is no proof of its value.
        if G::CYCLIC {
            return both;
        }
        let mut share = nodes.div_ceil(self.workers.len() as u64);
        let mut bounds = both.turned(pos.side());
        while bounds.value().is_none() && share > 0 {
            self.table.make_room();
            let stretch = share.min(STRETCH);
            share -= stretch;
            self.workers.iter_mut().for_each(|worker| worker.allow(stretch));
            while bounds.value().is_none()
                && let question = self.next_question(pos, bounds)
                && let Some(answer) = self.ask(pos, question, stop)
            {
                bounds = question.narrow(bounds, answer);
            }
            if !self.workers[0].has_used_all() {
                break;
            }
        }
        bounds.turned(pos.side())
    }

    /// All threads work on a question until one has the answer or the first is stopped.
    fn ask(
        &mut self,
        pos: &G,
        question: ProofGoal,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<bool> {
        let table = &self.table;
        let [leader, helpers @ ..] = &mut self.workers[..] else { return None };
        if helpers.is_empty() {
            return leader.answer(pos, question, ProofContext { table, crowd: None, stop });
        }
        let (crowd, over) = (&ThreadOccupancy::new(), &AtomicBool::new(false));
        let is_over = || over.load(Ordering::Relaxed);
        std::thread::scope(|scope| {
            let mut running = Vec::new();
            for worker in helpers {
                let help = move || {
                    let errand =
                        ProofContext { table, crowd: Some(crowd), stop: &mut || is_over() };
                    let answer = worker.answer(pos, question, errand);
                    over.fetch_or(answer.is_some(), Ordering::Relaxed);
                    answer
                };
                // Where the system has no thread to give, those that are there do the work.
                running.extend(std::thread::Builder::new().spawn_scoped(scope, help));
            }
            let mut stop = || is_over() || stop();
            let own = leader.answer(
                pos,
                question,
                ProofContext { table, crowd: Some(crowd), stop: &mut stop },
            );
            over.store(true, Ordering::Relaxed);
            let others = running.into_iter().filter_map(|helper| helper.join().ok().flatten());
            others.fold(own, |answer, other| answer.or(Some(other)))
        })
    }

    /// How the game goes on from a position of this value, both sides keeping to it, to its end; or
    /// as far as can be told in so many nodes.
    pub fn proven_line(
        &mut self,
        pos: &G,
        mut value: Value,
        nodes: u64,
        stop: &mut dyn FnMut() -> bool,
    ) -> Vec<G::Move> {
        let end = self.nodes().saturating_add(nodes);
        let (mut line, mut pos) = (Vec::new(), *pos);
        while pos.outcome().is_none()
            && let Some(mv) = self.find_optimal_move(&pos, value, end, stop)
        {
            line.push(mv);
            pos.play_unchecked(mv);
            value = value.flip();
        }
        line
    }

    /// A move that keeps the value; the first of those that are known to, else the first that is
    /// found to.
    pub fn find_optimal_move(
        &mut self,
        pos: &G,
        value: Value,
        end: u64,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<G::Move> {
        // No move leaves the opponent less than the value.
        let known = ValueBounds { least: value.flip(), most: Value::Win };
        let keeps = |bounds: ValueBounds| bounds.most <= known.least;
        let moves: Vec<G::Move> = pos.legal_moves().into_iter().collect();
        let at_hand = moves.iter().find(|mv| keeps(self.bounds(&pos.after(**mv))));
        at_hand.copied().or_else(|| {
            moves.into_iter().find(|mv| {
                let nodes = end.saturating_sub(self.nodes());
                !stop() && keeps(self.prove_within(&pos.after(*mv), known, nodes, stop))
            })
        })
    }

    /// The question whose answer is more likely to end the matter: whether the side that is ahead
    /// wins.
    fn next_question(&mut self, pos: &G, bounds: ValueBounds) -> ProofGoal {
        let guide = &mut self.workers[0].guide;
        guide.reset(pos);
        let mut leans_to_win = || guide.odds(pos, Value::Win) * guide.odds(pos, Value::Draw) > 1.0;
        match bounds {
            ValueBounds { least: Value::Draw, .. } => ProofGoal::Wins,
            ValueBounds { most: Value::Draw, .. } => ProofGoal::Holds,
            _ if leans_to_win() == wishes_for_yes(pos) => ProofGoal::Wins,
            _ => ProofGoal::Holds,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::games::{PongHauKi, TicTacToe, TixTax, TixTaxOpen};
    use crate::rules::SplitMix;
    use crate::solve::{Minimax, Oracle, UniformGuide, reference};
    use std::collections::HashMap;

    /// A prover that keeps books to the end of the game.
    fn bookkeeper<G: Game>(bytes: usize) -> Prover<G, UniformGuide> {
        let mut prover = Prover::new(UniformGuide, bytes).unwrap();
        prover.workers.iter_mut().for_each(|worker| worker.tail.plies = 0);
        prover
    }

    pub(in super::super) fn never() -> bool {
        false
    }

    /// Positions of random games with so many plies left at most, and more than half of it.
    pub(in super::super) fn late<G: Game>(count: usize, plies: u32) -> impl Iterator<Item = G> {
        let mut random = SplitMix::new(7);
        let game = move || {
            let mut pos = G::start();
            while pos.outcome().is_none() && pos.max_plies_left().unwrap() > plies {
                pos.play_unchecked(pos.random_move(&mut random));
            }
            Some(pos)
        };
        std::iter::from_fn(game)
            .filter(move |pos| pos.max_plies_left().is_some_and(|left| left > plies / 2))
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
                let value = prover.prove(&pos, u64::MAX, &mut never).value();
                assert_eq!(value, Some(oracle.exact(&pos).value()), "{pos}");
                open.extend(pos.legal_moves().into_iter().map(|mv| pos.after(mv)));
            }
        }
        assert_eq!(seen.len(), 5478);
    }

    fn late_values_are_right<G: Game>() {
        let (mut small, mut large) = (bookkeeper(1 << 12), bookkeeper(1 << 20));
        let mut usual = Prover::new(UniformGuide, 1 << 16).unwrap();
        for pos in late::<G>(60, 10) {
            let value = Some(reference::negamax(&pos).value());
            for prover in [&mut small, &mut large, &mut usual] {
                assert_eq!(prover.prove(&pos, u64::MAX, &mut never).value(), value, "{pos}");
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
        let mut at_once = Prover::new(UniformGuide, 1 << 22).unwrap();
        assert_eq!(at_once.prove(&pos, u64::MAX, &mut never).value(), Some(Value::Loss));
        let mut bit_by_bit = Prover::new(UniformGuide, 1 << 22).unwrap();
        let mut parts = 0;
        while bit_by_bit.prove(&pos, 1000, &mut never).value().is_none() {
            parts += 1;
        }
        assert!(parts > 3 && bit_by_bit.nodes() < 4 * at_once.nodes(), "{parts}");
        assert_eq!(bit_by_bit.bounds(&pos).value(), Some(Value::Loss));
    }

    /// Sees promise in having many moves.
    #[derive(Clone)]
    struct Room;

    impl<G: Game> Guide<G> for Room {
        fn reset(&mut self, _: &G) {}
        fn played(&mut self, _: &G, _: G::Move, _: &G) {}
        fn undone(&mut self) {}

        fn odds(&mut self, pos: &G, aim: Value) -> f32 {
            libm::expf(pos.move_count() as f32 / 4.0 - if aim == Value::Win { 2.0 } else { 1.0 })
        }
    }

    /// What `bench` is to the tree search: which positions a proof looks at depends on nothing but its
    /// rules. Who means to change them writes the new number here.
    #[test]
    fn proofs_take_the_nodes_that_are_written_down() {
        let mut small = bookkeeper(1 << 14);
        let mut usual = Prover::new(Room, 1 << 20).unwrap();
        for pos in late::<TixTax>(20, 27) {
            usual.prove(&pos, u64::MAX, &mut never);
        }
        for pos in late::<TixTaxOpen>(20, 34) {
            small.prove(&pos, 50_000, &mut never);
        }
        assert_eq!([usual.nodes(), small.nodes()], [706_153, 911_706]);
    }

    #[test]
    fn a_proven_line_keeps_the_value_to_the_end() {
        let mut prover = Prover::new(UniformGuide, 1 << 20).unwrap();
        for pos in late::<TixTax>(40, 16) {
            let value = prover.prove(&pos, u64::MAX, &mut never).value().unwrap();
            let line = prover.proven_line(&pos, value, u64::MAX, &mut never);
            let mut end = pos;
            line.iter().for_each(|mv| end.play(*mv).unwrap());
            assert_eq!(end.outcome().map(|outcome| outcome.value_for(pos.side())), Some(value));
        }
    }

    #[test]
    fn stopping_proves_nothing() {
        let pos = TixTax::start();
        let mut prover = Prover::new(UniformGuide, 1 << 20).unwrap();
        assert_eq!(prover.prove(&pos, u64::MAX, &mut || true), ValueBounds::OPEN);
        assert_eq!(prover.prove(&pos, 10_000, &mut never), ValueBounds::OPEN);
        assert!((10_000..12_000).contains(&prover.nodes()), "{}", prover.nodes());
    }

    #[test]
    fn nothing_is_proven_where_positions_come_back() {
        let mut prover = Prover::new(UniformGuide, 1 << 20).unwrap();
        assert_eq!(prover.prove(&PongHauKi::start(), u64::MAX, &mut never), ValueBounds::OPEN);
    }
}
