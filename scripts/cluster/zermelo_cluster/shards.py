"""Work split into shards, each done by one job and stored on disk as it arrives.

A folder holds a file per started shard, a `.done` mark with the length of each finished one, and `plan.json`, which
describes the work. The content of a shard is never lost: a restarted job resumes from it, and so does a second run
of the same command.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.job import Job, JobDone, JobLost, ShardProgress, whole_units

if TYPE_CHECKING:
    from zermelo_cluster.worker_pool import WorkerPool

# A shard is given up after this many failures in a row without new content.
ATTEMPTS = 5
# Each shard takes a file or two.
MAX_SHARDS = 1_000_000


@dataclass(frozen=True)
class Shard:
    """The games with numbers `first` to `last`, both included."""

    first: int
    last: int
    # ".json" or ".samples".
    ending: str

    @property
    def name(self) -> str:
        return f"{self.first:08}-{self.last:08}{self.ending}"


def split(first: int, last: int, size: int, ending: str) -> list[Shard]:
    """Splits games into shards of `size`; the last one may be smaller."""
    count = -(-(last + 1 - first) // size)
    if count > MAX_SHARDS:
        raise BadInput(f"{count} shards are too many, expected at most {MAX_SHARDS}: increase --shard-games")
    return [Shard(at, min(at + size - 1, last), ending) for at in range(first, last + 1, size)]


def default_shard_size(games: int, workers: int, most: int) -> int:
    """Returns the default number of games per shard: a few shards per worker, so that none waits long for the
    last, and an even number, to keep pairs together."""
    return max(4, min(games // (workers * 6), most) // 2 * 2)


def existing_shard_size(path: Path) -> int | None:
    """Returns the games per shard of an earlier run, if there was one."""
    file = path / "plan.json"
    return read_plan(file)["size"] if file.exists() else None


def read_plan(file: Path) -> dict[str, Any]:
    """Reads the description of the work in a folder."""
    try:
        plan = json.loads(file.read_text())
        if not isinstance(plan["size"], int):
            raise TypeError
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{file} is not a plan of shards: choose another --folder or remove it") from error
    return dict(plan)


class ShardFolder:
    """The folder that stores the shards."""

    def __init__(self, path: Path, plan: dict[str, Any]) -> None:
        """Opens the folder for resuming, creating it if missing. Refuses a folder with a different plan."""
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
                        f"{path} holds shards of different work, with {name} {found.get(name)} instead of {wanted}: "
                        "choose another --folder or remove it"
                    )
        else:
            own = file.with_suffix(".new")
            own.write_text(json.dumps(plan, indent=1))
            own.replace(file)

    def content(self, shard: Shard) -> bytes:
        """Returns the stored content of a shard."""
        try:
            content = (self.path / shard.name).read_bytes()
        except FileNotFoundError:
            return b""
        # An earlier run may have been killed while writing.
        return content[: whole_units(shard.name, content)]

    def begin(self, shard: Shard, beginning: bytes) -> bytes:
        """Prepares a shard: drops an incomplete last unit, or starts a new shard with `beginning`."""
        content = self.content(shard) or beginning
        own = self.path / "new"
        own.write_bytes(content)
        own.replace(self.path / shard.name)
        return content

    def add(self, shard: Shard, piece: bytes) -> None:
        with (self.path / shard.name).open("ab") as file:
            file.write(piece)
            file.flush()
            os.fsync(file.fileno())

    def is_done(self, shard: Shard) -> bool:
        """Returns whether the shard was finished and still has the length it had then."""
        mark = self.path / f"{shard.name}.done"
        return mark.exists() and mark.read_text() == str(len(self.content(shard)))

    def mark_done(self, shard: Shard) -> None:
        (self.path / f"{shard.name}.done").write_text(str(len(self.content(shard))))

    def join(self, shards: Iterable[Shard], whole: Path) -> bool:
        """Writes the lines of all shards to one file, their common first line once; returns whether there are any."""
        with whole.open("wb") as file:
            for content in filter(None, map(self.content, shards)):
                file.write(content.partition(b"\n")[2] if file.tell() else content)
            return file.tell() > 0

    def files(self, shards: Iterable[Shard]) -> list[Path]:
        """Returns the files of all non-empty shards."""
        files = [self.path / shard.name for shard in shards]
        return [file for file in files if file.exists() and file.stat().st_size]


@dataclass(frozen=True)
class ShardUpdate:
    """A shard grew, or there is a remark for the user, or neither."""

    shard: Shard
    piece: bytes = b""
    remark: str = ""


class ShardRunner:
    """Runs the jobs of all shards."""

    def __init__(
        self,
        pool: WorkerPool,
        folder: ShardFolder,
        workers: Callable[[], int],
        job: Callable[[Shard], Job],
        beginning: bytes = b"",
        invalid_reason: Callable[[bytes], str] = lambda piece: "",
        remarks: Callable[[str], list[str]] = lambda output: [],
    ) -> None:
        """Every shard starts with `beginning`. `invalid_reason` returns why a piece must not count, or "". `remarks`
        extracts messages for the user from a program's output."""
        self._pool = pool
        self._folder = folder
        self._workers = workers
        self._job = job
        self._beginning = beginning
        self._invalid_reason = invalid_reason
        self._failures: Counter[Shard] = Counter()
        self._remarks = remarks
        self._shown: set[str] = set()

    def run(self, shards: list[Shard]) -> Iterator[ShardUpdate]:
        """Completes all unfinished shards and yields updates, empty ones at least twice a second."""
        folder, pool = self._folder, self._pool
        left = [shard for shard in reversed(shards) if not folder.is_done(shard)]
        by_name = {shard.name: shard for shard in left}
        given_up: list[str] = []
        while left or len(pool):
            while left and len(pool) < self._workers():
                shard = left.pop()
                pool.submit(shard.name, self._job(shard), folder.begin(shard, self._beginning))
            quiet = True
            for event in pool.events(0.5):
                quiet = False
                shard = by_name[event.key]
                match event:
                    case ShardProgress(_, piece) if reason := self._invalid_reason(piece):
                        pool.drop(shard.name)
                    case ShardProgress(_, piece):
                        folder.add(shard, piece)
                        self._failures[shard] = 0
                        yield ShardUpdate(shard, piece)
                        continue
                    case JobDone(_, output):
                        folder.mark_done(shard)
                        yield ShardUpdate(shard)
                        # All shards tend to make the same remarks; each is shown once.
                        fresh = [line for line in self._remarks(output.decode()) if line not in self._shown]
                        self._shown.update(fresh)
                        for line in fresh:
                            yield ShardUpdate(shard, remark=line)
                        continue
                    case JobLost(_, reason):
                        pass
                self._failures[shard] += 1
                if self._failures[shard] < ATTEMPTS:
                    # After the others, since the cause may be temporary.
                    left.insert(0, shard)
                    yield ShardUpdate(shard, remark=f"{shard.name} is restarted: {reason}")
                else:
                    given_up.append(shard.name)
                    yield ShardUpdate(shard, remark=f"{shard.name} is given up: {reason}")
            if quiet:
                yield ShardUpdate(shards[0])
        if given_up:
            names = ", ".join(given_up)
            raise Failure(f"no progress in {ATTEMPTS} attempts: {names}; run the same command to try again")
