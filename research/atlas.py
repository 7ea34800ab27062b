#!/usr/bin/env python3
"""Makes the opening atlas of ultimate tic-tac-toe, with each position once up to symmetry.

    research/atlas.py search PROGRAM GAME RESULTS [--nodes 20000000] [--plies 3]
    research/atlas.py write RESULTS [--games RECORD] > data/atlas/GAME.txt

`search` looks at every first move, every reply to it, and the five best moves after that, ply by ply. RESULTS receives a
JSON object a line: the moves, the depth and the best lines with their scores for the side to move. A run that was
interrupted goes on from there. `write` prints the atlas; the best moves of the last positions are in it, too. With
--games, a match record in JSON lines, it counts the results of those that went through each position.
"""

import argparse
import json
import subprocess
from collections import defaultdict
from pathlib import Path

# A move is the square (column, row) on the board of nine by nine.
SYMMETRIES = [
    lambda c, r: (c, r),
    lambda c, r: (8 - c, r),
    lambda c, r: (c, 8 - r),
    lambda c, r: (8 - c, 8 - r),
    lambda c, r: (r, c),
    lambda c, r: (8 - r, c),
    lambda c, r: (r, 8 - c),
    lambda c, r: (8 - r, 8 - c),
]
BEST = 5
# Results are counted up to this ply, and lines cut after so many moves.
LAST_PLY = 4
LINE = 7
START = "9/9/9/9/9/9/9/9/9 x 1 -"
POINTS = {"1-0": 1, "1/2-1/2": 0, "0-1": -1}


def square(name):
    return ord(name[0]) - ord("a"), int(name[1]) - 1


def position_key(moves):
    """Equal for equivalent positions: symmetric ones, and those that other move orders reach."""
    squares = [square(move) for move in moves]

    def seen(symmetry):
        turned = [symmetry(*place) for place in squares]
        return sorted(turned[::2]), sorted(turned[1::2]), turned[-1:]

    return str(min(seen(symmetry) for symmetry in SYMMETRIES))


class Engine:
    def __init__(self, program, game):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([program], stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self.send(f"setoption name UCI_Variant value {game}", "setoption name Hash value 1024")

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))

    def answer(self, end, *lines):
        """Yields the words of each line of the answer, up to one with `end` as its first or second."""
        self.send(*lines)
        for line in self.process.stdout:
            words = line.split()
            if end in words[:2]:
                return
            yield words
        raise SystemExit("the engine exited unexpectedly")

    def legal_moves(self):
        return [words[0].rstrip(":") for words in self.answer("nodes", "go perft 1")]

    def search(self, moves, nodes, lines):
        self.send("ucinewgame", f"setoption name MultiPV value {lines}")
        self.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        found = {}
        for words in self.answer("bestmove", f"go nodes {nodes}"):
            if words[0] == "info" and "pv" in words:
                at = words.index
                rank = int(words[at("multipv") + 1]) if "multipv" in words else 1
                score = " ".join(words[at("score") + 1 : at("score") + 3])
                found[rank] = {"score": score, "pv": words[at("pv") + 1 :]}
                depth = int(words[at("depth") + 1])
        return {"moves": moves, "depth": depth, "lines": [found[rank] for rank in sorted(found)]}


def read_rows(path):
    """The finished rows by position; the last line of a run that was killed may be torn."""
    text = path.read_text() if path.exists() else ""
    lines = text.splitlines()[: text.count("\n")]
    return {position_key(row["moves"]): row for row in map(json.loads, lines)}


def search(arguments):
    done = read_rows(arguments.results)
    arguments.results.write_text("".join(json.dumps(row) + "\n" for row in done.values()))
    engine = Engine(arguments.program, arguments.game)
    todo, planned = [[]], set()
    while todo:
        moves = todo.pop(0)
        key = position_key(moves)
        if key in planned:
            continue
        planned.add(key)
        if key not in done:
            done[key] = engine.search(moves, arguments.nodes, BEST if len(moves) >= 2 else 1)
            with arguments.results.open("a") as results:
                results.write(json.dumps(done[key]) + "\n")
        if len(moves) == arguments.plies:
            continue
        if len(moves) < 2:
            engine.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
            todo += [[*moves, move] for move in engine.legal_moves()]
        else:
            # The moves that were searched may be those of an equivalent position.
            row = done[key]
            todo += [[*row["moves"], line["pv"][0]] for line in row["lines"]]


def count_results(path):
    """How many games from the start were won, drawn and lost by the side to move in each position of the first plies."""
    counts = defaultdict(lambda: [0, 0, 0])
    for line in path.read_text().splitlines():
        game = json.loads(line)
        if game.get("result") not in POINTS or game["fen"] != START:
            continue
        moves = [played["move"] for played in game["moves"]]
        for ply in range(1, LAST_PLY + 1):
            winner = POINTS[game["result"]]
            mover_wins = winner if ply % 2 == 0 else -winner
            counts[position_key(moves[:ply])][1 - mover_wins] += 1
    return counts


def write(arguments):
    rows = read_rows(arguments.results)
    counts = count_results(arguments.games) if arguments.games else {}
    entries = {}
    for row in rows.values():
        for number, line in enumerate(row["lines"]):
            kind, points = line["score"].split()
            if kind != "cp":
                continue
            if number == 0 and row["moves"]:
                entries[position_key(row["moves"])] = (row["moves"], int(points), row["depth"], line["pv"])
            child = [*row["moves"], line["pv"][0]]
            if position_key(child) not in rows and len(line["pv"]) > 1:
                entries.setdefault(position_key(child), (child, -int(points), row["depth"] - 1, line["pv"][1:]))
    for key, (moves, points, depth, line) in sorted(entries.items(), key=lambda entry: (len(entry[1][0]), entry[1][0])):
        results = ["/".join(map(str, counts[key]))] if key in counts else []
        print(",".join(moves), points, depth, ",".join(line[:LINE]), *results)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("search")
    command.add_argument("program")
    command.add_argument("game")
    command.add_argument("results", type=Path)
    command.add_argument("--nodes", type=int, default=20_000_000)
    command.add_argument("--plies", type=int, default=3)
    command.set_defaults(run=search)
    command = commands.add_parser("write")
    command.add_argument("results", type=Path)
    command.add_argument("--games", type=Path)
    command.set_defaults(run=write)
    arguments = parser.parse_args()
    arguments.run(arguments)


main()
