#!/usr/bin/env python3
"""Makes the suite of `zermelo exam`: positions in which the choice matters, with the proven value of every legal move.

    research/exam.py search PROGRAM GAME RESULTS [--workers N] [--time S] [--first N] [--candidates N]
    research/exam.py verify PROGRAM GAME RESULTS [--count 2000]
    research/exam.py write PROGRAM GAME RESULTS [--count 2000] > GAME.txt    # then to data/exam
    research/exam.py curve PROGRAM CURVES [--engine "KEY=VALUE …"] [--limits nodes=1 st=0.01 …] [--concurrency 2]
    research/exam.py table CURVES

`search` takes one position from each of many games between players of different levels, after a random opening. It proves
the position and then the position after every legal move. `write` selects from the suite of PROGRAM and then from these
candidates in their order, with a quota for each range of plies and each number of right moves; a range that is full when
`search` starts is left out. `verify` proves the new ones again with `solve --verify`, which walks each proof down to
finished games by the rules alone. RESULTS receives a JSON object for each candidate; a run that was interrupted goes on from
there. Games have numbers, and those from --first on are played: a suite grows by games that were not.

`curve` lets an engine sit the exam of both rules with each limit, `table` prints the results for docs/exam.md. CURVES
receives a JSON object for each exam, and what is there is not run again.
"""

import argparse
import json
import random
import shlex
import subprocess
import time
import zlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

# The first and last ply of each band, and its share in per cent, of the suite and of the candidates.
BANDS = [(24, 29, 2, 6), (30, 35, 18, 16), (36, 41, 42, 32), (42, 60, 38, 46)]
# The largest share of a band, in per cent, with one right move, with two and with more.
RIGHT_MOVES = {1: 50, 2: 30, 3: 35}
# Proofs of early positions take long. Those whose moves all look lost or won are not worth it, nor, before ply 30, those
# whose moves look alike; and a position may take only a dozen times as long as one proof.
EARLY, CLEAR = 36, 150
EARLIEST, APART = 30, 200
LONGEST = 12
LEVELS = (0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20)
OPENINGS = (2, 4, 6, 8, 10, 14)
NODES = 2_000
LIMITS = [f"nodes={10 ** power}" for power in range(6)] + ["st=0.001", "st=0.003", "st=0.01", "st=0.03", "st=0.1"]
FLIP = {"win": "loss", "draw": "draw", "loss": "win"}
WORTH = {"loss": 0, "draw": 1, "win": 2}


class Engine:
    """The program as an engine: it plays the games and knows the rules."""

    def __init__(self, program, game):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([program], stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self.send(f"setoption name UCI_Variant value {game}")

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))

    def ask(self, moves, line):
        """The first line of the answer about the position after these moves."""
        self.send("position startpos" + (" moves " + " ".join(moves) if moves else ""), line)
        return self.process.stdout.readline().split()

    def legal_moves(self, moves):
        answer = self.ask(moves, "legal")
        return [] if answer[:1] == ["info"] else answer

    def fen(self, moves):
        return " ".join(self.ask(moves, "fen"))

    def choose(self, moves, level, seed):
        self.send(f"setoption name Skill Level value {level}", f"setoption name Seed value {seed}")
        answer = self.ask(moves, f"go nodes {NODES}")
        while answer[0] != "bestmove":
            answer = self.process.stdout.readline().split()
        return answer[1]

    def scores(self, moves):
        """The score of every legal move after a short search."""
        self.send("setoption name Skill Level value 20")
        answer = self.ask(moves, "values")
        while answer[-1] != "moves":
            kind, *number = answer[1:3]
            yield {"win": 9999, "draw": 0, "loss": -9999, "cp": int(number[0]) if number else 0}[kind]
            answer = self.process.stdout.readline().split()


class Solver:
    """One process that proves a position a line."""

    def __init__(self, program, game, *flags):
        command = [program, "solve", "--game", game, "--file", "-", "--memory", "128", *flags]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, bufsize=1)

    def value(self, fen):
        self.process.stdin.write(fen + "\n")
        return self.process.stdout.readline().split()[0]


