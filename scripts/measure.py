#!/usr/bin/env python3
"""Measures latency and speed of the program externally, one line per figure.

    cargo build --release && scripts/measure.py [PROGRAM] [--runs N]

Each figure is the median of N runs, with the minimum and maximum. Needs only Python.
"""

import argparse
import os
import re
import statistics
import subprocess
import time


class Engine:
    """A running engine process."""

    def __init__(self, program, *lines):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([program], stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self.send(*lines)
        self.until("readyok", "isready")

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def until(self, start, *lines):
        """Sends lines and waits for a line that starts with `start`; returns it and the milliseconds."""
        began = time.perf_counter()
        self.send(*lines)
        while not (line := self.process.stdout.readline()).startswith(start):
            if not line:
                raise SystemExit("the engine exited unexpectedly")
        return line, (time.perf_counter() - began) * 1000

    def close(self):
        self.send("quit")
        self.process.wait()


def show(name, figures, unit):
    middle = statistics.median(figures)
    print(f"{name:<58} {middle:10.2f} {unit:<6} ({min(figures):.2f} to {max(figures):.2f})", flush=True)


def start_up(program):
    began = time.perf_counter()
    process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process.stdin.write("uci\n")
    process.stdin.flush()
    while process.stdout.readline() != "uciok\n":
        pass
    taken = (time.perf_counter() - began) * 1000
    process.kill()
    process.wait()
    return taken


def latencies(program, runs):
    show("start to uciok", [start_up(program) for _ in range(runs)], "ms")
    engine = Engine(program, "position startpos")
    ready, stop = [], []
    for _ in range(runs):
        engine.send("go infinite")
        time.sleep(0.2)
        ready.append(engine.until("readyok", "isready")[1])
        stop.append(engine.until("bestmove", "stop")[1])
    show("isready during a search", ready, "ms")
    show("stop to bestmove", stop, "ms")
    cores = len(os.sched_getaffinity(0))
    for threads in (1, cores, 4 * cores):
        engine.send(f"setoption name Threads value {threads}")
        over = []
        for _ in range(runs):
            engine.until("readyok", "ucinewgame", "isready")
            over.append(engine.until("bestmove", "go movetime 100")[1] - 100)
        plural = "thread" if threads == 1 else "threads"
        show(f"go movetime 100, excess time, {threads} {plural} on {cores} cores", over, "ms")
    engine.close()


def exact_play(program, runs):
    for game in ("tictactoe", "ponghauki", "nim"):
        first, later = [], []
        for _ in range(runs):
            engine = Engine(program)
            engine.send(f"setoption name UCI_Variant value {game}")
            first.append(engine.until("bestmove", "go movetime 1000")[1])
            engine.until("readyok", "position random 5", "isready")
            later.append(engine.until("bestmove", "go movetime 1000")[1])
            engine.close()
        show(f"first go in {game}, including building the table", first, "ms")
        show(f"later go in {game}", later, "ms")


def speed_of(program, *arguments):
    output = subprocess.run([program, *arguments], capture_output=True, text=True, check=True)
    return int(re.search(r"(\d+) nodes (\d+) nps\n$", output.stdout).group(2)) / 1e6


def perft(program, runs):
    one, two, apart = [], [], []
    for _ in range(runs):
        one.append(speed_of(program, "perft", "8"))
        two.append(speed_of(program, "perft", "8", "--threads", "2"))
        command = [program, "perft", "8"]
        began = time.perf_counter()
        both = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(2)]
        for process in both:
            process.wait()
        apart.append(2 * 281067408 / (time.perf_counter() - began) / 1e6)
    show("perft 8 of tixtax, one thread", one, "M/s")
    show("perft 8 of tixtax, two threads", two, "M/s")
    show("perft 8 of tixtax, two processes at once", apart, "M/s")
    show("two threads over one", [b / a for a, b in zip(one, two)], "")
    show("two threads over two processes", [b / a for a, b in zip(apart, two)], "")


def search(program, runs):
    show("bench", [speed_of(program, "bench") for _ in range(runs)], "M/s")
    speeds = []
    for _ in range(runs):
        engine = Engine(program, "setoption name Searcher value mcts", "position startpos")
        line, taken = engine.until("bestmove", "go nodes 1000000")
        speeds.append(1e6 / taken)
        engine.close()
    show("playouts from the start of tixtax, one thread", speeds, "k/s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", default="target/release/zermelo")
    parser.add_argument("--runs", type=int, default=11)
    arguments = parser.parse_args()
    latencies(arguments.program, arguments.runs)
    exact_play(arguments.program, arguments.runs)
    perft(arguments.program, arguments.runs)
    search(arguments.program, arguments.runs)


if __name__ == "__main__":
    main()
