#!/usr/bin/env python3
"""Tests short searches of TixTax positions with known values.

    cargo build --release && scripts/measure_solved.py [PROGRAM] [--movetime MS] [--judge NODES]

For each line of `tests/data/tixtax-solved.txt`: whether the value was proven in time, and whether the
chosen move keeps it, as proven by a search of NODES after that move. Needs only Python.
"""

import argparse
import re
from pathlib import Path

from measure import Engine

POSITIONS = Path(__file__).parent.parent / "tests/data/tixtax-solved.txt"
NEGATED = {"win": "loss", "draw": "draw", "loss": "win"}


def search(engine, position, limit):
    """Searches; returns the proven value, if any, and the best move."""
    engine.send("ucinewgame", f"position fen {position}", f"go {limit}")
    proven = None
    while not (line := engine.process.stdout.readline()).startswith("bestmove"):
        if match := re.match(r"info string proven (\w+)", line):
            proven = match[1]
    return proven, line.split()[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default="target/release/zermelo")
    parser.add_argument("--movetime", type=int, default=1000)
    parser.add_argument("--judge", type=int, default=10_000_000)
    options = parser.parse_args()
    player, judge = Engine(options.program), Engine(options.program, "setoption name Hash value 256")
    counts = dict.fromkeys(["positions", "proven", "kept", "not judged", "false"], 0)
    for line in POSITIONS.read_text().splitlines():
        value, position = line.split(" ", 1)
        proven, move = search(player, position, f"movetime {options.movetime}")
        reply, _ = search(judge, f"{position} moves {move}", f"nodes {options.judge}")
        counts["positions"] += 1
        counts["proven"] += proven == value
        counts["false"] += proven not in (None, value)
        counts["kept"] += reply is not None and NEGATED[reply] == value
        counts["not judged"] += reply is None
        print(f"{value:5} proven {proven or '-':5} {move} then {reply or '-':5} {position}", flush=True)
    for engine in (player, judge):
        engine.close()
    print(", ".join(f"{name} {count}" for name, count in counts.items()))


if __name__ == "__main__":
    main()
