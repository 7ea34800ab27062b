#!/usr/bin/env python3
"""Measures how the levels of the engine play: like people, or at random?

    cargo build --release && research/levels.py [--program PROGRAM] [--positions N] [--games N]

Positions come from games of the levels among themselves. For each level the table says how often it wins a small board
where that is best, how often it avoids a losing move where it can, and how often its move is among the engine's five best. The
last figure is compared with a player of the same strength that errs at random: it plays the best move or, in a fraction of
its moves, any move; games against the level tell the fraction.
"""

import argparse
import math
import os
import random
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "target/release/zermelo"
LEVELS = (0, 2, 4, 6, 8, 10, 12, 15, 18)
# A strong opinion: few moves of any level are better.
BEST_NODES = 10_000
ERROR_SHARES = (0.03, 0.08, 0.15, 0.25, 0.4, 0.6, 0.8, 0.95)
LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]


def has_line(cells):
    return any(line <= cells for line in LINES)


class Board:
    """The rules of `tixtax`: boards and cells are numbered row by row from the top left."""

    def __init__(self, moves=()):
        self.moves = []
        self.cells = [[set() for _ in range(9)] for _ in range(2)]
        self.owned = [set(), set()]
        self.forced = None
        for move in moves:
            self.play(move)

    def is_closed(self, board):
        full = len(self.cells[0][board]) + len(self.cells[1][board]) == 9
        return full or board in self.owned[0] or board in self.owned[1]

    def legal(self):
        boards = range(9) if self.forced is None else [self.forced]
        taken = [self.cells[0][board] | self.cells[1][board] for board in range(9)]
        return [(board, cell) for board in boards if not self.is_closed(board) for cell in range(9) if cell not in taken[board]]

    def wins_board(self, move):
        board, cell = move
        return has_line(self.cells[len(self.moves) % 2][board] | {cell})

    def play(self, move):
        side = len(self.moves) % 2
        board, cell = move
        if self.wins_board(move):
            self.owned[side].add(board)
        self.cells[side][board].add(cell)
        self.moves.append(move)
        self.forced = None if self.is_closed(cell) else cell

    def result(self):
        """1, 0 or 0.5 for the first player; None during the game."""
        for side in range(2):
            if has_line(self.owned[side]):
                return 1 - side
        return None if self.legal() else 0.5


def name(move):
    board, cell = move
    return f"{'abcdefghi'[board % 3 * 3 + cell % 3]}{9 - (board // 3 * 3 + cell // 3)}"


def move_of(text):
    column, row = "abcdefghi".index(text[0]), 9 - int(text[1])
    return row // 3 * 3 + column // 3, row % 3 * 3 + column % 3


class Engine:
    def __init__(self, program):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([program], stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self.send("ugi", "setoption name UCI_Variant value tixtax")

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def lines(self, board, level=20, nodes=1_000_000, count=1):
        """The best move first, then the others reported by the last complete iteration, each with its score."""
        moves = " moves " + " ".join(map(name, board.moves)) if board.moves else ""
        self.send(f"setoption name Skill Level value {level}", f"setoption name MultiPV value {count}",
                  f"setoption name Seed value {random.getrandbits(40)}", f"position startpos{moves}", f"go nodes {nodes}")
        scores = {}
        for line in self.process.stdout:
            words = line.split()
            if words[0] == "bestmove":
                best = move_of(words[1])
                return [best] + [move for move in scores if move != best], scores
            if "pv" in words and "score" in words:
                at = words.index("score")
                if words[words.index("multipv") + 1] == "1":
                    scores = {}
                value = int(words[at + 2])
                scores[move_of(words[words.index("pv") + 1])] = value if words[at + 1] == "cp" else math.copysign(99_999, value)
        raise SystemExit("the engine has ended")


def erring(engine, board, share):
    if random.random() < share:
        return random.choice(board.legal())
    return engine.lines(board, nodes=BEST_NODES)[0][0]


def game(players, opening):
    board = Board()
    while board.result() is None:
        if len(board.moves) < opening:
            board.play(random.choice(board.legal()))
        else:
            board.play(players[len(board.moves) % 2](board))
    return board


def positions_of(engine, count):
    """Positions of games between the levels, with what is known about their moves."""
    found = []
    while len(found) < count:
        pair = [random.choice(LEVELS) for _ in range(2)]
        players = [lambda board, level=level: engine.lines(board, level)[0][0] for level in pair]
        moves = game(players, 4).moves
        for length in random.sample(range(4, len(moves)), 8):
            board = Board(moves[:length])
            legal = board.legal()
            order, scores = engine.lines(board, nodes=40_000, count=len(legal))
            found.append((board, legal, [move for move in legal if board.wins_board(move)],
                          [move for move in legal if scores.get(move, 0) == -99_999], order[:5]))
    return found


def share(hits, tries):
    return hits / tries if tries else math.nan


def measure(program, level, positions, games):
    random.seed(level)
    engine = Engine(program)
    taken = wins = avoided = risks = best = five = 0
    uniform = 0.0
    for board, legal, winning, losing, order in positions:
        move = engine.lines(board, level)[0][0]
        if order[0] in winning:
            wins += 1
            taken += move in winning
        if losing and len(losing) < len(legal):
            risks += 1
            avoided += move not in losing
        best += move == order[0]
        five += move in order
        uniform += min(5, len(legal)) / len(legal)
    count = len(positions)
    uniform /= count
    # The share of errors at which the erring player scores a half, from a logistic curve through its results.
    results = []
    for errors in ERROR_SHARES:
        score = 0.0
        for number in range(games):
            players = [lambda board: engine.lines(board, level)[0][0], lambda board: erring(engine, board, errors)]
            result = game(players if number % 2 == 0 else players[::-1], 4).result()
            score += result if number % 2 == 0 else 1 - result
        results.append((errors, score / games))
    equal = crossing(results)
    return level, share(taken, wins), share(avoided, risks), best / count, five / count, equal, 1 - equal * (1 - uniform), wins, risks, results


def crossing(results):
    """Where the level's score passes a half, interpolated; it rises with the errors of the opponent."""
    for (low, before), (high, after) in zip(results, results[1:]):
        if before <= 0.5 < after:
            return low + (high - low) * (0.5 - before) / (after - before)
    return 0.0 if results[0][1] > 0.5 else 1.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--positions", type=int, default=1200)
    parser.add_argument("--games", type=int, default=40, help="against each share of errors")
    parser.add_argument("--levels", type=int, nargs="+", default=LEVELS)
    arguments = parser.parse_args()
    random.seed(1)
    positions = positions_of(Engine(arguments.program), arguments.positions)
    print("level  takes board  avoids loss  best move  among five  equal errors  their five", flush=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        tasks = [pool.submit(measure, arguments.program, level, positions, arguments.games) for level in arguments.levels]
        for task in tasks:
            level, taken, avoided, best, five, equal, random_five, wins, risks, results = task.result()
            print(f"{level:5}  {taken:11.3f}  {avoided:11.3f}  {best:9.3f}  {five:10.3f}  {equal:12.3f}  {random_five:10.3f}", flush=True)
    print(f"{wins} positions in which it is best to win a board, {risks} with losing and other moves")


if __name__ == "__main__":
    main()
