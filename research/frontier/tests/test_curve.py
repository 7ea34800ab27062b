"""Shares by ply, and the chart."""

from __future__ import annotations

import unittest
from xml.etree import ElementTree

from zermelo_frontier.chart import draw
from zermelo_frontier.curve import median_seconds, summarize
from zermelo_frontier.records import Record


def position(game: int, ply: int, seconds: float, value: str = "draw") -> Record:
    return {"type": "position", "game": game, "ply": ply, "seconds": seconds, "value": value}


GAMES: list[Record] = [{"type": "game", "game": game, "positions": [""] * 45} for game in range(3)]
LINES = GAMES + [
    *(position(game, 50, 0.1) for game in range(3)),
    *(position(game, 48, seconds) for game, seconds in enumerate((0.5, 5.0))),
    position(2, 48, 600.0, "unknown"),
    position(0, 46, 1.0),
]


class Shares(unittest.TestCase):
    def test_open_positions_count_as_not_proven_and_unfinished_plies_are_left_out(self) -> None:
        points = summarize(LINES, 600)
        self.assertEqual({point.ply for point in points}, {50, 48})
        proven = {point.time: point.proven for point in points if point.ply == 48}
        self.assertEqual(proven, {1: 1, 10: 2, 60: 2, 600: 2})

    def test_times_beyond_the_limit_are_left_out(self) -> None:
        self.assertEqual({point.time for point in summarize(LINES, 10)}, {1, 10})

    def test_median_orders_open_positions_last(self) -> None:
        self.assertEqual(median_seconds(LINES, 48), 5.0)
        self.assertIsNone(median_seconds([position(0, 30, 600.0, "unknown")], 30))

    def test_chart_is_well_formed_with_a_line_and_a_band_per_time(self) -> None:
        picture = ElementTree.fromstring(draw(summarize(LINES, 600), 3))
        for shape in ("polyline", "polygon"):
            self.assertEqual(len(picture.findall(f".//{{*}}{shape}")), 4)
