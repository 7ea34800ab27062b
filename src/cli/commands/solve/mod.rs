//! `zermelo solve`: exact values of positions, one line each.

mod certificate;
mod input;
mod json;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use self::input::PositionInput;
use crate::cli::error::CliError;
use crate::cli::progress::ProgressLine;
use crate::cli::terminal::print_heading;
use crate::files::LockFile;
use crate::printing::{plural, printable_path};
use crate::rules::Value;
use crate::search::SearchControl;
use crate::solve::{CheckpointEntries, CheckpointError, ValueBounds, Verification};
use crate::thinking::GameSpec;
use crate::thinking::solving::{
    Checkpoint, GameSolver, Solution, SolveError, SolveObserver, SolveProgress, SolverOptions,
};

/// Prove the exact values of positions: win, draw or loss for the side to move
///
/// Prints one line per position: VALUE PLIES MOVE NODES SECONDS FEN. VALUE is "unknown" if it was not
/// proven in time; PLIES and MOVE are "-" if unknown.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("source"), after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    /// Position to solve [default: the start of the game]
    #[arg(long, value_name = "FEN", group = "source")]
    fen: Option<String>,

    /// File of positions, one per line; - reads stdin
    #[arg(long, value_name = "FILE", group = "source")]
    file: Option<String>,

    /// Number of threads for each proof
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Total memory in MiB
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(64..=1 << 20))]
    memory: u64,

    /// Time limit for each position, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = crate::cli::parse_seconds)]
    time: Option<Duration>,

    /// Prove only whether the side to move wins, or at least draws
    #[arg(long, value_enum)]
    goal: Option<Goal>,

    /// Verify each proof: walk it again down to finished games, trusting only the rules (ignores --time)
    #[arg(long)]
    verify: bool,

    /// Save the proof to this file regularly and at the end, and resume from it if it exists
    ///
    /// One run at a time can use the file. A damaged file is refused by its checksum; a forged one
    /// with a valid checksum is trusted, and only --verify notices a wrong result.
    #[arg(long, value_name = "FILE", requires = "fen", conflicts_with = "file")]
    checkpoint: Option<PathBuf>,

    /// Seconds between saves
    #[arg(long, value_name = "SECONDS", default_value = "55", value_parser = crate::cli::parse_seconds, requires = "checkpoint")]
    checkpoint_every: Duration,

    /// Write a certificate of the proof to this file (ignores --time)
    ///
    /// A certificate can be checked by the rules alone, without this program: docs/certificates.md
    /// describes the format and a checker.
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    certificate: Option<PathBuf>,

    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,

    /// Do not search: print the position's children and their initial proof numbers as JSON, for
    /// programs that manage a proof tree themselves
    #[arg(long, conflicts_with_all = ["checkpoint", "certificate", "verify", "time"])]
    expand: bool,

    /// Report progress on stderr even if it is not a terminal
    #[arg(long)]
    progress: bool,
}

/// What to prove of the side to move.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Goal {
    /// It wins
    Win,
    /// It wins or draws
    Draw,
}

