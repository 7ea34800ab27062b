"""A game of your own, written as a class in Python, with exact values, a search, matches and a server."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any, Callable, Dict, Optional, TextIO, Tuple, Union

from ._zermelo import OwnRules
from .player import Asker, Player, asker, converse
from .results import Info, Result, Solution

#: A position of the game: an object of its class.
Position = Any

#: The playouts of a search without a limit.
PLAYOUTS = 1000


@dataclass(frozen=True)
class MatchResult(Result):
    """The games of a match, counted for the first player."""

    wins: int
    draws: int
    losses: int
    #: How many games each player lost by a move that is not legal.
    illegal: Tuple[int, int]

    def __str__(self) -> str:
        return f"{self.wins} won, {self.draws} drawn, {self.losses} lost"


class OwnGame:
    """A game of your own: a class whose objects are positions, and whose call without arguments gives the start.

    A position has four methods. `legal_moves()` returns the moves, texts of one word, and none once the game is over. `play(move)` returns the
    position after a move, a new object, and leaves its own as it is. `outcome()` is None while the game is in progress, then `"win"`, `"draw"`
    or `"loss"` for the player who would be to move. `key()` returns a text, a number or a tuple, which two positions share only if they are the
    same game for the player to move. The players move in turn; a pass is a move. The third occurrence of a position is a draw.

    >>> class Pile:
    ...     def __init__(self, left=10):
    ...         self.left = left
    ...     def legal_moves(self):
    ...         return [str(number) for number in (1, 2, 3) if number <= self.left]
    ...     def play(self, move):
    ...         return Pile(self.left - int(move))
    ...     def outcome(self):
    ...         return None if self.left else "loss"
    ...     def key(self):
    ...         return self.left
    >>> game = OwnGame(Pile)
    >>> game.check()
    >>> game.solve()
    Solution(win, 2)
    >>> game.best_move(Pile(7), playouts=500)
    '3'
    """

    #: The name in `serve`, by default that of the class in lower case.
    name: str

    def __init__(self, start: Callable[[], Position], name: Optional[str] = None) -> None:
        self._rules = OwnRules(start)
        own = getattr(start, "__name__", "")
        self.name = (own.lower() if own.isidentifier() else "own") if name is None else name
        if len(self.name.split()) != 1:
            raise ValueError(f"name {name!r}, expected one word")

    def __repr__(self) -> str:
        return f"OwnGame({self.name})"

    def check(self) -> None:
        """Tests the class on random games with the conformance kit.

        Raises ValueError with a line for each fault, which names the method, the rule that it breaks, and a position by the moves that lead to it.
        """
        self._rules.check()

    def solve(self, position: Optional[Position] = None, *, max_positions: int = 1_000_000) -> Solution:
        """Proves the value of a position, by default the start, from all positions that can follow. What was found is kept for later questions.

        Raises ValueError if that takes more than `max_positions` positions.
        """
        _at_least(1, max_positions=max_positions)
        return self._rules.solve(position, max_positions)

    def analyse(
        self,
        position: Optional[Position] = None,
        *,
        playouts: Optional[int] = None,
        time: Optional[float] = None,
        seed: int = 0,
        max_positions: int = 500_000,
    ) -> Info:
        """Searches a position, by default the start, by MCTS: a line for every move, best first.

        Ends after `playouts` or `time` in seconds, by default after 1,000 playouts, when the value is proven, or when `max_positions` were seen.
        """
        if playouts is None and time is None:
            playouts = PLAYOUTS
        _at_least(1, max_positions=max_positions, playouts=1 if playouts is None else playouts)
        return self._rules.analyse(position, playouts, time, seed % 2**64, max_positions)

    def best_move(
        self,
        position: Optional[Position] = None,
        *,
        playouts: Optional[int] = None,
        time: Optional[float] = None,
        seed: int = 0,
    ) -> str:
        """The move that `analyse` finds best."""
        move = self.analyse(position, playouts=playouts, time=time, seed=seed).move
        assert move is not None
        return move

    def match(
        self,
        one: Union[str, Player],
        two: Union[str, Player],
        games: int = 100,
        *,
        opening_plies: int = 0,
        seed: int = 0,
    ) -> MatchResult:
        """Plays a match. A player is a function from a position to a move, or `"mcts"`, `"exact"` or `"random"`.

        The players take turns to begin; each two games start with the same `opening_plies` random moves. A move that is not legal loses.
        """
        _at_least(1, games=games)
        _at_least(0, opening_plies=opening_plies)
        scores = []
        illegal = [0, 0]
        for number in range(games):
            asks = [self._asker(player, seed + number) for player in (one, two)]
            line = self._opening(opening_plies, seed + number // 2)
            while line.outcome() is None:
                mover = line.turn ^ number % 2
                move = asks[mover](line.position, {})
                if move not in line.legal_moves:
                    illegal[mover] += 1
                    break
                line.push(move)
            outcome = line.outcome()
            winner = 1 - line.turn if outcome is None else outcome.winner
            scores.append(None if winner is None else winner ^ number % 2)
        return MatchResult(scores.count(0), scores.count(None), scores.count(1), (illegal[0], illegal[1]))

    def serve(
        self,
        player: Union[str, Player] = "mcts",
        name: Optional[str] = None,
        *,
        input: Optional[TextIO] = None,
        output: Optional[TextIO] = None,
    ) -> None:
        """Answers a match runner in UGI over stdin and stdout, until it says `quit`.

        The player is one as in `match`. A function with a second parameter also gets the limits of the move, which `"mcts"` keeps to: `time` in
        seconds or `nodes`, its playouts. Print nothing to stdout yourself.
        """
        ask = self._asker(player, 0)

        def move(board: Any, limits: Dict[str, Any]) -> str:
            return ask(board.position, limits)

        def opened(game: str, fen: Optional[str] = None) -> _Line:
            if game != self.name or fen is not None:
                raise ValueError("positions of this game have no FEN: send startpos and moves")
            return _Line(self._rules)

        converse(move, name or self.name, [self.name], opened, input, output)

    def _asker(self, player: Union[str, Player], seed: int) -> Asker:
        if not isinstance(player, str):
            return asker(player)
        chance = random.Random(seed)

        def mcts(position: Position, limits: Dict[str, Any]) -> str:
            # Another seed for each move, so that games differ.
            number = chance.getrandbits(63)
            return self.best_move(position, playouts=limits.get("nodes"), time=limits.get("time"), seed=number)

        def exact(position: Position, limits: Dict[str, Any]) -> str:
            return str(self.solve(position).move)

        def at_random(position: Position, limits: Dict[str, Any]) -> str:
            return chance.choice(self._rules.state(position)[1])

        known = {"mcts": mcts, "exact": exact, "random": at_random}
        if player not in known:
            raise ValueError(f"unknown player {player!r}, expected a function or one of: {', '.join(known)}")
        return known[player]

    def _opening(self, plies: int, seed: int) -> _Line:
        """A game after random moves, which leave it unfinished if that is possible."""
        chance = random.Random(seed)
        for _ in range(100):
            line = _Line(self._rules)
            for _ in range(plies):
                if line.outcome() is None:
                    line.push(chance.choice(line.legal_moves))
            if line.outcome() is None:
                return line
        raise ValueError(f"opening_plies {plies}: the game is over by then")


def _at_least(least: int, **numbers: int) -> None:
    for name, number in numbers.items():
        if number < least:
            raise ValueError(f"{name} {number}, expected at least {least}")


@dataclass(frozen=True)
class _Outcome:
    winner: Optional[int]
    result: str


class _Line:
    """A game in progress: whose turn it is, and how often each position has occurred."""

    def __init__(self, rules: OwnRules) -> None:
        self.turn = self.plies = 0
        self._seen: Counter[Any] = Counter()
        self._reach(rules.first())

    def _reach(self, position: Position) -> None:
        outcome, moves, key = OwnRules.state(position)
        self.position = position
        self.legal_moves = moves
        self._outcome = outcome
        self._seen[self.turn, key] += 1
        if outcome is None and self._seen[self.turn, key] == 3:
            self._outcome, self.legal_moves = "draw", []

    def is_legal(self, move: str) -> bool:
        return move in self.legal_moves

    def push(self, move: str) -> None:
        if move not in self.legal_moves:
            legal = " ".join(self.legal_moves) or "none, the game is over"
            raise ValueError(f"illegal move {move!r}, legal here: {legal}")
        if self.plies == OwnRules.MAX_PLIES:
            raise ValueError(f"outcome: the game has not ended after {self.plies} moves")
        position = OwnRules.after(self.position, move)
        self.plies += 1
        self.turn = 1 - self.turn
        self._reach(position)

    def outcome(self) -> Optional[_Outcome]:
        if self._outcome is None:
            return None
        if self._outcome == "draw":
            return _Outcome(None, "1/2-1/2")
        winner = self.turn if self._outcome == "win" else 1 - self.turn
        return _Outcome(winner, ("1-0", "0-1")[winner])
