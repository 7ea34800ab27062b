#!/usr/bin/env python3
"""The figures of README.md: how work grows, what a second worker brings, what the driver can take.

    target/cluster/bin/python scripts/cluster/measure.py growth [--count N] [--time S] [--first 44] [--last 30]
    target/cluster/bin/python scripts/cluster/measure.py workers [--runs N] [--only match datagen solve]
    target/cluster/bin/python scripts/cluster/measure.py driver [--tasks N]
    target/cluster/bin/python scripts/cluster/measure.py slices

Everything runs on this machine. What is compared is run in turn, and medians are printed.
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
from zermelo_cluster.crew import Crew, Done, Grown  # noqa: E402
from zermelo_cluster.job import Begun, Files, Job, Output, Program  # noqa: E402
from zermelo_cluster.parts import Folder, Work, cut  # noqa: E402
from zermelo_cluster.proofs import NOTHING, Expander  # noqa: E402
from zermelo_cluster.tree import Tree  # noqa: E402

# A position of which one worker needs some tens of seconds (tests/data/tixtax-hard.txt, the 2nd).
PROOF = "x6ox/1o2o2o1/o1o1x1xo1/o2xxx3/o8/2xo2x2/2o2xx2/xxo3xo1/2x2oo2 x 16 -"


def growth(options: argparse.Namespace) -> None:
    """How long proofs take, by the plies that were played; and a line through their logarithms."""
    program = find_program(options.program)
    points = []
    for plies in range(options.first, options.last - 1, -2):
        made = ["openings", "--game", "tixtax", "--plies", str(plies), "--count", str(options.count)]
        made += ["--seed", str(options.seed)] + (["--balanced"] if options.balanced else [])
        fens = subprocess.run([program, *made], capture_output=True, text=True, check=True).stdout.splitlines()
        seconds, nodes, open_ = [], [], 0
        for fen in fens:
            solve = ["solve", "--fen", fen, "--time", str(options.time), "--memory", "2048"]
            said = subprocess.run([program, *solve], capture_output=True, text=True, check=True).stdout.split()
            open_ += said[0] == "unknown"
            nodes.append(int(said[3]))
            seconds.append(float(said[4]))
        # What is open counts as long as it took, which leaves a median alone that is closed itself.
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
        print(
            f"{name}: {math.exp(-2 * slope):.2f} times as many for two plies earlier, {math.exp(height):.2e} at ply 0"
        )


def line(points: list[tuple[int, float]]) -> tuple[float, float]:
    """The line of least squares: its slope, and its height at 0."""
    slope, height = statistics.linear_regression(*zip(*points, strict=True))
    return slope, height


def workers(options: argparse.Namespace) -> None:
    """One worker, two workers, and two plain processes at once, in turn."""
    program = find_program(options.program)
    match = ["--engine", "name=one", "--engine", "name=two", "option.Seed=1", "--each", "nodes=20000"]
    match += ["--openings", "random=6", "--rounds", "120"]
    cases: dict[str, tuple[list[str], Callable[[], float]]] = {
        "match": (
            ["match", *match, "--record", "games.pgn", "--part-games", "8"],
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
    """How long the work of a command takes, from the first job to the result: a cluster stands before and after."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "zermelo_cluster", *words, "--program", str(program)]
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert process.stdout and process.stderr
        began = time.monotonic()
        remarks = []
        for said in process.stderr:
            remarks.append(said)
            if "to be watched" in said:
                began = time.monotonic()
                break
        process.stdout.readline()
        needed = time.monotonic() - began
        _, rest = process.communicate()
        if process.returncode:
            raise SystemExit(f"{' '.join(words)} failed: {''.join(remarks)}{rest}")
        return needed


