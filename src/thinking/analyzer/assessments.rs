//! What earlier requests found out about the positions of a game. Every question about a position gets the
//! deepest answer so far, and neighbours agree: the score after a move is the score before the next one.

use std::collections::HashMap;
use std::time::Duration;

use crate::rules::{ExactValue, Game, Record, Value};
use crate::search::{Limits, PvLine, Score, SearchReport};
use crate::solve::ValueBounds;

pub(super) struct Assessments<G: Game>(HashMap<PositionKey<G>, Assessment<G::Move>>);

/// A position, and in a cyclic game the repetition keys of the game so far.
type PositionKey<G> = (G, Vec<u64>);

/// The legal moves of a position, assessed.
struct Assessment<M> {
    /// Best first.
    lines: Vec<PvLine<M>>,
    effort: Effort,
    /// What the move that leads here is proven to be worth, for the side to move here.
    known: ValueBounds,
    /// The proven score of the position, if only the move that leads here shows it.
    proven: Option<Score>,
}

/// The work behind an assessment.
#[derive(Clone, Copy, Default)]
pub(super) struct Effort {
    pub(super) nodes: u64,
    pub(super) time: Duration,
}

impl Effort {
    /// The work of a search that was not stopped: all that was asked for, even if it ended earlier.
    pub(super) fn or_asked(self, limits: &Limits) -> Self {
        let time = limits.budget.hard.unwrap_or_default();
        Self { nodes: self.nodes.max(limits.nodes.unwrap_or_default()), time: self.time.max(time) }
    }

    /// Whether a search within these limits would do no more.
    fn covers(self, limits: &Limits) -> bool {
        limits.nodes.is_some_and(|nodes| nodes <= self.nodes)
            || limits.budget.hard.is_some_and(|time| time <= self.time)
    }
}

impl<G: Game> Default for Assessments<G> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<G: Game> Assessments<G> {
    /// How many positions are kept; the next one replaces them all.
    const MAX_POSITIONS: usize = 1000;

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether a position needs no more work within these limits.
    pub(super) fn covers(&self, record: &Record<G>, limits: &Limits) -> bool {
        self.0.get(&key(record)).is_some_and(|kept| {
            kept.effort.covers(limits) || kept.lines.iter().all(|own| own.score.proven().is_some())
        })
    }

    /// Keeps the lines of a position, unless those that are kept took more nodes.
    pub(super) fn insert(
        &mut self,
        record: &Record<G>,
        lines: Vec<PvLine<G::Move>>,
        effort: Effort,
    ) {
        if self.0.len() >= Self::MAX_POSITIONS {
            self.0.clear();
        }
        let kept = self.0.entry(key(record)).or_default();
        if effort.nodes >= kept.effort.nodes {
            kept.lines = lines;
            kept.settle();
        }
        kept.effort.nodes = kept.effort.nodes.max(effort.nodes);
        kept.effort.time = kept.effort.time.max(effort.time);
    }

    /// The lines of an assessed position, best first, and its proven value, once they agree with what is kept
    /// of the positions before and after it.
    pub(super) fn report(&mut self, record: &Record<G>) -> Option<SearchReport<G::Move>> {
        let mut next = record.clone();
        for mv in record.legal_moves() {
            if next.push(mv).is_ok() {
                self.carry_back(record, mv, &next);
                next.pop();
            }
        }
        let mut game = vec![Record::new(*record.first())];
        for mv in record.moves() {
            let mut next = game.last()?.clone();
            next.push(*mv).ok()?;
            game.push(next);
        }
        let plies = || game.windows(2).zip(record.moves());
        plies().rev().for_each(|(pair, mv)| self.carry_back(&pair[0], *mv, &pair[1]));
        plies().for_each(|(pair, mv)| self.carry_forward(&pair[0], *mv, &pair[1]));
        // What was carried forward may have changed the length of a line.
        plies().rev().for_each(|(pair, mv)| self.carry_back(&pair[0], *mv, &pair[1]));
        let kept = self.0.get(&key(record))?;
        let (lines, proven) = (kept.lines.clone(), kept.score().proven());
        Some(SearchReport { lines, proven, ..SearchReport::default() })
    }

    /// Passes what is known of the position after a move back to that move.
    fn carry_back(&mut self, before: &Record<G>, mv: G::Move, after: &Record<G>) {
        let Some(next) = self.0.get(&key(after)) else { return };
        let (score, bounds) = (next.score(), next.bounds().flip());
        let line: Vec<G::Move> =
            [mv].into_iter().chain(next.lines[0].moves.iter().copied()).collect();
        let Some(kept) = self.0.get_mut(&key(before)) else { return };
        let Some(own) = kept.lines.iter_mut().find(|own| *own.mv() == mv) else { return };
        own.bounds = own.bounds.narrowed(bounds);
        if own.score.proven().is_none() || score.proven().is_some() {
            let score = score.before_move().within(own.bounds);
            // A distance is exact only if both are.
            let is_exact = matches!(own.score, Score::Exact(_));
            own.score = if is_exact { score } else { score.without_distance() };
            own.moves = line;
        }
        kept.settle();
    }

    /// Passes what is proven of a move on to the position after it.
    fn carry_forward(&mut self, before: &Record<G>, mv: G::Move, after: &Record<G>) {
        let Some(kept) = self.0.get(&key(before)) else { return };
        let Some(own) = kept.lines.iter().find(|own| *own.mv() == mv) else { return };
        let (score, bounds) = (own.score.after_move(), own.bounds.flip());
        let Some(next) = self.0.get_mut(&key(after)) else { return };
        next.known = next.known.narrowed(bounds);
        next.proven = next.proven.or(score.proven().map(|_| score));
        next.settle();
    }
}

impl<M> Default for Assessment<M> {
    fn default() -> Self {
        let (lines, effort) = (Vec::new(), Effort::default());
        Self { lines, effort, known: ValueBounds::OPEN, proven: None }
    }
}

impl<M: Copy> Assessment<M> {
    fn score(&self) -> Score {
        let best = self.lines[0].score;
        // A proven draw is only the value of the position if no other move may win.
        let is_open = best.proven() == Some(ExactValue::Draw) && self.bounds().value().is_none();
        match best {
            _ if is_open => self.proven.unwrap_or(Score::Estimate(0)),
            Score::Estimate(_) => self.proven.unwrap_or(best),
            Score::Exact(_) | Score::ByLine(_) => best,
        }
    }

    fn bounds(&self) -> ValueBounds {
        ValueBounds::of_moves(self.lines.iter().map(|own| own.bounds)).narrowed(self.known)
    }

    /// Brings the moves into the bounds of the position, and sorts them.
    fn settle(&mut self) {
        let upper = self.bounds().upper;
        let lost = self.proven.filter(|_| upper == Value::Loss);
        for own in &mut self.lines {
            own.bounds.upper = own.bounds.upper.min(upper);
            let is_estimate = own.score.proven().is_none();
            own.score = lost.filter(|_| is_estimate).unwrap_or(own.score.within(own.bounds));
        }
        PvLine::sort_best_first(&mut self.lines);
        let best = &mut self.lines[0];
        best.score = best.score.within(self.known);
    }
}

/// How a position is found again.
fn key<G: Game>(record: &Record<G>) -> PositionKey<G> {
    (*record.position(), record.keys().to_vec())
}
