"""What runs on a node: one call of the program, told piece by piece.

A job may have a part, a file that the program adds to and goes on with after it was cut off: the record of
some games, a file of samples. What is added is sent at once, in whole units, so that whoever is cut off
loses less than one.
"""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import ray

from zermelo_cluster.failure import Failure
from zermelo_cluster.leash import ERRORS, OUTPUT, Leash

# Seconds between two looks at a part, and between two signs of life. Each look that finds something costs the driver
# and Ray some milliseconds of a CPU, and what was not seen yet is lost with a worker.
LOOK = 1.0
SIGN_OF_LIFE = 5.0
# So much of what a program says on its standard error is passed on.
LAST_WORDS = 2000
# In the arguments of a job: the program's part, and the program itself.
PART = "{part}"

RECORD = 24
SEAL = b"\xff\xff"


# What programs read, by the names in their folder.
Files = dict[str, bytes]


@dataclass(frozen=True)
class Program:
    """The program and where it comes from."""

    # Its path on every node; empty where the bytes travel.
    path: str
    # The number that `bench` ends with: two programs that share it search alike.
    signature: int


@dataclass(frozen=True)
class Job:
    """A call of the program."""

    program: Program
    arguments: tuple[str, ...]
    # The name of the part, if there is one; its ending says what its units are.
    part: str = ""
    # Another interpreter for a Python script instead of the program; empty for the program.
    python: str = ""


@dataclass(frozen=True)
class Begun:
    """A worker has taken up a job: who, in case it has to be killed."""

    node: str
    process: int


@dataclass(frozen=True)
class Output:
    """What a program said, and how it ended."""

    code: int
    output: bytes
    errors: str
    # The name of the node.
    node: str


class WrongProgram(Failure):
    """A node has another program."""


def whole_units(part: str, content: bytes) -> int:
    """How many bytes of a part are whole units: lines, games with their seal, or else any."""
    if part.endswith(".samples"):
        # A game ends with a record that begins with the seal; the head has none.
        for end in range(len(content) // RECORD * RECORD, 0, -RECORD):
            if content[end - RECORD : end - RECORD + 2] == SEAL:
                return end
        return 0
    if part.endswith(".json"):
        return content.rfind(b"\n") + 1
    return len(content)


def games_in(piece: bytes) -> int:
    """How many games of a file of samples are whole in a piece of it."""
    return sum(piece.startswith(SEAL, at) for at in range(0, len(piece), RECORD))


def run(program: bytes, files: Files, job: Job, begun: bytes) -> Iterator[Begun | bytes | Output]:
    """Runs a job, with the files that it reads and what is there of its part. Says who does; yields what is added
    to the part, nothing as a sign of life, and at last what the program said."""
    yield Begun(ray.get_runtime_context().get_node_id(), os.getpid())
    path = place(job.program, program)
    leash = Leash(tempfile.gettempdir())
    try:
        for file, content in files.items():
            (leash.folder / file).parent.mkdir(parents=True, exist_ok=True)
            (leash.folder / file).write_bytes(content)
            # It may be an engine.
            (leash.folder / file).chmod(0o700)
            yield b""
        part = leash.folder / job.part if job.part else None
        if part and begun:
            part.write_bytes(begun)
        leash.begin([job.python or str(path), *job.arguments])
        yield from watch(leash, part, len(begun))
        words = (leash.folder / ERRORS).read_bytes().decode(errors="replace")[-LAST_WORDS:]
        yield Output(leash.code, (leash.folder / OUTPUT).read_bytes(), words, node_name())
    finally:
        leash.end()


def watch(leash: Leash, part: Path | None, known: int) -> Iterator[bytes]:
    """Yields what is added to a part until the program ends, and signs of life."""
    told = time.monotonic()
    running = True
    while running:
        running = not leash.wait(LOOK)
        fresh = b""
        if part and part.exists():
            with part.open("rb") as file:
                file.seek(known)
                fresh = file.read()
            fresh = fresh[: whole_units(part.name, fresh)]
            known += len(fresh)
        now = time.monotonic()
        if fresh or now - told >= SIGN_OF_LIFE:
            told = now
            yield fresh


def place(program: Program, content: bytes) -> Path:
    """Where the program is on this node; puts it there first if it travelled. It must be the right one."""
    if program.path:
        path = Path(program.path)
    else:
        digest = hashlib.sha256(content).hexdigest()[:16]
        path = Path(tempfile.gettempdir()) / f"zermelo-{os.getuid()}-{digest}" / "zermelo"
        if not path.exists():
            path.parent.mkdir(mode=0o700, exist_ok=True)
            # Others may be at it, too; whoever is last wins, with the same.
            own = path.with_name(f"part-{os.getpid()}")
            own.write_bytes(content)
            own.chmod(0o700)
            own.replace(path)
    must_be(path, program.signature)
    return path


# What was asked about its signature by this process already.
_signatures: dict[tuple[Path, int], int] = {}


def must_be(path: Path, signature: int) -> None:
    """Sees that a program searches as the one of whoever asks."""
    node = node_name()
    try:
        key = (path, path.stat().st_mtime_ns)
        if key not in _signatures:
            _signatures[key] = bench(path)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        # Perhaps it goes better next time.
        raise Failure(f"{path} cannot be used on node {node}: {error}") from error
    if _signatures[key] != signature:
        found = _signatures[key]
        raise WrongProgram(f"{path} on node {node} is another program: bench {found}, expected {signature}")


def node_name() -> str:
    """This node, as people and Ray call it."""
    return f"{socket.gethostname()} ({ray.get_runtime_context().get_node_id()[:8]})"


def bench(path: Path) -> int:
    """The number of nodes that `zermelo bench` ends with."""
    done = subprocess.run([path, "bench"], capture_output=True, text=True, check=True, timeout=300)
    words = done.stdout.splitlines()[-1].split() if done.stdout else []
    if len(words) != 4 or words[1::2] != ["nodes", "nps"]:
        raise ValueError(f"bench ended with {' '.join(words)!r}, expected 'N nodes M nps'")
    return int(words[0])
