//! Training data: self-play games and the files they are kept in.

use std::path::PathBuf;

use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use zermelo::eval::training_data::{TrainingFile, TrainingSample};
use zermelo::rules::Record;
use zermelo::search::SearchControl;
use zermelo::thinking::registry::{GameVisitor, RegisteredGame, find};
use zermelo::thinking::selfplay::{SelfPlayRun, SelfPlaySettings, TrainedGame};

use crate::running::{refuse, run};
use crate::truth::{Truth, Values, as_number, check_plies};

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

/// Reads the positions of a file of self-play games, as arrays with a row for each: `stones` are 1 for the player to move, −1 for the
/// opponent and 0 elsewhere, with the axes small board and cell; `forced` is the small board to play on, −1 for any; `score` is that of the
/// search in hundredths, `result` that of the game, 1, 0 or −1, and `game` its number. With `exact_plies`, `value` is the exact value
/// where at most so many plies may be left, and NaN elsewhere.
#[pyfunction]
#[pyo3(signature = (path, *, exact_plies = 0))]
pub(crate) fn read_samples(
    py: Python<'_>,
    path: PathBuf,
    exact_plies: u32,
) -> PyResult<Bound<'_, PyDict>> {
    check_plies("exact_plies", exact_plies)?;
    let name = |error: &dyn std::fmt::Display| refuse(format_args!("{}: {error}", path.display()));
    let file = TrainingFile::read(&path).map_err(|error| name(&error))?;
    let (mut games, mut stones, mut forced) = (Vec::new(), Vec::new(), Vec::new());
    let (mut scores, mut results, mut fens) = (Vec::new(), Vec::new(), Vec::new());
    let mut game = None;
    if let Some(mut file) = file {
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
            results.push(result);
            if exact_plies > 0 {
                fens.push(fen_of(sample));
            }
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
    if exact_plies > 0 {
        let game = game.ok_or_else(|| name(&"its header names no game"))?;
        let control = SearchControl::default();
        let label = Label { fens: &fens, plies: exact_plies, control: &control };
        let values = run(py, &control, || game.visit(label))?.map_err(refuse)?;
        arrays.set_item("value", values.into_pyarray(py))?;
    }
    Ok(arrays)
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

/// Finds the exact values of late positions.
struct Label<'a> {
    fens: &'a [String],
    plies: u32,
    control: &'a SearchControl,
}

impl GameVisitor for Label<'_> {
    type Output = Values;

    fn visit<R: RegisteredGame>(self) -> Values {
        let mut truth = Truth::<R::Game, R::Oracle>::default();
        let value = |fen: &String| {
            let Ok(pos) = fen.parse::<R::Game>() else { return Ok(f32::NAN) };
            let value = truth.value(&Record::new(pos), self.plies, self.control)?;
            Ok(value.map_or(f32::NAN, as_number))
        };
        self.fens.iter().map(value).collect()
    }
}
