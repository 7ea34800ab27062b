#!/usr/bin/env python3
"""Times `zermelo solve` on the proofs in `tests/data`: one thread, two threads, two processes at once.

    cargo build --release && scripts/measure_proofs.py [PROGRAM] [--files NAME...] [--memory MB]
        [--time SECONDS] [--two] [--verify] [--certificates CHECKER]

Each position is solved separately, with `--two` in all three ways. Prints a line per position and
the sums; an open position counts with its time limit. With `--certificates`, each proof is written and
checked by the program CHECKER, built from tests/certificate. Needs only Python.
"""

import argparse
import re
import subprocess
import tempfile
import time
from pathlib import Path

DATA = Path(__file__).parent.parent / "tests/data"
VALUES = ("win", "draw", "loss")


def positions(name):
    """Yields the positions of a file as (value or None, FEN)."""
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
    """Waits for a process; returns value, nodes, seconds, and the report of --verify."""
    output, errors = process.communicate()
    if process.returncode:
        raise SystemExit(errors)
    value, _, _, nodes, seconds, _ = output.split(" ", 5)
    verified = [line.split(", ")[1] for line in errors.splitlines() if "verified" in line]
    return value, int(nodes), float(seconds), "".join(verified)


def certify(options, fen):
    """Writes and checks a certificate; returns bytes, positions, and seconds to write and to check it."""
    with tempfile.NamedTemporaryFile() as file:
        command = [options.program, "solve", "--fen", fen, "--memory", str(options.memory)]
        written = subprocess.run([*command, "--certificate", file.name], capture_output=True, text=True)
        size, seconds = re.search(r"written: (\d+) bytes?, .* in ([0-9.]+) s", written.stderr).groups()
        began = time.monotonic()
        checked = subprocess.run([options.certificates, file.name], capture_output=True, text=True)
        took = time.monotonic() - began
        proven = re.match(r"proven: (.*) \((\d+) positions\)", checked.stdout)
        if not proven or not proven[1].endswith(fen):
            raise SystemExit(f"{fen}: {checked.stdout}{checked.stderr}")
        return int(size), int(proven[2]), float(seconds), took


def measure(options, name):
    sums, longest, unknown, wrong = [0.0, 0.0, 0.0], 0.0, 0, 0
    certified, totals = 0, (0, 0, 0.0, 0.0)
    for known, fen in positions(name):
        value, nodes, seconds, verified = end(begin(options, fen, 1))
        sums[0] += seconds
        longest = max(longest, seconds)
        unknown += value == "unknown"
        wrong += known is not None and value not in (known, "unknown")
        text = f"{value:8} {nodes:10} nodes {seconds:8.3f} s {verified}"
        if options.two:
            sums[1] += (by_two := end(begin(options, fen, 2))[2])
            pair = [begin(options, fen, 1) for _ in range(2)]
            sums[2] += (at_once := sum(end(process)[2] for process in pair) / 2)
            text += f" two threads {by_two:8.3f} s, two at once {at_once:8.3f} s"
        if options.certificates and value != "unknown":
            certificate = certify(options, fen)
            totals = tuple(map(sum, zip(totals, certificate)))
            certified += 1
            text += " {} bytes, {} positions, {:.2f} s to write, {:.2f} s to check".format(*certificate)
        print(f"{text}  {fen}", flush=True)
    if options.certificates:
        print("{} certificates: {} bytes, {} positions, {:.1f} s to write, {:.1f} s to check".format(certified, *totals))
    print(f"{name}: {sums[0]:.2f} s in total, {longest:.2f} s at most, {unknown} unknown, {wrong} wrong")
    if options.two:
        print(
            f"two threads: {sums[1]:.2f} s in total, {sums[0] / sums[1]:.2f} times as fast; two processes "
            f"at once take {sums[2]:.2f} s each; two threads reach {sums[2] / sums[1] / 2:.2f} of their throughput"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", default="target/release/zermelo")
    parser.add_argument("--files", nargs="+", default=["tixtax-solved.txt", "tixtax-hard.txt"])
    parser.add_argument("--memory", type=int, default=1024)
    parser.add_argument("--time", type=float, default=60)
    parser.add_argument("--two", action="store_true", help="also with two threads and two processes")
    parser.add_argument("--certificates", metavar="CHECKER", help="write and check certificates")
    parser.add_argument("--verify", action="store_true", help="verify each proof")
    options = parser.parse_args()
    for name in options.files:
        measure(options, name)


if __name__ == "__main__":
    main()
