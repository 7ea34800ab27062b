//! Reviews recorded games, stores reviews in records and reads them back.

use super::review::{GameReview, MoveReview, ReviewOptions, explain, review_game};
use crate::records::{ENGINE_DEFINED, GameRecord, Glyph, MoveRecord};
use crate::rules::StartPosition;
use crate::search::{Score, SearchControl};
use crate::thinking::{EngineError, GameSpec, registry};

/// Why a game cannot be reviewed.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The start position is invalid, or the search cannot allocate its memory.
    #[error(transparent)]
    Engine(EngineError),
    /// The game is not registered.
    #[error(transparent)]
    Game(EngineError),
    #[error(
        "ply {0}: the stored review contradicts itself; annotate the game again, or review it with --nodes"
    )]
    Contradiction(usize),
    #[error("cannot review a game of {0:?}: its rules are defined by its engines")]
    EngineDefined(String),
}

/// Reviews a recorded game; see [`review_game`]. Fails if the game is unknown or its start position
/// invalid.
pub fn review_record(
    record: &GameRecord,
    options: &ReviewOptions,
    control: &SearchControl,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<GameReview, ReviewError> {
    let spec = find_game(record)?;
    let start = StartPosition::from_text(&record.fen);
    let moves: Vec<&str> = record.moves.iter().map(|mv| mv.mv.as_str()).collect();
    let mut game = spec.open();
    let mut review = review_game(game.as_mut(), &start, &moves, options, control, progress)
        .map_err(ReviewError::Engine)?;
    for mv in &mut review.moves {
        mv.is_book = record.moves[mv.ply - 1].is_book;
    }
    Ok(GameReview::new(review.moves, review.plies, review.illegal))
}

fn find_game(record: &GameRecord) -> Result<&'static GameSpec, ReviewError> {
    if record.game == ENGINE_DEFINED {
        return Err(ReviewError::EngineDefined(record.game.clone()));
    }
    registry::find(&record.game).map_err(ReviewError::Game)
}

/// Stores a review in the record it was made from. Moves that were not reviewed keep their
/// annotations.
pub fn annotate(record: &mut GameRecord, review: &GameReview) {
    for reviewed in &review.moves {
        let Some(mv) = record.moves.get_mut(reviewed.ply - 1) else { continue };
        mv.value = Some(reviewed.after);
        mv.best = Some(reviewed.before);
        mv.best_line.clone_from(&reviewed.best_line);
        mv.keep = Some(reviewed.keeping);
        mv.mark = reviewed.mark;
    }
}

/// Returns the review that is stored in a record; `None` unless every move is annotated and legal.
/// Fails if the review contradicts itself.
pub fn stored_review(record: &GameRecord) -> Result<Option<GameReview>, ReviewError> {
    /// What a loss may differ by from the stored values.
    const ROUNDING: f64 = 0.05;
    let Some(moves) = stored_moves(record) else { return Ok(None) };
    for (index, mv) in moves.iter().enumerate() {
        let beats_best = mv.after.points() > mv.before.points() && mv.before.proven().is_none();
        let is_counted = mv.keeping.count <= mv.keeping.legal;
        let is_best = mv.best_move() == mv.mv || mv.mark == Some(Glyph::OnlyMove);
        let is_blamed = mv.mark.is_some_and(|mark| mark != Glyph::OnlyMove);
        let is_fair = match mv.loss() > ROUNDING {
            true => !is_best || mv.before.proven().is_some(),
            false => !is_blamed,
        };
        let agrees = moves.get(index + 1).is_none_or(|next| {
            let before = next.before.before_move();
            (before.points(), before.proven()) == (mv.after.points(), mv.after.proven())
        });
        if beats_best || !is_counted || !is_fair || !agrees {
            return Err(ReviewError::Contradiction(mv.ply));
        }
    }
    let plies = moves.len();
    Ok(Some(GameReview::new(moves, plies, None)))
}

fn stored_moves(record: &GameRecord) -> Option<Vec<MoveReview>> {
    let spec = find_game(record).ok()?;
    let mut game = spec.open();
    let start = StartPosition::from_text(&record.fen);
    game.set_position(&start, &[]).ok()?;
    let mut moves = Vec::with_capacity(record.moves.len());
    for (ply, mv) in (1..).zip(&record.moves) {
        let MoveRecord { value: Some(value), best: Some(best), keep: Some(keeping), .. } = *mv
        else {
            return None;
        };
        moves.push(MoveReview {
            ply,
            side: game.side(),
            mv: game.normalize_move(&mv.mv).ok()?,
            is_book: mv.is_book,
            before: from_record(best, spec),
            after: from_record(value, spec),
            best_line: mv.best_line.clone(),
            keeping,
            mark: mv.mark,
            reasons: Vec::new(),
            best_reasons: Vec::new(),
        });
        game.play_moves(&[&mv.mv]).ok()?;
    }
    game.set_position(&start, &[]).ok()?;
    explain(game.as_mut(), &mut moves).ok()?;
    Some(moves)
}

/// Converts a stored value. Only in solved games are the plies of a proof a distance.
fn from_record(score: Score, spec: &GameSpec) -> Score {
    if spec.is_solved { score } else { score.without_distance() }
}
