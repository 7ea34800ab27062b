//! The prover: proves the two goals in turn, on one or several threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::ScopedJoinHandle;

use super::table::ProofTable;
use super::worker::{ProofContext, ProofWorker, ThreadOccupancy};
use super::{ProofGoal, ProofNumberHeuristic, ValueBounds, mover_pursues_goal};
use crate::rules::{Game, Value};
use crate::solve::OutOfMemory;

/// Nodes per thread between two checks of the table's fill level.
const BATCH_NODES: u64 = 500_000;

/// The progress of a search for whether the side to move reaches a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoalProgress {
    pub target: Value,
    /// Estimates the effort to prove that the side to move reaches it.
    pub proof: u32,
    /// Estimates the effort to prove that it does not.
    pub disproof: u32,
}

/// Proves values of positions. Results stay in the table, so that a proof can be continued later and
/// helps with other positions of the same game.
#[derive(Debug)]
pub struct Prover<G: Game, H> {
    table: ProofTable,
    /// One per thread.
    workers: Vec<ProofWorker<G, H>>,
}

impl<G: Game, H> Prover<G, H> {
    pub(super) fn table(&self) -> &ProofTable {
        &self.table
    }

    pub(super) fn table_mut(&mut self) -> &mut ProofTable {
        &mut self.table
    }

    pub fn clear(&mut self) {
        self.table.clear();
        self.workers.iter_mut().for_each(|worker| worker.endgame.clear());
    }
}

impl<G: Game, H: ProofNumberHeuristic<G>> Prover<G, H> {
    /// Creates a single-threaded prover with a table of at most this size.
    ///
    /// # Errors
    /// Fails if its memory cannot be allocated.
    pub fn new(heuristic: H, bytes: usize) -> Result<Self, OutOfMemory> {
        let out_of_memory = |()| OutOfMemory { mebibytes: bytes >> 20 };
        let table = ProofTable::new(bytes).map_err(out_of_memory)?;
        let worker = ProofWorker::new(heuristic).map_err(out_of_memory)?;
        Ok(Self { table, workers: vec![worker] })
    }

    /// Calls `work` with a single-threaded prover that has another heuristic and the table of this one.
    /// Does nothing if the memory for it cannot be allocated.
    pub fn with_heuristic<X: ProofNumberHeuristic<G>>(
        &mut self,
        heuristic: X,
        work: &mut dyn FnMut(&mut Prover<G, X>),
    ) {
        if let (Ok(empty), Ok(worker)) = (ProofTable::new(0), ProofWorker::new(heuristic)) {
            let table = std::mem::replace(&mut self.table, empty);
            let mut prover = Prover { table, workers: vec![worker] };
            work(&mut prover);
            self.workers[0].add_nodes(prover.nodes());
            self.table = prover.table;
        }
    }

