//! The review of a game: what every move kept or lost, what was better, and where the game turned.
//!
//! [`review_game`] takes a game as text and returns data; `annotate`, `play` and `zermelo review`
//! present it. Positions are assessed from the last to the first, because late proofs are short and
//! help with the earlier positions; what is known of a position then holds before and after the moves
//! around it. With a node limit, one thread and no time limit, two reviews of a
//! game are identical.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod accuracy;
mod glyphs;
mod players;

pub use players::{MarkCounts, PlayerReview};

use std::fmt;
use std::time::Duration;

use crate::reasons::Reason;
use crate::records::{Glyph, ValueKeepingMoves};
use crate::rules::{ExactValue, Side, StartPosition};
use crate::search::{PvLine, Score, SearchControl};
use crate::thinking::{AnyGame, EngineError, SearchRequest, Task};
use glyphs::{INACCURACY_LOSS, glyph};

/// The work on each position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReviewOptions {
    /// Maximum number of nodes per position.
    pub nodes: Option<u64>,
    /// Maximum time per position.
    pub time: Option<Duration>,
    /// Number of threads. With more than one, reviews are no longer reproducible.
    pub threads: usize,
}

impl ReviewOptions {
    /// The default number of nodes per position: a fraction of a second.
    pub const DEFAULT_NODES: u64 = 500_000;
}

impl Default for ReviewOptions {
    fn default() -> Self {
        Self { nodes: Some(Self::DEFAULT_NODES), time: None, threads: 1 }
    }
}

/// The factor on the nodes of a position where a proof stops, to find out which move lost the proven value.
const EDGE_EFFORT: u64 = 4;

/// A side is better above this expected score.
const BETTER: f64 = 0.6;

#[derive(Debug, Clone, PartialEq)]
pub struct GameReview {
    /// The reviewed moves, in order. A review that was stopped lacks the first moves of the game; a
    /// game with an illegal move is reviewed up to it.
    pub moves: Vec<MoveReview>,
    /// The number of legal moves of the record.
    pub plies: usize,
    /// The first and the second player.
    pub players: [PlayerReview; 2],
    /// The indices in `moves` of the moves that turned the game.
    pub turning_points: Vec<usize>,
    /// The first illegal move, if there is one.
    pub illegal: Option<IllegalMove>,
}

/// The review of a move. Scores are from the point of view of the player who made it.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveReview {
    /// The ply, from 1.
    pub ply: usize,
    /// Who made it.
    pub side: Side,
    /// The move.
    pub mv: String,
    /// Whether the match runner chose it instead of the player. It is not graded.
    pub is_book: bool,
    /// The score of the position before the move: the score of the best move.
    pub before: Score,
    pub after: Score,
    /// The best move and the line expected after it.
    pub best_line: Vec<String>,
    /// The moves that keep the value.
    pub keeping: ValueKeepingMoves,
    /// The mark, if the move deserves one.
    pub mark: Option<Glyph>,
    /// The reasons for and against the move.
    pub reasons: Vec<Reason>,
    /// The reasons for and against the best move; empty if it was played.
    pub best_reasons: Vec<Reason>,
}

/// A move that the rules do not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IllegalMove {
    /// The ply, from 1.
    pub ply: usize,
    /// Why it was refused.
    pub reason: String,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ply {}: {}", self.ply, self.reason)
    }
}

impl MoveReview {
    /// The expected score that the move lost, from 0 to 1.
    pub fn loss(&self) -> f64 {
        (self.before.expected() - self.after.expected()).max(0.0)
    }

    /// Whether another move would have changed the value, so that there was something to judge.
    pub fn had_choice(&self) -> bool {
        self.keeping.count < self.keeping.legal
    }

    /// Whether the loss is proven rather than estimated.
    pub fn is_proven(&self) -> bool {
        self.before.proven().is_some() && self.after.proven().is_some()
    }

    pub fn best_move(&self) -> &str {
        self.best_line.first().unwrap_or(&self.mv)
    }

    /// The reasons for and against the best move, whether it was played or not.
    #[must_use]
    pub fn reasons_for_best(&self) -> &[Reason] {
        if self.best_move() == self.mv { &self.reasons } else { &self.best_reasons }
    }

    /// Whether the mark, if there is one, is proven: both scores are, and for an only move also the
    /// values of all others.
    pub fn is_mark_proven(&self) -> bool {
        self.is_proven() && (self.mark != Some(Glyph::OnlyMove) || self.keeping.is_proven)
    }

