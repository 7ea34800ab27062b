#!/usr/bin/env python3
"""Measures `zermelo match` externally: its speed, its resources, and that it leaks none.

    cargo build --release && scripts/measure_match.py [PROGRAM] [--games N] [--think SECONDS]

Reads /proc, so it needs Linux; otherwise only Python.
"""

import argparse
import os
import subprocess
import tempfile
import time

TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def cpu_seconds(process):
    """Returns the CPU time of a process, without its children."""
    with open(f"/proc/{process}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def watch(arguments, each=0.05):
    """Runs a match; returns its wall time and, sampled while it runs, its own CPU time, its resident
    memory over time, and its maximum of descriptors, children and zombies."""
    began = time.perf_counter()
    runner = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    identity, cpu, memory = runner.pid, 0.0, []
    descriptors = children = zombies = 0
    while runner.poll() is None:
        try:
            cpu = cpu_seconds(identity)
            with open(f"/proc/{identity}/statm", encoding="ascii") as statm:
                memory.append(int(statm.read().split()[1]) * PAGE / 2**20)
            descriptors = max(descriptors, len(os.listdir(f"/proc/{identity}/fd")))
            own = []
            for task in os.listdir(f"/proc/{identity}/task"):
                with open(f"/proc/{identity}/task/{task}/children", encoding="ascii") as listed:
                    own += listed.read().split()
            children = max(children, len(own))
            zombies = max(zombies, sum(map(is_zombie, own)))
        except (FileNotFoundError, ProcessLookupError, IndexError):
            pass
        time.sleep(each)
    if runner.returncode != 0:
        raise SystemExit(f"the match failed: {runner.returncode}")
    return time.perf_counter() - began, cpu, memory, descriptors, children, zombies


def is_zombie(process):
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return False


def show(name, text):
    print(f"{name:<58} {text}", flush=True)


def show_speed(name, games, arguments):
    """Plays games and shows the speed and resources."""
    wall, _, memory, descriptors, children, zombies = watch(arguments)
    show(name, f"{games / wall * 60:,.0f}")
    early, late = memory[len(memory) // 10], memory[-1]
    show("… resident memory after a tenth and at the end", f"{early:.1f} and {late:.1f} MiB")
    show("… maximum of descriptors, children, zombies", f"{descriptors}, {children}, {zombies}")


def instant_games(program, games, folder):
    """Plays two engines that answer instantly, on one core."""
    record = os.path.join(folder, "instant.pgn")
    only_one = ["taskset", "-c", "0"]
    arguments = [
        *only_one, program, "match", "--game", "tictactoe", "--engine", "name=a",
        "--engine", "name=b", "option.Searcher=random", "--each", "nodes=1", "--openings",
        "random=2", "--rounds", str(games // 2), "--record", record,
    ]
    show_speed("tictactoe games a minute on one core, instant engines", games, arguments)


def failing_games(program, games, folder):
    """Plays an engine that crashes in every game and is restarted."""
    script = os.path.join(os.path.dirname(__file__), "..", "tests", "data", "fake-engine.sh")
    record = os.path.join(folder, "failing.pgn")
    arguments = [
        program, "match", "--game", "tictactoe", "--engine", "name=bad", "cmd=sh",
        f"args='{script}' exit", "--engine", "name=good", "--each", "nodes=1", "--recover",
        "--rounds", str(games // 2), "--record", record,
    ]
    show_speed("games a minute with a crash and restart in each", games, arguments)


def thinking(program, seconds, folder):
    """Measures the runner's own share of a core while engines think."""
    for think, moves in [("0.1", 10), ("1", 1)]:
        record = os.path.join(folder, f"think-{think}.pgn")
        rounds = max(1, int(seconds * moves / 100))
        arguments = [
            program, "match", "--engine", "name=a", "--engine", "name=b", "option.Searcher=mcts",
            "--each", f"st={think}", "--openings", "random=30", "--rounds", str(rounds),
            "--record", record,
        ]
        wall, cpu, *_ = watch(arguments)
        show(f"the runner's share of a core, {think} s a move", f"{cpu / wall:.2%} of {wall:.0f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", default="target/release/zermelo")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--think", type=int, default=60)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        instant_games(arguments.program, arguments.games, folder)
        failing_games(arguments.program, arguments.games, folder)
        thinking(arguments.program, arguments.think, folder)


if __name__ == "__main__":
    main()
