"""Shared by the commands: connecting to the cluster, finding the program, terminal output."""

from __future__ import annotations

import argparse
import contextlib
import json
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
from typing import TYPE_CHECKING, Any, ClassVar, TextIO

import zermelo_cluster
from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.job import Files, Program, bench, digest

if TYPE_CHECKING:
    from zermelo_cluster.worker_pool import WorkerPool


def option(parser: argparse._ActionsContainer, flag: str, kind: Callable[[str], Any], text: str, **more: Any) -> None:
    """Adds an option, given as `--flag METAVAR`."""
    name, _, metavar = flag.partition(" ")
    parser.add_argument(name, metavar=metavar, type=kind, help=text, **more)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of every command."""
    group = parser.add_argument_group("cluster")
    where = "Ray cluster (default: $RAY_ADDRESS, else one running on this machine, else a new one)"
    option(group, "--cluster HOST:PORT", str, where)
    option(group, "--program PATH", Path, "zermelo binary to use; it is sent to the nodes")
    option(group, "--program-on-nodes PATH", str, "path of the binary on every node; nothing is sent")
    option(group, "--workers N", positive, "jobs at a time (default: one per CPU)")
    option(group, "--cpus N", positive, "CPUs per job (%(default)s)", default=1)
    silence = "restart a job after this many seconds without a heartbeat (%(default)s)"
    option(group, "--silence S", seconds, silence, default=60)
    option(group, "--progress FILE", Path, "append the progress as JSON, a line every 10 s")


# Upper limit of every numeric option.
MAX_NUMBER = 10**12


def natural(text: str, least: int = 0) -> int:
    """Parses a whole number."""
    if not text.isdecimal() or not least <= int(text) <= MAX_NUMBER:
        raise argparse.ArgumentTypeError(f"{text!r} found, expected a whole number from {least} to {MAX_NUMBER}")
    return int(text)


def positive(text: str) -> int:
    return natural(text, 1)


def seconds(text: str) -> float:
    """Parses a duration in seconds."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 1e-6 <= number <= 1e9:
        raise argparse.ArgumentTypeError(f"{text!r} found, expected a number of seconds from 0.000001 to 1000000000")
    return number


def with_ending(path: Path, ending: str) -> Path:
    """Appends an ending to a file name."""
    return path.with_name(path.name + ending)


def check_writable(path: Path) -> None:
    """Checks that a file can be created there, before any work is done."""
    if not path.name or path.is_dir() or (path.exists() and not path.is_file()):
        raise BadInput(f"'{path}' cannot be written to, expected a file")
    try:
        tempfile.TemporaryFile(dir=path.parent).close()
    except OSError as error:
        raise BadInput(f"{path} cannot be written to: {error.strerror}") from error


def check_address(address: str) -> None:
    """Checks that the address accepts connections; Ray itself would wait for minutes and ignore signals."""
    current = Path(os.environ.get("RAY_TMPDIR", "/tmp")) / "ray/ray_current_cluster"
    remedy, is_found = "", address in ("", "auto")
    if is_found and current.exists():
        # Written by `ray start`, and left behind if the head dies.
        address = current.read_text().strip()
        remedy = f"; {current} names it: run `ray stop`, or remove that file"
    if address in ("", "auto", "local"):
        return
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise BadInput(f"--cluster {address}: expected HOST:PORT")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=5).close()
    except OSError as error:
        raise Failure(f"no cluster: no answer from {address}: {error.strerror or error}{remedy}") from error
    if not address.startswith("ray://"):
        # As Ray does it: without a mode, the token is for a cluster that was found on this machine.
        mode = os.environ.get("RAY_AUTH_MODE", "token" if is_found else "")
        check_access(address, find_token() if mode == "token" else None)


