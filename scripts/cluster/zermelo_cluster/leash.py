"""Keeps a program, and all it starts, from outliving the worker that started it.

A worker of Ray may be killed at any moment, and the program it started would play on, unheard, its folder stay
behind. So there is a process between them that waits for the end of its standard input: it ends with the worker,
and then the program and all that it started are killed, and the folder is removed. Run as a script, for the nodes
need nothing but Python.
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

# So long a program may take to end in order.
MOMENT = 5.0
# What the program says, in its folder.
OUTPUT, ERRORS = ".output", ".errors"


class Leash:
    """A folder, and the program that works in it."""

    def __init__(self, below: str) -> None:
        """Makes the folder below another."""
        self._process = subprocess.Popen(
            # Nothing that is installed here is needed, and without it there is less to wait for.
            [sys.executable, "-I", "-S", __file__, below],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # A session of its own: what is typed at our terminal is for us to hear.
            start_new_session=True,
        )
        assert self._process.stdout
        folder = self._process.stdout.readline().decode().strip()
        if not folder:
            self.end()
            raise OSError(f"no folder can be made below {below}")
        self.folder = Path(folder)

    def begin(self, command: Sequence[str]) -> None:
        """Starts the program in the folder."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps(command).encode() + b"\n")
        self._process.stdin.flush()

    def wait(self, seconds: float) -> bool:
        """Whether the program ends in this time."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    @property
    def code(self) -> int:
        """The exit code, after the end."""
        return int(self._process.returncode)

    def end(self) -> None:
        """Ends the program, if it has not, and removes the folder. The same happens when this process ends."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
        self._process.wait()


def hold(below: str, told: int) -> None:
    """Makes a folder and tells its name; runs the program that is asked for to its end, or ends it when our standard
    input does. Tells its exit code as soon as it is known, and stays until the folder is not needed any more."""
    folder = Path(below) / f"zermelo-job-{os.getpid()}-{time.monotonic_ns()}"
    folder.mkdir(mode=0o700)
    try:
        with contextlib.suppress(BrokenPipeError):
            print(folder, flush=True)
        asked = sys.stdin.buffer.readline()
        if asked.endswith(b"\n"):
            work(json.loads(asked), folder, told)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def work(command: Sequence[str], folder: Path, told: int) -> None:
    """Runs the program, and waits for the end of our standard input."""
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
            # As a shell says it.
            errors.write(f"{command[0]} cannot be run: {error.strerror}\n".encode())
            errors.flush()
            os.write(told, bytes([127]))
            sys.stdin.buffer.read()
            return
    ended = threading.Event()

    def listen() -> None:
        while sys.stdin.buffer.read(4096):
            pass
        if not ended.is_set():
            # A tournament that is told to end sees to its engines.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGTERM)
                ended.wait(MOMENT)
                os.killpg(child.pid, signal.SIGKILL)

    listener = threading.Thread(target=listen)
    listener.start()
    code = child.wait()
    ended.set()
    # As a shell tells it. Perhaps nobody listens any more.
    with contextlib.suppress(BrokenPipeError):
        os.write(told, bytes([code if code >= 0 else 128 - code]))
    listener.join()


def die_with_parent() -> None:
    """Should somebody kill us, the system kills what we hold."""
    if sys.platform == "linux":
        pdeathsig = 1
        ctypes.CDLL(None).prctl(pdeathsig, signal.SIGKILL)


def main() -> int:
    """Ray kills the children of a worker that it ends. Those are spared who are no children of its: one process
    waits for the exit code, its child holds the leash."""
    heard, told = os.pipe()
    if os.fork() == 0:
        os.close(heard)
        hold(sys.argv[1], told)
        return 0
    os.close(told)
    # The ends of our standard input and output are for the other to see.
    os.close(0)
    os.close(1)
    code = os.read(heard, 1)
    return code[0] if code else 128 + signal.SIGKILL


if __name__ == "__main__":
    # At once: there is nothing to put in order.
    os._exit(main())
