//! Steps of searches: `go movetime` and its output, other limits, other positions, `go infinite`
//! and pondering.

use std::time::Instant;

use super::context::{AnsweredSearch, CheckContext, ConformanceStep, DEPTH_ONE, check_move, step};
use super::outcome::{StepError, StepOutcome};
use super::step_limits::LimitRule::{BestMove, Quiet, QuietThenBestMove, ReplyTimeout, Untimed};
use super::step_limits::{IMMEDIATE, StepLimits};
use crate::arena::engines::received_info::ReceivedInfo;
use crate::arena::engines::uci::{clock_words, is_no_move};
use crate::arena::games::game_choice::{BookLine, GameChoice};
use crate::arena::games::referee::{GameState, RefereeBoard};
use crate::printing::quote;
use crate::protocol::reply::Dialect;
use crate::search::SearchControl;
use crate::thinking::openings::OpeningRequest;

pub(super) const STEPS: &[ConformanceStep] = &[
    step("go movetime 100", IN_TIME, BestMove(100), |context| {
        let board = context.start_board();
        let search = context.search(&board, "go movetime 100")?;
        context.movetime_search = Some(search.clone());
        check_move(&board, &search)?;
        context.check_time(&search)
    }),
    step("score before bestmove", "an info line with an exact score", Untimed, exact_score)
        .warning(),
    step("numbers in info lines", "non-negative integers", Untimed, info_numbers).warning(),
    step("pv", "legal moves; the last pv starts with the best move", Untimed, pv).warning(),
    step(
        "bestmove line",
        "bestmove M; under UCI optionally ponder and a legal move",
        Untimed,
        bestmove_line,
    ),
    step("go depth 1", "a legal move", ReplyTimeout, |context| context.search_start(DEPTH_ONE)),
    step("go nodes 1000", "a legal move", ReplyTimeout, |context| {
        context.search_start("go nodes 1000")
    }),
    step("clock", IN_TIME, BestMove(2000), |context| clock(context, 2000, 0)),
    step("clock with increments", IN_TIME, BestMove(1000), |context| clock(context, 1000, 50)),
    step("clock with movestogo", IN_TIME, BestMove(2000), |context| {
        context.require_dialect(Dialect::Uci, "UGI has no movestogo")?;
        let go = clock_command(context, 2000, 0);
        context.search_start(&format!("{go} movestogo 10"))
    }),
    step("little time left", IN_TIME, BestMove(50), |context| clock(context, 50, 0)),
    step("no time left", "a legal move immediately", IMMEDIATE, |context| clock(context, 0, 0)),
    step("position fen", "legal moves there, and after a move", ReplyTimeout, fens),
    step("position startpos with a long game", "a legal move", ReplyTimeout, long_game),
    step("searchmoves", "the given move", ReplyTimeout, search_moves).warning(),
    step("go infinite", "no bestmove before stop", Quiet, |context| {
        start_search(context, INFINITE);
        expect_no_answer(context, INFINITE, "stop")?;
        end_search(context)
    })
    .warning(),
    step(
        "isready during a search",
        "readyok within the reply timeout",
        ReplyTimeout,
        ready_in_search,
    )
    .warning(),
    step("stop", "a legal move immediately", IMMEDIATE, stop_search).warning(),
    step("stop and ponderhit while idle", "no answer", ReplyTimeout, |context| {
        context.send_unanswered("stop")?;
        if context.options.dialect == Dialect::Uci {
            context.send_unanswered("ponderhit")?;
        }
        Ok(())
    })
    .warning(),
    step(
        "go ponder, ponderhit",
        "no bestmove before ponderhit, then in time",
        QuietThenBestMove(PONDER_CLOCK_MS),
        ponder_hit,
    ),
    step("go ponder, stop", "a legal move immediately", IMMEDIATE, ponder_stop),
];

const IN_TIME: &str = "a legal move in time";

/// The searches that only a command ends.
pub(super) const INFINITE: &str = "go infinite";
const PONDER: &str = "go ponder";

const PONDER_CLOCK_MS: u64 = 500;

fn movetime_search(context: &CheckContext<'_>) -> StepOutcome<AnsweredSearch> {
    let search = context.movetime_search.clone();
    search.ok_or_else(|| StepError::skip("go movetime 100 was not answered"))
}

/// An exact score precedes `bestmove`.
fn exact_score(context: &mut CheckContext<'_>) -> StepOutcome {
    let search = movetime_search(context)?;
    let infos: Vec<ReceivedInfo<'_>> =
        search.lines.iter().filter_map(|line| ReceivedInfo::parse(line)).collect();
    if infos.iter().any(|info| info.is_first_line && info.has_exact_score()) {
        return Ok(());
    }
    let found = match infos.iter().rev().find(|info| info.score.is_some()) {
        Some(info) if info.is_bound => "only bounds",
        Some(_) => "only scores other than cp or mate with an integer",
        None => "no score",
    };
    Err(StepError::fail("info … score cp X or mate N, not a bound, before bestmove", found))
}

