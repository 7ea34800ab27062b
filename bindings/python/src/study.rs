//! Proofs, reviews, reasons and puzzles, and records of games.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use zermelo::interact::review::review_lines;
use zermelo::language::Language;
use zermelo::records::{
    GameRecord, MoveRecord, ReadGame, Termination, read_damaged, read_damaged_file, result_text,
};
use zermelo::search::SearchControl;
use zermelo::teaching::annotate::review_record;
use zermelo::teaching::review::ReviewOptions;
use zermelo::thinking::puzzles::{MAX_DIFFICULTY, PuzzleSelection, PuzzleShortage};
use zermelo::thinking::registry::{self, find};
use zermelo::thinking::solving::SolverOptions;

use crate::board::Board;
use crate::results::{self, Created};
use crate::running::{
    maybe_within, read_seed, read_threads, refuse, refuse_file, run, seconds, within,
};

/// Proves the value of a position, in any time or until `time` is over. `certificate` names a file for a proof that others can check.
///
/// >>> solve(Board("tictactoe")).value
/// 'draw'
#[pyfunction]
#[pyo3(signature = (board, *, time = None, threads = 1, memory = 256, certificate = None))]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    board: PyRef<'_, Board>,
    time: Option<f64>,
    threads: i128,
    memory: i128,
    certificate: Option<PathBuf>,
) -> Created<'py> {
    let threads = read_threads(threads)?;
    let time = time.map(|time| seconds("time", time)).transpose()?;
    let (spec, fen) = (board.facts.spec, board.played.fen());
    if certificate.is_some() && !spec.has_certificates {
        let games = registry::ids(|game| game.has_certificates).join(", ");
        return Err(refuse(format_args!(
            "{} has no certificates, expected one of: {games}",
            spec.id
        )));
    }
    let certified = certificate.is_some();
    let options = SolverOptions {
        mebibytes: within("memory", memory, 0..)?,
        threads,
        verify: false,
        certificate: certified,
        target: None,
    };
    let least = options.min_mebibytes();
    if options.mebibytes < least {
        return Err(refuse(format_args!("memory {memory}, expected at least {least} MiB")));
    }
    let create_file =
        |path: PathBuf| File::create(&path).map_err(|error| refuse_file(&path, &error));
    let certificate = certificate.map(create_file).transpose()?;
    drop(board);
    let control = SearchControl::default();
    let solution = run(py, &control, || {
        let mut solver = spec.solver(options).map_err(refuse)?;
        let solution = solver.solve(&fen, time, None, &control, &mut ()).map_err(refuse)?;
        if let Some(file) = certificate {
            let mut output = BufWriter::new(file);
            let mut watch = |_| control.is_stopped();
            solver.write_certificate(&solution, &mut output, &mut watch).map_err(refuse)?;
            output.flush()?;
        }
        Ok::<_, PyErr>(solution)
    })??;
    results::solution(py, &solution)
}

