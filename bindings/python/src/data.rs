//! Training data: self-play games and the files they are kept in.

use std::path::{Path, PathBuf};

use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use zermelo::eval::training_data::{TrainingDataError, TrainingFile, TrainingSample};
use zermelo::rules::{Game, Record};
use zermelo::search::{Score, SearchControl};
use zermelo::thinking::registry::{GameVisitor, RegisteredGame, find};
use zermelo::thinking::selfplay::{SelfPlayRun, SelfPlaySettings, TrainedGame};

use crate::board::GameFacts;
use crate::played::plane_shape;
use crate::running::{refuse, run};
use crate::truth::{Truth, as_number, check_plies};

/// Plays games of the engine with itself, for training, until a file has so many; a file that exists is continued, with the same nodes and
/// seed. Each game begins with random moves, and only the positions after them are kept. Returns the numbers of games and positions in the file.
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
    Ok(file.count_games_and_positions(0..games))
}

/// Reads the positions of a file of self-play games, as arrays with a row for each. All are from the view of the player to move.
///
/// - `game`: the number of the game, whose random opening is left out
/// - `stones`: 1 for the player to move, −1 for the opponent and 0 elsewhere, with the axes small board and cell
/// - `forced`: the small board to play on, −1 for any
/// - `score`: that of the search, in hundredths, and `expected`: the same as an expected result from 0 to 1
/// - `result`: how the game ended, 1, 0 or −1
/// - `planes`, with `planes=True`: the positions as `Board.planes` describes them
/// - `value`, with `exact_plies`: the exact value where at most so many plies may be left, 1, 0 or −1, and NaN elsewhere
#[pyfunction]
#[pyo3(signature = (path, *, planes = false, exact_plies = 0))]
pub(crate) fn read_samples(
    py: Python<'_>,
    path: PathBuf,
    planes: bool,
    exact_plies: u32,
) -> PyResult<Bound<'_, PyDict>> {
    check_plies("exact_plies", exact_plies)?;
    let (mut games, mut stones, mut forced) = (Vec::new(), Vec::new(), Vec::new());
    let (mut scores, mut expected) = (Vec::new(), Vec::new());
    let (mut results, mut fens) = (Vec::new(), Vec::new());
    let mut game = None;
    if let Some(mut file) = TrainingFile::read(&path).map_err(|error| name_file(&path, error))? {
        game = file.settings().split(' ').nth(1).and_then(|id| find(id).ok());
        let visited = file.for_each_sample(&mut |number, sample, result| {
            games.push(number as i64);
            for code in sample.boards {
                // Digits to base 3: 1 for the side to move, 2 for the opponent.
                let digits = (0..9).map(|place| code / 3_u16.pow(place) % 3);
                stones.extend(digits.map(|digit| if digit == 2 { -1 } else { digit as i8 }));
            }
            forced.push(if sample.forced == 9 { -1 } else { sample.forced as i8 });
            scores.push(sample.points as i16);
            expected.push(Score::Estimate(sample.points).expected() as f32);
            results.push(result);
            if planes || exact_plies > 0 {
                fens.push(fen_of(sample));
            }
        });
        visited.map_err(|error| name_file(&path, error.into()))?;
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
    let study = Study { fens: &fens, planes, plies: exact_plies, control: &control };
    let (drawn, values) = run(py, &control, || game.visit(study))?.map_err(refuse)?;
    if planes {
        let shape = [&[count], &GameFacts::find(py, game.id)?.facts.planes[..]].concat();
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
        TrainingDataError::Open(error) | TrainingDataError::Io(error)
            if error.raw_os_error().is_some() =>
        {
            PyOSError::new_err((error.raw_os_error(), error.to_string(), path.to_owned()))
        }
        TrainingDataError::SettingsMismatch { found, wanted } => refuse(format_args!(
            "{}: its games were played with other settings, expected those or another file (there: {found}; now: {wanted})",
            path.display()
        )),
        error => refuse(format_args!("{}: {error}", path.display())),
    }
}

/// The FEN of a sample. The last move, which decides where to play, is one that can have been it.
fn fen_of(sample: &TrainingSample) -> String {
    let digit = |board: usize, cell: usize| sample.boards[board] / 3_u16.pow(cell as u32) % 3;
    // An even number of stones: the first player is to move.
    let letters = if sample.stones % 2 == 0 { [".", "x", "o"] } else { [".", "o", "x"] };
    let mut fen = String::new();
    let mut last = "-".to_owned();
    for row in 0..9 {
        let mut empty = 0;
        for column in 0..9 {
            let (board, cell) = (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3);
            let stone = digit(board, cell);
            if stone == 2 && cell == usize::from(sample.forced) {
                last = format!("{}{}", char::from(b'a' + column as u8), 9 - row);
            }
            if stone == 0 {
                empty += 1;
                continue;
            }
            if empty > 0 {
                fen += &empty.to_string();
                empty = 0;
            }
            fen += letters[usize::from(stone)];
        }
        if empty > 0 {
            fen += &empty.to_string();
        }
        fen += if row < 8 { "/" } else { " " };
    }
    let number = sample.stones / 2 + 1;
    format!("{fen}{} {number} {last}", if sample.stones % 2 == 0 { "x" } else { "o" })
}

/// Draws positions and finds the values of the late ones.
struct Study<'a> {
    fens: &'a [String],
    planes: bool,
    plies: u32,
    control: &'a SearchControl,
}

impl GameVisitor for Study<'_> {
    /// The planes and the values.
    type Output = Result<(Vec<f32>, Vec<f32>), String>;

    fn visit<R: RegisteredGame>(self) -> Self::Output {
        let mut truth = Truth::<R::Game, R::Oracle>::default();
        let size = plane_shape::<R::Game>().iter().product::<usize>() * R::Game::PLANES;
        let mut planes = Vec::new();
        let mut values = Vec::new();
        for fen in self.fens {
            let pos: R::Game = fen.parse().map_err(|error| format!("{fen}: {error}"))?;
            if self.planes {
                let start = planes.len();
                planes.resize(start + size, 0.0);
                pos.write_planes(&mut planes[start..]);
            }
            if self.plies > 0 {
                let value = truth.value(&Record::new(pos), self.plies, self.control);
                let value = value.map_err(|error| error.to_string())?;
                values.push(value.map_or(f32::NAN, as_number));
            }
        }
        Ok((planes, values))
    }
}