def check_access(address: str, token: str | None) -> None:
    """Checks that the cluster accepts this token, or needs none; Ray itself would ask for a minute."""
    import grpc

    with grpc.insecure_channel(address) as channel:
        ask = channel.unary_unary("/ray.rpc.NodeInfoGcsService/GetClusterId")
        try:
            ask(b"", timeout=10, metadata=[("authorization", f"Bearer {token}")] if token else [])
        except grpc.RpcError as error:
            # Other errors are for Ray to explain.
            if error.code() == grpc.StatusCode.UNAUTHENTICATED:
                raise Failure(f"no access to {address}: {TOKEN_REMEDY}") from error


TOKEN_REMEDY = "set RAY_AUTH_MODE=token, and put the cluster's token into ~/.ray/auth_token or RAY_AUTH_TOKEN"


def check_token() -> None:
    """Checks that there is a token if RAY_AUTH_MODE asks for one."""
    if os.environ.get("RAY_AUTH_MODE") == "token" and not find_token():
        raise Failure(f"no token: {TOKEN_REMEDY}")


def find_token() -> str | None:
    """Returns the token that Ray would use."""
    if token := os.environ.get("RAY_AUTH_TOKEN"):
        return token
    path = Path(os.environ.get("RAY_AUTH_TOKEN_PATH") or Path.home() / ".ray/auth_token")
    return path.read_text().strip() if path.is_file() else None


def find_program(given: Path | None) -> Path:
    """Finds the program: the given one, the one on the PATH, or the one built in this checkout."""
    if given:
        path: Path | None = given
    else:
        built = Path(__file__).parents[3] / "target/release/zermelo"
        on_path = shutil.which("zermelo")
        path = Path(on_path) if on_path else built if built.exists() else None
    if path is None or not path.is_file():
        problem = f"{given} is not a file" if given else "zermelo not found: build it or give --program"
        raise BadInput(problem)
    return path.resolve()