class Worker:
    def __init__(self, program, game, seconds, wanted=BANDS):
        self.game, self.wanted = game, wanted
        self.engine = Engine(program, game)
        self.solver = Solver(program, game, "--time", str(seconds))
        # Of an early position, little is proven after this if the position itself is not.
        self.first_solver = Solver(program, game, "--time", str(seconds / 3))
        self.seconds = seconds

    def candidate(self, number):
        """A position of the game with this number; its `values` are there if the choice matters and all are proven."""
        draw = random.Random(f"{self.game} {number}")
        band = draw.choices(BANDS, [band[3] for band in BANDS])[0]
        if band not in self.wanted:
            return {"number": number, "moves": [], "skipped": "enough"}
        first, last, _, _ = band
        ply, opening = draw.randint(first, last), draw.choice(OPENINGS)
        players = draw.choice(LEVELS), draw.choice(LEVELS)
        moves = []
        while len(moves) < ply and (legal := self.engine.legal_moves(moves)):
            if len(moves) < opening:
                moves.append(draw.choice(sorted(legal)))
            else:
                moves.append(self.engine.choose(moves, players[len(moves) % 2], draw.randrange(1 << 31)))
        found = {"number": number, "moves": moves, "levels": players, "opening": opening}
        legal = self.engine.legal_moves(moves)
        if len(legal) < 2:
            return {**found, "skipped": "over or forced"}
        if ply < EARLY:
            scores = list(self.engine.scores(moves))
            if max(scores) < -CLEAR or min(scores) > CLEAR:
                return {**found, "skipped": "clear"}
            if ply < EARLIEST and max(scores) - min(scores) < APART:
                return {**found, "skipped": "alike"}
        start = time.monotonic()
        fen = self.engine.fen(moves)
        value = (self.first_solver if ply < EARLY else self.solver).value(fen)
        if value == "unknown":
            return {**found, "skipped": "unproven"}
        values = {}
        for move in sorted(legal):
            proven = self.solver.value(self.engine.fen([*moves, move]))
            if proven == "unknown" or time.monotonic() - start > LONGEST * self.seconds:
                return {**found, "skipped": "unproven"}
            values[move] = FLIP[proven]
        best = max(values.values(), key=WORTH.get)
        if best != value:
            raise SystemExit(f"{fen} is a {value}, but its best move a {best}")
        if len(set(values.values())) == 1:
            return {**found, "skipped": "no choice"}
        return {**found, "fen": fen, "values": values}


def read_rows(path):
    """The finished rows by number; the last line of a run that was killed may be torn."""
    text = path.read_text() if path.exists() else ""
    return {row["number"]: row for row in map(json.loads, text.splitlines()[: text.count("\n")])}


def search(arguments):
    done = read_rows(arguments.results)
    arguments.results.write_text("".join(json.dumps(row) + "\n" for row in done.values()))
    numbers = range(arguments.first, arguments.first + arguments.candidates)
    numbers = iter([number for number in numbers if number not in done])
    lock = Lock()
    found = Counter(band_of(row) for row in select(arguments))
    wanted = [band for band in BANDS if found[band] < arguments.count * band[2] / 100]

    def work(_):
        worker = Worker(arguments.program, arguments.game, arguments.time, wanted)
        while True:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            row = worker.candidate(number)
            with lock, arguments.results.open("a") as results:
                results.write(json.dumps(row) + "\n")

    with ThreadPoolExecutor(arguments.workers) as pool:
        list(pool.map(work, range(arguments.workers)))


def suite(arguments):
    """The positions of the suite as it is."""
    command = [arguments.program, "exam", "--game", arguments.game, "--export"]
    for line in subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines():
        position = json.loads(line)
        yield {"moves": position["line"], "fen": position["fen"], "values": position["values"]}


def band_of(row):
    return next(band for band in BANDS if band[0] <= len(row["moves"]) <= band[1])


def select(arguments):
    """The suite and the first candidates that fit into the quotas, no position twice."""
    taken, seen, strata, count = [], set(), Counter(), arguments.count
    for row in [*suite(arguments), *read_rows(arguments.results).values()]:
        if "values" not in row or row["fen"] in seen:
            continue
        band = band_of(row)
        best = max(row["values"].values(), key=WORTH.get)
        right = min(list(row["values"].values()).count(best), 3)
        room = count * band[2] / 100
        if strata[band] >= room or strata[band, right] >= room * RIGHT_MOVES[right] / 100:
            continue
        strata[band] += 1
        strata[band, right] += 1
        seen.add(row["fen"])
        taken.append(row)
    return taken


