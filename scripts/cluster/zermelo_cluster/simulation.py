"""`simulate`: runs the driver of a proof with any number of simulated workers (discrete-event simulation).

Selecting leaves, expanding positions and recording results are done for real, in a tree of its own, and take the time
they take. The jobs are drawn from those of a recorded proof: a simulated leaf takes as long as a recorded one at the
same ply, and the guess about it is right if it was right for the recorded one. A seed draws the same jobs for any
number of workers.
"""

from __future__ import annotations

import argparse
import heapq
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from zermelo_cluster import command, slices
from zermelo_cluster.failure import BadInput
from zermelo_cluster.proofs import Expander
from zermelo_cluster.slices import Slices
from zermelo_cluster.tree import LOSS, VALUES, WIN, JobRecord, LeafTask, Solution, Tree

Result = TypeVar("Result")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tree", metavar="FILE", type=Path, required=True, help="tree of a proof to draw jobs from")
    parser.add_argument("--fen", metavar="FEN", help="position to prove (default: that of the tree)")
    parser.add_argument(
        "--frontier", metavar="N", type=command.natural, default=4, help="plies to expand without jobs (%(default)s)"
    )
    parser.add_argument(
        "--workers",
        metavar="N",
        type=command.positive,
        nargs="+",
        default=[2, 10, 100, 1000],
        help="numbers of workers, one simulation each (%(default)s)",
    )
    parser.add_argument("--results", metavar="N", type=command.positive, help="stop after this many jobs")
    parser.add_argument(
        "--overhead",
        metavar="S",
        type=command.seconds,
        default=0.0028,
        help="seconds of the driver to send a job and receive its result (%(default)s)",
    )
    parser.add_argument("--nodes", metavar="N", type=command.natural, default=0, help="as for solve (%(default)s)")
    slices.add_options(parser)
    parser.add_argument("--seed", metavar="S", type=command.natural, default=1, help="random seed (%(default)s)")
    parser.add_argument("--program", metavar="PATH", type=Path, help="zermelo binary to use")


def run(options: argparse.Namespace) -> None:
    program = command.find_program(options.program)
    recorded = Tree.open_existing(options.tree)
    try:
        costs = RecordedJobs(recorded, options.seed)
        fen = options.fen or recorded.node(recorded.root).fen
        game = recorded.game
    finally:
        recorded.close()
    command.print_result(
        "| workers | jobs | settled | wall-clock s | CPU s of jobs | workers busy | driver busy"
        " | tree nodes | most in memory | MB |\n" + "|" + "---|" * 10
    )
    for workers in options.workers:
        with tempfile.TemporaryDirectory() as folder, Expander(program, game, options.nodes) as expand:
            path = Path(folder) / "tree"
            tree = Tree(path, expand(fen), game)
            simulation = Simulation(tree, expand, costs, options, workers)
            simulation.run()
            tree.close()
            command.print_result(simulation.format_row(path.stat().st_size))


def plies_played(fen: str) -> int:
    """Counts the stones of a TixTax position."""
    stones = fen.split()[0]
    return stones.count("x") + stones.count("o")


@dataclass(frozen=True)
class DrawnJob:
    """How long a leaf takes, and whether its expected value is right."""

    # `None` if it takes longer than any slice.
    seconds: float | None
    is_right: bool


class RecordedJobs:
    """Draws jobs from those of a recorded proof."""

    def __init__(self, tree: Tree, seed: int) -> None:
        self._seed = seed
        self._by_ply: dict[int, list[DrawnJob]] = defaultdict(list)
        for job in tree.job_records():
            self._by_ply[plies_played(job.node.fen)].append(drawn_from(job))
        self._by_ply = {ply: jobs for ply, jobs in self._by_ply.items() if any(job.seconds is not None for job in jobs)}
        if not self._by_ply:
            raise BadInput("the tree has no settled jobs to draw from")

    def draw(self, task: LeafTask) -> DrawnJob:
        """Draws the job of a leaf, always the same one, from the nearest ply with settled jobs."""
        ply = plies_played(task.node.fen)
        nearest = min(self._by_ply, key=lambda known: (abs(known - ply), known))
        jobs = self._by_ply[nearest]
        if ply > max(self._by_ply):
            # The recorded proof never had to go deeper.
            jobs = [job for job in jobs if job.seconds is not None]
        return random.Random(f"{self._seed} {task.node.fen} {task.goal}").choice(jobs)