/// The reasons for and against a move, as a sentence.
///
/// >>> reasons(Board("tictactoe", "xx1/oo1/3 x"), "c3")
/// 'wins the game'
#[pyfunction]
#[pyo3(signature = (board, r#move, *, language = "en"))]
pub(crate) fn reasons(board: PyRef<'_, Board>, r#move: &str, language: &str) -> PyResult<String> {
    let language = read_language(language)?;
    let reasons = board.played.share().reasons(r#move, None).map_err(refuse)?;
    Ok(language.reasons(&reasons))
}

fn read_language(code: &str) -> PyResult<Language> {
    Language::from_code(code).ok_or_else(|| {
        let codes: Vec<_> = Language::ALL.iter().map(|(_, language)| language.code()).collect();
        refuse(format_args!("unknown language {code:?}, expected one of: {}", codes.join(", ")))
    })
}

/// Positions in which exactly one move keeps the value, of a difficulty from 1 to 5.
///
/// >>> puzzles("tictactoe", 1)[0].board().is_game_over()
/// False
#[pyfunction]
#[pyo3(signature = (game = "tixtax", count = 10, *, difficulty = None, seed = 0))]
pub(crate) fn puzzles<'py>(
    py: Python<'py>,
    game: &str,
    count: i128,
    difficulty: Option<i128>,
    seed: i128,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let spec = find(game).map_err(refuse)?;
    let (count, seed) = (within("count", count, 0..)?, read_seed(seed)?);
    let difficulty = maybe_within("difficulty", difficulty, 1..=i128::from(MAX_DIFFICULTY))?;
    let mut generator = spec.puzzles(&PuzzleSelection { seed, difficulty });
    let control = SearchControl::default();
    let found = run(py, &control, || {
        let mut found = Vec::new();
        while found.len() < count {
            match generator.next(&control, &mut |_| {}) {
                Ok(puzzle) => found.push(puzzle),
                Err(shortage) => return (found, Some(shortage)),
            }
        }
        (found, None)
    })?;
    match found {
        (found, None | Some(PuzzleShortage::Exhausted)) => {
            found.iter().map(|puzzle| results::puzzle(py, spec.id, puzzle)).collect()
        }
        (found, Some(_)) => Err(refuse(format_args!(
            "found only {} of {count} puzzles of this difficulty",
            found.len()
        ))),
    }
}

/// Grades every move of a game, a Board or a Record: with a number of nodes for each position, or a time.
///
/// >>> board = Board("tictactoe")
/// >>> for move in ["a3", "b3"]:
/// ...     board.push(move)
/// >>> review(board).moves[1].mark
/// '??'
#[pyfunction]
#[pyo3(signature = (game, *, nodes = None, time = None, threads = 1, language = "en"))]
pub(crate) fn review<'py>(
    py: Python<'py>,
    game: Bound<'py, PyAny>,
    nodes: Option<i128>,
    time: Option<f64>,
    threads: i128,
    language: &str,
) -> Created<'py> {
    let (language, threads) = (read_language(language)?, read_threads(threads)?);
    if nodes.is_some() && time.is_some() {
        return Err(refuse("nodes and time, expected one of them"));
    }
    let record = if let Ok(board) = game.cast::<Board>() {
        Record::of_board(&board.borrow(), ["", ""].map(str::to_owned))
    } else {
        game.cast::<Record>().map(|record| record.get().record.clone()).map_err(|_| {
            pyo3::exceptions::PyTypeError::new_err("expected a Board or a Record to review")
        })?
    };
    let time = time.map(|time| seconds("time", time)).transpose()?;
    let nodes = maybe_within("nodes", nodes, 1..)?;
    let nodes = if time.is_none() { nodes.or(ReviewOptions::default().nodes) } else { nodes };
    let options = ReviewOptions { nodes, time, threads };
    let control = SearchControl::default();
    let review = run(py, &control, || review_record(&record, &options, &control, &mut |_, _| {}))?;
    let review = review.map_err(refuse)?;
    let names = record.players.each_ref().map(String::as_str);
    let text = review_lines(&review, names, Some(&options), language, usize::MAX).join("\n");
    results::game_review(py, &review, &text, language)
}

/// A recorded game. `str` gives the text that the program reads.
///
/// >>> Record(Board(), ("one", "two")).players
/// ('one', 'two')
#[pyclass(module = "zermelo", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct Record {
    record: GameRecord,
}

impl Record {
    fn of_board(board: &Board, players: [String; 2]) -> GameRecord {
        let played = &board.played;
        let moves = played.moves().into_iter().map(|mv| MoveRecord { mv, ..MoveRecord::default() });
        let result = played.outcome();
        let termination =
            if result.is_some() { Termination::Normal } else { Termination::Unterminated };
        GameRecord {
            number: 1,
            round: 1,
            pair: 1,
            game: board.facts.spec.id.to_owned(),
            players,
            fen: played.first_fen(),
            moves: moves.collect(),
            result,
            termination,
            ..GameRecord::default()
        }
    }

