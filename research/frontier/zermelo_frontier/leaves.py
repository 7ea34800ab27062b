"""Costs of leaves, measured by proving them, in a file that a later run resumes.

A leaf that is not proven within the limit is split as the driver of a real proof would do: the time is spent, and the
positions two plies further are proven instead. That is part of the cost, not a guess at what the leaf would have
taken.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from zermelo_frontier.program import VALUES, WIN, Proof, prove
from zermelo_frontier.records import Record, Records
from zermelo_frontier.upper_tree import TixTaxTree


@dataclass(frozen=True)
class Cost:
    """The cost of a leaf in CPU seconds, and its value for the prover."""

    seconds: float
    value: int


class Leaves:
    """Proves positions, each at most once: their values, or only whether the prover reaches a goal."""

    def __init__(self, records: Records, program: Path, limit: float, memory: int, goal: int | None = None) -> None:
        self._records = records
        self._program = program
        self._limit = limit
        self._memory = memory
        self._goal = goal
        self._proofs: dict[tuple[str, int | None], Proof] = {}
        for line in records.lines:
            if line["type"] == "leaf":
                self._proofs[line["leaf"], line["goal"]] = Proof(
                    *(line[name] for name in ("at_least", "at_most", "nodes", "seconds"))
                )

    def proof(self, node: str, goal: int | None = None) -> Proof:
        """Proves a position, or whether its side to move reaches a goal, or looks it up."""
        found = self._proofs.get((node, goal))
        if found is None:
            found = prove(self._program, node, self._limit, self._memory, goal)
            self._proofs[node, goal] = found
            line: Record = {"type": "leaf", "leaf": node, "goal": goal, **vars(found)}
            self._records.append(line)
        return found

    def _value(self, tree: TixTaxTree, node: str) -> tuple[Proof, int | None]:
        """Proves a leaf; returns its value for the prover, `None` if open. With a goal, that is the goal or the value
        just below."""
        is_provers = tree.is_provers(node)
        if self._goal is None:
            proof = self.proof(node)
            if proof.value == "unknown":
                return proof, None
            value = VALUES.index(proof.value)
            return proof, value if is_provers else WIN - value
        own_goal = self._goal if is_provers else WIN + 1 - self._goal
        proof = self.proof(node, own_goal)
        reached = proof.reaches(own_goal)
        return proof, None if reached is None else self._goal - (reached is not is_provers)

    def cost(self, tree: TixTaxTree, node: str, generator: random.Random | None) -> Cost:
        """Returns the cost of a leaf. Where a leaf is split, `generator` draws one of the replies, which stands for all
        of them: the cost is an unbiased estimate, the value an upper bound. Without it all replies are proven."""
        proof, value = self._value(tree, node)
        if value is not None:
            return Cost(proof.seconds, value)
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
