//! The steps around `go movetime 100` from the start: one search, looked at from several sides.

use std::time::Duration;

use super::examination::{Departure, Examination, Search, Verdict, check_move};
use super::lines::InfoLine;
use crate::arena::player::is_no_move;
use crate::arena::referee::RefereeBoard;
use crate::rules::quote;

/// The time of the search.
const TIME: Duration = Duration::from_millis(100);

/// A legal move comes within the time and the margin.
pub(super) fn move_time(examination: &mut Examination<'_>) -> Verdict {
    let board = examination.start_board();
    let search = examination.search(&board, &format!("go movetime {}", TIME.as_millis()))?;
    examination.searched = Some(search.clone());
    check_move(&board, &search)?;
    examination.check_time(&search, TIME)
}

/// The search of the first step here.
fn searched(examination: &Examination<'_>) -> Verdict<Search> {
    examination.searched.clone().ok_or_else(|| Departure::skip("no search was answered"))
}

/// An exact score is told before the move.
pub(super) fn score(examination: &mut Examination<'_>) -> Verdict {
    let search = searched(examination)?;
    let infos: Vec<InfoLine<'_>> =
        search.lines.iter().filter_map(|line| InfoLine::read(line)).collect();
    if infos.iter().any(|info| info.is_best && info.has_exact_score()) {
        return Ok(());
    }
    let found = match infos.iter().rev().find(|info| info.score.is_some()) {
        Some(info) if info.is_bound => "only bounds",
        Some(_) => "scores that are neither cp nor mate with a whole number",
        None => "no score",
    };
    Err(Departure::fail("info … score cp X or mate N, without a bound, before bestmove", found))
}

/// Counts are whole numbers from 0.
pub(super) fn numbers(examination: &mut Examination<'_>) -> Verdict {
    let search = searched(examination)?;
    for line in &search.lines {
        for (word, number) in InfoLine::read(line).unwrap_or_default().numbers {
            if number.is_none_or(|number| number.parse::<u64>().is_err()) {
                let expected = format!("a whole number behind {word}");
                return Err(Departure::fail(expected, quote(number.unwrap_or(line))));
            }
        }
    }
    Ok(())
}

/// The last line of play begins with the move, and all lines are legal.
pub(super) fn line_of_play(examination: &mut Examination<'_>) -> Verdict {
    let search = searched(examination)?;
    let infos = search.lines.iter().filter_map(|line| Some((line, InfoLine::read(line)?)));
    let infos: Vec<_> = infos.filter(|(_, info)| !info.pv.is_empty()).collect();
    for (line, info) in &infos {
        let mut board = examination.start_board();
        for mv in &info.pv {
            if let Err(why) = board.play(mv) {
                return Err(Departure::fail("a pv of legal moves", format!("{why}: {line}")));
            }
        }
    }
    let Some((line, info)) = infos.iter().rev().find(|(_, info)| info.is_best) else {
        examination.remark("no line of play (pv) is told");
        return Ok(());
    };
    let best = search.answer().mv;
    if info.pv.first().copied() != best {
        let expected = format!("a last pv that begins with {}", best.unwrap_or("the best move"));
        return Err(Departure::fail(expected, line.as_str()));
    }
    Ok(())
}

/// `bestmove` has the words it should have: two in UGI; in UCI a legal move to ponder on may
/// follow.
pub(super) fn answer_form(examination: &mut Examination<'_>) -> Verdict {
    let search = searched(examination)?;
    let answer = search.answer();
    let expected = examination.by_protocol("bestmove M, or bestmove M ponder M2", "bestmove M");
    let has_ponder = answer.ponder.is_some();
    if !answer.surplus.is_empty() || (has_ponder && examination.by_protocol(false, true)) {
        return Err(Departure::fail(expected, quote(&search.best)));
    }
    let (Some(mv), Some(ponder)) = (answer.mv, answer.ponder.filter(|mv| !is_no_move(mv))) else {
        return Ok(());
    };
    let mut board = examination.start_board();
    // An illegal move has failed before; what comes after it cannot be judged.
    if board.play(mv).is_err() {
        return Ok(());
    }
    match board.play(ponder) {
        Ok(_) => Ok(()),
        Err(why) => Err(Departure::fail("a legal move behind ponder", why)),
    }
}

impl Examination<'_> {
    /// The start of the game.
    pub(super) fn start_board(&self) -> RefereeBoard {
        RefereeBoard::at_start(self.terms.rules)
    }

    /// Sees that a search has kept to its time, and tells by how much it has not.
    pub(super) fn check_time(&mut self, search: &Search, allowed: Duration) -> Verdict {
        let (taken, margin) = (search.taken, self.terms.engine.margin());
        if taken > allowed + margin {
            let expected = format!("an answer within {allowed:?}, or {margin:?} beyond");
            return Err(Departure::fail(expected, format!("one after {taken:.1?}")));
        }
        if let Some(over) = taken.checked_sub(allowed).filter(|over| !over.is_zero()) {
            self.remark(format!("{over:.1?} beyond {allowed:?}"));
        }
        Ok(())
    }
}
