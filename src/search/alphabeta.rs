//! Iterative deepening over [`SearchWorker`]s: depth by depth, line by line, on one thread or many.
//!
//! Each depth is searched in a narrow window around the last score (aspiration) that widens when
//! the score falls outside. Between two depths the prover has its turn (see `finish`). More threads
//! search the same tree from different depths and help each other through the shared table alone
//! (lazy SMP); the first thread decides.

use std::cmp::Reverse;
use std::time::Duration;

use super::endgame_proof::{EndgameProof, EvalGuide};
use super::score::{self, INFINITY, MAX_PLY, Points};
use super::table::TranspositionTable;
use super::window::Window;
use super::worker::{RootMove, SearchWorker, SharedCount, WorkerRole};
use super::{
    Evaluator, ProvenValue, PvLine, Score, SearchControl, SearchReport, SearchTask, Searcher,
};
use crate::rules::{Game, Value};
use crate::solve::{OutOfMemory, Prover};

/// Principal-variation search with a transposition table.
#[derive(Debug)]
pub struct AlphaBeta<G: Game, E> {
    table: TranspositionTable,
    evaluator: E,
    prover: Prover<G, EvalGuide<E>>,
    selective: bool,
    /// What the last search led to, if it has proven a win.
    won: Option<G>,
}

impl<G: Game, E: Evaluator<G>> AlphaBeta<G, E> {
    /// A searcher with tables of the given size together, a quarter for proofs.
    ///
    /// # Errors
    /// When the memory for the table is not to be had.
    pub fn new(evaluator: E, mebibytes: usize) -> Result<Self, OutOfMemory> {
        let bytes = mebibytes << 20;
        let table =
            TranspositionTable::new(bytes - bytes / 4).map_err(|_| OutOfMemory { mebibytes })?;
        let prover = Prover::new(EvalGuide(evaluator.clone()), bytes / 4);
        let prover = prover.map_err(|_| OutOfMemory { mebibytes })?;
        Ok(Self { table, evaluator, prover, selective: true, won: None })
    }

    /// Looks at every move as deeply as at the others, so that the score of a depth is that of
    /// plain negamax.
    #[must_use]
    pub fn unselective(self) -> Self {
        Self { selective: false, ..self }
    }
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for AlphaBeta<G, E> {
    fn search(
        &mut self,
        task: &SearchTask<G>,
        control: &SearchControl,
        progress: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        self.table.age();
        // Whether there is a win in so many plies is answered exactly: nothing is left out, nor is
        // anything believed that was found out by leaving something out.
        let exact = task.limits.win_within.is_some();
        if exact {
            self.table.clear();
        }
        let pos = task.position();
        let leads_here = |won: G| won.legal_moves().into_iter().any(|mv| won.after(mv) == *pos);
        let promised = self.won.take().is_some_and(leads_here);
        let Self { table, evaluator, prover, selective, won } = self;
        let (table, total) = (&*table, SharedCount::new(0));
        let worker = |leads: bool| {
            let role = WorkerRole { leads, selective: *selective && !exact };
            SearchWorker::new(task, table, control, &total, evaluator.clone(), role)
        };
        let brief = task.limits.budget.hard.is_some_and(|hard| hard < BRIEF);
        let crowd = if brief { cores() } else { MAX_THREADS_PER_CORE * cores() };
        let threads = task.threads.clamp(1, crowd);
        let finish = EndgameProof::of(task, prover, control, &total, threads, promised)
            .filter(|_| *selective);
        let mut leader = Deepening::new(task, worker(true));
        // Whatever the clock says, there is a move before other threads take part.
        let report = leader.first_report(table, control);
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new;
            let hard = task.limits.budget.hard.filter(|_| task.threads > cores());
            if leader.goes_on(&report, control) {
                if let Some(hard) = hard {
                    // Without the sleeper the leader watches the clock itself, only less well.
                    let _ = builder().spawn_scoped(scope, move || control.watch(hard));
                }
                for number in 1..threads {
                    let mut helper = Deepening::new(task, worker(false));
                    let help = move || helper.help(control, number);
                    // Where the system has no thread to give, those that are there do the work.
                    if builder().spawn_scoped(scope, help).is_err() {
                        break;
                    }
                }
            }
            let report = leader.lead(report, finish, table, control, progress);
            control.finish();
            let is_won = report
                .proven
                .is_some_and(|proven| proven.value() == Value::Win && proven.plies() > Some(1));
            *won = report.best_move().filter(|_| is_won).map(|mv| pos.after(mv));
            report
        })
    }

    fn clear(&mut self) {
        self.table.clear();
        self.prover.clear();
        self.won = None;
    }
}

