//! `zermelo solve`: the exact values of positions, a line each.

mod input;
mod objects;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use self::input::Input;
use super::CliError;
use super::progress::ProgressLine;
use crate::engine::registry;
use crate::engine::solving::{
    SaveCheckpoint, Solution, SolveError, SolveObserver, SolveProgress, Solver, SolverOptions,
    Verified,
};
use crate::rules::Value;
use crate::search::SearchControl;
use crate::solve::ValueBounds;

/// Prove the exact values of positions: win, draw or loss for the side to move
///
/// Prints a line for each: VALUE PLIES MOVE NODES SECONDS FEN, with "unknown" for what was not
/// proven in time and "-" for what is not known.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("source").required(true), after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The position
    #[arg(long, value_name = "FEN", group = "source")]
    fen: Option<String>,

    /// Positions, a line each; - reads stdin
    #[arg(long, value_name = "FILE", group = "source")]
    file: Option<String>,

    /// Threads that work on a proof together
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Memory, all in all, in MiB
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(64..=1 << 20))]
    memory: u64,

    /// Seconds for each position; what is not proven by then is unknown
    #[arg(long, value_name = "SECONDS", value_parser = super::parse_seconds)]
    time: Option<Duration>,

    /// Look at each proof a second time, however long it takes: walk through it from the position to
    /// the ends of the game
    #[arg(long)]
    verify: bool,

    /// SaveCheckpoint what is known of a position here, now and then and at the end; a run that was cut off goes
    /// on from it
    #[arg(long, value_name = "FILE", requires = "fen", conflicts_with = "file")]
    checkpoint: Option<PathBuf>,

    /// Seconds from one save to the next
    #[arg(long, value_name = "SECONDS", default_value = "55", value_parser = super::parse_seconds, requires = "checkpoint")]
    checkpoint_every: Duration,

    /// Write objects of JSON, a line each
    #[arg(long)]
    json: bool,

    /// Prove nothing: tell what the moves lead to and how far that is from a proof, in JSON; for
    /// proof trees that are kept elsewhere
    #[arg(long, conflicts_with_all = ["checkpoint", "verify", "time"])]
    expand: bool,

    /// Tell on stderr how far it is, also where that is no terminal
    #[arg(long)]
    progress: bool,
}

const EXAMPLES: &str = "\
Examples:
  zermelo solve --game nim --fen \"rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b\"
  zermelo solve --file positions.txt --threads 2 --time 60 --json
  zermelo solve --fen \"FEN\" --memory 4096 --checkpoint proof.bin --verify";

impl Arguments {
    /// The files that are written.
    pub(super) fn files(&self) -> Vec<(&'static str, Option<&Path>)> {
        vec![("--checkpoint", self.checkpoint.as_deref())]
    }
}

pub(super) fn run(game: &registry::GameEntry, arguments: &Arguments) -> Result<(), CliError> {
    let means = SolverOptions {
        mebibytes: usize::try_from(arguments.memory).unwrap_or(usize::MAX),
        threads: arguments.threads.into(),
        verify: arguments.verify,
    };
    if let Some(path) = &arguments.checkpoint {
        if game.is_solved {
            return Err(CliError::CheckpointUnsupported { game: game.id });
        }
        super::check_writable(path)?;
    }
    let solver = game.solver(means)?;
    let control = Arc::new(SearchControl::default());
    super::stop_on_signals(&control)?;
    let mut job = Job { game: game.id, solver, arguments, control, refused: 0, unsound: 0 };
    match (&arguments.fen, arguments.file.as_deref()) {
        (Some(fen), _) => job.answer(fen)?,
        (None, Some(path)) => job.lines(path)?,
        (None, None) => {}
    }
    match job {
        Job { unsound: 1.., .. } => Err(CliError::Failed("a proof does not hold".to_owned())),
        Job { refused: 0, .. } => Ok(()),
        Job { refused, .. } => Err(CliError::Refused(refused)),
    }
}

/// The work on some lines.
struct Job<'a> {
    game: &'static str,
    solver: Box<dyn Solver>,
    arguments: &'a Arguments,
    /// Stops everything.
    control: Arc<SearchControl>,
    refused: usize,
    /// How many proofs did not stand the second look.
    unsound: usize,
}

