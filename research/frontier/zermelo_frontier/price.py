"""Estimates the CPU time of a proof from a position by a frontier of leaf proofs, as a function of the frontier's ply.

The value is guessed. To prove that the first player wins takes a tree in which the first player proves; to prove
a draw takes two trees, one per player, for "at least a draw" each.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from zermelo_frontier.intervals import mean_interval
from zermelo_frontier.leaves import Leaves
from zermelo_frontier.program import DRAW, LOSS, VALUES, WIN, find_program, identify
from zermelo_frontier.records import Record, Records
from zermelo_frontier.sampling import Drawn, count_paths, draw_probe
from zermelo_frontier.upper_tree import TixTaxTree, plies

START = "9/9/9/9/9/9/9/9/9 x 1 -"
PROVERS = {"x": 1, "o": 2}
HOUR = 3600


@dataclass
class Sums:
    """Weighted sums over the leaves that a probe has drawn at one frontier."""

    leaves: float = 0.0
    seconds: float = 0.0
    # By the value that the prover needs. wrong: leaves with a lower value. repair: seconds to prove, instead of each of
    # these, the position of the prover's last decision. unrepaired: those whose last decision has a lower value too.
    wrong: dict[int, float] = field(default_factory=lambda: {DRAW: 0.0, WIN: 0.0})
    repair: dict[int, float] = field(default_factory=lambda: {DRAW: 0.0, WIN: 0.0})
    unrepaired: dict[int, float] = field(default_factory=lambda: {DRAW: 0.0, WIN: 0.0})
    # By the number of deviations: leaves drawn, and how many of them have each value for the prover.
    values: Counter[tuple[int, int]] = field(default_factory=Counter)


def measure_probe(
    tree: TixTaxTree,
    leaves: Leaves,
    drawn: Sequence[Drawn[str]],
    paths: Callable[[Drawn[str]], int],
    generator: random.Random,
    repair: Sequence[int] = (),
) -> Sums:
    """Proves the leaves of a probe; `paths` counts the paths to a leaf, and `repair` names the values for which wrong
    leaves are repaired."""
    sums = Sums()
    for leaf in drawn:
        weight = leaf.weight / paths(leaf)
        cost = leaves.cost(tree, leaf.node, generator)
        sums.leaves += weight
        sums.values[leaf.deviations, cost.value] += 1
        sums.seconds += weight * cost.seconds
        for needed in (DRAW, WIN):
            if cost.value < needed:
                sums.wrong[needed] += weight
                decisions = [node for node in leaf.path if tree.is_provers(node)]
                if needed in repair and decisions:
                    above = leaves.cost(tree, decisions[-1], generator)
                    sums.repair[needed] += weight * above.seconds
                    sums.unrepaired[needed] += weight * (above.value < needed)
    return sums


def add_options(one: argparse.ArgumentParser) -> None:
    one.add_argument("--out", type=Path, metavar="FILE", required=True, help="proofs; an existing file is resumed")
    one.add_argument("--fen", default=START, help="position to prove")
    one.add_argument("--prover", choices=[*PROVERS, "both"], default="both", help="who proves")
    one.add_argument(
        "--plies", type=int, nargs="+", default=[36, 34, 32], metavar="N", help="frontiers, by plies played"
    )
    one.add_argument("--probes", type=int, default=50, metavar="N", help="probes per player")
    one.add_argument("--seed", type=int, default=1, metavar="S", help="random seed of the probes")
    one.add_argument("--nodes", type=int, default=10_000, metavar="N", help="nodes of the search that chooses a move")
    one.add_argument("--limit", type=float, default=60, metavar="S", help="CPU seconds after which a leaf is split")
    one.add_argument(
        "--goal", choices=VALUES[1:], help="prove only whether the prover reaches this at a leaf (default: its value)"
    )
    one.add_argument("--memory", type=int, default=1024, metavar="MB", help="memory per proof")
    one.add_argument(
        "--repair", choices=VALUES[1:], nargs="*", default=[], help="values for which to price wrong leaves"
    )


def run(options: argparse.Namespace) -> None:
    program = find_program(options.program)
    settings: Record = {"what": "price", "program": identify(program), "fen": options.fen}
    settings |= {name: getattr(options, name) for name in ("nodes", "limit", "memory", "goal")}
    records = Records(options.out, settings)
    goal = VALUES.index(options.goal) if options.goal else None
    leaves = Leaves(records, program, options.limit, options.memory, goal)
    names = [options.prover] if options.prover in PROVERS else list(PROVERS)
    trees = {name: TixTaxTree(program, PROVERS[name], options.nodes) for name in names}
    repair = [VALUES.index(value) for value in options.repair]
    print_head(repair)
    known = (WIN, DRAW) if goal is None else (goal,)
    for ply in sorted(options.plies, reverse=True):
        seconds = []
        for name, tree in trees.items():
            root = tree.root(options.fen)
            depth = ply - plies(root)
            probes = []
            paths = path_counter(tree, root)
            for probe in range(options.probes):
                generator = random.Random(f"{options.seed} {name} {probe}")
                drawn = draw_probe(tree, root, depth, generator)[-1]
                probes.append(measure_probe(tree, leaves, drawn, paths, generator, repair))
            print_row(ply, name, probes, known, repair)
            seconds.append([sums.seconds for sums in probes])
        if len(seconds) > 1:
            both = [sum(pair) for pair in zip(*seconds, strict=True)]
            print(f"| {ply} | both |" + " |" * 5 + f" {hours(both)} |" + " |" * 3 * len(repair), flush=True)
    for tree in trees.values():
        tree.close()
    records.close()


def path_counter(tree: TixTaxTree, root: str) -> Callable[[Drawn[str]], int]:
    return lambda leaf: count_paths(tree, root, leaf.node, len(leaf.path))


def print_head(repair: Sequence[int]) -> None:
    titles = ["ply", "prover", "leaves", "CPU s a leaf", "below a win", "below a draw", "by deviations"]
    titles.append("CPU hours (90 %)")
    for needed in repair:
        titles += [f"last decision too ({VALUES[needed]})", "repair, CPU hours (90 %)", "with repair"]
    print("| " + " | ".join(titles) + " |\n" + "|---" * len(titles) + "|", flush=True)


def print_row(ply: int, name: str, probes: Sequence[Sums], known: Sequence[int], repair: Sequence[int]) -> None:
    """Prints the estimates of a frontier as a row of a table. `known` are the goals that the leaves were proven for."""
    leaves = fmean(sums.leaves for sums in probes)
    mean = fmean(sums.seconds for sums in probes) / leaves if leaves else 0.0
    wrong = {needed: fmean(sums.wrong[needed] for sums in probes) for needed in (WIN, DRAW)}
    shares = [percent(wrong[needed], leaves) if needed in known else "-" for needed in (WIN, DRAW)]
    values = by_deviations(probes) if len(known) > 1 else "-"
    cells = [f"{ply}", name, f"{leaves:.3g}", f"{mean:.3g}", *shares, values]
    cells.append(hours([sums.seconds for sums in probes]))
    for needed in repair:
        unrepaired = fmean(sums.unrepaired[needed] for sums in probes)
        cells.append(percent(unrepaired, wrong[needed]))
        cells.append(hours([sums.repair[needed] for sums in probes]))
        cells.append(hours([sums.seconds + sums.repair[needed] for sums in probes]))
    print("| " + " | ".join(cells) + " |", flush=True)


def by_deviations(probes: Sequence[Sums]) -> str:
    """Lists the drawn leaves by the number of the opponent's deviations: won, drawn and lost ones."""
    counts = sum((sums.values for sums in probes), Counter[tuple[int, int]]())
    groups = sorted({deviations for deviations, _ in counts})
    return ", ".join(
        f"{group}: {'/'.join(str(counts[group, value]) for value in (WIN, DRAW, LOSS))}" for group in groups
    )


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.2g} %" if whole else "-"


def hours(seconds: Sequence[float]) -> str:
    """Returns the mean with its 90 % interval, in hours."""
    if not any(seconds):
        return "none seen"
    low, high = (bound / HOUR for bound in mean_interval(seconds))
    return f"{fmean(seconds) / HOUR:.2g} ({low:.2g} to {high:.2g})"
