from os import PathLike
from typing import (
    Any,
    Callable,
    ClassVar,
    Dict,
    Iterator,
    List,
    Literal,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    Union,
    final,
)

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from .results import Info, Line, Outcome, Puzzle, Review, Solution

__all__ = [
    "Analysis",
    "Board",
    "Engine",
    "Games",
    "OwnRules",
    "Record",
    "Scale",
    "VERSION",
    "action_symmetries",
    "exam_positions",
    "games",
    "grade_exam",
    "openings",
    "puzzles",
    "read_samples",
    "reasons",
    "review",
    "selfplay",
    "solve",
]

_Path = Union[str, PathLike[str]]

class _SharesMemory(Protocol):
    def __dlpack__(self, *, stream: Any = ...) -> Any: ...

# Arrays of NumPy, torch and JAX, and lists.
_Array = Union[npt.ArrayLike, _SharesMemory]

VERSION: str

@disjoint_base
class Board:
    """A position of a game and the moves that led to it.

    >>> board = Board("tictactoe")
    >>> board.push("b2")
    >>> board
    Board("tictactoe", "3/1x1/3 o")
    """
    def __new__(cls, game: str = "tixtax", fen: Optional[str] = None) -> Board: ...
    @staticmethod
    def from_fen(fen: str, game: str = "tixtax") -> Board:
        """Opens a position.

        >>> Board.from_fen("xo1/1x1/3 o", "tictactoe").legal_moves
        ['c3', 'a2', 'c2', 'a1', 'b1', 'c1']
        """
    @staticmethod
    def random(game: str = "tixtax", *, seed: int, plies: Optional[int] = None) -> Board:
        """Plays random moves from the start: `plies` of them, or as many as openings of the game usually have.

        Raises ValueError if random games are practically never that long.

        >>> Board.random("tictactoe", seed=1, plies=4).ply
        4
        """
    @property
    def game(self) -> str:
        """The id of the game."""
    @property
    def turn(self) -> Literal[0, 1]:
        """The player to move, 0 or 1; in a finished game the one that would be to move."""
    @property
    def ply(self) -> int:
        """The number of moves in `move_stack`."""
    @property
    def move_stack(self) -> List[str]:
        """The moves played since the start position."""
    @property
    def start_fen(self) -> str:
        """The position before the first move of `move_stack`."""
    @property
    def legal_moves(self) -> List[str]:
        """The legal moves; empty if the game is over."""
    @property
    def legal_actions(self) -> List[int]:
        """The legal moves as actions, in the order of `legal_moves`."""
    @property
    def max_plies_left(self) -> Optional[int]:
        """An upper bound of the plies to the end of the game; None if there is none."""
    def is_legal(self, move: str) -> bool:
        """Whether a text is a legal move."""
    def push(self, move: str) -> None:
        """Plays a move.

        Raises ValueError if it is illegal; the board is then unchanged.

        >>> board = Board()
        >>> board.push("e5")
        >>> board.push("a9")
        Traceback (most recent call last):
        ValueError: illegal move "a9": the mover was sent to the centre board; legal here: d4 d5 d6 e4 e6 f4 f5 f6
        """
    def push_action(self, action: int) -> None:
        """Plays a move given as an action."""
    def pop(self) -> str:
        """Takes back the last move and returns it.

        Raises IndexError if there is none.
        """
    def peek(self) -> str:
        """The last move.

        Raises IndexError if there is none.
        """
    def parse(self, text: str) -> str:
        """The move that a person has typed, perhaps abbreviated, in the notation of the game. It need not be legal.

        >>> board = Board()
        >>> board.push("e5")
        >>> board.parse("7")
        'd4'
        """
    def action(self, move: str) -> int:
        """The number of a move, legal or not: in ultimate tic-tac-toe 9 · small board + cell, both from 0 and row by row from the top left.

        >>> Board().action("e5")
        40
        """
    def action_name(self, action: int) -> str:
        """The move with this number."""
    def key(self) -> int:
        """A number for dictionaries, which boards with the same position share, and others practically never: of 64 bits."""
    def outcome(self) -> Optional[Outcome]:
        """How the game ended; None while it is in progress."""
    def is_game_over(self) -> bool:
        """Whether the game is over."""
    def fen(self) -> str:
        """The position as a FEN."""
    def ascii(self) -> str:
        """The board as text."""
    def copy(self) -> Board:
        """A board of its own with the same position and moves."""
    def image(self, symmetry: int) -> Board:
        """A board at the image of the position under a symmetry of the game, from 0, the identity, to below `len(action_symmetries(game))`."""
    def planes(self) -> npt.NDArray[np.float32]:
        """The position for a network, as planes of zeros and ones: the pieces of the player to move and of the opponent; in ultimate
        tic-tac-toe also the small boards that each has won and those that may be played on, with the axes plane, small board,
        cell (`grid` turns them into pictures).

        >>> Board("tixtax").planes().shape
        (5, 9, 9)
        """
    def perft(self, depth: int) -> int:
        """The number of lines of `depth` moves.

        >>> Board().perft(3)
        6336
        """
    def svg(self, lines: Optional[Sequence[Line]] = None) -> str:
        """The board as an SVG image, with the values of the moves of `lines` and an arrow for the first, as `Engine.analyse` returns them."""
    def _drawing(
        self,
    ) -> Optional[
        Tuple[float, float, List[Tuple[float, float, float, float, bool]], List[Tuple[float, float, float, str, bool]]]
    ]: ...
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Board: ...
    def __deepcopy__(self, _memo: Dict[int, object]) -> Board: ...
    def __getnewargs__(self) -> Tuple[str, str]: ...
    def __getstate__(self) -> List[str]: ...
    def __setstate__(self, moves: List[str]) -> None: ...

