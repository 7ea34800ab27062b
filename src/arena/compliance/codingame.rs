//! Steps for CodinGame bots. Each starts a process of its own, since a bot plays a single game.

use std::time::{Duration, Instant};

use super::context::{AnsweredSearch, CheckContext, ConformanceStep, step};
use super::outcome::{StepError, StepOutcome};
use super::step_limits::LimitRule::{self, BestMove, ReplyTimeout};
use super::step_limits::StepLimits;
use crate::arena::games::referee::{GameState, RefereeBoard};
use crate::printing::quote;
use crate::protocol::codingame::{BotAnswer, TURN_LIMITS_MS, parse_answer, turn_text};
use crate::rules::SplitMix;
use crate::thinking::CodingameBoard;

/// The contest's limits.
const FIRST_TURN: LimitRule = BestMove(TURN_LIMITS_MS[0]);
const LATER_TURN: LimitRule = BestMove(TURN_LIMITS_MS[1]);

pub(super) const STEPS: &[ConformanceStep] = &[
    step("start", "a program that waits for its first turn", ReplyTimeout, start),
    step("first turn", "a legal move in time, as ROW COL", FIRST_TURN, |context| {
        let board = begin_game(context)?;
        take_turn(context, &board).map(drop)
    }),
    step("reply", "a legal move in time, as ROW COL", FIRST_TURN, |context| {
        let mut board = begin_game(context)?;
        play_at_random(&mut board, &mut SplitMix::new(2))?;
        take_turn(context, &board).map(drop)
    }),
    step("one line per turn", "no output before the next turn", FIRST_TURN, |context| {
        let board = begin_game(context)?;
        let (_, line) = take_turn(context, &board)?;
        if line.split_whitespace().count() > 2 {
            context.remark(format!("the contest ignores words behind the move: {}", quote(&line)));
        }
        expect_silence(context)
    }),
    step("game as first player", "legal moves in time", LATER_TURN, |context| {
        play_game(context, true)
    }),
    step("game as second player", "legal moves in time", LATER_TURN, |context| {
        play_game(context, false)
    }),
    step("end of input", "exit within the reply timeout", ReplyTimeout, |context| {
        context.start()?;
        context.close_input();
        context.await_exit()
    })
    .warning(),
];

const A_MOVE: &str = "a move as ROW COL, two numbers from 0 to 8, and debugging only on stderr";

/// The bot starts, prints nothing and does not exit.
fn start(context: &mut CheckContext<'_>) -> StepOutcome {
    context.start()?;
    expect_silence(context)
}

/// Starts a bot for a new game.
fn begin_game(context: &mut CheckContext<'_>) -> StepOutcome<RefereeBoard> {
    context.start()?;
    Ok(context.start_board())
}

fn expect_silence(context: &mut CheckContext<'_>) -> StepOutcome {
    const OBSERVED: Duration = Duration::from_millis(300);
    let output = context.poll(OBSERVED, non_empty)?;
    output.map_or(Ok(()), |(line, _)| Err(premature(&line)))
}

fn non_empty(line: &str) -> Option<String> {
    (!line.trim().is_empty()).then(|| line.trim().to_owned())
}

fn premature(line: &str) -> StepError {
    StepError::fail("no output before the next turn", quote(line))
}

/// The bot plays a whole game against random moves.
fn play_game(context: &mut CheckContext<'_>, begins: bool) -> StepOutcome {
    let later = context.limits;
    context.limits = StepLimits::new(FIRST_TURN, context.options, None);
    let mut board = begin_game(context)?;
    let mut random = SplitMix::new(begins.into());
    let mut is_bots_turn = begins;
    while let Some(GameState::Ongoing(_)) = board.state() {
        if is_bots_turn {
            let (mv, _) = take_turn(context, &board)?;
            board.play(&mv).map_err(|error| StepError::fail("a legal move", error))?;
            context.limits = later;
        } else {
            play_at_random(&mut board, &mut random)?;
        }
        is_bots_turn = !is_bots_turn;
    }
    Ok(())
}

fn play_at_random(board: &mut RefereeBoard, random: &mut SplitMix) -> StepOutcome {
    let legal = board.legal().unwrap_or_default();
    let mv = legal.get(random.below(legal.len().max(1))).map_or("", String::as_str);
    board.play(mv).map(drop).map_err(StepError::skip)
}

/// Sends a turn; returns the bot's move, which must be legal and in time, and the line it is from.
fn take_turn(
    context: &mut CheckContext<'_>,
    board: &RefereeBoard,
) -> StepOutcome<(String, String)> {
    let spec = context.options.game.spec().ok_or_else(|| StepError::skip("no such board"))?;
    let squares =
        CodingameBoard::of_game(spec).map_err(|error| StepError::skip(error.to_string()))?;
    let legal = squares.places_of(&board.legal().unwrap_or_default());
    let opponent = board.moves.last().and_then(|mv| squares.place_of(mv));
    let sent = Instant::now();
    context.send(&turn_text(opponent, &legal));
    let Some((best, at)) = context.poll(context.options.reply_timeout, non_empty)? else {
        return Err(explain_silence(context));
    };
    if at < sent {
        return Err(premature(&best));
    }
    let Some(BotAnswer::Square(place)) = parse_answer(&best) else {
        return Err(StepError::fail(A_MOVE, quote(&best)));
    };
    let mv = squares.name_of(place).to_owned();
    if let Err(error) = board.check(&mv) {
        let expected = "a legal move, one of those listed in the turn".to_owned();
        let found = format!("{}: {error}", quote(&best));
        return Err(StepError::Fail { expected, found, is_illegal_move: true });
    }
    let taken = at.saturating_duration_since(sent);
    let search = AnsweredSearch { lines: Vec::new(), best, taken };
    context.check_time(&search)?;
    Ok((mv, search.best))
}

/// Ends the input of a bot that does not answer, to see whether it only does not flush its output.
fn explain_silence(context: &mut CheckContext<'_>) -> StepError {
    const AFTER_END: Duration = Duration::from_secs(1);
    let expected = format!("move within {}s", context.options.reply_timeout.as_secs_f64());
    context.close_input();
    let found = match context.poll(AFTER_END, non_empty) {
        Ok(Some(_)) => "answers only at the end of its input: flush the output after each line",
        _ => "no move",
    };
    StepError::fail(expected, found)
}
