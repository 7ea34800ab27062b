//! `zermelo datagen`: games against itself, as data for training the evaluation.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::CliError;
use super::ticker::Ticker;
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
    super::stop_at_signals(&control)?;
    let progress = Progress::new(file.samples());
    let threads = arguments.threads.into();
    let (games, tell) = (arguments.games, |file: &SampleFile| progress.tell(file, arguments.games));
    let file = match net {
        Some(net) => selfplay::fill(file, play, &net, games, threads, &control, &tell),
        None => selfplay::fill(file, play, &Sober::default(), games, threads, &control, &tell),
    };
    let file =
        file.map_err(|error| CliError::Failed(format!("{}: {error}", arguments.out.display())))?;
    progress.ticker.end();
    writeln!(io::stdout(), "{} games, {} positions", file.games(), file.samples())?;
    if file.games() < arguments.games {
        return Err(CliError::Failed("stopped before all games were played".to_owned()));
    }
    Ok(())
}

/// How far it is.
struct Progress {
    began: Instant,
    samples_before: u64,
    ticker: Ticker,
}

impl Progress {
    fn new(samples_before: u64) -> Self {
        const ELSEWHERE: Duration = Duration::from_secs(30);
        Self { began: Instant::now(), samples_before, ticker: Ticker::new(Some(ELSEWHERE)) }
    }

    fn tell(&self, file: &SampleFile, games: u64) {
        self.ticker.tell(|| {
            let fresh = file.samples() - self.samples_before;
            let rate = fresh as f64 / self.began.elapsed().as_secs_f64().max(1e-3);
            let (done, samples) = (file.games(), file.samples());
            format!("{done} of {games} games, {samples} positions, {rate:.0} a second")
        });
    }
}
