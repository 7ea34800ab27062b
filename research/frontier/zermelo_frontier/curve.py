"""Measures what share of positions of self-play games is proven within given times, by ply.

Plies are measured from late to early, since proofs take several times as long for every two plies earlier. Once fewer
than a tenth of the positions at a ply are proven within a minute, earlier plies are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo_frontier.games import OPENING_PLIES, openings, play
from zermelo_frontier.intervals import wilson
from zermelo_frontier.program import Proof, Searcher, identify, prove
from zermelo_frontier.records import Records

TIMES = (1, 10, 60, 600)
FIRST_PLY, LAST_PLY = 50, 20
# Once less than this share of a ply is proven within this time, in seconds, earlier plies are left out.
STOP_SHARE, STOP_TIME = 0.1, 60


@dataclass(frozen=True)
class Task:
    """A position to prove."""

    game: int
    ply: int
    fen: str


@dataclass(frozen=True)
class Settings:
    """What determines the games and the measurements."""

    seed: int
    # Nodes of the searches that play the games.
    nodes: int
    # CPU seconds per position.
    limit: float
    # MiB per proof.
    memory: int

    def record(self, program: str) -> dict[str, Any]:
        return {"what": "curve", "program": program, "opening plies": OPENING_PLIES, "clock": "cpu", **vars(self)}


class Curve:
    """The measurements, in a file that a later run resumes."""

    def __init__(self, path: Path, program: Path, settings: Settings, games: int, last_ply: int = LAST_PLY) -> None:
        self.settings = settings
        self.program = program
        self._records = Records(path, settings.record(identify(program)))
        self._last_ply = last_ply
        self._results: dict[tuple[int, int], dict[str, Any]] = {}
        positions = {}
        for line in self._records.lines:
            if line["type"] == "game":
                positions[line["game"]] = line["positions"]
            else:
                self._results[line["game"], line["ply"]] = line
        missing = [game for game in range(games) if game not in positions]
        if missing:
            starts = openings(program, games, settings.seed)
            with Searcher(program, settings.nodes) as searcher:
                for game in missing:
                    positions[game] = play(searcher, starts[game])
                    self._records.append({"type": "game", "game": game, "positions": positions[game]})
        self._games = {game: positions[game] for game in range(games)}

    def tasks(self) -> Iterator[Sequence[Task]]:
        """Yields the open positions, ply by ply; ends at the ply where the prover no longer keeps up."""
        for ply in range(FIRST_PLY, self._last_ply - 1, -2):
            at_ply = [
                Task(game, ply, positions[ply - OPENING_PLIES])
                for game, positions in self._games.items()
                if ply - OPENING_PLIES < len(positions)
            ]
            yield [task for task in at_ply if (task.game, task.ply) not in self._results]
            proven = sum(is_proven(self._results[task.game, ply], STOP_TIME) for task in at_ply)
            if proven < STOP_SHARE * len(at_ply):
                return

    def prove(self, task: Task) -> Proof:
        """Proves a position on this machine."""
        return prove(self.program, task.fen, self.settings.limit, self.settings.memory)

    def record(self, task: Task, proof: Proof) -> dict[str, Any]:
        """Stores a result."""
        line = {"type": "position", **vars(task), "value": proof.value, **vars(proof)}
        self._records.append(line)
        self._results[task.game, task.ply] = line
        return line

    def close(self) -> None:
        self._records.close()


def is_proven(line: dict[str, Any], time: float) -> bool:
    """Returns whether a position was proven within a time."""
    return bool(line["value"] != "unknown" and line["seconds"] <= time)


@dataclass(frozen=True)
class Point:
    """The share of positions at a ply that is proven within a time."""

    ply: int
    time: float
    proven: int
    positions: int

    @property
    def share(self) -> float:
        return self.proven / self.positions

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval."""
        return wilson(self.proven, self.positions)


def summarize(lines: Sequence[dict[str, Any]], limit: float) -> list[Point]:
    """Counts the proven positions by ply and time, for the plies at which all games were measured."""
    games = [line for line in lines if line["type"] == "game"]
    results = [line for line in lines if line["type"] == "position"]
    points = []
    for ply in sorted({line["ply"] for line in results}, reverse=True):
        at_ply = [line for line in results if line["ply"] == ply]
        if len(at_ply) < sum(ply - OPENING_PLIES < len(game["positions"]) for game in games):
            continue
        for time in (time for time in TIMES if time <= limit):
            points.append(Point(ply, time, sum(is_proven(line, time) for line in at_ply), len(at_ply)))
    return points


def median_seconds(lines: Sequence[dict[str, Any]], ply: int) -> float | None:
    """Returns the (lower) median time of a ply, `None` if that position is open."""
    results = [line for line in lines if line["type"] == "position" and line["ply"] == ply]
    times = sorted((line["value"] == "unknown", float(line["seconds"])) for line in results)
    is_open, seconds = times[(len(times) - 1) // 2]
    return None if is_open else seconds
