#!/usr/bin/env python3
"""Hexapawn, a game of one's own: three pawns against three. Who reaches the far rank wins; who cannot move loses.

python3 hexapawn.py             # checks the rules, and solves the game
python3 hexapawn.py exact       # an engine for match runners that speak UGI: exact, mcts or random
"""

import sys

import zermelo


class Hexapawn:
    """A position as the player to move sees it: the own pawns advance from rank 1 to rank 3."""

    def __init__(self, own=("a1", "b1", "c1"), other=("a3", "b3", "c3")):
        self.own, self.other = frozenset(own), frozenset(other)

    def legal_moves(self):
        if any(pawn[1] == "1" for pawn in self.other):
            return []
        moves = []
        for pawn in sorted(self.own):
            file, rank = "abc".index(pawn[0]), int(pawn[1]) + 1
            ahead, *sides = [f"{'abc'[x]}{rank}" for x in (file, file - 1, file + 1) if 0 <= x < 3]
            moves += [pawn + ahead] * (ahead not in self.other)
            moves += [pawn + side for side in sides if side in self.other]
        return moves

    def play(self, move):
        start, end = move[:2], move[2:]
        own, other = self.own - {start} | {end}, self.other - {end}
        turned = [[pawn[0] + str(4 - int(pawn[1])) for pawn in pawns] for pawns in (other, own)]
        return Hexapawn(*turned)

    def outcome(self):
        return None if self.legal_moves() else "loss"

    def key(self):
        return self.own, self.other


if __name__ == "__main__":
    game = zermelo.OwnGame(Hexapawn)
    if len(sys.argv) > 1:
        game.serve(sys.argv[1])
    else:
        game.check()
        print(game.solve())
