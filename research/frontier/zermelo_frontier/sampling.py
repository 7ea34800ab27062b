"""Stratified random sampling of the tree above a frontier (Knuth 1975, Chen 1992).

Knuth's probe walks down one random path and weights what it finds with the product of the branching factors. Chen's
keeps a set of nodes at each level, one per stratum, each with a weight: it stands for that many nodes. A new node
of the same stratum replaces the old one with a probability in proportion to its weight. With a single stratum this is
Knuth's probe. In both, the expectation of the weighted sum of any cost over the drawn nodes is its exact sum over all
paths, whatever the strata are; good strata only make it vary less.

Nearly all replies are mistakes, and what remains after them is easy. The lines in which the opponent plays well decide
the value, yet they are so few that Knuth's probe never meets them. So the number of the opponent's deviations from the
engine's choice is part of the stratum: every probe holds the line without any, and some with one or two.

Paths that transpose end in one position, which has to be proven once. So a position's cost is divided by the number of
paths that lead to it. That number is counted exactly: such paths are confined to the stones of the position.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

# Deviations are counted up to this number.
MAX_DEVIATIONS = 3

Node = TypeVar("Node", bound=Hashable)


class UpperTree(Protocol[Node]):
    """The proof tree above the frontier: one successor where the prover's move is chosen, all replies elsewhere."""

    def successors(self, node: Node) -> Sequence[Node]:
        """The successors, each once; none where the game is decided."""

    def stratum(self, node: Node, deviations: int) -> Hashable:
        """A guess at the cost of the node; equal guesses after as many deviations share a stratum."""

    def deviates(self, node: Node, successor: Node) -> bool:
        """Whether a reply of the opponent is not the best one by a short search."""

    def may_lead(self, node: Node, leaf: Node) -> bool:
        """Whether a path from a node to a leaf is possible; `False` only if it certainly is not."""


@dataclass(frozen=True)
class Drawn(Generic[Node]):
    """A drawn node with the number of paths it stands for, and the drawn path to it, without itself."""

    node: Node
    weight: float
    path: tuple[Node, ...]
    # Replies on that path that are not the opponent's best, counted up to a maximum.
    deviations: int = 0


def draw_probe(
    tree: UpperTree[Node], root: Node, depth: int, generator: random.Random, stratified: bool = True
) -> list[list[Drawn[Node]]]:
    """Draws a probe; returns the drawn nodes of each level from the root to the frontier."""
    levels = [[Drawn(root, 1.0, ())]]
    for _ in range(depth):
        strata: dict[Hashable, Drawn[Node]] = {}
        for above in levels[-1]:
            path = (*above.path, above.node)
            for node in tree.successors(above.node):
                deviations = 0
                if stratified:
                    deviations = min(MAX_DEVIATIONS, above.deviations + tree.deviates(above.node, node))
                stratum = (tree.stratum(node, deviations), deviations) if stratified else None
                kept = strata.get(stratum)
                weight = above.weight + (kept.weight if kept else 0.0)
                if kept is None or generator.random() * weight < above.weight:
                    strata[stratum] = Drawn(node, weight, path, deviations)
                else:
                    strata[stratum] = replace(kept, weight=weight)
        levels.append(list(strata.values()))
    return levels


def count_paths(tree: UpperTree[Node], root: Node, leaf: Node, depth: int) -> int:
    """Counts the paths of a length from the root to a leaf."""
    level = {root: 1}
    for _ in range(depth):
        below: dict[Node, int] = {}
        for node, paths in level.items():
            for successor in tree.successors(node):
                if tree.may_lead(successor, leaf):
                    below[successor] = below.get(successor, 0) + paths
        level = below
    return level.get(leaf, 0)


def enumerate_levels(tree: UpperTree[Node], root: Node, depth: int) -> list[dict[Node, int]]:
    """Returns all nodes of each level, each with the number of paths to it."""
    levels = [{root: 1}]
    for _ in range(depth):
        below: dict[Node, int] = {}
        for node, paths in levels[-1].items():
            for successor in tree.successors(node):
                below[successor] = below.get(successor, 0) + paths
        levels.append(below)
    return levels