/// More threads a core than this are not started: they would add nothing but the wait for each
/// other at the end, which the clock does not allow for.
const MAX_THREADS_PER_CORE: usize = 8;
/// In less time than this, no more than one thread a core.
const BRIEF: Duration = Duration::from_millis(50);

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Puts new lines in the place of those of an earlier depth; but a win that was proven is not given
/// up for less, should a later search not see it any more.
fn renew<M>(report: &mut SearchReport<M>, lines: Vec<PvLine<M>>) {
    let proven = lines[0].score.proven();
    let is_win = |proven| matches!(proven, Some(ProvenValue::Win(_)));
    if is_win(proven) || !is_win(report.proven) {
        report.lines = lines;
        report.proven = proven;
    }
}

/// The root moves on their way through the depths.
struct Deepening<'a, G: Game, E> {
    task: &'a SearchTask<G>,
    worker: SearchWorker<'a, G, E>,
    roots: Vec<RootMove<G::Move>>,
    /// A root move that turned out better than the window let it say, until it is searched again.
    promoted: Option<RootMove<G::Move>>,
    last_depth: u32,
    /// From this depth on every line is followed to the end of the game.
    exhaustive_depth: u32,
}

impl<'a, G: Game, E: Evaluator<G>> Deepening<'a, G, E> {
    fn new(task: &'a SearchTask<G>, worker: SearchWorker<'a, G, E>) -> Self {
        let roots = task.moves.iter().map(|&mv| RootMove { mv, points: 0, line: vec![mv] });
        let pos = task.position();
        let nobody_wins = ![pos.side(), !pos.side()].iter().any(|side| pos.can_still_win(*side));
        let exhaustive_depth =
            if nobody_wins { 1 } else { pos.max_plies_left().unwrap_or(u32::MAX).max(1) };
        let deepest = exhaustive_depth.min(MAX_PLY as u32);
        let last_depth = task.limits.plies().map_or(deepest, |depth| depth.clamp(1, deepest));
        Self { task, worker, roots: roots.collect(), promoted: None, last_depth, exhaustive_depth }
    }

    /// Searches the first depth, which no limit interrupts.
    fn first_report(
        &mut self,
        table: &TranspositionTable,
        control: &SearchControl,
    ) -> SearchReport<G::Move> {
        self.worker.unstoppable = true;
        self.deepen(1);
        self.worker.unstoppable = false;
        let mut report = SearchReport {
            depth: 1,
            selective_depth: 1,
            lines: self.lines(1),
            proven: None,
            nodes: 0,
            time: control.elapsed(),
            hash_full: 0,
        };
        report.proven = report.lines[0].score.proven();
        self.take_stock(&mut report, table, control);
        report
    }

    /// The first thread's work: tells about each further depth and decides when to stop.
    fn lead(
        &mut self,
        mut report: SearchReport<G::Move>,
        mut finish: Option<EndgameProof<'_, G, E>>,
        table: &TranspositionTable,
        control: &SearchControl,
        progress: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        let mut depth = 1;
        loop {
            let interrupted = report.depth < depth;
            let over = interrupted || !self.goes_on(&report, control);
            if over && let Some(finish) = &mut finish {
                report.nodes += finish.final_probe(&report);
            }
            let told = match &mut finish {
                Some(finish) => finish.apply_proof(&report, &self.roots),
                None => report.clone(),
            };
            let answered = finish.as_ref().is_some_and(|finish| finish.answers(told.proven));
            if answered || over {
                return told;
            }
            progress(&told);
            depth += 1;
            let fresh = if self.deepen(depth) {
                report.depth = depth;
                Some(self.lines(depth))
            } else {
                let better = self.interrupted_line().map(|line| vec![line]);
                better.filter(|better| better[0].moves[0] != report.lines[0].moves[0])
            };
            if let Some(fresh) = fresh {
                renew(&mut report, fresh);
            }
            if let Some(finish) = &mut finish
                && report.depth == depth
                && self.goes_on(&report, control)
            {
                self.worker.publish();
                finish.keep_up(&self.roots);
            }
            self.take_stock(&mut report, table, control);
        }
    }

    /// Brings the counts of a report up to date.
    fn take_stock(
        &mut self,
        report: &mut SearchReport<G::Move>,
        table: &TranspositionTable,
        control: &SearchControl,
    ) {
        report.selective_depth = (self.worker.selective_depth as u32).max(report.depth);
        report.nodes = self.worker.publish();
        report.time = control.elapsed();
        report.hash_full = table.fullness();
    }

    /// Whether another depth is to be searched.
    fn goes_on(&self, report: &SearchReport<G::Move>, control: &SearchControl) -> bool {
        report.depth < self.last_depth && !control.is_stopped() && !self.is_settled(report, control)
    }

    /// A further thread's work: fill the table with what the first thread will want to know. Every
    /// other helper runs one depth ahead.
    fn help(&mut self, control: &SearchControl, number: usize) {
        let first = 1 + (number % 2) as u32;
        for depth in first..=self.last_depth.max(first) {
            if control.is_stopped() || !self.deepen(depth) {
                break;
            }
        }
    }