@final
class Engine:
    """Plays and analyses; what it finds is kept for later requests about the same game."""
    def __new__(
        cls,
        level: int = 20,
        *,
        threads: int = 1,
        hash: int = 16,
        seed: int = 0,
        searcher: Literal["auto", "alphabeta", "mcts", "random"] = "auto",
    ) -> Engine: ...
    @property
    def level(self) -> int:
        """The level."""
    def elo(self, game: str = "tixtax") -> Optional[int]:
        """The Elo of the level in a game, on the scale of `rate`; None in a game without one.

        >>> Engine(level=8).elo()
        1645
        """
    def play(
        self, board: Board, *, time: Optional[float] = None, nodes: Optional[int] = None, depth: Optional[int] = None
    ) -> str:
        """Chooses a move, by default in 0.1 seconds.

        >>> Engine().play(Board("tictactoe", "xx1/oo1/3 x"))
        'c3'
        """
    def analyse(
        self,
        board: Board,
        *,
        time: Optional[float] = None,
        nodes: Optional[int] = None,
        depth: Optional[int] = None,
        multipv: int = 1,
        moves: Optional[Sequence[str]] = None,
    ) -> Info:
        """Analyses a position at full strength, by default for 0.1 seconds: `multipv` lines, or only `moves`.

        >>> info = Engine().analyse(Board("tictactoe"), multipv=3)
        >>> [line.value for line in info.lines]
        ['draw', 'draw', 'draw']
        """
    def analysis(
        self,
        board: Board,
        *,
        time: Optional[float] = None,
        nodes: Optional[int] = None,
        depth: Optional[int] = None,
        multipv: int = 1,
    ) -> Analysis:
        """Starts an analysis that reports again and again what it has found, until it ends or is stopped.

        >>> with Engine().analysis(Board(), nodes=20000) as analysis:
        ...     for info in analysis:
        ...         pass
        >>> info.nodes >= 20000
        True
        """
    def clear(self) -> None:
        """Forgets what was found so far."""
    def __copy__(self) -> Engine: ...
    def __deepcopy__(self, _memo: Dict[int, object]) -> Engine: ...
    def __getnewargs_ex__(self) -> Tuple[Tuple[int], Dict[str, Any]]: ...

