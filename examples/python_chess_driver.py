"""A board object with which python-chess drives any UCI engine, leaving the rules to the engine.

    pip install chess==1.11.2
    python examples/python_chess_driver.py [PROGRAM]    # plays a game of TixTax against itself
"""

import sys

import chess.engine


class Move(str):
    def uci(self):
        return str(self)


class Board:
    """The parts of a board that chess.engine uses: the game, its start position and the moves since.
    For another game derive a class with its own `uci_variant` and `start`."""

    uci_variant = "tixtax"
    start = "9/9/9/9/9/9/9/9/9 x 1 -"
    chess960 = False

    def __init__(self, moves=()):
        self.move_stack = list(moves)

    @property
    def turn(self):
        return len(self.move_stack) % 2 == 0

    def root(self):
        return type(self)()

    def fen(self, **_):
        return self.start

    def copy(self, stack=True):
        return type(self)(self.move_stack)

    def parse_uci(self, text):
        return Move(text)

    def push(self, move):
        self.move_stack.append(move)

    def push_uci(self, text):
        self.push(Move(text))
        return self.move_stack[-1]

    def pop(self):
        return self.move_stack.pop()


def play_game(program, board, seconds):
    """Lets the engine play both sides until the game is over."""
    with chess.engine.SimpleEngine.popen_uci(program) as engine:
        while (result := engine.play(board, chess.engine.Limit(time=seconds))).move:
            board.push(result.move)


if __name__ == "__main__":
    board = Board()
    play_game(sys.argv[1] if len(sys.argv) > 1 else "zermelo", board, 0.02)
    print(len(board.move_stack), "plies:", *board.move_stack)