impl Job<'_> {
    fn lines(&mut self, path: &str) -> Result<(), CliError> {
        let refuse = |error: io::Error| super::file_error(Path::new(path), &error);
        let input = Input::open(path).map_err(refuse)?;
        let mut number = 0;
        while let Some(line) = input.next(&self.control).map_err(refuse)? {
            number += 1;
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match self.answer(&line) {
                Err(CliError::Position { source, .. }) => {
                    super::print_error(&format_args!("line {number}: {source}"));
                    self.refused += 1;
                }
                answered => answered?,
            }
        }
        if self.control.is_stopped() {
            super::print_error(&format_args!(
                "interrupted, nothing behind line {number} was looked at"
            ));
        }
        Ok(())
    }

    /// Writes down what there is to say of a position.
    fn answer(&mut self, fen: &str) -> Result<(), CliError> {
        if self.arguments.expand {
            let refuse = |source| CliError::Position { game: self.game, source };
            let (node, branches) = self.solver.expand(fen).map_err(refuse)?;
            return print(&objects::expansion(&node, &branches)?);
        }
        let (solution, unsaved) = self.solve(fen)?;
        self.write(&solution)?;
        match unsaved {
            // What could not be saved is needed by whoever wants to go on from there.
            Some(reason) if solution.bounds.value().is_none() => Err(CliError::Failed(reason)),
            _ => Ok(()),
        }
    }

    /// What is known of a position, and why the last checkpoint could not be written, if it could not.
    fn solve(&mut self, fen: &str) -> Result<(Solution, Option<String>), CliError> {
        let elsewhere = self.arguments.progress.then_some(Duration::from_millis(900));
        let mut watch = Watch {
            progress: ProgressLine::new(elsewhere),
            checkpoint: self.arguments.checkpoint.as_deref(),
            saved: Instant::now(),
            pause: self.arguments.checkpoint_every,
            unsaved: None,
        };
        let mut input = match self.arguments.checkpoint.as_deref().map(File::open) {
            None => None,
            Some(Ok(file)) => Some(BufReader::new(file)),
            Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => None,
            Some(Err(error)) => return Err(self.explain(SolveError::Checkpoint(error.into()))),
        };
        let checkpoint = input.as_mut().map(|input| input as &mut dyn BufRead);
        let control = self.control.child();
        let solution =
            self.solver.solve(fen, self.arguments.time, checkpoint, &control, &mut watch);
        watch.progress.clear();
        Ok((solution.map_err(|error| self.explain(error))?, watch.unsaved))
    }

    /// Writes down what is known; what cannot be told on the line goes to stderr.
    fn write(&mut self, solution: &Solution) -> Result<(), CliError> {
        let line = if self.arguments.json { objects::solution(solution)? } else { text(solution) };
        print(&line)?;
        if solution.bounds.value().is_none() {
            super::print_error(&format_args!("{} is known", bounds_text(solution.bounds)));
        }
        match &solution.verified {
            None => {}
            Some(Verified::Holds { positions, time }) => super::print_error(&format_args!(
                "verified: the proof was walked through again, {positions} positions in {:.3} s",
                time.as_secs_f64()
            )),
            Some(Verified::Stopped) => super::print_error(&"stopped while the proof was verified"),
            Some(Verified::Fails(fen)) => {
                self.unsound += 1;
                super::print_error(&format_args!(
                    "the proof does not hold: no move keeps it at {fen}"
                ));
            }
        }
        Ok(())
    }

    fn explain(&self, error: SolveError) -> CliError {
        match error {
            SolveError::Position(source) => CliError::Position { game: self.game, source },
            SolveError::Checkpoint(source) => {
                let path = self.arguments.checkpoint.as_deref().unwrap_or(Path::new("-"));
                CliError::Checkpoint { path: path.display().to_string(), source }
            }
            SolveError::Memory(source) => CliError::Memory(source),
        }
    }
}

/// Tells how far a proof is, and saves it.
struct Watch<'a> {
    progress: ProgressLine,
    checkpoint: Option<&'a Path>,
    saved: Instant,
    /// How long to wait for the next time.
    pause: Duration,
    /// Why it failed the last time, if it did.
    unsaved: Option<String>,
}

impl SolveObserver for Watch<'_> {
    fn resumed(&mut self) {
        let Some(path) = self.checkpoint else { return };
        super::print_error(&format_args!(
            "goes on from {}; nodes are counted anew",
            path.display()
        ));
    }

    fn verifying(&mut self, positions: u64, time: Duration) {
        let seconds = time.as_secs();
        self.progress.update(|| format!("{seconds} s of the second look, {positions} positions"));
    }

    fn progress(&mut self, progress: &SolveProgress) {
        self.progress.update(|| progress_text(progress));
    }

    fn save(&mut self, is_end: bool, save: SaveCheckpoint<'_>) {
        let Some(path) = self.checkpoint else { return };
        if !is_end && self.saved.elapsed() < self.pause {
            return;
        }
        let began = Instant::now();
        let written = super::replace_file(path, |output| Ok(save(output)?));
        let failure = written.err().map(|error| error.to_string());
        // The work goes on, perhaps there is room again the next time.
        if let Some(reason) =
            failure.as_ref().filter(|reason| self.unsaved.as_ref() != Some(*reason))
        {
            self.progress.clear();
            super::print_error(&format_args!("the checkpoint could not be written: {reason}"));
        }
        self.unsaved = failure;
        // Saving shall not take more than a tenth of the time.
        self.pause = self.pause.max(9 * began.elapsed());
        self.saved = Instant::now();
    }
}

/// Writes a line at once, for whoever waits for it.
fn print(line: &str) -> Result<(), CliError> {
    let mut output = io::stdout().lock();
    Ok(writeln!(output, "{line}").and_then(|()| output.flush())?)
}

/// `win 3 b2 120 0.001 FEN`, with `-` for what is not known or makes no sense.
fn text(solution: &Solution) -> String {
    let Solution { fen, plies, best, nodes, time, .. } = solution;
    let value = value_text(solution);
    let plies = plies.map_or("-".to_owned(), |plies| plies.to_string());
    let best = best.as_deref().unwrap_or("-");
    format!("{value} {plies} {best} {nodes} {:.3} {fen}", time.as_secs_f64())
}

fn value_text(solution: &Solution) -> String {
    solution.bounds.value().map_or("unknown".to_owned(), |value| value.to_string())
}

fn bounds_text(bounds: ValueBounds) -> String {
    match (bounds.least, bounds.most) {
        (Value::Loss, Value::Win) => "nothing".to_owned(),
        (least, Value::Win) => format!("at least a {least}"),
        (Value::Loss, most) => format!("at most a {most}"),
        (value, _) => format!("a {value}"),
    }
}

pub(super) fn progress_text(progress: &SolveProgress) -> String {
    let SolveProgress { bounds, settled, moves, nodes, table_full, time } = progress;
    let (known, seconds, full) = (bounds_text(*bounds), time.as_secs(), table_full / 10);
    format!(
        "{seconds} s, {nodes} nodes: {known} is known, {settled} of {moves} moves settled, \
         table {full} % full"
    )
}
