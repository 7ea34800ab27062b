//! `zermelo compliance`: checks an engine's protocol conformance.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::arena::compliance::{
    self, ComplianceOptions, ComplianceReport, StepLimits, StepReport, StepStatus,
};
use crate::arena::engines::codingame;
use crate::arena::engines::engine_setup::{EngineSetup, Protocol};
use crate::arena::engines::key_values::KeyValues;
use crate::arena::games::game_choice::GameChoice;
use crate::cli::engine_settings::check_folder;
use crate::cli::error::CliError;
use crate::cli::signals::StopSignal;
use crate::printing::{plural, printable};
use crate::protocol::reply::Dialect;

/// Check an engine's protocol conformance step by step
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    /// Engine to check
    #[arg(long, value_name = "KEY=VALUE", num_args = 0.., required = true)]
    engine: Vec<String>,

    /// Seconds to wait for an answer
    #[arg(long, alias = "patience", value_name = "SECONDS")]
    #[arg(value_parser = crate::cli::parse_seconds, default_value = "10")]
    reply_timeout: Duration,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,

    /// Print the requirement and the time limit of every step
    #[arg(long, conflicts_with = "json")]
    verbose: bool,
}

const EXAMPLES: &str = "\
Keys of --engine:
  cmd=PROGRAM      program to start; zermelo, the default, is this program
  proto=uci|ugi|codingame    protocol [default: uci; with --game ugi: ugi]
  args=\"A B\"       arguments
  dir=FOLDER       working directory
  option.NAME=V    engine option
  timemargin=MS    tolerance beyond a time limit [default: 50]

With --game ugi only the engine knows the rules, so the legality of moves is not checked.
Steps that matches do not need give warnings. The exit code is 1 if a step fails, else 0.

Examples:
  zermelo compliance --game nim --engine cmd=./my-engine proto=ugi
  zermelo compliance --game ugi --engine cmd=./my-engine --json";

/// The number of transcript lines printed for a violation, counted from the end.
const SHOWN_LINES: usize = 12;

/// The number of steps with illegal moves that suggests that the engine plays another game.
const MANY_ILLEGAL_MOVES: usize = 3;

pub(super) fn run(flagged: Option<GameChoice>, arguments: &Arguments) -> Result<(), CliError> {
    let game = flagged.unwrap_or_default();
    let proto = if game == GameChoice::EngineDefined { Protocol::Ugi } else { Protocol::Uci };
    let at_flag = CliError::at_flag("--engine");
    let values = KeyValues::from_arguments("--engine", &arguments.engine).map_err(&at_flag)?;
    let engine = EngineSetup::without_limits(&values, proto).map_err(at_flag)?;
    let dialect = engine.proto.dialect().unwrap_or(Dialect::Uci);
    if engine.proto == Protocol::Codingame {
        codingame::check_settings(&engine, game.spec()).map_err(CliError::Usage)?;
    }
    check_folder(&engine)?;
    let stop = StopSignal::install(1)?.shut_down_cleanly();
    let reply_timeout = arguments.reply_timeout;
    let options = ComplianceOptions {
        engine: &engine,
        dialect,
        game,
        reply_timeout,
        stop: Arc::clone(&stop),
    };
    let mut stdout = crate::cli::terminal::stdout();
    let mut output_error = None;
    let report = compliance::check_engine(&options, |step| {
        if arguments.json {
            return;
        }
        // Stop when the output is closed.
        if let Err(error) = write_step(&mut stdout, step, arguments.verbose) {
            output_error = Some(error);
            stop.store(true, Ordering::Relaxed);
        }
    });
    if let Some(error) = output_error {
        return Err(error.into());
    }
    if arguments.json {
        let text = serde_json::to_string(&report).map_err(io::Error::from)?;
        writeln!(stdout, "{text}")?;
    } else {
        if flagged.is_none() && !report.offers_games && report.illegal_moves >= MANY_ILLEGAL_MOVES {
            writeln!(
                stdout,
                "the engine offers no choice of games and was assumed to play {}; many illegal \
                 moves suggest another: try --game ID",
                report.game
            )?;
        }
        writeln!(stdout, "{}", summary(&report))?;
    }
    if stop.load(Ordering::Relaxed) {
        return Err(CliError::Failed("interrupted".to_owned()));
    }
    let likely_reason = report.steps.iter().find_map(|step| step.likely_reason.as_deref());
    if let Some(reason) = likely_reason {
        return Err(CliError::Failed(format!("the handshake failed: {reason}")));
    }
    match report.count(StepStatus::Fail) {
        0 => Ok(()),
        failed => Err(CliError::Failed(format!("{} failed", plural(failed, "step")))),
    }
}