    /// Whether the move changed who is better.
    fn changes_favourite(&self) -> bool {
        let standing = |score: Score| match score.expected() {
            expected if expected > BETTER => 1,
            expected if expected < 1.0 - BETTER => -1,
            _ => 0,
        };
        standing(self.before) != standing(self.after)
    }
}

impl GameReview {
    /// Sums up reviewed moves. Book moves lose their marks.
    pub fn new(mut moves: Vec<MoveReview>, plies: usize, illegal: Option<IllegalMove>) -> Self {
        moves.iter_mut().filter(|mv| mv.is_book).for_each(|mv| mv.mark = None);
        let is_turning_point =
            |mv: &MoveReview| mv.mark.is_some_and(Glyph::is_serious) && mv.changes_favourite();
        let turning_points =
            moves.iter().enumerate().filter(|(_, mv)| is_turning_point(mv)).map(|(index, _)| index);
        Self {
            players: [Side::P1, Side::P2].map(|side| PlayerReview::new(&moves, side)),
            turning_points: turning_points.collect(),
            moves,
            plies,
            illegal,
        }
    }

    /// The move after another one; its best line refutes a mistake.
    #[must_use]
    pub fn move_after(&self, mv: &MoveReview) -> Option<&MoveReview> {
        self.moves.iter().find(|next| next.ply == mv.ply + 1)
    }

    /// The side that stands worse after the last move.
    pub fn losing_side(&self) -> Option<Side> {
        let last = self.moves.last()?;
        match last.after.expected() {
            expected if expected > BETTER => Some(last.side.other()),
            expected if expected < 1.0 - BETTER => Some(last.side),
            _ => None,
        }
    }

    /// The move that cost the losing side most, if none of its moves turned the game: a game can be
    /// lost by small mistakes.
    pub fn costliest_mistake(&self) -> Option<&MoveReview> {
        /// Smaller losses may be noise of the search.
        const MIN_LOSS: f64 = 0.05;
        let loser = self.losing_side()?;
        if self.turning_points.iter().any(|index| self.moves[*index].side == loser) {
            return None;
        }
        let own = self.moves.iter().filter(|mv| mv.side == loser && !mv.is_book);
        let own = own.filter(|mv| mv.loss() >= MIN_LOSS);
        own.max_by(|one, other| one.loss().total_cmp(&other.loss()))
    }

    /// Whether all moves of the record are reviewed.
    pub fn is_complete(&self) -> bool {
        self.moves.len() == self.plies && self.illegal.is_none()
    }
}

