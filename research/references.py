#!/usr/bin/env python3
"""Measures the references of `zermelo rate`: matches between them until it is stopped, then their ratings.

    cargo build --release && research/references.py FOLDER [--program PROGRAM] [--game GAME...] [--seconds N] [--check]

FOLDER keeps a record per pairing, so the same command resumes. Each step plays the pairing whose result says most about the ratings for
its time. `--seconds 0` plays nothing and prints the ratings: level 0 is 1000, and ± is half of the 95 % interval that a reference would
have if the ratings of the others were exact. `--check` then has `zermelo rate` rate engines of known strength.
"""

import argparse
import itertools
import json
import math
import re
import subprocess
import time
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "target/release/zermelo"
GAMES = ("tixtax", "tixtax-count")
ELO = math.log(10) / 400
# Ratings that are guessed before there are games, and how far off a guess may be.
GUESSES = {"random": 600, "mcts-100": 1300, "mcts-1000": 1600, "mcts-10000": 1900, "mcts-100000": 2150, "mcts-1000000": 2350}
GUESS_ERROR = 400
# Levels with a tenth of their nodes: no references, but engines of known strength to check the scale with.
TENTHS = (4, 9, 14)
# What `--check` rates.
CHECKED = ("level-1", "level-3", "level-5", "level-4-tenth", "level-9-tenth")


def level_nodes(level):
    return int(64 * 2 ** (12 * level / 20))


def players():
    """The settings, the guessed rating and the seconds of a game of each."""
    found = {"random": (["option.Searcher=random", "nodes=1"], 600, 0.01)}
    for level in range(21):
        setting = [f"option.Skill Level={level}", "nodes=262144"]
        found[f"level-{level}"] = (setting, 1000 + 70 * level, 25 * level_nodes(level) / (3e6 if level == 20 else 9e5))
    for level in TENTHS:
        nodes = level_nodes(level) // 10
        found[f"level-{level}-tenth"] = ([f"option.Skill Level={level}", f"nodes={nodes}"], 900 + 70 * level, 25 * nodes / 9e5)
    for playouts in (100, 1000, 10_000, 100_000, 1_000_000):
        setting = ["option.Searcher=mcts", f"nodes={playouts}"] + (["option.Hash=128"] if playouts == 1_000_000 else [])
        found[f"mcts-{playouts}"] = (setting, GUESSES[f"mcts-{playouts}"], 25 * playouts / 7e5)
    return found


PLAYERS = players()
NAMES = list(PLAYERS)


def inverse(matrix):
    size = len(matrix)
    rows = [list(row) + [float(index == column) for column in range(size)] for index, row in enumerate(matrix)]
    for column in range(size):
        scale = rows[column][column]
        rows[column] = [entry / scale for entry in rows[column]]
        for index in range(size):
            factor = rows[index][column]
            if index != column and factor:
                rows[index] = [entry - factor * above for entry, above in zip(rows[index], rows[column])]
    return [row[size:] for row in rows]


def expected(difference):
    return 1 / (1 + math.exp(-difference * ELO))


