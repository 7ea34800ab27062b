//! [`Board`]: a game in progress.

use std::collections::HashMap;
use std::ops::Deref;

use numpy::{IntoPyArray, PyArray2, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString};
use zermelo::analysis::{BoardSvg, HeatMap};
use zermelo::browser::without_variables;
use zermelo::language::Language;
use zermelo::records::result_text;
use zermelo::rules::{self, StartPosition, random::mix64};
use zermelo::search::SearchControl;
use zermelo::thinking::batch::ActionSpace;
use zermelo::thinking::registry::{self, find};
use zermelo::thinking::{AnyGame, GameSpec};

use crate::results::{Created, DrawnLine, create};
use crate::running::{maybe_within, read_seed, refuse, run, within};

/// What all positions of a game have in common, with the names of its moves as texts of Python.
pub(crate) struct GameFacts {
    pub(crate) spec: &'static GameSpec,
    space: ActionSpace,
    names: Vec<Option<Py<PyString>>>,
}

impl Deref for GameFacts {
    type Target = ActionSpace;

    fn deref(&self) -> &ActionSpace {
        &self.space
    }
}

impl GameFacts {
    /// Finds a game by its name.
    pub(crate) fn find(py: Python<'_>, game: &str) -> PyResult<&'static Self> {
        static FACTS: PyOnceLock<HashMap<&str, GameFacts>> = PyOnceLock::new();
        let spec = find(game).map_err(refuse)?;
        let all = FACTS.get_or_init(py, || {
            let facts = |spec: &'static GameSpec| {
                let space = spec.action_space();
                let name = |name: &Option<String>| {
                    name.as_ref().map(|name| PyString::intern(py, name).unbind())
                };
                let names = space.actions.iter().map(name).collect();
                (spec.id, Self { spec, space, names })
            };
            registry::games().iter().map(facts).collect()
        });
        Ok(&all[spec.id])
    }
}

/// The greatest depth of a count: no line of a game without repetitions is longer.
const MAX_PERFT_DEPTH: i128 = 100;

/// How many random games may be shorter than asked for.
const MAX_RANDOM_GAMES: u64 = 1000;

type Drawing = (f32, f32, Vec<(f32, f32, f32, f32, bool)>, Vec<(f32, f32, f32, char, bool)>);

/// A position of a game and the moves that led to it.
///
/// >>> board = Board("tictactoe")
/// >>> board.push("b2")
/// >>> board
/// Board("tictactoe", "3/1x1/3 o")
#[pyclass(module = "zermelo", subclass)]
pub(crate) struct Board {
    pub(crate) facts: &'static GameFacts,
    pub(crate) played: Box<dyn AnyGame>,
}

impl Board {
    pub(crate) fn open(py: Python<'_>, game: &str, fen: Option<&str>) -> PyResult<Self> {
        let facts = GameFacts::find(py, game)?;
        let mut played = facts.spec.open();
        if let Some(fen) = fen {
            played.set_position(&StartPosition::Fen(fen), &[]).map_err(refuse)?;
        }
        Ok(Self { facts, played })
    }

    pub(crate) fn set_up(&self, game: &mut dyn AnyGame) -> PyResult<()> {
        let moves = self.played.moves();
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        game.set_position(&StartPosition::Fen(&self.played.first_fen()), &moves).map_err(refuse)?;
        Ok(())
    }

    pub(crate) fn play(&mut self, mv: &str) -> PyResult<()> {
        self.played.play_moves(&[mv]).map_err(refuse)
    }
}

#[pymethods]
impl Board {
    /// Opens a game at its start position or at a FEN.
    #[new]
    #[pyo3(signature = (game = "tixtax", fen = None))]
    fn new(py: Python<'_>, game: &str, fen: Option<&str>) -> PyResult<Self> {
        Self::open(py, game, fen)
    }

    /// Opens a position.
    ///
    /// >>> Board.from_fen("xo1/1x1/3 o", "tictactoe").legal_moves
    /// ['c3', 'a2', 'c2', 'a1', 'b1', 'c1']
    #[staticmethod]
    #[pyo3(signature = (fen, game = "tixtax"))]
    fn from_fen(py: Python<'_>, fen: &str, game: &str) -> PyResult<Self> {
        Self::open(py, game, Some(fen))
    }

    /// Plays random moves from the start: `plies` of them, or as many as openings of the game usually have.
    ///
    /// Raises ValueError if random games are practically never that long.
    ///
    /// >>> Board.random("tictactoe", seed=1, plies=4).ply
    /// 4
    #[staticmethod]
    #[pyo3(signature = (game = "tixtax", *, seed, plies = None))]
    fn random(py: Python<'_>, game: &str, seed: i128, plies: Option<i128>) -> PyResult<Self> {
        let (seed, plies) = (read_seed(seed)?, maybe_within("plies", plies, 0..)?);
        let mut board = Self::open(py, game, None)?;
        for attempt in 0..MAX_RANDOM_GAMES {
            board.played.set_random_game(seed ^ mix64(attempt), plies);
            if plies.is_none_or(|plies| board.played.plies() == plies as usize) {
                return Ok(board);
            }
        }
        let plies = plies.unwrap_or_default();
        Err(refuse(format_args!(
            "plies {plies}: {MAX_RANDOM_GAMES} random games were over by then, expected fewer"
        )))
    }

