"""What the commands share: the cluster, the program, the terminal."""

from __future__ import annotations

import argparse
import contextlib
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn

import ray

import zermelo_cluster
from zermelo_cluster.crew import Crew, check_nodes
from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.job import Program, bench


def add_options(parser: argparse.ArgumentParser) -> None:
    """What every command takes."""
    group = parser.add_argument_group("the cluster")
    group.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="the Ray cluster; without it $RAY_ADDRESS, or a new one on this machine",
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
        type=float,
        default=60,
        help="a job without a sign of life for so many seconds is given out again (%(default)s)",
    )


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} found, expected a whole number from 1")
    return number


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

    program: Program
    # The program here, for what is put together.
    path: Path
    content: bytes
    nodes: list[str]
    workers: int
    options: argparse.Namespace

    def crew(self, stall: float, gpus: int = 0) -> Crew:
        return Crew(self.content, self.options.silence, stall, self.options.cpus, gpus)

    def run(self, arguments: Sequence[str]) -> str:
        """What the program says, run here; its remarks go to standard error."""
        done = subprocess.run([self.path, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        if done.returncode == 2:
            raise BadInput(f"{' '.join(arguments[:2])} was refused")
        if done.returncode:
            raise Failure(f"{' '.join(arguments[:2])} ended with exit code {done.returncode}")
        return done.stdout


@contextlib.contextmanager
def site(options: argparse.Namespace) -> Iterator[Site]:
    """Connects to the cluster and sees that every node has the program, before anything is begun."""
    path = find_program(options.program)
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
        except (ConnectionError, ray.exceptions.RayError) as error:
            raise Failure(f"no cluster: {error}") from error
        try:
            nodes = check_nodes(content, program)
            cpus = int(ray.cluster_resources().get("CPU", 1))
            workers = options.workers or max(1, cpus // options.cpus)
            say(f"{len(nodes)} node(s), {workers} worker(s), bench {program.signature}: {', '.join(nodes)}")
            if context.dashboard_url:
                say(f"to be watched at http://{context.dashboard_url}")
            yield Site(program, path, content, nodes, workers, options)
        finally:
            ray.shutdown()


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

    PAUSE = 30.0

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._told = time.monotonic()
        self._width = 0

    def tell(self, text: str) -> None:
        now = time.monotonic()
        if self._is_terminal:
            sys.stderr.write("\r" + text.ljust(self._width))
            sys.stderr.flush()
            self._width = len(text)
        elif now - self._told >= self.PAUSE:
            self._told = now
            say(text)

    def clear(self) -> None:
        """Before anything else is written."""
        if self._is_terminal and self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0


class Interrupted(Exception):
    """Somebody wants it to end."""


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C, SIGTERM and SIGHUP end the work in order."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        raise Interrupted

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
