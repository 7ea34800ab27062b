#!/usr/bin/env python3
"""Plays TixTax by UCI with OpenSpiel's Monte-Carlo tree search, as an opponent for matches.

    research/openspiel_engine.py                    # speaks UCI on stdin and stdout
    research/openspiel_engine.py --check PROGRAM    # compares OpenSpiel's rules with Zermelo's

The search is OpenSpiel's `MCTSBot` in C++ with its usual settings: UCT with a constant of 2,
one random playout per leaf, and the solver, which backs up proven results. When the choice of board
is free, OpenSpiel splits a move into two actions, board and cell; as its bots do, each action is
searched separately with all simulations. The search cannot be interrupted: commands that arrive
meanwhile are answered after it. `research/README.md` describes the installation.
"""

import argparse
import functools
import math
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

import pyspiel

GAME = pyspiel.load_game("ultimate_tic_tac_toe")
EXPLORATION = 2  # OpenSpiel's usual uct_c
MEMORY = 1000  # MiB for a tree, as in OpenSpiel's examples
SIMULATIONS = 100_000
LEAST = 2  # simulations: the first ends at the root and does not distinguish its children
MOST = 100_000_000
FREE = 9  # instead of a board: any open one
HISTORY_LIMIT = 100_000  # positions visited in the search for a history
MESSAGE = 500  # maximum length of an error message
START = "9/9/9/9/9/9/9/9/9 x 1 -"
OPTIONS = [
    "option name UCI_Variant type combo default tixtax var tixtax",
    f"option name Simulations type spin default {SIMULATIONS} min {LEAST} max {MOST}",
    f"option name Seed type spin default 0 min 0 max {MOST}",
]


class Refusal(Exception):
    """The reason why a command is refused."""


class Move(NamedTuple):
    """A board and a cell of it, both numbered from 0 row by row from the top left, as in OpenSpiel."""

    board: int
    cell: int

    def __str__(self) -> str:
        column = self.board % 3 * 3 + self.cell % 3
        row = self.board // 3 * 3 + self.cell // 3
        return "abcdefghi"[column] + str(9 - row)


MOVES = {str(Move(board, cell)): Move(board, cell) for board in range(9) for cell in range(9)}


def forced_board(state: pyspiel.State) -> int:
    """Returns the board that the mover must play in, or FREE; it ends OpenSpiel's observation tensor."""
    return state.observation_tensor()[-10:].index(1.0)


def legal_moves(state: pyspiel.State) -> list[Move]:
    if state.is_terminal():
        return []
    forced = forced_board(state)
    if forced != FREE:
        return [Move(forced, cell) for cell in state.legal_actions()]
    return [
        Move(board, cell)
        for board in state.legal_actions()
        for cell in state.child(board).legal_actions()
    ]


def play(state: pyspiel.State, move: Move) -> None:
    """Plays a legal move: one action, or two if the choice of board is free."""
    if forced_board(state) == FREE:
        state.apply_action(move.board)
    state.apply_action(move.cell)


class Placement(NamedTuple):
    """The contents of a FEN: the owner of each stone, and the last move, if it still matters."""

    stones: dict[Move, int]
    last: Move | None


def parse_fen(fen: str) -> Placement:
    """Parses a FEN of tixtax, ignoring the move number."""
    shape = re.fullmatch(r"([1-9xo]+(?:/[1-9xo]+){8}) ([xo]) [1-9]\d* ([a-i][1-9]|-)", fen)
    if not shape:
        raise Refusal(f"invalid FEN of tixtax: {fen!r}, expected the form {START!r}")
    stones = {}
    for rank, text in zip(range(9, 0, -1), shape[1].split("/")):
        cells = re.sub(r"\d", lambda digit: "." * int(digit[0]), text)
        if len(cells) != 9:
            raise Refusal(f"{len(cells)} cells in {text!r}, expected 9")
        for file, cell in zip("abcdefghi", cells):
            if cell != ".":
                stones[MOVES[f"{file}{rank}"]] = "xo".index(cell)
    ahead = len(stones) - 2 * sum(stones.values())
    if ahead != "xo".index(shape[2]):
        raise Refusal(f"the stone counts do not fit the mover in {fen!r}")
    return Placement(stones, MOVES.get(shape[3]))


def fits(state: pyspiel.State, last: Move | None) -> bool:
    """Returns whether the state sends the mover to the same board as the last move of a FEN."""
    if state.is_terminal():
        return True
    forced = forced_board(state)
    if last is None:
        return forced == FREE
    return forced == last.cell or (forced == FREE and last.cell not in state.legal_actions())


