"""Costs of a proof by ply, and the simulation that draws from them."""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path
from typing import Any

import pytest
from test_tree import LATE, grow, solve, unknown

from zermelo_cluster.costs import costs_by_ply, format_costs, proof_leaves
from zermelo_cluster.failure import BadInput
from zermelo_cluster.proofs import Expander
from zermelo_cluster.simulation import RecordedJobs, Simulation, plies_played
from zermelo_cluster.tree import LeafTask, Tree, check


@pytest.fixture(params=LATE, ids=[value for value, _ in LATE])
def proven(request: pytest.FixtureRequest, tmp_path: Path, program: Path) -> Tree:
    """The tree of a finished proof in which every third job ran out of time."""
    numbers = itertools.count()

    def settle(task: LeafTask) -> dict[str, Any]:
        number = next(numbers)
        if number < 5 or number % 3 == 0:
            return unknown()
        return {**solve(program, task.node.fen, goal=task.goal), "verified": None, "seconds": 1.0}

    with Expander(program, "tixtax") as expand:
        tree = Tree(tmp_path / "tree", expand(request.param[1]), "tixtax")
        grow(tree, expand, settle)
    return tree


def test_costs_cover_every_job_and_name_those_of_the_proof(proven: Tree, program: Path) -> None:
    costs = costs_by_ply(proven)
    assert sum(ply.jobs for ply in costs.values()) == proven.jobs
    assert sum(ply.nodes for ply in costs.values()) == proven.positions
    for ply in costs.values():
        assert ply.used_seconds + ply.split_seconds <= ply.seconds + 1e-9
    assert sum(ply.split_seconds for ply in costs.values()) > 0.3
    # The verification needs the same leaves.
    with Expander(program, "tixtax") as expand:
        _, unverified = check(proven, expand)
    assert {(task.node.id, task.goal) for task in unverified} == proof_leaves(proven)
    assert 0 < sum(ply.used for ply in costs.values()) <= proven.jobs
    rows = format_costs(proven).splitlines()
    assert len(rows) == len(costs) + 3 and rows[-1].startswith(f"| sum | {proven.jobs} |")


def test_more_simulated_workers_finish_earlier(proven: Tree, program: Path, tmp_path: Path) -> None:
    fen = proven.node(proven.root).fen
    costs = RecordedJobs(proven, 1)
    proven.close()
    options = argparse.Namespace(frontier=2, overhead=0.001, slice=5.0, max_slice=60.0, results=None)
    times: list[float] = []
    work: list[tuple[float, int]] = []
    with Expander(program, "tixtax") as expand:
        for workers in (1, 1, 50):
            tree = Tree(tmp_path / f"simulated {len(times)}", expand(fen), "tixtax")
            simulation = Simulation(tree, expand, costs, options, workers)
            simulation.run()
            assert tree.is_settled and simulation.driver_seconds < simulation.now
            assert simulation.worker_seconds <= workers * simulation.now
            times.append(simulation.now)
            work.append((simulation.worker_seconds, tree.jobs))
            tree.close()
    assert work[0] == work[1], "the same seed draws the same jobs"
    assert work[0][1] < 8 or times[2] < times[0]


def test_a_tree_without_jobs_cannot_be_simulated(tmp_path: Path, program: Path) -> None:
    with Expander(program, "tixtax") as expand:
        tree = Tree(tmp_path / "tree", expand(LATE[0][1]), "tixtax")
    with pytest.raises(BadInput, match="no settled jobs"):
        RecordedJobs(tree, 1)
    tree.close()
    with pytest.raises(BadInput, match="is not a file"):
        Tree.open_existing(tmp_path / "missing")
    reopened = Tree.open_existing(tmp_path / "tree")
    assert reopened.game == "tixtax" and len(reopened) == 1
    reopened.close()


def test_plies_are_the_stones() -> None:
    assert plies_played("9/9/9/9/9/9/9/9/9 x 1 -") == 0
    assert plies_played("7o1/x2x5/1oo2o3/x2o5/ox4o2/1xo6/6xxx/5x3/4o4 x 10 e1") == 18
