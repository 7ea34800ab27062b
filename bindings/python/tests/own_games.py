"""Games as people write them, for the tests of `OwnGame`."""

import importlib.util
import pathlib

EXAMPLE = pathlib.Path(__file__).parents[3] / "examples" / "python" / "hexapawn.py"
spec = importlib.util.spec_from_file_location("hexapawn", EXAMPLE)
hexapawn = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hexapawn)
Hexapawn = hexapawn.Hexapawn

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe:
    def __init__(self, cells="." * 9):
        self.cells = cells

    def legal_moves(self):
        if self.outcome():
            return []
        return [str(place + 1) for place, cell in enumerate(self.cells) if cell == "."]

    def play(self, move):
        place, mark = int(move) - 1, "ox"[self.cells.count(".") % 2]
        return type(self)(self.cells[:place] + mark + self.cells[place + 1 :])

    def outcome(self):
        if any(self.cells[one] == self.cells[two] == self.cells[three] != "." for one, two, three in LINES):
            return "loss"
        return None if "." in self.cells else "draw"

    def key(self):
        return self.cells


class Walk:
    """A game with cycles: a token on five points moves left or right; who brings it to the last point wins."""

    def __init__(self, place=1):
        self.place = place

    def legal_moves(self):
        return [move for move, end in (("left", 0), ("right", 4)) if self.place != end and self.place != 4]

    def play(self, move):
        return Walk(self.place + (1 if move == "right" else -1))

    def outcome(self):
        return "loss" if self.place == 4 else None

    def key(self):
        return self.place


def negamax(position):
    """The value for the player to move, 1, 0 or -1, and the plies to the end of a win or loss."""
    outcome = position.outcome()
    if outcome:
        return {"win": 1, "draw": 0, "loss": -1}[outcome], 0
    replies = [negamax(position.play(move)) for move in position.legal_moves()]
    value = -min(value for value, _ in replies)
    plies = [plies + 1 for reply, plies in replies if reply == -value]
    return value, 0 if value == 0 else min(plies) if value > 0 else max(plies)
