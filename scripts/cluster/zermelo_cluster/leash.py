"""Runs a program that must not outlive us, whatever becomes of us.

A worker of Ray may be killed at any moment, and the program it started would play on, unheard. So there
is a process between them that waits for the end of its standard input: it ends with the worker, and then
the program and all that it started are killed. Run as a script, for the nodes need nothing but Python.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO

# So long a program may take to end in order.
MOMENT = 5.0


def begin(command: Sequence[str], folder: Path, output: IO[bytes], errors: IO[bytes]) -> subprocess.Popen[bytes]:
    """Starts a program in a folder. When the standard input of what is returned is closed, by us or by our end, the
    program is ended, if it has not, and the folder removed."""
    # A session of its own: what is typed at our terminal is for us to hear.
    return subprocess.Popen(
        [sys.executable, __file__, str(folder), *command],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=errors,
        start_new_session=True,
    )


def hold(folder: Path, command: Sequence[str], told: int) -> None:
    """Runs a program to its end, or ends it when our standard input does. Tells its exit code as soon as it is
    known, and stays until the folder is not needed any more."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=die_with_parent)
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
    shutil.rmtree(folder, ignore_errors=True)


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
        hold(Path(sys.argv[1]), sys.argv[2:], told)
        return 0
    os.close(told)
    # The end of our standard input is for the other to see.
    os.close(0)
    code = os.read(heard, 1)
    return code[0] if code else 128 + signal.SIGKILL


if __name__ == "__main__":
    # At once: there is nothing to put in order.
    os._exit(main())