@dataclass
class Cluster:
    """A cluster on which every node has the program."""

    # Seconds between two queries of the nodes.
    NODE_QUERY_INTERVAL: ClassVar[float] = 5.0

    program: Program
    # The program on this machine, for merging.
    path: Path
    content: bytes
    options: argparse.Namespace
    _queried: float = 0.0
    _workers: int = 0

    def workers(self) -> int:
        """Returns the number of jobs to keep running: `--workers`, else as many as the current nodes can take."""
        if self.options.workers:
            return int(self.options.workers)
        now = time.monotonic()
        if now - self._queried > self.NODE_QUERY_INTERVAL:
            self._queried = now
            self._workers = sum(int(cpus) // self.options.cpus for cpus in node_cpus())
        return max(1, self._workers)

    def worker_pool(self, files: Files, stall: float) -> WorkerPool:
        from zermelo_cluster.worker_pool import WorkerPool

        return WorkerPool(self.content, files, self.options.silence, stall, self.options.cpus)

    def run(self, arguments: Sequence[str], remarks: bool = True) -> str:
        """Runs the program on this machine and returns its output; passes stderr through if `remarks` is set."""
        done = subprocess.run([self.path, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode == 2:
            raise BadInput(done.stderr.strip())
        if done.returncode:
            raise Failure(f"{done.stderr.strip()} (exit code {done.returncode})")
        if remarks:
            (_messages or sys.stderr).write(done.stderr)
        return done.stdout


@contextlib.contextmanager
def connect(options: argparse.Namespace) -> Iterator[Cluster]:
    """Connects to the cluster and checks that every node has the right program before any work starts."""
    path = find_program(options.program)
    check_token()
    check_address(options.cluster or os.environ.get("RAY_ADDRESS", ""))
    try:
        content = path.read_bytes()
        program = Program(options.program_on_nodes or "", digest(content), bench(path))
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise BadInput(f"{path} cannot be used: {error}") from error
    content = b"" if program.path else content
    # Only now, since it takes seconds.
    import ray

    from zermelo_cluster.worker_pool import check_nodes

    # Apart from the program, the nodes only need this package.
    packages = {"py_modules": [str(Path(zermelo_cluster.__file__).parent)]}
    with set_ray_aside():
        try:
            context = ray.init(options.cluster, runtime_env=packages, log_to_driver=False, logging_level="ERROR")
        except Exception as error:  # Ray raises any kind.
            raise Failure(f"no cluster: {error.__cause__ or error}") from error
        try:
            nodes = check_nodes(content, program)
            most = max(node_cpus())
            if most < options.cpus:
                raise BadInput(f"--cpus {options.cpus}: no node has more than {most:g}")
            cluster = Cluster(program, path, content, options)
            counts = f"{plural(len(nodes), 'node')}, {plural(cluster.workers(), 'worker')}"
            log(f"{counts}, bench {program.signature}: {', '.join(nodes)}")
            if context.dashboard_url:
                log(f"dashboard at http://{context.dashboard_url}")
            # Ray installs its own signal handlers first.
            catch_signals()
            yield cluster
        finally:
            ray.shutdown()


def node_cpus() -> list[float]:
    """Returns how many CPUs each live node has."""
    import ray

    return [node["Resources"].get("CPU", 0) for node in ray.nodes() if node["Alive"]]


# The real stdout and stderr, also while they are redirected.
_results: TextIO | None = None
_messages: TextIO | None = None


@contextlib.contextmanager
def set_ray_aside() -> Iterator[None]:
    """Keeps what Ray writes out of stdout and, unless that is a terminal, stderr; the logs of its session have it."""
    global _results, _messages
    _results, _messages = sys.stdout, sys.stderr
    if sys.stderr.isatty():
        with contextlib.redirect_stdout(sys.stderr):
            yield
        return
    # Ray's native code writes to the file descriptor.
    with os.fdopen(os.dup(2), "w") as _messages, Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
                yield
        finally:
            os.dup2(_messages.fileno(), 2)
            _messages = None


def plural(count: int, noun: str) -> str:
    """Returns a count with its noun."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def print_result(text: str) -> None:
    """Prints a result to stdout."""
    print(text, file=_results or sys.stdout, flush=True)


def log(text: str) -> None:
    """Prints a message to stderr."""
    print(f"zermelo_cluster: {text}", file=_messages or sys.stderr, flush=True)


class ProgressLine:
    """Shows progress: a line updated in place on a terminal, elsewhere a line every 30 seconds. May also append it
    to a file as lines of JSON."""

    UPDATE_INTERVAL = 0.2
    LOG_INTERVAL = 30.0
    FILE_INTERVAL = 10.0

    def __init__(self, file: Path | None) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._updated = time.monotonic()
        self._file = file
        self._written = -math.inf
        self._width = 0

    def update(self, text: str, state: Callable[[], dict[str, object]]) -> None:
        """Shows the text, formatted with the state, unless the last update was a moment ago."""
        now = time.monotonic()
        if self._file and now - self._written >= self.FILE_INTERVAL:
            self._written = now
            with self._file.open("a") as file:
                file.write(json.dumps({"time": time.time(), **state()}) + "\n")
        if now - self._updated < (self.UPDATE_INTERVAL if self._is_terminal else self.LOG_INTERVAL):
            return
        self._updated = now
        text = text.format(**state())
        if self._is_terminal:
            sys.stderr.write("\r" + text.ljust(self._width))
            sys.stderr.flush()
            self._width = len(text)
        else:
            log(text)

    def clear(self) -> None:
        """Erases the line, so that other output can be written."""
        if self._is_terminal and self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0


class Interrupted(Exception):
    """Raised after a signal that asks the command to end."""


_interrupted = threading.Event()


def check_interrupt() -> None:
    """Raises `Interrupted` after a signal. Called where it is safe: an exception inside Ray could corrupt its state."""
    if _interrupted.is_set():
        raise Interrupted


def catch_signals() -> None:
    """Makes Ctrl-C, SIGTERM and SIGHUP end the work cleanly, and a second signal end it at once."""

    def end(number: int, frame: FrameType | None) -> None:
        if _interrupted.is_set():
            os._exit(1)
        _interrupted.set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
