"""What a proof has cost, by ply: jobs whose results the proof uses, slices that ran out, and work on other moves."""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from zermelo_cluster.command import print_result
from zermelo_cluster.tree import Node, Tree, binding_goals, counter


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tree", metavar="FILE", type=Path, required=True, help="file of the proof tree")


def run(options: argparse.Namespace) -> None:
    tree = Tree.open_existing(options.tree)
    try:
        print_result(format_costs(tree))
    finally:
        tree.close()


@dataclass
class PlyCosts:
    """The costs of the jobs at one ply."""

    jobs: int = 0
    # Jobs whose answers are part of the proof.
    used: int = 0
    nodes: int = 0
    # Seconds of all jobs, …
    seconds: float = 0.0
    # … of those whose answers are part of the proof, …
    used_seconds: float = 0.0
    # … and of those that ran out of time, so that their leaves were split. The rest settled something else: moves that
    # turned out worse than expected, or leaves that another move made unnecessary.
    split_seconds: float = 0.0

    def add(self, other: PlyCosts) -> None:
        self.jobs += other.jobs
        self.used += other.used
        self.nodes += other.nodes
        self.seconds += other.seconds
        self.used_seconds += other.used_seconds
        self.split_seconds += other.split_seconds


def proof_leaves(tree: Tree) -> set[tuple[int, int]]:
    """Returns the leaves and goals whose jobs prove the value of the root; none while it is open."""
    root = tree.node(tree.root)
    claims = [] if root.value is None else [(root, goal) for goal in binding_goals(root.value)]
    seen, leaves = set(), set()
    while claims:
        node, goal = claims.pop()
        if (node.id, goal) in seen:
            continue
        seen.add((node.id, goal))
        if tree.proven_answer(node.id, goal)[0] is not None:
            leaves.add((node.id, goal))
            continue
        claims += [(child, counter(goal)) for child in needed_children(tree, node, goal)]
    return leaves


def needed_children(tree: Tree, node: Node, goal: int) -> Iterator[Node]:
    """Yields the children that prove the answer of a node: one if the goal is reached, all if it is missed."""
    children = tree.children(node)
    if node.answer(goal):
        yield from [child for child in children if child.answer(counter(goal)) is False][:1]
    else:
        yield from children


def costs_by_ply(tree: Tree) -> dict[int, PlyCosts]:
    """Sums up the jobs by plies below the root."""
    leaves = proof_leaves(tree)
    costs: dict[int, PlyCosts] = defaultdict(PlyCosts)
    for job in tree.job_records():
        at_ply = costs[job.node.depth]
        at_ply.jobs += 1
        at_ply.nodes += job.nodes
        at_ply.seconds += job.seconds
        if job.answer is None:
            at_ply.split_seconds += job.seconds
        elif (job.node.id, job.goal) in leaves:
            at_ply.used += 1
            at_ply.used_seconds += job.seconds
    return dict(sorted(costs.items()))


def format_costs(tree: Tree) -> str:
    """Formats the costs as a table in Markdown."""
    rows = ["| plies below the root | jobs | used | s of work | used | split | other | nodes |", "|" + "---|" * 8]
    total = PlyCosts()
    for depth, costs in costs_by_ply(tree).items():
        rows.append(format_row(str(depth), costs))
        total.add(costs)
    rows.append(format_row("sum", total))
    return "\n".join(rows)


def format_row(name: str, costs: PlyCosts) -> str:
    other = costs.seconds - costs.used_seconds - costs.split_seconds
    seconds = [costs.seconds, costs.used_seconds, costs.split_seconds, max(0.0, other)]
    cells = [name, str(costs.jobs), str(costs.used), *(f"{part:.1f}" for part in seconds), f"{costs.nodes:.3g}"]
    return "| " + " | ".join(cells) + " |"
