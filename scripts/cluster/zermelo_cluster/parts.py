"""Work that is cut into parts, each played by one job, and kept on disk as it comes in.

A folder holds a file for each part that was begun, a mark with its length for each that is done, and
`plan.json`, which says what the parts are of. What is in a part is never lost: a job that is given up is done again
from there, and so is everything when the same command is given again.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo_cluster.crew import Crew, Done, Grown, Lost
from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.job import Job, whole_units

# A part that is lost so often without getting any longer is not tried again.
ATTEMPTS = 5
# Each part is a file or two.
MOST_PARTS = 1_000_000


@dataclass(frozen=True)
class Part:
    """The games numbered from `first` up to `last`, both included."""

    first: int
    last: int
    # ".json" or ".samples".
    ending: str

    @property
    def name(self) -> str:
        return f"{self.first:08}-{self.last:08}{self.ending}"


def cut(first: int, last: int, size: int, ending: str) -> list[Part]:
    """Parts of so many games each, the last one of what is left."""
    count = -(-(last + 1 - first) // size)
    if count > MOST_PARTS:
        raise BadInput(
            f"{count} parts are too many, expected at most {MOST_PARTS}: give them more games (--part-games)"
        )
    return [Part(at, min(at + size - 1, last), ending) for at in range(first, last + 1, size)]


def size_for(games: int, workers: int, most: int) -> int:
    """How many games a part has if nobody says: a few parts for each worker, so that none waits long for the
    last. Even, to keep pairs together."""
    return max(4, min(games // (workers * 6), most) // 2 * 2)


def known_size(path: Path) -> int | None:
    """How many games a part has, where parts were cut before."""
    file = path / "plan.json"
    return read_plan(file)["size"] if file.exists() else None


def read_plan(file: Path) -> dict[str, Any]:
    """What the parts of a folder are of."""
    try:
        plan = json.loads(file.read_text())
        if not isinstance(plan["size"], int):
            raise TypeError
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{file} is no plan of parts: name another --folder, or remove it") from error
    return dict(plan)


class Folder:
    """Where parts are kept."""

    def __init__(self, path: Path, plan: dict[str, Any]) -> None:
        """Goes on with a folder, or begins it. A folder of other work is refused."""
        path.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._lock = (path / "lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise BadInput(f"{path} is being used by another run") from error
        file = path / "plan.json"
        if file.exists():
            found = read_plan(file)
            for name, wanted in plan.items():
                if found.get(name) != wanted:
                    raise BadInput(
                        f"{path} holds parts of other work, their {name} is {found.get(name)}, now it is {wanted}: "
                        "name another --folder, or remove it"
                    )
        else:
            own = file.with_suffix(".new")
            own.write_text(json.dumps(plan, indent=1))
            own.replace(file)

    def content(self, part: Part) -> bytes:
        """What came in of a part."""
        try:
            content = (self.path / part.name).read_bytes()
        except FileNotFoundError:
            return b""
        # We were perhaps killed while writing.
        return content[: whole_units(part.name, content)]

    def begin(self, part: Part, beginning: bytes) -> bytes:
        """What there is of a part, without what is torn; a new part begins as it is said."""
        content = self.content(part) or beginning
        own = self.path / "new"
        own.write_bytes(content)
        own.replace(self.path / part.name)
        return content

    def add(self, part: Part, piece: bytes) -> None:
        with (self.path / part.name).open("ab") as file:
            file.write(piece)
            file.flush()
            os.fsync(file.fileno())

    @staticmethod
    def digest(content: bytes) -> str:
        """What a plan says of a file."""
        return hashlib.sha256(content).hexdigest()[:16]

    def is_done(self, part: Part) -> bool:
        """Whether it was finished, and is as long as it was then."""
        mark = self.path / f"{part.name}.done"
        return mark.exists() and mark.read_text() == str(len(self.content(part)))

    def mark_done(self, part: Part) -> None:
        (self.path / f"{part.name}.done").write_text(str(len(self.content(part))))

    def files(self, parts: Iterable[Part]) -> list[Path]:
        """The files of those parts in which there is something."""
        files = [self.path / part.name for part in parts]
        return [file for file in files if file.exists() and file.stat().st_size]


@dataclass(frozen=True)
class News:
    """A part got longer; or there is something to tell people; or nothing new."""

    part: Part
    piece: bytes = b""
    remark: str = ""


class Work:
    """All parts, on their way."""

    def __init__(
        self,
        crew: Crew,
        folder: Folder,
        workers: Callable[[], int],
        job: Callable[[Part], Job],
        beginning: bytes = b"",
        is_spoilt: Callable[[bytes], str] = lambda piece: "",
        remarks: Callable[[str], list[str]] = lambda output: [],
    ) -> None:
        """`beginning` stands in a part before anything was done. `is_spoilt` says what is wrong with a piece that
        must not count, if something is. `remarks` finds in what a program said what people should know."""
        self._crew = crew
        self._folder = folder
        self._workers = workers
        self._job = job
        self._beginning = beginning
        self._is_spoilt = is_spoilt
        self._failures: Counter[Part] = Counter()
        self._remarks = remarks
        self._told: set[str] = set()

    def do(self, parts: list[Part]) -> Iterator[News]:
        """Has all parts done that are not; tells what comes of it, and at least twice a second that there is
        nothing to tell."""
        folder, crew = self._folder, self._crew
        left = [part for part in reversed(parts) if not folder.is_done(part)]
        by_name = {part.name: part for part in left}
        given_up: list[str] = []
        while left or len(crew):
            while left and len(crew) < self._workers():
                part = left.pop()
                crew.begin(part.name, self._job(part), folder.begin(part, self._beginning))
            quiet = True
            for event in crew.events(0.5):
                quiet = False
                part = by_name[event.key]
                match event:
                    case Grown(_, piece) if reason := self._is_spoilt(piece):
                        crew.drop(part.name)
                    case Grown(_, piece):
                        folder.add(part, piece)
                        self._failures[part] = 0
                        yield News(part, piece)
                        continue
                    case Done(_, output):
                        folder.mark_done(part)
                        yield News(part)
                        # What each part has to say is said once.
                        fresh = [line for line in self._remarks(output.decode()) if line not in self._told]
                        self._told.update(fresh)
                        for line in fresh:
                            yield News(part, remark=line)
                        continue
                    case Lost(_, reason):
                        pass
                self._failures[part] += 1
                if self._failures[part] < ATTEMPTS:
                    # Behind the others, for trouble may pass.
                    left.insert(0, part)
                    yield News(part, remark=f"{part.name} is given out again, {reason}")
                else:
                    given_up.append(part.name)
                    yield News(part, remark=f"{part.name} is given up, {reason}")
            if quiet:
                yield News(parts[0])
        if given_up:
            names = ", ".join(given_up)
            raise Failure(f"{ATTEMPTS} times in a row nothing came of {names}; the same command tries again")
