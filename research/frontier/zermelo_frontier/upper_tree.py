"""The proof tree above a frontier in TixTax, for one player, the prover.

A node is a class of positions, named by the compact notation of one of its images. The prover plays the engine's move
by a short search, always the same one in a class; the opponent plays every move. What the rules decide at once needs no
proof and is left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from zermelo_frontier.program import Expander, Searcher
from zermelo_frontier.sampling import MAX_DEVIATIONS

# A stratum spans this factor of the prover's own estimate of the effort, as a power of two.
STRATUM_WIDTH, WIDE_STRATUM_WIDTH = 1.5, 6
# Nodes whose successors are remembered.
REMEMBERED = 1 << 18


class TixTaxTree:
    """The tree of a prover: 1, the first player, or 2."""

    def __init__(self, program: Path, prover: int, nodes: int) -> None:
        self.prover = prover
        self._expander = Expander(program)
        self._searcher = Searcher(program, nodes)
        self._guesses: dict[str, tuple[float, int]] = {}
        self.successors = lru_cache(REMEMBERED)(self._successors)
        self.best_reply = lru_cache(REMEMBERED)(self._best_reply)

    def close(self) -> None:
        self._expander.__exit__(None, None, None)
        self._searcher.__exit__(None, None, None)

    def root(self, fen: str) -> str:
        """Returns the class of a position."""
        return str(self._expander.expand(fen)["class"])

    def is_provers(self, node: str) -> bool:
        """Returns whether the prover is to move."""
        return mover(node) == self.prover

    def _successors(self, node: str) -> Sequence[str]:
        found = self._expander.expand(node)
        children = found["moves"]
        if self.is_provers(node):
            children = [self._choice(node, children)]
        open_children = [child for child in children if child["at_least"] != child["at_most"]]
        for child in open_children:
            self._guesses[child["class"]] = math.log2(effort(child)), self._expected(child)
        return [child["class"] for child in open_children]

    def _best_reply(self, node: str) -> str:
        return str(self._choice(node, self._expander.expand(node)["moves"])["class"])

    def deviates(self, node: str, successor: str) -> bool:
        return not self.is_provers(node) and successor != self.best_reply(node)

    def _choice(self, node: str, children: list[dict[str, Any]]) -> dict[str, Any]:
        move = self._searcher.best_move(node)
        assert move is not None
        for child in children:
            if child["move"] == move:
                return child
        # Its mirror image is listed instead.
        return self._expander.expand(self._searcher.after(node, move))

    @staticmethod
    def _expected(node: dict[str, Any]) -> int:
        """Returns how many of the two goals of its mover the guide expects to be reached."""
        reached = 0
        for goal in ("win", "draw"):
            proof, disproof = (math.inf if number is None else number for number in node[goal])
            reached += proof < disproof
        return reached

    def stratum(self, node: str, deviations: int) -> tuple[int, int]:
        """Positions of a similar estimated effort and the same expected value. Strata are narrow where most leaves are,
        and wide where the opponent hardly ever deviates."""
        effort, expected = self._guesses[node]
        width = STRATUM_WIDTH if deviations >= MAX_DEVIATIONS else WIDE_STRATUM_WIDTH
        return math.floor(effort / width), expected

    def may_lead(self, node: str, leaf: str) -> bool:
        stones = stones_of(node)
        return any(stones[0] & ~image[0] == 0 and stones[1] & ~image[1] == 0 for image in images_of(leaf))


def mover(node: str) -> int:
    """Returns the side to move: 1 or 2."""
    return 1 if node[0] == "X" else 2


def plies(node: str) -> int:
    """Returns the number of stones."""
    return sum(mask.bit_count() for mask in stones_of(node))


def effort(node: dict[str, Any]) -> float:
    """Returns the prover's initial estimate of the effort to settle a position: both questions, each the easier way."""
    least = (min(number for number in node[goal] if number is not None) for goal in ("win", "draw"))
    return max(1.0, float(sum(least)))


# Stones of X and of O, a bit per cell: boards row by row, the cells of each row by row.
Stones = tuple[int, int]


@lru_cache(1 << 16)
def stones_of(node: str) -> Stones:
    """Reads the stones from the compact notation."""
    cells = node.split(";")[2].replace("/", "")
    return pack(cells, "X"), pack(cells, "O")


def pack(cells: str, stone: str) -> int:
    return int("".join("1" if cell == stone else "0" for cell in reversed(cells)), 2)


@lru_cache(1 << 10)
def images_of(node: str) -> tuple[Stones, ...]:
    """Returns the eight images of a position."""
    cells = node.split(";")[2].replace("/", "")
    turned = ["".join(cells[9 * board + cell] for board in turn for cell in turn) for turn in turns()]
    return tuple((pack(image, "X"), pack(image, "O")) for image in turned)


def turns() -> Iterator[list[int]]:
    """Yields the eight rotations and reflections of a square of three by three, as lists of the old places. The large
    board and all small ones turn together."""
    places = list(range(9))
    for _ in range(4):
        places = [places[3 * (2 - column) + row] for row in range(3) for column in range(3)]
        yield places
        yield [places[3 * row + 2 - column] for row in range(3) for column in range(3)]
