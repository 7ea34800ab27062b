//! Games that end before their rules end them: by resigning, by agreement, by length. Imports the
//! record and the setup.

use super::record::{EngineScore, MoveRecord};
use super::setup::Adjudication;

/// Why a game ends here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Who moved last, or the other, has seen himself lost for long enough.
    Resigns {
        /// Whether it is who moved last.
        last_mover: bool,
    },
    /// Both have seen a draw for long enough.
    BothSeeDraw,
    /// So many moves of each were played.
    TooLong(u32),
}

/// Whether a game ends after these moves.
pub(super) fn judge(rules: &Adjudication, moves: &[MoveRecord]) -> Option<Verdict> {
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
        // The other was asked before; what is new is what the last mover sees of it.
        let who = [true, false].into_iter().find(|last_mover| resigns(*last_mover));
        if let Some(last_mover) = who {
            return Some(Verdict::Resigns { last_mover });
        }
    }
    if let Some(rule) = rules.draw {
        let count = 2 * rule.movecount as usize;
        let is_level =
            |score| matches!(score, EngineScore::Cp(points) if points.abs() <= rule.score);
        if moves.len() >= 2 * rule.movenumber as usize
            && all_of(count, &mut moves.iter().rev(), is_level)
        {
            return Some(Verdict::BothSeeDraw);
        }
    }
    let limit = rules.maxmoves?;
    (moves.len() >= 2 * limit as usize).then_some(Verdict::TooLong(limit))
}

/// Whether there are so many moves and each has a score that passes.
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
    use super::super::record::SearchInfo;
    use super::super::setup::{DrawRule, ResignRule};
    use super::*;

    fn moves(scores: &[i32]) -> Vec<MoveRecord> {
        let record = |score: &i32| MoveRecord {
            info: SearchInfo { score: Some(EngineScore::Cp(*score)), ..SearchInfo::default() },
            ..MoveRecord::default()
        };
        scores.iter().map(record).collect()
    }

    #[test]
    fn who_sees_himself_lost_for_long_enough_resigns() {
        let rule = ResignRule { movecount: 2, score: 500, twosided: false };
        let rules = Adjudication { resign: Some(rule), ..Adjudication::default() };
        let resigns = Some(Verdict::Resigns { last_mover: true });
        assert_eq!(judge(&rules, &moves(&[-600, 0, -500])), resigns);
        assert_eq!(judge(&rules, &moves(&[-600, 0, -499])), None);
        assert_eq!(judge(&rules, &moves(&[-600, 0, -499, 0])), None);
        assert_eq!(judge(&rules, &moves(&[-600])), None);
        let twosided = ResignRule { twosided: true, ..rule };
        let rules = Adjudication { resign: Some(twosided), ..Adjudication::default() };
        assert_eq!(judge(&rules, &moves(&[500, -600, 499, -600])), None);
        let other = Some(Verdict::Resigns { last_mover: false });
        assert_eq!(judge(&rules, &moves(&[-600, 500, -600, 500])), other);
        assert_eq!(judge(&rules, &moves(&[500, -600, 500, -600])), resigns);
        let mut silent = moves(&[500, -600, 500, -600]);
        silent[1].info.score = None;
        assert_eq!(judge(&rules, &silent), None);
        silent[1].info.score = Some(EngineScore::Mate(-4));
        assert_eq!(judge(&rules, &silent), resigns);
    }

    #[test]
    fn a_game_both_see_drawn_is_drawn_and_a_long_one_ends() {
        let rule = DrawRule { movenumber: 2, movecount: 1, score: 10 };
        let rules = Adjudication { draw: Some(rule), maxmoves: Some(3), resign: None };
        assert_eq!(judge(&rules, &moves(&[0, 0])), None);
        assert_eq!(judge(&rules, &moves(&[0, 0, 10, -10])), Some(Verdict::BothSeeDraw));
        assert_eq!(judge(&rules, &moves(&[0, 0, 11, -10])), None);
        let long = judge(&rules, &moves(&[0, 50, 0, 50, 0, 50]));
        assert_eq!(long, Some(Verdict::TooLong(3)));
    }
}
