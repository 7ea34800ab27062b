#!/usr/bin/env python3
"""Compares the search speed of two versions of the program.

    cargo build --release && scripts/measure_speed.py OTHER [PROGRAM] [--nodes N] [--openings FILE]

Both search every opening with the same number of nodes on one thread, in turn; which one begins alternates. Prints nodes
per second of CPU time, which other load on the machine affects less than the clock. Needs Linux and Python.
"""

import argparse
import statistics
import time

from measure import Engine


def cpu_seconds(process):
    """Returns the CPU time of all threads so far, from the process's CPU clock (see clock_getcpuclockid(3))."""
    return time.clock_gettime((~process.pid << 3) | 2)


def speed(engine, fen, nodes):
    engine.until("readyok", "ucinewgame", f"position fen {fen}", "isready")
    before = cpu_seconds(engine.process)
    engine.until("bestmove", f"go nodes {nodes}")
    return nodes / (cpu_seconds(engine.process) - before)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("other")
    parser.add_argument("program", nargs="?", default="target/release/zermelo")
    parser.add_argument("--nodes", type=int, default=1_500_000)
    parser.add_argument("--openings", default="scripts/openings.fen")
    options = parser.parse_args()
    with open(options.openings) as file:
        fens = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    engines = {"other": Engine(options.other), "program": Engine(options.program)}
    speeds = {name: [] for name in engines}
    for number, fen in enumerate(fens):
        order = list(engines) if number % 2 else reversed(engines)
        for name in order:
            speeds[name].append(speed(engines[name], fen, options.nodes))
    for name, engine in engines.items():
        engine.close()
        print(f"{name}: {statistics.median(speeds[name]) / 1e6:.2f} million nodes a second")
    ratios = [new / old for new, old in zip(speeds["program"], speeds["other"])]
    print(f"the program reaches {statistics.median(ratios):.3f} of the other, {min(ratios):.2f} to {max(ratios):.2f}")


if __name__ == "__main__":
    main()
