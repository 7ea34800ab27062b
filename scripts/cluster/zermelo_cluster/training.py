"""`train`: one training of the evaluation, on a node with a GPU where there is one."""

from __future__ import annotations

import argparse
from pathlib import Path

import ray

from zermelo_cluster import command
from zermelo_cluster.command import Ticker, interruptible, say
from zermelo_cluster.crew import Done, Grown, Lost
from zermelo_cluster.failure import BadInput, Failure
from zermelo_cluster.job import Job

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
        type=float,
        default=24 * 3600,
        help="seconds that a training may take (%(default)s)",
    )


def run(options: argparse.Namespace, words: list[str]) -> None:
    files = {f"train/{file.name}": file.read_bytes() for file in TRAINER.glob("*.py")}
    names = []
    for number, path in enumerate(options.data):
        if not path.is_file():
            raise BadInput(f"--data {path} is no file")
        names.append(f"{number}.samples")
        files[names[-1]] = path.read_bytes()
    with interruptible(), command.site(options) as site:
        gpus = int(ray.cluster_resources().get("GPU", 0) > 0)
        say("on a node with a GPU" if gpus else "no node has a GPU: on the CPUs of one")
        crew = site.crew(options.give_up, gpus)
        arguments = ("train/train.py", "--data", *names, "--out", OUT, *words)
        # The weights are a part, for they come back like one.
        crew.begin("training", Job(site.program, arguments, OUT, files, options.python))
        weights, ticker = b"", Ticker()
        while len(crew):
            ticker.tell("training")
            for event in crew.events(1.0):
                match event:
                    case Grown(_, piece):
                        weights += piece
                    case Done(_, output) if output.code == 0:
                        ticker.clear()
                        command.tell(output.output.decode(errors="replace").strip())
                    case Done(_, output):
                        raise Failure(f"on node {output.node}: {output.errors.strip()} (exit code {output.code})")
                    case Lost(_, reason):
                        raise Failure(f"the training was lost: {reason}")
        if not weights:
            raise Failure("the training left no weights")
        own = options.out.with_name(options.out.name + ".new")
        own.write_bytes(weights)
        own.replace(options.out)