def verify(arguments):
    """Walks the proofs of the selected positions, as far as they have not been walked."""
    path = arguments.results.with_suffix(".verified")
    done = set(path.read_text().split("\n")[:-1]) if path.exists() else set()
    worker = Worker(arguments.program, arguments.game, 1)
    verifier = Solver(arguments.program, arguments.game, "--verify")
    # The latest positions first: their proofs are short.
    for row in sorted(select(arguments), key=lambda row: -len(row["moves"])):
        if row["fen"] in done or "number" not in row:
            continue
        for move, value in row["values"].items():
            if FLIP[verifier.value(worker.engine.fen([*row["moves"], move]))] != value:
                raise SystemExit(f"{move} in {row['fen']} is no {value} when verified")
        with path.open("a") as verified:
            verified.write(row["fen"] + "\n")


def write(arguments):
    rows = select(arguments)
    letters = ["".join(row["values"][move][0] for move in sorted(row["values"])) for row in rows]
    body = "".join("".join(row["moves"]) + f" {values}\n" for row, values in zip(rows, letters))
    print(f"zermelo-exam 1 {arguments.game} {len(rows)} {zlib.crc32(body.encode()):08x}\n{body}", end="")


def read_curves(path):
    text = path.read_text() if path.exists() else ""
    return [json.loads(line) for line in text.splitlines()[: text.count("\n")]]


def curve(arguments):
    done = {(row["game"], row["engine"], row["limit"]) for row in read_curves(arguments.curves)}
    for limit in arguments.limits:
        for game in arguments.games:
            if (game, arguments.engine, limit) in done:
                continue
            command = [arguments.program, "exam", "--game", game, "--json", "--concurrency", str(arguments.concurrency)]
            command += ["--engine", *shlex.split(arguments.engine), "--each", *limit.split()]
            report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
            row = {"game": game, "engine": arguments.engine, "limit": limit, "name": report["engine"]["name"]}
            row |= {"exam": report["exam"], "groups": report["groups"], "faults": report.get("faults", [])}
            with arguments.curves.open("a") as curves:
                curves.write(json.dumps(row) + "\n")


def table(arguments):
    rows = {}
    for row in read_curves(arguments.curves):
        whole, faults = row["groups"][0], sum(fault["count"] for fault in row["faults"])
        text = f"{whole['right_percent']:.1f} ({whole['right_low']:.1f} to {whole['right_high']:.1f}) | {whole['loss']:.3f}"
        rows.setdefault((row["name"], row["limit"].split()[0]), {})[row["game"]] = text + (f", {faults} faults" if faults else "")
    print("| engine | limit | `tixtax`: right, % (95 %) | loss | `tixtax-count`: right, % (95 %) | loss |")
    print("|---|---|---|---|---|---|")
    for (name, limit), cells in rows.items():
        cells = [cells.get(game, "– | –") for game in ("tixtax", "tixtax-count")]
        print(f"| {name} | `{limit}` | {' | '.join(cells)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("search")
    command.add_argument("program")
    command.add_argument("game")
    command.add_argument("results", type=Path)
    command.add_argument("--workers", type=int, default=1)
    command.add_argument("--time", type=float, default=1)
    command.add_argument("--first", type=int, default=0)
    command.add_argument("--candidates", type=int, default=100_000)
    command.add_argument("--count", type=int, default=2000)
    command.set_defaults(run=search)
    command = commands.add_parser("verify")
    command.add_argument("program")
    command.add_argument("game")
    command.add_argument("results", type=Path)
    command.add_argument("--count", type=int, default=2000)
    command.set_defaults(run=verify)
    command = commands.add_parser("write")
    command.add_argument("program")
    command.add_argument("game")
    command.add_argument("results", type=Path)
    command.add_argument("--count", type=int, default=2000)
    command.set_defaults(run=write)
    command = commands.add_parser("curve")
    command.add_argument("program")
    command.add_argument("curves", type=Path)
    command.add_argument("--engine", default="name=zermelo")
    command.add_argument("--games", nargs="+", default=["tixtax", "tixtax-count"])
    command.add_argument("--limits", nargs="+", default=LIMITS)
    command.add_argument("--concurrency", type=int, default=2)
    command.set_defaults(run=curve)
    command = commands.add_parser("table")
    command.add_argument("curves", type=Path)
    command.set_defaults(run=table)
    arguments = parser.parse_args()
    arguments.run(arguments)


main()
