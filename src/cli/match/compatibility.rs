//! Translates the flags of cutechess-cli and fastchess, such as `-engine`, `-pgnout file=FILE` and
//! `arg=`, before clap reads the arguments. Those without a counterpart are refused with advice on
//! what to use instead.

use std::ffi::OsString;

use crate::printing::{did_you_mean, quote};

/// The treatment of a single-dash flag that `match` itself does not have.
#[derive(Debug, Clone, Copy)]
enum Counterpart {
    /// Another name for this flag.
    Flag(&'static str),
    /// Refused; says what to do instead.
    Instead(&'static str),
}

use Counterpart::{Flag, Instead};

const NO_INTERVAL: Counterpart = Instead("not needed: the results are shown as the match runs");
const NO_TABLEBASES: Counterpart = Instead("not needed: the games have no tablebases");
const OPENINGS: Counterpart = Instead("use --openings file=FILE, with one FEN per line");

const COUNTERPARTS: [(&str, Counterpart); 35] = [
    ("pgnout", Flag("record")),
    ("livepgnout", Flag("record")),
    ("variant", Flag("game")),
    ("srand", Flag("seed")),
    ("norepeat", Flag("no-repeat")),
    ("help-all", Flag("help")),
    ("ratinginterval", NO_INTERVAL),
    ("scoreinterval", NO_INTERVAL),
    ("outcomeinterval", NO_INTERVAL),
    ("autosaveinterval", Instead("not needed: each game is recorded when it ends")),
    ("tb", NO_TABLEBASES),
    ("tbpieces", NO_TABLEBASES),
    ("tbignore50", NO_TABLEBASES),
    ("bookmode", OPENINGS),
    ("book", OPENINGS),
    ("bookdepth", Instead("use --openings file=FILE plies=N")),
    ("debug", Instead("use --log FILE with RUST_LOG=trace")),
    ("event", Instead("not needed: the file name of --record identifies the match")),
    ("site", Instead("not needed: the file name of --record identifies the match")),
    ("epdout", Instead("use --record FILE, which holds every game")),
    ("wait", Instead("not needed: an engine is ready for the next game when it answers isready")),
    ("noswap", Instead("not supported: sides alternate, since the first move is an advantage")),
    ("reverse", Instead("not needed: sides alternate from game to game")),
    ("seeds", Instead("not needed: the seeds of a knockout are the order of the engines")),
    ("randomseed", Instead("use --seed N")),
    ("compliance", Instead("use zermelo compliance --engine cmd=PROGRAM")),
    ("output", Instead("not needed: there is one format")),
    ("crc32", Instead("not needed")),
    ("quick", Instead("use --engine cmd=FIRST --engine cmd=SECOND --each st=0.1")),
    ("strikes", Instead("not needed: without --recover, a failed engine is out at once")),
    ("use-affinity", Instead("not needed: the system assigns the cores")),
    ("force-concurrency", Instead("use --concurrency N")),
    ("show-latency", Instead("not needed: a record holds the time of each move")),
    ("testEnv", Instead("not needed")),
    ("variantsFile", Instead("use --game, which knows the rules")),
];

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
            let known = COUNTERPARTS.iter().find(|(foreign, _)| *foreign == self.flag);
            self.flag = match known {
                Some((_, Flag(flag))) => (*flag).to_owned(),
                Some((_, Instead(instead))) => return Err(format!("{word}: {instead}")),
                None => {
                    let names: Vec<String> = flags.iter().map(|flag| format!("--{flag}")).collect();
                    let similar =
                        did_you_mean(&format!("-{word}"), names.iter().map(String::as_str));
                    let hint = "zermelo match --help lists all flags";
                    // A suggestion ends with a question mark.
                    let gap = if similar.is_empty() { ";" } else { "" };
                    return Err(format!("unknown flag {}{similar}{gap} {hint}", quote(word)));
                }
            };
        }
        let value = name.split_once('=').map_or(String::new(), |(_, value)| format!("={value}"));
        self.done.push(format!("--{}{value}", self.flag).into());
        Ok(())
    }

    fn add_value(&mut self, word: &str) -> Result<(), String> {
        let value = match (self.flag.as_str(), self.typed.as_deref()) {
            ("engine" | "each", _) => self.engine_setting(word)?,
            ("openings", _) => opening_setting(word)?,
            (_, None) => Some(word.to_owned()),
            ("record" | "log" | "config", Some(typed)) => file_name(typed, word)?,
            ("report", _) if word.starts_with("penta=") => {
                return Err(format!("-report {word}: not needed, pairs are always counted"));
            }
            ("repeat", _) => match word {
                "2" => None,
                _ => {
                    return Err(format!(
                        "-repeat {word}: each opening is played twice, expected 2"
                    ));
                }
            },
            ("tournament", _) if word == "round-robin" => Some("roundrobin".to_owned()),
            _ => Some(word.to_owned()),
        };
        self.done.extend(value.map(OsString::from));
        Ok(())
    }

    /// Translates a setting of an engine; `None` if it can be dropped.
    fn engine_setting(&mut self, word: &str) -> Result<Option<String>, String> {
        let not_needed = |reason: &str| Err(format!("{word}: {reason}"));
        Ok(match word.split_once('=') {
            Some(("arg", argument)) => {
                self.program_arguments.push(argument.to_owned());
                None
            }
            Some(("conf", program)) => Some(format!("cmd={program}")),
            Some(("tc", "inf")) => None,
            Some(("restart", _)) => {
                return not_needed("not needed, --recover restarts an engine that fails");
            }
            Some(("initstr", _)) => return not_needed("use option.NAME=VALUE"),
            Some(("book" | "bookdepth", _)) => return not_needed("use --openings file=FILE"),
            None if word == "ponder" => Some("ponder=true".to_owned()),
            None if word == "whitepov" => {
                return not_needed("not supported, scores are from the mover's side");
            }
            None if word == "trust" => {
                return not_needed("not needed, results come from the rules alone");
            }
            _ => Some(word.to_owned()),
        })
    }

    /// Appends what was collected for the last flag.
    fn end_flag(&mut self) {
        if !self.program_arguments.is_empty() {
            let words = std::mem::take(&mut self.program_arguments);
            // Quoting fails for null bytes only, which arguments do not contain.
            let quoted = shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default();
            self.done.push(format!("args={quoted}").into());
        }
    }
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
        Some(("policy", _)) => {
            Err(format!("{word}: not supported, all encounters of a round share an opening"))
        }
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
        assert_eq!(translated(typed).unwrap(), expected);
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
            ("-tb /path", "no tablebases"),
            ("-bookmode disk", "use --openings file=FILE"),
            ("-event Test", "not needed"),
            ("-openings file=x.pgn format=pgn", "one FEN per line"),
            ("-openings file=x.epd policy=encounter", "share an opening"),
            ("-pgnout games.pgn fi", "\"fi\" after -pgnout: not needed"),
            ("-repeat 4", "expected 2"),
            ("-report penta=true", "not needed"),
            ("-engine cmd=a restart=on", "--recover"),
            ("-engine cmd=a whitepov", "mover's side"),
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
