"""What searches, proofs, reviews and measurements have found: plain data, which compares, copies, pickles and becomes a dict."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Dict, List, Literal, Optional

from ._zermelo import Board

#: The value of a position for the player to move.
Value = Literal["win", "draw", "loss"]


class Result:
    """What all results have."""

    def to_dict(self) -> Dict[str, Any]:
        """The fields as a dict, with dicts and lists inside, as JSON has them."""
        return asdict(self)  # type: ignore[call-overload, no-any-return]


@dataclass(frozen=True)
class Outcome(Result):
    """How a game ended."""

    #: 0, 1 or None for a draw.
    winner: Optional[Literal[0, 1]]
    result: Literal["1-0", "0-1", "1/2-1/2"]
    #: What each player has counted if that decided.
    count: Optional[List[int]]

    def __repr__(self) -> str:
        return f"Outcome({self.result})"


@dataclass(frozen=True)
class Line(Result):
    """A line of play with its value for the player to move."""

    moves: List[str]
    #: The value where it is proven.
    value: Optional[Value]
    #: The plies to the end of a proven win or loss.
    plies: Optional[int]
    #: The estimate in hundredths; beyond ±31,000 for proven wins and losses.
    score: int
    #: The expected result, from 0 to 1.
    expected: float
    #: The probability of a win, as `draw` and `loss` are those of the others.
    win: float
    draw: float
    loss: float

    @property
    def move(self) -> Optional[str]:
        """The first move."""
        return self.moves[0] if self.moves else None

    def __repr__(self) -> str:
        length = "" if self.plies is None else f" in {self.plies}"
        worth = f"{self.score / 100:+.2f}" if self.value is None else self.value + length
        return f"Line({worth}, {' '.join(self.moves)})"


@dataclass(frozen=True)
class Info(Result):
    """What a search has found; `info[0]` is the best line."""

    #: The lines, best first.
    lines: List[Line]
    depth: int
    seldepth: int
    nodes: int
    #: In seconds.
    time: float
    #: The value of the position where it is proven.
    value: Optional[Value]

    @property
    def move(self) -> Optional[str]:
        """The best move."""
        return self.lines[0].move if self.lines else None

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, index: int) -> Line:
        return self.lines[index]

    def __repr__(self) -> str:
        return f"Info(depth {self.depth}, {self.nodes} nodes: {', '.join(map(repr, self.lines))})"


@dataclass(frozen=True)
class Solution(Result):
    """What is proven of a position."""

    value: Optional[Value]
    #: The value is at least this …
    lower: Value
    #: … and at most this.
    upper: Value
    #: The plies to the end of the game if they are known.
    plies: Optional[int]
    #: A move that keeps the value.
    move: Optional[str]
    nodes: int
    #: In seconds.
    time: float

    def __repr__(self) -> str:
        value = self.value or f"{self.lower} to {self.upper}"
        return f"Solution({value}{'' if self.move is None else ', ' + self.move})"


@dataclass(frozen=True)
class MoveReview(Result):
    """The review of a move. `before`, `after` and `loss` are expected results for the player who made it, from 0 for a loss to 1 for a win."""

    ply: int
    #: The player who made it.
    turn: Literal[0, 1]
    move: str
    before: float
    after: float
    loss: float
    is_proven: bool
    mark: Literal["??", "?", "?!", "!", ""]
    best_line: List[str]
    reasons: str
    best_reasons: str
    #: The number of moves that keep the value …
    keeping: int
    #: … of this many.
    legal: int

    def __repr__(self) -> str:
        return f"MoveReview({self.ply} {self.move}{self.mark}, lost {self.loss:.2f})"


@dataclass(frozen=True)
class Review(Result):
    """The review of a game. `str` gives it as text."""

    moves: List[MoveReview]
    #: The accuracy of each player in per cent; None if it is unknown.
    accuracy: List[Optional[float]]
    #: The plies that turned the game.
    turning_points: List[int]
    text: str = field(repr=False)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Review({len(self.moves)} moves)"


@dataclass(frozen=True)
class Puzzle(Result):
    """A position in which exactly one move keeps the value."""

    game: str
    fen: str
    value: Value
    #: The plies to the end of the game if they are known.
    plies: Optional[int]
    #: The solution; every other move up to number `to_find` is the only one that keeps the value.
    line: List[str]
    #: How many moves of the line have to be found.
    to_find: int
    #: From 1 to 5.
    difficulty: int

    @property
    def solution(self) -> Optional[str]:
        """The move to find."""
        return self.line[0] if self.line else None

    def board(self) -> Board:
        """The position."""
        return Board(self.game, self.fen)

    def __repr__(self) -> str:
        return f"Puzzle({self.value}, {self.to_find} to find, {self.fen!r})"
