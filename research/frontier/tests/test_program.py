"""The tree of TixTax and proofs, with the program: $ZERMELO, else the release build."""

from __future__ import annotations

import os
import random
import tempfile
import unittest
from pathlib import Path

from zermelo_frontier.games import OPENING_PLIES, openings, play
from zermelo_frontier.leaves import Leaves
from zermelo_frontier.program import Proof, Searcher, find_program, prove
from zermelo_frontier.records import Records
from zermelo_frontier.sampling import count_paths, draw_probe, enumerate_levels
from zermelo_frontier.upper_tree import TixTaxTree, images_of, plies, stones_of

PROGRAM = find_program(Path(os.environ["ZERMELO"]) if "ZERMELO" in os.environ else None)
LATE = "x2oxoo2/xxx3oxx/1o1o3x1/5ooxo/1o6x/2x1xo1o1/o2xxx1o1/3o1o3/x6ox x 18 g8"


class CountedLeaves(Leaves):
    """Adds up the time of every leaf requested, repeated ones included."""

    seconds = 0.0

    def proof(self, node: str, goal: int | None = None) -> Proof:
        proof = super().proof(node, goal)
        self.seconds += proof.seconds
        return proof


class WithTheProgram(unittest.TestCase):
    def tree(self, prover: int) -> TixTaxTree:
        tree = TixTaxTree(PROGRAM, prover, 1000)
        self.addCleanup(tree.close)
        return tree

    def test_successors_are_one_move_of_the_prover_and_all_replies(self) -> None:
        tree = self.tree(2)
        root = tree.root("9/9/9/9/9/9/9/9/9 x 1 -")
        first = tree.successors(root)
        # The first moves fall into fifteen classes.
        self.assertEqual(len(first), 15)
        for node in first:
            self.assertEqual((plies(node), len(tree.successors(node))), (1, 1))

    def test_images_of_a_position_are_its_class(self) -> None:
        tree = self.tree(1)
        root = tree.root(LATE)
        self.assertEqual(len(set(images_of(root))), 8)
        self.assertIn(stones_of(root), images_of(root))
        other = "9/9/9/9/9/9/9/7x1/9 o 1 h2"
        self.assertEqual(tree.root(other), tree.root("9/7x1/9/9/9/9/9/9/9 o 1 h8"))

    def test_path_counts_agree_with_the_enumerated_tree(self) -> None:
        tree = self.tree(2)
        root = tree.root(LATE)
        frontier = enumerate_levels(tree, root, 6)[-1]
        self.assertGreater(max(frontier.values()), 1)
        for leaf in random.Random(1).sample(sorted(frontier), 20):
            self.assertEqual(count_paths(tree, root, leaf, 6), frontier[leaf])

    def test_a_split_leaf_costs_its_time_and_its_parts(self) -> None:
        tree = self.tree(1)
        with tempfile.TemporaryDirectory() as folder:
            records = Records(Path(folder) / "proofs.jsonl", {})
            leaves = CountedLeaves(records, PROGRAM, 0.0, 64)
            whole = leaves.cost(tree, tree.root(LATE), None)
            records.close()
            self.assertEqual(len({line["leaf"] for line in records.lines}), len(records.lines))
            proven = sum(line["at_least"] == line["at_most"] for line in records.lines)
            self.assertGreater(proven, 1)
            self.assertGreater(len(records.lines), proven)
            # A leaf that several lines reach is proven once, but costs its time in each.
            self.assertAlmostEqual(whole.seconds, leaves.seconds, 6)

    def test_proof_is_interrupted_at_its_limit(self) -> None:
        proof = prove(PROGRAM, "9/9/9/9/9/9/9/9/9 x 1 -", 0.2, 64)
        self.assertEqual(proof.value, "unknown")
        self.assertTrue(0.2 <= proof.seconds < 1.0, proof.seconds)
        self.assertEqual(prove(PROGRAM, LATE, 60, 64).value, "draw")

    def test_games_and_probes_depend_on_the_seed_alone(self) -> None:
        starts = openings(PROGRAM, 2, 5)
        with Searcher(PROGRAM, 500) as searcher:
            games = [play(searcher, starts[1]) for _ in range(2)]
        self.assertEqual(games[0], games[1])
        self.assertEqual(openings(PROGRAM, 3, 5)[:2], starts)
        self.assertEqual(sum(character in "xo" for character in games[0][0].split()[0]), OPENING_PLIES)
        tree = self.tree(1)
        probes = [draw_probe(tree, tree.root(LATE), 4, random.Random(3)) for _ in range(2)]
        self.assertEqual(probes[0], probes[1])
