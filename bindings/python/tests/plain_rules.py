"""The rules of all games once more, plain and slow, from docs/rules.md alone. The tests compare the package with them."""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def has_line(cells: List[Optional[int]], player: int) -> bool:
    return any(all(cells[place] == player for place in line) for line in LINES)


class TicTacToe:
    def __init__(self) -> None:
        self.cells: List[Optional[int]] = [None] * 9
        self.turn = 0

    def moves(self) -> Dict[str, int]:
        if self.result() is not None:
            return {}
        return {"abc"[place % 3] + "321"[place // 3]: place for place in range(9) if self.cells[place] is None}

    def play(self, name: str) -> None:
        self.cells[self.moves()[name]] = self.turn
        self.turn = 1 - self.turn

    def result(self) -> Optional[str]:
        for player, result in ((0, "1-0"), (1, "0-1")):
            if has_line(self.cells, player):
                return result
        return None if None in self.cells else "1/2-1/2"


class TixTax:
    def __init__(self, won_closes: bool = True, count_decides: bool = False) -> None:
        self.boards: List[List[Optional[int]]] = [[None] * 9 for _ in range(9)]
        self.owners: List[Optional[int]] = [None] * 9
        self.sent: Optional[int] = None
        self.turn = 0
        self.won_closes, self.count_decides = won_closes, count_decides

    def is_closed(self, board: int) -> bool:
        return None not in self.boards[board] or (self.won_closes and self.owners[board] is not None)

    def moves(self) -> Dict[str, Tuple[int, int]]:
        if self.result() is not None:
            return {}
        is_sent = self.sent is not None and not self.is_closed(self.sent)
        boards = [self.sent] if is_sent else [board for board in range(9) if not self.is_closed(board)]
        names = {}
        for board in boards:
            for cell in range(9):
                if self.boards[board][cell] is None:
                    column, row = board % 3 * 3 + cell % 3, board // 3 * 3 + cell // 3
                    names["abcdefghi"[column] + str(9 - row)] = (board, cell)
        return names

    def play(self, name: str) -> None:
        board, cell = self.moves()[name]
        self.boards[board][cell] = self.turn
        if self.owners[board] is None and has_line(self.boards[board], self.turn):
            self.owners[board] = self.turn
        self.sent = cell
        self.turn = 1 - self.turn

    def result(self) -> Optional[str]:
        for player, result in ((0, "1-0"), (1, "0-1")):
            if has_line(self.owners, player):
                return result
        if not all(self.is_closed(board) for board in range(9)):
            return None
        lead = self.owners.count(0) - self.owners.count(1) if self.count_decides else 0
        return "1-0" if lead > 0 else "0-1" if lead < 0 else "1/2-1/2"


class PongHauKi:
    NEIGHBOURS = {"a3": "c3 a1 b2", "c3": "a3 b2", "a1": "a3 c1 b2", "c1": "a1 b2", "b2": "a3 c3 a1 c1"}

    def __init__(self) -> None:
        self.pieces = [{"a3", "c3"}, {"a1", "c1"}]
        self.turn = 0
        self.seen = [self.state()]

    def state(self) -> Tuple[object, ...]:
        return (frozenset(self.pieces[0]), frozenset(self.pieces[1]), self.turn)

    def slides(self) -> List[str]:
        (empty,) = set(self.NEIGHBOURS) - self.pieces[0] - self.pieces[1]
        own = [point for point in self.NEIGHBOURS[empty].split() if point in self.pieces[self.turn]]
        return ["a3b2"] if len(self.seen) == 1 else [point + empty for point in own]

    def moves(self) -> Dict[str, None]:
        return {} if self.result() is not None else dict.fromkeys(self.slides())

    def play(self, name: str) -> None:
        self.pieces[self.turn].remove(name[:2])
        self.pieces[self.turn].add(name[2:])
        self.turn = 1 - self.turn
        self.seen.append(self.state())

    def result(self) -> Optional[str]:
        if not self.slides():
            return "0-1" if self.turn == 0 else "1-0"
        return "1/2-1/2" if self.seen.count(self.seen[-1]) >= 3 else None


class Nim:
    def __init__(self) -> None:
        self.ranks = [[1] * 8, [8] * 8]
        self.turn = 0

    def moves(self) -> Dict[str, Tuple[int, int]]:
        names = {}
        for file, (low, high) in enumerate(zip(*self.ranks)):
            start = self.ranks[self.turn][file]
            for rank in range(low + 1, high):
                names[f"{'abcdefgh'[file]}{start}{'abcdefgh'[file]}{rank}"] = (file, rank)
        return names

    def play(self, name: str) -> None:
        file, rank = self.moves()[name]
        self.ranks[self.turn][file] = rank
        self.turn = 1 - self.turn

    def result(self) -> Optional[str]:
        return None if self.moves() else ("0-1" if self.turn == 0 else "1-0")


GAMES = {
    "tixtax": TixTax,
    "tixtax-open": lambda: TixTax(won_closes=False),
    "tixtax-count": lambda: TixTax(count_decides=True),
    "tictactoe": TicTacToe,
    "ponghauki": PongHauKi,
    "nim": Nim,
}
