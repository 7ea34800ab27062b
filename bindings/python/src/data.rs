//! Training data: self-play games and the files they are kept in.

use std::path::{Path, PathBuf};

use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use zermelo::eval::training_data::{TrainingDataError, TrainingFile, TrainingSample};
use zermelo::games::TixTaxCount;
use zermelo::games::tixtax::{ClosedRule, CountRule, Rule, Ultimate};
use zermelo::rules::{Game, GameEncoding, Record};
use zermelo::search::{Score, SearchControl};
use zermelo::solve::Unsolved;
use zermelo::thinking::batch::{Truth, as_number, plane_shape};
use zermelo::thinking::registry::find;
use zermelo::thinking::selfplay::{SelfPlayRun, SelfPlaySettings, TrainedGame};

use crate::board::GameFacts;
use crate::running::{read_plies, read_seed, refuse, refuse_file, run, within};

/// Plays the engine against itself until the file holds `games` games, as training data. An existing file is continued; nodes and seed must be
/// the same. Each game begins with random moves, and only the positions after them are kept. Returns the number of games and of positions in the file.
#[pyfunction]
#[pyo3(signature = (path, games, *, game = "tixtax", nodes = 1000, seed = 0, threads = 1))]
pub(crate) fn selfplay(
    py: Python<'_>,
    path: PathBuf,
    games: i128,
    game: &str,
    nodes: i128,
    seed: i128,
    threads: i128,
) -> PyResult<(u64, u64)> {
    let Some(trained) = TrainedGame::ALL.iter().find(|trained| trained.id == game) else {
        let names: Vec<_> = TrainedGame::ALL.iter().map(|trained| trained.id).collect();
        return Err(refuse(format_args!(
            "{game} has no training data, expected {}",
            names.join(" or ")
        )));
    };
    let games = within("games", games, 0..)?;
    let settings = SelfPlaySettings { seed: read_seed(seed)?, nodes: within("nodes", nodes, 1..)? };
    let threads = within("threads", threads, 1..=256)?;
    let net = (trained.embedded_net)().map_err(refuse)?;
    let file = TrainingFile::open(&path, &trained.description(&settings, Some(&net)));
    let file = file.map_err(|error| name_file(&path, error))?;
    let control = SearchControl::default();
    let selfplay = SelfPlayRun {
        settings,
        net: Some(&net),
        games: 0..games,
        threads,
        control: &control,
        progress: &|_| {},
    };
    let mut file = run(py, &control, || (trained.play)(file, &selfplay))?.map_err(refuse)?;
    file.finish()?;
    Ok(file.count_games_and_positions(0..u64::MAX))
}

/// The number of positions that are read in some hundredths of a second.
const SAMPLES_AT_ONCE: usize = 1 << 17;

