"""Reads the files of `zermelo datagen`."""

import zlib
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
    """Returns the positions of all complete games in a file, in the order of their numbers."""
    whole = path.stat().st_size // RECORD.itemsize
    records = np.memmap(path, dtype=RECORD, mode="r", shape=(whole,))[HEAD:]
    seals = np.flatnonzero(records["boards"][:, 0] == SEAL)
    records = records[: seals[-1] + 1] if len(seals) else records[:0]
    # The number of a game is in bytes 4 to 11 of its seal.
    numbers = np.ascontiguousarray(records["boards"][seals, 2:6]).view("<u8").ravel()
    lengths = np.diff(seals, prepend=-1)
    positions = np.delete(records, seals)
    return positions[np.argsort(np.repeat(numbers, lengths - 1), kind="stable")]


def checksum(positions: np.ndarray) -> int:
    """Returns the CRC-32 of positions, without their scores and results."""
    seen = np.empty(len(positions), dtype=[("boards", "<u2", 9), ("forced", "u1")])
    seen["boards"], seen["forced"] = positions["boards"], positions["forced"]
    return zlib.crc32(seen.tobytes())


def game(path: Path) -> str:
    """Returns the game that a file's header names."""
    with path.open("rb") as file:
        words = file.read(HEAD * RECORD.itemsize).decode("ascii", errors="replace").split()
    if "game" not in words[:-1]:
        raise SystemExit(f"{path} does not name its game in the header, as the files of `zermelo datagen` do")
    return words[words.index("game") + 1]