impl Goal {
    fn target(self) -> Value {
        match self {
            Self::Win => Value::Win,
            Self::Draw => Value::Draw,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  zermelo solve tictactoe
  zermelo solve nim --fen \"rrrrrrrr/8/8/8/8/8/8/bbbbbbbb b\"
  zermelo solve --file positions.txt --threads 2 --time 60 --json
  zermelo solve --fen \"FEN\" --memory 4096 --checkpoint proof.bin --verify";

impl Arguments {
    fn target(&self) -> Option<Value> {
        self.goal.map(Goal::target)
    }

    /// The files that the command writes.
    pub(super) fn output_files(&self) -> Vec<(&'static str, Option<&Path>)> {
        vec![
            ("--checkpoint", self.checkpoint.as_deref()),
            ("--certificate", self.certificate.as_deref()),
        ]
    }
}

pub(super) fn run(game: &GameSpec, arguments: &Arguments) -> Result<(), CliError> {
    let options = SolverOptions {
        mebibytes: usize::try_from(arguments.memory).unwrap_or(usize::MAX),
        threads: arguments.threads.into(),
        verify: arguments.verify,
        certificate: arguments.certificate.is_some(),
        target: arguments.target(),
    };
    let least = options.min_mebibytes();
    if !game.is_solved && options.mebibytes < least {
        let SolverOptions { mebibytes, threads, .. } = options;
        let reason = format!(
            "--memory {mebibytes} is too little for --threads {threads}, expected {least} or more"
        );
        return Err(CliError::Usage(reason));
    }
    let Arguments { fen, file, time, .. } = arguments;
    let has_source = fen.is_some() || file.is_some();
    if !has_source && !game.is_solved && time.is_none() {
        let reason = format!("a proof of {} from the start may never end", game.id);
        let expected = "name a position with --fen or --file, or limit the time with --time";
        return Err(CliError::Usage(format!("{reason}: {expected}")));
    }
    certificate::check_request(game, arguments)?;
    let _lock = match &arguments.checkpoint {
        Some(_) if game.is_solved => {
            let reason = format!("{}: it is solved instantly", game.id);
            return Err(CliError::Usage(format!("--checkpoint is not supported for {reason}")));
        }
        Some(path) => Some(lock_checkpoint(path)?),
        None => None,
    };
    let control = Arc::new(SearchControl::default());
    crate::cli::stop_on_signals(&control)?;
    let solver = game.solver(options)?;
    let mut run = SolveRun { game, solver, arguments, control, refused: 0, wrong_proofs: 0 };
    if !arguments.json && !arguments.expand {
        print_heading("VALUE PLIES MOVE NODES SECONDS FEN")?;
    }
    if let Some(path) = file {
        run.solve_lines(path)?;
    } else {
        run.solve_and_print(fen.as_deref().unwrap_or("startpos"))?;
    }
    match run {
        SolveRun { wrong_proofs: 1.., .. } => Err(CliError::Failed("a proof is wrong".to_owned())),
        SolveRun { refused: 0, .. } => Ok(()),
        SolveRun { refused, .. } => Err(CliError::Refused(refused)),
    }
}

/// Reserves a checkpoint for this run, so that two runs do not overwrite each other's work.
fn lock_checkpoint(path: &Path) -> Result<LockFile, CliError> {
    crate::cli::check_writable(path)?;
    let lock = LockFile::acquire(&crate::files::resolve_link(path));
    lock.map_err(|error| crate::cli::file_error(path, &error))?
        .ok_or_else(|| crate::cli::file_error(path, &"another run is using this checkpoint"))
}

/// One run of the command, over one or many positions.
struct SolveRun<'a> {
    game: &'a GameSpec,
    solver: Box<dyn GameSolver>,
    arguments: &'a Arguments,
    control: Arc<SearchControl>,
    /// The number of invalid lines.
    refused: usize,
    /// The number of proofs that the verification refuted.
    wrong_proofs: usize,
}

impl SolveRun<'_> {
    fn solve_lines(&mut self, path: &str) -> Result<(), CliError> {
        let refuse = |error: io::Error| crate::cli::file_error(Path::new(path), &error);
        let input = PositionInput::open(path).map_err(refuse)?;
        let mut number = 0;
        while let Some(line) = input.next(&self.control).map_err(refuse)? {
            number += 1;
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match self.solve_and_print(&line) {
                Err(CliError::Position { source, .. }) => {
                    crate::cli::print_error(&format_args!("line {number}: {source}"));
                    self.refused += 1;
                }
                result => result?,
            }
        }
        if self.control.is_stopped() {
            crate::cli::print_error(&format_args!("interrupted after line {number}"));
        }
        Ok(())
    }

    /// Solves or expands a position and prints the result.
    fn solve_and_print(&mut self, fen: &str) -> Result<(), CliError> {
        if self.arguments.expand {
            let expanded = self.solver.expand(fen);
            let expanded =
                expanded.map_err(|error| CliError::from_position(self.game.id, error))?;
            return print_line(&json::format_expansion(&expanded)?);
        }
        let (solution, save_error) = self.solve(fen)?;
        self.print_solution(&solution)?;
        if let Some(path) = &self.arguments.certificate {
            self.write_certificate(path, &solution)?;
        }
        match save_error {
            // An unfinished proof without a checkpoint cannot be resumed: that is a failure.
            Some(reason) if !solution.bounds.is_settled(self.arguments.target()) => {
                Err(CliError::Failed(reason))
            }
            _ => Ok(()),
        }
    }

    /// Returns the solution, and the error of the last checkpoint if it could not be written.
    fn solve(&mut self, fen: &str) -> Result<(Solution, Option<String>), CliError> {
        let arguments = self.arguments;
        let mut observer = CheckpointObserver {
            progress: ProgressLine::new(self.progress_interval()),
            checkpoint: arguments.checkpoint.as_deref(),
            save_error: None,
        };
        let mut checkpoint = arguments
            .checkpoint
            .clone()
            .map(|path| Checkpoint::new(path, arguments.checkpoint_every));
        let control = self.control.child();
        let solution =
            self.solver.solve(fen, arguments.time, checkpoint.as_mut(), &control, &mut observer);
        observer.progress.clear();
        Ok((solution.map_err(|error| self.to_cli_error(error))?, observer.save_error))
    }

    /// The time between progress reports where stderr is not a terminal.
    fn progress_interval(&self) -> Option<Duration> {
        self.arguments.progress.then_some(Duration::from_millis(900))
    }

    /// Prints the result, and remarks that have no place on the line to stderr.
    fn print_solution(&mut self, solution: &Solution) -> Result<(), CliError> {
        let line = match self.arguments.json {
            true => json::format_solution(solution)?,
            false => format_solution(solution),
        };
        print_line(&line)?;
        if solution.bounds.value().is_none() {
            crate::cli::print_error(&format_args!("{} proven", bounds_text(solution.bounds)));
        }
        match &solution.verification {
            None => {}
            Some(Verification::Confirmed { positions, .. }) => {
                crate::cli::print_error(&format_args!(
                    "proof verified, {} in {:.3} s",
                    plural(*positions, "position"),
                    solution.verification_time.as_secs_f64()
                ));
            }
            Some(Verification::Stopped) => crate::cli::print_error(&"verification interrupted"),
            Some(Verification::Refuted(fen)) => {
                self.wrong_proofs += 1;
                crate::cli::print_error(&format_args!(
                    "the proof is wrong: no move keeps the value at {fen}"
                ));
            }
        }
        Ok(())
    }

    fn to_cli_error(&self, error: SolveError) -> CliError {
        match error {
            SolveError::Position(error) => CliError::from_position(self.game.id, error),
            SolveError::Checkpoint(source) => {
                let path = self.arguments.checkpoint.as_deref().unwrap_or(Path::new("-"));
                match source {
                    CheckpointError::Io(error) => crate::cli::io_failure(path, &error),
                    source => crate::cli::file_error(path, &source),
                }
            }
            SolveError::Memory(source) => CliError::Memory(source),
        }
    }
}

/// Shows the progress, and why a checkpoint could not be saved.
struct CheckpointObserver<'a> {
    progress: ProgressLine,
    checkpoint: Option<&'a Path>,
    /// Why the last save failed, if it did.
    save_error: Option<String>,
}

