"""The estimator on synthetic trees whose totals are known."""

from __future__ import annotations

import random
import unittest
from collections.abc import Sequence
from functools import lru_cache
from statistics import fmean, stdev

from zermelo_frontier.intervals import mean_interval
from zermelo_frontier.sampling import count_paths, draw_probe, enumerate_levels

DEPTH = 8


class PrefixTree:
    """Moves are letters, three to five at even levels and one, the prover's, at odd ones. Where `transposes` is set,
    the order of the opponent's moves does not matter, so that many paths lead to a node."""

    def __init__(self, transposes: bool) -> None:
        self.transposes = transposes

    def successors(self, node: str) -> Sequence[str]:
        if len(node) % 2:
            return [self.join(node, "x")]
        choices = 3 + sum(map(ord, node)) % 3
        return sorted({self.join(node, letter) for letter in "abcde"[:choices]})

    def join(self, node: str, letter: str) -> str:
        return "".join(sorted(node + letter)) if self.transposes else node + letter

    def stratum(self, node: str, deviations: int) -> int:
        return node.count("e")

    def deviates(self, node: str, successor: str) -> bool:
        return len(node) % 2 == 0 and successor != self.join(node, "a")

    def may_lead(self, node: str, leaf: str) -> bool:
        return all(node.count(letter) <= leaf.count(letter) for letter in "abcdex")


@lru_cache(None)
def cost(node: str) -> float:
    """A skewed cost that rises with the stratum."""
    return 10 ** (node.count("e") / 2) * random.Random(node).lognormvariate(0, 1)


def estimates(tree: PrefixTree, count: int, seed: int, stratified: bool) -> list[float]:
    found = []
    for probe in range(count):
        drawn = draw_probe(tree, "", DEPTH, random.Random(f"{seed} {probe}"), stratified)[-1]
        terms = (leaf.weight * cost(leaf.node) / count_paths(tree, "", leaf.node, DEPTH) for leaf in drawn)
        found.append(sum(terms))
    return found


class Sampling(unittest.TestCase):
    def test_path_counts_agree_with_the_enumerated_tree(self) -> None:
        tree = PrefixTree(True)
        frontier = enumerate_levels(tree, "", DEPTH)[-1]
        self.assertGreater(max(frontier.values()), 10)
        for leaf, paths in frontier.items():
            self.assertEqual(count_paths(tree, "", leaf, DEPTH), paths)

    def test_estimates_are_unbiased(self) -> None:
        for transposes in (False, True):
            tree = PrefixTree(transposes)
            total = sum(cost(leaf) for leaf in enumerate_levels(tree, "", DEPTH)[-1])
            for stratified in (False, True):
                found = estimates(tree, 600, 1, stratified)
                error = stdev(found) / len(found) ** 0.5
                self.assertLess(abs(fmean(found) - total), 3 * error, (transposes, stratified))
                self.assertLess(error, 0.2 * total)

    def test_strata_of_similar_cost_reduce_the_variance(self) -> None:
        tree = PrefixTree(False)
        plain, stratified = (stdev(estimates(tree, 200, 2, kind)) for kind in (False, True))
        self.assertLess(stratified, 0.8 * plain)

    def test_every_probe_holds_the_line_of_best_replies(self) -> None:
        tree = PrefixTree(False)
        for seed in range(5):
            drawn = draw_probe(tree, "", DEPTH, random.Random(seed))[-1]
            best = [leaf for leaf in drawn if not leaf.deviations]
            self.assertEqual([(leaf.node, leaf.weight) for leaf in best], [("ax" * (DEPTH // 2), 1.0)])

    def test_weights_sum_to_the_number_of_paths_where_the_branching_is_constant(self) -> None:
        tree = PrefixTree(False)
        drawn = draw_probe(tree, "", 2, random.Random(0))[-1]
        self.assertEqual(sum(leaf.weight for leaf in drawn), len(tree.successors("")))
        self.assertEqual([len(leaf.path) for leaf in drawn], [2] * len(drawn))

    def test_intervals_contain_the_total_about_as_often_as_promised(self) -> None:
        tree = PrefixTree(True)
        total = sum(cost(leaf) for leaf in enumerate_levels(tree, "", DEPTH)[-1])
        hits = 0
        for trial in range(40):
            low, high = mean_interval(estimates(tree, 20, 100 + trial, True))
            hits += low <= total <= high
        self.assertGreaterEqual(hits, 32)
