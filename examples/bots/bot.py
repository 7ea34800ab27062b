#!/usr/bin/env python3
"""A bot for ultimate tic-tac-toe that speaks UGI and CodinGame's protocol.

Elo 1674 ± 34 with depth=5, which takes less than 0.1 s a move (docs/bots.md).
"""

import sys
from functools import cache
from time import monotonic

# A move is 9 * board + cell: nine small boards of nine cells, each row by row from the top left.
# A set of cells, or of boards, is a number with one bit for each.
LINES = [0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100]
HAS_LINE = [any(bits & line == line for line in LINES) for bits in range(512)]
MEMBERS = [[member for member in range(9) if bits >> member & 1] for bits in range(512)]
SQUARES = [(b // 3 * 3 + c // 3, b % 3 * 3 + c % 3) for b in range(9) for c in range(9)]  # row, column
NAMES = ["abcdefghi"[column] + str(9 - row) for row, column in SQUARES]
ALL = 0b111111111
WIN = 10_000


class Position:
    def __init__(self, by_count):
        self.by_count = by_count  # the rule if nobody gets a line of boards: more boards win
        self.cells = [[0] * 9, [0] * 9]  # of each player, in each board
        self.won = [0, 0]  # the boards of each player
        self.closed = 0  # the boards that are won or full; all of them when the game is over
        self.player = 0
        self.last = None  # the last move; its cell names the board to play in
        self.score = 0

    def put(self, player, move):
        board, cell = divmod(move, 9)
        own = self.cells[player][board] = self.cells[player][board] | 1 << cell
        self.won[player] |= HAS_LINE[own] << board
        self.closed |= (HAS_LINE[own] or own | self.cells[1 - player][board] == ALL) << board
        if HAS_LINE[self.won[player]]:
            self.closed = ALL

    def after(self, move):
        child = Position(self.by_count)
        child.cells = [self.cells[0][:], self.cells[1][:]]
        child.won, child.closed = self.won[:], self.closed
        child.put(self.player, move)
        child.player, child.last = 1 - self.player, move
        child.score = child.evaluate()
        return child

    def moves(self):
        is_free = self.last is None or self.closed >> self.last % 9 & 1
        boards = MEMBERS[ALL ^ self.closed] if is_free else [self.last % 9]
        x, o = self.cells
        return [9 * b + cell for b in boards for cell in MEMBERS[ALL ^ (x[b] | o[b])]]

    def winner(self):
        """Of a finished game: 1 if the first player has won, -1 if the second has, otherwise 0."""
        x, o = self.won
        if HAS_LINE[x] or HAS_LINE[o]:
            return 1 if HAS_LINE[x] else -1
        lead = x.bit_count() - o.bit_count() if self.by_count else 0
        return (lead > 0) - (lead < 0)

    def evaluate(self):
        """The score of the player to move: the worth of lines of cells and, twelvefold, of boards."""
        (x, o), (x_won, o_won) = self.cells, self.won
        if self.closed == ALL:
            score = WIN * self.winner()
        else:
            score = 12 * (worth(x_won, self.closed & ~x_won) - worth(o_won, self.closed & ~o_won))
            score += sum(worth(x[b], o[b]) - worth(o[b], x[b]) for b in MEMBERS[ALL ^ self.closed])
        return -score if self.player else score


@cache
def worth(own, blocked):
    return sum((1, 3, 9, 0)[(line & own).bit_count()] for line in LINES if not line & blocked)


def search(position, depth, alpha, beta, deadline):
    """Alpha-beta. Returns the score of the player to move and the best move, None if all moves lose."""
    if depth == 0 or position.closed == ALL or monotonic() > deadline:
        return position.score, None
    best = None
    # The worst for the opponent first, so that the others are soon refuted.
    for child in sorted(map(position.after, position.moves()), key=lambda child: child.score):
        score = -search(child, depth - 1, -beta, -alpha, deadline)[0]
        if score > alpha:
            alpha, best = score, child.last
        if alpha >= beta:
            break
    return alpha, best


def think(position, seconds, max_depth=81):
    """Searches deeper and deeper until the time is up or the result is certain."""
    deadline = monotonic() + seconds
    depth, score, best = 0, 0, position.moves()[0]
    while depth < max_depth and score < WIN:
        found, move = search(position, depth + 1, -WIN, WIN, deadline)
        if move is None or monotonic() > deadline:
            break  # if every move loses, the last one seemed best
        depth, score, best = depth + 1, found, move
    return best, f"info depth {depth} score cp {score} pv {NAMES[best]}"


def read_position(text, by_count):
    """Reads `startpos` or `fen F`, and the moves after it. Raises ValueError if it cannot."""
    start, _, moves = text.partition(" moves ")
    position = Position(by_count)
    if start != "startpos":
        _, board, mover, _, last = start.split()
        squares = "".join("." * int(c) if c.isdigit() else c for c in board if c != "/")
        for square, stone in zip(sorted(SQUARES), squares):
            if stone != ".":
                position.put("xo".index(stone), SQUARES.index(square))
        position.player = "xo".index(mover)
        position.last = None if last == "-" else NAMES.index(last)
    for move in map(NAMES.index, moves.split()):
        if move not in position.moves():
            raise ValueError
        position = position.after(move)
    return position


def main():
    position = Position(by_count=False)
    sys.stdin.reconfigure(errors="replace")
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        is_over = position.closed == ALL
        if command == "ugi":
            print("id name bot.py\nid author Zermelo")
            print("option name UCI_Variant type combo default tixtax var tixtax var tixtax-count\nugiok")
        elif command == "isready":
            print("readyok")
        elif command == "setoption" and "UCI_Variant" in rest:
            position.by_count = rest.endswith("tixtax-count")
        elif command == "position":
            try:
                position = read_position(rest, position.by_count)
            except ValueError:
                print("info string error: not a position:", rest)
        elif command == "query":
            result = ("draw", "p1win", "p2win")[position.winner()] if is_over else "none"
            answers = {"p1turn": position.player == 0, "gameover": is_over, "result": result}
            print("response", str(answers[rest]).lower())
        elif command == "go" and not is_over:
            limits = dict(zip(rest.split()[::2], map(int, rest.split()[1::2])))
            clock = limits.get(f"p{position.player + 1}time", 20_000)
            seconds = 0.9 * limits.get("movetime", clock / 20) / 1000
            move, info = think(position, seconds, limits.get("depth", 81))
            print(f"{info}\nbestmove {NAMES[move]}")
        elif command == "quit":
            break
        elif command.lstrip("-").isdigit():
            # CodinGame: the opponent's move, then the number of legal moves and the moves.
            if command != "-1":
                position = position.after(SQUARES.index((int(command), int(rest))))
            for _ in range(int(next(sys.stdin))):
                next(sys.stdin)
            position.by_count = True
            move, _ = think(position, 0.08)
            print(*SQUARES[move])
            position = position.after(move)
        sys.stdout.flush()


main()