def twice(program: Path, words: list[str], keep: bool = True) -> float:
    """How long two processes take that do the same at once."""
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
    """How many jobs, and how many bytes, the driver takes in a second: with jobs that do nothing, and with one
    that sends as fast as it can."""
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
        crew = Crew(b"", {}, 60, 60, 1)
        for kind in ("warm", "jobs"):
            given = taken = 0
            began = time.monotonic()
            used = time.process_time()
            count = 50 if kind == "warm" else options.tasks
            while taken < count:
                while given < count and len(crew) < options.under_way:
                    crew.begin(str(given), Job(Program(str(empty), 1), ("nothing",)))
                    given += 1
                for event in crew.events(1.0):
                    taken += isinstance(event, Done)
            if kind == "jobs":
                spent = time.process_time() - used
                rate = count / (time.monotonic() - began)
                print(
                    f"{rate:.0f} jobs that do nothing a second; the driver itself needs {1000 * spent / count:.2f} ms "
                    f"of its CPU for one, enough for {count / spent:.0f} a second"
                )
        drips(options.pieces, Path(folder))
        leaves(find_program(options.program), options.leaves, Path(folder))
        bytes_ = pieces = 0
        began = time.monotonic()
        used = time.process_time()
        crew.begin("flood", Job(Program(str(flood), 1), ("out.json",), "out.json"))
        while len(crew):
            for event in crew.events(1.0):
                if isinstance(event, Grown):
                    bytes_ += len(event.piece)
                    pieces += 1
        spent = time.process_time() - used
        rate = bytes_ / (time.monotonic() - began)
        print(
            f"one worker sends {rate / 1e6:.0f} MB a second in {pieces} pieces; the driver needs {spent:.2f} s of its "
            f"CPU for {bytes_ / 1e6:.0f} MB, enough for {bytes_ / spent / 1e6:.0f} MB a second"
        )


def drips(count: int, folder: Path) -> None:
    """How many small pieces the driver takes in and writes down in a second: each a game, from two workers."""

    def drip(program: bytes, files: Files, job: Job, begun: bytes) -> Iterator[Begun | bytes | Output]:
        yield Begun("", 0)
        for _ in range(count // 2):
            yield game
        yield Output(0, b"", "", "")

    game = b'{"type":"game","moves":"' + b"a1 " * 60 + b'"}\n'
    crew = Crew(b"", {}, 60, 60, 1)
    crew.work_by(drip)
    parts = Folder(folder / "parts", {})
    work = Work(crew, parts, lambda: 2, lambda part: Job(Program("", 1), ()))
    began = time.monotonic()
    used = time.process_time()
    taken = sum(news.piece.count(b"\n") for news in work.do(cut(1, 2, 1, ".json")))
    spent = time.process_time() - used
    print(
        f"{taken / (time.monotonic() - began):.0f} games a second, each in a message of its own and written to the "
        f"disk; {1000 * spent / taken:.2f} ms of the driver's CPU for one, enough for {taken / spent:.0f} a second"
    )


def leaves(program: Path, count: int, folder: Path) -> None:
    """How many results of leaves the driver takes in a second, with a thousand under way: none is ever settled."""
    asked = subprocess.run([program, "solve", "--expand", "--fen", PROOF], capture_output=True, check=True)
    root = json.loads(asked.stdout)
    tree = Tree(folder / "tree", root, "tixtax")
    waiting: deque[int] = deque()
    began = time.monotonic()
    with Expander(program, "tixtax") as expand:
        for done in range(1, count + 1):
            while len(waiting) < min(1000, done) and (leaf := tree.take()):
                waiting.append(leaf.id)
            tree.learn(waiting.popleft(), NOTHING, expand)
            if done % (count // 4) == 0:
                rate = count / 4 / (time.monotonic() - began)
                print(f"{rate:.0f} results of leaves a second, at {len(tree)} nodes of the tree")
                began = time.monotonic()


def slices(options: argparse.Namespace) -> None:
    """What cutting a proof into jobs costs: one position, one worker, by the seconds of a job."""
    program = find_program(options.program)
    plain = subprocess.run(
        [program, "solve", "--fen", PROOF], capture_output=True, text=True, check=True
    ).stdout.split()
    print(f"one process: {plain[4]} s, {plain[3]} nodes", flush=True)
    for length in ("0.5", "1", "2", "5"):
        with tempfile.TemporaryDirectory() as folder:
            words = ["solve", "--fen", PROOF, "--tree", "tree", "--slice", length, "--workers", "1"]
            command = [sys.executable, "-m", "zermelo_cluster", *words, "--program", str(program)]
            said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.split()
        print(f"jobs of {length} s: {said[4]} s of work, {said[3]} nodes", flush=True)


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
