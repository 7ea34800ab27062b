"""Compares estimates with the truth: the tree above the frontier is enumerated and every leaf is proven."""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Iterator
from pathlib import Path

from zermelo_frontier import games
from zermelo_frontier.intervals import mean_interval, wilson
from zermelo_frontier.leaves import Leaves
from zermelo_frontier.price import measure_probe
from zermelo_frontier.program import WIN, Searcher, find_program, identify
from zermelo_frontier.records import Record, Records
from zermelo_frontier.sampling import Drawn, draw_probe, enumerate_levels
from zermelo_frontier.upper_tree import TixTaxTree


def add_options(one: argparse.ArgumentParser) -> None:
    one.add_argument("--out", type=Path, metavar="FILE", required=True, help="proofs; an existing file is resumed")
    one.add_argument("--ply", type=int, default=30, metavar="N", help="plies of the positions to prove")
    one.add_argument("--depth", type=int, default=6, metavar="N", help="plies from there to the frontier")
    one.add_argument("--games", type=int, default=20, metavar="N", help="self-play games to take positions from")
    one.add_argument("--seed", type=int, default=2, metavar="S", help="random seed of the games")
    one.add_argument("--probes", type=int, default=20, metavar="N", help="probes per estimate")
    one.add_argument("--estimates", type=int, default=10, metavar="N", help="estimates per position")
    one.add_argument("--nodes", type=int, default=10_000, metavar="N", help="nodes of the search that chooses a move")
    one.add_argument("--limit", type=float, default=60, metavar="S", help="CPU seconds after which a leaf is split")
    one.add_argument("--memory", type=int, default=1024, metavar="MB", help="memory per proof")


def positions(program: Path, options: argparse.Namespace) -> Iterator[str]:
    """Yields a position of each self-play game that is long enough."""
    with Searcher(program, 50_000) as searcher:
        for opening in games.openings(program, options.games, options.seed):
            game = games.play(searcher, opening)
            if options.ply - games.OPENING_PLIES < len(game):
                yield game[options.ply - games.OPENING_PLIES]


def run(options: argparse.Namespace) -> None:
    program = find_program(options.program)
    settings: Record = {"what": "validate", "program": identify(program)}
    settings |= {name: getattr(options, name) for name in ("ply", "depth", "seed", "nodes", "limit", "memory")}
    records = Records(options.out, settings)
    leaves = Leaves(records, program, options.limit, options.memory)
    print(
        "| position | prover | CPU s at once | leaves | below the value | CPU s by the frontier | estimates | covered |"
    )
    print("|---|---|---|---|---|---|---|---|", flush=True)
    covered = estimates = measured = 0
    for fen in positions(program, options):
        outcome = leaves.proof(fen)
        if outcome.value == "unknown":
            print(f"| `{fen}` | | over {options.limit:g} | | | | | |", flush=True)
            continue
        first = 1 if fen.split()[1] == "x" else 2
        prover = 3 - first if outcome.value == "loss" else first
        tree = TixTaxTree(program, prover, options.nodes)
        root = tree.root(fen)
        needed = 1 if outcome.value == "draw" else WIN
        frontier = enumerate_levels(tree, root, options.depth)[-1]

        def paths(leaf: Drawn[str], frontier: dict[str, int] = frontier) -> int:
            return frontier[leaf.node]

        costs = [leaves.cost(tree, leaf, None) for leaf in sorted(frontier)]
        truth = sum(cost.seconds for cost in costs)
        wrong = sum(cost.value < needed for cost in costs)
        means, hits = [], 0
        for estimate in range(options.estimates if truth else 0):
            probes = []
            for probe in range(options.probes):
                generator = random.Random(f"{options.seed} {fen} {estimate} {probe}")
                drawn = draw_probe(tree, root, options.depth, generator)[-1]
                probes.append(measure_probe(tree, leaves, drawn, paths, generator).seconds)
            low, high = mean_interval(probes)
            means.append(statistics.fmean(probes))
            hits += low <= truth <= high
        if means:
            measured += 1
            covered, estimates = covered + hits, estimates + len(means)
            print(
                f"| `{fen}` | {'xo'[prover - 1]} | {outcome.seconds:.3f} | {len(frontier)} | {wrong} | {truth:.3f} |"
                f" {statistics.fmean(means):.3f} ({min(means):.3f} to {max(means):.3f}) | {hits} of {len(means)} |",
                flush=True,
            )
        tree.close()
    low, high = wilson(covered, estimates)
    print(
        f"\n{covered} of {estimates} intervals of 90 % contain the cost ({low:.0%} to {high:.0%}); {measured} positions"
    )
    records.close()
