//! The steps of searches that wait: for `stop`, and for `ponderhit`.

use std::time::Duration;

use super::examination::{Departure, Examination, Search, Verdict, check_move};
use super::limits::clock_command;
use crate::arena::referee::RefereeBoard;
use crate::arena::setup::Protocol;
use crate::rules::quote;

/// So long an answer must not come by itself.
const QUIET: Duration = Duration::from_millis(200);

/// `go infinite` says no `bestmove` before `stop`.
pub(super) fn infinite(examination: &mut Examination<'_>) -> Verdict {
    begin(examination, "go infinite");
    stay_quiet(examination, "stop")?;
    stop(examination).map(drop)
}

/// `isready` is answered while it searches.
pub(super) fn ready_in_search(examination: &mut Examination<'_>) -> Verdict {
    begin(examination, "go infinite");
    let before = examination.ready()?;
    // An answer that came too early has failed above.
    if !before.iter().any(|line| line.starts_with("bestmove")) {
        stop(examination)?;
    }
    Ok(())
}

/// `stop` is answered at once, with a legal move.
pub(super) fn stopped(examination: &mut Examination<'_>) -> Verdict {
    let board = begin(examination, "go infinite");
    check_move(&board, &stop(examination)?)
}

/// `stop` and `ponderhit` are ignored while nothing is searched.
pub(super) fn idle(examination: &mut Examination<'_>) -> Verdict {
    examination.say_unanswered("stop")?;
    if examination.by_protocol(true, false) {
        examination.say_unanswered("ponderhit")?;
    }
    Ok(())
}

/// `go ponder` waits; after `ponderhit` it answers within its clock.
pub(super) fn ponder_hit(examination: &mut Examination<'_>) -> Verdict {
    const TIME: u64 = 500;
    let board = begin_pondering(examination, TIME)?;
    stay_quiet(examination, "ponderhit")?;
    examination.say("ponderhit");
    let search = examination.await_best(examination.terms.patience)?;
    check_move(&board, &search)?;
    examination.check_time(&search, Duration::from_millis(TIME))?;
    examination.say_unanswered("setoption name Ponder value false")
}

/// `go ponder` waits; `stop` is answered at once.
pub(super) fn ponder_stop(examination: &mut Examination<'_>) -> Verdict {
    let board = begin_pondering(examination, 500)?;
    stay_quiet(examination, "ponderhit or stop")?;
    check_move(&board, &stop(examination)?)?;
    examination.say_unanswered("setoption name Ponder value false")
}

/// Begins a search from the start.
fn begin(examination: &mut Examination<'_>, go: &str) -> RefereeBoard {
    let board = examination.start_board();
    examination.say(&board.position_command());
    examination.say(go);
    board
}

fn begin_pondering(examination: &mut Examination<'_>, time: u64) -> Verdict<RefereeBoard> {
    examination.only_in(Protocol::Uci, "UGI has no pondering")?;
    let offers =
        |(_, option): &(&str, super::lines::OptionLine)| option.name.eq_ignore_ascii_case("Ponder");
    if !examination.greeting.options().iter().any(offers) {
        return Err(Departure::skip("it offers no option Ponder"));
    }
    examination.say_unanswered("setoption name Ponder value true")?;
    let clock = clock_command(examination, time, 0).replacen("go", "go ponder", 1);
    Ok(begin(examination, &clock))
}

/// Sees that no answer comes before it is asked for.
fn stay_quiet(examination: &mut Examination<'_>, before: &str) -> Verdict {
    let said =
        examination.hear(QUIET, |line| line.starts_with("bestmove").then(|| line.to_owned()))?;
    match said {
        None => Ok(()),
        Some((line, _)) => {
            Err(Departure::fail(format!("no bestmove before {before}"), quote(&line)))
        }
    }
}

fn stop(examination: &mut Examination<'_>) -> Verdict<Search> {
    examination.say("stop");
    examination.await_best(examination.at_once())
}