/// Reviews the moves of a game from a start position, calling `progress` with the number of
/// positions done and their total. What `game` already knows of a position is not searched again;
/// its own position is lost. If `control` is stopped, the review contains the positions done so
/// far, which are the last ones of the game. Fails if the start position is invalid or the search
/// cannot allocate its memory.
pub fn review_game(
    game: &mut dyn AnyGame,
    start: &StartPosition<'_>,
    moves: &[&str],
    options: &ReviewOptions,
    control: &SearchControl,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<GameReview, EngineError> {
    game.set_position(start, &[])?;
    let (legal, illegal) = play_legal_moves(game, moves);
    let mut done = 0;
    for (ply, mv) in legal.iter().enumerate().rev() {
        set_ply(game, start, &legal[..ply])?;
        let Some(position) = assess(game, mv, options, 1, control)? else { break };
        if options.nodes.is_some() && position.is_edge_of_proof() {
            assess(game, mv, options, EDGE_EFFORT, control)?;
        }
        if control.is_stopped() {
            break;
        }
        done += 1;
        progress(done, legal.len());
    }
    let first = legal.len() - done;
    // The last position passes what is known of it to all before it.
    if done > 0
        && let Some((mv, before)) = legal.split_last()
    {
        set_ply(game, start, before)?;
        assess(game, mv, options, 1, control)?;
    }
    set_ply(game, start, &legal[..first])?;
    let mut reviewed = Vec::with_capacity(done);
    for (ply, mv) in (first + 1..).zip(&legal[first..]) {
        let Some(position) = assess(game, mv, options, 1, control)? else { break };
        reviewed.push(review_move(ply, &position));
        game.play_moves(&[mv])?;
    }
    set_ply(game, start, &legal[..first])?;
    explain(game, &mut reviewed)?;
    Ok(GameReview::new(reviewed, legal.len(), illegal))
}
/// Assesses the moves of the current position. `effort` multiplies the nodes. `None` if it was stopped before
/// it came to the move.
fn assess(
    game: &mut dyn AnyGame,
    mv: &str,
    options: &ReviewOptions,
    effort: u64,
    control: &SearchControl,
) -> Result<Option<ReviewedPosition>, EngineError> {
    let nodes = options.nodes.map(|nodes| nodes.saturating_mul(effort));
    let mut request = SearchRequest::assess_all(nodes, options.time, options.threads.max(1));
    request.task = Task::AssessAll { played: Some(mv.to_owned()), completes_lines: false };
    let report = game.prepare(&request)?.run(control, &mut |_| {})?;
    let Some(played) = report.lines.iter().position(|own| own.mv() == mv) else { return Ok(None) };
    let score = match report.score() {
        // The best move may draw where another one may still win.
        best if report.proven.is_none() => Score::Estimate(best.points()),
        best => best,
    };
    Ok(Some(ReviewedPosition { side: game.side(), score, lines: report.lines, played }))
}

/// A position of the game, and the move that was played in it.
struct ReviewedPosition {
    side: Side,
    /// The score of the position.
    score: Score,
    /// The legal moves, best first.
    lines: Vec<PvLine<String>>,
    /// The index of the played move.
    played: usize,
}

impl ReviewedPosition {
    /// Whether a proof stops here: either the position or the one after the played move is proven.
    fn is_edge_of_proof(&self) -> bool {
        self.score.proven().is_some() != self.lines[self.played].score.proven().is_some()
    }
}

/// Sets up the position after these moves.
fn set_ply(
    game: &mut dyn AnyGame,
    start: &StartPosition<'_>,
    moves: &[String],
) -> Result<(), EngineError> {
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    game.set_position(start, &moves).map(drop)
}

/// Adds the reasons to moves that start from the game's current position, and plays them.
pub(super) fn explain(game: &mut dyn AnyGame, moves: &mut [MoveReview]) -> Result<(), EngineError> {
    let mut rest = moves;
    while let [mv, next @ ..] = rest {
        mv.reasons = game.reasons(&mv.mv, next.first().map(MoveReview::best_move))?;
        if mv.best_move() != mv.mv {
            mv.best_reasons =
                game.reasons(mv.best_move(), mv.best_line.get(1).map(String::as_str))?;
        }
        game.play_moves(&[&mv.mv])?;
        rest = next;
    }
    Ok(())
}

/// Plays moves up to the first illegal one; returns them in the game's own notation.
fn play_legal_moves(game: &mut dyn AnyGame, moves: &[&str]) -> (Vec<String>, Option<IllegalMove>) {
    let mut legal = Vec::with_capacity(moves.len());
    for (index, text) in moves.iter().enumerate() {
        let name = game.normalize_move(text);
        match name.and_then(|name| game.play_moves(&[text]).map(|()| name)) {
            Ok(name) => legal.push(name),
            Err(error) => {
                let illegal = IllegalMove { ply: index + 1, reason: error.to_string() };
                return (legal, Some(illegal));
            }
        }
    }
    (legal, None)
}

fn review_move(ply: usize, position: &ReviewedPosition) -> MoveReview {
    let (before, own) = (position.score, &position.lines[position.played]);
    let others = || position.lines.iter().filter(|other| other.mv() != own.mv());
    // Winning at once, or stopping the opponent from doing so, is no achievement.
    let is_obvious = own.score == Score::Exact(ExactValue::Win(1))
        || others().all(|other| other.score == Score::Exact(ExactValue::Loss(2)));
    let losses = others().map(|other| before.expected() - other.score.expected());
    let least_other_loss = losses.min_by(f64::total_cmp).filter(|_| !is_obvious);
    MoveReview {
        ply,
        side: position.side,
        mv: own.mv().clone(),
        is_book: false,
        before,
        after: own.score,
        best_line: position.lines[0].moves.clone(),
        keeping: count_keeping(before, &position.lines),
        mark: glyph(own.score, own.bounds.upper, before, least_other_loss),
        reasons: Vec::new(),
        best_reasons: Vec::new(),
    }
}

/// Counts the moves that keep the value of a position.
fn count_keeping(before: Score, assessed: &[PvLine<String>]) -> ValueKeepingMoves {
    let legal = assessed.len();
    let Some(value) = before.proven().map(ExactValue::value) else {
        let keeps =
            |own: &&PvLine<String>| before.expected() - own.score.expected() < INACCURACY_LOSS;
        let count = assessed.iter().filter(keeps).count();
        return ValueKeepingMoves { count, legal, is_proven: false };
    };
    let keeps = |own: &&PvLine<String>| own.bounds.lower >= value;
    let is_decided = |own: &PvLine<String>| own.bounds.lower >= value || own.bounds.upper < value;
    let count = assessed.iter().filter(keeps).count();
    ValueKeepingMoves { count, legal, is_proven: assessed.iter().all(is_decided) }
}
