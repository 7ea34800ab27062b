"""Zermelo: rules, exact values and a strong engine for ultimate tic-tac-toe (three rules), tic-tac-toe, Pong Hau K'i and Nim.

>>> import zermelo
>>> board = zermelo.Board("tixtax")
>>> board.push("e5")
>>> len(board.legal_moves)
8
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ._zermelo import VERSION as __version__
from ._zermelo import (
    Analysis,
    Board,
    Engine,
    Games,
    Record,
    action_symmetries,
    games,
    openings,
    puzzles,
    read_samples,
    reasons,
    review,
    selfplay,
    solve,
)
from .measure import ExamResult, Rating, exam, rate
from .own_game import MatchResult, OwnGame
from .player import serve
from .results import Info, Line, MoveReview, Outcome, Puzzle, Review, Solution

__all__ = [
    "Analysis",
    "Board",
    "Engine",
    "ExamResult",
    "Games",
    "Info",
    "Line",
    "MatchResult",
    "MoveReview",
    "Outcome",
    "OwnGame",
    "Puzzle",
    "Rating",
    "Record",
    "Review",
    "Solution",
    "__version__",
    "action_symmetries",
    "exam",
    "games",
    "grid",
    "openings",
    "puzzles",
    "rate",
    "read_samples",
    "reasons",
    "review",
    "selfplay",
    "serve",
    "solve",
]


def grid(places: npt.ArrayLike) -> np.ndarray:
    """Turns arrays over the 81 cells of ultimate tic-tac-toe, small board by small board, into pictures of the whole board.

    The cells are the last axis, of length 81, or the last two of length 9; in the result they are rows and columns.

    >>> import numpy, zermelo
    >>> zermelo.grid(numpy.arange(81))[0].tolist()
    [0, 1, 2, 9, 10, 11, 18, 19, 20]
    """
    array = np.asarray(places)
    lead = array.shape[:-1] if array.shape[-1:] == (81,) else array.shape[:-2]
    if lead + (81,) != array.shape and lead + (9, 9) != array.shape:
        raise ValueError(f"an array of shape {array.shape}, expected (…, 81) or (…, 9, 9)")
    picture: np.ndarray = array.reshape(*lead, 3, 3, 3, 3).swapaxes(-3, -2).reshape(*lead, 9, 9)
    return picture
