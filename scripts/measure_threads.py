#!/usr/bin/env python3
"""How many nodes a second two threads make of one, beside two processes of one thread each.

    scripts/measure_threads.py target/release/zermelo --positions 20 --seconds 1.5
"""

import argparse
import re
import statistics
import subprocess


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("zermelo", help="the program, release build")
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=1.5, help="for each search")
    return parser.parse_args()


def start(options: argparse.Namespace, fen: str, threads: int) -> subprocess.Popen[str]:
    words = [
        f"setoption name Threads value {threads}",
        "setoption name Hash value 64",
        f"position fen {fen}",
        f"go movetime {options.seconds * 1000:.0f}",
    ]
    return subprocess.Popen([options.zermelo, "--", *words], stdout=subprocess.PIPE, text=True)


def speed(process: subprocess.Popen[str]) -> float:
    output, _ = process.communicate()
    nodes, milliseconds = re.findall(r" nodes (\d+) .* time (\d+)", output)[-1]
    return int(nodes) / max(1, int(milliseconds)) * 1000


def main() -> None:
    options = arguments()
    words = ["openings", "--balanced", "--count", str(options.positions)]
    fens = subprocess.run(
        [options.zermelo, *words], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.splitlines()
    by_thread, by_process = [], []
    for fen in fens:
        one = speed(start(options, fen, 1))
        two = speed(start(options, fen, 2))
        both = sum(speed(process) for process in [start(options, fen, 1) for _ in range(2)])
        by_thread.append(two / one)
        by_process.append(two / both)
        print(f"one {one:.0f}, two threads {two:.0f}, two processes {both:.0f}  {fen}", flush=True)
    print(
        f"medians: two threads make {statistics.median(by_thread):.2f} of one, "
        f"{statistics.median(by_process):.2f} of two processes"
    )


if __name__ == "__main__":
    main()
