"""`train`: one training of the evaluation, on a node with a GPU where there is one."""

from __future__ import annotations

import argparse
from pathlib import Path

import ray

from zermelo_cluster import command
from zermelo_cluster.command import Ticker, check_interrupt, say
from zermelo_cluster.crew import Crew, Done, Grown, Lost
from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.job import Job
from zermelo_cluster.parts import ATTEMPTS

TRAINER = Path(__file__).parents[2] / "train"
OUT = "out.eval"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", metavar="FILE", type=Path, nargs="+", required=True, help="what datagen made")
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="where the weights go")
    parser.add_argument(
        "--python",
        metavar="PATH",
        required=True,
        help="an interpreter on the nodes that has what scripts/train/requirements.txt names",
    )
    parser.add_argument(
        "--give-up",
        metavar="S",
        type=command.seconds,
        default=24 * 3600,
        help="seconds that a training may take (%(default)s)",
    )


def run(options: argparse.Namespace, words: list[str]) -> None:
    files = {f"train/{file.name}": file.read_bytes() for file in TRAINER.glob("*.py")}
    if not files:
        raise BadInput(f"there is no trainer in {TRAINER}, expected a checkout of the whole project")
    command.check_place(options.out)
    names = []
    for number, path in enumerate(options.data):
        if not path.is_file():
            raise BadInput(f"--data {path} is no file")
        names.append(f"{number}.samples")
        files[names[-1]] = path.read_bytes()
    with command.connect(options) as site:
        gpus = int(ray.cluster_resources().get("GPU", 0) > 0)
        say("on a node with a GPU" if gpus else f"no node has a GPU: on {options.cpus} CPU(s), --cpus gives it more")
        arguments = ("train/train.py", "--data", *names, "--out", OUT, *words)
        # The weights are a part, for they come back like one.
        job = Job(site.program, arguments, OUT, options.python)
        for attempt in range(1, ATTEMPTS + 1):
            weights, failure = once(site.crew(files, options.give_up, gpus), job)
            if not failure:
                break
            say(f"attempt {attempt} of {ATTEMPTS}: {failure}")
        else:
            raise Failure("the training failed each time")
        own = command.beside(options.out, ".new")
        own.write_bytes(weights)
        own.replace(options.out)


def once(crew: Crew, job: Job) -> tuple[bytes, str]:
    """One training: the weights, and what went wrong."""
    weights, failure, ticker = b"", "", Ticker()
    crew.begin("training", job)
    try:
        while len(crew):
            check_interrupt()
            ticker.tell(lambda: "training")
            for event in crew.events(1.0):
                match event:
                    case Grown(_, piece):
                        weights += piece
                    case Done(_, output):
                        ticker.clear()
                        command.tell(output.decode(errors="replace").strip())
                    case Lost(_, reason):
                        failure = reason
    finally:
        crew.forget()
        ticker.clear()
    return weights, failure or ("" if weights else "it left no weights")
