//! Proofs, reviews, reasons and puzzles, and records of games.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::PathBuf;

use pyo3::prelude::*;
use zermelo::interact::review::review_lines;
use zermelo::language::Language;
use zermelo::records::{GameRecord, MoveRecord, Termination, read_damaged, result_text};
use zermelo::search::SearchControl;
use zermelo::teaching::annotate::review_record;
use zermelo::teaching::review::ReviewOptions;
use zermelo::thinking::puzzles::{self as generated, PuzzleSelection, PuzzleShortage};
use zermelo::thinking::registry::{self, find};
use zermelo::thinking::solving::SolverOptions;

use crate::board::Board;
use crate::results::{Review, Solution};
use crate::running::{check_threads, refuse, run, seconds};

/// Proves the value of a position, in any time or until `time` is over. `certificate` names a file for a proof that others can check.
///
/// >>> solve(Board("tictactoe")).value
/// 'draw'
#[pyfunction]
#[pyo3(signature = (board, *, time = None, threads = 1, memory = 256, certificate = None))]
pub(crate) fn solve(
    py: Python<'_>,
    board: PyRef<'_, Board>,
    time: Option<f64>,
    threads: usize,
    memory: usize,
    certificate: Option<PathBuf>,
) -> PyResult<Solution> {
    let time = time.map(|time| seconds("time", time)).transpose()?;
    let (entry, fen) = (board.facts.entry, board.played.fen());
    if certificate.is_some() && !entry.has_certificates {
        let games = registry::ids(|game| game.has_certificates).join(", ");
        return Err(refuse(format_args!(
            "{} has no certificates, expected one of: {games}",
            entry.id
        )));
    }
    let certified = certificate.is_some();
    let options = SolverOptions {
        mebibytes: memory,
        threads,
        verify: false,
        certificate: certified,
        target: None,
    };
    check_threads(threads)?;
    let least = options.min_mebibytes();
    if memory < least {
        return Err(refuse(format_args!("memory {memory}, expected at least {least} MiB")));
    }
    let certificate = certificate.map(File::create).transpose()?;
    drop(board);
    let control = SearchControl::default();
    run(py, &control, || {
        let mut solver = entry.solver(options).map_err(refuse)?;
        let solution = solver.solve(&fen, time, None, &control, &mut ()).map_err(refuse)?;
        if let Some(file) = certificate {
            let mut output = BufWriter::new(file);
            let mut watch = |_| control.is_stopped();
            solver.write_certificate(&solution, &mut output, &mut watch).map_err(refuse)?;
            output.flush()?;
        }
        Ok(Solution::new(solution))
    })?
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

/// A position in which exactly one move keeps the value. `line` begins with it, and every other move of it up to number `to_find` is the only
/// one as well.
#[pyclass(module = "zermelo", frozen, get_all)]
pub(crate) struct Puzzle {
    game: &'static str,
    fen: String,
    value: String,
    plies: Option<u16>,
    line: Vec<String>,
    /// How many moves of the line have to be found.
    to_find: usize,
    difficulty: u8,
}

impl Puzzle {
    fn new(game: &'static str, puzzle: generated::Puzzle) -> Self {
        let generated::Puzzle { fen, value, line, to_find, difficulty, .. } = puzzle;
        Self {
            game,
            fen,
            value: value.value().to_string(),
            plies: value.plies(),
            line,
            to_find,
            difficulty,
        }
    }
}

#[pymethods]
impl Puzzle {
    #[getter]
    fn solution(&self) -> Option<&str> {
        self.line.first().map(String::as_str)
    }

    fn board(&self, py: Python<'_>) -> PyResult<Board> {
        Board::open(py, self.game, Some(&self.fen))
    }

    fn __repr__(&self) -> String {
        format!("Puzzle({}, {} to find, {:?})", self.value, self.to_find, self.fen)
    }
}

/// Positions in which exactly one move keeps the value, of a difficulty from 1 to 5.
///
/// >>> puzzles("tictactoe", 1)[0].board().is_game_over()
/// False
#[pyfunction]
#[pyo3(signature = (game = "tixtax", count = 10, *, difficulty = None, seed = 0))]
pub(crate) fn puzzles(
    py: Python<'_>,
    game: &str,
    count: usize,
    difficulty: Option<u8>,
    seed: u64,
) -> PyResult<Vec<Puzzle>> {
    let entry = find(game).map_err(refuse)?;
    if let Some(wrong) = difficulty.filter(|level| !(1..=generated::MAX_DIFFICULTY).contains(level))
    {
        let max = generated::MAX_DIFFICULTY;
        return Err(refuse(format_args!("difficulty {wrong}, expected 1 to {max}")));
    }
    let mut generator = entry.puzzles(&PuzzleSelection { seed, difficulty });
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
            Ok(found.into_iter().map(|puzzle| Puzzle::new(entry.id, puzzle)).collect())
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
pub(crate) fn review(
    py: Python<'_>,
    game: Bound<'_, PyAny>,
    nodes: Option<u64>,
    time: Option<f64>,
    threads: usize,
    language: &str,
) -> PyResult<Review> {
    let language = read_language(language)?;
    let record = if let Ok(board) = game.cast::<Board>() {
        Record::of_board(&board.borrow(), ["", ""].map(str::to_owned))
    } else {
        game.cast::<Record>().map(|record| record.get().record.clone()).map_err(|_| {
            pyo3::exceptions::PyTypeError::new_err("expected a Board or a Record to review")
        })?
    };
    let time = time.map(|time| seconds("time", time)).transpose()?;
    let nodes = if time.is_none() { nodes.or(ReviewOptions::default().nodes) } else { nodes };
    let options = ReviewOptions { nodes, time, threads: threads.clamp(1, 1024) };
    let control = SearchControl::default();
    let review = run(py, &control, || review_record(&record, &options, &control, &mut |_, _| {}))?;
    let review = review.map_err(refuse)?;
    let names = record.players.each_ref().map(String::as_str);
    let text = review_lines(&review, names, Some(&options), language, usize::MAX).join("\n");
    Review::new(py, &review, text, language)
}

/// A recorded game. `str` gives the text that the program reads.
///
/// >>> Record(Board(), ("one", "two")).players
/// ('one', 'two')
#[pyclass(module = "zermelo", frozen)]
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
            game: board.facts.entry.id.to_owned(),
            players,
            fen: played.first_fen(),
            moves: moves.collect(),
            result,
            termination,
            ..GameRecord::default()
        }
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
        let (_, games) = read_damaged(BufReader::new(File::open(&path)?))?;
        let mut records = Vec::new();
        for (number, read) in games.into_iter().enumerate() {
            match (read.game, read.error) {
                (Some(record), None) => records.push(Self { record }),
                (_, error) => {
                    let (name, error) = (path.display(), error.unwrap_or_default());
                    return Err(refuse(format_args!("{name}: game {}: {error}", number + 1)));
                }
            }
        }
        Ok(records)
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

    fn __str__(&self) -> String {
        self.record.to_pgn()
    }

    fn __repr__(&self) -> String {
        let [first, second] = &self.record.players;
        let (game, moves) = (&self.record.game, self.record.moves.len());
        format!("Record({game:?}, {first:?} - {second:?}, {moves} moves, {})", self.result())
    }
}