@functools.lru_cache(maxsize=64)
def history(fen: str) -> tuple[Move, ...]:
    """Finds legal moves from the start to a position by backtracking. OpenSpiel needs them, since its
    states are reached by moves only."""
    stones, last = parse_fen(fen)
    dead = set()

    def extend(state: pyspiel.State, left: frozenset[Move]) -> tuple[Move, ...] | None:
        if not left:
            return () if fits(state, last) else None
        if state.is_terminal():
            return None
        key = (left, forced_board(state))
        if key in dead:
            return None
        for move in legal_moves(state):
            if move in left and stones[move] == state.current_player():
                successor = state.clone()
                play(successor, move)
                if (rest := extend(successor, left - {move})) is not None:
                    return (move, *rest)
        if len(dead) >= HISTORY_LIMIT:
            raise Refusal(f"gave up searching for legal moves that lead to {fen!r}")
        dead.add(key)
        return None

    moves = extend(GAME.new_initial_state(), frozenset(stones))
    if moves is None:
        raise Refusal(f"no legal moves lead to {fen!r}")
    return moves


def position(words: list[str]) -> pyspiel.State:
    """Returns the state after `startpos|fen F [moves M…]`."""
    kind, *rest = words or [""]
    split = rest.index("moves") if "moves" in rest else len(rest)
    fen, moves = " ".join(rest[:split]), rest[split + 1 :]
    if kind not in ("startpos", "fen") or (kind == "startpos" and fen):
        raise Refusal(f"{' '.join(words)!r} after 'position', expected startpos or fen")
    state = GAME.new_initial_state()
    for move in history(START if kind == "startpos" else fen):
        play(state, move)
    for name in moves:
        if MOVES.get(name) not in legal_moves(state):
            raise Refusal(f"illegal move {name!r}, legal here: {' '.join(legal_names(state))}")
        play(state, MOVES[name])
    return state


def legal_names(state: pyspiel.State) -> list[str]:
    return sorted(map(str, legal_moves(state)))


def whole_number(text: str, least: int, most: int) -> int:
    if not re.fullmatch(r"-?[0-9]{1,9}", text) or not least <= int(text) <= most:
        raise Refusal(f"{text!r}, expected a whole number from {least} to {most}")
    return int(text)


class Limit(NamedTuple):
    """How long to search for each action. Where there is a time OpenSpiel heeds that alone."""

    simulations: int
    seconds: float = -1.0


def parse_limit(words: list[str], simulations: int, player: int) -> Limit:
    """Returns the limit of `go`: nodes, else a time, else the option `Simulations`. With a clock, a
    move gets a thirtieth of it and half the increment."""
    if "searchmoves" in words:
        raise Refusal("'searchmoves' after 'go', expected nodes, movetime or a clock")
    given = dict(zip(words, words[1:]))
    if "nodes" in given:
        return Limit(max(LEAST, whole_number(given["nodes"], 1, MOST)))
    mine = "wb"[player]
    if "movetime" in given:
        milliseconds = whole_number(given["movetime"], 0, MOST)
    elif f"{mine}time" in given:
        clock = whole_number(given[f"{mine}time"], -MOST, MOST)
        milliseconds = clock / 30 + whole_number(given.get(f"{mine}inc", "0"), 0, MOST) / 2
    else:
        return Limit(simulations)
    return Limit(MOST, max(milliseconds / 1000, 0.001))


def centipawns(value: float) -> int:
    """Converts a mean result between -1 and 1 to Zermelo's scale, where 400 points multiply the odds by ten."""
    share = min(max((1 + value) / 2, 0.0001), 0.9999)
    return round(400 * math.log10(share / (1 - share)))


class Found(NamedTuple):
    """The result of a search: the action, the mover's mean result if meaningful, the simulations made."""

    action: int
    value: float | None
    simulations: int