/// Writes a step as text: one line, followed by the details of a violation and the remarks; if
/// `verbose`, also the requirement and the time limit.
fn write_step(out: &mut impl Write, step: &StepReport, verbose: bool) -> io::Result<()> {
    let word = match step.status {
        StepStatus::Ok => "ok",
        StepStatus::Warn => "warn",
        StepStatus::Fail => "FAIL",
        StepStatus::Skip => "skip",
    };
    let line = format!("{word:<4} {:>2} {}", step.number, step.name);
    match (step.status, &step.found) {
        (StepStatus::Skip, Some(reason)) => writeln!(out, "{line}: {reason}")?,
        _ => writeln!(out, "{line}")?,
    }
    let is_violated = matches!(step.status, StepStatus::Warn | StepStatus::Fail);
    if verbose || is_violated {
        writeln!(out, "        expected: {}", step.expected)?;
    }
    if verbose {
        writeln!(out, "        limit:    {}", limit_text(step.limits))?;
    }
    if is_violated {
        writeln!(out, "        found:    {}", step.found.as_deref().unwrap_or_default())?;
        if let Some(reason) = &step.likely_reason {
            writeln!(out, "        likely:   {reason}")?;
        }
        let omitted = step.exchanged.len().saturating_sub(SHOWN_LINES);
        if omitted > 0 {
            writeln!(out, "        … {}", plural(omitted, "earlier line"))?;
        }
        for line in &step.exchanged[omitted..] {
            writeln!(out, "        {line}")?;
        }
    }
    for remark in &step.remarks {
        writeln!(out, "        remark: {remark}")?;
    }
    out.flush()
}

fn limit_text(limits: StepLimits) -> String {
    let time = |milliseconds: u64| match milliseconds {
        0..1000 => format!("{milliseconds} ms"),
        _ => format!("{} s", Duration::from_millis(milliseconds).as_secs_f64()),
    };
    let quiet = limits.quiet_ms.map(|quiet| format!("no bestmove for at least {}", time(quiet)));
    let limit = limits.limit_ms.map(|limit| match limits.tolerance_ms {
        Some(tolerance @ 1..) => format!("{}, tolerance {}", time(limit), time(tolerance)),
        _ => time(limit),
    });
    match (quiet, limit) {
        (Some(quiet), Some(limit)) => format!("{quiet}, then {limit}"),
        (Some(text), None) | (None, Some(text)) => text,
        (None, None) => "none".to_owned(),
    }
}

/// Returns the line that counts the steps.
fn summary(report: &ComplianceReport) -> String {
    let [passed, failed, skipped] =
        [StepStatus::Ok, StepStatus::Fail, StepStatus::Skip].map(|status| report.count(status));
    let warned = match report.count(StepStatus::Warn) {
        0 => String::new(),
        warned => format!(" {},", plural(warned, "warning")),
    };
    let name = printable(report.engine.name.as_deref().unwrap_or("the engine"));
    let not_run = match report.not_run {
        0 => String::new(),
        not_run => format!(", {not_run} not run"),
    };
    format!(
        "{name}, {}: {passed} passed,{warned} {failed} failed, {skipped} skipped{not_run}",
        report.game
    )
}
