"""Boards as pictures in pixels, for videos of games."""

from __future__ import annotations

import numpy as np

from .._zermelo import Board

#: The height of a picture.
_PIXELS = 320
_PAPER, _INK, _LIGHT = (253, 253, 251), (91, 99, 109), (222, 232, 240)
#: The colour of each piece.
_COLOURS = {"x": (11, 92, 148), "o": (196, 98, 16), "b": (35, 38, 43), "r": (190, 40, 40)}


def picture(board: Board) -> np.ndarray:
    """The board as rows of pixels, of red, green and blue from 0 to 255: crosses, rings and discs are the pieces."""
    drawing = board._drawing()
    if drawing is None:
        raise ValueError(f"{board.game} has no board that can be drawn")
    width, height, lines, squares = drawing
    scale = _PIXELS / height
    pixels = np.empty((_PIXELS, round(width * scale), 3), np.uint8)
    pixels[:] = _PAPER
    rows, columns = np.mgrid[: pixels.shape[0], : pixels.shape[1]]
    y, x = (rows + 0.5) / scale, (columns + 0.5) / scale
    for left, top, size, _, highlighted in squares:
        if highlighted:
            pixels[(abs(x - left) < size / 2) & (abs(y - top) < size / 2)] = _LIGHT
    for x1, y1, x2, y2, heavy in lines:
        pixels[_distance(x, y, x1, y1, x2, y2) < (1.6 if heavy else 0.8) / scale] = _INK
    for left, top, size, mark, _ in squares:
        piece = mark.lower()
        if piece in _COLOURS:
            reach = 0.3 * size
            pixels[_shape(piece, abs(x - left) / reach, abs(y - top) / reach)] = _COLOURS[piece]
    return pixels


def _distance(x: np.ndarray, y: np.ndarray, x1: float, y1: float, x2: float, y2: float) -> np.ndarray:
    """The distance from a segment."""
    along, across = x2 - x1, y2 - y1
    share = np.clip(((x - x1) * along + (y - y1) * across) / (along**2 + across**2), 0, 1)
    distance: np.ndarray = np.hypot(x - x1 - share * along, y - y1 - share * across)
    return distance


def _shape(piece: str, right: np.ndarray, down: np.ndarray) -> np.ndarray:
    """The pixels of a piece, whose distances from its centre are given in its own size."""
    radius = np.hypot(right, down)
    if piece == "x":
        cross: np.ndarray = (abs(right - down) < 0.28) & (np.maximum(right, down) < 1)
        return cross
    inside: np.ndarray = (radius < 1) & ((piece != "o") | (radius > 0.7))
    return inside
