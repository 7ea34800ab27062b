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
    """Starts a program in a folder. It is ended when the standard input of what is returned is closed, by us
    or by our end; where that was needed, the folder goes with it."""
    # A session of its own: what is typed at our terminal is for us to hear.
    return subprocess.Popen(
        [sys.executable, __file__, str(folder), *command],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=errors,
        start_new_session=True,
    )


def hold(folder: Path, command: Sequence[str]) -> int:
    """Runs a program to its end, or ends it when our standard input does."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=die_with_parent)
    left = threading.Event()
    ended = threading.Event()

    def end() -> None:
        while sys.stdin.buffer.read(4096):
            pass
        left.set()
        # To the group, for a tournament has engines.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGTERM)
            ended.wait(MOMENT)
            os.killpg(child.pid, signal.SIGKILL)

    threading.Thread(target=end, daemon=True).start()
    code = child.wait()
    ended.set()
    if left.is_set():
        shutil.rmtree(folder, ignore_errors=True)
    return code


def die_with_parent() -> None:
    """Ray kills the children of a worker that it ends, which is us: then the system kills ours."""
    if sys.platform == "linux":
        pdeathsig = 1
        ctypes.CDLL(None).prctl(pdeathsig, signal.SIGKILL)


if __name__ == "__main__":
    code = hold(Path(sys.argv[1]), sys.argv[2:])
    # As a shell tells it; at once, for a thread still listens.
    os._exit(code if code >= 0 else 128 - code)
