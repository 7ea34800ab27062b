//! Adjudication: ends games early by score or by length.

use serde::{Deserialize, Serialize};

use crate::arena::engines::key_values::{
    KeyValueError, KeyValues, Rejection, parse_bool, parse_number,
};
use crate::records::{EngineScore, MoveRecord};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    pub resign: Option<ResignRule>,
    pub draw: Option<DrawRule>,
    /// The number of moves of each engine after which a game is drawn.
    pub maxmoves: Option<u32>,
}

/// Resign adjudication: an engine loses when its own score stays this bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// Number of consecutive moves of the engine with such a score.
    pub movecount: u32,
    /// The size of the losing score in hundredths.
    pub score: i32,
    /// Whether the opponent's score must agree.
    pub twosided: bool,
}

impl ResignRule {
    pub fn from_key_values(settings: &KeyValues) -> Result<Self, KeyValueError> {
        let mut rule = Self { movecount: 3, score: 1000, twosided: false };
        settings.for_each(|key, value| {
            match key {
                "movecount" => rule.movecount = parse_moves(value)?,
                "score" => rule.score = parse_score(value)?,
                "twosided" => rule.twosided = parse_bool(value)?,
                _ => return Err(Rejection::UnknownKey("movecount score twosided")),
            }
            Ok(())
        })?;
        Ok(rule)
    }
}

fn parse_moves(value: &str) -> Result<u32, Rejection> {
    parse_number(value, "a number of moves, at least 1", |count| *count > 0)
}

fn parse_score(value: &str) -> Result<i32, Rejection> {
    parse_number(value, "a score in hundredths, at least 0", |score| *score >= 0)
}

/// Draw adjudication: a game is drawn when the scores of both engines stay close to zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// The first move at which it applies.
    pub movenumber: u32,
    /// Number of consecutive moves of each engine with such a score.
    pub movecount: u32,
    /// The greatest absolute score, in hundredths.
    pub score: i32,
}