/// Counts in `info` lines are non-negative integers.
fn info_numbers(context: &mut CheckContext<'_>) -> StepOutcome {
    let search = movetime_search(context)?;
    for line in &search.lines {
        for (word, number) in ReceivedInfo::parse(line).unwrap_or_default().numbers {
            if number.is_none_or(|number| number.parse::<u64>().is_err()) {
                let expected = format!("a non-negative integer after {word}");
                return Err(StepError::fail(expected, quote(number.unwrap_or(line))));
            }
        }
    }
    Ok(())
}

/// Every pv is legal, and the last one starts with the best move.
fn pv(context: &mut CheckContext<'_>) -> StepOutcome {
    let search = movetime_search(context)?;
    let infos = search.lines.iter().filter_map(|line| Some((line, ReceivedInfo::parse(line)?)));
    let infos: Vec<_> = infos.filter(|(_, info)| !info.pv.is_empty()).collect();
    for (line, info) in &infos {
        let mut board = context.start_board();
        for mv in &info.pv {
            if let Err(error) = board.play(mv) {
                return Err(StepError::fail("a pv of legal moves", format!("{error}: {line}")));
            }
        }
    }
    let Some((line, info)) = infos.iter().rev().find(|(_, info)| info.is_first_line) else {
        context.remark("no pv is printed");
        return Ok(());
    };
    let best = search.answer().mv();
    if info.pv.first().copied() != best {
        let expected = format!("a last pv that starts with {}", best.unwrap_or("the best move"));
        return Err(StepError::fail(expected, line.as_str()));
    }
    Ok(())
}

/// `bestmove` is followed by a move and, under UCI only, optionally by `ponder` and a legal reply.
fn bestmove_line(context: &mut CheckContext<'_>) -> StepOutcome {
    let search = movetime_search(context)?;
    let answer = search.answer();
    let (expected, may_ponder) = match context.options.dialect {
        Dialect::Uci => ("bestmove M, or bestmove M ponder M2", true),
        Dialect::Ugi => ("bestmove M", false),
    };
    if !answer.surplus.is_empty() || answer.ponder.is_some() && !may_ponder {
        return Err(StepError::fail(expected, quote(&search.best)));
    }
    let (Some(mv), Some(ponder)) = (answer.mv(), answer.ponder.filter(|mv| !is_no_move(mv))) else {
        return Ok(());
    };
    let mut board = context.start_board();
    // An illegal best move fails the movetime step; the ponder move cannot be checked then.
    if board.play(mv).is_err() {
        return Ok(());
    }
    match board.play(ponder) {
        Ok(_) => Ok(()),
        Err(error) => Err(StepError::fail("a legal move after ponder", error)),
    }
}

/// A search of the start position on a clock is answered in time.
fn clock(context: &mut CheckContext<'_>, time: u64, increment: u64) -> StepOutcome {
    context.search_start(&clock_command(context, time, increment))
}

/// Returns a `go` command that gives both players the same clock, in milliseconds.
fn clock_command(context: &CheckContext<'_>, time: u64, increment: u64) -> String {
    let [(time1, inc1), (time2, inc2)] = clock_words(context.options.dialect);
    let clocks = format!("go {time1} {time} {time2} {time}");
    match increment {
        0 => clocks,
        _ => format!("{clocks} {inc1} {increment} {inc2} {increment}"),
    }
}

/// `position fen` is understood with either player to move, with and without moves.
fn fens(context: &mut CheckContext<'_>) -> StepOutcome {
    for fen in opening_fens(context.options.game) {
        let mut board =
            RefereeBoard::new(context.options.game, &BookLine { position: &fen, moves: "" })
                .map_err(|error| StepError::skip(error.to_string()))?;
        context.search_legally(&board, DEPTH_ONE)?;
        let Some(mv) = board.legal().and_then(|legal| legal.into_iter().next()) else { continue };
        if board.play(&mv).is_ok() && matches!(board.state(), Some(GameState::Ongoing(_))) {
            context.search_legally(&board, DEPTH_ONE)?;
        }
    }
    context.require_known_rules()
}

/// Returns positions one, two and three plies from the start, if the game has such openings.
fn opening_fens(game: GameChoice) -> Vec<String> {
    let GameChoice::Known(spec) = game else { return Vec::new() };
    let after_plies = |plies| {
        let request = OpeningRequest { count: 2, plies: Some(plies), seed: 1, balanced: false };
        let openings = spec.openings(&request, &SearchControl::default());
        openings.map(|openings| openings.fens).unwrap_or_default()
    };
    [1, 2, 3].into_iter().flat_map(after_plies).collect()
}

/// `position startpos moves` is understood with the moves of a long game.
fn long_game(context: &mut CheckContext<'_>) -> StepOutcome {
    context.require_known_rules()?;
    let mut longest: Vec<String> = Vec::new();
    for seed in 0..20 {
        let moves = context.random_game(seed);
        if moves.len() > longest.len() {
            longest = moves;
        }
    }
    longest.pop();
    let board = context.board_after(&longest)?;
    context.search_legally(&board, DEPTH_ONE).map(drop)
}