@final
class Analysis:
    """A live analysis: what the search has found so far, again and again until it ends or is stopped."""
    def __iter__(self, /) -> Iterator[Info]: ...
    def __next__(self, /) -> Info: ...
    def stop(self) -> None:
        """Stops the search; what it has found last can still be read."""
    def __enter__(self) -> Analysis: ...
    def __exit__(self, _kind: object, _error: object, _trace: object) -> None: ...

@final
class Record:
    """A recorded game. `str` gives the text that the program reads.

    >>> Record(Board(), ("one", "two")).players
    ('one', 'two')
    """
    def __new__(cls, board: Board, players: Tuple[str, str] = ...) -> Record: ...
    @staticmethod
    def read(path: _Path) -> List[Record]:
        """Reads the games of a file, as the program writes them."""
    @classmethod
    def _parse(cls, text: str) -> Record: ...
    @property
    def game(self) -> str:
        """The id of the game."""
    @property
    def players(self) -> Tuple[str, str]:
        """The names of the players."""
    @property
    def start_fen(self) -> str:
        """The start position, or `startpos`."""
    @property
    def moves(self) -> List[str]:
        """The moves."""
    @property
    def result(self) -> Literal["1-0", "0-1", "1/2-1/2", "*"]:
        """`1-0`, `0-1`, `1/2-1/2`, or `*` for a game that does not count."""
    @property
    def termination(self) -> str:
        """How the game ended, in a word."""
    def board(self) -> Board:
        """The board after the last move."""
    def to_dict(self) -> Dict[str, Any]:
        """Game, players, start, moves, result and termination, as JSON has them."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Record: ...
    def __deepcopy__(self, _memo: Dict[int, object]) -> Record: ...
    def __reduce__(self) -> Tuple[Callable[[str], Record], Tuple[str]]: ...

@final
class Games:
    """Many games of one type, stepped together. The arrays are views that each step writes again: copy what you keep. They are aligned to 64 bytes, so
    that `torch.from_numpy` and `jax.dlpack.from_dlpack` share them. Arrays that you hand in may be of any library that NumPy understands, lists too.

    >>> games = Games("tixtax", n=1000, seed=1, opening_plies=4, planes=True)
    >>> games.step(games.random_actions())
    >>> games.planes.shape, games.legal.shape
    ((1000, 5, 9, 9), (1000, 81))
    >>> games[0].ply
    5
    """
    def __new__(
        cls,
        game: str = "tixtax",
        n: int = 1,
        *,
        seed: int = 0,
        opening_plies: int = 0,
        auto_reset: bool = True,
        planes: bool = False,
    ) -> Games: ...
    @property
    def game(self) -> str:
        """The id of the game."""
    @property
    def legal(self) -> npt.NDArray[np.uint8]:
        """1 for each legal action of each game (uint8)."""
    @property
    def planes(self) -> npt.NDArray[np.float32]:
        """The positions as `Board.planes` describes them (float32)."""
    @property
    def turns(self) -> npt.NDArray[np.int8]:
        """The player to move in each game (int8)."""
    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """1 for each game that the last step won for the player who moved, −1 for a lost one, otherwise 0 (float32). Copy `turns` before a step to know who moved."""
    @property
    def dones(self) -> npt.NDArray[np.bool_]:
        """Whether each game has ended (bool): with automatic resets in the last step, and then the other arrays are already those of the next game."""
    def step(self, actions: _Array, chosen: Optional[_Array] = None) -> None:
        """Plays an action in each game, or in those that are `chosen`; the others stay as they are. Those of finished games are ignored, so −1 will do.

        Raises ValueError if one is illegal; no game is then changed.
        """
    def random_actions(self) -> npt.NDArray[np.int64]:
        """A random legal action for each game, −1 for finished ones."""
    def play_engine(
        self,
        level: int = 20,
        nodes: Optional[int] = None,
        chosen: Optional[_Array] = None,
        *,
        threads: Optional[int] = None,
    ) -> npt.NDArray[np.int64]:
        """The engine plays a move in each game, or in those that are `chosen`; all cores share the games. Returns the actions, −1 where none was played.

        The levels are those of `Engine`; `nodes` limits the search further. Full strength, the default, searches 262,144 nodes, as in `rate`.

        >>> games = Games("tictactoe", n=4, seed=1)
        >>> games.play_engine(level=20).shape
        (4,)
        """
    def reset(self, chosen: Optional[_Array] = None) -> None:
        """Starts all games again, or those that are `chosen`."""
    def afterstates(self) -> Tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """The planes of the positions after all legal moves, for agents that compare them: a row for each, in the order of `numpy.nonzero(games.legal)`, and seen by
        the opponent, who is to move there. The second array has the results of moves that end the game, for the players who move, 1, 0 or −1, and NaN for
        the others.

        >>> planes, results = Games("tixtax", n=2).afterstates()
        >>> planes.shape
        (162, 5, 9, 9)
        """
    def copy(self) -> Games:
        """Games of their own at the same positions; random moves are the same, too."""
    def values(self, max_plies: int = 20) -> npt.NDArray[np.float32]:
        """The exact values of the positions for the players to move: 1 for a win, 0, −1, and NaN if more than `max_plies` plies may be left
        and the game is not solved. A finished game has the value for the player who would be to move.
        """
    def action_values(self, max_plies: int = 20) -> npt.NDArray[np.float32]:
        """The exact values of all actions for the players who take them, and NaN for illegal ones, or if too many plies are left."""
    def __len__(self, /) -> int: ...
    def __iter__(self, /) -> Iterator[Board]: ...
    def __getitem__(self, key: int, /) -> Board: ...
    def __setitem__(self, key: int, value: Board, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Games: ...
    def __deepcopy__(self, _memo: Dict[int, object]) -> Games: ...
    def __getnewargs_ex__(self) -> Tuple[Tuple[str, int], Dict[str, Any]]: ...
    def __getstate__(
        self,
    ) -> Tuple[int, List[Tuple[str, str]], npt.NDArray[np.float32], npt.NDArray[np.bool_]]: ...
    def __setstate__(
        self, state: Tuple[int, List[Tuple[str, str]], npt.NDArray[np.float32], npt.NDArray[np.bool_]]
    ) -> None: ...

@final
class OwnRules:
    """The rules of a game: a class of Python, whose call without arguments gives the start."""

    MAX_PLIES: ClassVar[int]
    def __new__(cls, start: Callable[[], Any]) -> OwnRules: ...
    def first(self) -> Any:
        """The start position."""
    @staticmethod
    def state(position: Any) -> Tuple[Optional[str], List[str], Any]:
        """The outcome of a position, its legal moves, of which a finished game has none, and its key."""
    @staticmethod
    def after(position: Any, move: str) -> Any:
        """The position after a move."""
    def check(self) -> None:
        """Raises `ValueError` with the faults that the conformance kit finds."""
    def solve(self, position: Optional[Any], max_positions: int) -> Solution:
        """Proves the value of a position."""
    def analyse(
        self, position: Optional[Any], playouts: Optional[int], time: Optional[float], seed: int, max_positions: int
    ) -> Info:
        """Searches a position by MCTS."""

def games() -> List[str]:
    """The ids of the games."""

def action_symmetries(game: str = "tixtax") -> npt.NDArray[np.int64]:
    """The image of each action under each symmetry of the game: an array with a row for each symmetry, the identity first.

    >>> action_symmetries("tixtax").shape
    (8, 81)
    """

def solve(
    board: Board,
    *,
    time: Optional[float] = None,
    threads: int = 1,
    memory: int = 256,
    certificate: Optional[_Path] = None,
) -> Solution:
    """Proves the value of a position, in any time or until `time` is over. `certificate` names a file for a proof that others can check.

    >>> solve(Board("tictactoe")).value
    'draw'
    """

def review(
    game: Union[Board, Record],
    *,
    nodes: Optional[int] = None,
    time: Optional[float] = None,
    threads: int = 1,
    language: str = "en",
) -> Review:
    """Grades every move of a game, a Board or a Record: with a number of nodes for each position, or a time.

    >>> board = Board("tictactoe")
    >>> for move in ["a3", "b3"]:
    ...     board.push(move)
    >>> review(board).moves[1].mark
    '??'
    """

def reasons(board: Board, move: str, *, language: str = "en") -> str:
    """The reasons for and against a move, as a sentence.

    >>> reasons(Board("tictactoe", "xx1/oo1/3 x"), "c3")
    'wins the game'
    """

def puzzles(game: str = "tixtax", count: int = 10, *, difficulty: Optional[int] = None, seed: int = 0) -> List[Puzzle]:
    """Positions in which exactly one move keeps the value, of a difficulty from 1 to 5.

    >>> puzzles("tictactoe", 1)[0].board().is_game_over()
    False
    """

def selfplay(
    path: _Path, games: int, *, game: str = "tixtax", nodes: int = 1000, seed: int = 0, threads: int = 1
) -> Tuple[int, int]:
    """Plays the engine against itself until the file holds `games` games, as training data. An existing file is continued; nodes and seed must be
    the same. Each game begins with random moves, and only the positions after them are kept. Returns the number of games and of positions in the file.
    """

def read_samples(path: _Path, *, planes: bool = False, exact_plies: int = 0) -> Dict[str, npt.NDArray[np.generic]]:
    """Reads the positions of a file of self-play games, as arrays with a row for each, from the point of view of the player to move.

    - `game`: the number of the game, whose random opening is left out
    - `stones`: 1 for the player to move, −1 for the opponent and 0 elsewhere, with the axes small board and cell
    - `forced`: the small board to play on, −1 for any
    - `score`: that of the search, in hundredths, and `expected`: the same as an expected result from 0 to 1
    - `result`: how the game ended, 1, 0 or −1
    - `planes`, with `planes=True`: the positions as `Board.planes` describes them
    - `value`, with `exact_plies`: the exact value, 1, 0 or −1, of positions with at most that many plies left, and NaN for the others
    """

def openings(
    game: str = "tixtax", count: int = 10, *, plies: Optional[int] = None, seed: int = 0, balanced: bool = False
) -> List[str]:
    """Openings for matches, as FENs of unfinished positions: after `plies` random moves, or as many as the game usually has; `balanced` ones
    are drawn, in games without draws won and lost in turn, and in unsolved games even by a short search.

    Raises ValueError if there are fewer.
    """

def exam_positions(game: str) -> List[Tuple[int, List[str], List[Tuple[str, str]], List[str]]]:
    """The positions of the exam."""

def grade_exam(game: str, name: str, choices: Sequence[Tuple[int, str]]) -> Tuple[str, str]:
    """Grades the chosen moves, given with the numbers of the positions; returns the report as text and as JSON."""

@final
class Scale:
    """The ladder of ratings."""
    def __new__(cls, game: str, precision: float) -> Scale: ...
    @property
    def names(self) -> List[str]:
        """The names of the references."""
    def next(self, pairs: Sequence[Sequence[int]]) -> List[int]:
        """The references to meet next, given the pairs of games with each by points; none if the rating is known."""
    def rating(self, pairs: Sequence[Sequence[int]]) -> Tuple[float, float, float]:
        """The rating and its 95 % interval."""
