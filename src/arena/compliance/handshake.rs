//! Steps of the handshake: identity, options, game selection, `isready`.

use std::time::Duration;

use super::context::{CheckContext, ConformanceStep, step};
use super::outcome::{StepError, StepOutcome};
use super::step_limits::LimitRule::{ReplyTimeout, Untimed};
use crate::arena::engines::uci::{HandshakeReply, new_game_command};
use crate::arena::games::game_choice::GameChoice;
use crate::printing::quote;

pub(super) const STEPS: &[ConformanceStep] = &[
    step(
        "handshake",
        "uciok or ugiok after all options, within the reply timeout",
        ReplyTimeout,
        handshake,
    ),
    step("id", "a line id name and a line id author", Untimed, identity).warning(),
    step("option lines", "well formed, with distinct names", Untimed, options),
    step("game", "the game among those offered, if any are", Untimed, game),
    step("isready", "readyok within the reply timeout", ReplyTimeout, |context| {
        context.sync().map(drop)
    }),
    step("options to their defaults", "no answer", ReplyTimeout, defaults),
    step(
        "new game",
        "no answer to ucinewgame or uginewgame, then readyok",
        ReplyTimeout,
        |context| context.send_unanswered(new_game_command(context.options.dialect)),
    ),
];

/// The engine starts, and `uciok` or `ugiok` is the last line of its handshake. If it is not, the
/// likely reason is determined.
fn handshake(context: &mut CheckContext<'_>) -> StepOutcome {
    /// Lines that belong to the handshake would follow immediately.
    const GRACE: Duration = Duration::from_millis(20);
    context.start()?;
    let dialect = context.options.dialect;
    let answer = dialect.handshake_answer();
    context.send(dialect.handshake_command());
    let mut lines = Vec::new();
    let outcome = await_handshake(context, answer, &mut lines);
    // The report names the engine even if the handshake failed.
    context.handshake = HandshakeReply { lines: lines.clone() };
    if matches!(outcome, Ok(None)) || outcome.is_err() && context.has_exited() {
        context.explain_silence(&lines);
    }
    let Some(awaits_readyok) = outcome? else {
        let expected = format!("{answer} within {}s", context.options.reply_timeout.as_secs_f64());
        return Err(StepError::fail(expected, format!("no {answer}")));
    };
    let grace = if awaits_readyok { context.options.reply_timeout } else { GRACE };
    let late = context.poll(grace, |line| match line.split_whitespace().next() {
        Some("id" | "option") => Some(Some(line.to_owned())),
        Some("readyok") if awaits_readyok => Some(None),
        _ => None,
    })?;
    match late {
        Some((Some(line), _)) => {
            Err(StepError::fail(format!("{answer} after all options"), quote(&line)))
        }
        _ => Ok(()),
    }
}

/// Waits for the end of the handshake and collects its lines. Returns `None` if it does not end,
/// and otherwise whether `readyok` is still due.
///
/// An engine that does not know the command usually ignores it. `isready` shows this long before
/// the reply timeout ends, since commands are answered in order.
fn await_handshake(
    context: &mut CheckContext<'_>,
    answer: &str,
    lines: &mut Vec<String>,
) -> StepOutcome<Option<bool>> {
    const BEFORE_ISREADY: Duration = Duration::from_secs(1);
    const AFTER_READYOK: Duration = Duration::from_secs(1);
    let reply_timeout = context.options.reply_timeout;
    let mut find = |line: &str, stops_at_readyok: bool| {
        lines.push(line.to_owned());
        let line = line.trim_end();
        (line == answer || (stops_at_readyok && line == "readyok")).then(|| line == answer)
    };
    let first_wait = BEFORE_ISREADY.min(reply_timeout);
    if context.poll(first_wait, |line| find(line, false))?.is_some() {
        return Ok(Some(false));
    }
    context.send("isready");
    match context.poll(reply_timeout - first_wait, |line| find(line, true))? {
        Some((true, _)) => Ok(Some(true)),
        Some((false, _)) => {
            let late = context.poll(AFTER_READYOK, |line| find(line, false))?;
            Ok(late.is_some().then_some(false))
        }
        None => Ok(None),
    }
}

/// The handshake names the engine and its author.
fn identity(context: &mut CheckContext<'_>) -> StepOutcome {
    for prefix in ["id name", "id author"] {
        let text = context.handshake.text_after(&format!("{prefix} "));
        if text.is_none_or(|text| text.is_empty()) {
            return Err(StepError::fail(format!("a line \"{prefix} …\""), "no such line"));
        }
    }
    Ok(())
}

/// Every `option` line is well formed and no name occurs twice.
fn options(context: &mut CheckContext<'_>) -> StepOutcome {
    let mut names: Vec<String> = Vec::new();
    for (line, option) in context.handshake.options() {
        if let Err(error) = option.validate() {
            let expected =
                "option name N type check|spin|combo|button|string, with a valid default";
            return Err(StepError::fail(expected, format!("{error}: {line}")));
        }
        let name = option.name.to_lowercase();
        if names.contains(&name) {
            return Err(StepError::fail(
                "option names that differ in more than case",
                format!("a second option named {}", option.name),
            ));
        }
        names.push(name);
    }
    Ok(())
}

/// The engine offers the game through `UCI_Variant` or `Variant`, or offers no choice of games.
fn game(context: &mut CheckContext<'_>) -> StepOutcome {
    let game = context.options.game.name();
    let commands = context.setup_commands().map_err(|error| {
        StepError::fail(format!("{game} among the offered games"), format!("the engine {error}"))
    })?;
    if context.handshake.variants().is_none() && context.options.game != GameChoice::EngineDefined {
        context.remark(format!("offers no choice of games; assumed to play {game}"));
    }
    commands.iter().for_each(|command| context.send(command));
    Ok(())
}

/// Setting every option to its default, and then the configured options, prints nothing.
fn defaults(context: &mut CheckContext<'_>) -> StepOutcome {
    let options = context.handshake.options();
    let settings: Vec<String> = options
        .filter(|(_, option)| !option.is_button() && option.validate().is_ok())
        .filter_map(|(_, option)| {
            let default = option.default.as_deref()?;
            let value = if default.is_empty() { "<empty>" } else { default };
            Some(format!("setoption name {} value {value}", option.name))
        })
        .collect();
    // One at a time, so that the failure names the option.
    for setting in settings.into_iter().chain(context.setup_commands().unwrap_or_default()) {
        context.send_unanswered(&setting)?;
    }
    Ok(())
}