/// `searchmoves` restricts the search to the given move.
fn search_moves(context: &mut CheckContext<'_>) -> StepOutcome {
    context.require_dialect(Dialect::Uci, "UGI has no searchmoves")?;
    context.require_known_rules()?;
    let board = context.start_board();
    let legal = board.legal().unwrap_or_default();
    // Two different moves: at most one of them is what the engine plays anyway.
    for mv in [legal.first(), legal.last()].into_iter().flatten() {
        let search = context.search_legally(&board, &format!("{DEPTH_ONE} searchmoves {mv}"))?;
        let mut after = context.start_board();
        let played = search.answer().mv().and_then(|mv| after.play(mv).ok());
        if played.as_ref() != Some(mv) {
            return Err(StepError::fail(format!("bestmove {mv}"), search.best));
        }
    }
    Ok(())
}

/// `isready` is answered during a search and does not end it.
fn ready_in_search(context: &mut CheckContext<'_>) -> StepOutcome {
    start_search(context, INFINITE);
    let before = context.sync()?;
    let Some(line) = before.iter().find(|line| line.starts_with("bestmove")) else {
        return end_search(context);
    };
    // An engine that ends the search on its own fails the step before this one.
    context.require_running_search(INFINITE)?;
    Err(StepError::fail("readyok and no bestmove before stop", quote(line)))
}

/// `stop` is answered immediately, with one legal move.
fn stop_search(context: &mut CheckContext<'_>) -> StepOutcome {
    context.require_running_search(INFINITE)?;
    let board = start_search(context, INFINITE);
    check_move(&board, &stop(context)?)?;
    let after = context.sync()?;
    match after.iter().find(|line| line.starts_with("bestmove")) {
        None => Ok(()),
        Some(line) => {
            Err(StepError::fail("one answer to stop", format!("a second answer {}", quote(line))))
        }
    }
}

/// `go ponder` waits for `ponderhit` and then answers within its clock.
fn ponder_hit(context: &mut CheckContext<'_>) -> StepOutcome {
    let board = start_pondering(context)?;
    expect_no_answer(context, PONDER, "ponderhit")?;
    context.send("ponderhit");
    let search = context.await_best_move(context.options.reply_timeout)?;
    check_move(&board, &search)?;
    context.check_time(&search)?;
    context.send_unanswered("setoption name Ponder value false")
}

/// `go ponder` answers `stop` immediately. The step before this one waits for premature answers.
fn ponder_stop(context: &mut CheckContext<'_>) -> StepOutcome {
    if context.failed.contains(&"stop") {
        return Err(StepError::skip("the step \"stop\" failed"));
    }
    context.require_running_search(PONDER)?;
    let board = start_pondering(context)?;
    check_move(&board, &stop(context)?)?;
    context.send_unanswered("setoption name Ponder value false")
}

pub(super) fn start_search(context: &mut CheckContext<'_>, go: &str) -> RefereeBoard {
    let board = context.start_board();
    context.send_position(&board);
    context.send(go);
    board
}

fn start_pondering(context: &mut CheckContext<'_>) -> StepOutcome<RefereeBoard> {
    context.require_dialect(Dialect::Uci, "UGI has no pondering")?;
    if context.handshake.option("Ponder").is_none() {
        return Err(StepError::skip("the engine has no option Ponder"));
    }
    context.send_unanswered("setoption name Ponder value true")?;
    let go = clock_command(context, PONDER_CLOCK_MS, 0).replacen("go", PONDER, 1);
    Ok(start_search(context, &go))
}

/// Fails if `bestmove` arrives during the step's quiet time, before the command that ends the
/// search is sent.
fn expect_no_answer(context: &mut CheckContext<'_>, go: &'static str, ending: &str) -> StepOutcome {
    let (quiet, started) = (context.limits.quiet(), Instant::now());
    let find = |line: &str| line.starts_with("bestmove").then(|| line.to_owned());
    let Some((line, at)) = context.poll(quiet, find)? else { return Ok(()) };
    let after = at.saturating_duration_since(started);
    context.ended_early.push((go, after));
    let found = format!("{} after {after:.1?}", quote(&line));
    Err(StepError::fail(format!("no bestmove before {ending}"), found))
}

/// Sends `stop` and waits for the answer.
fn stop(context: &mut CheckContext<'_>) -> StepOutcome<AnsweredSearch> {
    let limits = StepLimits::new(IMMEDIATE, context.options, None);
    context.send("stop");
    context.await_best_move(limits.limit() + limits.tolerance())
}

/// Ends a search whose step does not check `stop`: an engine that does not stop is restarted, and
/// fails the step that checks it. Surplus answers must not reach the next step.
fn end_search(context: &mut CheckContext<'_>) -> StepOutcome {
    match stop(context).and_then(|_| context.sync()) {
        Err(StepError::Fail { .. }) => {
            context.remark("does not stop in time");
            context.engine = None;
            Ok(())
        }
        outcome => outcome.map(drop),
    }
}