impl DrawRule {
    pub fn from_key_values(settings: &KeyValues) -> Result<Self, KeyValueError> {
        let mut rule = Self { movenumber: 1, movecount: 8, score: 10 };
        settings.for_each(|key, value| {
            match key {
                "movenumber" => rule.movenumber = parse_moves(value)?,
                "movecount" => rule.movecount = parse_moves(value)?,
                "score" => rule.score = parse_score(value)?,
                _ => return Err(Rejection::UnknownKey("movenumber movecount score")),
            }
            Ok(())
        })?;
        Ok(rule)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AdjudicationVerdict {
    /// A player's score was too low for too long.
    Resigns { last_mover: bool },
    /// Both scores were near zero for long enough.
    DrawAgreed,
    /// Each player has made this number of moves.
    MoveLimit(u32),
}

/// Returns whether and why a game ends after these moves.
pub(crate) fn adjudicate(
    rules: &Adjudication,
    moves: &[MoveRecord],
) -> Option<AdjudicationVerdict> {
    if let Some(rule) = rules.resign {
        let count = rule.movecount as usize;
        let moves_of =
            |last_mover: bool| moves.iter().rev().skip(usize::from(!last_mover)).step_by(2);
        let resigns = |last_mover: bool| {
            let sees_loss =
                all_of(count, &mut moves_of(last_mover), |score| is_lost(score, rule.score));
            let sees_win =
                || all_of(count, &mut moves_of(!last_mover), |score| is_won(score, rule.score));
            sees_loss && (!rule.twosided || sees_win())
        };
        // With two-sided resignation, a new score of the winner can complete the loser's condition.
        let loser = [true, false].into_iter().find(|last_mover| resigns(*last_mover));
        if let Some(last_mover) = loser {
            return Some(AdjudicationVerdict::Resigns { last_mover });
        }
    }
    if let Some(rule) = rules.draw {
        let count = 2 * rule.movecount as usize;
        let is_level =
            |score| matches!(score, EngineScore::Cp(points) if points.abs() <= rule.score);
        if moves.len() >= 2 * rule.movenumber as usize
            && all_of(count, &mut moves.iter().rev(), is_level)
        {
            return Some(AdjudicationVerdict::DrawAgreed);
        }
    }
    let limit = rules.maxmoves?;
    (moves.len() >= 2 * limit as usize).then_some(AdjudicationVerdict::MoveLimit(limit))
}

/// Returns whether the first `count` moves exist and all have a score that passes.
fn all_of(
    count: usize,
    moves: &mut dyn Iterator<Item = &MoveRecord>,
    passes: impl Fn(EngineScore) -> bool,
) -> bool {
    let passing = |mv: &&MoveRecord| mv.info.score.is_some_and(&passes);
    moves.take(count).take_while(passing).count() == count
}

fn is_lost(score: EngineScore, limit: i32) -> bool {
    match score {
        EngineScore::Cp(points) => points <= -limit,
        EngineScore::Mate(plies) => plies < 0,
    }
}

fn is_won(score: EngineScore, limit: i32) -> bool {
    match score {
        EngineScore::Cp(points) => points >= limit,
        EngineScore::Mate(plies) => plies > 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::SearchInfo;

    fn moves(scores: &[i32]) -> Vec<MoveRecord> {
        let record = |score: &i32| MoveRecord {
            info: SearchInfo { score: Some(EngineScore::Cp(*score)), ..SearchInfo::default() },
            ..MoveRecord::default()
        };
        scores.iter().map(record).collect()
    }

    #[test]
    fn low_scores_lead_to_resignation() {
        let rule = ResignRule { movecount: 2, score: 500, twosided: false };
        let rules = Adjudication { resign: Some(rule), ..Adjudication::default() };
        let resigns = Some(AdjudicationVerdict::Resigns { last_mover: true });
        assert_eq!(adjudicate(&rules, &moves(&[-600, 0, -500])), resigns);
        assert_eq!(adjudicate(&rules, &moves(&[-600, 0, -499])), None);
        assert_eq!(adjudicate(&rules, &moves(&[-600, 0, -499, 0])), None);
        assert_eq!(adjudicate(&rules, &moves(&[-600])), None);
        let twosided = ResignRule { twosided: true, ..rule };
        let rules = Adjudication { resign: Some(twosided), ..Adjudication::default() };
        assert_eq!(adjudicate(&rules, &moves(&[500, -600, 499, -600])), None);
        let other = Some(AdjudicationVerdict::Resigns { last_mover: false });
        assert_eq!(adjudicate(&rules, &moves(&[-600, 500, -600, 500])), other);
        assert_eq!(adjudicate(&rules, &moves(&[500, -600, 500, -600])), resigns);
        let mut silent = moves(&[500, -600, 500, -600]);
        silent[1].info.score = None;
        assert_eq!(adjudicate(&rules, &silent), None);
        silent[1].info.score = Some(EngineScore::Mate(-4));
        assert_eq!(adjudicate(&rules, &silent), resigns);
    }

    #[test]
    fn level_scores_and_the_move_limit_lead_to_a_draw() {
        let rule = DrawRule { movenumber: 2, movecount: 1, score: 10 };
        let rules = Adjudication { draw: Some(rule), maxmoves: Some(3), resign: None };
        assert_eq!(adjudicate(&rules, &moves(&[0, 0])), None);
        assert_eq!(
            adjudicate(&rules, &moves(&[0, 0, 10, -10])),
            Some(AdjudicationVerdict::DrawAgreed)
        );
        assert_eq!(adjudicate(&rules, &moves(&[0, 0, 11, -10])), None);
        let long = adjudicate(&rules, &moves(&[0, 50, 0, 50, 0, 50]));
        assert_eq!(long, Some(AdjudicationVerdict::MoveLimit(3)));
    }
}
