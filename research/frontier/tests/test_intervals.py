"""Intervals: known values, and how often they contain the truth."""

from __future__ import annotations

import math
import random
import unittest

from zermelo_frontier.intervals import bootstrap, mean_interval, quantile, wilson


class Intervals(unittest.TestCase):
    def test_wilson_interval_has_the_textbook_values(self) -> None:
        low, high = wilson(8, 10)
        self.assertAlmostEqual(low, 0.4902, 4)
        self.assertAlmostEqual(high, 0.9433, 4)
        self.assertEqual(wilson(0, 10)[0], 0.0)
        self.assertEqual(wilson(10, 10)[1], 1.0)
        self.assertEqual(wilson(0, 0), (0.0, 1.0))

    def test_quantiles_are_interpolated(self) -> None:
        self.assertEqual(quantile([1, 2, 3], 0.25), 1.5)

    def test_bootstrap_of_equal_values_is_their_value(self) -> None:
        self.assertEqual(bootstrap([2.0, 2.0, 2.0]), (2.0, 2.0))

    def test_too_few_values_give_no_upper_bound(self) -> None:
        self.assertEqual(bootstrap([3.0]), (0.0, math.inf))

    def test_intervals_contain_the_mean_of_skewed_values_about_as_often_as_promised(self) -> None:
        generator = random.Random(1)
        mean = math.exp(1.5**2 / 2)
        hits = 0
        for trial in range(60):
            values = [generator.lognormvariate(0, 1.5) for _ in range(20)]
            low, high = mean_interval(values, seed=trial)
            hits += low <= mean <= high
        self.assertGreaterEqual(hits, 48)
        self.assertLess(hits, 60)