    /// The games of a text; an error names the first that is damaged.
    fn whole_games(games: Vec<ReadGame>) -> Result<Vec<Self>, String> {
        let whole = |(index, read): (usize, ReadGame)| match (read.game, read.error) {
            (Some(record), None) => Ok(Self { record }),
            (_, error) => Err(format!("game {}: {}", index + 1, error.unwrap_or_default())),
        };
        games.into_iter().enumerate().map(whole).collect()
    }
}

#[pymethods]
impl Record {
    /// Makes a record of the game on a board.
    #[new]
    #[pyo3(signature = (board, players = ("".to_owned(), "".to_owned())))]
    fn new(board: PyRef<'_, Board>, players: (String, String)) -> Self {
        Self { record: Self::of_board(&board, players.into()) }
    }

    /// Reads the games of a file, as the program writes them.
    #[staticmethod]
    fn read(path: PathBuf) -> PyResult<Vec<Self>> {
        let (_, games) = read_damaged_file(&path).map_err(|error| refuse_file(&path, &error))?;
        Self::whole_games(games)
            .map_err(|error| refuse(format_args!("{}: {error}", path.display())))
    }

    /// Reads the only game of a text, for `pickle`.
    #[classmethod]
    fn _parse(_class: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        let games = Self::whole_games(read_damaged(text.as_bytes())?.1).map_err(refuse)?;
        games.into_iter().next().ok_or_else(|| refuse("the text has no game"))
    }

    /// The id of the game.
    #[getter]
    fn game(&self) -> &str {
        &self.record.game
    }

    /// The names of the players.
    #[getter]
    fn players(&self) -> (&str, &str) {
        let [first, second] = &self.record.players;
        (first, second)
    }

    /// The start position, or `startpos`.
    #[getter]
    fn start_fen(&self) -> &str {
        &self.record.fen
    }

    /// The moves.
    #[getter]
    fn moves(&self) -> Vec<&str> {
        self.record.moves.iter().map(|mv| mv.mv.as_str()).collect()
    }

    /// `1-0`, `0-1`, `1/2-1/2`, or `*` for a game that does not count.
    #[getter]
    fn result(&self) -> &'static str {
        result_text(self.record.result)
    }

    /// How the game ended, in a word.
    #[getter]
    fn termination(&self) -> &'static str {
        self.record.termination.as_str()
    }

    /// The board after the last move.
    fn board(&self, py: Python<'_>) -> PyResult<Board> {
        let start =
            Some(self.record.fen.as_str()).filter(|fen| *fen != "startpos" && !fen.is_empty());
        let mut board = Board::open(py, &self.record.game, start)?;
        self.record.moves.iter().try_for_each(|mv| board.play(&mv.mv))?;
        Ok(board)
    }

    /// Game, players, start, moves, result and termination, as JSON has them.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let fields = PyDict::new(py);
        fields.set_item("game", self.game())?;
        fields.set_item("players", &self.record.players)?;
        fields.set_item("start_fen", self.start_fen())?;
        fields.set_item("moves", self.moves())?;
        fields.set_item("result", self.result())?;
        fields.set_item("termination", self.termination())?;
        Ok(fields)
    }

    fn __copy__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __deepcopy__<'py>(this: PyRef<'py, Self>, _memo: &Bound<'py, PyDict>) -> PyRef<'py, Self> {
        this
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((this.get_type().getattr("_parse")?, (this.get().__str__(),)))
    }

    fn __str__(&self) -> String {
        self.record.to_pgn()
    }

    fn __repr__(&self) -> String {
        let [first, second] = &self.record.players;
        let (game, moves) = (&self.record.game, self.record.moves.len());
        format!("Record({game:?}, {first:?} - {second:?}, {moves} moves, {})", self.result())
    }
}