/// Reads the positions of a file of self-play games, as arrays with a row for each, from the point of view of the player to move.
///
/// - `game`: the number of the game, whose random opening is left out
/// - `stones`: 1 for the player to move, −1 for the opponent and 0 elsewhere, with the axes small board and cell
/// - `forced`: the small board to play on, −1 for any
/// - `score`: that of the search, in hundredths, and `expected`: the same as an expected result from 0 to 1
/// - `result`: how the game ended, 1, 0 or −1
/// - `planes`, with `planes=True`: the positions as `Board.planes` describes them
/// - `value`, with `exact_plies`: the exact value, 1, 0 or −1, of positions with at most that many plies left, and NaN for the others
#[pyfunction]
#[pyo3(signature = (path, *, planes = false, exact_plies = 0))]
pub(crate) fn read_samples(
    py: Python<'_>,
    path: PathBuf,
    planes: bool,
    exact_plies: i128,
) -> PyResult<Bound<'_, PyDict>> {
    let exact_plies = read_plies("exact_plies", exact_plies)?;
    let (mut games, mut stones, mut forced) = (Vec::new(), Vec::new(), Vec::new());
    let (mut scores, mut expected) = (Vec::new(), Vec::new());
    let (mut results, mut samples) = (Vec::new(), Vec::new());
    let mut game = None;
    if let Some(mut file) = TrainingFile::read(&path).map_err(|error| name_file(&path, error))? {
        if file.is_cut_off()? {
            return Err(refuse(format_args!(
                "{}: its last game is cut off: `selfplay` with the same settings removes it",
                path.display()
            )));
        }
        game = file.settings().split(' ').nth(1).and_then(|id| find(id).ok());
        let mut interrupted = Ok(());
        let visited = file.for_each_sample(&mut |number, sample, result| {
            if games.len() % SAMPLES_AT_ONCE == 0 && interrupted.is_ok() {
                interrupted = py.check_signals();
            }
            if interrupted.is_err() {
                return;
            }
            games.push(number as i64);
            for [own, other] in sample.cells() {
                let stone = |cell: u32| (own >> cell & 1) as i8 - (other >> cell & 1) as i8;
                stones.extend((0..9).map(stone));
            }
            forced.push(if sample.forced == 9 { -1 } else { sample.forced as i8 });
            scores.push(sample.points as i16);
            expected.push(Score::Estimate(sample.points).expected() as f32);
            results.push(result);
            if planes || exact_plies > 0 {
                samples.push(*sample);
            }
        });
        visited.map_err(|error| name_file(&path, error.into()))?;
        interrupted?;
    }
    let arrays = PyDict::new(py);
    let count = games.len();
    arrays.set_item("game", games.into_pyarray(py))?;
    arrays.set_item("stones", stones.into_pyarray(py).reshape([count, 9, 9])?)?;
    arrays.set_item("forced", forced.into_pyarray(py))?;
    arrays.set_item("score", scores.into_pyarray(py))?;
    arrays.set_item("expected", expected.into_pyarray(py))?;
    arrays.set_item("result", results.into_pyarray(py))?;
    if !planes && exact_plies == 0 {
        return Ok(arrays);
    }
    let no_game = || refuse(format_args!("{}: its header names no game", path.display()));
    let game = game.ok_or_else(no_game)?;
    let control = SearchControl::default();
    let study = if game.id == TixTaxCount::ID { study::<CountRule> } else { study::<ClosedRule> };
    let (drawn, values) =
        run(py, &control, || study(&samples, planes, exact_plies, &control))?.map_err(refuse)?;
    if planes {
        let shape = [&[count], &GameFacts::find(py, game.id)?.planes[..]].concat();
        arrays.set_item("planes", drawn.into_pyarray(py).reshape(shape)?)?;
    }
    if exact_plies > 0 {
        arrays.set_item("value", values.into_pyarray(py))?;
    }
    Ok(arrays)
}

/// An error of a file as an exception that names it.
fn name_file(path: &Path, error: TrainingDataError) -> PyErr {
    match error {
        TrainingDataError::Open(error) | TrainingDataError::Io(error) => refuse_file(path, &error),
        TrainingDataError::SettingsMismatch { found, wanted } => refuse(format_args!(
            "{}: its games were played with other settings, expected those or another file (there: {found}; now: {wanted})",
            path.display()
        )),
        error => refuse(format_args!("{}: {error}", path.display())),
    }
}

/// The planes of positions and the values of the late ones, if there is a number of plies.
fn study<R: Rule>(
    samples: &[TrainingSample],
    draws: bool,
    exact_plies: u32,
    control: &SearchControl,
) -> Result<(Vec<f32>, Vec<f32>), String> {
    let mut truth = Truth::<Ultimate<R>, Unsolved>::default();
    let size = plane_shape::<Ultimate<R>>().iter().product::<usize>() * Ultimate::<R>::PLANES;
    let (mut planes, mut values) = (Vec::new(), Vec::new());
    for sample in samples {
        let pos = sample.position::<R>().map_err(|error| error.to_string())?;
        if draws {
            let start = planes.len();
            planes.resize(start + size, 0.0);
            pos.write_planes(&mut planes[start..]);
        }
        if exact_plies > 0 {
            let value = truth.value(&Record::new(pos), exact_plies, control);
            let value = value.map_err(|error| error.to_string())?;
            values.push(value.map_or(f32::NAN, as_number));
        }
    }
    Ok((planes, values))
}