    /// Sets the number of threads; uses fewer if there is no memory for all of them.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        let heuristic = self.workers[0].heuristic.clone();
        self.workers.truncate(threads.max(1));
        while self.workers.len() < threads
            && let Ok(worker) = ProofWorker::new(heuristic.clone())
        {
            self.workers.push(worker);
        }
        self
    }

    #[must_use]
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Starts a new proof: entries stored so far are replaced first when the table is full.
    pub fn age(&mut self) {
        self.table.age();
    }

    /// The number of positions visited so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.workers.iter().map(ProofWorker::nodes).sum()
    }

    /// The fill level of the table in permille.
    #[must_use]
    pub fn fullness(&self) -> u16 {
        self.table.fullness()
    }

    /// The proven bounds of a position's value for the side to move.
    #[must_use]
    pub fn bounds(&self, pos: &G) -> ValueBounds {
        let entry = self.table.probe(pos.value_key());
        let bounds = entry.map_or(ValueBounds::OPEN, |entry| entry.bounds);
        bounds.narrowed_by_rules(pos).relative_to(pos.side())
    }

    /// The goal that the search of a position is proving, with its proof and disproof
    /// number; `None` once it is decided, or if the position is not in the table.
    #[must_use]
    pub fn goal_progress(&self, pos: &G) -> Option<GoalProgress> {
        let entry = self.table.probe(pos.value_key())?;
        let [Some(proof), Some(disproof)] = entry.numbers.finite() else { return None };
        Some(GoalProgress { target: entry.goal.target(pos.side()), proof, disproof })
    }

    /// Searches until the value of a position is proven, about `nodes` nodes are used up or `stop`
    /// returns `true`. Results are kept, so another call continues the proof, provided that `nodes` is
    /// enough to reach an unsolved leaf.
    pub fn prove(&mut self, pos: &G, nodes: u64, stop: &mut dyn FnMut() -> bool) -> ValueBounds {
        self.narrow_bounds(pos, ValueBounds::OPEN, None, nodes, stop)
    }

    /// Like [`Prover::prove`], with bounds of the value known from elsewhere. With a target, a win or a
    /// draw, only proves whether the side to move reaches it.
    pub fn narrow_bounds(
        &mut self,
        pos: &G,
        known: ValueBounds,
        target: Option<Value>,
        nodes: u64,
        stop: &mut dyn FnMut() -> bool,
    ) -> ValueBounds {
        // The root's bounds are kept here, since its table entry may be replaced.
        let own = self.bounds(pos);
        let combined =
            ValueBounds { lower: own.lower.max(known.lower), upper: own.upper.min(known.upper) };
        // With repetitions, the value of a position depends on the path to it.
        if G::CYCLIC {
            return combined;
        }
        let mut remaining = nodes.div_ceil(self.workers.len() as u64);
        let mut bounds = combined.relative_to(pos.side());
        let goal = target.map(|target| ProofGoal::of(pos.side(), target));
        let is_open = |bounds: ValueBounds| !bounds.relative_to(pos.side()).is_settled(target);
        while is_open(bounds) && remaining > 0 {
            self.table.grow_if_full();
            let batch = remaining.min(BATCH_NODES);
            remaining -= batch;
            self.workers.iter_mut().for_each(|worker| worker.set_budget(batch));
            while is_open(bounds)
                && let goal = goal.unwrap_or_else(|| self.next_goal(pos, bounds))
                && let Some(achieved) = self.prove_goal(pos, goal, stop)
            {
                bounds = goal.narrow(bounds, achieved);
            }
            if !self.workers[0].is_budget_used_up() {
                break;
            }
        }
        bounds.relative_to(pos.side())
    }

    /// Searches with all threads until one of them decides the goal or `stop` stops the leader.
    fn prove_goal(
        &mut self,
        pos: &G,
        goal: ProofGoal,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<bool> {
        let table = &self.table;
        let [leader, helpers @ ..] = &mut self.workers[..] else { return None };
        if helpers.is_empty() {
            return leader.search_goal(pos, goal, ProofContext { table, occupancy: None, stop });
        }
        let (occupancy, over) = (&ThreadOccupancy::new(), &AtomicBool::new(false));
        let is_over = || over.load(Ordering::Relaxed);
        std::thread::scope(|scope| {
            let mut running = Vec::new();
            for worker in helpers {
                let help = move || {
                    let stop = &mut || is_over();
                    let context = ProofContext { table, occupancy: Some(occupancy), stop };
                    let result = worker.search_goal(pos, goal, context);
                    over.fetch_or(result.is_some(), Ordering::Relaxed);
                    result
                };
                // If no more threads can be started, the running ones do the work.
                running.extend(std::thread::Builder::new().spawn_scoped(scope, help));
            }
            let stop = &mut || is_over() || stop();
            let context = ProofContext { table, occupancy: Some(occupancy), stop };
            let result = leader.search_goal(pos, goal, context);
            over.store(true, Ordering::Relaxed);
            let join = |helper: ScopedJoinHandle<'_, _>| {
                helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            running.into_iter().map(join).fold(result, Option::or)
        })
    }

    /// Returns a line on which both sides keep the value, to the end of the game or until about
    /// `nodes` nodes are searched.
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
            && let Some(mv) = self.find_move_reaching(&pos, value, end, stop)
        {
            line.push(mv);
            pos.play_unchecked(mv);
            value = value.flip();
        }
        line
    }

    /// Finds a move that reaches at least `target`: the first one that is already proven to, otherwise
    /// one that a search proves, while the prover's total of [`Prover::nodes`] is below `end`.
    pub fn find_move_reaching(
        &mut self,
        pos: &G,
        target: Value,
        end: u64,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<G::Move> {
        // It only matters whether the opponent's value exceeds this.
        let known = ValueBounds { lower: target.flip(), upper: Value::Win };
        let reaches = |bounds: ValueBounds| bounds.upper <= known.lower;
        let moves: Vec<G::Move> = pos.legal_moves().into_iter().collect();
        let find_proven = |prover: &Self| {
            moves.iter().copied().find(|mv| reaches(prover.bounds(&pos.after(*mv))))
        };
        if let Some(mv) = find_proven(self) {
            return Some(mv);
        }
        // A search of the position itself finds the move that is easiest to prove. Searching the moves
        // one by one, the fallback, also has to settle moves that do not reach the target.
        self.prove_again(pos, ProofGoal::of(pos.side(), target), end, stop);
        find_proven(self).or_else(|| {
            moves.iter().copied().find(|mv| {
                let nodes = end.saturating_sub(self.nodes());
                let child = &pos.after(*mv);
                !stop() && reaches(self.narrow_bounds(child, known, None, nodes, stop))
            })
        })
    }

    /// Like [`Prover::find_move_reaching`] without a node limit, for walks through a whole proof: near
    /// the end of the game it uses the endgame search, whose results are not in the table.
    pub(super) fn find_answer(
        &mut self,
        pos: &G,
        target: Value,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<G::Move> {
        let endgame = &mut self.workers[0].endgame;
        if pos.max_plies_left().is_none_or(|left| left > endgame.plies) {
            return self.find_move_reaching(pos, target, u64::MAX, stop);
        }
        let goal = ProofGoal::of(pos.side(), target);
        let mut moves = pos.legal_moves();
        moves.sort_by_cached_key(|mv| pos.reply_count(*mv));
        moves
            .into_iter()
            .find(|mv| endgame.search(&pos.after(*mv), goal, &mut || true) == Some(false))
    }

    /// Searches a goal whether or not the table has its result, so that the results of the moves are
    /// stored.
    fn prove_again(&mut self, pos: &G, goal: ProofGoal, end: u64, stop: &mut dyn FnMut() -> bool) {
        while !G::CYCLIC && self.nodes() < end {
            self.table.grow_if_full();
            let batch = (end - self.nodes()).div_ceil(self.threads() as u64).min(BATCH_NODES);
            self.workers.iter_mut().for_each(|worker| worker.set_budget(batch));
            let is_settled = self.prove_goal(pos, goal, stop).is_some();
            if is_settled || !self.workers[0].is_budget_used_up() {
                break;
            }
        }
    }

    /// Chooses the goal more likely to settle the value: whether the side that seems ahead wins.
    fn next_goal(&mut self, pos: &G, bounds: ValueBounds) -> ProofGoal {
        let heuristic = &mut self.workers[0].heuristic;
        heuristic.reset(pos);
        let mut mover_is_ahead =
            || heuristic.odds(pos, Value::Win) * heuristic.odds(pos, Value::Draw) > 1.0;
        match bounds {
            ValueBounds { lower: Value::Draw, .. } => ProofGoal::Win,
            ValueBounds { upper: Value::Draw, .. } => ProofGoal::AtLeastDraw,
            _ if mover_is_ahead() == mover_pursues_goal(pos) => ProofGoal::Win,
            _ => ProofGoal::AtLeastDraw,
        }
    }
}

/// Returns the number of plies of a proven line from `pos`, which has this value. An incomplete line
/// counts up to the latest possible end of the game, with the winner making the last move where the
/// rules of the game say so.
#[must_use]
pub fn line_length<G: Game>(pos: &G, line: &[G::Move], value: Value) -> u16 {
    let mut end = *pos;
    line.iter().for_each(|mv| end.play_unchecked(*mv));
    if end.outcome().is_some() {
        return line.len() as u16;
    }
    let plies = line.len() as u32 + end.max_plies_left().unwrap_or(0);
    let mover_ends = plies % 2 == 1;
    let is_too_long = G::WINNER_MOVES_LAST && mover_ends != (value == Value::Win);
    (plies - u32::from(is_too_long)) as u16
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::games::{PongHauKi, TicTacToe, TixTax, TixTaxCount, TixTaxOpen};
    use crate::rules::SplitMix;
    use crate::rules::random_positions::random_late_position;
    use crate::solve::{ExactSolver, Minimax, UniformHeuristic, reference};
    use std::collections::HashMap;

    /// A prover that uses proof numbers to the end of the game, without the endgame search.
    fn without_endgame_search<G: Game>(bytes: usize) -> Prover<G, UniformHeuristic> {
        let mut prover = Prover::new(UniformHeuristic, bytes).unwrap();
        prover.workers.iter_mut().for_each(|worker| worker.endgame.plies = 0);
        prover
    }

    pub(in super::super) fn never() -> bool {
        false
    }

    /// Positions of random games with at most `plies` plies left, and more than half of that.
    pub(in super::super) fn late_positions<G: Game>(
        count: usize,
        plies: u32,
    ) -> impl Iterator<Item = G> {
        let mut random = SplitMix::new(7);
        std::iter::repeat_with(move || random_late_position(G::start(), plies, &mut random))
            .filter(move |pos| pos.max_plies_left().is_some_and(|left| left > plies / 2))
            .take(count)
    }

    #[test]
    fn every_tictactoe_value_is_proven() {
        let mut exact_solver = Minimax::<TicTacToe>::default();
        let mut prover = without_endgame_search(1 << 20);
        let mut open = vec![TicTacToe::start()];
        let mut seen = HashMap::new();
        while let Some(pos) = open.pop() {
            if seen.insert(pos, ()).is_none() {
                let value = prover.prove(&pos, u64::MAX, &mut never).value();
                assert_eq!(value, Some(exact_solver.exact(&pos).value()), "{pos}");
                open.extend(pos.legal_moves().into_iter().map(|mv| pos.after(mv)));
            }
        }
        assert_eq!(seen.len(), 5478);
    }

    fn agrees_with_negamax<G: Game>() {
        let (mut small, mut large) =
            (without_endgame_search(1 << 12), without_endgame_search(1 << 20));
        let mut standard = Prover::new(UniformHeuristic, 1 << 16).unwrap();
        for pos in late_positions::<G>(60, 10) {
            let value = Some(reference::negamax(&pos).value());
            for prover in [&mut small, &mut large, &mut standard] {
                assert_eq!(prover.prove(&pos, u64::MAX, &mut never).value(), value, "{pos}");
            }
        }
    }

    #[test]
    fn late_values_agree_with_negamax_whatever_the_table_size() {
        agrees_with_negamax::<TixTax>();
        agrees_with_negamax::<TixTaxOpen>();
        agrees_with_negamax::<TixTaxCount>();
    }

    #[test]
    fn proof_in_small_steps_continues_where_it_stopped() {
        let pos: TixTax =
            "4xooxx/oxx1o3x/3o2o1x/2xooox2/xx4oxo/2ox1xx1o/5o1xo/ooo2o2x/xx5xo x 21 -"
                .parse()
                .unwrap();
        let mut whole = Prover::new(UniformHeuristic, 1 << 22).unwrap();
        assert_eq!(whole.prove(&pos, u64::MAX, &mut never).value(), Some(Value::Loss));
        let mut stepwise = Prover::new(UniformHeuristic, 1 << 22).unwrap();
        let mut steps = 0;
        while stepwise.prove(&pos, 1000, &mut never).value().is_none() {
            steps += 1;
        }
        assert!(steps > 3 && stepwise.nodes() < 4 * whole.nodes(), "{steps}");
        assert_eq!(stepwise.bounds(&pos).value(), Some(Value::Loss));
    }

    /// Prefers positions with many moves.
    #[derive(Clone)]
    struct MobilityHeuristic;

    impl<G: Game> ProofNumberHeuristic<G> for MobilityHeuristic {
        fn reset(&mut self, _: &G) {}
        fn make_move(&mut self, _: &G, _: G::Move, _: &G) {}
        fn undo_move(&mut self) {}

        fn odds(&mut self, pos: &G, target: Value) -> f32 {
            libm::expf(pos.move_count() as f32 / 4.0 - if target == Value::Win { 2.0 } else { 1.0 })
        }
    }

    /// The prover's counterpart of `bench`: node counts are deterministic. A change that is meant to
    /// alter the search updates them here.
    #[test]
    fn node_counts_match_the_recorded_signature() {
        let mut small = without_endgame_search(1 << 14);
        let mut standard = Prover::new(MobilityHeuristic, 1 << 20).unwrap();
        for pos in late_positions::<TixTax>(20, 27) {
            standard.prove(&pos, u64::MAX, &mut never);
        }
        for pos in late_positions::<TixTaxOpen>(20, 34) {
            small.prove(&pos, 50_000, &mut never);
        }
        assert_eq!([standard.nodes(), small.nodes()], [310_326, 911_669]);
    }

    #[test]
    fn proven_line_keeps_the_value_to_the_end() {
        let mut prover = Prover::new(UniformHeuristic, 1 << 20).unwrap();
        for pos in late_positions::<TixTax>(40, 16) {
            let value = prover.prove(&pos, u64::MAX, &mut never).value().unwrap();
            let line = prover.proven_line(&pos, value, u64::MAX, &mut never);
            let mut end = pos;
            line.iter().for_each(|mv| end.play(*mv).unwrap());
            assert_eq!(end.outcome().map(|outcome| outcome.value_for(pos.side())), Some(value));
        }
    }

    #[test]
    fn only_the_target_is_proven() {
        for target in [Value::Win, Value::Draw] {
            let mut prover = Prover::new(UniformHeuristic, 1 << 20).unwrap();
            let (mut nodes, mut open) = ([0, 0], 0);
            for pos in late_positions::<TixTax>(60, 16) {
                let before = prover.nodes();
                let bounds = prover.narrow_bounds(
                    &pos,
                    ValueBounds::OPEN,
                    Some(target),
                    u64::MAX,
                    &mut never,
                );
                let between = prover.nodes();
                assert!(bounds.is_settled(Some(target)), "{pos}");
                open += usize::from(bounds.value().is_none());
                let value = prover.prove(&pos, u64::MAX, &mut never).value().unwrap();
                assert!((bounds.lower..=bounds.upper).contains(&value), "{pos}");
                nodes[0] += between - before;
                nodes[1] += prover.nodes() - between;
            }
            assert!(open > 5 && nodes.iter().all(|nodes| *nodes > 0), "{open} {nodes:?}");
        }
    }

    #[test]
    fn stopped_or_short_search_proves_nothing() {
        let pos = TixTax::start();
        let mut prover = Prover::new(UniformHeuristic, 1 << 20).unwrap();
        assert_eq!(prover.prove(&pos, u64::MAX, &mut || true), ValueBounds::OPEN);
        assert_eq!(prover.prove(&pos, 10_000, &mut never), ValueBounds::OPEN);
        assert!((10_000..12_000).contains(&prover.nodes()), "{}", prover.nodes());
    }

    #[test]
    fn games_with_repetitions_are_not_proven() {
        let mut prover = Prover::new(UniformHeuristic, 1 << 20).unwrap();
        assert_eq!(prover.prove(&PongHauKi::start(), u64::MAX, &mut never), ValueBounds::OPEN);
    }
}
