//! The last steps: the engine ends when it is told to, and when nobody is left to talk to.

use super::examination::{Examination, Verdict};

/// `quit` ends it.
pub(super) fn quit(examination: &mut Examination<'_>) -> Verdict {
    examination.say("quit");
    examination.await_end()
}

/// `quit` ends it while it searches.
pub(super) fn quit_in_search(examination: &mut Examination<'_>) -> Verdict {
    begin_search(examination);
    examination.say("quit");
    examination.await_end()
}

/// The end of its input ends it.
pub(super) fn end_of_input(examination: &mut Examination<'_>) -> Verdict {
    examination.ready()?;
    examination.close_input();
    examination.await_end()
}

/// The end of its input ends it while it searches.
pub(super) fn end_of_input_in_search(examination: &mut Examination<'_>) -> Verdict {
    begin_search(examination);
    examination.close_input();
    examination.await_end()
}

fn begin_search(examination: &mut Examination<'_>) {
    let board = examination.start_board();
    examination.say(&board.position_command());
    examination.say("go infinite");
}
