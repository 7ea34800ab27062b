//! Errors in the arguments, worded like all other errors: what is wrong, where, and what would be
//! accepted.

use std::error::Error as _;
use std::num::{IntErrorKind, ParseIntError};

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::printing::{did_you_mean, expected_names, quote};

/// Describes an error of clap; `None` if it is a request for help or for the version.
pub(super) fn describe(error: &clap::Error) -> Option<String> {
    if !error.use_stderr() {
        return None;
    }
    let argument = strings(error, ContextKind::InvalidArg);
    let name = argument.first().map(|argument| short_name(argument)).unwrap_or_default();
    let value = strings(error, ContextKind::InvalidValue).into_iter().next().unwrap_or_default();
    Some(match error.kind() {
        ErrorKind::UnknownArgument => unknown_argument(error, argument.first()?),
        ErrorKind::InvalidValue if value.is_empty() => {
            let values = strings(error, ContextKind::ValidValue).join(", ");
            let list = if values.is_empty() { values } else { format!(", one of: {values}") };
            format!("{name} needs a value{list}")
        }
        ErrorKind::InvalidValue => {
            let values = strings(error, ContextKind::ValidValue).join(", ");
            format!("{} for {name}{}", quote(&value), expected_names(&value, &values, ", "))
        }
        ErrorKind::ValueValidation => invalid_value(error, &name, &value),
        ErrorKind::MissingRequiredArgument => {
            let missing: Vec<String> = argument.iter().map(|argument| choices(argument)).collect();
            format!("missing {}{}", missing.join(" and "), usage(error))
        }
        ErrorKind::ArgumentConflict => {
            let others = strings(error, ContextKind::PriorArg);
            let others: Vec<String> = others.iter().map(|other| short_name(other)).collect();
            match others.contains(&name) {
                true => format!("{name} cannot be given more than once"),
                false => format!("{name} cannot be used with {}", others.join(" or ")),
            }
        }
        _ => first_line(error),
    })
}

/// Returns the texts that an error holds of a kind.
fn strings(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}

fn unknown_argument(error: &clap::Error, found: &str) -> String {
    let is_flag = found.trim_start_matches('-').starts_with(|letter: char| letter.is_alphabetic());
    match (found.starts_with('-'), is_flag) {
        (true, true) => {
            let similar = strings(error, ContextKind::SuggestedArg);
            let similar = did_you_mean(found, similar.iter().map(String::as_str));
            // A suggestion ends with a question mark.
            let usage = usage(error);
            let usage = if similar.is_empty() { &*usage } else { usage.trim_start_matches(';') };
            format!("unknown flag {}{similar}{usage}", quote(found))
        }
        (true, false) => {
            format!("unexpected {}; write a negative value as --FLAG={found}", quote(found))
        }
        _ => format!("unexpected argument {}{}", quote(found), usage(error)),
    }
}

/// Describes a value that cannot be parsed or is out of range.
fn invalid_value(error: &clap::Error, name: &str, value: &str) -> String {
    let Some(source) = error.source() else { return first_line(error) };
    let reason = source.to_string();
    if let Some(error) = source.downcast_ref::<ParseIntError>() {
        let expected = match error.kind() {
            IntErrorKind::PosOverflow => "a smaller number",
            _ if value.starts_with('-') => "a number that is not negative",
            _ => "a whole number",
        };
        return format!("{} for {name}, expected {expected}", quote(value));
    }
    // `99 is not in 0..=20`, `0 is not in 1..`
    if let Some((_, range)) = reason.split_once(" is not in ") {
        let expected = match range.split_once("..") {
            Some((first, "")) => format!("a number from {first}"),
            Some((first, last)) => format!("{first} to {}", last.trim_start_matches('=')),
            None => range.to_owned(),
        };
        return format!("{} for {name}, expected {expected}", quote(value));
    }
    // Parsers of names quote the value themselves.
    match reason.contains("expected") && !reason.starts_with("expected") {
        true => reason,
        false => format!("{} for {name}, {reason}", quote(value)),
    }
}