    /// The id of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.facts.spec.id
    }

    /// The player to move, 0 or 1; in a finished game the one that would be to move.
    #[getter]
    fn turn(&self) -> usize {
        self.played.side().index()
    }

    /// The number of moves in `move_stack`.
    #[getter]
    fn ply(&self) -> usize {
        self.played.plies()
    }

    /// The moves played since the start position.
    #[getter]
    fn move_stack(&self) -> Vec<String> {
        self.played.moves()
    }

    /// The position before the first move of `move_stack`.
    #[getter]
    fn start_fen(&self) -> String {
        self.played.first_fen()
    }

    /// The legal moves; empty if the game is over.
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut names = Vec::with_capacity(16);
        self.played.for_each_legal_action(&mut |action| {
            names.extend(self.facts.names[action].as_ref().map(|name| name.bind(py)));
        });
        PyList::new(py, names)
    }

    /// The legal moves as actions, in the order of `legal_moves`.
    #[getter]
    fn legal_actions(&self) -> Vec<usize> {
        let mut actions = Vec::with_capacity(16);
        self.played.for_each_legal_action(&mut |action| actions.push(action));
        actions
    }

    /// An upper bound of the plies to the end of the game; None if there is none.
    #[getter]
    fn max_plies_left(&self) -> Option<u32> {
        self.played.max_plies_left()
    }

    /// Whether a text is a legal move.
    fn is_legal(&self, r#move: &str) -> bool {
        self.played.is_legal(r#move)
    }

    /// Plays a move.
    ///
    /// Raises ValueError if it is illegal; the board is then unchanged.
    ///
    /// >>> board = Board()
    /// >>> board.push("e5")
    /// >>> board.push("a9")
    /// Traceback (most recent call last):
    /// ValueError: illegal move "a9": the mover was sent to the centre board; legal here: d4 d5 d6 e4 e6 f4 f5 f6
    fn push(&mut self, r#move: &str) -> PyResult<()> {
        self.play(r#move)
    }

    /// Plays a move given as an action.
    fn push_action(&mut self, action: i64) -> PyResult<()> {
        let mv = self.action_name(action)?.to_owned();
        self.play(&mv)
    }

    /// Takes back the last move and returns it.
    ///
    /// Raises IndexError if there is none.
    fn pop(&mut self) -> PyResult<String> {
        self.played
            .take_back()
            .ok_or_else(|| PyIndexError::new_err("no move was played since the start position"))
    }

    /// The last move.
    ///
    /// Raises IndexError if there is none.
    fn peek(&self) -> PyResult<String> {
        self.played
            .moves()
            .pop()
            .ok_or_else(|| PyIndexError::new_err("no move was played since the start position"))
    }

    /// The move that a person has typed, perhaps abbreviated, in the notation of the game. It need not be legal.
    ///
    /// >>> board = Board()
    /// >>> board.push("e5")
    /// >>> board.parse("7")
    /// 'd4'
    fn parse(&self, text: &str) -> PyResult<String> {
        self.played.normalize_user_move(text).map_err(refuse)
    }

    /// The number of a move, legal or not: in ultimate tic-tac-toe 9 · small board + cell, both from 0 and row by row from the top left.
    ///
    /// >>> Board().action("e5")
    /// 40
    fn action(&self, r#move: &str) -> PyResult<usize> {
        self.played.action(r#move).map_err(refuse)
    }

    /// The move with this number.
    fn action_name(&self, action: i64) -> PyResult<&str> {
        let actions = &self.facts.actions;
        let name = usize::try_from(action).ok().and_then(|action| actions.get(action)?.as_deref());
        name.ok_or_else(|| {
            let (count, game) = (actions.len(), self.facts.spec.id);
            refuse(format_args!(
                "{action} is not an action of {game}, expected a move below {count}"
            ))
        })
    }

    /// A number for dictionaries, which boards with the same position share, and others practically never: of 64 bits.
    fn key(&self) -> u64 {
        self.played.key()
    }

    /// How the game ended; None while it is in progress.
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(outcome) = self.played.outcome() else { return Ok(None) };
        let winner = match outcome {
            rules::Outcome::Win(side) => Some(side.index()),
            rules::Outcome::Draw => None,
        };
        let outcome: Created<'_> = create!(py, "Outcome" {
            "winner": winner,
            "result": result_text(Some(outcome)),
            "count": self.played.final_count(),
        });
        outcome.map(Some)
    }

    /// Whether the game is over.
    fn is_game_over(&self) -> bool {
        self.played.outcome().is_some()
    }

    /// The position as a FEN.
    fn fen(&self) -> String {
        self.played.fen()
    }

    /// The board as text.
    fn ascii(&self) -> String {
        self.played.diagram()
    }

    /// A board of its own with the same position and moves.
    fn copy(&self) -> Self {
        Self { facts: self.facts, played: self.played.share() }
    }

    /// A board at the image of the position under a symmetry of the game, from 0, the identity, to below `len(action_symmetries(game))`.
    fn image(&self, symmetry: i128) -> PyResult<Self> {
        let last = self.facts.action_images.len() - 1;
        let symmetry = within("symmetry", symmetry, 0..=last as i128)?;
        Ok(Self { facts: self.facts, played: self.played.image(symmetry) })
    }

    /// The position for a network, as planes of zeros and ones: the pieces of the player to move and of the opponent; in ultimate
    /// tic-tac-toe also the small boards that each has won and those that may be played on, with the axes plane, small board,
    /// cell (`grid` turns them into pictures).
    ///
    /// >>> Board("tixtax").planes().shape
    /// (5, 9, 9)
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let shape = &self.facts.planes;
        let mut planes = vec![0.0; shape.iter().product()];
        self.played.write_planes(&mut planes);
        planes.into_pyarray(py).reshape(shape.clone())
    }

    /// The number of lines of `depth` moves.
    ///
    /// >>> Board().perft(3)
    /// 6336
    fn perft(&self, py: Python<'_>, depth: i128) -> PyResult<u64> {
        let depth = within("depth", depth, 0..=MAX_PERFT_DEPTH)?;
        let game = self.played.share();
        let control = &SearchControl::default();
        let count = run(py, control, move || {
            game.perft(depth, 1, rules::Notation::Own, control.stop_flag())
        })?;
        Ok(count.unwrap_or_default().iter().map(|(_, leaves)| leaves).sum())
    }

    /// The board as an SVG image, with the values of the moves of `lines` and an arrow for the first, as `Engine.analyse` returns them.
    #[pyo3(signature = (lines = None))]
    fn svg(&self, lines: Option<Vec<DrawnLine>>) -> PyResult<String> {
        let game = &self.played;
        let layout =
            game.layout().ok_or_else(|| refuse("this game has no board that can be drawn"))?;
        let (shown, labels) = (game.spot_contents(), game.extra_labels());
        let legal = game.legal_moves(rules::Notation::Own);
        let rating = |line: &DrawnLine| line.moves.first().map(|mv| (mv.clone(), line.as_score()));
        let lines = lines.unwrap_or_default();
        let ratings: Vec<_> =
            lines.iter().filter_map(rating).filter(|(mv, _)| legal.contains(mv)).collect();
        let heat = HeatMap::new(&layout, &ratings);
        let board = BoardSvg { layout: &layout, shown: &shown, labels: &labels, heat: Some(&heat) };
        Ok(without_variables(&board.svg(Language::default())))
    }

    /// What a picture in pixels needs: the size of the board, its lines as x, y, x, y and whether they are heavy, and its
    /// squares as x, y, size, piece and whether it is highlighted.
    fn _drawing(&self) -> Option<Drawing> {
        let layout = self.played.layout()?;
        let lines = layout.strokes.iter();
        let lines =
            lines.map(|line| (line.from[0], line.from[1], line.to[0], line.to[1], line.heavy));
        let squares = layout.spots.iter().zip(self.played.spot_contents());
        let squares =
            squares.map(|(spot, shown)| (spot.x, spot.y, spot.size, shown.mark, shown.highlighted));
        Some((layout.width, layout.height, lines.collect(), squares.collect()))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(None)
    }

    fn __str__(&self) -> String {
        self.played.diagram()
    }

    fn __repr__(&self) -> String {
        format!("Board({:?}, {:?})", self.facts.spec.id, self.played.fen())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.played.has_same_position(other.played.as_ref())
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> Self {
        self.copy()
    }

    fn __getstate__(&self) -> Vec<String> {
        self.played.moves()
    }

    fn __setstate__(&mut self, moves: Vec<String>) -> PyResult<()> {
        moves.iter().try_for_each(|mv| self.play(mv))
    }

    fn __getnewargs__(&self) -> (&'static str, String) {
        (self.facts.spec.id, self.played.first_fen())
    }
}

/// The ids of the games.
#[pyfunction]
pub(crate) fn games() -> Vec<&'static str> {
    registry::games().iter().map(|spec| spec.id).collect()
}

/// The image of each action under each symmetry of the game: an array with a row for each symmetry, the identity first.
///
/// >>> action_symmetries("tixtax").shape
/// (8, 81)
#[pyfunction]
#[pyo3(signature = (game = "tixtax"))]
pub(crate) fn action_symmetries<'py>(
    py: Python<'py>,
    game: &str,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    Ok(PyArray2::from_vec2(py, &GameFacts::find(py, game)?.action_images)?)
}
