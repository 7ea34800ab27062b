"""What the commands share: the cluster, the program, the terminal."""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import ClassVar

import ray

import zermelo_cluster
from zermelo_cluster.crew import Crew, check_nodes
from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.job import Files, Program, bench


def add_options(parser: argparse.ArgumentParser) -> None:
    """What every command takes."""
    group = parser.add_argument_group("the cluster")
    group.add_argument(
        "--cluster",
        metavar="HOST:PORT",
        help="the Ray cluster; without it the one of $RAY_ADDRESS or on this machine, else a new one",
    )
    group.add_argument("--program", metavar="PATH", type=Path, help="the zermelo to use; it travels with the jobs")
    group.add_argument(
        "--program-on-nodes", metavar="PATH", help="nothing travels, every node has the program at this place"
    )
    group.add_argument("--workers", metavar="N", type=positive, help="so many jobs at a time; without it one a CPU")
    group.add_argument("--cpus", metavar="N", type=positive, default=1, help="what a job takes of a node (%(default)s)")
    group.add_argument(
        "--silence",
        metavar="S",
        type=seconds,
        default=60,
        help="a job without a sign of life for so many seconds is given out again (%(default)s)",
    )


# No number of anything is larger.
MOST = 10**12


def natural(text: str, least: int = 0) -> int:
    """A whole number."""
    if not text.isdecimal() or not least <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"{text!r} found, expected a whole number from {least} to {MOST}")
    return int(text)


def positive(text: str) -> int:
    return natural(text, 1)


def seconds(text: str) -> float:
    """A time."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 1e-6 <= number <= 1e9:
        raise argparse.ArgumentTypeError(f"{text!r} found, expected a number of seconds")
    return number


def beside(path: Path, ending: str) -> Path:
    """A name beside another."""
    return path.with_name(path.name + ending)


def check_place(path: Path) -> None:
    """Sees that a file can be put there, before anything is done for it."""
    if not path.name or path.is_dir() or (path.exists() and not path.is_file()):
        raise BadInput(f"'{path}' cannot be written to, expected a file")
    try:
        tempfile.TemporaryFile(dir=path.parent).close()
    except OSError as error:
        raise BadInput(f"{path} cannot be written to: {error.strerror}") from error


def check_address(address: str) -> None:
    """Sees that somebody listens there; Ray waits for minutes, and hears no signal meanwhile."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if address in ("", "auto", "local"):
        return
    if not colon or not host or not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise BadInput(f"--cluster {address}: expected HOST:PORT")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=5).close()
    except OSError as error:
        raise Failure(f"no cluster: nobody answers at {address}: {error.strerror or error}") from error


def find_program(given: Path | None) -> Path:
    """The program: the one that is named, the one that was built here, or the one on the PATH."""
    if given:
        path: Path | None = given
    else:
        built = Path(__file__).parents[3] / "target/release/zermelo"
        on_path = shutil.which("zermelo")
        path = built if built.exists() else Path(on_path) if on_path else None
    if path is None or not path.is_file():
        where = f"{given} is no program" if given else "there is no zermelo: build it, or name it by --program"
        raise BadInput(where)
    return path.resolve()


@dataclass
class Site:
    """A cluster on which every node has the program."""

    # Seconds between two looks at the nodes.
    LOOK: ClassVar[float] = 5.0

    program: Program
    # The program here, for what is put together.
    path: Path
    content: bytes
    options: argparse.Namespace
    _looked: float = 0.0
    _workers: int = 0

    def workers(self) -> int:
        """How many jobs shall be under way: as many as the nodes take, unless somebody said. Nodes come and go."""
        if self.options.workers:
            return int(self.options.workers)
        now = time.monotonic()
        if now - self._looked > self.LOOK:
            self._looked = now
            self._workers = sum(int(cpus) // self.options.cpus for cpus in node_cpus())
        return max(1, self._workers)

    def crew(self, files: Files, stall: float, gpus: int = 0) -> Crew:
        return Crew(self.content, files, self.options.silence, stall, self.options.cpus, gpus)

    def run(self, arguments: Sequence[str], remarks: bool = True) -> str:
        """What the program says, run here; with its remarks for people, if they are wanted."""
        done = subprocess.run([self.path, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode == 2:
            raise BadInput(done.stderr.strip())
        if done.returncode:
            raise Failure(f"{done.stderr.strip()} (exit code {done.returncode})")
        if remarks:
            sys.stderr.write(done.stderr)
        return done.stdout


@contextlib.contextmanager
def connect(options: argparse.Namespace) -> Iterator[Site]:
    """Connects to the cluster and sees that every node has the program, before anything is begun."""
    path = find_program(options.program)
    check_address(options.cluster or os.environ.get("RAY_ADDRESS", ""))
    try:
        program = Program(options.program_on_nodes or "", bench(path))
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise BadInput(f"{path} cannot be used: {error}") from error
    content = b"" if program.path else path.read_bytes()
    # The nodes need this package, too, and nothing else.
    packages = {"py_modules": [str(Path(zermelo_cluster.__file__).parent)]}
    # Ray's own remarks are for people, too: standard output is for results.
    with contextlib.redirect_stdout(sys.stderr):
        try:
            context = ray.init(options.cluster, runtime_env=packages, log_to_driver=False, logging_level="ERROR")
        except (ConnectionError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
            raise Failure(f"no cluster: {error.__cause__ or error}") from error
        try:
            nodes = check_nodes(content, program)
            most = max(node_cpus())
            if most < options.cpus:
                raise BadInput(f"--cpus {options.cpus} is more than a node has, {most:g} at most")
            site = Site(program, path, content, options)
            say(f"{len(nodes)} node(s), {site.workers()} worker(s), bench {program.signature}: {', '.join(nodes)}")
            if context.dashboard_url:
                say(f"to be watched at http://{context.dashboard_url}")
            # Not before, for Ray takes signals for itself.
            catch_signals()
            yield site
        finally:
            ray.shutdown()


def node_cpus() -> list[float]:
    """The CPUs of each node that lives."""
    return [node["Resources"].get("CPU", 0) for node in ray.nodes() if node["Alive"]]


# Where results go, whatever is redirected meanwhile.
_results = sys.stdout


def tell(text: str) -> None:
    """A result."""
    print(text, file=_results, flush=True)


def say(text: str) -> None:
    """Something for people."""
    print(f"zermelo_cluster: {text}", file=sys.stderr, flush=True)


class Ticker:
    """How far it is: one line that changes on a terminal, elsewhere a line every half a minute."""

    MOMENT = 0.2
    PAUSE = 30.0

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._told = time.monotonic()
        self._width = 0

    def tell(self, tell: Callable[[], str]) -> None:
        now = time.monotonic()
        if now - self._told < (self.MOMENT if self._is_terminal else self.PAUSE):
            return
        self._told = now
        text = tell()
        if self._is_terminal:
            sys.stderr.write("\r" + text.ljust(self._width))
            sys.stderr.flush()
            self._width = len(text)
        else:
            say(text)

    def clear(self) -> None:
        """Before anything else is written."""
        if self._is_terminal and self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0


class Interrupted(Exception):
    """Somebody wants it to end."""


_interrupted = threading.Event()


def check_interrupt() -> None:
    """The moment at which the work may end in order: an exception anywhere else might tear what Ray is doing."""
    if _interrupted.is_set():
        raise Interrupted


def catch_signals() -> None:
    """Ctrl-C, SIGTERM and SIGHUP end the work in order; whoever cannot wait says it twice."""

    def end(number: int, frame: FrameType | None) -> None:
        if _interrupted.is_set():
            os._exit(1)
        _interrupted.set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
