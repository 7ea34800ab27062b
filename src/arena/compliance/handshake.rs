//! Steps of the handshake: identity, options, game selection, `isready`.

use std::time::Duration;

use super::EngineIdentity;
use super::context::CheckContext;
use super::step::{StepError, StepOutcome};
use crate::arena::engines::option_line::OptionLine;
use crate::arena::engines::player;
use crate::arena::engines::start_failure;
use crate::arena::engines::start_failure::HandshakeProbe;
use crate::arena::games::rules::Rules;
use crate::printing::quote;

/// The lines an engine printed in its first handshake.
#[derive(Debug, Default)]
pub(super) struct HandshakeReply {
    lines: Vec<String>,
}

impl HandshakeReply {
    /// Returns the name and author.
    pub(super) fn identity(&self) -> EngineIdentity {
        let text_after = |prefix: &str| {
            let mut lines = self.lines.iter();
            lines.find_map(|line| line.strip_prefix(prefix)).map(|text| text.trim().to_owned())
        };
        EngineIdentity { name: text_after("id name "), author: text_after("id author ") }
    }

    /// Returns the name and values of the option that selects a game.
    pub(super) fn variants(&self) -> Option<(String, Vec<String>)> {
        self.lines.iter().find_map(|line| player::variant_option(line))
    }

    /// Returns the options, each with the line that declares it.
    pub(super) fn options(&self) -> Vec<(&str, OptionLine)> {
        let lines = self.lines.iter().map(String::as_str);
        let is_option = |line: &&str| line.split_whitespace().next() == Some("option");
        lines.filter(is_option).map(|line| (line, OptionLine::parse(line))).collect()
    }
}

/// The engine starts, and `uciok` or `ugiok` is the last line of its handshake. If it is not, the
/// likely reason is determined.
pub(super) fn handshake(context: &mut CheckContext<'_>) -> StepOutcome {
    /// Lines that belong to the handshake would follow immediately.
    const GRACE: Duration = Duration::from_millis(20);
    if let Err(error) = context.start() {
        let reason = start_failure::explain_start_error(context.options.engine, &error);
        context.likely_reason = Some(reason);
        return Err(context.start_failure(&error));
    }
    let dialect = context.options.dialect;
    let answer = dialect.handshake_answer();
    context.send(dialect.handshake_command());
    let mut lines = Vec::new();
    let outcome = await_handshake(context, answer, &mut lines);
    // The report names the engine even if the handshake failed.
    context.handshake = HandshakeReply { lines: lines.clone() };
    let awaits_readyok = match outcome {
        Ok(Some(awaits_readyok)) => awaits_readyok,
        Ok(None) => {
            context.likely_reason = Some(explain_silence(context, &lines)?);
            let patience = context.options.patience.as_secs_f64();
            let expected = format!("{answer} within {patience}s");
            return Err(StepError::fail(expected, format!("no {answer}")));
        }
        Err(error) => {
            if context.exit_status().is_some() {
                context.likely_reason = Some(explain_silence(context, &lines)?);
            }
            return Err(error);
        }
    };
    let grace = if awaits_readyok { context.options.patience } else { GRACE };
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

/// Returns the likely reason for an incomplete handshake, given the lines the engine printed.
fn explain_silence(context: &mut CheckContext<'_>, lines: &[String]) -> StepOutcome<String> {
    let dialect = context.options.dialect;
    Ok(start_failure::explain_silence(dialect, lines, context)?.to_string())
}

/// Waits for the end of the handshake and collects its lines. Returns `None` if it does not end,
/// and otherwise whether `readyok` is still due.
///
/// An engine that does not know the command usually ignores it. `isready` shows this long before
/// the patience ends, since commands are answered in order.
fn await_handshake(
    context: &mut CheckContext<'_>,
    answer: &str,
    lines: &mut Vec<String>,
) -> StepOutcome<Option<bool>> {
    const BEFORE_ISREADY: Duration = Duration::from_secs(1);
    const AFTER_READYOK: Duration = Duration::from_secs(1);
    let patience = context.options.patience;
    let mut find = |line: &str, stops_at_readyok: bool| {
        lines.push(line.to_owned());
        let line = line.trim_end();
        (line == answer || (stops_at_readyok && line == "readyok")).then(|| line == answer)
    };
    let first_wait = BEFORE_ISREADY.min(patience);
    if context.poll(first_wait, |line| find(line, false))?.is_some() {
        return Ok(Some(false));
    }
    context.send("isready");
    match context.poll(patience - first_wait, |line| find(line, true))? {
        Some((true, _)) => Ok(Some(true)),
        Some((false, _)) => {
            let late = context.poll(AFTER_READYOK, |line| find(line, false))?;
            Ok(late.is_some().then_some(false))
        }
        None => Ok(None),
    }
}

/// The handshake names the engine and its author.
pub(super) fn identity(context: &mut CheckContext<'_>) -> StepOutcome {
    let identity = context.handshake.identity();
    for (prefix, text) in [("id name", identity.name), ("id author", identity.author)] {
        if text.is_none_or(|text| text.is_empty()) {
            return Err(StepError::fail(format!("a line \"{prefix} …\""), "no such line"));
        }
    }
    Ok(())
}

/// Every `option` line is well formed and no name occurs twice.
pub(super) fn options(context: &mut CheckContext<'_>) -> StepOutcome {
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
pub(super) fn game(context: &mut CheckContext<'_>) -> StepOutcome {
    let game = context.options.rules.name();
    let commands = context.setup_commands().map_err(|error| {
        StepError::fail(format!("{game} among the offered games"), format!("the engine {error}"))
    })?;
    if context.handshake.variants().is_none() && context.options.rules != Rules::EngineDefined {
        context.remark(format!("offers no choice of games; assumed to play {game}"));
    }
    commands.iter().for_each(|command| context.send(command));
    Ok(())
}

/// `isready` is answered by `readyok`.
pub(super) fn ready(context: &mut CheckContext<'_>) -> StepOutcome {
    context.sync().map(drop)
}

/// Setting every option to its default, and then the configured options, prints nothing.
pub(super) fn defaults(context: &mut CheckContext<'_>) -> StepOutcome {
    let options = context.handshake.options();
    let settings: Vec<String> = options
        .into_iter()
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

/// `ucinewgame` or `uginewgame` prints nothing.
pub(super) fn new_game(context: &mut CheckContext<'_>) -> StepOutcome {
    let command = context.by_dialect("ucinewgame", "uginewgame");
    context.send_unanswered(command)
}
