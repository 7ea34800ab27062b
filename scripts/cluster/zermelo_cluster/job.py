"""The code that runs on a node: one call of the program, reported piece by piece.

A job may have a shard: a file that the program appends to and can resume, such as a record of games or a file of
training samples. Additions are sent at once, in whole units, so that an interruption loses less than one unit.
"""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo_cluster.failure import Failure
from zermelo_cluster.supervisor import ERRORS, OUTPUT, Supervisor

if TYPE_CHECKING:
    import ray

# Seconds between two checks of a shard, and between two heartbeats. A check that finds something costs the driver
# and Ray some milliseconds of CPU time; unsent output is lost if the worker dies.
POLL_INTERVAL = 1.0
HEARTBEAT_INTERVAL = 5.0
# Bytes of the program's stderr that are passed on.
STDERR_TAIL = 8000

RECORD = 24
SEAL = b"\xff\xff"


# Input files by their paths in the job's folder.
Files = dict[str, bytes]


@dataclass(frozen=True)
class Program:
    """The program and its source."""

    # Its path on every node; empty if it is sent to the nodes.
    path: str
    # The digest of the driver's program.
    digest: str
    # The node count of `bench`, which shows that the program works on a node.
    signature: int


@dataclass(frozen=True)
class Job:
    """A call of the program."""

    program: Program
    arguments: tuple[str, ...]
    # The file name of the shard, if any; its extension determines the units.
    shard: str = ""
    # The input file to run instead of the program; empty for the program.
    other: str = ""


@dataclass(frozen=True)
class JobInputs:
    """References to the program and the input files of all jobs of a pool, which jobs fetch themselves.

    Ray 2.60 never releases the arguments of a task whose driver was killed (ray-project/ray#64627); program and files
    would fill the memory of a node until no further job starts there."""

    program: ray.ObjectRef
    files: ray.ObjectRef


@dataclass(frozen=True)
class JobStarted:
    """A worker started the job; identifies it in case it must be killed."""

    node: str
    process: int


@dataclass(frozen=True)
class JobOutput:
    """The output and exit code of a program."""

    code: int
    output: bytes
    errors: str
    # The name of the node.
    node: str


@dataclass(frozen=True)
class ShardProgress:
    """The shard of a job grew by `piece`."""

    key: str
    piece: bytes


@dataclass(frozen=True)
class JobDone:
    """A program finished successfully."""

    key: str
    output: bytes


@dataclass(frozen=True)
class JobLost:
    """A job ended without finishing: its worker died, or its program failed or hung."""

    key: str
    reason: str


JobEvent = ShardProgress | JobDone | JobLost


class WrongProgram(Failure):
    """A node has a different program."""


