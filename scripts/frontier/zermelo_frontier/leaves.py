"""Costs of leaves, measured by proving them, in a file that a later run resumes.

A leaf that is not proven within the limit is split as the driver of a real proof would do: the time is spent, and the
positions two plies further are proven instead. That is part of the cost, not a guess at what the leaf would have
taken.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from zermelo_frontier.program import Proof, prove
from zermelo_frontier.records import Record, Records
from zermelo_frontier.upper_tree import TixTaxTree

# Values for the prover.
LOSS, DRAW, WIN = range(3)
VALUES = ("loss", "draw", "win")


@dataclass(frozen=True)
class Cost:
    """The cost of a leaf in CPU seconds, and its value for the prover."""

    seconds: float
    value: int


class Leaves:
    """Proves positions, each at most once."""

    def __init__(self, records: Records, program: Path, limit: float, memory: int) -> None:
        self._records = records
        self._program = program
        self._limit = limit
        self._memory = memory
        self._proofs: dict[str, Proof] = {}
        for line in records.lines:
            if line["type"] == "leaf":
                self._proofs[line["leaf"]] = Proof(
                    *(line[name] for name in ("at_least", "at_most", "nodes", "seconds"))
                )

    def proof(self, node: str) -> Proof:
        """Proves a position, or looks it up."""
        found = self._proofs.get(node)
        if found is None:
            found = prove(self._program, node, self._limit, self._memory)
            self._proofs[node] = found
            line: Record = {"type": "leaf", "leaf": node, **vars(found)}
            self._records.append(line)
        return found

    def cost(self, tree: TixTaxTree, node: str, generator: random.Random | None) -> Cost:
        """Returns the cost of a leaf. Where a leaf is split, `generator` draws one of the replies, which stands for all
        of them: the expected cost is exact, the value an upper bound. Without it all replies are proven."""
        proof = self.proof(node)
        if proof.value != "unknown":
            value = VALUES.index(proof.value)
            return Cost(proof.seconds, value if tree.is_provers(node) else WIN - value)
        parts = list(tree.successors(node))
        while len(parts) == 1 and not tree.is_provers(parts[0]):
            parts = list(tree.successors(parts[0]))
        weight = 1
        if generator and parts:
            weight = len(parts)
            parts = [generator.choice(parts)]
        costs = [self.cost(tree, part, generator) for part in parts]
        seconds = proof.seconds + weight * sum(cost.seconds for cost in costs)
        return Cost(seconds, min((cost.value for cost in costs), default=WIN))
