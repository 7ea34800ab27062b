//! Trains the evaluation of tixtax on the files of `zermelo datagen`.
//!
//! ```sh
//! cargo run --release --example train -- --data a.samples b.samples --out tixtax.eval
//! ```
//!
//! A killed training resumes with the same command.

mod adam;
mod data;
mod generator;
mod loss;
mod net;
mod random;
#[cfg(test)]
mod tests;
mod training;
mod weights;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use clap::Parser;
use zermelo::eval::EvalFile;

use crate::data::{Data, Targets};
use crate::loss::Loss;
use crate::training::{Schedule, Training};

/// Steps between reports.
const REPORT: u64 = 250;
/// Time between checkpoints.
const CHECKPOINT: Duration = Duration::from_secs(60);

/// Trains the evaluation of tixtax on the files of `zermelo datagen`
#[derive(Debug, Parser)]
struct Options {
    /// Sample files, all of one game
    #[arg(long, num_args = 1.., required = true, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Weights file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Weights file to start from
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    #[arg(long, default_value_t = 4.0)]
    epochs: f64,
    /// Positions of a step
    #[arg(long, default_value_t = 16_384)]
    batch: usize,
    /// Maximum learning rate
    #[arg(long, default_value_t = 3e-3)]
    rate: f64,
    /// Weight of results relative to scores, from 0 to 1
    #[arg(long, default_value_t = 0.75)]
    share: f32,
    /// Train on the labels that teacher.py wrote beside the samples
    #[arg(long)]
    labels: bool,
    /// Minimize this power of the error instead of the cross entropy
    #[arg(long)]
    power: Option<f32>,
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// All cores by default
    #[arg(long)]
    threads: Option<usize>,
}

fn main() -> ExitCode {
    match train(&Options::parse()) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Trains a network; returns its loss on the games held out, before and after.
fn train(options: &Options) -> Result<[f64; 2], String> {
    check(options)?;
    let start = options.start.as_deref().map(load).transpose()?;
    let targets = Targets { share: options.share, labels: options.labels };
    let data = Data::read(&options.data, targets)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.unwrap_or(cores);
    let mut training = Training::new(options.seed, threads, Loss { power: options.power });
    if let Some(file) = &start {
        let (layers, rows) = weights::read(file);
        training.start_from(layers, &rows);
    }
    let Options { epochs, batch, rate, share, labels, power, seed, .. } = options;
    let from = start.as_ref().map_or(0, |file| file.fingerprint);
    let settings = format!(
        "zermelo-training 1 data {:08x} start {from:08x} epochs {epochs} batch {batch} rate {rate} share {share} \
         labels {labels} power {power:?} seed {seed}\n",
        data.checksum
    );
    let state = state_of(&options.out);
    training.resume(&state, &settings)?;
    let mut schedule = Schedule::new(data.trained.len(), *batch, *epochs, *rate, *seed);
    let losses = run(&mut training, &mut schedule, &data, &|training| {
        let saved = training.save(&state, &settings);
        saved.map_err(|error| format!("cannot write {}: {error}", state.display()))
    })?;
    write(&training, &options.out)?;
    // It is complete.
    let _ = fs::remove_file(state);
    Ok(losses)
}

/// Checks the options that could otherwise fail late or silently.
fn check(options: &Options) -> Result<(), String> {
    let folder = options.out.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(format!("--out: {} is not a folder", folder.display()));
    }
    let is_positive = |name: &str, number: f64| {
        let fits = number > 0.0 && number.is_finite();
        if fits { Ok(()) } else { Err(format!("--{name} {number}: expected a positive number")) }
    };
    is_positive("epochs", options.epochs)?;
    is_positive("rate", options.rate)?;
    is_positive("batch", options.batch as f64)?;
    is_positive("threads", options.threads.unwrap_or(1) as f64)?;
    is_positive("power", options.power.unwrap_or(1.0).into())?;
    if (0.0..=1.0).contains(&options.share) {
        return Ok(());
    }
    Err(format!("--share {}: expected a number from 0 to 1", options.share))
}

fn load(path: &Path) -> Result<EvalFile, String> {
    EvalFile::load(path).map_err(|error| format!("--start {}: {error}", path.display()))
}

/// The file from which a training resumes.
fn state_of(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".state");
    name.into()
}

/// Trains to the end of the schedule, with a report now and then; returns the loss on the games held out, before
/// and after.
fn run(
    training: &mut Training,
    schedule: &mut Schedule,
    data: &Data,
    save: &dyn Fn(&mut Training) -> Result<(), String>,
) -> Result<[f64; 2], String> {
    let first = training.mean_loss(&data.held_out);
    println!("step {} of {}: loss on held-out games {first:.4}", training.done, schedule.steps);
    let (began, mut saved) = (Instant::now(), Instant::now());
    let (mut learned, mut recent, mut last) = (0, Vec::new(), first);
    while training.done < schedule.steps {
        let rate = schedule.rate(training.done);
        let batch = schedule.batch(training.done);
        learned += batch.len();
        recent.push(training.step(&data.trained, batch, rate));
        if training.done.is_multiple_of(REPORT) || training.done == schedule.steps {
            let mean = recent.iter().sum::<f64>() / recent.len() as f64;
            let speed = learned as f64 / began.elapsed().as_secs_f64();
            last = training.mean_loss(&data.held_out);
            println!(
                "step {} of {}: loss {mean:.4}, on held-out games {last:.4}, {speed:.0} positions a second",
                training.done, schedule.steps,
            );
            recent.clear();
        }
        if saved.elapsed() > CHECKPOINT {
            save(training)?;
            saved = Instant::now();
        }
    }
    Ok([first, last])
}

fn write(training: &Training, path: &Path) -> Result<(), String> {
    let (file, clipped) = weights::quantized(&training.layers, &training.rows);
    if clipped > 0 {
        println!("{clipped} weights are clipped");
    }
    let error = |error: &dyn std::fmt::Display| format!("cannot write {}: {error}", path.display());
    let bytes = file.to_bytes().map_err(|found| error(&found))?;
    fs::write(path, &bytes).map_err(|found| error(&found))?;
    println!("{}: {} bytes", path.display(), bytes.len());
    Ok(())
}

/// Waits for a thread and passes on its panic.
fn joined<T>(handle: ScopedJoinHandle<'_, T>) -> T {
    handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
