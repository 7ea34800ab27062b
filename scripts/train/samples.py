"""Reads the files of `zermelo datagen`."""

from pathlib import Path

import numpy as np

HEAD = 8
SEAL = 0xFFFF
RECORD = np.dtype(
    [
        ("boards", "<u2", 9),
        ("forced", "u1"),
        ("result", "i1"),
        ("points", "<i2"),
        ("stones", "u1"),
        ("spare", "u1"),
    ]
)


def read(path: Path) -> np.ndarray:
    """Returns the positions of all complete games in a file, in the order of play."""
    whole = path.stat().st_size // RECORD.itemsize
    records = np.memmap(path, dtype=RECORD, mode="r", shape=(whole,))[HEAD:]
    seals = np.flatnonzero(records["boards"][:, 0] == SEAL)
    records = records[: seals[-1] + 1] if len(seals) else records[:0]
    return np.delete(records, seals)


def game(path: Path) -> str:
    """Returns the game that a file's header names."""
    with path.open("rb") as file:
        words = file.read(HEAD * RECORD.itemsize).decode("ascii", errors="replace").split()
    if "game" not in words[:-1]:
        raise SystemExit(f"{path} does not name its game in the header, as the files of `zermelo datagen` do")
    return words[words.index("game") + 1]
