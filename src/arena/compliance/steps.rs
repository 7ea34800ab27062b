//! The steps of an examination, in order: what each is called, what the protocol wants there, and
//! the function that finds out. Each builds on those before it.

use super::examination::{Step, step};
use super::{ends, limits, rough, rules, start, thinking, waiting};

/// All steps.
pub(super) const STEPS: &[Step] = &[
    Step {
        needs_engine: false,
        ..step("handshake", "uciok or ugiok within patience, behind all options", start::handshake)
    },
    step("id", "a line id name and a line id author", start::identity),
    step("option lines", "each well formed, no name twice", start::options),
    step("game", "the game is among those it offers, if it offers any", start::game),
    step("isready", "readyok within patience", start::ready),
    step("options to their defaults", "no answer", start::defaults),
    step("new game", "ucinewgame or uginewgame: no answer, and readyok after it", start::new_game),
    step("go movetime 100", "a legal move in time", thinking::move_time),
    step("score before bestmove", "an info line with an exact score", thinking::score),
    step("numbers in info lines", "whole numbers", thinking::numbers),
    step("pv", "legal moves; the last one begins with the best move", thinking::line_of_play),
    step(
        "bestmove line",
        "bestmove M; in UCI ponder and a legal move may follow",
        thinking::answer_form,
    ),
    step("go depth 1", "a legal move", limits::depth),
    step("go nodes 1000", "a legal move", limits::nodes),
    step("clock", "a legal move in time", limits::clock),
    step("clock with increments", "a legal move in time", limits::increment),
    step("clock with movestogo", "a legal move in time", limits::moves_to_go),
    step("little time left", "a legal move in time", limits::little_time),
    step("no time left", "a legal move at once", limits::no_time),
    step("position fen", "legal moves there, and after a move", limits::fens),
    step("position startpos with a long game", "a legal move", limits::long_line),
    step("searchmoves", "the one move that is named", limits::search_moves),
    step("go infinite", "no bestmove before stop", waiting::infinite),
    step("isready during a search", "readyok within patience", waiting::ready_in_search),
    step("stop", "a legal move at once", waiting::stopped),
    step("stop and ponderhit while idle", "no answer", waiting::idle),
    step("go ponder, ponderhit", "no bestmove before, one in time after it", waiting::ponder_hit),
    step("go ponder, stop", "no bestmove before, one at once after it", waiting::ponder_stop),
    step("finished game", "bestmove (none)", rules::finished),
    step("query", "exact and right answers all through a game", rules::queries),
    step("unknown command", "readyok after it, and the position kept", rough::unknown_command),
    step("garbage bytes", "readyok after them, and the position kept", rough::garbage),
    step("empty lines", "readyok after them, and the position kept", rough::empty_lines),
    step("very long line", "readyok after it, and the position kept", rough::long_line),
    step(
        "illegal move in position",
        "readyok after it, and the next position",
        rough::illegal_move,
    ),
    step("broken fen", "readyok after it, and the next position", rough::broken_fen),
    step("position set twice", "the last one is searched", rough::position_twice),
    step(
        "determinism",
        "the same answers to the same depth or nodes (told only)",
        rough::determinism,
    ),
    step("game against itself", "legal to the end, with the right result", rules::own_game),
    step("quit", "its end within patience", ends::quit),
    step("quit during a search", "its end within patience", ends::quit_in_search),
    step("end of input", "its end within patience", ends::end_of_input),
    step("end of input during a search", "its end within patience", ends::end_of_input_in_search),
];
