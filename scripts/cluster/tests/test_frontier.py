"""`frontier` on a cluster measures the positions that one machine measures, and resumes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from ray.cluster_utils import Cluster
from zermelo_frontier.curve import Curve, Settings
from zermelo_frontier.program import prove
from zermelo_frontier.records import read


def test_results_are_those_of_one_machine_and_a_later_run_adds_to_them(
    tmp_path: Path, program: Path, cluster: Cluster
) -> None:
    def run(games: int) -> dict[tuple[int, int], str]:
        out = tmp_path / "curve.jsonl"
        words = ["frontier", "--out", out, "--games", games, "--last-ply", 44, "--nodes", 500, "--program", program]
        subprocess.run([sys.executable, "-m", "zermelo_cluster", *map(str, words)], check=True)
        return {(line["game"], line["ply"]): line["value"] for line in read(out)[1] if line["type"] == "position"}

    first = run(2)
    assert first and run(2) == first
    settings = Settings(seed=1, nodes=500, limit=600, memory=4096)
    curve = Curve(tmp_path / "alone.jsonl", program, settings, 4, 44)
    alone = {}
    for tasks in curve.tasks():
        for task in tasks:
            alone[task.game, task.ply] = curve.record(task, prove(program, task.fen, 600, 64))["value"]
    curve.close()
    assert run(4) == alone
    assert first.items() < alone.items()
