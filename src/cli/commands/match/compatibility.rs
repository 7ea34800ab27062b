//! Translates the flags of cutechess-cli and fastchess that people type, such as `-engine`,
//! `-pgnout file=FILE` and `arg=`, before clap reads the arguments.

use std::ffi::OsString;

use crate::arena::engines::key_values::join_words;
use crate::printing::{did_you_mean, quote};

/// Flags with another name here.
const RENAMED: [(&str, &str); 4] =
    [("pgnout", "record"), ("variant", "game"), ("srand", "seed"), ("norepeat", "no-repeat")];

/// Flags that are refused, with what to do instead.
const REFUSED: [(&str, &str); 9] = [
    ("ratinginterval", NOT_NEEDED),
    ("scoreinterval", NOT_NEEDED),
    ("autosaveinterval", NOT_NEEDED),
    ("event", NOT_NEEDED),
    ("site", NOT_NEEDED),
    ("tb", NOT_NEEDED),
    ("wait", NOT_NEEDED),
    ("bookmode", "use --openings file=FILE, with one FEN per line"),
    ("debug", "use --log FILE with RUST_LOG=trace"),
];

const NOT_NEEDED: &str = "not needed, leave it out";

/// Translates the arguments that follow `match`. `flags` are the names of its flags.
///
/// # Errors
/// Returns a message if a flag or a setting has no counterpart.
pub(in crate::cli) fn translate(
    arguments: Vec<OsString>,
    flags: &[String],
) -> Result<Vec<OsString>, String> {
    let mut translation = Translation::default();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--") => {
                translation.end_flag();
                translation.done.push(argument);
                translation.done.extend(arguments);
                return Ok(translation.done);
            }
            Some(word) if is_flag(word) => translation.begin_flag(word, flags)?,
            Some(word) => translation.add_value(word)?,
            None => translation.done.push(argument),
        }
    }
    translation.end_flag();
    Ok(translation.done)
}

/// Whether a word is a flag, rather than a value such as `-5` or `elo0=-5`.
fn is_flag(word: &str) -> bool {
    let name = word.strip_prefix('-').unwrap_or_default();
    name.starts_with('-') || name.starts_with(|letter: char| letter.is_ascii_alphabetic())
}

/// The arguments translated so far.
#[derive(Debug, Default)]
struct Translation {
    done: Vec<OsString>,
    /// The name of the flag whose values follow.
    flag: String,
    /// How it was typed, if with one dash.
    typed: Option<String>,
    /// The values of `arg=` since that flag.
    program_arguments: Vec<String>,
}

impl Translation {
    fn begin_flag(&mut self, word: &str, flags: &[String]) -> Result<(), String> {
        self.end_flag();
        let name = word.trim_start_matches('-');
        // Flags of one letter and with two dashes are left to clap.
        self.typed = (!word.starts_with("--") && name.len() > 1).then(|| word.to_owned());
        self.flag = name.split('=').next().unwrap_or_default().to_owned();
        if self.typed.is_none() {
            self.done.push(word.into());
            return Ok(());
        }
        if !flags.contains(&self.flag) {
            let renamed = RENAMED.iter().find(|(foreign, _)| *foreign == self.flag);
            let Some((_, flag)) = renamed else { return Err(refusal(word, &self.flag, flags)) };
            self.flag = (*flag).to_owned();
        }
        let value = name.split_once('=').map_or(String::new(), |(_, value)| format!("={value}"));
        self.done.push(format!("--{}{value}", self.flag).into());
        Ok(())
    }

    fn add_value(&mut self, word: &str) -> Result<(), String> {
        let value = match (self.flag.as_str(), self.typed.as_deref()) {
            ("engine" | "each", _) => self.engine_setting(word),
            ("openings", _) => opening_setting(word)?,
            (_, None) => Some(word.to_owned()),
            ("record" | "log" | "config", Some(typed)) => file_name(typed, word)?,
            ("report", _) if word.starts_with("penta=") => {
                return Err(format!("-report {word}: not needed, pairs are always counted"));
            }
            ("repeat", _) if word == "2" => None,
            ("tournament", _) if word == "round-robin" => Some("roundrobin".to_owned()),
            _ => Some(word.to_owned()),
        };
        self.done.extend(value.map(OsString::from));
        Ok(())
    }

    /// Translates a setting of an engine; `None` if it can be dropped.
    fn engine_setting(&mut self, word: &str) -> Option<String> {
        match word.split_once('=') {
            Some(("arg", argument)) => {
                self.program_arguments.push(argument.to_owned());
                None
            }
            Some(("conf", program)) => Some(format!("cmd={program}")),
            Some(("tc", "inf")) => None,
            None if word == "ponder" => Some("ponder=true".to_owned()),
            _ => Some(word.to_owned()),
        }
    }

    /// Appends what was collected for the last flag.
    fn end_flag(&mut self) {
        if !self.program_arguments.is_empty() {
            let words = std::mem::take(&mut self.program_arguments);
            self.done.push(format!("args={}", join_words(&words)).into());
        }
    }
}

