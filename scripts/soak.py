#!/usr/bin/env python3
"""Many short games of the program against itself: no illegal move, no time loss, no crash, memory flat.

    cargo build --release && scripts/soak.py [PROGRAM] [--games 100000] [--folder target/soak]

The matches are split evenly among the program's games, with a clock of a fraction of a second and a margin of a
quarter of a second, since the machine may be busy. The same command resumes an interrupted run. Exit code 1 if anything
went wrong, a claim was broken or an engine's memory grew. Needs only Python, on Linux.
"""

import argparse
import collections
import os
import re
import subprocess
import sys
import time
from pathlib import Path

# MiB by which an engine may be larger in the last quarter of the time than in the second.
SLACK = 2
PAGE = os.sysconf("SC_PAGE_SIZE")


def games(program):
    """Returns the ids of the program's games, as its error for an unknown game lists them."""
    refused = subprocess.run([program, "perft", "1", "--game", "?"], capture_output=True, text=True).stderr
    listed = re.search(r"expected one of: (.+)", refused)
    if not listed:
        sys.exit(f"{program} does not list its games: {refused.strip()}")
    return listed[1].split(", ")


def resident(process):
    """Returns the resident memory of a process in MiB; None if it has exited."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE / (1 << 20)
    except (OSError, ValueError):
        return None


def children(process):
    """Returns the child processes of a process."""
    try:
        threads = [task.read_text() for task in Path(f"/proc/{process}/task").glob("*/children")]
    except OSError:
        return []
    return [int(child) for words in threads for child in words.split()]


def play(program, game, count, folder, clock, concurrency):
    """Plays a match in one game; returns exit code, seconds, record and samples of the memory."""
    record = folder / f"{game}.pgn"
    command = [program, "match", "--game", game, "--engine", "name=one", "--engine", "name=two", "option.Seed=1"]
    command += ["--each", f"tc={clock}", "timemargin=250", "option.Hash=4", "--openings", "random=2"]
    command += ["--rounds", str(count // 2), "--concurrency", str(concurrency), "--record", str(record)]
    began = time.monotonic()
    with (folder / f"{game}.out").open("w") as output:
        runner = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        seen = {"runner": [], "engine": []}
        while runner.poll() is None:
            time.sleep(0.5)
            seen["runner"].append(resident(runner.pid))
            sizes = [resident(engine) for engine in children(runner.pid)]
            seen["engine"].append(max((size for size in sizes if size), default=None))
    return runner.returncode, time.monotonic() - began, record, seen


def quarters(sizes):
    """Returns the maximum in each quarter of the time."""
    sizes = [size for size in sizes if size]
    parts = [sizes[len(sizes) * part // 4 : max(len(sizes) * (part + 1) // 4, 1)] for part in range(4)]
    return [max(part, default=0) for part in parts]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default="target/release/zermelo")
    parser.add_argument("--games", type=int, default=100_000, help="total number of games")
    parser.add_argument("--game", help="play only this game's share")
    parser.add_argument("--folder", type=Path, default=Path("target/soak"))
    parser.add_argument("--clock", default="0.04+0.001")
    parser.add_argument("--concurrency", type=int, default=2)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    known = games(options.program)
    if options.game and options.game not in known:
        parser.error(f"argument --game: {options.game!r}, expected one of: {', '.join(known)}")
    for game in [options.game] if options.game else known:
        count = options.games // len(known) // 2 * 2
        code, seconds, record, seen = play(
            options.program, game, count, options.folder, options.clock, options.concurrency
        )
        ends = collections.Counter(re.findall(r'^\[Termination "([^"]*)"\]', record.read_text(), re.M))
        played = sum(ends.values())
        broken = re.search(r"^\d+ claim", (options.folder / f"{game}.out").read_text(), re.M)
        engine = quarters(seen["engine"])
        grown = engine[3] > engine[1] + SLACK
        wrong += code != 0 or played != count or ends["normal"] != count or bool(broken) or grown
        sizes = {who: " ".join(f"{size:.1f}" for size in quarters(sizes)) for who, sizes in seen.items()}
        print(
            f"{game}: {played} of {count} games, {dict(ends)}, exit code {code}, {seconds:.0f} s; peak MiB by quarter: "
            f"runner {sizes['runner']}, engine {sizes['engine']}",
            flush=True,
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
