"""The input features of the teacher.

A position is ten boards, each with contents in base three from the mover's point of view: the nine small
ones, and the big one whose cells are the owners of the small ones. Contents fall into classes:
all won boards form one class, so do all lost and all full ones; every other content is its own class.
"""

import itertools

import numpy as np

CONTENTS = 3**9
BOARDS = 10
BIG = 9
SYMMETRIES = 8
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

OPEN, WON, LOST, DRAWN = range(4)


def cells_of_contents() -> np.ndarray:
    """Returns the nine digits of every content, the first cell first."""
    numbers = np.arange(CONTENTS)
    return np.stack([numbers // 3**cell % 3 for cell in range(9)], axis=1).astype(np.int64)


def states() -> np.ndarray:
    """Returns for each content whether the board is open, won, lost or drawn."""
    cells = cells_of_contents()
    state = np.where((cells > 0).all(axis=1), DRAWN, OPEN)
    for owner, stone in ((LOST, 2), (WON, 1)):
        for line in LINES:
            state[(cells[:, line] == stone).all(axis=1)] = owner
    return state


def classes() -> tuple[np.ndarray, int]:
    """Returns the class of every content and the number of classes: won, lost, drawn, then the open ones."""
    state = states()
    table = np.select([state == WON, state == LOST, state == DRAWN], [0, 1, 2], -1)
    is_open = state == OPEN
    table[is_open] = 3 + np.arange(is_open.sum())
    return table, 3 + int(is_open.sum())


def lines_of_classes() -> np.ndarray:
    """Returns the one-hot features of each class: the contents of its eight lines, or won, lost or drawn."""
    table, count = classes()
    cells = cells_of_contents()
    parts = np.zeros((count, 3 + 27 * len(LINES)), dtype=np.float32)
    parts[range(3), range(3)] = 1
    is_open = table >= 3
    for number, line in enumerate(LINES):
        seen = cells[is_open][:, line] @ [1, 3, 9]
        parts[table[is_open], 3 + 27 * number + seen] = 1
    return parts


def images() -> np.ndarray:
    """Returns the image of each cell under each symmetry, numbered as in the program."""
    table = np.zeros((SYMMETRIES, 9), dtype=np.int64)
    for symmetry, cell in itertools.product(range(SYMMETRIES), range(9)):
        row, column = divmod(cell, 3)
        if symmetry & 1:
            column = 2 - column
        if symmetry & 2:
            row = 2 - row
        if symmetry & 4:
            row, column = column, row
        table[symmetry, cell] = 3 * row + column
    return table


def content_images() -> np.ndarray:
    """Returns each content under each symmetry."""
    cells, image = cells_of_contents(), images()
    powers = 3 ** image  # a stone contributes the power of its image cell
    return np.stack([(cells * powers[symmetry]).sum(axis=1) for symmetry in range(SYMMETRIES)])


def board_images() -> np.ndarray:
    """Returns the image of each board under each symmetry; the big board keeps its number."""
    return np.concatenate([images(), np.full((SYMMETRIES, 1), BIG)], axis=1)


def swapped() -> np.ndarray:
    """Returns each content from the other player's point of view."""
    return (np.array([0, 2, 1])[cells_of_contents()] * 3 ** np.arange(9)).sum(axis=1)


def big_contents(boards: np.ndarray) -> np.ndarray:
    """Returns the contents of the big board, given those of the nine small ones."""
    owner = np.array([0, 1, 2, 0])[states()]
    return (owner[boards] * 3 ** np.arange(9)).sum(axis=1)
