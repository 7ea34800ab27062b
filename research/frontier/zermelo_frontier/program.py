"""Calls of the program: moves, expansions of positions, and proofs with their CPU time."""

from __future__ import annotations

import hashlib
import json
import os
import select
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

Self = TypeVar("Self", bound="Process")

# Values in ascending order.
VALUES = ("loss", "draw", "win")
LOSS, DRAW, WIN = range(3)
# A finished game: its answer shows that a process has started.
FINISHED = "2oo2o1x/2o1o2o1/2o2ox1o/x2x1oxxx/4xo3/2x2x3/x5x1x/1o4oxo/o4xx1o x 17 -"
# Seconds between two looks at the CPU time of a proof.
POLL_INTERVAL = 0.05


class ProgramError(Exception):
    """The program cannot be used, or ended unexpectedly."""


@dataclass(frozen=True)
class Proof:
    """What a proof attempt showed, for the side to move."""

    at_least: str
    at_most: str
    nodes: int
    # CPU time.
    seconds: float

    @property
    def value(self) -> str:
        return self.at_least if self.at_least == self.at_most else "unknown"

    def reaches(self, goal: int) -> bool | None:
        """Returns whether the side to move reaches the goal, a value, or `None` if that is open."""
        if VALUES.index(self.at_least) >= goal:
            return True
        return False if VALUES.index(self.at_most) < goal else None


class Process:
    """A process of the program that answers lines with lines."""

    def __init__(self, program: Path, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [program, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def send(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()

    def receive(self) -> str:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise ProgramError("the program ended unexpectedly")
        return line.decode().rstrip("\n")

    def has_output(self, timeout: float) -> bool:
        assert self._process.stdout
        return bool(select.select([self._process.stdout], [], [], timeout)[0])

    def interrupt(self) -> None:
        self._process.send_signal(signal.SIGINT)

    def cpu_seconds(self) -> float:
        """Returns the CPU time of all threads so far, from the process's CPU clock (see clock_getcpuclockid(3))."""
        return time.clock_gettime((~self._process.pid << 3) | 2)


class Expander(Process):
    """Expands positions into their classes of moves, without search."""

    def __init__(self, program: Path) -> None:
        super().__init__(program, "solve", "--expand", "--file", "-")

    def expand(self, fen: str) -> dict[str, Any]:
        self.send(fen)
        found: dict[str, Any] = json.loads(self.receive())
        return found


class Searcher(Process):
    """Chooses moves by a search of a fixed number of nodes, from an empty table: the same move every time."""

    def __init__(self, program: Path, nodes: int) -> None:
        super().__init__(program)
        self._nodes = nodes
        self.send("setoption name Hash value 1")

    def best_move(self, fen: str) -> str | None:
        """Returns the move for a position, or `None` if the game is over."""
        self.send("ucinewgame")
        self.send(f"position fen {fen}")
        self.send(f"go nodes {self._nodes}")
        while not (line := self.receive()).startswith("bestmove "):
            if line.startswith("info string error"):
                raise ProgramError(line)
        move = line.split()[1]
        return None if move == "(none)" else move

    def after(self, fen: str, move: str) -> str:
        """Returns the FEN after a move."""
        self.send(f"position fen {fen} moves {move}")
        self.send("fen")
        line = self.receive()
        if line.startswith("info"):
            raise ProgramError(line)
        return line


def prove(program: Path, fen: str, limit: float, memory: int, goal: int | None = None) -> Proof:
    """Proves a position, or only whether its side to move reaches a goal, on one thread in a process of its own, which
    is interrupted after `limit` seconds of CPU time.

    CPU time, since other programs may run on the machine. Starting the process is not counted.
    """
    words = ["solve", "--json", "--memory", str(memory), "--file", "-"]
    words += [] if goal is None else ["--goal", VALUES[goal]]
    with Process(program, *words) as process:
        process.send(FINISHED)
        process.receive()
        start = process.cpu_seconds()
        process.send(fen)
        pause = 0.001
        interrupted = False
        while not interrupted and not process.has_output(min(pause, POLL_INTERVAL)):
            pause *= 2
            interrupted = process.cpu_seconds() - start >= limit
        seconds = process.cpu_seconds() - start
        if interrupted:
            process.interrupt()
        try:
            line = process.receive()
        except ProgramError:
            # An interrupted program may end before it has read the position.
            if not interrupted:
                raise
            return Proof("loss", "win", 0, seconds)
    found = json.loads(line)
    return Proof(found["at_least"], found["at_most"], found["nodes"], seconds)


def identify(program: Path) -> str:
    """Returns version and digest of a program, which tell its measurements from those of others."""
    try:
        digest = hashlib.sha256(program.read_bytes()).hexdigest()[:12]
        version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError) as error:
        raise ProgramError(f"{program} cannot be used: {error}") from error
    return f"{version}, sha256 {digest}"


def find_program(given: Path | None) -> Path:
    """Finds the program: the given one, or the release build of this checkout."""
    path = given or Path(__file__).parents[3] / "target/release/zermelo"
    if not os.access(path, os.X_OK) or not path.is_file():
        raise ProgramError(f"{path} is not a program: build it, or give --program")
    return path.resolve()
