"""`train`: trains the evaluation once, on a node with a GPU if there is one."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from zermelo_cluster import command
from zermelo_cluster.command import ProgressLine, check_interrupt, log, option
from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.job import Job, JobDone, JobLost, ShardProgress
from zermelo_cluster.shards import ATTEMPTS

if TYPE_CHECKING:
    from zermelo_cluster.worker_pool import WorkerPool

TRAINER = Path(__file__).parents[2] / "train"
OUT = "out.eval"


def add_options(parser: argparse.ArgumentParser) -> None:
    option(parser, "--data FILE", Path, "files written by datagen", nargs="+", required=True)
    option(parser, "--out FILE", Path, "output weights", required=True)
    python = "Python interpreter on the nodes, with the packages of scripts/train/requirements.txt"
    option(parser, "--python PATH", str, python, required=True)
    stall = "restart a training that takes longer than this many seconds (%(default)s)"
    option(parser, "--restart-after S", command.seconds, stall, default=24 * 3600)


def run(options: argparse.Namespace, words: list[str]) -> None:
    files = {f"train/{file.name}": file.read_bytes() for file in TRAINER.glob("*.py")}
    if not files:
        raise BadInput(f"no trainer found in {TRAINER}, expected a checkout of the whole project")
    command.check_writable(options.out)
    names = []
    for number, path in enumerate(options.data):
        if not path.is_file():
            raise BadInput(f"--data {path} is not a file")
        names.append(f"{number}.samples")
        files[names[-1]] = path.read_bytes()
    with command.connect(options) as cluster:
        gpus = int(max(command.node_resources("GPU")) > 0)
        cpus = command.plural(options.cpus, "CPU")
        log("training on a GPU" if gpus else f"no node has a GPU: training on {cpus} (see --cpus)")
        arguments = ("train/train.py", "--data", *names, "--out", OUT, *words)
        # The weights come back like a shard.
        job = Job(cluster.program, arguments, OUT, options.python)
        for attempt in range(1, ATTEMPTS + 1):
            weights, failure = once(
                cluster.worker_pool(files, options.restart_after, gpus), job, ProgressLine(options.progress)
            )
            if not failure:
                break
            log(f"attempt {attempt} of {ATTEMPTS}: {failure}")
        else:
            raise Failure("every attempt to train failed")
        own = command.with_ending(options.out, ".new")
        own.write_bytes(weights)
        own.replace(options.out)


def once(pool: WorkerPool, job: Job, progress: ProgressLine) -> tuple[bytes, str]:
    """Runs one training; returns the weights and the reason for a failure, either of which may be empty."""
    weights, failure = b"", ""
    pool.submit("training", job)
    try:
        while len(pool):
            check_interrupt()
            progress.update("training", dict)
            for event in pool.events(1.0):
                match event:
                    case ShardProgress(_, piece):
                        weights += piece
                    case JobDone(_, output):
                        progress.clear()
                        command.print_result(output.decode(errors="replace").strip())
                    case JobLost(_, reason):
                        failure = reason
    finally:
        pool.abandon()
        progress.clear()
    return weights, failure or ("" if weights else "it wrote no weights")
