//! `zermelo datagen`: self-play games as training data for the evaluation.

use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::arena::games::game_choice::GameChoice;
use crate::cli::error::CliError;
use crate::cli::progress::ProgressLine;
use crate::cli::{file_error, io_failure, print_error, resolve_game};
use crate::eval::training_data::{TrainingDataError, TrainingFile};
use crate::eval::{EvalFile, Net};
use crate::printing::{plural, printable_path};
use crate::search::SearchControl;
use crate::thinking::selfplay::{SelfPlayRun, SelfPlaySettings, TrainedGame};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Arguments {
    /// File to append games to; an interrupted run resumes where it stopped
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Number of games; with --from-game, the number of the last game plus one
    #[arg(long, value_name = "N", required_unless_present = "merge", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// Number of the first game; lets several machines share a run
    #[arg(long = "from-game", alias = "first", value_name = "N", default_value_t = 0)]
    first: u64,

    /// Nodes to search per move
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Evaluation: "embedded" (the built-in network), "handcrafted" or a weights file
    #[arg(long, value_name = "WHAT", default_value = "embedded")]
    evaluation: String,

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Number of games to play at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Add the games of these files to --out instead of playing
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["games", "first", "nodes", "evaluation", "seed", "threads"])]
    merge: Vec<PathBuf>,
}

impl Arguments {
    /// The flags and paths of the files that the command writes.
    pub(super) fn output_files(&self) -> Vec<(&'static str, Option<&Path>)> {
        vec![("--out", Some(&self.out))]
    }
}

pub(super) fn run(game: Option<GameChoice>, arguments: &Arguments) -> Result<(), CliError> {
    let game = trained_game(game)?;
    let Some(end) = arguments.games else { return merge(arguments) };
    let numbers = arguments.first..end;
    if numbers.is_empty() {
        let first = numbers.start;
        let reason = format!(
            "--from-game {first} leaves no game to play, expected less than {end}, the value of --games"
        );
        return Err(CliError::Usage(reason));
    }
    let net = match arguments.evaluation.as_str() {
        "handcrafted" => None,
        "embedded" => Some((game.embedded_net)()?),
        path => {
            let path = Path::new(path);
            let file = EvalFile::load(path).map_err(|error| file_error(path, &error))?;
            Some(Net::new(&file)?)
        }
    };
    let settings = SelfPlaySettings { seed: arguments.seed, nodes: arguments.nodes };
    let description = game.description(&settings, net.as_ref());
    let file = TrainingFile::open(&arguments.out, &description).map_err(refused(&arguments.out))?;
    let control = Arc::new(SearchControl::default());
    crate::cli::stop_on_signals(&control)?;
    let progress = DatagenProgress::new(&file, numbers.clone());
    let run = SelfPlayRun {
        settings,
        net: net.as_ref(),
        games: numbers.clone(),
        threads: arguments.threads.into(),
        control: &control,
        progress: &|file| progress.update(file),
    };
    let file = (game.play)(file, &run);
    progress.line.finish();
    let failed = |error: &dyn std::fmt::Display| {
        CliError::Failed(format!("{}: {error}", printable_path(&arguments.out)))
    };
    let mut file = file.map_err(|error| failed(&error))?;
    file.finish().map_err(|error| failed(&error))?;
    let (games, samples) = file.count_games_and_positions(numbers.clone());
    writeln!(io::stdout(), "{}, {}", plural(games, "game"), plural(samples, "position"))?;
    if games < numbers.end - numbers.start {
        return Err(CliError::Failed("interrupted before all games were played".to_owned()));
    }
    Ok(())
}

/// The game of `--game`, which must have a network to train.
fn trained_game(flagged: Option<GameChoice>) -> Result<&'static TrainedGame, CliError> {
    let id = resolve_game(flagged, None)?.id;
    TrainedGame::ALL.iter().find(|game| game.id == id).ok_or_else(|| {
        let names: Vec<&str> = TrainedGame::ALL.iter().map(|game| game.id).collect();
        let reason = format!(
            "--game {id}: there is no network to train for it, expected {}",
            names.join(" or ")
        );
        CliError::Usage(reason)
    })
}

/// Adds the games of other files with the same settings to `--out`.
fn merge(arguments: &Arguments) -> Result<(), CliError> {
    let mut parts: Vec<TrainingFile> = Vec::new();
    for path in &arguments.merge {
        let Some(part) = TrainingFile::read(path).map_err(refused(path))? else {
            print_error(&format_args!("{} contains no complete game", printable_path(path)));
            continue;
        };
        if let Some(first) = parts.first().filter(|first| first.settings() != part.settings()) {
            let [found, wanted] = [&part, first].map(|part| part.settings().to_owned());
            return Err(refused(path)(TrainingDataError::SettingsMismatch { found, wanted }));
        }
        parts.push(part);
    }
    let Some(first) = parts.first() else {
        let reason = "--merge: the files contain no complete game, expected output of datagen";
        return Err(CliError::Usage(reason.to_owned()));
    };
    let out = &arguments.out;
    let mut file = TrainingFile::open(out, first.settings()).map_err(refused(out))?;
    file.add_all(&mut parts).map_err(|(path, source)| refused(&path)(source))?;
    file.finish().map_err(|error| refused(out)(error.into()))?;
    let (games, samples) = file.count_games_and_positions(0..u64::MAX);
    Ok(writeln!(io::stdout(), "{}, {}", plural(games, "game"), plural(samples, "position"))?)
}

fn refused(path: &Path) -> impl Fn(TrainingDataError) -> CliError + use<> {
    let path = path.to_owned();
    move |error| match error {
        TrainingDataError::Io(error) => io_failure(&path, &error),
        error => file_error(&path, &error),
    }
}

/// Reports the number of games and the speed.
struct DatagenProgress {
    began: Instant,
    numbers: Range<u64>,
    samples_before: u64,
    line: ProgressLine,
}

impl DatagenProgress {
    fn new(file: &TrainingFile, numbers: Range<u64>) -> Self {
        const LOG_INTERVAL: Duration = Duration::from_secs(30);
        let (_, samples_before) = file.count_games_and_positions(numbers.clone());
        let line = ProgressLine::new(Some(LOG_INTERVAL));
        Self { began: Instant::now(), numbers, samples_before, line }
    }

    fn update(&self, file: &TrainingFile) {
        self.line.update(|| {
            let (done, samples) = file.count_games_and_positions(self.numbers.clone());
            let (fresh, all) =
                (samples - self.samples_before, self.numbers.end - self.numbers.start);
            let rate = fresh as f64 / self.began.elapsed().as_secs_f64().max(1e-3);
            format!("{done} of {all} games, {samples} positions, {rate:.0} per second")
        });
    }
}