/// The error about a flag that `match` does not have.
fn refusal(word: &str, name: &str, flags: &[String]) -> String {
    if let Some((_, instead)) = REFUSED.iter().find(|(foreign, _)| *foreign == name) {
        return format!("{word}: {instead}");
    }
    let names: Vec<String> = flags.iter().map(|flag| format!("--{flag}")).collect();
    let similar = did_you_mean(&format!("-{word}"), names.iter().map(String::as_str));
    // A suggestion ends with a question mark.
    let gap = if similar.is_empty() { ";" } else { "" };
    format!("unknown flag {}{similar}{gap} zermelo match --help lists all flags", quote(word))
}

/// Translates a setting of `-openings`; `None` if it can be dropped.
fn opening_setting(word: &str) -> Result<Option<String>, String> {
    match word.split_once('=') {
        // A position of an EPD file without operations is a FEN.
        Some(("format", "epd") | ("policy", "default" | "round")) => Ok(None),
        Some(("format", format)) => Err(format!(
            "format={format}: openings are read from a file with one FEN per line (format=epd); \
             zermelo convert --to fen writes the FEN after a list of moves"
        )),
        _ => Ok(Some(word.to_owned())),
    }
}

/// Translates `FILE` or `file=FILE`; `None` if the word can be dropped.
fn file_name(flag: &str, word: &str) -> Result<Option<String>, String> {
    match word.split_once('=') {
        Some(("file", file)) => Ok(Some(file.to_owned())),
        Some(("append", "true")) => Ok(None),
        None if !matches!(word, "min" | "fi") => Ok(Some(word.to_owned())),
        _ => Err(format!("{} after {flag}: not needed, expected file=FILE alone", quote(word))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(line: &str) -> Result<String, String> {
        let flags = "engine each openings sprt resign draw tournament rounds games repeat no-repeat \
            concurrency seed maxmoves recover record json report config log game help";
        let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
        let words = shlex::split(line).unwrap().into_iter().map(OsString::from).collect();
        let done = translate(words, &flags)?;
        Ok(done.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn a_command_line_of_cutechess_works() {
        let typed = "-engine cmd=./a arg=--uci arg='a b' name=x -engine conf=b tc=inf depth=5 ponder \
            -each proto=uci tc=10+0.1 option.Hash=-1 -rounds 10 -games 2 -repeat -recover \
            -tournament round-robin -openings file=x.epd format=epd order=random plies=4 policy=round \
            -sprt elo0=-5 elo1=5 alpha=0.05 beta=0.05 -resign movecount=3 score=600 -draw movenumber=40 \
            movecount=8 score=10 -maxmoves 200 -concurrency 2 -srand 7 -variant nim -pgnout games.pgn";
        let expected = "--engine cmd=./a name=x args=--uci 'a b' --engine cmd=b depth=5 ponder=true \
            --each proto=uci tc=10+0.1 option.Hash=-1 --rounds 10 --games 2 --repeat --recover \
            --tournament roundrobin --openings file=x.epd order=random plies=4 \
            --sprt elo0=-5 elo1=5 alpha=0.05 beta=0.05 --resign movecount=3 score=600 --draw \
            movenumber=40 movecount=8 score=10 --maxmoves 200 --concurrency 2 --seed 7 --game nim \
            --record games.pgn";
        let quote = if cfg!(windows) { "\"" } else { "'" };
        assert_eq!(translated(typed).unwrap(), expected.replace('\'', quote));
    }

    #[test]
    fn fastchess_flags_and_native_flags_work() {
        for (typed, expected) in [
            ("-pgnout file=games.pgn", "--record games.pgn"),
            ("-log file=a.txt", "--log a.txt"),
            ("-config file=a.toml", "--config a.toml"),
            ("-repeat 2 -rounds 3", "--repeat --rounds 3"),
            ("-json a.json -no-repeat", "--json a.json --no-repeat"),
            ("--engine arg=-x cmd=a", "--engine cmd=a args=-x"),
            ("--record file=x", "--record file=x"),
            ("--rounds=3 -games=2 -h", "--rounds=3 --games=2 -h"),
            ("-engine a -- -engine b", "--engine a -- -engine b"),
        ] {
            assert_eq!(translated(typed).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn flags_without_a_counterpart_name_the_alternative() {
        for (typed, words) in [
            ("-ratinginterval 10", "-ratinginterval: not needed"),
            ("-debug", "-debug: use --log FILE"),
            ("-tb /path", "-tb: not needed"),
            ("-bookmode disk", "use --openings file=FILE"),
            ("-event Test", "not needed"),
            ("-openings file=x.pgn format=pgn", "one FEN per line"),
            ("-pgnout games.pgn fi", "\"fi\" after -pgnout: not needed"),
            ("-report penta=true", "not needed"),
            (
                "-engin cmd=a",
                "unknown flag \"-engin\"; did you mean \"--engine\"? zermelo match --help",
            ),
            ("-xyz", "unknown flag \"-xyz\"; zermelo match --help"),
        ] {
            let error = translated(typed).unwrap_err();
            assert!(error.contains(words), "{typed}: {error}");
        }
    }
}
