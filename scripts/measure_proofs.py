#!/usr/bin/env python3
"""How long `zermelo solve` takes for the proofs in `tests/data`, on one thread, two, and twice at once.

    cargo build --release && scripts/measure_proofs.py [PROGRAM] [--files NAME...] [--memory MB]
        [--time SECONDS] [--two] [--verify]

Each position is solved by itself, in these ways in turn with `--two`. Prints a line a position and
the sums; what is not proven in time counts with the time it was given. Needs only Python.
"""

import argparse
import subprocess
from pathlib import Path

DATA = Path(__file__).parent.parent / "tests/data"
VALUES = ("win", "draw", "loss")


def positions(name):
    """The FENs of a file, with their values where they stand before them."""
    for line in (DATA / name).read_text().splitlines():
        if line and not line.startswith("#"):
            first, rest = line.split(" ", 1)
            yield (first, rest) if first in VALUES else (None, line)


def begin(options, fen, threads):
    command = [options.program, "solve", "--fen", fen, "--threads", str(threads)]
    command += ["--memory", str(options.memory), "--time", str(options.time)]
    command += ["--verify"] if options.verify and threads == 1 else []
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)


def end(process):
    """Value, nodes, seconds, and what was said of a second look."""
    output, errors = process.communicate()
    if process.returncode:
        raise SystemExit(errors)
    value, _, _, nodes, seconds, _ = output.split(" ", 5)
    looked = [line.split(", ")[1] for line in errors.splitlines() if "verified" in line]
    return value, int(nodes), float(seconds), "".join(looked)


def measure(options, name):
    sums, longest, unknown, wrong = [0.0, 0.0, 0.0], 0.0, 0, 0
    for known, fen in positions(name):
        value, nodes, seconds, looked = end(begin(options, fen, 1))
        sums[0] += seconds
        longest = max(longest, seconds)
        unknown += value == "unknown"
        wrong += known is not None and value not in (known, "unknown")
        told = f"{value:8} {nodes:10} nodes {seconds:8.3f} s {looked}"
        if options.two:
            sums[1] += (by_two := end(begin(options, fen, 2))[2])
            pair = [begin(options, fen, 1) for _ in range(2)]
            sums[2] += (at_once := sum(end(process)[2] for process in pair) / 2)
            told += f" two threads {by_two:8.3f} s, two at once {at_once:8.3f} s"
        print(f"{told}  {fen}", flush=True)
    print(f"{name}: {sums[0]:.2f} s in sum, {longest:.2f} s at most, {unknown} unknown, {wrong} wrong")
    if options.two:
        print(
            f"two threads: {sums[1]:.2f} s in sum, {sums[0] / sums[1]:.2f} times as fast; two processes "
            f"at once solve two each in {sums[2]:.2f} s, two threads {sums[2] / sums[1] / 2:.2f} of that"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", default="target/release/zermelo")
    parser.add_argument("--files", nargs="+", default=["tixtax-solved.txt", "tixtax-hard.txt"])
    parser.add_argument("--memory", type=int, default=1024)
    parser.add_argument("--time", type=float, default=60)
    parser.add_argument("--two", action="store_true", help="also with two threads and two processes")
    parser.add_argument("--verify", action="store_true", help="look at each proof a second time")
    options = parser.parse_args()
    for name in options.files:
        measure(options, name)


if __name__ == "__main__":
    main()