def search(state: pyspiel.State, limit: Limit, numbers: random.Random) -> Found:
    """Runs OpenSpiel's bot."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, numbers.getrandbits(31))
    bot = pyspiel.MCTSBot(
        GAME, evaluator, EXPLORATION, limit.simulations, MEMORY, solve=True,
        seed=numbers.getrandbits(31), verbose=False, max_wall_clock_time=limit.seconds,
    )
    root = bot.mcts_search(state)
    if root.explore_count < LEAST:
        return Found(numbers.choice(state.legal_actions()), None, root.explore_count)
    value = None  # meaningless after two playouts, which is all that a forced action gets
    if root.outcome:
        value = root.outcome[root.player]
    elif root.explore_count > LEAST:
        value = root.total_reward / root.explore_count
    return Found(root.best_child().action, value, root.explore_count)


def choose(state: pyspiel.State, limit: Limit, numbers: random.Random) -> tuple[Move, Found]:
    """Chooses a move; returns it with the result of the last search and the total of simulations. Two
    searches share the time."""
    forced = forced_board(state)
    if forced != FREE:
        found = search(state, limit, numbers)
        return Move(forced, found.action), found
    limit = limit._replace(seconds=limit.seconds / 2)
    board = search(state, limit, numbers)
    cell = search(state.child(board.action), limit, numbers)
    both = cell._replace(simulations=board.simulations + cell.simulations)
    return Move(board.action, cell.action), both


class Engine:
    """The session: position, options, and the answer that `go infinite` delays."""

    def __init__(self) -> None:
        self.state = GAME.new_initial_state()
        self.simulations = SIMULATIONS
        self.numbers = random.Random(0)
        self.held_back: str | None = None

    def answer(self, line: str) -> Iterator[str]:
        """Yields the answers to a line."""
        command, *words = line.split() or [""]
        match command:
            case "uci":
                yield from ["id name OpenSpiel MCTS", "id author the authors of OpenSpiel"]
                yield from [*OPTIONS, "uciok"]
            case "isready":
                yield "readyok"
            case "ucinewgame":
                self.state = GAME.new_initial_state()
            case "setoption":
                self.set_option(words)
            case "position":
                self.state = position(words)
            case "go":
                yield from self.go(words)
            case "stop" | "ponderhit":
                if self.held_back:
                    yield self.held_back
                self.held_back = None
            case "" | "debug":
                pass
            case _ if not command.startswith("#"):
                raise Refusal(f"unknown command {command!r}")

    def set_option(self, words: list[str]) -> None:
        parts = re.fullmatch(r"name (\S+) value (\S+)", " ".join(words))
        name, value = (parts[1].lower(), parts[2]) if parts else ("", "")
        if name == "simulations":
            self.simulations = whole_number(value, LEAST, MOST)
        elif name == "seed":
            self.numbers = random.Random(whole_number(value, 0, MOST))
        elif name != "uci_variant" or value != "tixtax":
            expected = "name and value of UCI_Variant, Simulations or Seed"
            raise Refusal(f"{' '.join(words)!r} after 'setoption', expected {expected}")

    def go(self, words: list[str]) -> Iterator[str]:
        """Searches; yields the `info` line, and the move unless `stop` must come first."""
        information, best = self.think(words)
        yield information
        endless = not words or "infinite" in words or "ponder" in words
        self.held_back = best if endless else None
        if not endless:
            yield best

    def think(self, words: list[str]) -> tuple[str, str]:
        """Returns the `info` line and the `bestmove` line for the position."""
        if self.state.is_terminal():
            lost = any(self.state.returns())
            return f"info depth 0 score {'mate' if lost else 'cp'} 0", "bestmove (none)"
        limit = parse_limit(words, self.simulations, self.state.current_player())
        began = time.perf_counter()
        move, found = choose(self.state, limit, self.numbers)
        seconds = time.perf_counter() - began
        score = "" if found.value is None else f"score cp {centipawns(found.value)} "
        information = (
            f"info {score}nodes {found.simulations} "
            f"nps {found.simulations / seconds:.0f} time {seconds * 1000:.0f} pv {move}"
        )
        return information, f"bestmove {move}"


def serve() -> None:
    """Answers line by line until `quit` or the end of input."""
    engine = Engine()
    for line in sys.stdin:
        if line.split() == ["quit"]:
            return
        try:
            for reply in engine.answer(line):
                print(reply, flush=True)
        except Refusal as refusal:
            print(f"info string error: {str(refusal)[:MESSAGE]}", flush=True)


class Zermelo:
    """A Zermelo process that is queried for the rules."""

    def __init__(self, program: str) -> None:
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def ask(self, *lines: str) -> str:
        """Sends lines and returns the answer to the last one."""
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        return self.process.stdout.readline().rstrip("\n")


def result(state: pyspiel.State) -> str:
    """Returns the result in the form of Zermelo's `query result`."""
    if not state.is_terminal():
        return "none"
    return {1.0: "p1win", -1.0: "p2win", 0.0: "draw"}[state.returns()[0]]


def equal(game: list[str], ours: object, theirs: object) -> None:
    if ours != theirs:
        raise SystemExit(f"after {' '.join(game)}: OpenSpiel {ours!r}, Zermelo {theirs!r}")


def check(program: str, games: int) -> None:
    """Plays random games in OpenSpiel and Zermelo in parallel. Legal moves and results must be equal at
    each ply, and up to ply 16 the FEN must lead to the same OpenSpiel state."""
    zermelo, plies, slowest = Zermelo(program), 0, 0.0
    numbers, results = random.Random(0), dict.fromkeys(["p1win", "p2win", "draw"], 0)
    for _ in range(games):
        state, game = GAME.new_initial_state(), []
        while True:
            legal = zermelo.ask(f"position startpos moves {' '.join(game)}", "legal")
            equal(game, legal_names(state), legal.split())
            equal(game, f"response {result(state)}", zermelo.ask("query result"))
            if len(game) <= 16:
                began = time.perf_counter()
                equal(game, str(position(["fen", *zermelo.ask("fen").split()])), str(state))
                slowest = max(slowest, time.perf_counter() - began)
            if state.is_terminal():
                break
            game.append(numbers.choice(legal_names(state)))
            play(state, MOVES[game[-1]])
        plies += len(game)
        results[result(state)] += 1
    print(f"{games} games, {plies} plies, no difference: {results}; slowest FEN {slowest:.3f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", metavar="PROGRAM", help="compare the rules with Zermelo's")
    parser.add_argument("--games", type=int, default=200, help="random games for --check")
    arguments = parser.parse_args()
    if arguments.check:
        check(arguments.check, arguments.games)
    else:
        serve()


if __name__ == "__main__":
    main()
