"""`train`: trains the evaluation once, on a node."""

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

TRAINER = "trainer"
OUT = "out.eval"


def add_options(parser: argparse.ArgumentParser) -> None:
    option(parser, "--data FILE", Path, "files written by datagen", nargs="+", required=True)
    option(parser, "--out FILE", Path, "output weights", required=True)
    trainer = "the trainer, built for the nodes: cargo build --release --example train"
    option(parser, "--trainer PATH", Path, trainer, required=True)
    stall = "restart a training that takes longer than this many seconds (%(default)s)"
    option(parser, "--restart-after S", command.seconds, stall, default=24 * 3600)


def run(options: argparse.Namespace, words: list[str]) -> None:
    command.check_writable(options.out)
    if not options.trainer.is_file():
        raise BadInput(f"--trainer {options.trainer} is not a file")
    files, names = {TRAINER: options.trainer.read_bytes()}, []
    for number, path in enumerate(options.data):
        if not path.is_file():
            raise BadInput(f"--data {path} is not a file")
        names.append(f"{number}.samples")
        files[names[-1]] = path.read_bytes()
    with command.connect(options) as cluster:
        log(f"training on {command.plural(options.cpus, 'CPU')} (see --cpus)")
        arguments = ("--data", *names, "--out", OUT, "--threads", str(options.cpus), *words)
        # The weights come back like a shard.
        job = Job(cluster.program, arguments, OUT, TRAINER)
        for attempt in range(1, ATTEMPTS + 1):
            pool = cluster.worker_pool(files, options.restart_after)
            weights, failure = once(pool, job, ProgressLine(options.progress))
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
