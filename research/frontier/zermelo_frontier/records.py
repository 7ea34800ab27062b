"""Results in a file of JSON lines that a run appends to and resumes from."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import Any

Record = dict[str, Any]


class RecordsError(Exception):
    """A file cannot be used."""


class Records:
    """A file whose first line holds the settings and each further line one result. A line is on disk before the next
    measurement starts; the remains of a line that was cut off are removed."""

    def __init__(self, path: Path, settings: Record) -> None:
        """Opens a file for resuming, creating it if missing. Refuses a file with other settings."""
        self.path = path
        try:
            self._file = path.open("a+b")
        except OSError as error:
            raise RecordsError(f"{path}: {error.strerror}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self.close()
            raise RecordsError(f"{path}: another run is using this file") from error
        try:
            self.lines = self._load(settings)
        except RecordsError:
            self.close()
            raise

    def _load(self, settings: Record) -> list[Record]:
        path = self.path
        self._file.seek(0)
        content = self._file.read()
        whole = content.rfind(b"\n") + 1
        try:
            found = [json.loads(line) for line in content[:whole].splitlines()]
        except ValueError as error:
            raise RecordsError(f"{path} is not a file of JSON lines: {error}") from error
        if not whole and content and not content.startswith(b'{"type": "settings"'):
            raise RecordsError(f"{path} is not a file of measurements")
        wanted = {"type": "settings", **settings}
        if found and found[0] != wanted:
            names = [name for name in wanted if found[0].get(name) != wanted[name]] or ["type"]
            known = {name: found[0].get(name) for name in names}
            expected = {name: wanted[name] for name in names}
            raise RecordsError(f"{path} has other settings: {known}, expected {expected}")
        self._file.truncate(whole)
        if not found:
            self._write(wanted)
        return found[1:]

    def append(self, record: Record) -> None:
        self._write(record)
        self.lines.append(record)

    def _write(self, record: Record) -> None:
        self._file.write(json.dumps(record).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


def read(path: Path) -> tuple[Record, list[Record]]:
    """Reads the settings and results of a file, also while a run appends to it."""
    try:
        content = path.read_bytes()
        lines = [json.loads(line) for line in content[: content.rfind(b"\n") + 1].splitlines()]
    except (OSError, ValueError) as error:
        raise RecordsError(f"{path} cannot be read: {error}") from error
    if not lines or lines[0].get("type") != "settings":
        raise RecordsError(f"{path} is not a file of measurements")
    return lines[0], lines[1:]