impl SolveObserver for CheckpointObserver<'_> {
    fn resumed(&mut self, entries: CheckpointEntries) {
        let Some(path) = self.checkpoint else { return };
        let CheckpointEntries { saved, dropped } = entries;
        let path = printable_path(path);
        crate::cli::print_error(&format_args!("resuming from {path}; nodes are counted from 0"));
        if dropped > 0 {
            crate::cli::print_error(&format_args!("{dropped} of its {saved} entries do not fit"));
        }
    }

    fn progress(&mut self, progress: &SolveProgress) {
        self.progress.update(|| progress_text(progress));
    }

    fn verifying(&mut self, positions: u64, time: Duration) {
        let seconds = time.as_secs();
        self.progress.update(|| format!("verifying: {seconds} s, {positions} positions"));
    }

    fn saved(&mut self, result: io::Result<()>) {
        let path = self.checkpoint.map(printable_path);
        let reason = |error| format!("{}: {error}", path.unwrap_or_default());
        let error = result.err().map(reason);
        // The proof continues, since the next save may succeed. The same error is printed once.
        if error != self.save_error
            && let Some(reason) = &error
        {
            self.progress.clear();
            crate::cli::print_error(&format_args!("cannot write the checkpoint: {reason}"));
        }
        self.save_error = error;
    }
}

/// Prints a line and flushes, so that a program reading the output gets it at once.
fn print_line(line: &str) -> Result<(), CliError> {
    let mut output = io::stdout().lock();
    Ok(writeln!(output, "{line}").and_then(|()| output.flush())?)
}

/// Formats a solution as `win 3 b2 120 0.001 FEN`, with `-` for unknown fields.
fn format_solution(solution: &Solution) -> String {
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
    match (bounds.lower, bounds.upper) {
        (Value::Loss, Value::Win) => "nothing".to_owned(),
        (lower, Value::Win) => format!("at least a {lower}"),
        (Value::Loss, upper) => format!("at most a {upper}"),
        (value, _) => format!("a {value}"),
    }
}

/// Describes the progress of a proof in one line.
pub(super) fn progress_text(progress: &SolveProgress) -> String {
    let SolveProgress { bounds, solved_moves, moves, nodes, table_full, time, .. } = progress;
    let (bounds, seconds, full) = (bounds_text(*bounds), time.as_secs(), table_full / 10);
    format!(
        "{seconds} s, {nodes} nodes: {bounds} proven, {solved_moves} of {moves} moves solved, \
         table {full} % full"
    )
}
