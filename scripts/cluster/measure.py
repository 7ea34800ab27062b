#!/usr/bin/env python3
"""Measures the figures of README.md: growth of proofs, speed-up by a second worker, capacity of the driver.

    target/cluster/bin/python scripts/cluster/measure.py growth [--count N] [--time S] [--first 44] [--last 30]
    target/cluster/bin/python scripts/cluster/measure.py workers [--runs N] [--only match datagen solve]
    target/cluster/bin/python scripts/cluster/measure.py driver [--tasks N]
    target/cluster/bin/python scripts/cluster/measure.py slices

Everything runs on this machine. Alternatives are run alternately, and medians are printed.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray  # noqa: E402

from zermelo_cluster.command import find_program  # noqa: E402
from zermelo_cluster.job import Job, JobInputs, JobOutput, JobStarted, Program  # noqa: E402
from zermelo_cluster.proofs import NO_RESULT, Expander  # noqa: E402
from zermelo_cluster.shards import ShardFolder, ShardRunner, split  # noqa: E402
from zermelo_cluster.tree import LeafTask, Tree  # noqa: E402
from zermelo_cluster.worker_pool import JobDone, ShardGrew, WorkerPool  # noqa: E402

# A position that takes one worker some tens of seconds (the 2nd of tests/data/tixtax-hard.txt).
PROOF = "x6ox/1o2o2o1/o1o1x1xo1/o2xxx3/o8/2xo2x2/2o2xx2/xxo3xo1/2x2oo2 x 16 -"


def growth(options: argparse.Namespace) -> None:
    """Measures the time of proofs by plies played, and fits a line to the logarithms."""
    program = find_program(options.program)
    points = []
    for plies in range(options.first, options.last - 1, -2):
        made = ["openings", "--game", "tixtax", "--plies", str(plies), "--count", str(options.count)]
        made += ["--seed", str(options.seed)] + (["--balanced"] if options.balanced else [])
        fens = subprocess.run([program, *made], capture_output=True, text=True, check=True).stdout.splitlines()
        seconds, nodes, open_ = [], [], 0
        for fen in fens:
            solve = ["solve", "--fen", fen, "--time", str(options.time), "--memory", "2048"]
            output = subprocess.run([program, *solve], capture_output=True, text=True, check=True).stdout.split()
            open_ += output[0] == "unknown"
            nodes.append(int(output[3]))
            seconds.append(float(output[4]))
        # Open positions count with the time limit, which does not affect a median below it.
        median = statistics.median(seconds)
        closed = median < options.time
        print(
            f"{plies} plies: {len(fens)} positions, {open_} open after {options.time:g} s, median {median:.4f} s, "
            f"{statistics.median(nodes):.0f} nodes, {max(seconds):.3f} s at most",
            flush=True,
        )
        if closed:
            points.append((plies, math.log(max(median, 1e-4)), math.log(statistics.median(nodes))))
    for name, column in (("seconds", 1), ("nodes", 2)):
        slope, height = line([(point[0], point[column]) for point in points])
        print(f"{name}: {math.exp(-2 * slope):.2f} times as many two plies earlier, {math.exp(height):.2e} at ply 0")


def line(points: list[tuple[int, float]]) -> tuple[float, float]:
    """Fits a least-squares line; returns its slope and its value at 0."""
    slope, height = statistics.linear_regression(*zip(*points, strict=True))
    return slope, height


def workers(options: argparse.Namespace) -> None:
    """Compares one worker, two workers, and two plain processes at once."""
    program = find_program(options.program)
    match = ["--engine", "name=one", "--engine", "name=two", "option.Seed=1", "--each", "nodes=20000"]
    match += ["--openings", "random=6", "--rounds", "120"]
    cases: dict[str, tuple[list[str], Callable[[], float]]] = {
        "match": (
            ["match", *match, "--record", "games.pgn", "--shard-games", "8"],
            lambda: twice(program, ["match", *match, "--concurrency", "1", "--record"]),
        ),
        "datagen": (
            ["datagen", "--games", "8000", "--nodes", "800", "--out", "games.samples"],
            lambda: twice(program, ["datagen", "--games", "8000", "--nodes", "800", "--out"]),
        ),
        "solve": (
            ["solve", "--fen", PROOF, "--tree", "tree", "--slice", str(options.slice)],
            lambda: twice(program, ["solve", "--fen", PROOF], keep=False),
        ),
    }
    for name in options.only or cases:
        words, plain = cases[name]
        times: dict[str, list[float]] = {"1": [], "2": [], "plain": []}
        for _ in range(options.runs):
            for count in ("1", "2"):
                times[count].append(cluster_time(program, [*words, "--workers", count]))
            times["plain"].append(plain())
        one, two, plain_time = (statistics.median(times[kind]) for kind in times)
        alone = f"two processes at once do one each in {plain_time:.1f} s"
        print(
            f"{name}: one worker {one:.1f} s, two {two:.1f} s, {one / two:.2f} times as fast; {alone}; {times}",
            flush=True,
        )


def cluster_time(program: Path, words: list[str]) -> float:
    """Returns the seconds from the first job to the result of a command, without starting and stopping the cluster."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "zermelo_cluster", *words, "--program", str(program)]
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert process.stdout and process.stderr
        began = time.monotonic()
        remarks = []
        for output in process.stderr:
            remarks.append(output)
            if "dashboard at" in output:
                began = time.monotonic()
                break
        process.stdout.readline()
        needed = time.monotonic() - began
        _, rest = process.communicate()
        if process.returncode:
            raise SystemExit(f"{' '.join(words)} failed: {''.join(remarks)}{rest}")
        return needed