    /// Searches one depth, line after line; `false` when interrupted.
    fn deepen(&mut self, depth: u32) -> bool {
        for line in 0..self.task.line_count() {
            if !self.search_line(depth, line) {
                return false;
            }
        }
        self.roots[..self.task.line_count()].sort_by_key(|root| Reverse(root.points));
        true
    }

    /// Finds the best of the root moves from `line` on and brings it to the front of them.
    fn search_line(&mut self, depth: u32, line: usize) -> bool {
        const STEADY_DEPTH: u32 = 4;
        const MARGIN: Points = 40;
        let expected = self.roots[line].points;
        let mut margin = MARGIN;
        let mut window = Window::FULL;
        if depth >= STEADY_DEPTH && !score::is_decided(expected) && expected > -INFINITY {
            window = Window { alpha: expected - margin, beta: expected + margin };
        }
        let pos = self.task.position();
        loop {
            let roots = &mut self.roots[line..];
            let Some(points) = self.worker.search_root(pos, depth as i32, window, roots) else {
                return false;
            };
            // A stable sort keeps the order of the moves that were not better.
            roots.sort_by_key(|root| Reverse(root.points));
            let low = points <= window.alpha && window.alpha > -INFINITY;
            let high = points >= window.beta && window.beta < INFINITY;
            self.promoted = high.then(|| roots[0].clone());
            if !low && !high {
                return true;
            }
            margin *= 4;
            let wide = margin > 16 * MARGIN || score::is_decided(points);
            if low {
                window.alpha = if wide { -INFINITY } else { points - margin };
            } else {
                window.beta = if wide { INFINITY } else { points + margin };
            }
        }
    }

    /// Within how many plies a search of this depth finds every win and loss, and so their exact
    /// distances: everywhere if it reaches the end of every game, one ply beyond its depth if it is
    /// full-width, nowhere if pruning may have hidden a faster win.
    fn exact_plies(&self, depth: u32) -> usize {
        if depth >= self.exhaustive_depth {
            score::EVERY_PLY
        } else if self.worker.selective {
            0
        } else {
            depth as usize + 1
        }
    }

    fn lines(&mut self, depth: u32) -> Vec<PvLine<G::Move>> {
        let exact_plies = self.exact_plies(depth);
        let told = self.roots[..self.task.line_count()].to_vec();
        told.into_iter()
            .map(|root| self.line(Score::from_root_points(root.points, exact_plies), root.line))
            .collect()
    }

    /// A line with what the evaluation says of draws where it ends.
    fn line(&mut self, score: Score, moves: Vec<G::Move>) -> PvLine<G::Move> {
        let mut pos = *self.task.position();
        for mv in &moves {
            let next = pos.after(*mv);
            if next.outcome().is_some() {
                break;
            }
            pos = next;
        }
        self.worker.evaluator.reset(&pos);
        let (_, draw_share) = self.worker.evaluator.evaluate_with_draw_share(&pos);
        PvLine { score, moves, draw_share }
    }

    /// A move that beat the old favourite in the depth that was interrupted. What is behind it in
    /// the list was not searched, and its score may be a bound, so it is an estimate; but an exact
    /// win is one, whatever else there may be.
    fn interrupted_line(&mut self) -> Option<PvLine<G::Move>> {
        let improved = self.worker.improved.map(|index| &self.roots[index]);
        let root = improved.or(self.promoted.as_ref())?;
        let score = if improved.is_some() && score::is_won(root.points) {
            Score::from_root_points(root.points, 0)
        } else {
            Score::Estimate(root.points.clamp(-score::LIMIT, score::LIMIT))
        };
        let (single, moves) = (self.task.line_count() == 1, root.line.clone());
        single.then(|| self.line(score, moves))
    }

    /// Whether more depth is not wanted: the lines are proven, the question is answered, or the
    /// time for beginning something new is over.
    fn is_settled(&self, report: &SearchReport<G::Move>, control: &SearchControl) -> bool {
        // A win found beyond the depth need not be the fastest.
        let settled = |line: &PvLine<_>| match line.score.proven() {
            Some(ProvenValue::Win(count)) => u32::from(count.plies()) <= report.depth,
            Some(ProvenValue::Draw | ProvenValue::Loss(_)) => true,
            None => false,
        };
        let limits = &self.task.limits;
        let best = report.lines.first().and_then(|line| line.score.proven());
        let found = limits.win_within.is_some() && limits.is_win_enough(best);
        // On a clock, a forced move needs no thought, only a score and an expected reply.
        const FORCED_DEPTH: u32 = 6;
        let soft = limits.budget.soft;
        let forced = soft.is_some() && self.task.moves.len() == 1 && report.depth >= FORCED_DEPTH;
        let late = soft.is_some_and(|soft| control.has_elapsed(soft));
        report.lines.iter().all(settled) || found || forced || late
    }
}
