#!/usr/bin/env python3
"""Measures what docs/python.md says about speed: medians of several runs, in turn with what they are compared with.

bindings/python/measure.py [PROGRAM]    # the program, to compare nodes per second with
"""

import random
import re
import statistics
import subprocess
import sys
import time
from importlib import metadata

import numpy as np
import zermelo

ROUNDS = 5


def steps(games, rounds=100):
    start = time.perf_counter()
    for _ in range(rounds):
        games.step(games.random_actions())
    return rounds * len(games) / (time.perf_counter() - start)


def openspiel_steps(count=20_000):
    import pyspiel

    game, chance = pyspiel.load_game("ultimate_tic_tac_toe"), random.Random(1)
    state, done, start = game.new_initial_state(), 0, time.perf_counter()
    while done < count:
        if state.is_terminal():
            state = game.new_initial_state()
        # The mask, as its own environments give it.
        mask = state.legal_actions_mask()
        free = len(state.legal_actions()) and state.observation_tensor()[-1] == 1.0
        state.apply_action(chance.choice([action for action, is_legal in enumerate(mask) if is_legal]))
        # Choosing a small board is half a step.
        done += not free
    return count / (time.perf_counter() - start)


def ultimate_ttt_steps(count=2000):
    """The package ultimate-ttt."""
    from engine.main_board import MainBoard

    chance, board, player, start = random.Random(1), MainBoard(), 0, time.perf_counter()
    for _ in range(count):
        if board.is_finished:
            board, player = MainBoard(), 0
        small = board.sub_board_next_player_must_play or chance.choice(board.get_playable_coords())
        cell = chance.choice(board.get_sub_board(small).get_playable_coords())
        board = (board.add_opponent_move if player else board.add_my_move)(small, cell)
        player = 1 - player
    return count / (time.perf_counter() - start)


def textarena_steps(count=2000):
    """The environment of TextArena, which is made for language models."""
    import textarena

    env, chance = textarena.make("UltimateTicTacToe-v0-raw"), random.Random(1)
    board, start = None, time.perf_counter()
    for _ in range(count):
        if board is None or board.is_game_over():
            env.reset(num_players=2, seed=1)
            board = zermelo.Board()
        action = chance.choice(board.legal_actions)
        board.push_action(action)
        env.step(f"[{action // 9} {action % 9}]")
    return count / (time.perf_counter() - start)


def board_steps(count=100_000):
    chance, done, start = random.Random(1), 0, time.perf_counter()
    moves = []
    board = zermelo.Board()
    while not board.is_game_over():
        moves.append(chance.choice(board.legal_moves))
        board.push(moves[-1])
    start = time.perf_counter()
    while done < count:
        board = zermelo.Board()
        push = board.push
        for move in moves:
            board.legal_moves
            push(move)
        done += len(moves)
    return done / (time.perf_counter() - start)


def late_games(least):
    """Unfinished positions of random games with `least` to 20 empty cells on open boards."""
    chance, games, index = random.Random(3), zermelo.Games("tixtax", 4096, auto_reset=False), 0
    while index < len(games):
        board = zermelo.Board()
        left = chance.randint(least, 20)
        while not board.is_game_over() and board.max_plies_left > left:
            board.push(chance.choice(board.legal_moves))
        if not board.is_game_over() and board.max_plies_left >= least:
            games[index] = board
            index += 1
    return games


def values_speed(least):
    games = late_games(least)
    start = time.perf_counter()
    assert not np.isnan(games.values(20)).any()
    return len(games) / (time.perf_counter() - start)


def engine_speed():
    info = zermelo.Engine().analyse(zermelo.Board(), nodes=2_000_000)
    return info.nodes / info.time


def program_speed(program):
    answer = subprocess.run([program, "--", "go nodes 2000000"], capture_output=True, text=True, check=True).stdout
    return int(re.findall(r"nps (\d+)", answer)[-1])


class ConnectFour:
    """A game of one's own, with the discs of both players as bits: files of `ranks` bits and one that stays empty."""

    def __init__(self, files=6, ranks=5, own=0, other=0):
        self.files, self.ranks, self.own, self.other = files, ranks, own, other

    def legal_moves(self):
        if self.outcome():
            return []
        taken, height = self.own | self.other, self.ranks + 1
        return ["abcdef"[file] for file in range(self.files) if not taken >> (file * height + self.ranks - 1) & 1]

    def play(self, move):
        taken, file = self.own | self.other, "abcdef".index(move) * (self.ranks + 1)
        disc = taken + (1 << file) & ~taken & (1 << self.ranks) - 1 << file
        return ConnectFour(self.files, self.ranks, self.other, self.own | disc)

    def outcome(self):
        for step in (1, self.ranks, self.ranks + 1, self.ranks + 2):
            pairs = self.other & self.other >> step
            if pairs & pairs >> 2 * step:
                return "loss"
        return None if (self.own | self.other).bit_count() < self.files * self.ranks else "draw"

    def key(self):
        return self.own, self.other


def own_positions():
    """Measured in CPU time."""
    game, start = zermelo.OwnGame(lambda: ConnectFour(4, 4)), time.process_time()
    return game.solve().nodes / (time.process_time() - start)


def own_playouts(count=2000):
    game, start = zermelo.OwnGame(ConnectFour), time.process_time()
    return game.analyse(playouts=count).nodes / (time.process_time() - start)


def import_time():
    code = "import time; start = time.perf_counter(); import zermelo; print(time.perf_counter() - start)"
    bare = "import time, numpy; start = time.perf_counter(); import zermelo; print(time.perf_counter() - start)"
    both = [
        float(subprocess.run([sys.executable, "-c", text], capture_output=True, text=True).stdout)
        for text in (code, bare)
    ]
    return both


def main():
    measured = {
        "batch, masks: steps/s": lambda: steps(zermelo.Games("tixtax", 4096, seed=1)),
        "batch, planes: steps/s": lambda: steps(zermelo.Games("tixtax", 4096, seed=1, planes=True)),
        "OpenSpiel: steps/s": openspiel_steps,
        "push and legal_moves: 1/s": board_steps,
        "values, at most 20 cells: 1/s": lambda: values_speed(1),
        "values, 20 cells: 1/s": lambda: values_speed(20),
        "analyse: nodes/s": engine_speed,
        "own game, solve: positions/s": own_positions,
        "own game, analyse: playouts/s": own_playouts,
    }
    others = {
        "ultimate_ttt": ("ultimate-ttt: steps/s", ultimate_ttt_steps),
        "textarena": ("TextArena: steps/s", textarena_steps),
    }
    for package, (name, measure) in others.items():
        try:
            metadata.version(package)
            measured[name] = measure
        except metadata.PackageNotFoundError:
            pass
    if len(sys.argv) > 1:
        measured["program: nodes/s"] = lambda: program_speed(sys.argv[1])
    figures = {name: [] for name in measured}
    for _ in range(ROUNDS):
        for name, measure in measured.items():
            figures[name].append(measure())
    for name, values in figures.items():
        print(f"{name:30} {statistics.median(values):14,.0f}   ({min(values):,.0f} to {max(values):,.0f})")
    imports = [import_time() for _ in range(ROUNDS)]
    with_numpy, alone = (statistics.median(column) for column in zip(*imports))
    print(f"import: {1000 * with_numpy:.0f} ms, {1000 * alone:.0f} ms if NumPy is loaded")
    print(
        f"zermelo-engine {metadata.version('zermelo-engine')}, Python {sys.version.split()[0]}, NumPy {np.__version__}"
    )


if __name__ == "__main__":
    main()