class Measurement:
    """The games of one rule."""

    def __init__(self, program, folder, game):
        self.program, self.folder, self.game = program, folder / game, game
        self.folder.mkdir(parents=True, exist_ok=True)
        # Once for all pairings, since balanced ones take time.
        for openings, flags in (("balanced", ["--balanced"]), ("random", [])):
            file = self.folder / f"{openings}.txt"
            if not file.exists():
                command = [str(self.program), "openings", "--game", game, "--count", "1000", "--plies", "4", *flags]
                file.write_text(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
        # By pairing and kind of openings: rounds, points of the first.
        self.results = {}
        self.elo = {name: PLAYERS[name][1] for name in NAMES}
        for record in self.folder.glob("*.pgn"):
            # A run that is interrupted before its first game leaves a header.
            if "[Result " in record.read_text():
                first, second, openings = record.stem.split("+")
                self.note(first, second, openings, self.run("--check-record", record))

    def run(self, *arguments):
        command = [str(self.program), "match", *map(str, arguments)]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout

    def note(self, first, second, openings, output):
        pairs = re.search(r"^Pairs scoring .*: \[(.*)\]", output, re.M)
        counts = list(map(int, pairs[1].split(","))) if pairs else [0] * 5
        # The table names the better one first, but these lines keep the order of the command.
        self.results[first, second, openings] = sum(counts), sum(half * count for half, count in enumerate(counts)) / 2

    def play(self, first, second, rounds):
        for openings in ("balanced", "random"):
            played = self.results.get((first, second, openings), (0, 0))[0]
            engines = itertools.chain.from_iterable(["--engine", f"name={name}", *PLAYERS[name][0]] for name in (first, second))
            output = self.run("--game", self.game, *engines, "--openings", f"file={self.folder / openings}.txt",
                              "--rounds", played + rounds, "--record", self.folder / f"{first}+{second}+{openings}.pgn")
            self.note(first, second, openings, output)

    def fit(self):
        """Ratings by maximum likelihood, near the guesses where there are few games; returns the information and its inverse."""
        number = {name: index for index, name in enumerate(NAMES)}
        prior = 1 / (GUESS_ERROR * ELO) ** 2
        for _ in range(6):
            gradient = [prior * ELO * (PLAYERS[name][1] - self.elo[name]) for name in NAMES]
            information = [[prior * (row == column) for column in range(len(NAMES))] for row in range(len(NAMES))]
            for (first, second, _), (rounds, points) in self.results.items():
                one, other = number[first], number[second]
                share = expected(self.elo[first] - self.elo[second])
                weight = 2 * rounds * share * (1 - share)
                gradient[one] += points - 2 * rounds * share
                gradient[other] -= points - 2 * rounds * share
                information[one][one] += weight
                information[other][other] += weight
                information[one][other] -= weight
                information[other][one] -= weight
            covariance = inverse(information)
            for index, name in enumerate(NAMES):
                step = sum(left * right for left, right in zip(covariance[index], gradient)) / ELO
                self.elo[name] += max(-300, min(300, step))
        return information, covariance

    def step(self):
        """Plays the pairing that says most: its information times the variance of the difference, for the root of its time, so that slow
        players are measured too, only less exactly."""
        _, covariance = self.fit()
        best = (0, None, None)
        for (one, first), (other, second) in itertools.combinations(enumerate(NAMES), 2):
            share = expected(self.elo[first] - self.elo[second])
            variance = covariance[one][one] + covariance[other][other] - 2 * covariance[one][other]
            seconds = 0.03 + PLAYERS[first][2] + PLAYERS[second][2]
            best = max(best, (share * (1 - share) * variance / math.sqrt(seconds), (first, second), seconds))
        _, (first, second), seconds = best
        rounds = max(1, min(60, int(8 / seconds)))
        start = time.time()
        self.play(first, second, rounds)
        print(f"{self.game}: {first} {self.elo[first]:.0f}, {second} {self.elo[second]:.0f}, {4 * rounds} games, {time.time() - start:.1f} s", flush=True)

    def ratings(self):
        information, _ = self.fit()
        found = {}
        print(f"\n| {self.game} | Elo | ± | games |\n|---|---|---|---|")
        for index, name in sorted(enumerate(NAMES), key=lambda entry: self.elo[entry[1]]):
            games = sum(2 * rounds for pairing, (rounds, _) in self.results.items() if name in pairing[:2])
            found[name] = self.elo[name] - self.elo["level-0"] + 1000, 1.96 / math.sqrt(information[index][index]) / ELO
            print(f"| {name} | {found[name][0]:.0f} | {found[name][1]:.0f} | {games} |")
        return found

    def check(self, known):
        """Rates engines of known strength under another name; the seed is another one than that of the measurement."""
        print(f"\n| {self.game} | known | rated | games | within |\n|---|---|---|---|---|", flush=True)
        for name in CHECKED:
            command = [str(self.program), "rate", "--game", self.game, "--engine", "name=checked", *PLAYERS[name][0],
                       "--seed", "7", "--json", "--record", str(self.folder / f"{name}.check")]
            rating = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
            (elo, margin), (low, high) = known[name], rating["interval"]
            within = low <= elo <= high
            near = abs(rating["elo"] - elo) <= math.hypot(high - rating["elo"], margin)
            answer = "yes" if within else "with that of the known rating" if near else "no"
            print(f"| {name} | {elo:.0f} ± {margin:.0f} | {rating['elo']:.0f} ± {high - rating['elo']:.0f} | {rating['games']} | {answer} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--game", nargs="+", default=GAMES)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    measurements = [Measurement(arguments.program, arguments.folder, game) for game in arguments.game]
    end = time.time() + arguments.seconds
    for measurement in itertools.cycle(measurements):
        if time.time() >= end:
            break
        measurement.step()
    known = [measurement.ratings() for measurement in measurements]
    if arguments.check:
        for measurement, ratings in zip(measurements, known):
            measurement.check(ratings)


if __name__ == "__main__":
    main()
