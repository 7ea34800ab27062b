"""How strong is a player, and where does it go wrong? The exam and the ladder of ratings for functions in Python.

For a player in a process of its own, in any language, the program has the same: ``zermelo exam`` and ``zermelo rate``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Tuple

from ._zermelo import Board, Engine, Scale, exam_positions, grade_exam, openings
from .player import Asker, Player, asker
from .results import Result


@dataclass(frozen=True)
class ExamResult(Result):
    """The result of an exam: the share of right moves and the mean loss of value, with their 95 % intervals. `str` gives a table of all
    numbers."""

    right: float
    right_interval: Tuple[float, float]
    loss: float
    loss_interval: Tuple[float, float]
    #: How many moves were not legal.
    illegal: int
    #: `groups`: all numbers by ply, number of right moves and motif; `worst`: the costliest moves; `answers`: every move.
    details: Dict[str, Any] = field(repr=False)
    _text: str = field(repr=False)

    def __str__(self) -> str:
        return self._text


def exam(player: Player, game: str = "tixtax", count: Optional[int] = None, name: str = "player") -> ExamResult:
    """Asks a player, a function from a board to a move, where the choice matters and the exact value of every move is known.

    `count` limits the exam to that many positions, spread evenly over the suite. An illegal move counts as a loss.

    >>> import zermelo
    >>> engine = zermelo.Engine()
    >>> result = zermelo.exam(lambda board: engine.play(board, nodes=1000), count=50)
    >>> result.right > 0.8
    True
    """
    positions = exam_positions(game)
    if count is not None and not 1 <= count <= len(positions):
        raise ValueError(f"count {count}, expected 1 to {len(positions)}")
    wanted = len(positions) if count is None else count
    ask = asker(player)
    choices: List[Tuple[int, str]] = []
    for index in range(wanted):
        number, line, _, _ = positions[index * len(positions) // wanted]
        board = Board(game)
        for move in line:
            board.push(move)
        choices.append((number, ask(board, {})))
    text, data = grade_exam(game, name, choices)
    details = json.loads(data)
    group = details["groups"][0]
    return ExamResult(
        right=group["right_percent"] / 100,
        right_interval=(group["right_low"] / 100, group["right_high"] / 100),
        loss=group["loss"],
        loss_interval=(group["loss_low"], group["loss_high"]),
        details=details,
        illegal=sum("fault" in answer for answer in details["answers"]),
        _text=text,
    )


@dataclass(frozen=True)
class Rating(Result):
    """The rating of a player on the scale of docs/rating.md, with its 95 % interval."""

    elo: float
    interval: Tuple[float, float]
    games: int
    #: Whether all games were lost or all won, so that the rating is only a bound.
    is_bound: bool
    #: How many games were lost by a move that is not legal.
    illegal: int
    #: The games with each reference: won, drawn, lost.
    results: Dict[str, Tuple[int, int, int]] = field(repr=False)

    def __str__(self) -> str:
        low, high = self.interval
        if self.is_bound:
            return f"below {high:.0f}" if self.elo < 1700 else f"above {low:.0f}"
        return f"{self.elo:.0f} ± {(high - low) / 2:.0f} ({self.games} games)"


def rate(
    player: Player,
    game: str = "tixtax",
    precision: float = 50,
    max_games: int = 1500,
    seed: int = 0,
    progress: Optional[Callable[[Rating], None]] = None,
) -> Rating:
    """Rates a player, a function from a board to a move, by games with references of known strength, in pairs with the same opening and both sides.

    Ends when the 95 % interval is at most plus or minus `precision`, or after `max_games`. An illegal move loses its game.

    >>> import random, zermelo
    >>> rating = zermelo.rate(lambda board: random.choice(board.legal_moves), max_games=20)
    >>> rating.elo < 1500
    True
    """
    if max_games < 2:
        raise ValueError(f"max_games {max_games}, expected at least 2")
    scale = Scale(game, precision)
    names = scale.names
    pairs = [[0] * 5 for _ in names]
    results = [[0, 0, 0] for _ in names]
    starts: List[str] = []
    played = illegal = 0
    ask = asker(player)

    def rating() -> Rating:
        value, low, high = scale.rating(pairs)
        scored = {points for tally in pairs for points, count in enumerate(tally) if count}
        met = {name: (won, drawn, lost) for name, (won, drawn, lost) in zip(names, results) if won + drawn + lost}
        return Rating(value, (low, high), played, scored in ({0}, {4}), illegal, met)

    number = 0
    while played + 2 <= max_games:
        chosen = scale.next(pairs)
        if not chosen:
            break
        if number == len(starts):
            # Openings that are balanced and openings as they come, in turn; a longer list starts with the shorter one.
            size = max(8, len(starts))
            even, any_ = (openings(game, size, seed=seed, balanced=balanced) for balanced in (True, False))
            starts = [start for pair in zip(even, any_) for start in pair]
        for index in chosen:
            if played + 2 > max_games:
                break
            opponent = _reference(names[index], seed + played)
            points = []
            for side in (0, 1):
                board = Board(game, starts[number])
                points.append(_play(ask, opponent, board, side))
                illegal += not board.is_game_over()
                results[index][2 - points[-1]] += 1
            pairs[index][sum(points)] += 1
            played += 2
        number += 1
        if progress:
            progress(rating())
    return rating()


def _reference(name: str, seed: int) -> Callable[[Board], str]:
    """A reference: a level, MCTS with a number of playouts, or random moves."""
    kind, _, number = name.partition("-")
    if kind == "level":
        engine, nodes = Engine(int(number), seed=seed), 64 << 12
    elif kind == "mcts":
        nodes = int(number)
        engine = Engine(searcher="mcts", seed=seed, hash=128 if nodes >= 1_000_000 else 16)
    else:
        engine, nodes = Engine(searcher="random", seed=seed), 1
    return lambda board: engine.play(board, nodes=nodes)


def _play(player: Asker, opponent: Callable[[Board], str], board: Board, side: int) -> int:
    """The half points of the player, who plays one side of a game."""
    while not board.is_game_over():
        if board.turn != side:
            board.push(opponent(board))
            continue
        move = player(board.copy(), {})
        if not board.is_legal(move):
            return 0
        board.push(move)
    outcome = board.outcome()
    assert outcome is not None
    return 1 if outcome.winner is None else 2 if outcome.winner == side else 0
