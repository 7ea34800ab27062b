#!/usr/bin/env python3
"""Lets public programs with protocols of their own play TixTax by UGI, so that `zermelo rate` and `zermelo exam` can measure them.

    research/peers.py ultimattt|mcthouacbb|ai-ultimate PROGRAM [WORD…]

They are, with the commit or version that docs/rating.md rates:

    ultimattt    https://github.com/nelhage/ultimattt (9193fbb), JSON lines; PROGRAM is `ultimattt`
    mcthouacbb   https://github.com/mcthouacbb/uttt (641a8f8), UGI with other FENs
    ai-ultimate  https://crates.io/crates/ai-ultimate-tictactoe (0.2.0); the words are its search, `play` or `mcts`

They know the rules of `tixtax` and play the same under the count rule. Each position reaches them as moves from the start, or as contents of the board.
"""

import json
import re
import subprocess
import sys

from levels import Board, move_of, name

START = "9/9/9/9/9/9/9/9/9 x 1 -"


def stones_of(fen):
    """The stones of each side and the last move, if it still matters."""
    shape = re.fullmatch(r"([1-9xo/]+) [xo] \d+ ([a-i][1-9]|-)", fen)
    if not shape:
        raise ValueError(f"invalid FEN {fen!r}, expected the form {START!r}")
    stones = [set(), set()]
    for rank, text in zip("987654321", shape[1].split("/")):
        cells = re.sub(r"\d", lambda digit: "." * int(digit[0]), text)
        for file, cell in zip("abcdefghi", cells):
            if cell != ".":
                stones["xo".index(cell)].add(move_of(file + rank))
    return stones, None if shape[2] == "-" else move_of(shape[2])


def moves_to(fen):
    """Legal moves from the start to the position, found by backtracking."""
    stones, last = stones_of(fen)
    count = len(stones[0]) + len(stones[1])
    dead = set()

    def extend(moves):
        board = Board(moves)
        if len(moves) == count:
            leads_there = board.forced is None if last is None else moves[-1] == last
            return moves if board.result() is not None or leads_there else None
        key = (frozenset(moves), board.forced)
        if key in dead:
            return None
        for move in board.legal():
            if move in stones[count_of(moves)] and (last != move or len(moves) == count - 1):
                found = extend([*moves, move])
                if found is not None:
                    return found
        if len(dead) > 100_000:
            raise ValueError(f"gave up searching for legal moves that lead to {fen!r}")
        dead.add(key)
        return None

    found = extend([])
    if found is None:
        raise ValueError(f"no legal moves lead to {fen!r}")
    return found


def count_of(moves):
    """Whose turn it is."""
    return len(moves) % 2


class Peer:
    """A program that answers one line per question."""

    def __init__(self, command):
        self.command = command
        self.process = None

    def ask(self, *lines, until):
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.process.stdin.write("".join(line + "\n" for line in lines))
        for line in self.process.stdout:
            if until in line:
                return line
        raise SystemExit(f"{self.command[0]} has ended")


class Ultimattt(Peer):
    def __init__(self, program, _words):
        super().__init__([program, "worker"])

    def move(self, board, milliseconds):
        cells = "/".join("".join(self.mark(board, place, cell) for cell in range(9)) for place in range(9))
        side = "XO"[count_of(board.moves)]
        states = "".join(self.state(board, place) for place in range(9))
        seconds, rest = divmod(milliseconds, 1000)
        body = {"id": "", "board": f"{side};{states};{cells}", "limit": {"secs": seconds, "nanos": rest * 1_000_000}, "max_depth": None}
        answer = json.loads(self.ask(json.dumps({"op": "getmove", "body": body}), until="op"))
        return tuple(map("abcdefghi".index, answer["body"]["move"]))

    @staticmethod
    def mark(board, place, cell):
        return "X" if cell in board.cells[0][place] else "O" if cell in board.cells[1][place] else "."

    @staticmethod
    def state(board, place):
        for side in range(2):
            if place in board.owned[side]:
                return "XO"[side]
        return "#" if board.is_closed(place) else "@" if place == board.forced else "."


class Mcthouacbb(Peer):
    def __init__(self, program, _words):
        super().__init__([program])

    def move(self, board, milliseconds):
        return move_of(self.ask(position_of(board), f"go movetime {milliseconds}", until="bestmove").split()[1])


class AiUltimate(Peer):
    def __init__(self, program, words):
        super().__init__([program])
        self.search = " ".join(words) or "play depth 20 nodes 10000000"

    def move(self, board, milliseconds):
        search = f"{self.search} softtime {max(1, min(1000, milliseconds))}"
        return move_of(self.ask(position_of(board), search, until="bestmove").split()[1])


def position_of(board):
    return "position startpos" + "".join([" moves", *(f" {name(move)}" for move in board.moves)] if board.moves else [])


PEERS = {"ultimattt": Ultimattt, "mcthouacbb": Mcthouacbb, "ai-ultimate": AiUltimate}


def read_position(words):
    split = words.index("moves") if "moves" in words else len(words)
    moves = [] if words[0] == "startpos" else moves_to(" ".join(words[1:split]))
    return Board([*moves, *map(move_of, words[split + 1 :])])


def query(board, what):
    result = board.result()
    return {
        "gameover": str(result is not None).lower(),
        "p1turn": str(count_of(board.moves) == 0).lower(),
        "result": {None: "none", 0.5: "draw", 1: "p1win", 0: "p2win"}[result],
    }[what]


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in PEERS:
        raise SystemExit(__doc__)
    peer = PEERS[sys.argv[1]](sys.argv[2], sys.argv[3:])
    board = Board()
    for line in sys.stdin:
        words = line.split()
        match words[:1]:
            case ["ugi"]:
                print(f"id name {sys.argv[1]}", "option name UCI_Variant type combo default tixtax var tixtax var tixtax-count", "ugiok", sep="\n", flush=True)
            case ["isready"]:
                print("readyok", flush=True)
            case ["position"]:
                board = read_position(words[1:])
            case ["query"]:
                print("response", query(board, words[1]), flush=True)
            case ["go"]:
                limit = int(words[words.index("movetime") + 1]) if "movetime" in words else 100
                print("bestmove", name(peer.move(board, limit)), flush=True)
            case ["quit"]:
                return


if __name__ == "__main__":
    main()
