"""Ensures that a program and its children never outlive the worker that started them.

A Ray worker may be killed at any moment, which would leave its program running and its folder behind. So a
supervisor process stands between them and reads its standard input until it closes: that happens when the worker
ends, and then the supervisor kills the program with its children and removes the folder. It runs as a script, since
the nodes have nothing but Python.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

# Seconds between SIGTERM and SIGKILL.
GRACE_PERIOD = 5.0
# Files in the job's folder that receive stdout and stderr.
OUTPUT, ERRORS = ".output", ".errors"


class Supervisor:
    """Runs a program in its own temporary folder."""

    def __init__(self, below: str) -> None:
        """Starts the supervisor, which creates the folder below another."""
        self._process = subprocess.Popen(
            # Without site packages Python starts faster.
            [sys.executable, "-I", "-S", __file__, below],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Its own session, so that Ctrl-C at the terminal reaches only this process.
            start_new_session=True,
        )
        assert self._process.stdout
        folder = self._process.stdout.readline().decode().strip()
        if not folder:
            self.end()
            raise OSError(f"cannot create a folder below {below}")
        self.folder = Path(folder)

    def start(self, command: Sequence[str]) -> None:
        """Starts the program in the folder."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps(command).encode() + b"\n")
        self._process.stdin.flush()

    def wait(self, seconds: float) -> bool:
        """Waits for the program; returns whether it ended in this time."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    @property
    def code(self) -> int:
        """The exit code, once the program has ended."""
        return int(self._process.returncode)

    def end(self) -> None:
        """Ends the program if it is running and removes the folder, as also happens when this process ends."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
        self._process.wait()


def supervise(below: str, exit_pipe: int) -> None:
    """Creates a folder and prints its name, runs the requested program until it ends or stdin closes, writes its
    exit code to `exit_pipe`, and removes the folder when stdin closes."""
    folder = Path(below) / f"zermelo-job-{os.getpid()}-{time.monotonic_ns()}"
    folder.mkdir(mode=0o700)
    try:
        with contextlib.suppress(BrokenPipeError):
            print(folder, flush=True)
        request = sys.stdin.buffer.readline()
        if request.endswith(b"\n"):
            run_program(json.loads(request), folder, exit_pipe)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_program(command: Sequence[str], folder: Path, exit_pipe: int) -> None:
    """Runs the program, then waits for stdin to close."""
    with (folder / OUTPUT).open("wb") as output, (folder / ERRORS).open("wb") as errors:
        try:
            child = subprocess.Popen(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        except OSError as error:
            # 127 as in a shell.
            errors.write(f"{command[0]} cannot be run: {error.strerror}\n".encode())
            errors.flush()
            os.write(exit_pipe, bytes([127]))
            sys.stdin.buffer.read()
            return
    ended = threading.Event()

    def listen() -> None:
        while sys.stdin.buffer.read(4096):
            pass
        if not ended.is_set():
            # On SIGTERM a match stops its engines itself.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGTERM)
                ended.wait(GRACE_PERIOD)
                os.killpg(child.pid, signal.SIGKILL)

    listener = threading.Thread(target=listen)
    listener.start()
    code = child.wait()
    ended.set()
    # Coded as in a shell. The reader may be gone.
    with contextlib.suppress(BrokenPipeError):
        os.write(exit_pipe, bytes([code if code >= 0 else 128 - code]))
    listener.join()


def die_with_parent() -> None:
    """Makes the kernel kill the program if the supervisor is killed (Linux only)."""
    if sys.platform == "linux":
        pdeathsig = 1
        ctypes.CDLL(None).prctl(pdeathsig, signal.SIGKILL)


def main() -> int:
    """Forks: Ray kills the direct children of a worker that it ends, so the supervisor must be a grandchild. The
    child waits for the exit code."""
    exit_code, exit_pipe = os.pipe()
    if os.fork() == 0:
        os.close(exit_code)
        supervise(sys.argv[1], exit_pipe)
        return 0
    os.close(exit_pipe)
    # Only the supervisor may hold stdin and stdout open.
    os.close(0)
    os.close(1)
    code = os.read(exit_code, 1)
    return code[0] if code else 128 + signal.SIGKILL


if __name__ == "__main__":
    # Skips interpreter shutdown, since there is nothing to clean up.
    os._exit(main())
