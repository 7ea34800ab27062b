//! Match settings from headers and key-value options: any text is accepted or refused, and accepted settings
//! survive the header of a record.
//!
//! The first byte selects a setup in JSON or a kind of option group; an option group has one word per line.
#![no_main]

use zermelo::arena::engines::engine_setup::{EngineSetup, Protocol};
use zermelo::arena::engines::key_values::{KeyValueError, KeyValues};
use zermelo::arena::games::adjudication::{DrawRule, ResignRule};
use zermelo::arena::tournament::tournament_setup::{
    OpeningSetup, TournamentSetup, sprt_from_key_values,
};
use zermelo::records::RecordFormat;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((form, text)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let words: Vec<String> = text.lines().map(str::to_owned).collect();
    match form % 7 {
        0..3 => read_setup(text),
        3 => check_error(group(&words).and_then(|group| engine(&group))),
        4 => check_error(OpeningSetup::from_arguments(&words).map_err(drop_kind)),
        5 => check_error(read(&words, sprt_from_key_values)),
        _ => {
            check_error(read(&words, ResignRule::from_key_values));
            check_error(read(&words, DrawRule::from_key_values));
        }
    }
});

fn read_setup(text: &str) {
    let setup = serde_json::from_str::<TournamentSetup>(text).ok();
    setup.filter(|setup| setup.check().is_ok()).iter().for_each(check_header);
}

/// Checks that the header of a record round-trips to the same tournament.
fn check_header(setup: &TournamentSetup) {
    assert_eq!(setup.check(), Ok(()));
    let head = RecordFormat::Json.header(setup);
    let again: TournamentSetup = serde_json::from_value(
        serde_json::from_str::<serde_json::Value>(&head).expect("valid JSON")["setup"].take(),
    )
    .unwrap_or_else(|error| panic!("{error} in {head}"));
    assert_eq!(&again, setup, "{head}");
    assert_eq!(again.check_can_resume(setup), Ok(()));
    assert_eq!(setup.merge_with(&again).as_ref(), Ok(setup));
}

type Parsed<T> = Result<T, String>;

fn group(words: &[String]) -> Parsed<KeyValues> {
    KeyValues::from_arguments("--group", words).map_err(drop_kind)
}

fn read<T>(words: &[String], read: impl Fn(&KeyValues) -> Result<T, KeyValueError>) -> Parsed<T> {
    read(&group(words)?).map_err(drop_kind)
}

fn drop_kind(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn engine(group: &KeyValues) -> Parsed<()> {
    EngineSetup::without_limits(group, Protocol::Ugi).map_err(drop_kind)?;
    EngineSetup::check_each(group, Protocol::Uci).map_err(drop_kind)?;
    let setup = EngineSetup::from_key_values(&KeyValues::default(), group, Protocol::Uci)
        .map_err(drop_kind)?;
    let written = serde_json::to_string(&setup).expect("plain data");
    let again =
        serde_json::from_str(&written).unwrap_or_else(|error| panic!("{error} in {written}"));
    assert_eq!(setup, again, "{written}");
    assert_eq!(
        EngineSetup::from_key_values(group, &limits(&setup), Protocol::Uci)
            .map_err(drop_kind)?
            .limits,
        setup.limits
    );
    Ok(())
}

/// The limits of an engine, converted back to key-value options.
fn limits(setup: &EngineSetup) -> KeyValues {
    let words: Vec<String> = setup.limits.to_string().split(' ').map(str::to_owned).collect();
    group(&words).unwrap_or_else(|error| panic!("{error}"))
}

/// Checks that an error is one printable line.
fn check_error<T>(result: Parsed<T>) {
    if let Err(message) = result {
        assert!(!message.is_empty() && !message.chars().any(char::is_control), "{message:?}");
    }
}
