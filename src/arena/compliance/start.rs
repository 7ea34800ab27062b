//! The steps of the start: handshake, options, game, readiness.

use super::examination::{Departure, Examination, Verdict};
use super::greeting::Greeting;
use crate::arena::referee::Rules;
use crate::rules::quote;

/// It starts, and ends its greeting with `uciok` or `ugiok`, after which no more of it comes.
pub(super) fn handshake(examination: &mut Examination<'_>) -> Verdict {
    /// What belongs to the greeting would follow it directly.
    const MOMENT: std::time::Duration = std::time::Duration::from_millis(20);
    examination.start()?;
    let (greeting, answer) =
        (examination.greeting_word(), examination.by_protocol("uciok", "ugiok"));
    examination.say(greeting);
    let mut lines = Vec::new();
    let done = examination.await_line(answer, examination.terms.patience, |line| {
        lines.push(line.to_owned());
        (line.trim_end() == answer).then_some(())
    });
    // What came is looked at in the next steps, however it ended.
    examination.greeting = Greeting { lines };
    done?;
    let late = examination.hear(MOMENT, |line| {
        let word = line.split_whitespace().next();
        matches!(word, Some("id" | "option")).then(|| line.to_owned())
    })?;
    match late {
        Some((line, _)) => {
            Err(Departure::fail(format!("{answer} behind all options"), quote(&line)))
        }
        None => Ok(()),
    }
}

/// It says its name and its author.
pub(super) fn identity(examination: &mut Examination<'_>) -> Verdict {
    let identity = examination.greeting.identity();
    for (what, said) in [("id name", identity.name), ("id author", identity.author)] {
        if said.is_none_or(|said| said.is_empty()) {
            return Err(Departure::fail(format!("a line \"{what} …\""), "none"));
        }
    }
    Ok(())
}

/// Each `option` line is well formed, and no two have the same name.
pub(super) fn options(examination: &mut Examination<'_>) -> Verdict {
    let mut names: Vec<String> = Vec::new();
    for (line, option) in examination.greeting.options() {
        if let Err(wrong) = option.check() {
            let expected =
                "option name N type check|spin|combo|button|string, with a default that fits";
            return Err(Departure::fail(expected, format!("{wrong}: {line}")));
        }
        let name = option.name.to_lowercase();
        if names.contains(&name) {
            return Err(Departure::fail("names that differ", format!("a second {}", option.name)));
        }
        names.push(name);
    }
    Ok(())
}

/// It offers the game by `UCI_Variant` or `Variant`, or no choice of games.
pub(super) fn game(examination: &mut Examination<'_>) -> Verdict {
    let commands = examination.setup_commands().map_err(|wrong| {
        let expected = format!("the game {} among those it offers", examination.terms.rules.name());
        Departure::fail(expected, format!("it {wrong}"))
    })?;
    if examination.greeting.variants().is_none() && examination.terms.rules != Rules::EngineDefined
    {
        let game = examination.terms.rules.name();
        examination.remark(format!("offers no choice of games; taken as an engine of {game}"));
    }
    commands.iter().for_each(|command| examination.say(command));
    Ok(())
}

/// `isready` is answered by `readyok`.
pub(super) fn ready(examination: &mut Examination<'_>) -> Verdict {
    examination.ready().map(drop)
}

/// Setting every option to its own default is taken in silence; so are the options of the setup,
/// which come after.
pub(super) fn defaults(examination: &mut Examination<'_>) -> Verdict {
    let options = examination.greeting.options();
    let settings: Vec<String> = options
        .into_iter()
        .filter(|(_, option)| !option.is_button() && option.check().is_ok())
        .filter_map(|(_, option)| {
            let default = option.default.as_deref()?;
            let value = if default.is_empty() { "<empty>" } else { default };
            Some(format!("setoption name {} value {value}", option.name))
        })
        .collect();
    // One by one, so that it is known which one is refused.
    for setting in settings.into_iter().chain(examination.setup_commands().unwrap_or_default()) {
        examination.say_unanswered(&setting)?;
    }
    Ok(())
}

/// A new game may begin.
pub(super) fn new_game(examination: &mut Examination<'_>) -> Verdict {
    let command = examination.by_protocol("ucinewgame", "uginewgame");
    examination.say_unanswered(command)
}