def whole_units(shard: str, content: bytes) -> int:
    """Returns the length of the prefix that consists of whole units: lines, sealed games, or bytes."""
    if shard.endswith(".samples"):
        # The last record of a game starts with the seal; the file header has none.
        for end in range(len(content) // RECORD * RECORD, 0, -RECORD):
            if content[end - RECORD : end - RECORD + 2] == SEAL:
                return end
        return 0
    if shard.endswith(".json"):
        return content.rfind(b"\n") + 1
    return len(content)


def games_in(piece: bytes) -> int:
    """Counts the complete games in a piece of a samples file."""
    return sum(piece.startswith(SEAL, at) for at in range(0, len(piece), RECORD))


def run(inputs: JobInputs, job: Job, existing: bytes) -> Iterator[JobStarted | bytes | JobOutput]:
    """Runs a job with the existing content of its shard. Yields the worker's identity, then additions to the shard
    (empty ones are heartbeats), and at the end the program's output."""
    import ray

    yield JobStarted(ray.get_runtime_context().get_node_id(), os.getpid())
    program: bytes = yield from fetch(inputs.program)
    files: Files = yield from fetch(inputs.files)
    path = install(job.program, program)
    supervisor = Supervisor(tempfile.gettempdir())
    try:
        for file, content in files.items():
            (supervisor.folder / file).parent.mkdir(parents=True, exist_ok=True)
            (supervisor.folder / file).write_bytes(content)
            # Executable, since it may be an engine.
            (supervisor.folder / file).chmod(0o700)
            yield b""
        shard = supervisor.folder / job.shard if job.shard else None
        if shard and existing:
            shard.write_bytes(existing)
        supervisor.start([str(supervisor.folder / job.other if job.other else path), *job.arguments])
        yield from watch(supervisor, shard, len(existing))
        errors = (supervisor.folder / ERRORS).read_bytes().decode(errors="replace")[-STDERR_TAIL:]
        yield JobOutput(supervisor.code, (supervisor.folder / OUTPUT).read_bytes(), errors, node_name())
    finally:
        supervisor.end()


def fetch(reference: ray.ObjectRef) -> Generator[bytes, None, Any]:
    """Returns an object, yielding heartbeats until it has arrived."""
    import ray

    while not ray.wait([reference], timeout=HEARTBEAT_INTERVAL)[0]:
        yield b""
    return ray.get(reference)


def watch(supervisor: Supervisor, shard: Path | None, known: int) -> Iterator[bytes]:
    """Yields additions to the shard, and heartbeats, until the program ends."""
    sent = time.monotonic()
    running = True
    while running:
        running = not supervisor.wait(POLL_INTERVAL)
        fresh = b""
        if shard and shard.exists():
            with shard.open("rb") as file:
                file.seek(known)
                fresh = file.read()
            fresh = fresh[: whole_units(shard.name, fresh)]
            known += len(fresh)
        now = time.monotonic()
        if fresh or now - sent >= HEARTBEAT_INTERVAL:
            sent = now
            yield fresh


def install(program: Program, content: bytes) -> Path:
    """Returns the path of the program on this node, after writing it if it was sent and checking its signature."""
    if program.path:
        path = Path(program.path)
    else:
        path = Path(tempfile.gettempdir()) / f"zermelo-{os.getuid()}-{program.digest}" / "zermelo"
        if not path.exists():
            path.parent.mkdir(mode=0o700, exist_ok=True)
            # Concurrent writers are harmless: each renames an identical file into place.
            own = path.with_name(f"part-{os.getpid()}")
            own.write_bytes(content)
            own.chmod(0o700)
            own.replace(path)
    check_program(path, program)
    return path


def digest(content: bytes) -> str:
    """Returns the digest by which a program or a file is identified."""
    return hashlib.sha256(content).hexdigest()[:16]


# Digests and signatures that this process has computed.
_identities: dict[tuple[Path, int], tuple[str, int]] = {}


def check_program(path: Path, program: Program) -> None:
    """Checks that a program is the driver's and works on this node."""
    node = node_name()
    try:
        key = (path, path.stat().st_mtime_ns)
        if key not in _identities:
            _identities[key] = digest(path.read_bytes()), bench(path)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        # Possibly temporary, so not a `WrongProgram`.
        raise Failure(f"{path} cannot be used on node {node}: {error}") from error
    wanted = program.digest, program.signature
    for name, found, expected in zip(("digest", "bench"), _identities[key], wanted, strict=True):
        if found != expected:
            raise WrongProgram(f"{path} on node {node} is a different program: {name} {found}, expected {expected}")


def node_name() -> str:
    """Returns the host name and Ray's id of this node."""
    import ray

    return f"{socket.gethostname()} ({ray.get_runtime_context().get_node_id()[:8]})"


def bench(path: Path) -> int:
    """Returns the node count of `zermelo bench`."""
    done = subprocess.run([path, "bench"], capture_output=True, text=True, check=True, timeout=300)
    words = done.stdout.splitlines()[-1].split() if done.stdout else []
    if len(words) != 4 or words[1::2] != ["nodes", "nps"]:
        raise ValueError(f"bench ended with {' '.join(words)!r}, expected 'N nodes M nps'")
    return int(words[0])