def twice(program: Path, words: list[str], keep: bool = True) -> float:
    """Returns the seconds that two processes take to do the same work at once."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        pair = [
            subprocess.Popen([program, *words, *([name] if keep else [])], cwd=folder, stdout=subprocess.DEVNULL)
            for name in ("one", "two")
        ]
        for process in pair:
            process.wait()
        return time.monotonic() - began


def driver(options: argparse.Namespace) -> None:
    """Measures how many jobs and bytes per second the driver handles: empty jobs, and one that sends at full speed."""
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder) / "zermelo"
        empty.write_text("#!/bin/sh\n[ $1 = bench ] && echo 1 nodes 1 nps\nexit 0\n")
        empty.chmod(0o755)
        flood = Path(folder) / "flood"
        flood.write_text(
            "#!/bin/sh\n[ $1 = bench ] && echo 1 nodes 1 nps && exit\nyes 0123456789abcdef | head -c 400000000 > $1\n"
        )
        flood.chmod(0o755)
        ray.init(log_to_driver=False, logging_level="ERROR", runtime_env={"env_vars": {}})
        pool = WorkerPool(b"", {}, 60, 60, 1)
        for kind in ("warm", "jobs"):
            given = taken = 0
            began = time.monotonic()
            used = time.process_time()
            count = 50 if kind == "warm" else options.tasks
            while taken < count:
                while given < count and len(pool) < options.under_way:
                    pool.submit(str(given), Job(Program(str(empty), 1), ("nothing",)))
                    given += 1
                for event in pool.events(1.0):
                    taken += isinstance(event, JobDone)
            if kind == "jobs":
                spent = time.process_time() - used
                rate = count / (time.monotonic() - began)
                print(
                    f"{rate:.0f} empty jobs per second; the driver needs {1000 * spent / count:.2f} ms of CPU time "
                    f"for one, enough for {count / spent:.0f} per second"
                )
        drips(options.pieces, Path(folder))
        leaves(find_program(options.program), options.leaves, Path(folder))
        bytes_ = pieces = 0
        began = time.monotonic()
        used = time.process_time()
        pool.submit("flood", Job(Program(str(flood), 1), ("out.json",), "out.json"))
        while len(pool):
            for event in pool.events(1.0):
                if isinstance(event, ShardGrew):
                    bytes_ += len(event.piece)
                    pieces += 1
        spent = time.process_time() - used
        rate = bytes_ / (time.monotonic() - began)
        print(
            f"one worker sends {rate / 1e6:.0f} MB per second in {pieces} pieces; the driver needs {spent:.2f} s of "
            f"CPU time for {bytes_ / 1e6:.0f} MB, enough for {bytes_ / spent / 1e6:.0f} MB per second"
        )


def drips(count: int, folder: Path) -> None:
    """Measures how many games per second the driver receives and stores, each sent alone, from two workers."""

    def drip(inputs: JobInputs, job: Job, existing: bytes) -> Iterator[JobStarted | bytes | JobOutput]:
        yield JobStarted("", 0)
        for _ in range(count // 2):
            yield game
        yield JobOutput(0, b"", "", "")

    game = b'{"type":"game","moves":"' + b"a1 " * 60 + b'"}\n'
    pool = WorkerPool(b"", {}, 60, 60, 1)
    pool.set_task(drip)
    shards = ShardFolder(folder / "parts", {})
    runner = ShardRunner(pool, shards, lambda: 2, lambda shard: Job(Program("", 1), ()))
    began = time.monotonic()
    used = time.process_time()
    taken = sum(update.piece.count(b"\n") for update in runner.run(split(1, 2, 1, ".json")))
    spent = time.process_time() - used
    print(
        f"{taken / (time.monotonic() - began):.0f} games per second, each sent alone and written to disk; "
        f"{1000 * spent / taken:.2f} ms of the driver's CPU time for one, enough for {taken / spent:.0f} per second"
    )


def leaves(program: Path, count: int, folder: Path) -> None:
    """Measures how many leaf results per second the driver records, with a thousand open jobs."""
    asked = subprocess.run([program, "solve", "--expand", "--fen", PROOF], capture_output=True, check=True)
    root = json.loads(asked.stdout)
    tree = Tree(folder / "tree", root, "tixtax")
    waiting: deque[LeafTask] = deque()
    began = time.monotonic()
    with Expander(program, "tixtax") as expand:
        for done in range(1, count + 1):
            while len(waiting) < min(1000, done) and (task := tree.take()):
                waiting.append(task)
            tree.record_result(waiting.popleft(), NO_RESULT, expand)
            if done % (count // 4) == 0:
                rate = count / 4 / (time.monotonic() - began)
                print(f"{rate:.0f} leaf results per second in a tree of {len(tree)} nodes")
                began = time.monotonic()


def slices(options: argparse.Namespace) -> None:
    """Measures what splitting a proof into jobs costs: one position, one worker, by the seconds per job."""
    program = find_program(options.program)
    plain = subprocess.run(
        [program, "solve", "--fen", PROOF], capture_output=True, text=True, check=True
    ).stdout.split()
    print(f"one process: {plain[4]} s, {plain[3]} nodes", flush=True)
    for length in ("0.5", "1", "2", "5"):
        with tempfile.TemporaryDirectory() as folder:
            words = ["solve", "--fen", PROOF, "--tree", "tree", "--slice", length, "--workers", "1"]
            command = [sys.executable, "-m", "zermelo_cluster", *words, "--program", str(program)]
            output = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.split()
        print(f"jobs of {length} s: {output[4]} s of work, {output[3]} nodes", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--program", type=Path)
    kinds = parser.add_subparsers(dest="kind", required=True)
    one = kinds.add_parser("growth")
    one.add_argument("--count", type=int, default=25)
    one.add_argument("--time", type=float, default=60)
    one.add_argument("--first", type=int, default=44)
    one.add_argument("--last", type=int, default=30)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--balanced", action="store_true")
    two = kinds.add_parser("workers")
    two.add_argument("--runs", type=int, default=3)
    two.add_argument("--slice", type=float, default=2)
    two.add_argument("--only", nargs="+", choices=["match", "datagen", "solve"])
    three = kinds.add_parser("driver")
    three.add_argument("--tasks", type=int, default=500)
    three.add_argument("--pieces", type=int, default=5000)
    three.add_argument("--leaves", type=int, default=2000)
    three.add_argument("--under-way", type=int, default=8)
    kinds.add_parser("slices")
    options = parser.parse_args()
    {"growth": growth, "workers": workers, "driver": driver, "slices": slices}[options.kind](options)


if __name__ == "__main__":
    main()
