"""Has jobs done by the workers of a Ray cluster, a few at a time, and tells what becomes of them.

Ray chooses the nodes and finds out who died. What it cannot know is done here: a job that says nothing for
too long, or whose part does not grow, is given up. Whether to try again is for whoever gave the job, who
knows what came back of it: Ray itself never repeats one.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from zermelo_cluster import job as jobs
from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.job import Begun, Files, Job, Output, Program, WrongProgram

# So often, and with so many seconds between, the nodes are asked whether they have the program.
ASKING = 6
PAUSE = 5.0
# So many programs in a row that fail on a node, and nothing else is given to it: it would fail at one job after the
# other, faster than any other node works.
FAILURES = 3


@dataclass(frozen=True)
class Grown:
    """The part of a job got longer."""

    key: str
    piece: bytes


@dataclass(frozen=True)
class Done:
    """A program did its work."""

    key: str
    output: bytes


@dataclass(frozen=True)
class Lost:
    """Nothing more will come of a job, for its worker is gone or its program failed."""

    key: str
    reason: str


Event = Grown | Done | Lost


@dataclass
class Running:
    """A job that somebody works at."""

    key: str
    # When it last gave a sign of life, and when something last came of it.
    heard: float
    grown: float
    # Who does it; before that is known it may be waiting for a free worker.
    worker: Begun | None = None


class Crew:
    """Workers for jobs of one program."""

    def __init__(self, content: bytes, files: Files, silence: float, stall: float, cpus: int, gpus: int = 0) -> None:
        self._content = ray.put(content)
        self._files = ray.put(files)
        self._silence = silence
        self._stall = stall
        # A job that fails is tried again by us, from where it stood.
        self._resources = {"num_cpus": cpus, "num_gpus": gpus, "max_retries": 0}
        self._running: dict[Any, Running] = {}
        # How many programs in a row failed on a node, and the nodes that get no more.
        self._failures: Counter[str] = Counter()
        self._left_out: list[str] = []
        self.work_by(jobs.run)

    def work_by(self, run: Callable[[bytes, Files, Job, bytes], Iterator[Begun | bytes | Output]]) -> None:
        """How a job is done, on a node."""
        self._task = ray.remote(**self._resources)(run)

    def __len__(self) -> int:
        return len(self._running)

    def begin(self, key: str, job: Job, begun: bytes = b"") -> None:
        """Gives a job to whoever is free next."""
        now = time.monotonic()
        elsewhere = {"ray.io/node-id": f"!in({','.join(self._left_out)})"} if self._left_out else {}
        task = self._task.options(name=f"zermelo job {key}", label_selector=elsewhere)
        results = task.remote(self._content, self._files, job, begun)
        self._running[results] = Running(key, now, now)

    def events(self, timeout: float) -> Iterator[Event]:
        """What happened since it was asked last; waits so many seconds for something to. A program that does not
        understand what it is asked for ends everything, for it would say so everywhere."""
        if not self._running:
            return
        first, _ = ray.wait(list(self._running), num_returns=1, timeout=timeout)
        # All who have something to say are heard before anybody is held for silent.
        everyone = list(self._running)
        ready, _ = ray.wait(everyone, num_returns=len(everyone), timeout=0) if first else ([], [])
        for results in ready:
            # Whoever hears of one job may drop another.
            event = self._next(results) if results in self._running else None
            if event:
                yield event
        yield from self._given_up()

    def _next(self, results: Any) -> Event | None:
        running = self._running[results]
        running.heard = time.monotonic()
        try:
            piece = ray.get(next(results))
        except StopIteration:
            del self._running[results]
            return Lost(running.key, "it ended without a word")
        except ray.exceptions.RayTaskError as error:
            del self._running[results]
            if isinstance(error.cause, WrongProgram):
                raise error.cause from None
            return Lost(running.key, f"{error.cause}")
        except ray.exceptions.RayError as error:
            del self._running[results]
            return Lost(running.key, first_line(error))
        if isinstance(piece, Output):
            del self._running[results]
            return self._ended(running, piece)
        if isinstance(piece, Begun):
            running.worker = piece
        elif piece:
            running.grown = running.heard
            self._forgive(running)
            return Grown(running.key, piece)
        return None

    def _ended(self, running: Running, output: Output) -> Done | Lost:
        if output.code == 0:
            self._forgive(running)
            return Done(running.key, output.output)
        if output.code == 2:
            raise BadInput(output.errors.strip())
        reason = f"on node {output.node}: {output.errors.strip()} (exit code {output.code})"
        node = running.worker.node if running.worker else ""
        self._failures[node] += 1
        if self._failures[node] >= FAILURES and self._is_another(node):
            self._left_out.append(node)
            reason += f"; nothing more is given to that node, {FAILURES} in a row failed there"
        return Lost(running.key, reason)

    def _forgive(self, running: Running) -> None:
        if running.worker:
            self._failures[running.worker.node] = 0

    def _is_another(self, node: str) -> bool:
        """Whether a node gets jobs, and another one does, too."""
        alive = {node["NodeID"] for node in ray.nodes() if node["Alive"]}
        return node not in self._left_out and bool(alive - {node, *self._left_out})

    def _given_up(self) -> Iterator[Lost]:
        now = time.monotonic()
        for results, running in list(self._running.items()):
            if running.worker is None:
                # It waits for a worker, which may take as long as it likes.
                running.heard = running.grown = now
            if now - running.heard > self._silence:
                reason = f"no sign of life for {self._silence:g} s"
            elif now - running.grown > self._stall:
                reason = f"nothing came of it for {self._stall:g} s"
            else:
                continue
            self._end(results)
            yield Lost(running.key, reason)

    def drop(self, key: str) -> None:
        """Ends one job."""
        for results, running in list(self._running.items()):
            if running.key == key:
                self._end(results)

    def forget(self) -> None:
        """Nothing more is wanted of what is being done; it ends with us at the latest."""
        self._running.clear()

    def _end(self, results: Any) -> None:
        """Kills the worker, and the leash sees to what it started. Not by `ray.cancel`: one that hangs does not
        hear it, and where a job ends at that moment Ray 2.60 takes the driver down."""
        worker = self._running.pop(results).worker
        if worker:
            where = NodeAffinitySchedulingStrategy(worker.node, soft=False)
            kill = ray.remote(num_cpus=0, max_retries=0)(_kill)
            kill.options(scheduling_strategy=where, name="zermelo kill").remote(worker.process)


def first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _kill(process: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def _look(content: bytes, program: Program) -> None:
    jobs.place(program, content)


def check_nodes(content: bytes, program: Program) -> list[str]:
    """Sees that every node of the cluster has the program, or can run it; returns their names."""
    reference = ray.put(content)
    # Looking twice does no harm.
    look = ray.remote(num_cpus=0, max_retries=3)(_look)
    for attempt in range(ASKING):
        looks, wrong, silent = {}, [], []
        for node in (node for node in ray.nodes() if node["Alive"]):
            where = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            name = f"{node['NodeManagerHostname']} ({node['NodeID'][:8]})"
            looks[name] = look.options(scheduling_strategy=where, name="zermelo bench").remote(reference, program)
        for name, result in looks.items():
            try:
                ray.get(result, timeout=600)
            except ray.exceptions.RayTaskError as error:
                wrong.append(str(error.cause))
            except (ray.exceptions.RayError, ray.exceptions.GetTimeoutError) as error:
                silent.append(f"node {name} cannot be asked: {first_line(error)}")
        if wrong or (silent and attempt == ASKING - 1):
            raise Failure("nothing was begun: " + "; ".join(wrong + silent))
        if not silent:
            break
        # A node that has just been lost is not known to be for a moment.
        time.sleep(PAUSE)
    return list(looks)
