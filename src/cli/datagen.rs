//! `zermelo datagen`: games against itself, as data for training the evaluation.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::CliError;
use crate::eval::samples::SampleFile;
use crate::eval::selfplay::{self, SelfPlay};
use crate::eval::{EvalFile, Net, Sober};
use crate::search::Control;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The file that games are added to; a run that was cut off goes on where it was
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// How many games the file shall hold
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// Positions to visit for each move
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// What judges positions: "embedded" (what comes with the program), "hand-set" (needs no
    /// training), or a weights file
    #[arg(long, value_name = "WHAT", default_value = "embedded")]
    evaluation: String,

    /// Where the random choices begin
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// How many games are played at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), CliError> {
    let net = match arguments.evaluation.as_str() {
        "hand-set" => None,
        "embedded" => Some(Net::embedded()),
        path => {
            let refuse = |source| CliError::Evaluation { path: path.to_owned(), source };
            Some(Net::new(&EvalFile::load(Path::new(path)).map_err(refuse)?))
        }
    };
    let play = SelfPlay { seed: arguments.seed, nodes: arguments.nodes };
    let refuse = |source| CliError::Samples { path: arguments.out.display().to_string(), source };
    let judge = net.as_ref().map(|net| format!("{:08x}", net.fingerprint()));
    let made_by = format!("{play} evaluation {}", judge.as_deref().unwrap_or("hand-set"));
    let file = SampleFile::open(&arguments.out, &made_by).map_err(refuse)?;
    let control = Arc::new(Control::new(false, false));
    let at_signal = Arc::clone(&control);
    ctrlc::set_handler(move || at_signal.stop())
        .map_err(|error| CliError::Failed(format!("no signals can be heard: {error}")))?;
    let progress = Progress::new(file.samples());
    let threads = arguments.threads.into();
    let (games, tell) = (arguments.games, |file: &SampleFile| progress.tell(file, arguments.games));
    let file = match net {
        Some(net) => selfplay::fill(file, play, &net, games, threads, &control, &tell),
        None => selfplay::fill(file, play, &Sober::default(), games, threads, &control, &tell),
    };
    let file =
        file.map_err(|error| CliError::Failed(format!("{}: {error}", arguments.out.display())))?;
    progress.end();
    writeln!(io::stdout(), "{} games, {} positions", file.games(), file.samples())?;
    if file.games() < arguments.games {
        return Err(CliError::Failed("stopped before all games were played".to_owned()));
    }
    Ok(())
}

/// Tells on stderr how far it is: a line that is written over on a terminal, a line every half
/// minute elsewhere.
struct Progress {
    began: Instant,
    samples_before: u64,
    next: AtomicU64,
    terminal: bool,
    line: Mutex<()>,
}

impl Progress {
    fn new(samples_before: u64) -> Self {
        let terminal = io::stderr().is_terminal();
        Self {
            began: Instant::now(),
            samples_before,
            next: AtomicU64::new(0),
            terminal,
            line: Mutex::new(()),
        }
    }

    fn tell(&self, file: &SampleFile, games: u64) {
        let pause =
            if self.terminal { Duration::from_millis(250) } else { Duration::from_secs(30) };
        let elapsed = self.began.elapsed();
        let now = elapsed.as_millis() as u64;
        if now < self.next.load(Ordering::Relaxed) {
            return;
        }
        self.next.store(now + pause.as_millis() as u64, Ordering::Relaxed);
        let fresh = file.samples() - self.samples_before;
        let rate = fresh as f64 / elapsed.as_secs_f64().max(1e-3);
        let text = format!(
            "{} of {games} games, {} positions, {rate:.0} a second",
            file.games(),
            file.samples()
        );
        let _guard = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = if self.terminal {
            write!(io::stderr(), "\r{text}\x1b[K")
        } else {
            writeln!(io::stderr(), "{text}")
        };
    }

    fn end(&self) {
        if self.terminal {
            let _ = writeln!(io::stderr());
        }
    }
}
