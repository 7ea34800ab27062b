"""`train`: trains the evaluation once, on a node with a GPU if there is one."""

from __future__ import annotations

import argparse
from pathlib import Path

import ray

from zermelo_cluster import command
from zermelo_cluster.command import ProgressLine, check_interrupt, log
from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.job import Job
from zermelo_cluster.shards import ATTEMPTS
from zermelo_cluster.worker_pool import JobDone, JobLost, ShardProgress, WorkerPool

TRAINER = Path(__file__).parents[2] / "train"
OUT = "out.eval"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", metavar="FILE", type=Path, nargs="+", required=True, help="files written by datagen")
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="output weights")
    parser.add_argument(
        "--python",
        metavar="PATH",
        required=True,
        help="Python interpreter on the nodes, with the packages of scripts/train/requirements.txt",
    )
    parser.add_argument(
        "--restart-after",
        metavar="S",
        type=command.seconds,
        default=24 * 3600,
        help="restart a training that takes longer than this many seconds (%(default)s)",
    )


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
        gpus = int(ray.cluster_resources().get("GPU", 0) > 0)
        cpus = command.plural(options.cpus, "CPU")
        log("training on a GPU" if gpus else f"no node has a GPU: training on {cpus} (see --cpus)")
        arguments = ("train/train.py", "--data", *names, "--out", OUT, *words)
        # The weights come back like a shard.
        job = Job(cluster.program, arguments, OUT, options.python)
        for attempt in range(1, ATTEMPTS + 1):
            weights, failure = once(cluster.worker_pool(files, options.restart_after, gpus), job)
            if not failure:
                break
            log(f"attempt {attempt} of {ATTEMPTS}: {failure}")
        else:
            raise Failure("every attempt to train failed")
        own = command.with_ending(options.out, ".new")
        own.write_bytes(weights)
        own.replace(options.out)


def once(pool: WorkerPool, job: Job) -> tuple[bytes, str]:
    """Runs one training; returns the weights and the reason for a failure, either of which may be empty."""
    weights, failure, progress = b"", "", ProgressLine()
    pool.submit("training", job)
    try:
        while len(pool):
            check_interrupt()
            progress.update(lambda: "training")
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
