"""`frontier`: proves positions of self-play games by ply; each job works on one position.

Games, order and results are those of `scripts/frontier/run curve`, except that times are wall-clock times of the
program: a node should have a free core for every job.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from zermelo_cluster import command
from zermelo_cluster.command import Cluster, ProgressLine, check_interrupt, log
from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.job import Job
from zermelo_cluster.shards import ATTEMPTS
from zermelo_cluster.worker_pool import JobDone, JobLost

sys.path.append(str(Path(__file__).parents[2] / "frontier"))

from zermelo_frontier.__main__ import add_curve_options  # noqa: E402
from zermelo_frontier.curve import Curve, Settings, Task  # noqa: E402
from zermelo_frontier.program import ProgramError, read_proof  # noqa: E402
from zermelo_frontier.records import RecordsError  # noqa: E402


def add_options(parser: argparse.ArgumentParser) -> None:
    add_curve_options(parser)


def run(options: argparse.Namespace) -> None:
    with command.connect(options) as cluster:
        settings = Settings(options.seed, options.nodes, options.limit, options.memory, "wall")
        try:
            curve = Curve(options.out, cluster.path, settings, options.games, options.last_ply)
        except (ProgramError, RecordsError) as error:
            raise BadInput(str(error)) from error
        try:
            for tasks in curve.tasks():
                prove(cluster, curve, {f"{task.ply} {task.game}": task for task in tasks})
        finally:
            curve.close()


def prove(cluster: Cluster, curve: Curve, tasks: dict[str, Task]) -> None:
    """Proves the open positions of a ply."""
    settings = curve.settings
    pool = cluster.worker_pool({}, 60 + 2 * settings.limit)
    words = ["solve", "--json", "--time", f"{settings.limit:f}", "--memory", str(settings.memory), "--fen"]
    waiting = list(tasks)
    failures: Counter[str] = Counter()
    progress = ProgressLine()
    try:
        while waiting or len(pool):
            check_interrupt()
            while waiting and len(pool) < cluster.workers():
                key = waiting.pop(0)
                pool.submit(key, Job(cluster.program, (*words, tasks[key].fen)))
            for event in pool.events(0.5):
                match event:
                    case JobDone(key, output):
                        curve.record(tasks[key], read_proof(output.decode()))
                    case JobLost(key, reason):
                        failures[key] += 1
                        if failures[key] == ATTEMPTS:
                            raise Failure(f"{tasks[key].fen}: {reason}")
                        log(f"{tasks[key].fen} is restarted: {reason}")
                        waiting.append(key)
            progress.update(lambda: f"{len(waiting)} positions left, {len(pool)} running")
    finally:
        pool.abandon()
        progress.clear()
