//! Training data: self-play games and the files they are kept in.

use std::path::PathBuf;

use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use zermelo::eval::training_data::TrainingFile;
use zermelo::search::SearchControl;
use zermelo::thinking::selfplay::{SelfPlayRun, SelfPlaySettings, TrainedGame};

use crate::running::{refuse, run};

/// Plays games of the engine with itself, for training, and appends them to a file. Returns the numbers of
/// games and positions in it.
#[pyfunction]
#[pyo3(signature = (path, games, *, game = "tixtax", nodes = 1000, seed = 0, threads = 1))]
pub(crate) fn selfplay(
    py: Python<'_>,
    path: PathBuf,
    games: u64,
    game: &str,
    nodes: u64,
    seed: u64,
    threads: usize,
) -> PyResult<(u64, u64)> {
    let Some(trained) = TrainedGame::ALL.iter().find(|trained| trained.id == game) else {
        let names: Vec<_> = TrainedGame::ALL.iter().map(|trained| trained.id).collect();
        return Err(refuse(format_args!(
            "{game} has no training data, expected {}",
            names.join(" or ")
        )));
    };
    if nodes == 0 || !(1..=256).contains(&threads) {
        return Err(refuse("expected at least 1 node, and 1 to 256 threads"));
    }
    let net = (trained.embedded_net)().map_err(refuse)?;
    let settings = SelfPlaySettings { seed, nodes };
    let file = TrainingFile::open(&path, &trained.description(&settings, Some(&net)));
    let file = file.map_err(|error| refuse(format_args!("{}: {error}", path.display())))?;
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
    Ok(file.count_games_and_positions(0..games))
}

/// Reads the positions of a file of self-play games, as arrays with a row for each.
#[pyfunction]
pub(crate) fn read_samples(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyDict>> {
    let name = |error: &dyn std::fmt::Display| refuse(format_args!("{}: {error}", path.display()));
    let file = TrainingFile::read(&path).map_err(|error| name(&error))?;
    let (mut games, mut stones, mut forced) = (Vec::new(), Vec::new(), Vec::new());
    let (mut scores, mut results) = (Vec::new(), Vec::new());
    if let Some(mut file) = file {
        let visited = file.for_each_sample(&mut |number, sample, result| {
            games.push(number as i64);
            for code in sample.boards {
                // Digits to base 3: 1 for the side to move, 2 for the opponent.
                let digits = (0..9).map(|place| code / 3_u16.pow(place) % 3);
                stones.extend(digits.map(|digit| if digit == 2 { -1 } else { digit as i8 }));
            }
            forced.push(if sample.forced == 9 { -1 } else { sample.forced as i8 });
            scores.push(sample.points as i16);
            results.push(result);
        });
        visited.map_err(|error| name(&error))?;
    }
    let arrays = PyDict::new(py);
    let count = games.len();
    arrays.set_item("game", games.into_pyarray(py))?;
    arrays.set_item("stones", stones.into_pyarray(py).reshape([count, 9, 9])?)?;
    arrays.set_item("forced", forced.into_pyarray(py))?;
    arrays.set_item("score", scores.into_pyarray(py))?;
    arrays.set_item("result", PyArray1::from_vec(py, results))?;
    Ok(arrays)
}