/// `--rounds` for `--rounds <N>`, and `DEPTH` for `<DEPTH>`.
fn short_name(argument: &str) -> String {
    let name = argument.split(' ').next().unwrap_or_default();
    name.trim_matches(['<', '>', '[', ']']).to_owned()
}

/// `--fen <FEN> or --file <FILE>` for `<--fen <FEN>|--file <FILE>>`.
fn choices(argument: &str) -> String {
    match argument.strip_prefix("<--").and_then(|rest| rest.strip_suffix('>')) {
        Some(rest) => format!("--{}", rest.replace('|', " or ")),
        None => argument.to_owned(),
    }
}

/// `; usage: zermelo perft <DEPTH>`
fn usage(error: &clap::Error) -> String {
    match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => {
            let usage = usage.to_string().replace("Usage: ", "");
            let words: Vec<&str> = usage.split_whitespace().collect();
            format!("; usage: {}", words.join(" "))
        }
        _ => String::new(),
    }
}

/// The message of clap without the hints below it.
fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::Arguments;
    use super::*;

    fn refused(line: &str) -> String {
        let error = Arguments::try_parse_from(line.split(' ')).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        describe(&error).unwrap()
    }

    #[test]
    fn frequent_mistakes_are_explained() {
        for (line, message) in [
            (
                "zermelo bench --gmae nim",
                "unknown flag \"--gmae\"; did you mean \"--game\"? usage: zermelo bench --game <ID>",
            ),
            (
                "zermelo bench extra",
                "unexpected argument \"extra\"; usage: zermelo bench [OPTIONS]",
            ),
            ("zermelo perft", "missing <DEPTH>; usage: zermelo perft <DEPTH>"),
            ("zermelo perft x", "\"x\" for DEPTH, expected a whole number"),
            (
                "zermelo solve",
                "missing --fen <FEN> or --file <FILE>; usage: zermelo solve <--fen <FEN>|--file <FILE>>",
            ),
            ("zermelo openings --count", "--count needs a value"),
            (
                "zermelo openings --count -5",
                "unexpected \"-5\"; write a negative value as --FLAG=-5",
            ),
            ("zermelo openings --count 1e9", "\"1e9\" for --count, expected a whole number"),
            (
                "zermelo openings --count 1 --seed 99999999999999999999",
                "\"99999999999999999999\" for --seed, expected a smaller number",
            ),
            ("zermelo puzzles --count 0", "\"0\" for --count, expected 1 to 1000000"),
            ("zermelo play --lang", "--lang needs a value, one of: en, zh"),
            (
                "zermelo play --opponent bob",
                "\"bob\" for --opponent, expected one of: engine, human",
            ),
            (
                "zermelo convert --to fan",
                "\"fan\" for --to; did you mean \"fen\"? expected one of: fen, compact, drops, json",
            ),
            (
                "zermelo match --only two",
                "\"two\" for --only, expected FROM-TO or FROM, numbers of games from 1",
            ),
            (
                "zermelo solve --fen x --time soon",
                "\"soon\" for --time, expected seconds, such as 0.5, more than 0 and at most a year",
            ),
            ("zermelo match --plan --only 1", "--plan cannot be used with --only"),
            ("zermelo bench --game nim --game nim", "--game cannot be given more than once"),
        ] {
            assert_eq!(refused(line), message, "{line}");
        }
        let unknown = refused("zermelo perft 3 --game chess");
        assert!(
            unknown.starts_with("unknown game \"chess\", expected one of: tixtax, "),
            "{unknown}"
        );
    }

    #[test]
    fn help_is_no_error() {
        let help = Arguments::try_parse_from(["zermelo", "--help"]).unwrap_err();
        assert_eq!(describe(&help), None);
    }
}
