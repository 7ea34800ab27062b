#!/usr/bin/env python3
"""Tunes parameters of the search by SPSA: matches between two settings that differ in all of them at once.

    cargo build --release --features tuning
    research/spsa.py FILE --parameters rfp_margin=7 lmr_base=80 lmr_factor=60 [--game GAME…] [--steps N] [--nodes N]

A parameter comes with its final step: by how much each side of a match differs from the present value at the end. FILE keeps
the settings and every step, so the same command resumes. `--list` prints the parameters of the program and their values.
"""

import argparse
import json
import math
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "target/release/zermelo"
# How steps and learning rates shrink (Spall 1998), and his constant A as a share of all steps.
STEP_EXPONENT, RATE_EXPONENT, STABILITY = 0.101, 0.602, 0.1


def options(program):
    """The parameters of the program: the default, the smallest and the largest value of each."""
    said = subprocess.run([program, "--", "uci"], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^option name ([a-z_]+) type spin default (-?\d+) min (-?\d+) max (-?\d+)$", said, re.MULTILINE)
    if not found:
        sys.exit(f"{program} has no parameters to tune, build it with --features tuning")
    return {name: tuple(map(int, numbers)) for name, *numbers in found}


def factors(number, steps):
    """By how much the final steps and the final learning rate are multiplied at a step."""
    part = (steps + STABILITY * steps) / (number + 1 + STABILITY * steps)
    return part**STEP_EXPONENT, part**RATE_EXPONENT


class Tuning:
    """The present values, and how they change."""

    def __init__(self, settings, known):
        self.settings = settings
        self.known = known
        self.values = {name: float(settings["start"].get(name, known[name][0])) for name in settings["final_steps"]}

    def bounded(self, name, value):
        _, low, high = self.known[name]
        return min(max(value, low), high)

    def plan(self, number):
        """The two settings that a step compares, and the direction in which they differ. A value between two whole numbers is
        rounded up or down at random."""
        chance = random.Random(f"{self.settings['seed']} {number}")
        direction = {name: chance.choice((-1, 1)) for name in self.values}
        size, _ = factors(number, self.settings["steps"])
        part = {name: chance.random() for name in self.values}

        def setting(sign):
            moved = {name: value + sign * direction[name] * size * self.settings["final_steps"][name] for name, value in self.values.items()}
            return {name: int(self.bounded(name, math.floor(value + part[name]))) for name, value in moved.items()}

        return direction, setting(1), setting(-1)

    def learn(self, number, direction, difference):
        """Moves the values towards the better side. `difference` is by how many games it was better."""
        size, rate = factors(number, self.settings["steps"])
        for name, final in self.settings["final_steps"].items():
            change = self.settings["rate"] * rate / size * final * difference * direction[name]
            self.values[name] = self.bounded(name, self.values[name] + change)


def play(arguments, settings, number, game, plus, minus):
    """Plays the pairs of a step; returns by how many games the first setting was better."""
    command = [str(arguments.program), "match", "--game", game]
    for name, values in (("plus", plus), ("minus", minus)):
        command += ["--engine", f"name={name}", f"cmd={arguments.program}"] + [f"option.{key}={value}" for key, value in values.items()]
    command += ["--each", f"nodes={settings['nodes']}", "timemargin=1000", "--openings", "random=8"]
    command += ["--rounds", str(settings["pairs"]), "--concurrency", "1", "--seed", str(settings["seed"] + number)]
    done = subprocess.run(command, capture_output=True, text=True)
    score = re.search(r"^plus against minus: \+(\d+) =\d+ -(\d+)", done.stdout, re.MULTILINE)
    if done.returncode or not score:
        raise RuntimeError(f"a match failed: {done.stderr.strip() or done.stdout.strip()[-300:]}")
    return int(score[1]) - int(score[2])


def read(path, settings):
    """The steps in a file of these settings, which is begun if it does not exist. Half a line at its end is cut off."""
    if not path.exists():
        path.write_text(json.dumps(settings) + "\n")
        return []
    text = path.read_text()
    lines = text[: text.rfind("\n") + 1].splitlines()
    found = json.loads(lines[0]) if lines else None
    if found != settings:
        sys.exit(f"{path} was begun with other settings: {json.dumps(found)}")
    path.write_text("".join(f"{line}\n" for line in lines))
    return [json.loads(line) for line in lines[1:]]


def report(tuning, number):
    values = ", ".join(f"{name} {value:.1f}" for name, value in tuning.values.items())
    print(f"step {number} of {tuning.settings['steps']}: {values}", flush=True)


def tune(arguments, settings, known):
    tuning = Tuning(settings, known)
    steps = read(arguments.file, settings)
    for number, step in enumerate(steps):
        direction, _, _ = tuning.plan(number)
        tuning.learn(number, direction, step["difference"])
    report(tuning, len(steps))
    games = settings["games"]
    with arguments.file.open("a") as file, ThreadPoolExecutor(arguments.concurrency) as pool:
        number = len(steps)
        while number < settings["steps"]:
            # The matches of a round start from the same values.
            round_ = range(number, min(number + settings["together"], settings["steps"]))
            plans = [tuning.plan(step) for step in round_]
            jobs = [
                pool.submit(play, arguments, settings, step, games[step % len(games)], plus, minus)
                for step, (_, plus, minus) in zip(round_, plans, strict=True)
            ]
            for step, (direction, plus, minus), job in zip(round_, plans, jobs, strict=True):
                difference = job.result()
                tuning.learn(step, direction, difference)
                file.write(json.dumps({"plus": plus, "minus": minus, "difference": difference}) + "\n")
                file.flush()
            number = round_.stop
            report(tuning, number)
    print(" ".join(f"{name}={round(value)}" for name, value in tuning.values.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--parameters", nargs="+", metavar="NAME=STEP", default=[])
    parser.add_argument("--start", nargs="+", metavar="NAME=VALUE", default=[], help="instead of the values in the program")
    parser.add_argument("--game", nargs="+", default=["tixtax", "tixtax-count", "tixtax-count"], help="the games of the steps, in turn")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--pairs", type=int, default=4, help="pairs of games of a step")
    parser.add_argument("--nodes", type=int, default=5000, help="nodes a move")
    parser.add_argument("--rate", type=float, default=0.002, help="final learning rate, in final steps a game of difference")
    parser.add_argument("--together", type=int, default=2, help="steps that are played at once")
    parser.add_argument("--concurrency", type=int, default=2, help="matches at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="print the parameters")
    arguments = parser.parse_args()
    known = options(arguments.program)
    if arguments.list:
        for name, (value, low, high) in known.items():
            print(f"{name} {value} ({low} to {high})")
        return
    if not arguments.file or not arguments.parameters:
        parser.error("expected FILE and --parameters")

    def numbers(words):
        pairs = [word.partition("=") for word in words]
        for name, _, number in pairs:
            if name not in known or not re.fullmatch(r"-?\d+(\.\d+)?", number):
                parser.error(f"{name}={number}: expected NAME=NUMBER, with a name of: {' '.join(known)}")
        return {name: float(number) for name, _, number in pairs}

    names = ("steps", "pairs", "nodes", "rate", "together", "seed")
    settings = {name: getattr(arguments, name) for name in names} | {"games": arguments.game}
    settings |= {"final_steps": numbers(arguments.parameters), "start": numbers(arguments.start)}
    try:
        tune(arguments, settings, known)
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command goes on")
    except RuntimeError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
