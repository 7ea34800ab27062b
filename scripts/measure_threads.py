#!/usr/bin/env python3
"""Compares the nodes per second of two threads with one thread and with two processes.

    cargo build --release && scripts/measure_threads.py [PROGRAM] [--positions N] [--movetime MS]

Searches each position in all three ways, one after the other, and prints the medians of the ratios. Needs only
Python.
"""

import argparse
import re
import statistics
import subprocess

from measure import Engine


def begin(program, position, threads, movetime):
    engine = Engine(program, f"setoption name Threads value {threads}", "setoption name Hash value 64")
    engine.send(f"position fen {position}", f"go movetime {movetime}")
    return engine


def speed(engine):
    """Waits for the running search, closes its engine, and returns the nodes per second."""
    nodes = milliseconds = 1
    while not (line := engine.process.stdout.readline()).startswith("bestmove"):
        if match := re.search(r" nodes (\d+) .* time (\d+)", line):
            nodes, milliseconds = map(int, match.groups())
    engine.close()
    return nodes / max(1, milliseconds) * 1000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default="target/release/zermelo")
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--movetime", type=int, default=1500)
    options = parser.parse_args()
    openings = [options.program, "openings", "--balanced", "--count", str(options.positions)]
    positions = subprocess.run(openings, capture_output=True, text=True, check=True).stdout
    by_thread, by_process = [], []
    for position in positions.splitlines():
        one = speed(begin(options.program, position, 1, options.movetime))
        two = speed(begin(options.program, position, 2, options.movetime))
        pair = [begin(options.program, position, 1, options.movetime) for _ in range(2)]
        both = sum(map(speed, pair))
        by_thread.append(two / one)
        by_process.append(two / both)
        print(f"one {one:.0f}, two threads {two:.0f}, two processes {both:.0f}  {position}", flush=True)
    print(
        f"medians: two threads reach {statistics.median(by_thread):.2f} of one thread, "
        f"{statistics.median(by_process):.2f} of two processes"
    )


if __name__ == "__main__":
    main()
