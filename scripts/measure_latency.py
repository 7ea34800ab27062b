#!/usr/bin/env python3
"""Measures how fast the engine answers while every core is busy with something else.

    cargo build --release && scripts/measure_latency.py [PROGRAM] [--runs N] [--spinners N] [--games N]

Starts one spinning process per core (`--spinners 0`: no load). Each figure is the median of N runs, with the 90th and
99th percentile and the maximum. `isready` is the baseline: what pipe, kernel and this script take. `--games` counts the
games at 50 ms without increment that are lost on time, with no margin; there the baseline is a random player, which
never thinks. Needs only Python.
"""

import argparse
import contextlib
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import Engine

# Each search starts from one of these games, so that no table answers alone.
OPENINGS = ("e5", "a1", "c7", "i9 i8", "e4 e2", "b5 e5 e6")
SEARCHES = (
    ("no time left", "go wtime 0 btime 0"),
    ("5 ms left", "go wtime 5 btime 5"),
    ("15 ms left", "go wtime 15 btime 15"),
    ("50 ms left", "go wtime 50 btime 50"),
    ("one node", "go nodes 1"),
    ("movetime 1", "go movetime 1"),
)


@contextlib.contextmanager
def busy_cores(count):
    command = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(command) for _ in range(count)]
    try:
        time.sleep(0.5)
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def show(name, figures):
    cuts = statistics.quantiles(figures, n=100)
    print(
        f"{name:<40} {statistics.median(figures):8.2f} ms   p90 {cuts[89]:.2f}, p99 {cuts[98]:.2f}, "
        f"maximum {max(figures):.2f}",
        flush=True,
    )


def measure(engine, runs, start, command):
    figures = []
    for run in range(runs):
        engine.until("readyok", f"position startpos moves {OPENINGS[run % len(OPENINGS)]}", "isready")
        # The opponent's turn: the engine sleeps.
        time.sleep(0.005)
        figures.append(engine.until(start, command)[1])
    return figures


def count_time_losses(program, games, searcher):
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "games.pgn"
        command = [program, "match", "--engine", "name=one", "--engine", "name=two"]
        command += ["--each", "tc=0.05+0", "timemargin=0", f"option.Searcher={searcher}"]
        command += ["--openings", "random=8", "--rounds", str(games // 2), "--record", str(record)]
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
        ends = re.findall(r'^\[Termination "([^"]*)"\]', record.read_text(), re.M)
    print(f"50 ms + 0, {searcher}: {ends.count('time')} of {len(ends)} games lost on time", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", default="target/release/zermelo")
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--spinners", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--searcher", default="auto")
    parser.add_argument("--games", type=int, default=0)
    options = parser.parse_args()
    with busy_cores(options.spinners):
        engine = Engine(
            options.program,
            f"setoption name Threads value {options.threads}",
            f"setoption name Searcher value {options.searcher}",
        )
        show("isready", measure(engine, options.runs, "readyok", "isready"))
        for name, command in SEARCHES:
            show(f"{name} ({command})", measure(engine, options.runs, "bestmove", command))
        engine.close()
        for searcher in ("random", options.searcher) if options.games else ():
            count_time_losses(options.program, options.games, searcher)


if __name__ == "__main__":
    main()