def drawn_from(job: JobRecord) -> DrawnJob:
    if job.answer is None:
        return DrawnJob(None, True)
    return DrawnJob(job.seconds, job.answer is job.expected)


@dataclass(frozen=True)
class RunningJob:
    """A simulated job; jobs are ordered by their ends."""

    end: float
    number: int
    task: LeafTask
    seconds: float
    slice: float
    found: Solution

    def __lt__(self, other: RunningJob) -> bool:
        return (self.end, self.number) < (other.end, other.number)


class Simulation:
    """A proof with simulated workers."""

    def __init__(
        self, tree: Tree, expand: Expander, costs: RecordedJobs, options: argparse.Namespace, workers: int
    ) -> None:
        self._tree = tree
        self._expand = expand
        self._costs = costs
        self._options = options
        self._workers = workers
        self._slices = Slices(options.slice, options.max_slice)
        self._running: list[RunningJob] = []
        self._started = 0
        # The simulated time at which the driver is free, the time it has worked, and that of the workers.
        self.now = 0.0
        self.driver_seconds = 0.0
        self.worker_seconds = 0.0
        self._most_in_memory = 0

    def run(self) -> None:
        limit = self._options.results
        while not self._tree.is_settled and (limit is None or self._tree.jobs < limit):
            self._start_jobs()
            if not self._running:
                break
            job = heapq.heappop(self._running)
            self.now = max(self.now, job.end)
            self.worker_seconds += job.seconds
            is_settled = self._driver(partial(self._tree.record_result, job.task, job.found, self._expand, job.slice))
            self._slices.record(job.task.node.depth, job.seconds, is_settled)
            self._most_in_memory = max(self._most_in_memory, self._tree.nodes_in_memory)

    def _start_jobs(self) -> None:
        while len(self._running) < self._workers:
            task = self._driver(self._tree.take)
            if task is None:
                return
            if task.node.depth < self._options.frontier:
                self._driver(partial(self._tree.expand, task, self._expand))
                continue
            self._spend(self._options.overhead)
            slice = self._slices.slice(task.node.depth)
            drawn = self._costs.draw(task)
            is_settled = drawn.seconds is not None and drawn.seconds <= slice
            seconds = drawn.seconds if is_settled and drawn.seconds is not None else slice
            answer = task.node.expects(task.goal) is drawn.is_right if is_settled else None
            found = solution(task.goal, answer, seconds)
            self._started += 1
            heapq.heappush(self._running, RunningJob(self.now + seconds, self._started, task, seconds, slice, found))

    def _driver(self, work: Callable[[], Result]) -> Result:
        """Does a part of the driver's work, which takes simulated time too."""
        began = time.perf_counter()
        result = work()
        self._spend(time.perf_counter() - began)
        return result

    def _spend(self, seconds: float) -> None:
        self.now += seconds
        self.driver_seconds += seconds

    def format_row(self, size: int) -> str:
        tree = self._tree
        busy = self.worker_seconds / (self._workers * self.now) if self.now else 0.0
        driver = self.driver_seconds / self.now if self.now else 0.0
        state = "yes" if tree.is_settled else "no"
        cells: Sequence[Any] = [
            *(self._workers, tree.jobs, state, f"{self.now:.0f}", f"{self.worker_seconds:.0f}"),
            *(f"{busy:.0%}", f"{driver:.1%}", len(tree), self._most_in_memory, f"{size / 1e6:.1f}"),
        ]
        return "| " + " | ".join(str(cell) for cell in cells) + " |"


def solution(goal: int, answer: bool | None, seconds: float) -> Solution:
    """Returns the result of a job in the form of `zermelo solve --json`."""
    least = goal if answer else LOSS
    most = goal - 1 if answer is False else WIN
    found: Solution = {"at_least": VALUES[least], "at_most": VALUES[most], "nodes": 0, "seconds": seconds}
    return found | {"verified": None, "best": None}
