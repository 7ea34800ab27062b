//! `zermelo compliance`: an engine is led through the protocol, and what does not hold is told.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::CliError;
use super::r#match::{SettingsError, catch_signals, check_folder};
use crate::arena::compliance::{self, Report, Status, StepReport, Terms};
use crate::arena::key_values::KeyValues;
use crate::arena::referee::Rules;
use crate::arena::setup::{EngineSetup, Protocol};

/// Lead an engine through the protocol step by step and tell what holds
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The engine
    #[arg(long, value_name = "KEY=VALUE", num_args = 0.., required = true)]
    engine: Vec<String>,

    /// Seconds to wait for an answer
    #[arg(long, value_name = "SECONDS", value_parser = super::parse_seconds, default_value = "10")]
    patience: Duration,

    /// Write one object of JSON instead of lines for people
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Words behind --engine:
  cmd=PROGRAM      what to start; `zermelo`, and no cmd, mean this program
  proto=uci|ugi    what it speaks [default: uci; ugi with --game ugi]
  args=\"A B\"       its arguments
  dir=FOLDER       where it is started
  option.NAME=V    an option of the engine
  timemargin=MS    how far beyond its time it may go [default: 50]

With --game ugi the game is one that only the engine knows: legality is not judged.
The exit code is 0 if every step holds or is left out, 1 if one does not.

Examples:
  zermelo compliance --game nim --engine cmd=./my-engine proto=ugi
  zermelo compliance --game ugi --engine cmd=./my-engine --json";

/// So many of the lines that were exchanged are shown of a failure, from the end.
const SHOWN: usize = 12;

pub(super) fn run(game: Option<Rules>, arguments: &Arguments) -> Result<(), CliError> {
    let rules = game.unwrap_or(Rules::DEFAULT);
    let proto = if rules == Rules::EngineDefined { Protocol::Ugi } else { Protocol::Uci };
    let in_place = |source| SettingsError::Word { place: "--engine".to_owned(), source };
    let group = KeyValues::from_arguments("--engine", &arguments.engine).map_err(in_place)?;
    let engine = EngineSetup::without_limits(&group, proto).map_err(in_place)?;
    check_folder(&engine)?;
    let stop = Arc::new(AtomicBool::new(false));
    catch_signals(&stop)?;
    let terms = Terms { engine: &engine, rules, patience: arguments.patience, stop: &stop };
    let mut stdout = io::stdout();
    let mut unheard = None;
    let report = compliance::examine(&terms, |step| {
        if arguments.json {
            return;
        }
        // Nobody hears it: there is no use in going on.
        if let Err(error) = show(&mut stdout, step) {
            unheard = Some(error);
            stop.store(true, Ordering::Relaxed);
        }
    });
    if let Some(error) = unheard {
        return Err(error.into());
    }
    if arguments.json {
        let text = serde_json::to_string(&report).map_err(io::Error::from)?;
        writeln!(stdout, "{text}")?;
    } else {
        writeln!(stdout, "{}", summary(&report))?;
    }
    if stop.load(Ordering::Relaxed) {
        return Err(CliError::Failed("interrupted".to_owned()));
    }
    match report.count(Status::Fail) {
        0 => Ok(()),
        failed => Err(CliError::Failed(format!("{failed} step(s) do not hold"))),
    }
}

/// A step for people: a line, and below it what there is to say.
fn show(out: &mut impl Write, step: &StepReport) -> io::Result<()> {
    let word = match step.status {
        Status::Ok => "ok",
        Status::Fail => "FAIL",
        Status::Skip => "skip",
    };
    let line = format!("{word:<4} {:>2} {}", step.number, step.name);
    match (step.status, &step.found) {
        (Status::Fail, found) => {
            writeln!(out, "{line}")?;
            writeln!(out, "        expected: {}", step.expected)?;
            writeln!(out, "        found:    {}", found.as_deref().unwrap_or_default())?;
            let left_out = step.exchanged.len().saturating_sub(SHOWN);
            if left_out > 0 {
                writeln!(out, "        … {left_out} earlier lines")?;
            }
            for line in &step.exchanged[left_out..] {
                writeln!(out, "        {line}")?;
            }
        }
        (_, Some(why)) => writeln!(out, "{line}: {why}")?,
        (_, None) => writeln!(out, "{line}")?,
    }
    for remark in &step.remarks {
        writeln!(out, "        remark: {remark}")?;
    }
    out.flush()
}

/// The last line.
fn summary(report: &Report) -> String {
    let [held, failed, skipped] =
        [Status::Ok, Status::Fail, Status::Skip].map(|status| report.count(status));
    let name = report.engine.name.as_deref().unwrap_or("the engine");
    format!("{name}, {}: {held} held, {failed} failed, {skipped} skipped", report.game)
}
